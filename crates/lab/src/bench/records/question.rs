//! The questions: each as a model asks it, and as SQL that is written for just this question.

use anyhow::{Context as _, ensure};
use futures_executor::block_on;
use portolan_runtime::Session;
use serde::Serialize;
use serde_json::{Value, json};

use super::data::{STATUSES, USERS, order, user};
use crate::sample_org::Rng;

/// So many different ones of a question are asked in turn.
const VARIETY: u32 = 64;
/// So many records a page.
pub(super) const LIMIT: usize = 50;

/// A question, in different ones of a kind.
#[derive(Serialize)]
pub(super) struct Question {
    pub name: String,
    pub kind: Kind,
    /// As SQL. The page has one record more than is shown, which tells whether there are more.
    pub page: &'static str,
    /// What counts all that match, but no further than 10,000.
    pub count: Option<&'static str>,
    /// What is bound to both, one question each.
    pub bound: Vec<Vec<String>>,
    /// The arguments of `query_records`, one question each.
    #[serde(skip)]
    pub asked: Vec<Value>,
    /// How often it is asked in a round.
    #[serde(skip)]
    pub calls: u32,
}

/// What is shown of a record, and what is promised of a question.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// One record, four fields of it.
    Point,
    /// A page, eight fields a record.
    Page,
}

const POINT: &str = r#"
SELECT o.id, o.name, o.total, o.customer, c.name AS customer_name
FROM "order" o LEFT JOIN customer c ON c.id = o.customer AND NOT c.is_deleted
WHERE o.id = :a AND NOT o.is_deleted"#;

/// All of a page but its records.
macro_rules! page {
    ($wanted:literal, $order:literal) => {
        concat!(
            r#"
SELECT o.id, o.name, o.customer, c.name AS customer_name, o.owner, u.name AS owner_name, o.status, o.total,
  o.placed_on, o.created_at
FROM "order" o
LEFT JOIN customer c ON c.id = o.customer AND NOT c.is_deleted
LEFT JOIN user u ON u.id = o.owner AND NOT u.is_deleted
WHERE "#,
            $wanted,
            "NOT o.is_deleted ORDER BY ",
            $order,
            " LIMIT 51"
        )
    };
}

macro_rules! count {
    ($wanted:literal) => {
        concat!(
            r#"SELECT count(*) FROM (SELECT 1 FROM "order" o WHERE "#,
            $wanted,
            "NOT o.is_deleted LIMIT 10000)"
        )
    };
}

const FIELDS: [&str; 8] = ["id", "name", "customer", "owner", "status", "total", "placed_on", "created_at"];

/// All questions over so many orders. Pages far down are turned to in a session, from the first on.
pub(super) fn questions(session: &Session, orders: u32) -> anyhow::Result<Vec<Question>> {
    let mut rng = Rng::named(1, "questions");
    let mut point = Question::new("one record by its id", Kind::Point, 2_000, POINT, None);
    let mut of_owner = Question::new(
        "a page of one owner's, the latest first (2,000 are counted)",
        Kind::Page,
        20,
        page!("o.owner = :a AND ", "o.placed_on DESC, o.id"),
        Some(count!("o.owner = :a AND ")),
    );
    let mut month = Question::new(
        "a page of one month, the latest first (10,000 are counted)",
        Kind::Page,
        20,
        page!("o.placed_on BETWEEN :a AND :b AND ", "o.placed_on DESC, o.id"),
        Some(count!("o.placed_on BETWEEN :a AND :b AND ")),
    );
    let mut status = Question::new(
        "a page of one status, the latest first (10,000 are counted)",
        Kind::Page,
        10,
        page!("o.status = :a AND ", "o.placed_on DESC, o.id"),
        Some(count!("o.status = :a AND ")),
    );
    for picked in STATUSES {
        status.ask(
            json!({"where": [{"field": "status", "op": "eq", "value": picked}], "order_by": ["placed_on desc"]}),
            [picked.to_owned()],
        );
    }
    for _ in 0..VARIETY {
        let id = order(rng.below(orders));
        point.ask(json!({"where": [{"field": "id", "op": "eq", "value": id}]}), [id.clone()]);
        let owner = user(rng.below(USERS));
        let latest = ["placed_on desc"];
        of_owner.ask(
            json!({"where": [{"field": "owner", "op": "eq", "value": owner}], "order_by": latest}),
            [owner.clone()],
        );
        let (year, number) = (rng.between(2024, 2025), rng.between(1, 12));
        let (first, last) = (format!("{year}-{number:02}-01"), format!("{year}-{number:02}-28"));
        let days = [first.clone(), last.clone()];
        month.ask(
            json!({"where": [{"field": "placed_on", "op": "between", "values": days}], "order_by": latest}),
            days,
        );
    }
    let mut newest = Question::new(
        "a page of all, the newest first (10,000 are counted)",
        Kind::Page,
        50,
        page!("", "o.created_at DESC, o.id"),
        Some(count!("")),
    );
    newest.ask(json!({"order_by": ["created_at desc"]}), []);
    let mut all = vec![point, of_owner, month, status, newest];
    all.extend(far_down(session, orders)?);
    Ok(all)
}

/// Pages that follow another, some of each depth.
fn far_down(session: &Session, orders: u32) -> anyhow::Result<Vec<Question>> {
    /// So many records are passed at once on the way.
    const STEP: u32 = 100;
    const OF_EACH: u32 = 16;
    let sql = page!("o.placed_on <= :a AND (o.placed_on < :a OR o.id > :b) AND ", "o.placed_on DESC, o.id");
    let depths = [STEP, orders / 10, orders / 20 * 9, orders / 10 * 9];
    let question =
        |depth| Question::new(&format!("the page behind {depth} records"), Kind::Page, 100, sql, None);
    let mut questions = depths.map(question);
    let (mut passed, mut cursor) = (0, Value::Null);
    while depths.iter().any(|depth| passed < depth + OF_EACH * STEP) {
        let answer = block_on(session.call(
            "query_records",
            &json!({"object": "order", "fields": ["placed_on", "id"], "order_by": ["placed_on desc"], "limit": STEP,
                "cursor": cursor}),
        ));
        ensure!(!answer.is_error(), "{answer}");
        let answer: Value = serde_json::from_str(answer.as_str())?;
        let records = answer.get("records").and_then(Value::as_array).context("no records")?;
        ensure!(records.len() == STEP as usize, "a page on the way is short: {answer}");
        passed += STEP;
        cursor = answer.get("cursor").cloned().unwrap_or_default();
        let last = records.last().context("no records")?;
        let text = |key| last.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let last = ["placed_on", "id"].map(text);
        for (depth, question) in depths.iter().zip(&mut questions) {
            if (*depth..depth + OF_EACH * STEP).contains(&passed) {
                question.ask(json!({"order_by": ["placed_on desc"], "cursor": cursor}), last.clone());
            }
        }
    }
    Ok(questions.into())
}

impl Question {
    fn new(name: &str, kind: Kind, calls: u32, page: &'static str, count: Option<&'static str>) -> Self {
        Self { name: name.to_owned(), kind, page, count, bound: Vec::new(), asked: Vec::new(), calls }
    }

    /// Whether it is a page that follows others.
    pub(super) fn is_deep(&self) -> bool {
        self.asked.iter().any(|arguments| arguments.get("cursor").is_some())
    }

    fn ask(&mut self, mut arguments: Value, bound: impl IntoIterator<Item = String>) {
        if let Some(members) = arguments.as_object_mut() {
            members.insert("object".to_owned(), "order".into());
            let fields = match self.kind {
                Kind::Point => json!(["id", "name", "total", "customer"]),
                Kind::Page => json!(FIELDS),
            };
            members.insert("fields".to_owned(), fields);
            if self.kind == Kind::Page {
                members.insert("limit".to_owned(), LIMIT.into());
            }
        }
        self.asked.push(arguments);
        self.bound.push(bound.into_iter().collect());
    }
}
