//! Salesforce's describe results, in the forms in which they are found on disk: the bare REST body,
//! the command line's wrapping of it, an editor's trimmed cache, describeGlobal's list of names, and
//! the composite and batch responses that hold several.
//!
//! Back references come from the forward references alone: `childRelationships` is up to 57% of the
//! bytes, disagrees with the fields, and is not read.
//!
//! Source of the keys: the "sObject Describe", "Describe Global", "Composite" and "Batch" resources
//! of the REST API reference.

use std::borrow::Cow;

use portolan_schema::FieldType;
use portolan_schema::native::Bounded;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::files::Document;
use super::json::{Cut, Kept, Layout, Outline, Step, each_item, parse};
use super::raw::{RawField, RawObject};
use super::{Format, Head, Intake, Recognised};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) struct SalesforceDescribe;

const CUTS: &[Cut] = &[
    Cut { key: "picklistValues", picklist: true },
    Cut { key: "childRelationships", picklist: false },
    Cut { key: "recordTypeInfos", picklist: false },
];

/// Keys that an object's description has at its root and a record doesn't.
const OBJECT_KEYS: &[&str] =
    &["fields", "childRelationships", "keyPrefix", "queryable", "actionOverrides", "labelPlural"];

const FETCH_ONCE_IT_WORKS: &str = "fetch the extract again once the request succeeds";

/// The form of a document: where the objects are, and whether each comes wrapped in a response.
#[derive(Clone, Copy)]
struct Form {
    steps: &'static [Step],
    wrapped: bool,
    why: &'static str,
}

impl Form {
    fn of(json: &Outline) -> Option<Self> {
        use Step::{Each, Key};
        let form = |steps, why| Some(Self { steps, wrapped: false, why });
        let wrapped = |steps, why| Some(Self { steps, wrapped: true, why });
        if json.has("compositeResponse") {
            wrapped(&[Key("compositeResponse"), Each], "the responses of a composite request")
        } else if json.has_any("results[].", &["statusCode", "result"]) {
            wrapped(&[Key("results"), Each], "the responses of a batch request")
        } else if json.has("result.sobjects") {
            form(&[Key("result"), Key("sobjects"), Each], "a list of objects, wrapped by the command line")
        } else if json.has_any("result[].", OBJECT_KEYS) {
            form(&[Key("result"), Each], "a list of describe results, wrapped by the command line")
        } else if json.has_any("result.", OBJECT_KEYS) {
            form(&[Key("result")], "a describe result, wrapped by the command line")
        } else if json.has("sobjects") {
            form(&[Key("sobjects"), Each], "describeGlobal's list of objects")
        } else if json.has_any("[].", OBJECT_KEYS) {
            form(&[Each], "a list of describe results")
        } else if json.has_any("", OBJECT_KEYS) {
            form(&[], "a describe result")
        } else {
            None
        }
    }
}

impl Format for SalesforceDescribe {
    fn name(&self) -> &'static str {
        "salesforce-describe"
    }

    fn recognise(&self, head: &Head) -> Recognised {
        let Some(json) = head.json() else { return Recognised::Unknown };
        match Form::of(json) {
            // A record has attributes; a field of it may well be called 'fields'.
            _ if json.has("attributes.type") && json.has("attributes.url") => {
                Recognised::NoObject("a record, not the metadata of an object")
            }
            Some(form) => Recognised::As(form.why),
            None if json.has_any("records[].", &["attributes"]) => {
                Recognised::NoObject("a query's result, not the metadata of an object")
            }
            None if json.has("status") && json.has("name") && json.has("message") => {
                Recognised::As("an error of the command line")
            }
            None if json.has("[].name") && json.has("[].type") => {
                Recognised::NoObject("a list of names, not the metadata of an object")
            }
            None => Recognised::Unknown,
        }
    }

    fn read(&mut self, document: &mut Document<'_>, head: &Head, intake: &mut Intake<'_>) {
        let Some(json) = head.json() else { return };
        let Some(form) = Form::of(json) else {
            let said =
                format!("{}: {}", json.text("name").unwrap_or("error"), json.text("message").unwrap_or("…"));
            let fault =
                Diagnostic::error(format!("this is an error of the command line, not metadata: {said}"));
            return intake.fault(fault.at(Place::file(document.name.clone())).help(FETCH_ONCE_IT_WORKS));
        };
        let layout = Layout { steps: form.steps, cuts: CUTS, check_root: |_| None };
        each_item(document, layout, intake, &mut |item, place, intake| {
            if form.wrapped {
                read_response(item, place, intake);
            } else {
                match parse::<Described<'_>>(item, &place) {
                    Ok(object) => accept(&object, place, intake),
                    Err(fault) => intake.fault(fault),
                }
            }
        });
    }
}

/// One answer of a composite or batch response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    #[serde(borrow, alias = "result")]
    body: Option<&'a RawValue>,
    #[serde(alias = "statusCode")]
    http_status_code: Option<u16>,
    #[serde(borrow)]
    reference_id: Option<Cow<'a, str>>,
}

fn read_response(item: &Kept, place: Place, intake: &mut Intake<'_>) {
    let response: Response<'_> = match parse(item, &place) {
        Ok(response) => response,
        Err(fault) => return intake.fault(fault),
    };
    let body = response.body.map_or("null", RawValue::get);
    let status = response.http_status_code.unwrap_or(200);
    if status >= 400 {
        let which = response.reference_id.map_or_else(String::new, |id| format!(" '{id}'"));
        let said: String = body.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
        let fault =
            Diagnostic::error(format!("the request{which} was answered with status {status}: {said}"));
        return intake.fault(fault.at(place).help(FETCH_ONCE_IT_WORKS));
    }
    match serde_json::from_str::<Described<'_>>(body) {
        Ok(object) if object.name.is_some() => accept(&object, place, intake),
        Ok(_) => intake.skip(place.to_string(), "a response that describes no object"),
        Err(problem) => intake.fault(Diagnostic::error(problem.to_string()).at(place)),
    }
}

fn accept(object: &Described<'_>, place: Place, intake: &mut Intake<'_>) {
    let currency =
        object.fields.iter().flat_map(|fields| fields.iter()).any(|field| field.name == CURRENCY_CODE);
    let fields = object.fields.as_ref();
    let name_field = fields.and_then(|fields| fields.iter().find(|field| field.name_field == Some(true)));
    let raw = RawObject {
        name: object.name.as_deref().unwrap_or_default(),
        label: object.label.as_deref(),
        description: None,
        stable_id: None,
        queryable: object.queryable,
        name_field: name_field.map(|field| field.name.as_ref()),
        fields: fields.map(|fields| fields.iter().map(|field| raw_field(field, currency)).collect()),
    };
    intake.object(&raw, place);
}

/// The field that names the currency of a record's amounts, in orgs with more than one.
pub(super) const CURRENCY_CODE: &str = "CurrencyIsoCode";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    label: Option<Cow<'a, str>>,
    #[serde(default)]
    queryable: Option<bool>,
    #[serde(borrow, default)]
    fields: Option<Bounded<DescribedField<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedField<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    label: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type", default)]
    native_type: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    reference_to: Option<Bounded<Cow<'a, str>>>,
    #[serde(borrow, default)]
    relationship_name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    inline_help_text: Option<Cow<'a, str>>,
    #[serde(default)]
    nillable: Option<bool>,
    #[serde(default)]
    defaulted_on_create: Option<bool>,
    #[serde(default)]
    unique: Option<bool>,
    #[serde(default)]
    calculated: Option<bool>,
    #[serde(default)]
    filterable: Option<bool>,
    #[serde(default)]
    sortable: Option<bool>,
    #[serde(default)]
    groupable: Option<bool>,
    #[serde(default)]
    name_field: Option<bool>,
    #[serde(default)]
    length: Option<u32>,
    #[serde(default)]
    precision: Option<u32>,
    #[serde(default)]
    scale: Option<u32>,
}

fn raw_field<'a>(field: &'a DescribedField<'a>, has_currency_code: bool) -> RawField<'a> {
    let native_type = field.native_type.as_deref().unwrap_or_default();
    let field_type = field_type(native_type, field);
    let is_number = matches!(field_type, FieldType::Decimal | FieldType::Currency | FieldType::Percent);
    // Booleans are never empty and always have a default, which a trimmed cache doesn't say.
    let defaulted = field.defaulted_on_create.unwrap_or(field_type == FieldType::Boolean);
    RawField {
        name: &field.name,
        label: field.label.as_deref(),
        field_type,
        native_type,
        references: field.reference_to.iter().flat_map(|targets| targets.iter()).map(AsRef::as_ref).collect(),
        relationship_name: field.relationship_name.as_deref(),
        required: field.nillable == Some(false) && !defaulted,
        unique: field.unique == Some(true),
        calculated: field.calculated == Some(true),
        filterable: field.filterable != Some(false),
        sortable: field.sortable != Some(false),
        groupable: field.groupable != Some(false),
        length: field.length.filter(|length| *length > 0),
        precision: field.precision.filter(|_| is_number),
        scale: field.scale.filter(|_| is_number),
        currency_field: (has_currency_code && field_type == FieldType::Currency).then_some(CURRENCY_CODE),
        description: field.inline_help_text.as_deref(),
        stable_id: None,
    }
}

/// Source: the "Field Types" and "Primitive Data Types" of the object reference.
fn field_type(native_type: &str, field: &DescribedField<'_>) -> FieldType {
    match native_type {
        "id" => FieldType::Id,
        // A combobox suggests values but takes any text.
        "string" | "encryptedstring" | "combobox" => FieldType::Text,
        "textarea" if field.filterable != Some(false) && field.length.is_none_or(|length| length <= 255) => {
            FieldType::Text
        }
        "textarea" => FieldType::LongText,
        "int" | "long" => FieldType::Integer,
        "double" => FieldType::Decimal,
        "currency" => FieldType::Currency,
        "percent" => FieldType::Percent,
        "boolean" => FieldType::Boolean,
        "date" => FieldType::Date,
        "datetime" => FieldType::Datetime,
        "time" => FieldType::Time,
        "picklist" => FieldType::Picklist,
        "multipicklist" => FieldType::MultiPicklist,
        "reference" => FieldType::Reference,
        "email" => FieldType::Email,
        "phone" => FieldType::Phone,
        "url" => FieldType::Url,
        "address" => FieldType::Address,
        "location" => FieldType::Geolocation,
        "base64" => FieldType::Binary,
        "json" => FieldType::Json,
        _ => FieldType::Other,
    }
}
