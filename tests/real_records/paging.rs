//! Pages, while somebody else writes.

use portolan_runtime::Caller;
use rusqlite::Connection;
use serde_json::json;

use super::cell::{Cell, Row};
use super::dataset::Dataset;

/// Rows that are written while the pages are read get ids from here on.
const WRITTEN: i64 = 100_000;

/// An order, and the rows that are written in it.
struct Paged {
    order_by: &'static [&'static str],
    /// The order in SQL, over gifts `o` with their contacts `c`.
    sql: &'static str,
    /// Amount and primary contact of a gift before everything in this order …
    first: (&'static str, &'static str),
    /// … and after everything.
    last: (&'static str, &'static str),
}

const ORDERS: &[Paged] = &[
    Paged {
        order_by: &["amount desc"],
        sql: "CAST(o.amount AS REAL) DESC, o.id",
        first: ("99999.5", ""),
        last: ("0.5", ""),
    },
    Paged {
        order_by: &["amount"],
        sql: "CAST(o.amount AS REAL), o.id",
        first: ("0.5", ""),
        last: ("99999.5", ""),
    },
    // By a name, where 210 of 1,517 have none.
    Paged {
        order_by: &["primary_contact__c", "amount desc"],
        sql: "c.FirstName || ' ' || c.LastName NULLS LAST, c.id, CAST(o.amount AS REAL) DESC, o.id",
        first: ("99999.5", "FIRST"),
        last: ("0.5", ""),
    },
];

#[test]
fn pages_lose_nothing_and_repeat_nothing_while_others_write() {
    let Some(dataset) = Dataset::open("1k") else { return };
    for journal in ["delete", "wal"] {
        for paged in ORDERS {
            check(&dataset, journal, paged);
        }
    }
}

fn check(dataset: &Dataset, journal: &str, paged: &Paged) {
    let copy = dataset.copy(&format!("{journal} by {}.db", paged.order_by.join(", ")));
    let writer = Connection::open(&copy).unwrap();
    let mode: String =
        writer.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |row| row.get(0)).unwrap();
    assert_eq!(mode, journal);
    let truth = dataset.truth(&format!(
        "SELECT o.id FROM Opportunity o LEFT JOIN Contact c ON c.id = o.primary_contact__c ORDER BY {}",
        paged.sql
    ));
    // The contact whose name is the first of all that are primary contacts.
    let first_contact: i64 = writer
        .query_row(
            "SELECT c.id FROM Contact c JOIN Opportunity o ON o.primary_contact__c = c.id \
             ORDER BY c.FirstName || ' ' || c.LastName, c.id LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let mut written = WRITTEN;
    let mut write = |(amount, contact): (&str, &str)| {
        written += 1;
        let contact = contact.replace("FIRST", &first_contact.to_string());
        let insert = "INSERT INTO Opportunity (id, name, amount, stage_name, close_date, dont_create_payments, account_id, \
                      primary_contact__c, npe03__recurring_donation__c, campaign_id) \
                      VALUES (?1, 'Written meanwhile', ?2, 'Closed Won', '2020-01-01', 'false', '1', ?3, '', '')";
        writer.execute(insert, (written, amount, contact)).unwrap();
        written
    };

    let conversation = dataset.conversation_over(&copy, Caller::new());
    let mut arguments = json!({
        "object": "Opportunity", "fields": ["id", "amount", "primary_contact__c"],
        "order_by": paged.order_by, "limit": 100,
    });
    let (mut found, mut ahead): (Vec<Row>, Vec<i64>) = (Vec::new(), Vec::new());
    loop {
        let page = conversation.page(&arguments);
        let rows = page.rows(&["id", "amount", "primary_contact__c/id"]);
        assert_eq!(page.json.get("total").is_some(), found.is_empty(), "the total stands on the first page");
        let last = rows.last().unwrap().clone();
        found.extend(rows);
        let Some(cursor) = page.json.get("cursor") else { break };
        arguments["cursor"] = cursor.clone();
        // Behind the cursor, where it is too late; right after it, as like the last row as can be; at the end.
        write(paged.first);
        let [_, Cell::Number(amount) | Cell::Text(amount), contact] = &last[..] else { panic!("{last:?}") };
        let contact = match contact {
            Cell::Number(id) | Cell::Text(id) => id,
            Cell::Null => "",
        };
        ahead.push(write((amount, contact)));
        ahead.push(write(paged.last));
    }
    assert!(ahead.len() > 20, "there was more than a page or two");

    let id = |row: &Row| match &row[0] {
        Cell::Number(id) => id.parse::<i64>().unwrap(),
        other => panic!("{other:?} is no id"),
    };
    let ids: Vec<i64> = found.iter().map(id).collect();
    let known: Vec<i64> = ids.iter().copied().filter(|id| *id <= WRITTEN).collect();
    assert_eq!(known, truth.iter().map(id).collect::<Vec<_>>(), "{:?}, {journal}", paged.order_by);
    let mut new: Vec<i64> = ids.into_iter().filter(|id| *id > WRITTEN).collect();
    new.sort_unstable();
    assert_eq!(
        new, ahead,
        "what was written ahead of the cursor is found, once: {:?}, {journal}",
        paged.order_by
    );
}
