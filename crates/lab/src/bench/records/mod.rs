//! `records`: what `query_records` takes over a million rows, beside the same statements run by hand.
//!
//! - `data`: the database and its artifact; `question`: what is asked of it, as arguments and as SQL.
//! - `by_hand`, `node`: the baselines.

mod by_hand;
mod data;
mod node;
mod question;

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use futures_executor::block_on;
use portolan_runtime::{Caller, Session};
use portolan_sources::sqlite::{Options, Sqlite};
use serde_json::Value;

use self::by_hand::ByHand;
use self::node::Node;
use self::question::{Kind, LIMIT, Question, questions};
use super::Workbench;
use super::stats::{Spread, Unit};
use super::table::{Table, target};

/// What a record by its id may take besides its statement.
const MOST_OVER: f64 = 15e-6;
/// What a page may take, compared with its statements by hand.
const MOST_TIMES: f64 = 1.1;
/// The same for a page far down, compared with the first.
const MOST_DEEPER: f64 = 1.2;

/// A question and what its answers took: seconds a call, one a round.
struct Measured {
    question: Question,
    ours: Vec<f64>,
    by_hand: Vec<f64>,
    node: Vec<f64>,
}

/// Measures, and prints tables.
pub(super) fn run(bench: &Workbench, runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let this = bench.runner.this();
    // Beside the programs that cargo builds, wherever that is.
    let folder = this.ancestors().nth(2).unwrap_or(&bench.workspace).join("bench-records");
    let database = data::database(&folder, data::ORDERS)?;
    let session = session(&database)?;
    let by_hand = ByHand::open(&database)?;
    let questions = questions(&session, data::ORDERS)?;
    let node = Node::start(&bench.workspace, &folder.join("node"), &database, &questions);
    writeln!(
        out,
        "\nrecords: query_records over SQLite, {} orders, {} customers, {} users; {runs} rounds in turn after one \
         uncounted",
        data::ORDERS,
        data::CUSTOMERS,
        data::USERS
    )?;
    let mut node = match node {
        Ok(node) => Some(node),
        Err(problem) => {
            writeln!(out, "  THE BASELINE IN NODE IS LEFT OUT: {problem:#}")?;
            None
        }
    };
    let mut measured = Vec::new();
    for (at, question) in questions.into_iter().enumerate() {
        same_records(&session, &by_hand, &question)?;
        if let Some(node) = &mut node {
            same_as_node(&by_hand, node, at, &question)?;
        }
        measured.push(Measured { question, ours: Vec::new(), by_hand: Vec::new(), node: Vec::new() });
    }
    writeln!(out, "  the records of all are equal")?;
    for round in 0..=runs {
        for (at, measured) in measured.iter_mut().enumerate() {
            let question = &measured.question;
            let ours = timed(question, |at| ask(&session, question, at))?;
            let hand = timed(question, |at| by_hand.answer(question, at))?;
            let node = node.as_mut().map(|node| node.time(at, question.calls)).transpose()?;
            if round > 0 {
                measured.ours.push(ours);
                measured.by_hand.push(hand);
                measured.node.extend(node);
            }
        }
    }
    write!(out, "{}\n{}", beside_by_hand(&measured)?, depths(&measured)?)?;
    if let Some(node) = node {
        write!(out, "\n{}", beside_node(&measured, &node.version)?)?;
    }
    writeln!(
        out,
        "  a page has {LIMIT} records with eight fields, the names of two references among them; all three have 16 MB of \
         cache;\n  in Rust SQLite is {}",
        rusqlite::version()
    )?;
    Ok(())
}

/// A conversation with the database.
fn session(database: &Path) -> anyhow::Result<Session> {
    let source = Sqlite::open(database, &data::mapping()?, &Options::default())?;
    Ok(data::schema()?.session(Caller::new())?.source(Arc::new(source)))
}

fn ask(session: &Session, question: &Question, at: usize) -> anyhow::Result<String> {
    let arguments = question.asked.get(at).context("there is no such question")?;
    let answer = block_on(session.call("query_records", arguments));
    ensure!(!answer.is_error(), "{}: {answer}", question.name);
    Ok(answer.into())
}

/// Seconds a call.
fn timed(question: &Question, answer: impl Fn(usize) -> anyhow::Result<String>) -> anyhow::Result<f64> {
    let start = Instant::now();
    for call in 0..question.calls as usize {
        black_box(answer(call % question.asked.len().max(1))?);
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(question.calls))
}

/// The records of both, byte for byte, and how many there are.
fn same_records(session: &Session, by_hand: &ByHand, question: &Question) -> anyhow::Result<()> {
    for at in 0..question.asked.len() {
        let (ours, theirs) = (ask(session, question, at)?, by_hand.answer(question, at)?);
        ensure!(
            records(&ours).is_some() && records(&ours) == records(&theirs),
            "{}: query_records and the statement by hand differ\n{ours}\n{theirs}",
            question.name
        );
        let (our, their): (Value, Value) = (serde_json::from_str(&ours)?, serde_json::from_str(&theirs)?);
        let total = our.get("total").or_else(|| our.get("totalAtLeast"));
        ensure!(
            question.count.is_none() || total == their.get("total"),
            "{}: the totals differ\n{ours}\n{theirs}",
            question.name
        );
        ensure!(our.get("truncated") == their.get("truncated"), "{}\n{ours}\n{theirs}", question.name);
    }
    Ok(())
}

/// The text of an answer's records.
fn records(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("\"records\":[")?;
    Some(rest.split_once("],\"returned\":")?.0)
}

/// The same answers, but for digits behind the last that counts: Node's numbers have none.
fn same_as_node(by_hand: &ByHand, node: &mut Node, which: usize, question: &Question) -> anyhow::Result<()> {
    for at in 0..question.asked.len() {
        let (ours, theirs) = (by_hand.answer(question, at)?, node.show(which, at)?);
        let (our, their): (Value, Value) = (serde_json::from_str(&ours)?, serde_json::from_str(&theirs)?);
        ensure!(
            as_read(&our) == as_read(&their),
            "{}: Node's answer differs\n{ours}\n{theirs}",
            question.name
        );
    }
    Ok(())
}

fn as_read(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, |number| format!("{number}").into()),
        Value::Array(list) => list.iter().map(as_read).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), as_read(value))).collect(),
        other => other.clone(),
    }
}

/// Ours beside the same statements by hand.
fn beside_by_hand(measured: &[Measured]) -> anyhow::Result<Table> {
    let mut table = Table::default();
    table.row(["", "query_records", "by hand, in Rust", "pair by pair"]);
    for Measured { question, ours, by_hand, .. } in measured {
        let mut row = vec![question.name.clone()];
        for seconds in [ours, by_hand] {
            row.push(Spread::of(seconds.iter().copied()).context("no run")?.show(Unit::Micros));
        }
        row.extend(match question.kind {
            Kind::Point => {
                let over = Spread::of(ours.iter().zip(by_hand).map(|(ours, theirs)| ours - theirs));
                let over = over.context("no run")?;
                [format!("{} over", over.show(Unit::Micros)), target("15 µs", over.median <= MOST_OVER)]
            }
            Kind::Page => {
                let times = Spread::of_ratios(ours, by_hand).context("no run")?;
                [times.show(Unit::Times), target("1.1x", times.median <= MOST_TIMES)]
            }
        });
        table.row(row);
    }
    Ok(table)
}

/// Ours beside Node, and what is possible: the statements by hand beside it.
fn beside_node(measured: &[Measured], version: &str) -> anyhow::Result<Table> {
    let mut table = Table::default();
    table.row(["", version, "query_records is faster", "", "by hand, in Rust, is faster"]);
    for Measured { question, ours, by_hand, node } in measured {
        let least = if question.kind == Kind::Point { 3.0 } else { 2.0 };
        let faster = Spread::of_ratios(node, ours).context("no run")?;
        table.row([
            question.name.clone(),
            Spread::of(node.iter().copied()).context("no run")?.show(Unit::Micros),
            faster.show(Unit::Times),
            target(&format!("{least}x"), faster.median >= least),
            Spread::of_ratios(node, by_hand).context("no run")?.show(Unit::Times),
        ]);
    }
    Ok(table)
}

/// Pages far down against the first, round by round.
fn depths(measured: &[Measured]) -> anyhow::Result<Table> {
    let mut table = Table::default();
    let mut deep = measured.iter().filter(|measured| measured.question.is_deep());
    let first = deep.next().context("there is no page far down")?;
    for page in deep {
        let ratio = Spread::of_ratios(&page.ours, &first.ours).context("no run")?;
        let name = format!("{}, to {}", page.question.name, first.question.name);
        table.row([name, ratio.show(Unit::Times), target("1.2x", ratio.median <= MOST_DEEPER)]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is compared is the same, whatever it takes.
    #[test]
    fn the_records_are_those_of_statements_by_hand() {
        const ORDERS: u32 = 20_000;
        let folder = tempfile::tempdir().unwrap();
        let database = data::database(folder.path(), ORDERS).unwrap();
        let (session, by_hand) = (session(&database).unwrap(), ByHand::open(&database).unwrap());
        let questions = questions(&session, ORDERS).unwrap();
        assert_eq!(questions.len(), 9);
        for question in &questions {
            same_records(&session, &by_hand, question).unwrap();
        }
    }

    /// What an index finds is sorted and paged through, names and all.
    #[test]
    fn pages_that_are_sorted_follow_one_another() {
        let folder = tempfile::tempdir().unwrap();
        let database = data::database(folder.path(), 20_000).unwrap();
        let (session, by_hand) = (session(&database).unwrap(), ByHand::open(&database).unwrap());
        let questions = questions(&session, 20_000).unwrap();
        let of_owner = &questions[1];
        for (at, asked) in of_owner.asked.iter().enumerate() {
            let (mut asked, mut pages) = (asked.clone(), Vec::new());
            asked["limit"] = 7.into();
            loop {
                let answer = block_on(session.call("query_records", &asked));
                pages.push(records(answer.as_str()).unwrap().to_owned());
                let answer: Value = serde_json::from_str(answer.as_str()).unwrap();
                if answer["truncated"] == false {
                    break;
                }
                asked["cursor"] = answer["cursor"].clone();
            }
            assert!(pages.len() > 2);
            // One page by hand holds as many as there are of nearly every owner.
            let theirs = by_hand.answer(of_owner, at).unwrap();
            assert!(pages.join(",").starts_with(records(&theirs).unwrap()), "{asked}");
        }
    }

    #[test]
    fn records_are_cut_out_of_an_answer() {
        let answer = r#"{"schema":"1","records":[{"id":"a"}],"returned":1}"#;
        assert_eq!(records(answer), Some(r#"{"id":"a"}"#));
        assert_eq!(records(r#"{"error":"no"}"#), None);
    }
}
