//! An object a field, with everything that is known of it but for what is usual.

use portolan_schema::Field;

use super::{MOST_DESCRIPTION, MOST_LABEL, some};
use crate::json::{Members, clip};

/// Writes `fields`, a list with the keys of `schema.json`.
pub(super) fn write(members: &mut Members<'_>, fields: &[&Field], words: bool) {
    members.objects("fields", fields, |members, field| write_field(members, field, words));
}

fn write_field(members: &mut Members<'_>, field: &Field, words: bool) {
    members.text("name", &field.name);
    if words {
        members.text("label", &clip(&field.label, MOST_LABEL));
    }
    members.text("type", field.field_type.as_str());
    let shown = some(&field.references);
    if !shown.is_empty() {
        members.texts("references", shown);
    }
    if shown.len() < field.references.len() {
        members.number("referencesCount", field.references.len());
    }
    for (key, value, usual) in [
        ("required", field.required, false),
        ("unique", field.unique, false),
        ("calculated", field.calculated, false),
        ("filterable", field.filterable, true),
        ("sortable", field.sortable, true),
        ("groupable", field.groupable, true),
    ] {
        if value != usual {
            members.flag(key, value);
        }
    }
    for (key, value) in [("length", field.length), ("precision", field.precision), ("scale", field.scale)] {
        if let Some(value) = value {
            members.number(key, value);
        }
    }
    if let Some(code) = &field.currency_field {
        members.text("currencyField", code);
    }
    if let Some(description) = field.description.as_deref().filter(|_| words) {
        members.text("description", &clip(description, MOST_DESCRIPTION));
    }
}
