//! Portolan's own extract format: see [`portolan_schema::native`].

use portolan_schema::native::{FORMAT, NativeField, NativeObject};

use serde_json::{Map, Value};

use super::files::Document;
use super::json::{Cut, Layout, Step, each_item, parse};
use super::raw::{RawField, RawObject};
use super::{Format, Head, Intake, Recognised};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) struct Native;

const CUTS: &[Cut] = &[Cut { key: "picklist", picklist: true }, Cut { key: "default", picklist: false }];
const MANY: Layout = Layout { steps: &[Step::Key("objects"), Step::Each], cuts: CUTS, check_root };
const ONE: Layout = Layout { steps: &[Step::Key("object")], cuts: CUTS, check_root };

fn check_root(root: &Map<String, Value>) -> Option<(String, &'static str)> {
    const KEYS: [&str; 3] = ["format", "objects", "object"];
    if let Some(unknown) = root.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let message = format!("unknown field `{unknown}`, expected one of `format`, `objects`, `object`");
        return Some((message, "remove it, or correct its name"));
    }
    let both = root.contains_key("objects") && root.contains_key("object");
    both.then(|| ("it has both 'object' and 'objects'".to_owned(), "keep one of the two"))
}

impl Format for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn recognise(&self, head: &Head) -> Recognised {
        match head.json().and_then(|json| json.text("format")) {
            Some(format) if format.starts_with("portolan-extract/") => Recognised::As("its root says so"),
            _ => Recognised::Unknown,
        }
    }

    fn read(&mut self, document: &mut Document<'_>, head: &Head, intake: &mut Intake<'_>) {
        let json = head.json();
        let format = json.and_then(|json| json.text("format")).unwrap_or_default();
        if format != FORMAT {
            let place = Place::file(document.name.clone());
            return intake.fault(
                Diagnostic::error(format!("its format is '{format}', and this version reads '{FORMAT}'"))
                    .at(place)
                    .help("write the extract in that format, or use a newer Portolan"),
            );
        }
        let layout = if json.is_some_and(|json| json.has("object")) { ONE } else { MANY };
        each_item(document, layout, intake, &mut |item, place, intake| match parse::<NativeObject<'_>>(
            item, &place,
        ) {
            Ok(object) => intake.object(&raw_object(&object), place),
            Err(fault) => intake.fault(fault),
        });
    }
}

fn raw_object<'a>(object: &'a NativeObject<'a>) -> RawObject<'a> {
    RawObject {
        name: &object.name,
        label: object.label.as_deref(),
        description: object.description.as_deref(),
        stable_id: object.stable_id.as_deref(),
        queryable: object.queryable,
        name_field: object.name_field.as_deref(),
        fields: Some(object.fields.iter().map(raw_field).collect()),
    }
}

fn raw_field<'a>(field: &'a NativeField<'a>) -> RawField<'a> {
    RawField {
        name: &field.name,
        label: field.label.as_deref(),
        field_type: field.field_type,
        native_type: field.native_type.as_deref().unwrap_or(field.field_type.as_str()),
        references: field.references.iter().map(AsRef::as_ref).collect(),
        relationship_name: field.relationship_name.as_deref(),
        required: field.required,
        unique: field.unique,
        calculated: field.calculated,
        filterable: field.filterable.unwrap_or(true),
        sortable: field.sortable.unwrap_or(true),
        groupable: field.groupable.unwrap_or(true),
        length: field.length,
        precision: field.precision,
        scale: field.scale,
        currency_field: field.currency_field.as_deref(),
        description: field.description.as_deref(),
        stable_id: field.stable_id.as_deref(),
    }
}
