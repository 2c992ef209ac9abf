//! An object as it is written into an extract. The format is described in `portolan_schema::native`,
//! whose types only read: they have no place for a picklist's values, and here those are the point.

use std::borrow::Cow;

use serde::Serialize;

/// A name or a label: out of a table, or made up.
pub(super) type Text = Cow<'static, str>;

/// An object of the sample org.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<Text>,
    pub(super) stable_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queryable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_field: Option<Text>,
    pub(super) fields: Vec<Field>,
}

/// A field, with every flag spelt out, as systems that describe themselves do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the org, not a state")]
pub(super) struct Field {
    pub(super) name: Text,
    pub(super) label: Text,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) native_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) references: Vec<&'static str>,
    pub(super) required: bool,
    pub(super) unique: bool,
    pub(super) calculated: bool,
    pub(super) filterable: bool,
    pub(super) sortable: bool,
    pub(super) groupable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) precision: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<u32>,
    #[serde(rename = "currencyField", skip_serializing_if = "Option::is_none")]
    pub(super) currency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) picklist: Option<Vec<PicklistValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Initial>,
}

/// A picklist value.
#[derive(Debug, Serialize)]
pub(super) struct PicklistValue {
    pub(super) value: String,
    /// `null` where nobody gave it one.
    pub(super) label: Option<String>,
    pub(super) active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<bool>,
}

/// What a new record starts with.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Initial {
    Flag(bool),
    Number(u32),
    Value(String),
}
