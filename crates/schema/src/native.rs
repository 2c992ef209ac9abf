//! Portolan's own extract format, for orgs whose system no other format covers, and the one that
//! `portolan extract` writes.
//!
//! A file is one JSON document:
//!
//! ```json
//! { "format": "portolan-extract/1",
//!   "objects": [
//!     { "name": "contact", "label": "Contact", "nameField": "name",
//!       "fields": [
//!         { "name": "id", "label": "Contact ID", "type": "id", "required": true },
//!         { "name": "name", "label": "Full Name", "type": "text", "length": 120 },
//!         { "name": "account", "label": "Account", "type": "reference", "references": ["account"] },
//!         { "name": "status", "label": "Status", "type": "picklist",
//!           "picklist": [ { "value": "active", "label": "Active" } ] } ] } ] }
//! ```
//!
//! or, in a folder of files, one object each under the key `object`. `format` comes before the
//! objects. Keys that aren't listed in `docs/native-extract.schema.json` are errors: a misspelt key
//! that is silently ignored is a fact silently lost.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::FieldType;

/// The value of the root's `format`. Raise the number with a change that older readers misread.
pub const FORMAT: &str = "portolan-extract/1";

/// An object as it stands in an extract.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NativeObject<'a> {
    /// The API name. Absent only in a faulty extract, which is reported with the place.
    #[serde(borrow, default)]
    pub name: Cow<'a, str>,
    /// The label; absent: the name.
    #[serde(borrow, default)]
    pub label: Option<Cow<'a, str>>,
    /// Help text.
    #[serde(borrow, default)]
    pub description: Option<Cow<'a, str>>,
    /// An identifier that survives a rename.
    #[serde(borrow, default)]
    pub stable_id: Option<Cow<'a, str>>,
    /// Absent: queryable.
    #[serde(default)]
    pub queryable: Option<bool>,
    /// The field whose value people recognise a record by.
    #[serde(borrow, default)]
    pub name_field: Option<Cow<'a, str>>,
    /// The fields.
    #[serde(borrow, default)]
    pub fields: Vec<NativeField<'a>>,
}

/// A field as it stands in an extract.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NativeField<'a> {
    /// The API name.
    #[serde(borrow, default)]
    pub name: Cow<'a, str>,
    /// The label; absent: the name.
    #[serde(borrow, default)]
    pub label: Option<Cow<'a, str>>,
    /// The normalised type.
    #[serde(rename = "type", deserialize_with = "field_type")]
    pub field_type: FieldType,
    /// The type's name in the system it comes from; absent: that of `type`.
    #[serde(borrow, default)]
    pub native_type: Option<Cow<'a, str>>,
    /// The objects it may point at.
    #[serde(borrow, default)]
    pub references: Vec<Cow<'a, str>>,
    /// The name under which the source follows this reference.
    #[serde(borrow, default)]
    pub relationship_name: Option<Cow<'a, str>>,
    /// A record can't be saved without a value given for it.
    #[serde(default)]
    pub required: bool,
    /// No two records share a value.
    #[serde(default)]
    pub unique: bool,
    /// The source computes it.
    #[serde(default)]
    pub calculated: bool,
    /// Absent: filterable.
    #[serde(default)]
    pub filterable: Option<bool>,
    /// Absent: sortable.
    #[serde(default)]
    pub sortable: Option<bool>,
    /// Absent: groupable.
    #[serde(default)]
    pub groupable: Option<bool>,
    /// The longest text it takes, in characters.
    #[serde(default)]
    pub length: Option<u32>,
    /// Significant decimal digits.
    #[serde(default)]
    pub precision: Option<u32>,
    /// Digits after the decimal point.
    #[serde(default)]
    pub scale: Option<u32>,
    /// The field of the same object that holds this amount's currency code.
    #[serde(borrow, default)]
    pub currency_field: Option<Cow<'a, str>>,
    /// Help text.
    #[serde(borrow, default)]
    pub description: Option<Cow<'a, str>>,
    /// An identifier that survives a rename.
    #[serde(borrow, default)]
    pub stable_id: Option<Cow<'a, str>>,
    /// The place of the values, which are never read.
    #[serde(default)]
    pub picklist: Option<IgnoredAny>,
    /// The place of the default value, which is never read: it can be a picklist's.
    #[serde(default)]
    pub default: Option<IgnoredAny>,
}

fn field_type<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<FieldType, D::Error> {
    let name = Cow::<str>::deserialize(deserializer)?;
    name.parse().map_err(|unknown| {
        let known: Vec<_> = FieldType::ALL.iter().map(|kind| kind.as_str()).collect();
        serde::de::Error::custom(format_args!("{unknown}; it is one of {}", known.join(", ")))
    })
}
