//! `query_records`: records of one object.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::SecondsFormat;
use futures_util::future::join_all;
use portolan_schema::ClosedSchema;
use portolan_schema::nearest::nearest;
use sha2::{Digest, Sha256};

use crate::answer::{Answer, MOST_ANSWER_BYTES, MOST_ECHO, Problem, Problems, refusal};
use crate::caller::Caller;
use crate::fold::fold_text;
use crate::json::{Members, Room, clip, push_text};
use crate::query::check::{Checked, Open, Shown, path_of};
use crate::query::value::{Kind, Reference, Value};
use crate::query::{Condition, Match, Order, Path, Query, Test};
use crate::source::{Page, RecordSource, SourceError};
use crate::tool::Tool;

/// A text of a record is clipped to so many characters.
const MOST_CELL: usize = 400;
/// What everything but the records may take, in bytes.
const MARGIN: usize = 6_000;
const MOST_UNDERSTOOD_BYTES: usize = 2_000;
const MOST_NOTES_BYTES: usize = 2_500;
/// So many candidates of an ambiguous name are listed.
const MOST_CANDIDATES: usize = 6;
/// So many values of a picklist are looked at.
const MOST_PRESENT: usize = 200;

/// What a query is answered from.
pub(crate) struct Asked<'a> {
    pub(crate) source: &'a dyn RecordSource,
    pub(crate) schema: &'a ClosedSchema,
    /// What stands for the schema in answers.
    pub(crate) version: &'a str,
    /// The hash of what the caller sees.
    pub(crate) content: &'a str,
    pub(crate) caller: &'a Caller,
    /// The cursor that the call gave.
    pub(crate) cursor: Option<String>,
}

impl Asked<'_> {
    /// Answers a checked query.
    pub(crate) async fn answer(&self, mut checked: Checked) -> Answer {
        let mut problems = Problems::default();
        let open = std::mem::take(&mut checked.open);
        let rows = &checked.query.rows;
        let decided = join_all(open.iter().map(|open| self.decide(open, &checked.query, rows.clone()))).await;
        for (open, decided) in open.iter().zip(decided) {
            match decided {
                Ok(Decided { matches, understood, note }) => {
                    let list = if open.any { &mut checked.query.any } else { &mut checked.query.all };
                    if let Some(Condition { test: Test::OneOf(wanted), .. }) = list.get_mut(open.at) {
                        wanted.extend(matches);
                    }
                    checked.understood.extend(understood);
                    checked.notes.extend(note);
                }
                Err(Undecided::Problem(problem)) => problems.push(problem),
                Err(Undecided::Source(error)) => return unreadable(&error),
            }
        }
        let binding = self.binding(&checked.query);
        if let Some(cursor) = &self.cursor {
            match read_cursor(cursor, &binding, checked.query.order.len()) {
                Some(after) => checked.query.after = Some(after),
                None => problems.push(Problem {
                    at: "cursor".to_owned(),
                    what: "this cursor is not of this query, or the schema has changed since".to_owned(),
                    next: "repeat the arguments of the call that gave it, or leave it out to begin anew"
                        .to_owned(),
                    ..Problem::default()
                }),
            }
        }
        if !problems.is_empty() {
            return refusal(&problems, Tool::QueryRecords.undone());
        }
        let order_at = checked.query.columns.len();
        let order: Vec<Path> = checked.query.order.iter().map(|order| order.path.clone()).collect();
        checked.query.columns.extend(order);
        match self.source.fetch(&checked.query).await {
            Ok(page) => self.shape(&checked, &page, order_at, &binding),
            Err(error) => unreadable(&error),
        }
    }

    /// What a literal is equal to, which only the records tell.
    async fn decide(
        &self,
        open: &Open,
        query: &Query,
        rows: std::collections::BTreeMap<String, Vec<Condition>>,
    ) -> Result<Decided, Undecided> {
        if Kind::of(open.path.field_type) == Kind::Reference {
            return self.decide_reference(open, rows).await;
        }
        let exact = Match::Exactly(Value::Text(open.text.clone()));
        let condition = |test| Condition { path: open.path.clone(), test, negated: false };
        let exists = |wanted: Match| Query {
            object: query.object.clone(),
            columns: vec![open.path.clone()],
            all: vec![condition(Test::OneOf(vec![wanted]))],
            limit: 1,
            rows: rows.clone(),
            ..Query::default()
        };
        if !self.fetch(&exists(exact.clone())).await?.records.is_empty() {
            return Ok(Decided::only(exact));
        }
        let folded = Match::Folded(fold_text(&open.text));
        let is_there = !self.fetch(&exists(folded.clone())).await?.records.is_empty();
        let mut decided = Decided::only(folded);
        let key = format!("{} = {}", open.path.field, clip(&open.text, MOST_ECHO));
        if is_there {
            decided.understood = Some((key, "case and accents aside".to_owned()));
        } else if open.path.field_type == portolan_schema::FieldType::Picklist {
            decided.note = Some(self.present_values(open, query, rows).await?);
        }
        Ok(decided)
    }

    /// The values of a picklist that are like one that no record has.
    async fn present_values(
        &self,
        open: &Open,
        query: &Query,
        rows: std::collections::BTreeMap<String, Vec<Condition>>,
    ) -> Result<String, Undecided> {
        let values = Query {
            object: query.object.clone(),
            columns: vec![open.path.clone()],
            all: vec![Condition { path: open.path.clone(), test: Test::Null, negated: true }],
            limit: MOST_PRESENT,
            distinct: true,
            rows,
            ..Query::default()
        };
        let page = self.fetch(&values).await?;
        let present: Vec<&str> = page
            .records
            .iter()
            .filter_map(|record| match record.first() {
                Some(Value::Text(text)) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let mut near = nearest(&open.text, present.iter().copied(), 5);
        if near.is_empty() {
            near = present.into_iter().take(12).collect();
        }
        let listed: Vec<String> = near.iter().map(|value| format!("'{}'", clip(value, MOST_ECHO))).collect();
        let text = clip(&open.text, MOST_ECHO);
        let field = &open.path.field;
        Ok(if listed.is_empty() {
            format!("No record has {field} '{text}', nor any other value of it.")
        } else {
            format!("No record has {field} '{text}'. There is {}.", listed.join(", "))
        })
    }

    /// A record by its identifier, else by its name.
    async fn decide_reference(
        &self,
        open: &Open,
        rows: std::collections::BTreeMap<String, Vec<Condition>>,
    ) -> Result<Decided, Undecided> {
        let field = self.schema.object(&open.path.object).and_then(|object| object.field(&open.path.field));
        let targets = field.map(|field| field.references.clone()).unwrap_or_default();
        let mut candidates: Vec<(Reference, String)> = Vec::new();
        for target in &targets {
            let Some(object) = self.schema.object(target) else { continue };
            let Some(id) = object.id_field.as_deref().and_then(|id| object.field(id)) else { continue };
            let id = path_of(object, id);
            let name = object.name_field.as_deref().and_then(|name| object.field(name));
            let name = name.map(|name| path_of(object, name));
            let find = |path: &Path, wanted: Match| Query {
                object: target.clone(),
                columns: std::iter::once(id.clone()).chain(name.clone()).collect(),
                all: vec![Condition { path: path.clone(), test: Test::OneOf(vec![wanted]), negated: false }],
                order: vec![Order { path: id.clone(), descending: false }],
                limit: MOST_CANDIDATES,
                rows: rows.clone(),
                ..Query::default()
            };
            let by_id = find(&id, Match::Exactly(Value::Text(open.text.clone())));
            if let Some(found) =
                self.fetch(&by_id).await?.records.first().and_then(|record| reference(target, record))
            {
                return Ok(Decided::only(Match::Exactly(Value::Reference(found.0))));
            }
            let Some(name) = &name else { continue };
            let exact = self.fetch(&find(name, Match::Exactly(Value::Text(open.text.clone())))).await?;
            let page = if exact.records.is_empty() {
                self.fetch(&find(name, Match::Folded(fold_text(&open.text)))).await?
            } else {
                exact
            };
            candidates.extend(page.records.iter().filter_map(|record| reference(target, record)));
        }
        let text = clip(&open.text, MOST_ECHO);
        match candidates.as_slice() {
            [] => Ok(Decided {
                note: Some(format!(
                    "No {} that you may see has the id or the name '{text}'.",
                    targets.join(" or ")
                )),
                ..Decided::default()
            }),
            [(only, name)] => Ok(Decided {
                understood: Some((
                    format!("{} = {text}", open.path.field),
                    format!("{} '{}' ({})", only.object, clip(name, MOST_ECHO), only.id),
                )),
                ..Decided::only(Match::Exactly(Value::Reference(only.clone())))
            }),
            several => Err(Undecided::Problem(Problem {
                at: format!("{}.value", open.place),
                what: format!("'{text}' is the name of several records"),
                nearest: several
                    .iter()
                    .take(MOST_CANDIDATES)
                    .map(|(found, name)| {
                        format!("{} ({} '{}')", found.id, found.object, clip(name, MOST_ECHO))
                    })
                    .collect(),
                next: "use the id of the one you mean, or ask the user".to_owned(),
            })),
        }
    }

    async fn fetch(&self, query: &Query) -> Result<Page, Undecided> {
        self.source.fetch(query).await.map_err(Undecided::Source)
    }

    /// What a cursor is bound to: the query, but for where it begins and how much it asks for, and what the
    /// caller sees.
    fn binding(&self, query: &Query) -> String {
        let bound = Query { after: None, limit: 0, count_to: None, columns: Vec::new(), ..query.clone() };
        let digest = Sha256::digest(format!("{} {bound:?}", self.content));
        digest.iter().take(6).fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    fn shape(&self, checked: &Checked, page: &Page, order_at: usize, binding: &str) -> Answer {
        let limit = checked.query.limit;
        let zone = self.caller.time_zone();
        let mut records = String::new();
        let mut returned = 0;
        let mut last = None;
        let mut clipped = false;
        for record in page.records.iter().take(limit) {
            let mut json = String::new();
            let mut members = Members::open(&mut json);
            for shown in &checked.shown {
                let value = record.get(shown.column).unwrap_or(&Value::Null);
                clipped |= write_cell(&mut members, shown, value, record, zone);
            }
            members.close();
            if records.len() + json.len() + 1 > MOST_ANSWER_BYTES - MARGIN {
                break;
            }
            if returned > 0 {
                records.push(',');
            }
            records.push_str(&json);
            returned += 1;
            last = record.get(order_at..);
        }
        let truncated = returned < page.records.len();
        let mut notes = checked.notes.clone();
        if returned < page.records.len().min(limit) {
            notes.push("The answer was full before the limit was reached: name fewer fields, or go on with `cursor`.".to_owned());
        }
        if clipped {
            notes.push("Long texts are cut; their length stands behind the cut.".to_owned());
        }

        let mut json = String::with_capacity(records.len() + 1_000);
        let mut members = Members::open(&mut json);
        members.text("schema", self.version);
        members.key("records").push_str(&["[", &records, "]"].concat());
        members.number("returned", returned);
        if let (Some(total), Some(most)) = (page.total, checked.query.count_to) {
            members.number(if total >= most { "totalAtLeast" } else { "total" }, total);
        }
        members.flag("truncated", truncated);
        if let Some(last) = last.filter(|_| truncated) {
            members.text("cursor", &write_cursor(binding, last));
        }
        members.text("asOf", &self.caller.now().to_rfc3339_opts(SecondsFormat::Secs, false));
        members.object("excluded", |_| {});
        members.object("understood", |members| {
            let mut room = Room::new(MOST_UNDERSTOOD_BYTES);
            for (written, meant) in &checked.understood {
                room.member(members, written, |json| push_text(json, meant));
            }
        });
        let mut room = MOST_NOTES_BYTES;
        let notes: Vec<&String> = notes
            .iter()
            .take_while(|note| {
                let fits = note.len() <= room;
                room = room.saturating_sub(note.len());
                fits
            })
            .collect();
        members.texts("notes", notes);
        members.close();
        Answer::found(json)
    }
}

/// A literal, decided.
#[derive(Default)]
struct Decided {
    matches: Vec<Match>,
    understood: Option<(String, String)>,
    note: Option<String>,
}

impl Decided {
    fn only(wanted: Match) -> Self {
        Self { matches: vec![wanted], ..Self::default() }
    }
}

enum Undecided {
    Problem(Problem),
    Source(SourceError),
}

fn unreadable(error: &SourceError) -> Answer {
    Answer::error(match error {
        SourceError::TimedOut => {
            "The query took longer than it may, and was stopped. Narrow it with where, or ask for less."
        }
        SourceError::Failed(_) => {
            "The records can't be read at the moment. Try once more; if it fails again, say that they can't be read."
        }
    })
}

/// A record that was looked up: its reference, and its name.
fn reference(object: &str, record: &[Value]) -> Option<(Reference, String)> {
    let text = |value: Option<&Value>| match value {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let id = text(record.first())?;
    let name = text(record.get(1)).unwrap_or_default();
    Some((Reference { object: object.to_owned(), id }, name))
}

/// Writes a member of a record; whether its text was cut.
fn write_cell(
    members: &mut Members<'_>,
    shown: &Shown,
    value: &Value,
    record: &[Value],
    zone: chrono_tz::Tz,
) -> bool {
    match value {
        Value::Reference(reference) => {
            let name = shown.names.iter().find(|(object, _)| *object == reference.object);
            let name = name.and_then(|(_, column)| record.get(*column)).unwrap_or(&Value::Null);
            members.object(&shown.key, |members| {
                members.text("id", &reference.id);
                name.write(members.key("name"), &zone);
                if shown.polymorphic {
                    members.text("object", &reference.object);
                }
            });
            false
        }
        Value::Text(text) if text.chars().nth(MOST_CELL).is_some() => {
            let length = text.chars().count();
            let head: String = text.chars().take(MOST_CELL).collect();
            let end =
                head.rfind(char::is_whitespace).filter(|end| *end > MOST_CELL / 2).unwrap_or(head.len());
            let head = head.get(..end).unwrap_or(&head);
            members.text(&shown.key, &format!("{head}… ({length} characters)"));
            true
        }
        value => {
            value.write(members.key(&shown.key), &zone);
            false
        }
    }
}

/// A cursor: what it is bound to, and the last record's values of the order.
fn write_cursor(binding: &str, last: &[Value]) -> String {
    let values: Vec<String> = last
        .iter()
        .map(|value| match value {
            Value::Boolean(flag) => format!("b{flag}"),
            Value::Number(number) => format!("n{}", number.to_plain_string()),
            Value::Text(text) => format!("t{text}"),
            Value::Date(date) => format!("d{date}"),
            Value::Datetime(moment) => format!("m{}", moment.to_rfc3339()),
            Value::Time(time) => format!("c{time}"),
            Value::Reference(reference) => format!("r{}\u{0}{}", reference.object, reference.id),
            // Nothing is ordered by several texts or by bytes.
            Value::Null | Value::Texts(_) | Value::Bytes(_) => "z".to_owned(),
        })
        .collect();
    format!("{binding}{}", URL_SAFE_NO_PAD.encode(serde_json::Value::from(values).to_string()))
}

fn read_cursor(cursor: &str, binding: &str, length: usize) -> Option<Vec<Value>> {
    let encoded = cursor.trim().strip_prefix(binding)?;
    let values: Vec<String> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
    let values: Vec<Value> = values
        .iter()
        .map(|value| {
            let mut letters = value.chars();
            let kind = letters.next()?;
            let text = letters.as_str();
            Some(match kind {
                'z' => Value::Null,
                'b' => Value::Boolean(text.parse().ok()?),
                'n' => Value::Number(text.parse().ok()?),
                't' => Value::Text(text.to_owned()),
                'd' => Value::Date(text.parse().ok()?),
                'm' => Value::Datetime(chrono::DateTime::parse_from_rfc3339(text).ok()?.to_utc()),
                'c' => Value::Time(text.parse().ok()?),
                'r' => {
                    let (object, id) = text.split_once('\u{0}')?;
                    Value::Reference(Reference { object: object.to_owned(), id: id.to_owned() })
                }
                _ => return None,
            })
        })
        .collect::<Option<_>>()?;
    (values.len() == length).then_some(values)
}
