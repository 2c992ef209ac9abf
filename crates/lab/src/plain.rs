//! Schemas as plain JSON with every key: what a server sends that serialises its structs, and what the
//! answers of the runtime are measured against, in tokens and in time.

use portolan_schema::{BackReference, Field, Object};
use serde::Serialize;

/// An object with every key, whatever its value.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlainObject<'s> {
    name: &'s str,
    label: &'s str,
    description: Option<&'s str>,
    fields: Vec<PlainField<'s>>,
    referenced_by: Vec<String>,
}

#[derive(Serialize)]
struct PlainField<'s> {
    name: &'s str,
    label: &'s str,
    #[serde(rename = "type")]
    field_type: &'s str,
    references: &'s [String],
    required: bool,
    unique: bool,
    calculated: bool,
    length: Option<u32>,
    description: Option<&'s str>,
}

impl<'s> PlainObject<'s> {
    pub(crate) fn new(object: &'s Object, referenced_by: &[BackReference]) -> Self {
        Self {
            name: &object.name,
            label: &object.label,
            description: object.description.as_deref(),
            fields: object.fields.iter().map(PlainField::new).collect(),
            referenced_by: referenced_by.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<'s> PlainField<'s> {
    fn new(field: &'s Field) -> Self {
        Self {
            name: &field.name,
            label: &field.label,
            field_type: field.field_type.as_str(),
            references: &field.references,
            required: field.required,
            unique: field.unique,
            calculated: field.calculated,
            length: field.length,
            description: field.description.as_deref(),
        }
    }
}

/// Objects as one JSON text.
pub(crate) fn plain_json<'s>(objects: impl Iterator<Item = (&'s Object, &'s [BackReference])>) -> String {
    let objects: Vec<_> = objects.map(|(object, back)| PlainObject::new(object, back)).collect();
    serde_json::to_string(&objects).unwrap_or_default()
}
