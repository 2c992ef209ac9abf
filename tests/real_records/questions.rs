//! The questions that came with the records, each answered by the calls that a model would make.
//!
//! A question is in [`ANSWERED`], as often as there are ways to answer it, or in [`LEFT`].

use std::collections::{BTreeMap, BTreeSet};

use portolan_runtime::Caller;
use serde_json::{Value, json};

use super::cell::{Cell, compare};
use super::conversation::Conversation;
use super::conversation::Read::{self, Records};
use super::dataset::{DATASETS, Dataset};
use crate::support::shared;

/// A way to answer a question.
struct Answered {
    id: &'static str,
    /// What a model calls `query_records` with; see [`Conversation::ask`].
    calls: &'static [&'static str],
    /// What of the last answer is the answer.
    read: Read,
}

/// A question that can't be answered yet.
struct Left {
    id: &'static str,
    why: &'static str,
    /// The arguments that its answer takes. As long as one of them is refused, it can't be given.
    needs: &'static [&'static str],
}

const LEFT: &[Left] = &[
    Left { id: "s08", why: "counts and sums by year and campaign", needs: &["group_by", "measures"] },
    Left {
        id: "s09",
        why: "averages by account, of those with more than ten gifts",
        needs: &["group_by", "measures", "having"],
    },
    Left { id: "s10", why: "counts and sums by quarter", needs: &["group_by", "measures"] },
    Left {
        id: "s11",
        why: "the last day by account, of those where it is long ago",
        needs: &["group_by", "measures", "having"],
    },
    Left { id: "s12", why: "how many different accounts by month", needs: &["group_by", "measures"] },
    Left { id: "s17", why: "counts and sums by contact", needs: &["group_by", "measures"] },
];

const ANSWERED: &[Answered] = &[
    Answered {
        id: "s01",
        calls: &[r#"{"object": "Opportunity", "fields": ["Name", "Amount", "CloseDate"],
            "where": [{"field": "StageName", "op": "eq", "value": "Posted"},
                      {"field": "CloseDate", "op": "during", "value": "2019"},
                      {"field": "Amount", "op": "gte", "value": "1000"}],
            "order_by": ["Amount desc", "CloseDate"]}"#],
        read: Records(&["Name", "Amount", "CloseDate"]),
    },
    Answered {
        id: "s02",
        calls: &[r#"{"object": "Contact", "fields": ["id", "FirstName", "Phone", "Title"],
            "where": [{"field": "LastName", "op": "eq", "value": "Jenkins"},
                      {"field": "Email", "op": "is_null"},
                      {"field": "Phone", "op": "not_null"}]}"#],
        read: Records(&["id", "FirstName", "Phone", "Title"]),
    },
    Answered {
        id: "s03",
        calls: &[r#"{"object": "Account", "fields": ["Name", "BillingCity", "BillingState"],
            "where": [{"field": "Name", "op": "contains", "value": "orange"}]}"#],
        read: Records(&["Name", "BillingCity", "BillingState"]),
    },
    Answered {
        id: "s04",
        calls: &[r#"{"object": "Opportunity",
            "fields": ["account_id.Name", "account_id.BillingCountry", "amount", "close_date"],
            "where": [{"field": "amount", "op": "gt", "value": "900"},
                      {"field": "account_id.BillingCountry", "op": "in", "values": ["Sweden", "Canada"]}]}"#],
        read: Records(&["account_id.Name", "account_id.BillingCountry", "amount", "close_date"]),
    },
    Answered {
        id: "s05",
        calls: &[r#"{"object": "npe01__OppPayment__c",
            "fields": ["npe01__opportunity__c.account_id", "npe01__opportunity__c",
                       "npe01__Payment_Amount__c", "npe01__Payment_Date__c"],
            "where": [{"field": "npe01__Paid__c", "op": "eq", "value": "true"},
                      {"field": "npe01__opportunity__c.account_id.BillingState", "op": "eq", "value": "MA"}],
            "order_by": ["npe01__Payment_Date__c", "npe01__Payment_Amount__c", "npe01__opportunity__c.account_id"]}"#],
        read: Records(&[
            "npe01__opportunity__c.account_id/name",
            "npe01__opportunity__c/name",
            "npe01__Payment_Amount__c",
            "npe01__Payment_Date__c",
        ]),
    },
    Answered {
        id: "s06",
        calls: &[r#"{"object": "Opportunity", "fields": ["account_id", "amount", "close_date"],
            "order_by": ["amount desc"], "limit": 5}"#],
        read: Records(&["account_id/name", "amount", "close_date"]),
    },
    Answered {
        id: "s07",
        calls: &[
            r#"{"object": "Account", "fields": ["Name", "BillingCity"],
                "where": [{"field": "npe01__SYSTEMIsIndividual__c", "op": "eq", "value": "false"}],
                "order_by": ["Name"], "limit": 10}"#,
            r#"{"object": "Account", "fields": ["Name", "BillingCity"],
                "where": [{"field": "npe01__SYSTEMIsIndividual__c", "op": "eq", "value": "false"}],
                "order_by": ["Name"], "limit": 10, "cursor": "$1/cursor"}"#,
        ],
        read: Records(&["Name", "BillingCity"]),
    },
    Answered {
        id: "s13",
        calls: &[r#"{"object": "Opportunity", "fields": ["name", "amount", "close_date"],
            "where": [{"field": "stage_name", "op": "eq", "value": "Pledged"},
                      {"field": "close_date", "op": "gte", "value": "2018-01-01"}]}"#],
        read: Records(&["name", "amount", "close_date"]),
    },
    // Each contact once: the last call names contacts, and a record is there once.
    Answered {
        id: "s14",
        calls: &[
            r#"{"object": "CampaignMember", "fields": ["contact_id"],
                "where": [{"field": "Status", "op": "eq", "value": "Attended"},
                          {"field": "campaign_id.Name", "op": "contains", "value": "Advocacy Training Day"}]}"#,
            r#"{"object": "Opportunity", "fields": ["npsp__primary_contact__c"],
                "where": [{"field": "StageName", "op": "eq", "value": "Posted"},
                          {"field": "Amount", "op": "gte", "value": "1000"},
                          {"field": "npsp__primary_contact__c", "op": "in", "values": "$1/records/*/contact_id/id"}],
                "limit": 100}"#,
            r#"{"object": "Contact", "fields": ["sf_id", "FirstName", "LastName"],
                "where": [{"field": "sf_id", "op": "in", "values": "$2/records/*/npsp__primary_contact__c/id"}]}"#,
        ],
        read: Records(&["sf_id", "FirstName", "LastName"]),
    },
    Answered {
        id: "s15",
        calls: &[
            r#"{"object": "Opportunity", "fields": ["account_id"],
                "where": [{"field": "StageName", "op": "eq", "value": "Posted"},
                          {"field": "CloseDate", "op": "during", "value": "2019"}], "limit": 100}"#,
            r#"{"object": "Opportunity", "fields": ["account_id"],
                "where": [{"field": "StageName", "op": "eq", "value": "Posted"},
                          {"field": "CloseDate", "op": "during", "value": "2018"},
                          {"field": "account_id", "op": "not_in", "values": "$1/records/*/account_id/id"}],
                "limit": 100}"#,
            r#"{"object": "Account", "fields": ["sf_id", "Name"],
                "where": [{"field": "sf_id", "op": "in", "values": "$2/records/*/account_id/id"}]}"#,
        ],
        read: Records(&["sf_id", "Name"]),
    },
    Answered {
        id: "s16",
        calls: &[
            r#"{"object": "Contact", "fields": ["id", "Name", "primary_affiliation__c"],
                "where": [{"field": "Name", "op": "eq", "value": "Mary Ross"}]}"#,
            r#"{"object": "Contact", "fields": ["id", "FirstName", "LastName", "primary_affiliation__c"],
                "where": [{"field": "primary_affiliation__c", "op": "eq", "value": "$1/records/0/primary_affiliation__c/id"},
                          {"field": "id", "op": "ne", "value": "$1/records/0/id"}]}"#,
        ],
        read: Records(&["id", "FirstName", "LastName", "primary_affiliation__c/name"]),
    },
    Answered {
        id: "s18",
        calls: &[r#"{"object": "Opportunity", "fields": ["name", "amount", "close_date"],
            "where": [{"field": "close_date", "op": "between", "values": ["2019-07-01", "2019-09-30"]}],
            "where_any": [{"field": "amount", "op": "gt", "value": "900"},
                          {"field": "amount", "op": "lt", "value": "300"}],
            "order_by": ["close_date"]}"#],
        read: Records(&["name", "amount", "close_date"]),
    },
];

/// The questions by their id.
fn questions() -> Option<BTreeMap<String, Value>> {
    let text = std::fs::read_to_string(shared("cases/npsp/questions.json")?).unwrap();
    let questions: Vec<Value> = serde_json::from_str(&text).unwrap();
    Some(
        questions
            .into_iter()
            .map(|question| (question["id"].as_str().unwrap().to_owned(), question))
            .collect(),
    )
}

#[test]
fn every_question_is_answered_or_left_for_a_reason() {
    let Some(questions) = questions() else { return };
    let asked: BTreeSet<&str> = questions.keys().map(String::as_str).collect();
    let answered: BTreeSet<&str> = ANSWERED.iter().map(|answered| answered.id).collect();
    let left: BTreeSet<&str> = LEFT.iter().map(|left| left.id).collect();
    assert_eq!(left.len(), LEFT.len(), "a question is left once");
    assert!(
        LEFT.iter().all(|left| !left.why.is_empty() && !left.needs.is_empty()),
        "there is a reason for each"
    );
    assert!(answered.is_disjoint(&left), "answered, and left all the same: {:?}", &answered & &left);
    assert_eq!(&answered | &left, asked, "answered or left, and asked");
}

/// A question that can be answered must be: this fails when the tool has learnt what one was left for.
#[test]
fn what_is_left_takes_arguments_that_the_tool_does_not_take_yet() {
    let Some(dataset) = Dataset::open("trailhead") else { return };
    let conversation = dataset.conversation(Caller::new());
    let is_refused = |argument: &str| {
        let answer = conversation.page(&json!({"object": "Account", argument: []})).json;
        let problems = answer["problems"].as_array().into_iter().flatten();
        problems
            .filter_map(|problem| problem["problem"].as_str())
            .any(|problem| problem.contains("no argument"))
    };
    let refused: BTreeSet<&str> =
        LEFT.iter().flat_map(|left| left.needs).copied().filter(|argument| is_refused(argument)).collect();
    for Left { id, why, needs } in LEFT {
        assert!(needs.iter().any(|argument| refused.contains(argument)), "{id} can be answered now: {why}");
    }
}

#[test]
fn answers_are_the_rows_of_the_questions() {
    let Some(questions) = questions() else { return };
    let mut wrong = Vec::new();
    for name in DATASETS {
        let Some(dataset) = Dataset::open(name) else { return };
        for answered in ANSWERED {
            let Some(question) = questions.get(answered.id).filter(|question| question["dataset"] == name)
            else {
                continue;
            };
            if let Err(problem) = answered.check(dataset.conversation(Caller::new()), question) {
                wrong.push(format!("{}: {}\n  {problem}", answered.id, question["question"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Answered {
    fn check(&self, mut conversation: Conversation, question: &Value) -> Result<(), String> {
        let cells = |row: &Value| row.as_array().unwrap().iter().map(Cell::expected).collect();
        let truth = question["rows"].as_array().unwrap().iter().map(cells).collect();
        let answer = conversation.ask(self.calls);
        answer.refused()?;
        compare(answer.read(&self.read), truth, question["ordered"] == true)
    }
}
