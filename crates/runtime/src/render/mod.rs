//! An object's schema as a model reads it.
//!
//! Which form is sent was decided by counting tokens (o200k, over the sample org's objects, against
//! plain JSON with every key: `cargo xtask bench answers` prints the figures): an object a field
//! without its defaults and derivable labels takes 0.41 of it, fields grouped by type as lists 0.23,
//! the same with the names of a type in one text 0.21. The last is [`Rendering::Compact`]: names can't
//! hold a space, so the text is a list to a reader and costs one token less a field.

mod compact;
mod full;
pub(crate) mod label;

use portolan_schema::artifact::Record;
use portolan_schema::{BackReference, Field};

use crate::json::{Members, clip, push_text};

/// How schemas are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rendering {
    /// Fields grouped by type, labels where the name doesn't give them away: what a model needs to
    /// ask for records, in a fifth of the tokens.
    #[default]
    Compact,
    /// An object a field, with everything that is known of it.
    Full,
}

/// So many fields are sent at once.
pub(crate) const PART_FIELDS: usize = 80;
/// No part is longer, in bytes, whatever the names are.
pub(crate) const MOST_PART_BYTES: usize = 12_000;
/// So many back references of an object, or targets of a field, are listed, and no more than fit into
/// so many bytes, because names can be long; all are counted.
const MOST_LISTED: usize = 25;
const MOST_LISTED_BYTES: usize = 2_000;
/// Labels and descriptions are cut to so many characters.
const MOST_LABEL: usize = 80;
const MOST_DESCRIPTION: usize = 200;

/// An object with its fields and back references in the order in which they are sent.
pub(crate) struct Subject<'r> {
    record: &'r Record,
    /// Id and name, required ones, references, then the rest; each by name.
    pub(crate) fields: Vec<&'r Field>,
    /// Those of the most connected objects first.
    pub(crate) referenced_by: Vec<&'r BackReference>,
}

/// Which part it is of how many, and how many fields stand in those before it.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    count: usize,
    before: usize,
}

/// How much is said of a part's fields.
#[derive(Clone, Copy)]
struct Detail {
    words: bool,
    fields: usize,
}

impl<'r> Subject<'r> {
    /// Puts an object in order. `connections` says how many edges reach or leave an object.
    pub(crate) fn new(record: &'r Record, connections: impl Fn(&str) -> u32) -> Self {
        let object = &record.object;
        let is = |role: &Option<String>, field: &Field| role.as_deref() == Some(field.name.as_str());
        let mut fields: Vec<&Field> = object.fields.iter().collect();
        fields.sort_by_key(|field| {
            let id = is(&object.id_field, field);
            let name = is(&object.name_field, field);
            (!id, !name, !field.required, field.references.is_empty())
        });
        let mut referenced_by: Vec<&BackReference> = record.referenced_by.iter().collect();
        referenced_by.sort_by_cached_key(|back| std::cmp::Reverse(connections(&back.object)));
        Self { record, fields, referenced_by }
    }

    /// The object in parts of at most [`PART_FIELDS`] fields, each a member: `"order":{…}`.
    pub(crate) fn parts(&self, rendering: Rendering) -> Box<[String]> {
        let chunks: Vec<&[&Field]> =
            if self.fields.is_empty() { vec![&[]] } else { self.fields.chunks(PART_FIELDS).collect() };
        let count = chunks.len();
        let mut before = 0;
        let part = |(at, chunk): (usize, &&[&Field])| {
            let (part, shown) = fitting(chunk.len(), |detail| {
                self.part(rendering, chunk, Place { at, count, before }, detail)
            });
            before += shown;
            part
        };
        chunks.iter().enumerate().map(part).collect()
    }

    fn part(&self, rendering: Rendering, fields: &[&Field], place: Place, detail: Detail) -> String {
        let Place { at, count, before } = place;
        let shown = fields.get(..detail.fields).unwrap_or(fields);
        let is_cut = count > 1 || shown.len() < fields.len() || !detail.words;
        self.member(|members| {
            if at == 0 {
                self.write_heading(members);
            }
            members.number("fieldCount", self.fields.len());
            if is_cut {
                members.text("part", &format!("{} of {count}", at + 1));
                members.number("showing", shown.len());
                members.number("omitted", self.fields.len().saturating_sub(before + shown.len()));
            }
            if shown.len() < fields.len() {
                let cut = fields.len() - shown.len();
                members.text(
                    "notListed",
                    &format!("{cut} fields of this part take too much room: field_search finds them"),
                );
            }
            if !detail.words {
                members.text("labels", "omitted: too long");
            }
            self.write_fields(members, rendering, shown, detail.words);
            if at == 0 {
                write_back_references(members, &self.referenced_by, self.referenced_by.len());
            }
        })
    }

    /// Only some of the fields and back references, best first, with how many there are of them; where
    /// there are none, fields of a like name.
    pub(crate) fn matches(
        &self,
        rendering: Rendering,
        fields: (&[&Field], usize),
        referenced_by: (&[&BackReference], usize),
        nearest: &[&str],
    ) -> String {
        let (best, matched) = fields;
        let (found, _) = fitting(best.len(), |detail| {
            let shown = best.get(..detail.fields).unwrap_or(best);
            self.member(|members| {
                members.number("fieldCount", self.fields.len());
                members.number("matched", matched);
                members.number("showing", shown.len());
                if !nearest.is_empty() {
                    members.texts("nearest", nearest);
                }
                self.write_fields(members, rendering, shown, detail.words);
                if referenced_by.1 > 0 {
                    write_back_references(members, referenced_by.0, referenced_by.1);
                }
            })
        });
        found
    }

    fn member(&self, write: impl FnOnce(&mut Members<'_>)) -> String {
        let mut json = String::with_capacity(1024);
        push_text(&mut json, &self.record.object.name);
        json.push(':');
        let mut members = Members::open(&mut json);
        write(&mut members);
        members.close();
        json
    }

    fn write_heading(&self, members: &mut Members<'_>) {
        let object = &self.record.object;
        members.text("label", &clip(&object.label, MOST_LABEL));
        if let Some(description) = &object.description {
            members.text("description", &clip(description, MOST_DESCRIPTION));
        }
        // The name that people see is in `name`, unless it is said to be elsewhere.
        if let Some(name) = object.name_field.as_deref().filter(|name| !name.eq_ignore_ascii_case("name")) {
            members.text("nameField", name);
        }
        if !object.queryable {
            members.flag("queryable", false);
        }
    }

    fn write_fields(&self, members: &mut Members<'_>, rendering: Rendering, fields: &[&Field], words: bool) {
        match rendering {
            Rendering::Compact => compact::write(members, &self.record.object, fields, words),
            Rendering::Full => full::write(members, fields, words),
        }
    }
}

/// Writes as much as fits, and says how many fields that is: of what is too long, less is said of each field, and then fewer fields.
fn fitting(fields: usize, write: impl Fn(Detail) -> String) -> (String, usize) {
    let mut detail = Detail { words: true, fields };
    loop {
        let written = write(detail);
        if written.len() <= MOST_PART_BYTES || detail.fields == 0 {
            return (written, detail.fields);
        }
        if detail.words {
            detail.words = false;
        } else {
            detail.fields -= detail.fields.div_ceil(8);
        }
    }
}

fn write_back_references(members: &mut Members<'_>, listed: &[&BackReference], count: usize) {
    let listed: Vec<String> = listed.iter().take(MOST_LISTED).map(ToString::to_string).collect();
    let shown = some(&listed);
    members.texts("referencedBy", shown);
    if shown.len() < count {
        members.number("referencedByCount", count);
    }
}

/// As many names as are listed of one kind.
fn some(names: &[String]) -> &[String] {
    let mut room = MOST_LISTED_BYTES;
    let fit = names.iter().take(MOST_LISTED).take_while(|name| {
        let fits = name.len() <= room;
        room = room.saturating_sub(name.len());
        fits
    });
    names.get(..fit.count()).unwrap_or(names)
}
