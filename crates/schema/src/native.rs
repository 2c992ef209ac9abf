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
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

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
    pub fields: Bounded<NativeField<'a>>,
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
    pub references: Bounded<Cow<'a, str>>,
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

/// A list that is no longer than lists in metadata are: [`MOST_ELEMENTS`]. Parsed elements take a hundred
/// times the room of their shortest text, so a bound on a file's size is none on memory.
#[derive(Debug)]
pub struct Bounded<T>(Vec<T>);

/// Ten times the fields of the widest objects that vendors allow.
pub const MOST_ELEMENTS: usize = 10_000;

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for Bounded<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Bounded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

struct BoundedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<T> {
    type Value = Bounded<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Bounded<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            if list.len() == MOST_ELEMENTS {
                return Err(A::Error::custom(format_args!("a list of more than {MOST_ELEMENTS} elements")));
            }
            list.push(element);
        }
        Ok(Bounded(list))
    }
}

fn field_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FieldType, D::Error> {
    let name = Cow::<str>::deserialize(deserializer)?;
    name.parse().map_err(|unknown| {
        let known: Vec<_> = FieldType::ALL.iter().map(|kind| kind.as_str()).collect();
        D::Error::custom(format_args!("{unknown}; it is one of {}", known.join(", ")))
    })
}
