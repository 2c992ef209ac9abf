//! What is read of an object's and of a field's document.
//!
//! Both have many more elements, a good part of which have children named like what is read here
//! (`label`, `type`, `fullName`): only the elements right below the one that defines something count.
//! Values of picklists stand in five places. None is read: there is no variable that could hold one.

use super::kinds;
use crate::diagnostic::Position;
use crate::ingest::xml::{Fault, Xml};

/// An object as its own document defines it, without its fields.
#[derive(Debug, Default)]
pub(super) struct SourceObject {
    pub(super) label: Option<String>,
    pub(super) description: Option<String>,
}

/// A field as a document defines it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the org, not a state")]
pub(super) struct SourceField {
    /// The API name, not empty.
    pub(super) name: String,
    /// Where it begins, in a document that holds more than this field.
    pub(super) position: Option<Position>,
    pub(super) label: Option<String>,
    /// Empty on many standard fields.
    pub(super) native_type: String,
    pub(super) references: Vec<String>,
    pub(super) relationship_name: Option<String>,
    pub(super) required: bool,
    pub(super) unique: bool,
    pub(super) calculated: bool,
    pub(super) filtering_disabled: bool,
    pub(super) sorting_disabled: bool,
    pub(super) length: Option<u32>,
    pub(super) precision: Option<u32>,
    pub(super) scale: Option<u32>,
    /// A roll-up summary counts records, or sums up this field (`object.field`).
    pub(super) counts: bool,
    pub(super) summed_up: Option<String>,
    /// What people are told about the field …
    pub(super) help: Option<String>,
    /// … and what administrators are.
    pub(super) description: Option<String>,
}

impl SourceField {
    /// The objects it points at. A hierarchy is one of the field's own object, which goes without saying.
    pub(super) fn targets<'a>(&'a self, own_object: &'a str) -> Vec<&'a str> {
        match self.native_type.as_str() {
            "Hierarchy" if self.references.is_empty() => vec![own_object],
            _ => self.references.iter().map(String::as_str).collect(),
        }
    }
}

/// Reads the rest of a `CustomObject`.
pub(super) fn object(xml: &mut Xml<'_>) -> Result<(SourceObject, Vec<SourceField>), Fault> {
    let (mut object, mut fields) = (SourceObject::default(), Vec::new());
    while let Some(element) = xml.child()? {
        match element.name() {
            "label" => object.label = filled(xml.text()?),
            "description" => object.description = filled(xml.text()?),
            "fields" => {
                let position = xml.position();
                fields.push(SourceField { position: Some(position), ..field(xml, None)? });
            }
            "recordTypes" => record_type(xml)?,
            _ => xml.skip()?,
        }
    }
    Ok((object, fields))
}

/// Reads the rest of a `CustomField`, or of the `fields` element of an object. Where it doesn't name
/// itself it has the fallback's name.
pub(super) fn field(xml: &mut Xml<'_>, fallback: Option<&str>) -> Result<SourceField, Fault> {
    let mut field = SourceField::default();
    while let Some(element) = xml.child()? {
        match element.name() {
            "fullName" => field.name = xml.text()?,
            "label" => field.label = filled(xml.text()?),
            "type" => field.native_type = xml.text()?,
            "referenceTo" => field.references.extend(filled(xml.text()?)),
            "required" => field.required = flag(xml)?,
            "unique" => field.unique = flag(xml)?,
            "isFilteringDisabled" => field.filtering_disabled = flag(xml)?,
            "isSortingDisabled" => field.sorting_disabled = flag(xml)?,
            "length" => field.length = number(xml)?,
            "precision" => field.precision = number(xml)?,
            "scale" => field.scale = number(xml)?,
            "summaryOperation" => field.counts = xml.text()? == "count",
            "summarizedField" => field.summed_up = filled(xml.text()?),
            "inlineHelpText" => field.help = filled(xml.text()?),
            "description" => field.description = filled(xml.text()?),
            "formula" => {
                xml.skip()?;
                field.calculated = true;
            }
            "valueSet" => xml.cut_values(&["valueSetDefinition", "value"])?,
            "picklist" => xml.cut_values(&["picklistValues"])?,
            _ => xml.skip()?,
        }
    }
    if field.name.is_empty() {
        fallback.unwrap_or_default().clone_into(&mut field.name);
    }
    if field.name.is_empty() {
        return Err(xml.fault("a field ends without a name"));
    }
    field.calculated |= field.native_type == "Summary";
    field.required |= field.native_type == "MasterDetail";
    field.relationship_name = kinds::relationship_name(&field.name);
    Ok(field)
}

/// A record type narrows picklists down by naming their values once more.
fn record_type(xml: &mut Xml<'_>) -> Result<(), Fault> {
    while let Some(element) = xml.child()? {
        match element.name() {
            "picklistValues" => xml.cut_values(&["values"])?,
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn filled(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// An XML Schema boolean. An empty one says nothing, which means the same as `false` in all that is read.
fn flag(xml: &mut Xml<'_>) -> Result<bool, Fault> {
    match xml.text()?.as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" | "" => Ok(false),
        other => Err(xml.fault(format_args!("'{other}' is neither true nor false"))),
    }
}

fn number(xml: &mut Xml<'_>) -> Result<Option<u32>, Fault> {
    match xml.text()?.as_str() {
        "" => Ok(None),
        text => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(xml.fault(format_args!("'{text}' is not a whole number"))),
        },
    }
}
