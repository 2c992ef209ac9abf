//! `list_objects`: every permitted object's API name and label.

use crate::answer::{Answer, MOST_ECHO, refusal};
use crate::arguments::Arguments;
use crate::fold::{fold, words};
use crate::json::{Members, Room, clip, push_text};
use crate::render::label;
use crate::tool::{SEARCH, Tool};
use crate::view::View;

/// A list is no longer, in bytes.
const MOST_LIST_BYTES: usize = 16_000;
/// Room for everything but the objects themselves.
const MARGIN: usize = 1_000;
const MOST_LABEL: usize = 80;

/// How much is said of each object: the first that fits is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    All,
    /// Only where the name doesn't give them away; else an empty text.
    News,
    None,
}

/// Lists the objects, all of them or those that a search finds.
pub(crate) fn list_objects(view: &View, arguments: &mut Arguments<'_>) -> Answer {
    let search = arguments.text(&SEARCH);
    if !arguments.problems.is_empty() {
        return refusal(&arguments.problems, Tool::ListObjects.undone());
    }
    Answer::found(match search {
        None => {
            view.listed.get_or_init(|| list(view, &(0..view.objects.len()).collect::<Vec<_>>(), None)).clone()
        }
        Some(search) => list(view, &find(view, &search), Some(&search)),
    })
}

/// The objects whose name or label holds every word of the search, or the whole of it run together.
fn find(view: &View, search: &str) -> Vec<usize> {
    let search: String = search.chars().take(MOST_SEARCH).collect();
    let (wanted, whole) = (words(&search), fold(&search));
    let holds = |name: &str, label: &str| {
        let (name, label) = (fold(name), fold(label));
        let either = |part: &str| name.contains(part) || label.contains(part);
        !whole.is_empty() && (either(&whole) || !wanted.is_empty() && wanted.iter().all(|word| either(word)))
    };
    view.entries().filter(|(_, entry)| holds(&entry.name, &entry.label)).map(|(at, _)| at).collect()
}

/// Nobody searches for more characters.
const MOST_SEARCH: usize = 256;

fn list(view: &View, found: &[usize], search: Option<&str>) -> String {
    let room = MOST_LIST_BYTES - MARGIN;
    let fits =
        |labels: &Labels| found.iter().map(|at| entry(view, *at, *labels).len() + 1).sum::<usize>() <= room;
    let labels = [Labels::All, Labels::News].into_iter().find(fits).unwrap_or(Labels::None);
    // Where not even the names fit, the most connected ones are the likeliest to be asked for.
    let mut shown = found.to_vec();
    if !fits(&labels) {
        shown.sort_by_key(|at| std::cmp::Reverse(view.connections(*at)));
        let mut room = room;
        shown.retain(|at| {
            let takes = entry(view, *at, labels).len() + 1;
            let fits = takes <= room;
            room = if fits { room - takes } else { 0 };
            fits
        });
        shown.sort_unstable();
    }

    let mut json = String::with_capacity(MOST_LIST_BYTES);
    let mut members = Members::open(&mut json);
    members.text("schema", &view.schema);
    members.number("count", found.len());
    members.number("of", view.objects.len());
    if shown.len() < found.len() {
        members.number("showing", shown.len());
        members.number("omitted", found.len() - shown.len());
    }
    let nearest = if found.is_empty() {
        search.map(|search| view.nearest(search)).unwrap_or_default()
    } else {
        Vec::new()
    };
    let mut notes = Vec::new();
    if found.is_empty() && search.is_some() {
        notes.push(format!(
            "No object's name or label holds '{}'. {}",
            clip(search.unwrap_or_default(), MOST_ECHO),
            if nearest.is_empty() {
                "Call list_objects without `search` to see them all."
            } else {
                "`nearest` has the likeliest."
            }
        ));
    }
    match labels {
        Labels::All => {}
        Labels::News => notes.push("A label that the name gives away is left empty.".to_owned()),
        Labels::None => notes.push("Labels are left out.".to_owned()),
    }
    if shown.len() < found.len() {
        notes.push("These are the most connected objects; narrow by `search` to see others.".to_owned());
    }
    if !notes.is_empty() {
        members.text("note", &notes.join(" "));
    }
    if !nearest.is_empty() {
        members.texts("nearest", nearest);
    }
    members
        .object("objects", |members| shown.iter().for_each(|at| members.members(&entry(view, *at, labels))));
    let unqueryable: Vec<&str> = shown
        .iter()
        .filter_map(|at| view.entry(*at))
        .filter(|entry| !entry.queryable)
        .map(|entry| entry.name.as_str())
        .collect();
    Room::new(MARGIN / 2).names(&mut members, "notQueryable", &unqueryable);
    members.close();
    json
}

/// `"order":"Order"`.
fn entry(view: &View, at: usize, labels: Labels) -> String {
    let Some(entry) = view.entry(at) else { return String::new() };
    let is_said = match labels {
        Labels::All => true,
        Labels::News => !label::given_away(&entry.name, &entry.label),
        Labels::None => false,
    };
    let mut member = String::new();
    push_text(&mut member, &entry.name);
    member.push(':');
    push_text(&mut member, &if is_said { clip(&entry.label, MOST_LABEL) } else { String::new() });
    member
}
