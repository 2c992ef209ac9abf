//! That the records belong together, whatever the seed: rules, each with what would break it.

use super::{DEFAULT, OTHER, count, none, open};

/// An amount in cents, which is exact.
const CENTS: &str = "CAST(replace(amount, '.', '') AS INTEGER)";

#[test]
fn amounts_are_the_sums_of_their_lines() {
    let cents = |column: &str| CENTS.replace("amount", column);
    let sums = |table: &str, total: &str, lines: &str, parent: &str| {
        format!(
            "\"{table}\" parent WHERE {} IS NOT (SELECT sum({}) FROM {lines} line WHERE line.{parent} = parent.id)",
            cents(&format!("parent.{total}")),
            cents("line.amount"),
        )
    };
    // A share of an amount, in cents, rounded half away from zero.
    let share = |amount: &str, percent: &str| {
        format!("(({amount}) * ({percent}) + iif(({amount}) * ({percent}) < 0, -5000, 5000)) / 10000")
    };
    for made in [&DEFAULT, &OTHER] {
        let database = open(made);
        none(&database, "an order is its lines", &sums("order", "total", "order_line", "\"order\""));
        let lines = sums("opportunity", "amount", "opportunity_line", "opportunity");
        none(&database, "an opportunity is its lines", &lines);

        let line =
            share(&format!("{} * quantity", cents("unit_price")), &format!("10000 - {}", cents("rebate")));
        none(&database, "a line is its quantity", &format!("order_line WHERE {CENTS} <> {line}"));
        let net = share(&cents("total"), &format!("10000 - {}", cents("discount")));
        let rule = format!("\"order\" WHERE {} <> {net}", cents("net_of_rebate"));
        none(&database, "an order has its discount", &rule);
        let weighted = share(&cents("amount"), &cents("probability"));
        let rule = format!("opportunity WHERE {} <> {weighted}", cents("expected_revenue"));
        none(&database, "an expectation is a share of the amount", &rule);
        // Two digits after the point, also where the freight is written with fewer.
        let billed = format!(
            "invoice JOIN \"order\" placed ON placed.id = invoice.\"order\" WHERE {} <> {} + {}",
            cents("invoice.net"),
            cents("placed.net_of_rebate"),
            "CAST(round(placed.freight * 100) AS INTEGER)",
        );
        none(&database, "an invoice is its order with the freight", &billed);
        let tax = share(&cents("net"), "iif(currency_code = 'EUR', 1900, 0)");
        let rule = format!("invoice WHERE {} <> {} + {tax}", cents("gross"), cents("net"));
        none(&database, "tax is due in Europe", &rule);
        let rule = "\"order\" placed JOIN order_line line ON line.\"order\" = placed.id
            WHERE line.currency_code <> placed.currency_code OR line.is_deleted <> placed.is_deleted";
        none(&database, "lines are of one currency and go with their order", rule);
        let rule = "\"order\" placed JOIN account ON account.id = placed.account
            WHERE account.currency_code <> placed.currency_code";
        none(&database, "an account orders in its currency", rule);
        let rule = "quote JOIN opportunity ON opportunity.id = quote.opportunity
            WHERE quote.total <> opportunity.amount OR quote.account <> opportunity.account";
        none(&database, "a quote is for its opportunity", rule);
    }
}

/// Rules of one kind: what holds, and the rows that it doesn't hold for.
type Rules = [(&'static str, &'static str)];

#[track_caller]
fn hold(rules: &Rules) {
    for made in [&DEFAULT, &OTHER] {
        let database = open(made);
        for (rule, violations) in rules {
            none(&database, rule, violations);
        }
    }
}

#[test]
fn things_happen_in_their_order() {
    hold(&[
        ("a closed case was opened before", "\"case\" WHERE closed_at <= created_date"),
        ("a case is closed as it says", "\"case\" WHERE (status = 'completed') <> (closed_at IS NOT NULL)"),
        ("an answer follows its inquiry", "medical_inquiry WHERE answered_at <= received_at"),
        (
            "an answered inquiry says by whom, and its answer is there",
            "medical_inquiry WHERE (status = 'completed') <> (answered_at IS NOT NULL)
             OR (answered_by IS NULL) <> (answered_at IS NULL)
             OR (id IN (SELECT medical_inquiry FROM inquiry_answer)) <> (answered_at IS NOT NULL)",
        ),
        (
            "an inquiry is raised on a visit by who was visited",
            "medical_inquiry JOIN call_report visit ON visit.id = medical_inquiry.call_report
             WHERE medical_inquiry.asked_by <> visit.contact OR medical_inquiry.received_by <> visit.rep",
        ),
        ("an order is released after it was placed", "\"order\" WHERE date(released_at) <= placed_on"),
        (
            "an order is released as its status says",
            "\"order\" WHERE (released_at IS NULL) <> (status IN ('submitted', 'on_hold', 'cancelled_by_customer'))",
        ),
        (
            "a shipment follows its order and arrives after it left",
            "shipment JOIN \"order\" placed ON placed.id = shipment.\"order\"
             WHERE shipped_at <= placed.placed_on OR delivered_at <= shipped_at OR placed.released_at > shipped_at",
        ),
        (
            "what is received was delivered",
            "shipment WHERE (delivered_at IS NULL) <> (received_by IS NULL)",
        ),
        (
            "an invoice follows its order and is due a month later",
            "invoice JOIN \"order\" placed ON placed.id = invoice.\"order\"
             WHERE issued < placed.placed_on OR due <> date(issued, '+30 days') OR placed.released_at IS NULL",
        ),
        (
            "an order repeats an earlier one of its account",
            "\"order\" later JOIN \"order\" earlier ON earlier.id = later.reorder_of
             WHERE earlier.placed_on > later.placed_on OR earlier.account <> later.account",
        ),
        (
            "an order is taken after a visit of its account, within days",
            "\"order\" placed JOIN call_report visit ON visit.id = placed.taken_during
             WHERE visit.account <> placed.account OR visit.contact <> placed.ordered_by
             OR placed.placed_on < date(visit.started_at) OR placed.placed_on > date(visit.started_at, '+6 days')",
        ),
        (
            "a visit follows one of its account by its rep",
            "call_report later JOIN call_report earlier ON earlier.id = later.follow_up_of
             WHERE earlier.started_at > later.started_at OR earlier.account <> later.account
             OR earlier.rep <> later.rep OR earlier.status <> 'completed'",
        ),
        ("a visit is reported after it began", "call_report WHERE submitted_at <= started_at"),
        ("no order is released ahead", "\"order\" WHERE date(released_at) > '2026-11-30'"),
        ("no shipment leaves or arrives ahead", "shipment WHERE max(shipped_at, ifnull(delivered_at, '')) >= '2026-12-01'"),
        ("no report is written ahead", "call_report WHERE submitted_at >= '2026-12-01'"),
        ("no answer is given ahead", "medical_inquiry WHERE max(received_at, ifnull(answered_at, '')) >= '2026-12-01'"),
        ("no case is closed ahead", "\"case\" WHERE closed_at >= '2026-12-01'"),
        ("no invoice is issued ahead", "invoice WHERE issued > '2026-11-30'"),
        (
            "what is planned lies ahead, and nothing else does",
            "call_report WHERE (status = 'scheduled') <> (date(started_at, '+330 minutes') > '2026-11-30')
             AND abs(julianday(started_at) - julianday('2026-11-30')) > 1.5",
        ),
        (
            "a visit falls into its cycle",
            "call_report JOIN sales_cycle cycle ON cycle.id = call_report.sales_cycle
             WHERE date(started_at) < date(cycle.starts, '-1 day') OR date(started_at) > date(cycle.ends, '+1 day')",
        ),
        (
            "a consent is replaced by a later one for the same channel",
            "contact_consent later JOIN contact_consent earlier ON earlier.id = later.replaces
             WHERE earlier.given_at >= later.given_at OR earlier.contact <> later.contact
             OR earlier.channel <> later.channel OR earlier.status <> 'expired'",
        ),
        ("a task is closed as it says", "task WHERE is_closed <> (status = 'completed')"),
        ("an event ends after it began", "event WHERE ends_at <= starts_at"),
        (
            "a contract runs its term",
            "contract WHERE ends <> date(starts, '+' || term || ' months', '-1 day') OR date(created_date) > starts",
        ),
        (
            "what closed was opened before, and is decided",
            "opportunity WHERE close_date < date(created_date)
             OR (close_date > '2026-11-30') <> (stage IN ('in_review', 'in_negotiation', 'awaiting_signature'))",
        ),
        (
            "a contract was won",
            "contract JOIN opportunity ON opportunity.id = contract.tender
             WHERE opportunity.stage <> 'signed' OR opportunity.account <> contract.account",
        ),
        (
            "a sample comes from a lot that was there and not expired",
            "sample_drop JOIN sample_lot lot ON lot.id = sample_drop.lot
             WHERE lot.product <> sample_drop.product OR signed_at < lot.created_date OR date(signed_at) > lot.expires",
        ),
    ]);
}

#[test]
fn everybody_has_their_place() {
    hold(&[
        (
            "managers form a tree, with the director at its root",
            "(WITH RECURSIVE under(id) AS (SELECT id FROM user WHERE manager IS NULL
              UNION ALL SELECT user.id FROM user JOIN under ON user.manager = under.id)
              SELECT id FROM user EXCEPT SELECT id FROM under)",
        ),
        ("there is one director", "(SELECT count(*) roots FROM user WHERE manager IS NULL) WHERE roots <> 1"),
        (
            "territories form a tree",
            "(WITH RECURSIVE under(id) AS (SELECT id FROM territory WHERE parent IS NULL
              UNION ALL SELECT territory.id FROM territory JOIN under ON territory.parent = under.id)
              SELECT id FROM territory EXCEPT SELECT id FROM under)",
        ),
        (
            "a user who owns an account works in its territory, and still does",
            "account JOIN user ON user.id = account.owner
             WHERE user.home_territory <> account.territory OR NOT user.is_active",
        ),
        (
            "a visit is made in its rep's territory, to somebody of the account",
            "call_report visit JOIN user ON user.id = visit.owner JOIN contact ON contact.id = visit.contact
             WHERE user.home_territory <> visit.territory OR contact.account <> visit.account
             OR contact.territory <> visit.territory OR visit.owner <> visit.rep",
        ),
        (
            "a user who owns an order works in the account's territory",
            "\"order\" placed JOIN user ON user.id = placed.owner JOIN account ON account.id = placed.account
             WHERE user.home_territory <> account.territory",
        ),
        (
            "an opportunity's owner works in its territory or for its region",
            "opportunity JOIN user ON user.id = opportunity.owner
             JOIN territory ON territory.id = opportunity.territory
             WHERE coalesce(user.home_territory <> territory.id, user.region <> territory.region)",
        ),
        (
            "whoever left visits nobody any more",
            "call_report visit JOIN user ON user.id = visit.rep
             WHERE NOT user.is_active AND visit.started_at > user.last_login_at",
        ),
        (
            "somebody's department is one of their account",
            "contact JOIN hospital_department department ON department.id = contact.department
             WHERE department.account <> contact.account",
        ),
        (
            "everybody has one primary affiliation, with their account",
            "contact WHERE 1 <> (SELECT count(*) FROM affiliation
             WHERE contact = contact.id AND is_primary AND affiliation.account = contact.account)",
        ),
        (
            "goods are sent to an address of the account",
            "\"order\" placed JOIN account_address address ON address.id = placed.ship_to
             WHERE address.account <> placed.account",
        ),
        (
            "a case about an order is of the account and about what was ordered",
            "\"case\" JOIN \"order\" placed ON placed.id = \"case\".\"order\"
             WHERE placed.account <> \"case\".account OR \"case\".product NOT IN
             (SELECT product FROM order_line WHERE order_line.\"order\" = placed.id)",
        ),
        (
            "a sample is left under a licence of who receives it",
            "sample_drop JOIN state_license licence ON licence.id = sample_drop.license
             WHERE licence.contact <> sample_drop.contact",
        ),
        (
            "a detail is given on a completed visit",
            "call_detail JOIN call_report visit ON visit.id = call_detail.call_report
             WHERE visit.status <> 'completed'",
        ),
    ]);
}

#[test]
fn what_is_calculated_is_right() {
    hold(&[
        (
            "an account knows its last visit",
            "account WHERE last_visit_at IS NOT (SELECT max(started_at) FROM call_report
             WHERE account = account.id AND status = 'completed')",
        ),
        (
            "a contact knows its last visit and this year's",
            "contact WHERE last_visit_at IS NOT (SELECT max(started_at) FROM call_report
             WHERE contact = contact.id AND status = 'completed')
             OR visits_this_year <> (SELECT count(*) FROM call_report
             WHERE contact = contact.id AND status = 'completed' AND started_at >= '2026-01-01')",
        ),
        (
            "a detail aid knows its slides",
            "clm_presentation WHERE slides <> (SELECT count(*) FROM clm_slide WHERE presentation = clm_presentation.id)",
        ),
        (
            "a target knows the visits of its plan's rep in its cycle",
            "call_plan_target target JOIN call_plan plan ON plan.id = target.call_plan
             WHERE done <> (SELECT count(*) FROM call_report visit WHERE visit.contact = target.contact
             AND visit.rep = plan.owner AND visit.status = 'completed' AND visit.sales_cycle = plan.sales_cycle)",
        ),
        (
            "a territory knows its reps",
            "territory WHERE headcount <> (SELECT count(*) FROM user WHERE home_territory = territory.id)",
        ),
    ]);
}

#[test]
fn the_records_have_the_span_they_are_said_to() {
    for made in [&DEFAULT, &OTHER] {
        let database = open(made);
        let within = |table: &str, column: &str, first: &str, last: &str| {
            let sql = format!(
                "SELECT min(date({column})) >= '{first}' AND max(date({column})) <= '{last}'
                 AND julianday('{last}') - julianday(max({column})) < 32
                 AND julianday(min({column})) - julianday('{first}') < 32 FROM \"{table}\""
            );
            assert_eq!(count(&database, &sql), 1, "{table}.{column}");
        };
        within("call_report", "started_at", "2023-12-01", "2027-03-01");
        within("order", "placed_on", "2023-12-01", "2026-11-30");
        within("case", "created_date", "2023-12-01", "2026-11-30");
        within("medical_inquiry", "received_at", "2023-12-01", "2026-11-30");
        for (table, _) in &made.records.tables {
            none(&database, table, &format!("\"{table}\" WHERE date(created_date) > '2026-11-30'"));
        }
    }
}
