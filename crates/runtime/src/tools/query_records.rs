//! `query_records`: records of one object.

use chrono::SecondsFormat;
use futures_util::future::join_all;
use portolan_schema::ClosedSchema;
use portolan_schema::artifact::ContentHash;

use crate::answer::{Answer, Problem, refusal};
use crate::caller::Caller;
use crate::json::{Members, Room, push_text};
use crate::limits::Limits;
use crate::query::check::{Checked, Open, Shown, column};
use crate::query::cursor::{self, Cursor};
use crate::query::decide::{Decide, Decided, Undecided};
use crate::query::value::Value;
use crate::query::{Condition, Path, Query, Test};
use crate::source::{Page, RecordSource, SourceError};
use crate::tool::Tool;

/// A text of a record is clipped to so many characters.
const MOST_CELL: usize = 400;
/// And to no fewer than these, where a single record is too long for an answer.
const LEAST_CELL: usize = 25;
/// What a field of a record takes, in bytes, where it isn't known yet.
const TYPICAL_CELL: usize = 32;
/// A longer cursor would crowd out what it is a cursor of.
const MOST_CURSOR_BYTES: usize = 2_000;
/// What everything but the records may take, in bytes.
const MARGIN: usize = 7_500;
const MOST_UNDERSTOOD_BYTES: usize = 2_000;
const MOST_NOTES_BYTES: usize = 2_500;

/// What a query is answered from.
pub(crate) struct Asked<'a> {
    pub(crate) source: &'a dyn RecordSource,
    pub(crate) schema: &'a ClosedSchema,
    /// What stands for the schema in answers.
    pub(crate) version: &'a str,
    /// The hash of what the caller sees.
    pub(crate) content: ContentHash,
    pub(crate) caller: &'a Caller,
    pub(crate) limits: &'a Limits,
    /// The cursor that the call gave.
    pub(crate) cursor: Option<String>,
}

impl Asked<'_> {
    /// Answers a checked query.
    pub(crate) async fn answer(&self, mut checked: Checked) -> Result<Answer, SourceError> {
        let open = std::mem::take(&mut checked.open);
        let binding = self.cursor.as_ref().map(|_| cursor::binding(&checked.query, &open, self.content));
        let decided = match self.cursor.as_deref().zip(binding.as_deref()) {
            None => match self.decide(&open, &checked.query).await {
                Ok(decided) => decided,
                Err(Undecided::Problems(problems)) => {
                    return Ok(refusal(&problems.into(), Tool::QueryRecords.undone()));
                }
                Err(Undecided::Source(error)) => return Err(error),
            },
            Some((cursor, binding)) => {
                let Some(Cursor { decided, last }) = Cursor::read(cursor, binding, &checked.query, &open)
                else {
                    return Ok(refusal(&not_of_this_query().into(), Tool::QueryRecords.undone()));
                };
                checked.query.after = Some(last);
                decided.into_iter().map(|matches| Decided { matches, ..Decided::default() }).collect()
            }
        };
        let mut matches = Vec::with_capacity(decided.len());
        for (open, decided) in open.iter().zip(decided) {
            let list = if open.any { &mut checked.query.any } else { &mut checked.query.all };
            if let Some(Condition { test: Test::OneOf(wanted), .. }) = list.get_mut(open.at) {
                wanted.extend(decided.matches.iter().flatten().cloned());
            }
            checked.understood.extend(decided.understood);
            checked.notes.extend(decided.note);
            matches.push(decided.matches);
        }
        // What is shown, as most of it is, isn't read again for the cursor.
        let order: Vec<Path> = checked.query.order.iter().map(|order| order.path.clone()).collect();
        let order: Vec<usize> = order.into_iter().map(|path| column(&mut checked.query, path)).collect();
        let page = self.source.fetch(&checked.query).await?;
        let next = |last: &[Value]| {
            let last = order.iter().map(|at| last.get(*at).cloned().unwrap_or(Value::Null)).collect();
            let bind = || cursor::binding(&checked.query, &open, self.content);
            let binding = binding.unwrap_or_else(bind);
            Cursor { decided: matches, last }.write(&binding)
        };
        Ok(self.shape(&checked, &page, next))
    }

    /// What open literals are equal to: each condition's, or all that is wrong with any.
    async fn decide(&self, open: &[Open], query: &Query) -> Result<Vec<Decided>, Undecided> {
        let decide = Decide { source: self.source, schema: self.schema, query };
        let (mut all, mut problems) = (Vec::with_capacity(open.len()), Vec::new());
        for decided in join_all(open.iter().map(|open| decide.decide(open))).await {
            match decided {
                Ok(decided) => all.push(decided),
                Err(Undecided::Problems(more)) => problems.extend(more),
                Err(source) => return Err(source),
            }
        }
        if problems.is_empty() { Ok(all) } else { Err(Undecided::Problems(problems)) }
    }

    fn shape(&self, checked: &Checked, page: &Page, next: impl FnOnce(&[Value]) -> String) -> Answer {
        let room = self.limits.bytes - MARGIN;
        let mut records = Records { room, ..Records::new(self.caller.time_zone()) };
        // Grown bit by bit, it would be copied again and again.
        records.json.reserve((page.records.len() * checked.shown.len() * TYPICAL_CELL).min(room));
        for record in page.records.iter().take(checked.query.limit) {
            if !records.push(&checked.shown, record) {
                break;
            }
        }
        let truncated = records.returned < page.records.len();
        let last = page.records.get(records.returned.wrapping_sub(1));
        let cursor = last.filter(|_| truncated).map(|last| next(last));
        let mut notes = checked.notes.clone();
        if records.returned < page.records.len().min(checked.query.limit) {
            notes.push("The answer was full before the limit was reached: name fewer fields, or go on with `cursor`.".to_owned());
        }
        if cursor.as_ref().is_some_and(|cursor| cursor.len() > MOST_CURSOR_BYTES) {
            notes.push("There is no cursor, because what the records are ordered by is too long: order by another field.".to_owned());
        }
        notes.extend(records.notes());
        for column in &page.unreadable {
            let Some(path) = checked.query.columns.get(*column) else { continue };
            notes.push(format!(
                "Some values of {path} can't be read as {}; they are null here.",
                path.field_type
            ));
        }

        let mut json = String::with_capacity(records.json.len() + 1_000);
        let mut members = Members::open(&mut json);
        members.text("schema", self.version);
        let written = members.key("records");
        written.push('[');
        written.push_str(&records.json);
        written.push(']');
        members.number("returned", records.returned);
        if let Some(total) = page.total {
            let all = checked.query.count_to.is_none_or(|most| total < most);
            members.number(if all { "total" } else { "totalAtLeast" }, total);
        }
        members.flag("truncated", truncated);
        if let Some(cursor) = cursor.filter(|cursor| cursor.len() <= MOST_CURSOR_BYTES) {
            members.text("cursor", &cursor);
        }
        members.text("asOf", &self.caller.now().to_rfc3339_opts(SecondsFormat::Secs, false));
        members.object("excluded", |members| match page.deleted {
            Some(0) => {}
            Some(count) => members.number("deleted", count),
            None if page.total.is_some() => members.text("deleted", "not counted"),
            None => {}
        });
        members.object("understood", |members| {
            let mut room = Room::new(MOST_UNDERSTOOD_BYTES);
            for (written, meant) in &checked.understood {
                room.member(members, written, |json| push_text(json, meant));
            }
        });
        members.texts("notes", within(&notes, MOST_NOTES_BYTES));
        members.close();
        Answer::found(json)
    }
}

/// As many notes as there is room for, and how many there are besides.
fn within(notes: &[String], mut room: usize) -> Vec<String> {
    let fits = |note: &&String| {
        let fits = note.len() <= room;
        room = room.saturating_sub(note.len());
        fits
    };
    let mut shown: Vec<String> = notes.iter().take_while(fits).cloned().collect();
    let left = notes.len() - shown.len();
    if left > 0 {
        shown.push(format!("{left} more notes didn't fit: ask for less at once."));
    }
    shown
}

fn not_of_this_query() -> Problem {
    Problem {
        at: "cursor".to_owned(),
        what: "this cursor is not of this query, or the schema has changed since".to_owned(),
        next: "repeat the arguments of the call that gave it, or leave it out to begin anew".to_owned(),
        ..Problem::default()
    }
}

/// Records as an answer shows them, as many as there is room for.
#[derive(Default)]
struct Records {
    json: String,
    returned: usize,
    room: usize,
    zone: chrono_tz::Tz,
    clipped: bool,
    /// Fields for which the only record had no room.
    left_out: usize,
}

impl Records {
    fn new(zone: chrono_tz::Tz) -> Self {
        Self { zone, ..Self::default() }
    }

    /// Adds a record where there is room for it, and says whether there was. The first is always added, its
    /// texts cut as short as it takes.
    fn push(&mut self, shown: &[Shown], record: &[Value]) -> bool {
        let before = self.json.len();
        let mut longest = MOST_CELL;
        let mut kept = shown.len();
        loop {
            let clipped = self.write(shown.get(..kept).unwrap_or(shown), record, longest);
            if self.json.len() <= self.room {
                self.returned += 1;
                self.clipped |= clipped;
                self.left_out = shown.len() - kept;
                return true;
            }
            self.json.truncate(before);
            if self.returned > 0 {
                return false;
            }
            if longest > LEAST_CELL {
                longest /= 2;
            } else if kept > 1 {
                kept /= 2;
            } else {
                return false;
            }
        }
    }

    /// Writes a record; whether a text of it was cut.
    fn write(&mut self, shown: &[Shown], record: &[Value], longest: usize) -> bool {
        if self.returned > 0 {
            self.json.push(',');
        }
        let mut clipped = false;
        let mut members = Members::open(&mut self.json);
        for shown in shown {
            let value = record.get(shown.column).unwrap_or(&Value::Null);
            match value {
                Value::Reference(reference) => {
                    let known = shown.names.iter().find(|(object, _)| *object == reference.object);
                    let name = known.and_then(|(_, column)| record.get(*column)).unwrap_or(&Value::Null);
                    members.object(&shown.key, |members| {
                        clipped |= write_text(members, "id", &reference.id, longest);
                        clipped |= write_cell(members, "name", name, longest, self.zone);
                        if shown.polymorphic {
                            // Which object it is of may be what the caller must not know.
                            let object =
                                shown.targets.contains(&reference.object).then_some(&reference.object);
                            push_optional(members.key("object"), object);
                        }
                    });
                }
                value => clipped |= write_cell(&mut members, &shown.key, value, longest, self.zone),
            }
        }
        members.close();
        clipped
    }

    fn notes(&self) -> impl Iterator<Item = String> {
        let clipped =
            self.clipped.then(|| "Long texts are cut; their length stands behind the cut.".to_owned());
        let left_out = (self.left_out > 0).then(|| {
            format!(
                "{} fields had no room in the answer: ask for them in a call of their own.",
                self.left_out
            )
        });
        clipped.into_iter().chain(left_out)
    }
}

fn push_optional(json: &mut String, text: Option<&String>) {
    match text {
        Some(text) => push_text(json, text),
        None => json.push_str("null"),
    }
}

/// Writes a value; whether it was cut.
fn write_cell(
    members: &mut Members<'_>,
    key: &str,
    value: &Value,
    longest: usize,
    zone: chrono_tz::Tz,
) -> bool {
    match value {
        Value::Text(text) => write_text(members, key, text, longest),
        Value::Texts(texts) if texts.iter().map(String::len).sum::<usize>() > longest => {
            let (joined, _) = cut(&texts.join("; "), longest);
            members.texts(key, [joined]);
            true
        }
        value => {
            value.write(members.key(key), &zone);
            false
        }
    }
}

/// Writes a text; whether it was cut.
fn write_text(members: &mut Members<'_>, key: &str, text: &str, longest: usize) -> bool {
    if text.len() <= longest {
        members.text(key, text);
        return false;
    }
    let (shown, clipped) = cut(text, longest);
    members.text(key, &shown);
    clipped
}

/// A text cut at a boundary and marked, with its length behind it; and whether it was cut at all.
fn cut(text: &str, longest: usize) -> (String, bool) {
    let Some((end, _)) = text.char_indices().nth(longest) else { return (text.to_owned(), false) };
    let head = text.get(..end).unwrap_or(text);
    let end = head.rfind(char::is_whitespace).filter(|end| *end > head.len() / 2).unwrap_or(head.len());
    let length = text.chars().count();
    (format!("{}… ({length} characters)", head.get(..end).unwrap_or(head)), true)
}
