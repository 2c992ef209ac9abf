//! What every format makes of an object, whatever its vendor calls things: borrowed from the
//! parser's buffer, so that an object nobody asked for is never copied.

use portolan_schema::{Field, FieldType};

/// An object as a format read it.
#[derive(Debug, Default)]
pub struct RawObject<'a> {
    /// The API name, not empty.
    pub name: &'a str,
    /// The label, where the extract has one.
    pub label: Option<&'a str>,
    /// Help text.
    pub description: Option<&'a str>,
    /// An identifier that survives a rename.
    pub stable_id: Option<&'a str>,
    /// `Some(false)` where the org says that nobody can query it.
    pub queryable: Option<bool>,
    /// The field that people recognise a record by.
    pub name_field: Option<&'a str>,
    /// The fields, in the extract's order. `None` in a list of names: the object is known to exist,
    /// and no more.
    pub fields: Option<Vec<RawField<'a>>>,
}

/// A field as a format read it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the org, not a state")]
pub struct RawField<'a> {
    /// The API name.
    pub name: &'a str,
    /// The label, where the extract has one.
    pub label: Option<&'a str>,
    /// The normalised type.
    pub field_type: FieldType,
    /// The vendor's type.
    pub native_type: &'a str,
    /// What it may point at.
    pub references: Vec<&'a str>,
    /// The name under which the source follows this reference.
    pub relationship_name: Option<&'a str>,
    /// See [`Field::required`]; so for the following.
    pub required: bool,
    /// See [`Field::unique`].
    pub unique: bool,
    /// See [`Field::calculated`].
    pub calculated: bool,
    /// See [`Field::filterable`].
    pub filterable: bool,
    /// See [`Field::sortable`].
    pub sortable: bool,
    /// See [`Field::groupable`].
    pub groupable: bool,
    /// See [`Field::length`].
    pub length: Option<u32>,
    /// See [`Field::precision`].
    pub precision: Option<u32>,
    /// See [`Field::scale`].
    pub scale: Option<u32>,
    /// See [`Field::currency_field`].
    pub currency_field: Option<&'a str>,
    /// See [`Field::description`].
    pub description: Option<&'a str>,
    /// See [`Field::stable_id`].
    pub stable_id: Option<&'a str>,
}

impl RawField<'_> {
    /// The field under the name that paths will use, its references not yet closed.
    pub(crate) fn to_field(&self, alias: Option<&str>, with_description: bool) -> Field {
        let owned = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let mut references: Vec<String> = self.references.iter().map(|target| (*target).to_owned()).collect();
        references.sort_unstable();
        references.dedup();
        Field {
            name: alias.unwrap_or(self.name).to_owned(),
            source_name: alias.map(|_| self.name.to_owned()),
            label: label(self.label, self.name),
            field_type: self.field_type,
            native_type: self.native_type.into(),
            references,
            relationship_name: owned(self.relationship_name),
            required: self.required,
            unique: self.unique,
            calculated: self.calculated,
            filterable: self.filterable,
            sortable: self.sortable,
            groupable: self.groupable,
            length: self.length,
            precision: self.precision,
            scale: self.scale,
            currency_field: owned(self.currency_field),
            description: if with_description { owned(self.description) } else { None },
            stable_id: owned(self.stable_id),
        }
    }
}

/// A label as people see it: trimmed, and never empty.
pub(crate) fn label(label: Option<&str>, name: &str) -> String {
    label.map(str::trim).filter(|label| !label.is_empty()).unwrap_or(name).to_owned()
}
