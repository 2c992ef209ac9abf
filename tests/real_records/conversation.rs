//! Calls as a model makes them, one after another, each with what the earlier ones told it.

use std::collections::BTreeMap;

use futures_executor::block_on;
use portolan_runtime::{MOST_ANSWER_BYTES, Session};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::cell::{Cell, Row};

/// A question that takes more pages than this is never at its end.
const MOST_PAGES: usize = 200;

pub(super) struct Conversation {
    session: Session,
    answers: Vec<Answer>,
}

/// What a call was answered, all pages of it.
pub(super) struct Answer {
    /// The first page's members, with the records of all.
    pub(super) json: Value,
    /// The records, every value as its bytes are.
    records: Vec<Object>,
}

/// What of an answer is the answer to a question.
pub(super) enum Read {
    /// These members of the records: `amount`; of a reference `account/name` and `account/id`; of a text with
    /// numbers in it, `2019-Q1`, the first and the second of them, `quarter/0` and `quarter/1`.
    Records(&'static [&'static str]),
    /// How many records there are.
    Total,
}

type Object = BTreeMap<String, Box<RawValue>>;

impl Conversation {
    pub(super) fn new(session: Session) -> Self {
        Self { session, answers: Vec::new() }
    }

    /// Makes calls one after another; the last one's answer is what they are made for.
    ///
    /// A call without a limit is followed to its end. `$1/records/0/id` stands for what the first call's answer
    /// has at that place, `$1/records/*/id` for a list of what each record has there. Of what a problem
    /// offers, the first word is taken: `420 (Contact 'Roy Holmes')` is written as `420`.
    pub(super) fn ask(&mut self, calls: &[&str]) -> &Answer {
        for call in calls {
            let call = serde_json::from_str(call).unwrap_or_else(|problem| panic!("{problem}: {call}"));
            let call = self.fill(&call);
            let answer = if call.get("limit").is_some() { self.page(&call) } else { self.all_pages(&call).0 };
            self.answers.push(answer);
        }
        self.answers.last().expect("at least one call")
    }

    /// The answer to a call, counted from 1.
    pub(super) fn answer(&self, number: usize) -> &Answer {
        &self.answers[number - 1]
    }

    /// Makes one call.
    pub(super) fn page(&self, arguments: &Value) -> Answer {
        let answer = block_on(self.session.call("query_records", arguments));
        let text = answer.as_str();
        assert!(text.len() <= MOST_ANSWER_BYTES, "{} bytes for {arguments}", text.len());
        let members: Object = serde_json::from_str(text).unwrap();
        let records = members.get("records").map(|records| serde_json::from_str(records.get()).unwrap());
        Answer { json: serde_json::from_str(text).unwrap(), records: records.unwrap_or_default() }
    }

    /// Makes a call and follows its cursor to the end; and how many pages there were.
    pub(super) fn all_pages(&self, arguments: &Value) -> (Answer, usize) {
        let mut all = self.page(arguments);
        let mut cursor = all.json.get("cursor").cloned();
        let mut pages = 1;
        while let Some(from) = cursor {
            assert!(pages < MOST_PAGES, "there is no end of {arguments}");
            let mut arguments = arguments.clone();
            arguments["cursor"] = from;
            let page = self.page(&arguments);
            assert!(page.json.get("error").is_none(), "page {pages}: {}", page.json);
            all.add(&page);
            cursor = page.json.get("cursor").cloned();
            pages += 1;
        }
        (all, pages)
    }

    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$').and_then(|place| place.split_once('/')) {
                Some((number, place)) => self.told(number.parse().unwrap(), place),
                None => value.clone(),
            },
            Value::Array(values) => values.iter().map(|value| self.fill(value)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), self.fill(value))).collect()
            }
            _ => value.clone(),
        }
    }

    fn told(&self, number: usize, place: &str) -> Value {
        let json = &self.answer(number).json;
        let steps: Vec<&str> = place.split('/').collect();
        let told = at(json, &steps).unwrap_or_else(|| panic!("nothing at {place} of {json}"));
        let first_word = |text: &Value| json!(text.as_str().unwrap().split(' ').next());
        match told {
            Value::Array(offered) if steps.contains(&"nearest") => offered.iter().map(first_word).collect(),
            Value::Array(several) => each_once(several),
            text if steps.contains(&"nearest") => first_word(&text),
            told => told,
        }
    }
}

/// A list as somebody writes it who looks through an answer: nothing is written twice.
fn each_once(values: Vec<Value>) -> Value {
    let mut once: Vec<Value> = Vec::new();
    for value in values {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    Value::Array(once)
}

/// What stands at a place; of `*`, what each element has there.
fn at(json: &Value, steps: &[&str]) -> Option<Value> {
    match steps {
        [] => Some(json.clone()),
        ["*", rest @ ..] => json.as_array()?.iter().map(|element| at(element, rest)).collect(),
        [step, rest @ ..] => {
            let next = match json {
                Value::Array(elements) => elements.get(step.parse::<usize>().ok()?)?,
                other => other.get(step)?,
            };
            at(next, rest)
        }
    }
}

impl Answer {
    fn add(&mut self, page: &Self) {
        self.records.extend(page.records.iter().cloned());
        let records = page.json["records"].as_array().unwrap();
        self.json["records"].as_array_mut().unwrap().extend(records.iter().cloned());
    }

    /// What the tool refuses, if it does.
    pub(super) fn refused(&self) -> Result<(), String> {
        if self.json.get("error").is_some() { Err(self.json.to_string()) } else { Ok(()) }
    }

    /// The rows of an answer.
    pub(super) fn read(&self, read: &Read) -> Vec<Row> {
        match read {
            Read::Records(columns) => self.rows(columns),
            Read::Total => vec![vec![self.total()]],
        }
    }

    /// The records as rows of those members.
    pub(super) fn rows<S: AsRef<str>>(&self, columns: &[S]) -> Vec<Row> {
        assert!(self.json.get("error").is_none(), "{}", self.json);
        let row = |record| columns.iter().map(|column| cell(record, column.as_ref())).collect();
        self.records.iter().map(row).collect()
    }

    /// How many records there are, as the answer says it.
    pub(super) fn total(&self) -> Cell {
        let total = self.json["total"].as_u64();
        Cell::Number(total.unwrap_or_else(|| panic!("no total: {}", self.json)).to_string())
    }
}

/// What a record has in a column.
fn cell(record: &Object, column: &str) -> Cell {
    let (member, part) = column.split_once('/').map_or((column, None), |(member, part)| (member, Some(part)));
    let value = record.get(member).unwrap_or_else(|| panic!("no {member} in {record:?}"));
    let Some(part) = part else { return Cell::answered(value, member == "id") };
    if value.get() == "null" {
        Cell::Null
    } else if let Ok(nth) = part.parse() {
        let mut numbers =
            value.get().split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let number = numbers.nth(nth).unwrap_or_else(|| panic!("no number {nth} in {value}"));
        Cell::Number(number.trim_start_matches('0').to_owned())
    } else {
        let reference: Object = serde_json::from_str(value.get()).unwrap();
        Cell::answered(&reference[part], part == "id")
    }
}

#[test]
fn a_column_names_a_member_or_a_part_of_one() {
    let record: Object = serde_json::from_str(
        r#"{"amount": 811.50, "total": 100.0, "owner": {"id": "7", "name": "7"}, "campaign": null,
            "quarter(closed)": "2019-Q1", "month(closed)": "2019-08", "id": "12", "name": "12"}"#,
    )
    .unwrap();
    let (number, text) =
        (|digits: &str| Cell::Number(digits.to_owned()), |text: &str| Cell::Text(text.to_owned()));
    for (column, expected) in [
        ("amount", text("811.5")),
        ("total", number("100")),
        ("id", number("12")),
        ("name", text("12")),
        ("owner/id", number("7")),
        ("owner/name", text("7")),
        ("campaign", Cell::Null),
        ("campaign/name", Cell::Null),
        ("quarter(closed)", text("2019-Q1")),
        ("quarter(closed)/0", number("2019")),
        ("quarter(closed)/1", number("1")),
        ("month(closed)/1", number("8")),
    ] {
        assert_eq!(cell(&record, column), expected, "{column}");
    }
}
