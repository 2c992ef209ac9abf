//! Fields grouped by type.

use portolan_schema::{Field, Object};

use super::{MOST_DESCRIPTION, MOST_LABEL, label, some};
use crate::json::{Members, clip, push_text};

/// Writes `fields` (type → names, in one text), `references` (field → target or targets), and what a
/// name doesn't say: `labels`, `descriptions`.
pub(super) fn write(members: &mut Members<'_>, object: &Object, fields: &[&Field], words: bool) {
    members.object("fields", |members| {
        let mut written = Vec::new();
        for field in fields.iter().filter(|field| field.references.is_empty()) {
            if written.contains(&field.field_type) {
                continue;
            }
            written.push(field.field_type);
            let same = fields
                .iter()
                .filter(|other| other.references.is_empty() && other.field_type == field.field_type);
            let names: Vec<&str> = same.map(|field| field.name.as_str()).collect();
            members.text(field.field_type.as_str(), &names.join(" "));
        }
    });
    let references: Vec<_> = fields.iter().filter(|field| !field.references.is_empty()).collect();
    if !references.is_empty() {
        members.object("references", |members| {
            for field in &references {
                match field.references.as_slice() {
                    [only] => members.text(&field.name, only),
                    several => members.texts(&field.name, some(several)),
                }
            }
        });
    }
    let crowded = || references.iter().filter(|field| some(&field.references).len() < field.references.len());
    if crowded().next().is_some() {
        members.object("referencesCount", |members| {
            crowded().for_each(|field| members.number(&field.name, field.references.len()));
        });
    }
    if !words {
        return;
    }
    let is_id = |field: &Field| object.id_field.as_deref() == Some(field.name.as_str());
    let labelled =
        fields.iter().filter(|field| !is_id(field) && !label::given_away(&field.name, &field.label));
    write_words(
        members,
        "labels",
        labelled.map(|field| (field.name.as_str(), clip(&field.label, MOST_LABEL))),
    );
    let described = fields.iter().filter_map(|field| {
        Some((field.name.as_str(), clip(field.description.as_deref()?, MOST_DESCRIPTION)))
    });
    write_words(members, "descriptions", described);
}

fn write_words<'f>(members: &mut Members<'_>, key: &str, words: impl Iterator<Item = (&'f str, String)>) {
    let mut words = words.filter(|(_, words)| !words.is_empty()).peekable();
    if words.peek().is_some() {
        members.object(key, |members| words.for_each(|(name, words)| push_text(members.key(name), &words)));
    }
}
