//! Salesforce's source as developers keep it: an object's own file, a file a field, in as many package
//! directories as a project has; and the older metadata API format, one `.object` file an object.
//!
//! Such source says less than a describe result does. Standard fields stand in it only where somebody
//! changed them, often without label and type, and what every object has (`Id`, `CreatedDate`) never.
//! Its objects are spread over many files, so they are collected and handed on after the last one.
//!
//! Source of the elements: `CustomObject` and `CustomField` in the Metadata API developer guide.

mod kinds;
mod parse;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::sync::Arc;

use portolan_schema::FieldType;
use portolan_schema::native::MOST_ELEMENTS;

use self::parse::{SourceField, SourceObject};
use super::files::Document;
use super::raw::{RawField, RawObject};
use super::salesforce_describe::CURRENCY_CODE;
use super::xml::{Fault, Xml};
use super::{FETCH_AGAIN, Format, Head, Intake, Recognised, invalid_utf8};
use crate::diagnostic::{Diagnostic, Place};

/// What one document may hold: it is read as a whole, and an `.object` file of 800 fields takes about one MiB.
const MOST_BYTES: u64 = 32 << 20;

/// The objects found so far, by API name.
#[derive(Default)]
pub(super) struct SalesforceDx {
    objects: BTreeMap<String, Collected>,
}

/// What the documents read so far say about one object.
#[derive(Default)]
struct Collected {
    /// Its own file. A package that extends another's object has none.
    own: Option<(SourceObject, Place)>,
    fields: BTreeMap<String, (SourceField, Place)>,
    /// The file of the field that was found first.
    first_field: Option<Place>,
}

impl Format for SalesforceDx {
    fn name(&self) -> &'static str {
        "salesforce-dx"
    }

    fn recognise(&self, head: &Head) -> Recognised {
        match head.xml_root() {
            Some("CustomObject") => Recognised::As("the root element CustomObject"),
            Some("CustomField") => Recognised::As("the root element CustomField"),
            Some(other) => kinds::no_object(other).map_or(Recognised::Unknown, Recognised::NoObject),
            None => Recognised::Unknown,
        }
    }

    fn read(&mut self, document: &mut Document<'_>, _head: &Head, intake: &mut Intake<'_>) {
        match document.text(MOST_BYTES) {
            Ok(text) => self.read_text(&document.name, &document.path, &text, intake),
            Err(problem) => intake.fault(unreadable(&problem).at(Place::file(document.name.clone()))),
        }
    }

    fn finish(&mut self, intake: &mut Intake<'_>) {
        for (name, collected) in &self.objects {
            if let Some(place) = collected.place() {
                intake.object(&self.raw_object(name, collected), place.clone());
            }
        }
        self.objects.clear();
    }
}

impl SalesforceDx {
    fn read_text(&mut self, file: &Arc<str>, path: &str, text: &str, intake: &mut Intake<'_>) {
        let mut xml = Xml::new(text);
        let read = self.read_root(&mut xml, file, path, intake);
        intake.cut(xml.cut());
        if let Err(fault) = read {
            let place = Place::file(file.clone()).position(fault.position);
            intake.fault(Diagnostic::error(fault.message).at(place).help(FETCH_AGAIN));
        }
    }

    /// Collects what a document defines once all of it turned out to be sound.
    fn read_root(
        &mut self,
        xml: &mut Xml<'_>,
        file: &Arc<str>,
        path: &str,
        intake: &mut Intake<'_>,
    ) -> Result<(), Fault> {
        let Some(root) = xml.child()? else { return Err(xml.fault("there is no element in it")) };
        match root.name() {
            "CustomObject" => {
                let (object, fields) = parse::object(xml)?;
                xml.end()?;
                self.own_file(object, fields, file, path, intake);
            }
            "CustomField" => {
                let field = parse::field(xml, Some(stem(path)))?;
                xml.end()?;
                self.field_file(field, file, path, intake);
            }
            other => return Err(xml.fault(format_args!("<{other}> is neither an object nor a field"))),
        }
        Ok(())
    }

    fn own_file(
        &mut self,
        object: SourceObject,
        fields: Vec<SourceField>,
        file: &Arc<str>,
        path: &str,
        intake: &mut Intake<'_>,
    ) {
        // Only source format keeps an object in a folder of its own.
        let name = object_folder(path).filter(|_| !path.ends_with(".object")).unwrap_or_else(|| stem(path));
        let place = Place::file(file.clone());
        let collected = self.objects.entry(name.to_owned()).or_default();
        if let Some((_, first)) = &collected.own {
            // Its fields would all be there twice as well, which says nothing more.
            return intake.fault(twice(&format!("the object '{name}'"), first, place));
        }
        collected.own = Some((object, place));
        for field in fields {
            collected.add(name, field, file, intake);
        }
    }

    fn field_file(&mut self, field: SourceField, file: &Arc<str>, path: &str, intake: &mut Intake<'_>) {
        match object_folder(path) {
            Some(object) => self.objects.entry(object.to_owned()).or_default().add(object, field, file, intake),
            None => intake.fault(
                Diagnostic::error(format!("no folder says which object the field '{}' belongs to", field.name))
                    .at(Place::file(file.clone()))
                    .help("keep it as objects/<object>/fields/<field>.field-meta.xml, and name a folder above 'objects'"),
            ),
        }
    }

    fn raw_object<'a>(&'a self, name: &'a str, collected: &'a Collected) -> RawObject<'a> {
        let own = collected.own.as_ref().map(|(object, _)| object);
        let currency = collected.fields.contains_key(CURRENCY_CODE);
        RawObject {
            name,
            label: own.and_then(|object| object.label.as_deref()),
            description: own.and_then(|object| object.description.as_deref()),
            stable_id: None,
            // Subscribers receive platform events; nobody queries them.
            queryable: name.ends_with("__e").then_some(false),
            name_field: collected.fields.contains_key(NAME).then_some(NAME),
            fields: Some(
                collected.fields.values().map(|(field, _)| self.raw_field(field, name, currency)).collect(),
            ),
        }
    }

    fn raw_field<'a>(
        &self,
        field: &'a SourceField,
        object: &'a str,
        has_currency_code: bool,
    ) -> RawField<'a> {
        let field_type = self.field_type(field);
        let is_reference = field_type == FieldType::Reference;
        let is_number = matches!(field_type, FieldType::Decimal | FieldType::Currency | FieldType::Percent);
        let is_long = field_type == FieldType::LongText;
        // No condition, order or group takes an encrypted text.
        let is_opaque = is_long || field.native_type == "EncryptedText";
        RawField {
            name: &field.name,
            label: field.label.as_deref(),
            field_type,
            native_type: &field.native_type,
            references: if is_reference { field.targets(object) } else { Vec::new() },
            relationship_name: field.relationship_name.as_deref().filter(|_| is_reference),
            required: field.required,
            unique: field.unique,
            calculated: field.calculated,
            filterable: !is_opaque && !field.filtering_disabled,
            sortable: !is_opaque && !field.sorting_disabled,
            groupable: !is_opaque,
            length: field.length.filter(|length| *length > 0),
            precision: field.precision.filter(|_| is_number),
            scale: field.scale.filter(|_| is_number),
            currency_field: (has_currency_code && field_type == FieldType::Currency).then_some(CURRENCY_CODE),
            description: field.help.as_deref().or(field.description.as_deref()),
            stable_id: None,
        }
    }

    /// A roll-up summary counts records, or has the type of what it sums up: the sum of amounts is an
    /// amount, the latest of dates a date. Where that field is in no file, a number.
    fn field_type(&self, field: &SourceField) -> FieldType {
        if field.native_type != "Summary" {
            return kinds::field_type(&field.native_type, !field.references.is_empty());
        }
        if field.counts {
            return FieldType::Integer;
        }
        let summed_up = field.summed_up.as_deref().and_then(|path| path.split_once('.'));
        let summed_up = summed_up.and_then(|(object, name)| self.objects.get(object)?.fields.get(name));
        match summed_up.map(|(field, _)| kinds::field_type(&field.native_type, false)) {
            Some(
                of @ (FieldType::Currency
                | FieldType::Percent
                | FieldType::Date
                | FieldType::Datetime
                | FieldType::Time),
            ) => of,
            _ => FieldType::Decimal,
        }
    }
}

/// The field that a record is recognised by, in every object that has it.
const NAME: &str = "Name";

impl Collected {
    fn add(&mut self, object: &str, field: SourceField, file: &Arc<str>, intake: &mut Intake<'_>) {
        let place = Place { position: field.position, ..Place::file(file.clone()) };
        if self.fields.len() == MOST_ELEMENTS {
            let fault = Diagnostic::error(format!("'{object}' has more than {MOST_ELEMENTS} fields"));
            return intake.fault(fault.at(place));
        }
        self.first_field.get_or_insert_with(|| Place::file(file.clone()));
        match self.fields.entry(field.name.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((field, place));
            }
            Entry::Occupied(entry) => {
                let (_, first) = entry.get();
                intake.fault(twice(&format!("the field '{object}.{}'", field.name), first, place));
            }
        }
    }

    fn place(&self) -> Option<&Place> {
        self.own.as_ref().map(|(_, place)| place).or(self.first_field.as_ref())
    }
}

fn twice(what: &str, first: &Place, second: Place) -> Diagnostic {
    Diagnostic::error(format!("{what} is defined twice: here and in {first}"))
        .at(second)
        .help("take one of the two out of the extract")
}

fn unreadable(problem: &io::Error) -> Diagnostic {
    if problem.kind() == io::ErrorKind::InvalidData {
        return invalid_utf8();
    }
    Diagnostic::error(format!("the file can't be read: {problem}"))
}

/// The folder of an object: the one right below the last folder `objects`.
fn object_folder(path: &str) -> Option<&str> {
    let (folders, _file) = path.rsplit_once('/')?;
    let below = match folders.rfind("/objects/") {
        Some(at) => folders.get(at + "/objects/".len()..),
        None => folders.strip_prefix("objects/"),
    };
    below?.split('/').find(|folder| !folder.is_empty())
}

/// A file's name before its first dot: API names have none, and endings pile up (`.object.gz`).
fn stem(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.split('.').next().unwrap_or_default()
}
