//! `get_object_schema`: fields, references and back references of some objects, each sent once.

use std::borrow::Cow;

use portolan_schema::artifact::Record;
use portolan_schema::nearest::nearest;
use portolan_schema::{BackReference, Field};

use crate::answer::{Answer, MOST_ANSWER_BYTES, MOST_ECHO, Problem, refusal};
use crate::arguments::Arguments;
use crate::fold::fold;
use crate::json::{Members, Room, clip, harmless, push_text, push_texts};
use crate::rank::Ranker;
use crate::render::{MOST_PART_BYTES, Rendering};
use crate::rules::Guard;
use crate::sent::Sent;
use crate::tool::{FIELD_SEARCH, OBJECTS, Tool};
use crate::view::{Found, View};

/// So many names are looked up in one call.
const MOST_NAMES: usize = 1_000;
/// So many unknown names get a verdict of their own; all are counted.
const MOST_UNKNOWN: usize = 10;
/// So many unknown names are repeated in the error.
const MOST_NAMED: usize = 4;
/// So many fields, and so many back references, are a search's answer.
const MOST_FOUND_FIELDS: usize = 20;
const MOST_FOUND_BACK_REFERENCES: usize = 10;
/// So many fields of a like name are offered where nothing fits.
const MOST_NEAREST_FIELDS: usize = 3;
/// What a list of names may take, in bytes; the two that explain themselves in an answer take less.
const MOST_LISTED_BYTES: usize = 2_500;
const MOST_UNKNOWN_BYTES: usize = 2_000;
const MOST_UNDERSTOOD_BYTES: usize = 1_500;
/// What the head, the error and the notes take at most.
const MARGIN: usize = 3_000;

// Whatever else an answer has to say, a part fits into it.
const _: () = assert!(
    MOST_PART_BYTES + 2 * MOST_LISTED_BYTES + MOST_UNKNOWN_BYTES + MOST_UNDERSTOOD_BYTES + MARGIN
        < MOST_ANSWER_BYTES
);

/// Says of each name that was asked what there is to say.
pub(crate) fn get_object_schema(
    sent: &mut Sent,
    rendering: Rendering,
    arguments: &mut Arguments<'_>,
) -> Answer {
    let names = arguments.texts(&OBJECTS);
    let search = arguments.text(&FIELD_SEARCH);
    if names.len() > MOST_NAMES {
        arguments.problems.push(Problem {
            at: OBJECTS.name.to_owned(),
            what: format!("{} names; at most {MOST_NAMES} can be asked for", names.len()),
            next: "name the objects that the question needs".to_owned(),
            ..Problem::default()
        });
    }
    if !arguments.problems.is_empty() {
        return refusal(&arguments.problems, Tool::GetObjectSchema.undone());
    }
    let view = sent.view().clone();
    let asked = Asked::sort(&view, &names);
    match search {
        None => send(sent, &view, rendering, &asked, arguments),
        Some(search) => find(&view, rendering, &asked, &search, arguments),
    }
}

/// The names of one call, sorted by what they come to.
struct Asked<'n> {
    /// Permitted objects, in the order asked, without repetition.
    known: Vec<usize>,
    /// What was asked under another spelling, with what it was taken for.
    meant: Vec<(&'n str, usize)>,
    unknown: Vec<&'n str>,
}

impl<'n> Asked<'n> {
    fn sort(view: &View, names: &'n [Cow<'_, str>]) -> Self {
        let mut asked =
            Self { known: Vec::with_capacity(names.len()), meant: Vec::new(), unknown: Vec::new() };
        let mut seen = hashbrown::HashSet::new();
        for name in names.iter().map(AsRef::as_ref) {
            let at = match view.find(name) {
                Found::Exactly(at) => at,
                Found::Meant(at) => {
                    asked.meant.push((name, at));
                    at
                }
                Found::Unknown => {
                    if seen.insert(name) {
                        asked.unknown.push(name);
                    }
                    continue;
                }
            };
            if !asked.known.contains(&at) {
                asked.known.push(at);
            }
        }
        asked
    }
}

/// Sends of each object the part that comes next, and remembers that it did.
fn send(
    sent: &mut Sent,
    view: &View,
    rendering: Rendering,
    asked: &Asked<'_>,
    arguments: &Arguments<'_>,
) -> Answer {
    let mut reply = Reply::new(view, asked);
    let mut parts: Vec<(usize, usize, &str)> = Vec::with_capacity(asked.known.len());
    for &object in &asked.known {
        match sent.next_part(object) {
            None => reply.already.push(view.name(object)),
            Some(part) => match view.parts(object, rendering).and_then(|parts| parts.get(part)) {
                None => reply.damaged.push(view.name(object)),
                Some(text) => parts.push((object, part, text)),
            },
        }
    }
    let tail = reply.tail(view, asked, arguments);
    let fitting = fitting(parts.iter().map(|(_, _, text)| text.len()), tail.len());
    let left_out = parts.split_off(fitting);
    for &(object, _, _) in &left_out {
        reply.not_sent.push(view.name(object));
    }
    reply.replaces = parts.iter().any(|(object, ..)| sent.is_outdated(*object));
    reply.goes_on = parts.iter().any(|(object, part, _)| view.has_part(*object, part + 1));
    let answer = reply.answer(view, asked, parts.iter().map(|(_, _, text)| *text), &tail);
    for (object, part, _) in parts {
        sent.insert(object, part);
    }
    answer
}

/// Answers with what fits some words best. It shows parts of what may have been sent already, and
/// leaves the Set as it is.
fn find(
    view: &View,
    rendering: Rendering,
    asked: &Asked<'_>,
    search: &str,
    arguments: &Arguments<'_>,
) -> Answer {
    let search: String = search.chars().take(MOST_SEARCH).collect();
    let mut reply = Reply::new(view, asked);
    let tail = reply.tail(view, asked, arguments);
    let mut room = room(tail.len());
    let mut found = Vec::new();
    for &object in &asked.known {
        // No more is searched than there is room for.
        if room == 0 {
            reply.not_sent.push(view.name(object));
            continue;
        }
        let Some(record) = view.record(object) else {
            reply.damaged.push(view.name(object));
            continue;
        };
        let text = matches(view, rendering, &record, &search);
        if text.len() < room {
            room -= text.len() + 1;
            found.push(text);
        } else {
            room = 0;
            reply.not_sent.push(view.name(object));
        }
    }
    reply.answer(view, asked, found.iter().map(String::as_str), &tail)
}

/// Nobody searches for more characters.
const MOST_SEARCH: usize = 256;

fn matches(view: &View, rendering: Rendering, record: &Record, search: &str) -> String {
    let subject = view.subject(record);
    let label =
        |name: &str| view.position(name).and_then(|at| view.entry(at)).map_or("", |entry| &entry.label);
    let fields =
        Ranker::new(subject.fields.iter().map(|field| vec![field.name.as_str(), &field.label])).rank(search);
    let backs =
        subject.referenced_by.iter().map(|back| vec![back.object.as_str(), &back.field, label(&back.object)]);
    let backs = Ranker::new(backs).rank(search);
    // Who writes a name in full means that field.
    let wanted = fold(search);
    let exact = |field: &&Field| fold(&field.name) == wanted || fold(&field.label) == wanted;
    let exact: Vec<&Field> = subject.fields.iter().copied().filter(exact).collect();
    if !exact.is_empty() && !wanted.is_empty() && exact.len() <= MOST_FOUND_FIELDS {
        return subject.matches(rendering, (&exact, exact.len()), (&[], 0), &[]);
    }
    let best: Vec<&Field> =
        fields.iter().take(MOST_FOUND_FIELDS).filter_map(|at| subject.fields.get(*at).copied()).collect();
    let best_backs: Vec<&BackReference> = backs
        .iter()
        .take(MOST_FOUND_BACK_REFERENCES)
        .filter_map(|at| subject.referenced_by.get(*at).copied())
        .collect();
    let nearest = if fields.is_empty() && backs.is_empty() {
        nearest(search, subject.fields.iter().map(|field| field.name.as_str()), MOST_NEAREST_FIELDS)
    } else {
        Vec::new()
    };
    subject.matches(rendering, (&best, fields.len()), (&best_backs, backs.len()), &nearest)
}

/// What schemas may take, beside a tail of that length.
const fn room(tail: usize) -> usize {
    MOST_ANSWER_BYTES.saturating_sub(tail + MOST_LISTED_BYTES + MARGIN)
}

/// How many of some texts fit beside the rest of an answer. The first one always does: no part is so
/// long, and no tail.
fn fitting(lengths: impl Iterator<Item = usize>, tail: usize) -> usize {
    let mut room = room(tail);
    lengths
        .take_while(|length| {
            let takes = length + 1;
            let fits = takes <= room;
            room = room.saturating_sub(takes);
            fits
        })
        .count()
}

/// What is said beside the schemas.
#[derive(Default)]
struct Reply<'v> {
    already: Vec<&'v str>,
    not_sent: Vec<&'v str>,
    damaged: Vec<&'v str>,
    /// Whether a part went out that isn't its object's last.
    goes_on: bool,
    /// Whether an object went out that read otherwise when it went out before.
    replaces: bool,
    /// What the first of the unknown names were probably meant to be.
    near: Vec<Vec<&'v str>>,
}

impl<'v> Reply<'v> {
    fn new(view: &'v View, asked: &Asked<'_>) -> Self {
        let near = asked.unknown.iter().take(MOST_UNKNOWN).map(|name| view.nearest(name)).collect();
        Self { near, ..Self::default() }
    }

    /// What is known before it is decided how many schemas fit.
    fn tail(&self, view: &View, asked: &Asked<'_>, arguments: &Arguments<'_>) -> String {
        let mut json = String::new();
        if self.already.is_empty()
            && asked.unknown.is_empty()
            && asked.meant.is_empty()
            && arguments.understood.is_empty()
        {
            return json;
        }
        let mut members = Members::open(&mut json);
        Room::new(MOST_LISTED_BYTES).names(&mut members, "alreadyFetched", &self.already);
        write_unknown(&mut members, &asked.unknown, &self.near);
        write_understood(&mut members, view, asked, arguments);
        members.close();
        // The members, without the brackets around them.
        json.get(1..json.len() - 1).unwrap_or_default().to_owned()
    }

    fn answer<'t>(
        &self,
        view: &View,
        asked: &Asked<'_>,
        schemas: impl Iterator<Item = &'t str> + Clone,
        tail: &str,
    ) -> Answer {
        let length: usize = schemas.clone().map(|text| text.len() + 1).sum();
        let mut json = String::with_capacity(length + tail.len() + MARGIN);
        let error = self.error(asked);
        let mut members = Members::open(&mut json);
        if let Some(error) = &error {
            members.text("error", error);
        }
        members.text("schema", &view.schema);
        members.object("objects", |members| schemas.for_each(|text| members.members(text)));
        members.members(tail);
        Room::new(MOST_LISTED_BYTES).names(&mut members, "notSent", &self.not_sent);
        let notes = self.notes(error.is_some());
        if !notes.is_empty() {
            members.text("note", &notes.join(" "));
        }
        members.close();
        if error.is_some() { Answer::failed(json) } else { Answer::found(json) }
    }

    fn notes(&self, error: bool) -> Vec<&'static str> {
        [
            (error && self.near.iter().any(|near| !near.is_empty()), Guard::KnownNames),
            (!self.already.is_empty(), Guard::SentOnce),
            (!self.not_sent.is_empty(), Guard::Budget),
            (self.goes_on, Guard::Parts),
            (self.replaces, Guard::Replaced),
        ]
        .into_iter()
        .filter(|(acted, _)| *acted)
        .map(|(_, guard)| guard.says())
        .collect()
    }

    fn error(&self, asked: &Asked<'_>) -> Option<String> {
        let quoted = |names: &[&str]| {
            let shown: Vec<String> = names
                .iter()
                .take(MOST_NAMED)
                .map(|name| format!("'{}'", harmless(&clip(name, MOST_ECHO))))
                .collect();
            let more = names.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more}", shown.join(", "))
        };
        let mut errors = Vec::new();
        if asked.known.is_empty() && !asked.unknown.is_empty() {
            let plural = if asked.unknown.len() == 1 { "" } else { "s" };
            errors
                .push(format!("Unknown object{plural} {}. Call list_objects first.", quoted(&asked.unknown)));
        }
        if !self.damaged.is_empty() {
            errors.push(format!(
                "The schema of {} is damaged and can't be read. Don't ask for it again: go on without it, and say so.",
                quoted(&self.damaged)
            ));
        }
        (!errors.is_empty()).then(|| errors.join(" "))
    }
}

/// Each unknown name with the permitted ones that are most like it.
fn write_unknown(members: &mut Members<'_>, unknown: &[&str], near: &[Vec<&str>]) {
    if unknown.is_empty() {
        return;
    }
    let mut shown = 0;
    members.object("unknown", |members| {
        let mut room = Room::new(MOST_UNKNOWN_BYTES);
        for (name, near) in unknown.iter().zip(near) {
            shown += usize::from(room.member(members, &clip(name, MOST_ECHO), |json| push_texts(json, near)));
        }
    });
    if shown < unknown.len() {
        members.number("unknownCount", unknown.len());
    }
}

/// What was read as something else than it was written.
fn write_understood(members: &mut Members<'_>, view: &View, asked: &Asked<'_>, arguments: &Arguments<'_>) {
    if asked.meant.is_empty() && arguments.understood.is_empty() {
        return;
    }
    members.object("understood", |members| {
        let mut room = Room::new(MOST_UNDERSTOOD_BYTES);
        for (argument, json) in &arguments.understood {
            room.member(members, argument, |value| value.push_str(json));
        }
        for (name, at) in &asked.meant {
            room.member(members, &clip(name, MOST_ECHO), |value| push_text(value, view.name(*at)));
        }
    });
}
