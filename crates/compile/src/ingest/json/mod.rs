//! What the formats that are JSON share: a document is taken apart into objects, each of which goes
//! through a typed parser.

mod outline;
mod scan;
mod splitter;

use serde::Deserialize;
use serde_json::{Map, Value};

pub(crate) use self::outline::Outline;
use self::splitter::Splitter;
pub(crate) use self::splitter::{Cut, CutTotals, Kept, Step};
use super::files::Document;
use super::{FETCH_AGAIN, Intake, invalid_utf8};
use crate::diagnostic::{Diagnostic, Place, Position};

/// Where the objects are in a document, and what in them is not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) steps: &'static [Step],
    pub(crate) cuts: &'static [Cut],
    /// What is wrong with the keys of the root, and what to do about it.
    pub(crate) check_root: RootCheck,
}

pub(crate) type RootCheck = fn(&Map<String, Value>) -> Option<(String, &'static str)>;

/// Hands each object of a document to `each`, with its place. Faults of one object don't keep the
/// others from being read; where the document itself is broken, what came before was still read.
pub(crate) fn each_item(
    document: &mut Document<'_>,
    layout: Layout,
    intake: &mut Intake<'_>,
    each: &mut dyn FnMut(&Kept, Place, &mut Intake<'_>),
) {
    let file = document.name.clone();
    let place = || Place::file(file.clone());
    let mut splitter = Splitter::new(document.reader(), layout.steps, layout.cuts);
    let whole = loop {
        match splitter.next_item() {
            Ok(Some(item)) => {
                let mut place = place();
                place.position = item.start();
                each(item, place, intake);
            }
            Ok(None) => break true,
            Err(fault) => {
                let mut place = place();
                place.position = fault.position;
                intake.fault(Diagnostic::error(fault.message).at(place).help(FETCH_AGAIN));
                break false;
            }
        }
    };
    intake.cut(splitter.totals());
    if whole && let Err(fault) = check_envelope(splitter.envelope(), &place(), layout) {
        intake.fault(fault);
    }
}

/// Parses what was kept of a document, with the place in the document where it can't be.
pub(crate) fn parse<'k, T: Deserialize<'k>>(kept: &'k Kept, file: &Place) -> Result<T, Diagnostic> {
    let place = |position: Option<Position>| Place {
        position: position.or(file.position),
        ..Place::file(file.file.clone())
    };
    let text = std::str::from_utf8(kept.bytes())
        .map_err(|problem| invalid_utf8().at(place(kept.position(problem.valid_up_to()))))?;
    serde_json::from_str(text).map_err(|problem| {
        let message = problem.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let diagnostic =
            Diagnostic::error(message).at(place(kept.position_of(problem.line(), problem.column())));
        if problem.is_data() { diagnostic } else { diagnostic.help(FETCH_AGAIN) }
    })
}

/// The document without its objects must be JSON, and hold nothing but objects where they belong.
fn check_envelope(envelope: &Kept, file: &Place, layout: Layout) -> Result<(), Diagnostic> {
    let root: Value = parse(envelope, file)?;
    if let Some((message, help)) = root.as_object().and_then(layout.check_root) {
        return Err(Diagnostic::error(message).at(file.clone()).help(help));
    }
    match stray(&root, layout.steps) {
        None => Ok(()),
        Some(what) => Err(Diagnostic::error(what).at(file.clone()).help(FETCH_AGAIN)),
    }
}

fn stray(value: &Value, steps: &[Step]) -> Option<String> {
    match (steps, value) {
        ([], Value::Object(members)) if members.is_empty() => None,
        // Items are told by the bytes of the key before them.
        ([], Value::Object(_)) => {
            Some("a key is written with escapes or twice: write it plainly, once".to_owned())
        }
        ([Step::Key(key), rest @ ..], Value::Object(members)) => match members.get(*key) {
            Some(value) => stray(value, rest),
            None => Some(format!("there is no '{key}' in it")),
        },
        ([Step::Each, rest @ ..], Value::Array(elements)) => {
            elements.iter().find_map(|value| stray(value, rest))
        }
        ([Step::Each, ..], other) => {
            Some(format!("there is {} where a list of objects belongs", kind(other)))
        }
        (_, other) => Some(format!("there is {} where an object belongs", kind(other))),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
