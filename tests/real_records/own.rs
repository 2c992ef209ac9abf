//! Questions of our own, whose truth is SQL written by hand.

use portolan_runtime::Caller;

use super::cell::{Row, compare};
use super::conversation::Conversation;
use super::conversation::Read::{self, Records, Total};
use super::dataset::{DATASETS, Dataset};

/// A question, how a model answers it, and the truth.
struct Own {
    dataset: &'static str,
    question: &'static str,
    /// What a model calls `query_records` with; see [`Conversation::ask`].
    calls: &'static [&'static str],
    /// What of the last answer is the answer.
    read: Read,
    /// What answers say on the way, by the number of the call.
    says: &'static [(usize, &'static str)],
    ordered: bool,
    sql: &'static str,
}

const REFERENCES: &[Own] = &[
    Own {
        dataset: "1k",
        question: "Which funds were gifts from Thailand or Portugal allocated to, and who gave them?",
        calls: &[r#"{"object": "Allocation__c",
            "fields": ["id", "general_accounting_unit__c", "opportunity__c.account_id"],
            "where": [{"field": "opportunity__c.account_id.BillingCountry", "op": "in", "values": ["Thailand", "Portugal"]}]}"#],
        read: Records(&[
            "id",
            "general_accounting_unit__c/id",
            "general_accounting_unit__c/name",
            "opportunity__c.account_id/name",
        ]),
        says: &[],
        ordered: false,
        sql: "SELECT l.id, f.id, f.name, a.Name FROM Allocation__c l \
              JOIN Opportunity o ON o.id = l.opportunity__c JOIN Account a ON a.id = o.account_id \
              JOIN General_Accounting_Unit__c f ON f.id = l.general_accounting_unit__c \
              WHERE a.BillingCountry IN ('Thailand', 'Portugal')",
    },
    Own {
        dataset: "trailhead",
        question: "Which campaigns were members of Platinum accounts in? By contact, then campaign.",
        calls: &[r#"{"object": "CampaignMember", "fields": ["contact_id", "campaign_id", "Status"],
            "where": [{"field": "contact_id.account_id.level__c", "op": "eq", "value": "platinum"}],
            "order_by": ["contact_id", "campaign_id"]}"#],
        read: Records(&["contact_id/name", "campaign_id/name", "Status"]),
        says: &[(1, r#""contact_id.account_id.level__c = platinum":"npsp__Level__c 'Platinum' ("#)],
        ordered: true,
        sql: "SELECT c.FirstName || ' ' || c.LastName n, k.Name, m.Status FROM CampaignMember m \
              JOIN Contact c ON c.sf_id = m.contact_id JOIN Account a ON a.sf_id = c.account_id \
              JOIN npsp__Level__c l ON l.sf_id = a.level__c JOIN Campaign k ON k.sf_id = m.campaign_id \
              WHERE l.Name = 'Platinum' ORDER BY n, k.Name",
    },
    Own {
        dataset: "trailhead",
        question: "Which campaigns are two levels below the advocacy campaigns of 2019, and which is in between?",
        calls: &[r#"{"object": "Campaign", "fields": ["Name", "parent_id", "parent_id.parent_id"],
            "where": [{"field": "parent_id.parent_id", "op": "eq", "value": "2019 Advocacy Campaigns"}],
            "order_by": ["parent_id", "Name desc"]}"#],
        read: Records(&["Name", "parent_id/name", "parent_id.parent_id/name"]),
        says: &[],
        ordered: true,
        sql: "SELECT k.Name, p.Name, g.Name FROM Campaign k JOIN Campaign p ON p.sf_id = k.parent_id \
              JOIN Campaign g ON g.sf_id = p.parent_id WHERE g.Name = '2019 Advocacy Campaigns' \
              ORDER BY p.Name, k.Name DESC",
    },
    // Account to contact and back to account: a cycle of references.
    Own {
        dataset: "trailhead",
        question: "Of which households does the main contact work for an organization in Texas or Delaware?",
        calls: &[r#"{"object": "Account",
            "fields": ["sf_id", "Name", "npe01__one2_one_contact__c.npsp__primary_affiliation__c.Name"],
            "where": [{"field": "npe01__one2_one_contact__c.npsp__primary_affiliation__c.BillingState", "op": "in", "values": ["tx", "DE"]},
                      {"field": "npe01__SYSTEMIsIndividual__c", "op": "eq", "value": true}]}"#],
        read: Records(&["sf_id", "Name", "npe01__one2_one_contact__c.npsp__primary_affiliation__c.Name"]),
        says: &[(1, "= tx\":\"case and accents aside")],
        ordered: false,
        sql: "SELECT a.sf_id, a.Name, w.Name FROM Account a JOIN Contact c ON c.sf_id = a.npe01__one2_one_contact__c \
              JOIN Account w ON w.sf_id = c.npsp__primary_affiliation__c \
              WHERE w.BillingState IN ('TX', 'Tx', 'DE') AND a.npe01__SYSTEMIsIndividual__c = 'true'",
    },
    Own {
        dataset: "trailhead",
        question: "Which gifts came by the Annual Appeal 2018 or Give a Life? Latest first.",
        calls: &[r#"{"object": "Opportunity", "fields": ["Name", "campaign_id", "CloseDate"],
            "where": [{"field": "campaign_id", "op": "in", "values": ["annual appeal 2018", "Give a Life"]}],
            "order_by": ["CloseDate desc", "Name"], "limit": 100}"#],
        read: Records(&["Name", "campaign_id/name", "CloseDate"]),
        says: &[(
            1,
            r#""campaign_id = annual appeal 2018":"Campaign 'Annual Appeal 2018' (7016g000000gmWUAAY)""#,
        )],
        ordered: true,
        sql: "SELECT o.Name, k.Name, o.CloseDate FROM Opportunity o JOIN Campaign k ON k.sf_id = o.campaign_id \
              WHERE k.Name IN ('Annual Appeal 2018', 'Give a Life') ORDER BY o.CloseDate DESC, o.Name",
    },
    // Names repeat: where they do, ids decide, in the direction of the names.
    Own {
        dataset: "trailhead",
        question: "Who belongs to which organization? By organization, then by contact from Z to A.",
        calls: &[
            r#"{"object": "npe5__Affiliation__c", "fields": ["npe5__organization__c", "npe5__contact__c", "sf_id"],
            "order_by": ["npe5__organization__c", "npe5__contact__c desc"]}"#,
        ],
        read: Records(&["npe5__organization__c/name", "npe5__contact__c/name", "sf_id"]),
        says: &[],
        ordered: true,
        sql: "SELECT a.Name, c.FirstName || ' ' || c.LastName n, f.sf_id FROM npe5__Affiliation__c f \
              JOIN Account a ON a.sf_id = f.npe5__organization__c JOIN Contact c ON c.sf_id = f.npe5__contact__c \
              ORDER BY a.Name, a.sf_id, n DESC, c.sf_id DESC, f.sf_id",
    },
    Own {
        dataset: "1k",
        question: "Which gifts of account 305 were of more than $990? (The id as a number, and so the amount.)",
        calls: &[r#"{"object": "Opportunity", "fields": ["id", "amount", "account_id"],
            "where": [{"field": "account_id", "op": "eq", "value": 305}, {"field": "amount", "op": "gt", "value": 990}]}"#],
        read: Records(&["id", "amount", "account_id/id", "account_id/name"]),
        says: &[],
        ordered: false,
        sql: "SELECT o.id, CAST(o.amount AS REAL), a.id, a.Name FROM Opportunity o JOIN Account a ON a.id = o.account_id \
              WHERE a.id = 305 AND CAST(o.amount AS REAL) > 990",
    },
];

const NAMES: &[Own] = &[
    Own {
        dataset: "trailhead",
        question: "What has the Ivans Household given? There are three: of which was it?",
        calls: &[
            r#"{"object": "Opportunity", "fields": ["Name", "Amount"],
                "where": [{"field": "account_id", "op": "eq", "value": "Ivans Household"}]}"#,
            r#"{"object": "Opportunity", "fields": ["Name", "Amount", "account_id"],
                "where": [{"field": "account_id", "op": "in", "values": "$1/problems/0/nearest"}]}"#,
        ],
        read: Records(&["Name", "Amount", "account_id/id"]),
        says: &[
            (1, "'Ivans Household' is the name of 3 records"),
            (1, "0016g000007WEffAAG (Account 'Ivans Household')"),
            (1, "0016g000007WEftAAG (Account 'Ivans Household')"),
            (1, "0016g000007WEfuAAG (Account 'Ivans Household')"),
        ],
        ordered: false,
        sql: "SELECT o.Name, CAST(o.Amount AS REAL), a.sf_id FROM Opportunity o JOIN Account a ON a.sf_id = o.account_id \
              WHERE a.Name = 'Ivans Household'",
    },
    Own {
        dataset: "1k",
        question: "Which gifts over $980 has the Roy Holmes of China given? (There are two of the name.)",
        calls: &[
            r#"{"object": "Opportunity", "fields": ["id", "amount"],
                "where": [{"field": "primary_contact__c", "op": "eq", "value": "roy holmes"},
                          {"field": "amount", "op": "gt", "value": "980"}]}"#,
            r#"{"object": "Contact", "fields": ["id", "account_id.BillingCountry"],
                "where": [{"field": "id", "op": "in", "values": "$1/problems/0/nearest"},
                          {"field": "account_id.BillingCountry", "op": "eq", "value": "China"}]}"#,
            r#"{"object": "Opportunity", "fields": ["id", "amount", "primary_contact__c"],
                "where": [{"field": "primary_contact__c", "op": "eq", "value": "$2/records/0/id"},
                          {"field": "amount", "op": "gt", "value": "980"}]}"#,
        ],
        read: Records(&["id", "amount", "primary_contact__c/id", "primary_contact__c/name"]),
        says: &[
            (1, "'roy holmes' is the name of 2 records"),
            (1, "420 (Contact 'Roy Holmes')"),
            (1, "555 (Contact 'Roy Holmes')"),
            (2, "China"),
        ],
        ordered: false,
        sql: "SELECT o.id, CAST(o.amount AS REAL), c.id, c.FirstName || ' ' || c.LastName FROM Opportunity o \
              JOIN Contact c ON c.id = o.primary_contact__c JOIN Account a ON a.id = c.account_id \
              WHERE c.FirstName = 'Roy' AND c.LastName = 'Holmes' AND a.BillingCountry = 'China' \
              AND CAST(o.amount AS REAL) > 980",
    },
    Own {
        dataset: "trailhead",
        question: "What did we win in 2020? (The stage is called otherwise here than elsewhere.)",
        calls: &[
            r#"{"object": "Opportunity", "fields": ["Name", "Amount", "CloseDate"],
                "where": [{"field": "StageName", "op": "eq", "value": "Closed Won"}, {"field": "CloseDate", "op": "during", "value": "2020"}]}"#,
            r#"{"object": "Opportunity", "fields": ["Name", "Amount", "CloseDate"],
                "where": [{"field": "StageName", "op": "eq", "value": "Posted"}, {"field": "CloseDate", "op": "during", "value": "2020"}]}"#,
        ],
        read: Records(&["Name", "Amount", "CloseDate"]),
        says: &[
            (1, r#""total":0"#),
            (1, "No record has StageName 'Closed Won'. There is 'Pledged', 'Posted', 'Verbal Commitment'."),
        ],
        ordered: false,
        sql: "SELECT Name, CAST(NULLIF(Amount, '') AS REAL), CloseDate FROM Opportunity \
              WHERE StageName = 'Posted' AND CloseDate LIKE '2020-%'",
    },
];

const NULLS: &[Own] = &[
    Own {
        dataset: "trailhead",
        question: "Which payments weren't made by check, or we don't know how?",
        calls: &[r#"{"object": "npe01__OppPayment__c", "fields": ["sf_id", "npe01__Payment_Method__c"],
            "where": [{"field": "npe01__Payment_Method__c", "op": "ne", "value": "Check"}]}"#],
        read: Records(&["sf_id", "npe01__Payment_Method__c"]),
        says: &[],
        ordered: false,
        sql: "SELECT sf_id, NULLIF(npe01__Payment_Method__c, '') FROM npe01__OppPayment__c \
              WHERE npe01__Payment_Method__c <> 'Check'",
    },
    Own {
        dataset: "trailhead",
        question: "Which payments do we know to have been made neither by check nor by credit?",
        calls: &[r#"{"object": "npe01__OppPayment__c", "fields": ["sf_id", "npe01__Payment_Method__c"],
            "where": [{"field": "npe01__Payment_Method__c", "op": "not_in", "values": ["check", "Credit"]},
                      {"field": "npe01__Payment_Method__c", "op": "not_null"}]}"#],
        read: Records(&["sf_id", "npe01__Payment_Method__c"]),
        says: &[(1, r#""npe01__Payment_Method__c = check":"case and accents aside""#)],
        ordered: false,
        sql: "SELECT sf_id, npe01__Payment_Method__c FROM npe01__OppPayment__c \
              WHERE npe01__Payment_Method__c NOT IN ('', 'Check', 'Credit')",
    },
    Own {
        dataset: "1k",
        question: "How many gifts have no primary contact?",
        calls: &[
            r#"{"object": "Opportunity", "where": [{"field": "primary_contact__c", "op": "is_null"}], "limit": 1}"#,
        ],
        read: Total,
        says: &[],
        ordered: false,
        sql: "SELECT COUNT(*) FROM Opportunity WHERE primary_contact__c = ''",
    },
    Own {
        dataset: "1k",
        question: "How many gifts aren't Roy Holmes's (420)? Those of nobody aren't.",
        calls: &[
            r#"{"object": "Opportunity", "where": [{"field": "primary_contact__c", "op": "ne", "value": "420"}], "limit": 1}"#,
        ],
        read: Total,
        says: &[],
        ordered: false,
        sql: "SELECT COUNT(*) FROM Opportunity WHERE primary_contact__c <> '420'",
    },
    // What a path leads to through nothing is nothing.
    Own {
        dataset: "trailhead",
        question: "Which gifts have a campaign at the top, or none? The smallest first, those without an amount last.",
        calls: &[r#"{"object": "Opportunity", "fields": ["sf_id", "Amount", "campaign_id"],
            "where": [{"field": "campaign_id.parent_id", "op": "is_null"}], "order_by": ["Amount"]}"#],
        read: Records(&["sf_id", "Amount", "campaign_id/name"]),
        says: &[],
        ordered: true,
        sql: "SELECT o.sf_id, CAST(NULLIF(o.Amount, '') AS REAL) amount, k.Name FROM Opportunity o \
              LEFT JOIN Campaign k ON k.sf_id = o.campaign_id \
              WHERE k.parent_id IS NULL OR k.parent_id = '' ORDER BY amount NULLS LAST, o.sf_id",
    },
    Own {
        dataset: "trailhead",
        question: "Which gifts aren't of a campaign that is completed? Those of none aren't.",
        calls: &[r#"{"object": "Opportunity", "fields": ["sf_id", "campaign_id.Status"],
            "where": [{"field": "campaign_id.Status", "op": "ne", "value": "Completed"}], "limit": 100}"#],
        read: Records(&["sf_id", "campaign_id.Status"]),
        says: &[],
        ordered: false,
        sql: "SELECT o.sf_id, k.Status FROM Opportunity o LEFT JOIN Campaign k ON k.sf_id = o.campaign_id \
              WHERE k.Status IS NULL OR k.Status <> 'Completed'",
    },
    Own {
        dataset: "trailhead",
        question: "When do campaigns end? The latest first.",
        calls: &[
            r#"{"object": "Campaign", "fields": ["Name", "EndDate"], "order_by": ["EndDate desc", "Name"]}"#,
        ],
        read: Records(&["Name", "EndDate"]),
        says: &[],
        ordered: true,
        sql: "SELECT Name, NULLIF(EndDate, '') ended FROM Campaign ORDER BY ended DESC NULLS LAST, Name",
    },
    Own {
        dataset: "trailhead",
        question: "When do campaigns end? The earliest first.",
        calls: &[r#"{"object": "Campaign", "fields": ["Name", "EndDate"], "order_by": ["EndDate", "Name"]}"#],
        read: Records(&["Name", "EndDate"]),
        says: &[],
        ordered: true,
        sql: "SELECT Name, NULLIF(EndDate, '') ended FROM Campaign ORDER BY ended NULLS LAST, Name",
    },
];

const NUMBERS: &[Own] = &[
    // As texts, '811.0' is more than '1000', and so are 1,514 of 1,517.
    Own {
        dataset: "1k",
        question: "How many gifts were of more than $1,000?",
        calls: &[
            r#"{"object": "Opportunity", "where": [{"field": "amount", "op": "gt", "value": "1,000"}], "limit": 1}"#,
        ],
        read: Total,
        says: &[],
        ordered: false,
        sql: "SELECT COUNT(*) FROM Opportunity WHERE CAST(amount AS REAL) > 1000",
    },
    Own {
        dataset: "1k",
        question: "Which gifts were between $995.50 and $1,002, the smallest first?",
        calls: &[r#"{"object": "Opportunity", "fields": ["id", "amount"],
            "where": [{"field": "amount", "op": "between", "values": ["995.50", "1002"]}], "order_by": ["amount"]}"#],
        read: Records(&["id", "amount"]),
        says: &[],
        ordered: true,
        sql: "SELECT id, CAST(amount AS REAL) value FROM Opportunity WHERE value BETWEEN 995.5 AND 1002 ORDER BY value, id",
    },
    Own {
        dataset: "1k",
        question: "Which gifts were of $811 or of $9,958?",
        calls: &[r#"{"object": "Opportunity", "fields": ["id", "amount"],
            "where": [{"field": "amount", "op": "in", "values": ["811", 9958.00]}]}"#],
        read: Records(&["id", "amount"]),
        says: &[],
        ordered: false,
        sql: "SELECT id, CAST(amount AS REAL) FROM Opportunity WHERE amount IN ('811.0', '9958.0')",
    },
    Own {
        dataset: "trailhead",
        question: "Whose average gift is $461.665, to the tenth of a cent?",
        calls: &[r#"{"object": "Contact", "fields": ["Name", "npo02__AverageAmount__c"],
            "where": [{"field": "npo02__AverageAmount__c", "op": "eq", "value": "461.6650"}]}"#],
        read: Records(&["Name", "npo02__AverageAmount__c"]),
        says: &[],
        ordered: false,
        sql: "SELECT FirstName || ' ' || LastName, npo02__AverageAmount__c FROM Contact WHERE npo02__AverageAmount__c = '461.665'",
    },
    // More digits than a float is sure of.
    Own {
        dataset: "trailhead",
        question: "Of which funds is the average allocation between 918.7755102040816 and 918.7755102040818?",
        calls: &[
            r#"{"object": "npsp__General_Accounting_Unit__c", "fields": ["Name", "npsp__Average_Allocation__c"],
            "where": [{"field": "npsp__Average_Allocation__c", "op": "gt", "value": "918.7755102040816"},
                      {"field": "npsp__Average_Allocation__c", "op": "lt", "value": "918.7755102040818"}]}"#,
        ],
        read: Records(&["Name", "npsp__Average_Allocation__c"]),
        says: &[],
        ordered: false,
        sql: "SELECT Name, npsp__Average_Allocation__c FROM npsp__General_Accounting_Unit__c \
              WHERE npsp__Average_Allocation__c = '918.7755102040817'",
    },
];

const TEXTS: &[Own] = &[
    Own {
        dataset: "1k",
        question: "Which accounts are in cities with 'bac' in the name, in any script's accents?",
        calls: &[r#"{"object": "Account", "fields": ["id", "BillingCity"],
            "where": [{"field": "BillingCity", "op": "contains", "value": "BAC"}]}"#],
        read: Records(&["id", "BillingCity"]),
        says: &[],
        ordered: false,
        sql: "SELECT id, BillingCity FROM Account \
              WHERE BillingCity IN ('Bachaquero', 'Thị Trấn Bắc Yên', 'Bắc Kạn', 'Libacao', 'Rybache')",
    },
    Own {
        dataset: "1k",
        question: "And which in cities that begin with it?",
        calls: &[r#"{"object": "Account", "fields": ["id", "BillingCity"],
            "where": [{"field": "BillingCity", "op": "starts_with", "value": "bắc"}]}"#],
        read: Records(&["id", "BillingCity"]),
        says: &[],
        ordered: false,
        sql: "SELECT id, BillingCity FROM Account WHERE BillingCity IN ('Bachaquero', 'Bắc Kạn')",
    },
    Own {
        dataset: "1k",
        question: "Which accounts are in Skane or in Łapsze Niżne? (The first typed as most people can.)",
        calls: &[r#"{"object": "Account", "fields": ["id", "BillingCity", "BillingState"],
            "where_any": [{"field": "BillingState", "op": "eq", "value": "Skane"},
                          {"field": "BillingCity", "op": "eq", "value": "Łapsze Niżne"}]}"#],
        read: Records(&["id", "BillingCity", "BillingState"]),
        says: &[(1, r#""BillingState = Skane":"case and accents aside""#)],
        ordered: false,
        sql: "SELECT id, BillingCity, NULLIF(BillingState, '') FROM Account \
              WHERE BillingState = 'Skåne' OR BillingCity = 'Łapsze Niżne'",
    },
    // What is there as it is written is meant as it is written …
    Own {
        dataset: "trailhead",
        question: "Which accounts are in TX?",
        calls: &[r#"{"object": "Account", "fields": ["Name", "BillingState"],
            "where": [{"field": "BillingState", "op": "eq", "value": "TX"}]}"#],
        read: Records(&["Name", "BillingState"]),
        says: &[],
        ordered: false,
        sql: "SELECT Name, BillingState FROM Account WHERE BillingState = 'TX'",
    },
    // … and what isn't, case aside.
    Own {
        dataset: "trailhead",
        question: "Which accounts are in tx?",
        calls: &[r#"{"object": "Account", "fields": ["Name", "BillingState"],
            "where": [{"field": "BillingState", "op": "eq", "value": "tx"}]}"#],
        read: Records(&["Name", "BillingState"]),
        says: &[(1, r#""BillingState = tx":"case and accents aside""#)],
        ordered: false,
        sql: "SELECT Name, BillingState FROM Account WHERE BillingState IN ('TX', 'Tx')",
    },
    Own {
        dataset: "trailhead",
        question: "Which organizations are in Massachusetts, or in a city with 'san' in its name?",
        calls: &[r#"{"object": "Account", "fields": ["Name", "BillingCity", "BillingState"],
            "where": [{"field": "npe01__SYSTEMIsIndividual__c", "op": "ne", "value": "yes"}],
            "where_any": [{"field": "BillingState", "op": "eq", "value": "MA"},
                          {"field": "BillingCity", "op": "contains", "value": "san"}],
            "order_by": ["BillingState desc", "Name"]}"#],
        read: Records(&["Name", "BillingCity", "BillingState"]),
        says: &[],
        ordered: true,
        sql: "SELECT Name, BillingCity, BillingState FROM Account WHERE npe01__SYSTEMIsIndividual__c = 'false' \
              AND (BillingState = 'MA' OR BillingCity LIKE '%san%') ORDER BY BillingState DESC, Name",
    },
    Own {
        dataset: "trailhead",
        question: "Which campaigns have to do with architecture?",
        calls: &[r#"{"object": "Campaign", "fields": ["Name"], "search": "architecture"}"#],
        read: Records(&["Name"]),
        says: &[],
        ordered: false,
        sql: "SELECT Name FROM Campaign WHERE Name LIKE '%architecture%'",
    },
    Own {
        dataset: "1k",
        question: "Which gift has a primary influencer, and who is it?",
        calls: &[
            r#"{"object": "OpportunityContactRole", "fields": ["opportunity_id", "contact_id", "IsPrimary"],
            "where": [{"field": "Role", "op": "eq", "value": "Influencer"}, {"field": "IsPrimary", "op": "eq", "value": true}]}"#,
        ],
        read: Records(&["opportunity_id/name", "contact_id/name", "IsPrimary"]),
        says: &[],
        ordered: false,
        sql: "SELECT o.name, c.FirstName || ' ' || c.LastName, r.IsPrimary FROM OpportunityContactRole r \
              JOIN Opportunity o ON o.id = r.opportunity_id JOIN Contact c ON c.id = r.contact_id \
              WHERE r.Role = 'Influencer' AND r.IsPrimary = 'true'",
    },
];

#[test]
fn answers_are_what_sql_finds() {
    let mut wrong = Vec::new();
    for name in DATASETS {
        let Some(dataset) = Dataset::open(name) else { return };
        let all = [REFERENCES, NAMES, NULLS, NUMBERS, TEXTS];
        for own in all.into_iter().flatten().filter(|own| own.dataset == name) {
            let truth = dataset.truth(own.sql);
            assert!(!truth.is_empty(), "nothing answers, and proves nothing: {}", own.question);
            if let Err(problem) = own.check(dataset.conversation(Caller::new()), truth) {
                wrong.push(format!("{}\n  {problem}", own.question));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Own {
    fn check(&self, mut conversation: Conversation, truth: Vec<Row>) -> Result<(), String> {
        let answer = conversation.ask(self.calls);
        answer.refused()?;
        let found = answer.read(&self.read);
        for (call, part) in self.says {
            let said = conversation.answer(*call).json.to_string();
            if !said.contains(part) {
                return Err(format!("call {call} doesn't say {part}: {said}"));
            }
        }
        compare(found, truth, self.ordered)
    }
}
