//! The MessagePack of the artifact, format 2. Structs travel as arrays: the order of their members
//! is the format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use semver::Version;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::ByteArray;

use super::{ArtifactError, CompiledProfile, ContentHash, Entry, Header, Index, Record, Section};
use crate::native::MOST_ELEMENTS;
use crate::{BackReference, Field, FieldType, Object, Operand, Profile, RowCondition};

#[derive(Serialize, Deserialize)]
struct WireIndex<'a> {
    version: &'a str,
    content: ByteArray<32>,
    #[serde(borrow)]
    objects: Vec<WireEntry<'a>>,
    profiles: WireSection,
    /// A member of the array in format 2, and none in format 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tasks: Option<WireSection>,
}

#[derive(Serialize, Deserialize)]
struct WireEntry<'a> {
    name: &'a str,
    label: &'a str,
    queryable: bool,
    fields: u32,
    references: u32,
    referenced_by: u32,
    record: WireSection,
}

/// Sections lie one after another, so the length places them.
#[derive(Serialize, Deserialize)]
struct WireSection {
    len: u32,
    hash: ByteArray<32>,
}

/// `F` is [`FieldsOut`] or [`FieldsIn`]: fields go from and to a schema one by one, because a list of
/// them in between would be most of the time that reading a wide object takes.
#[derive(Serialize, Deserialize)]
struct WireRecord<'a, F> {
    name: &'a str,
    label: &'a str,
    description: Option<&'a str>,
    stable_id: Option<&'a str>,
    queryable: bool,
    id_field: Option<&'a str>,
    name_field: Option<&'a str>,
    fields: F,
    #[serde(borrow)]
    referenced_by: Vec<(&'a str, &'a str)>,
}

struct FieldsOut<'a>(&'a [Field]);

impl Serialize for FieldsOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(WireField::new))
    }
}

struct FieldsIn(Vec<Field>);

impl<'de> Deserialize<'de> for FieldsIn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Self(Vec::new()))
    }
}

impl<'de> Visitor<'de> for FieldsIn {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of fields")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut fields: A) -> Result<Self, A::Error> {
        let mut natives: Vec<Arc<str>> = Vec::new();
        // The count is the file's own word: no more than a wide object has is reserved on it.
        self.0.reserve_exact(fields.size_hint().unwrap_or(0).min(1024));
        while let Some(field) = fields.next_element::<WireField<'de>>()? {
            let known = natives.iter().find(|known| known.as_ref() == field.native_type).cloned();
            let native = known.unwrap_or_else(|| {
                let native: Arc<str> = field.native_type.into();
                natives.push(native.clone());
                native
            });
            self.0.push(field.into_field(native).map_err(A::Error::custom)?);
        }
        Ok(self)
    }
}

#[derive(Serialize, Deserialize)]
struct WireField<'a> {
    name: &'a str,
    label: &'a str,
    field_type: u8,
    flags: u8,
    native_type: &'a str,
    #[serde(borrow)]
    references: Vec<&'a str>,
    length: Option<u32>,
    precision: Option<u32>,
    scale: Option<u32>,
    /// Rare ones last and only where there are any: most fields have none of them.
    #[serde(borrow)]
    rare: Option<WireRare<'a>>,
}

#[derive(Serialize, Deserialize)]
struct WireRare<'a> {
    source_name: Option<&'a str>,
    relationship_name: Option<&'a str>,
    currency_field: Option<&'a str>,
    description: Option<&'a str>,
    stable_id: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct WireProfile<'a> {
    name: &'a str,
    content: ByteArray<32>,
    /// Each with its connections.
    #[serde(borrow)]
    objects: Vec<(&'a str, u32)>,
    #[serde(borrow)]
    hidden: WireHidden<'a>,
    #[serde(borrow)]
    rows: WireRows<'a>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct WireCondition<'a> {
    field: &'a str,
    op: &'a str,
    operands: Vec<String>,
}

const REQUIRED: u8 = 1;
const UNIQUE: u8 = 1 << 1;
const CALCULATED: u8 = 1 << 2;
const UNFILTERABLE: u8 = 1 << 3;
const UNSORTABLE: u8 = 1 << 4;
const UNGROUPABLE: u8 = 1 << 5;
const KNOWN_FLAGS: u8 = (1 << 6) - 1;

pub(super) fn encode_index(
    version: &Version,
    content: ContentHash,
    entries: &[Entry],
    profiles: &Section,
    tasks: Option<&Section>,
) -> Vec<u8> {
    let version = version.to_string();
    let index = WireIndex {
        version: &version,
        content: ByteArray::new(content.0),
        objects: entries
            .iter()
            .map(|entry| WireEntry {
                name: &entry.name,
                label: &entry.label,
                queryable: entry.queryable,
                fields: entry.fields,
                references: entry.references,
                referenced_by: entry.referenced_by,
                record: WireSection::new(&entry.record),
            })
            .collect(),
        profiles: WireSection::new(profiles),
        tasks: tasks.map(WireSection::new),
    };
    let mut bytes = Vec::new();
    write(&index, &mut bytes);
    bytes
}

pub(super) fn decode_index(header: Header, bytes: &[u8]) -> Result<Index, ArtifactError> {
    let malformed = |problem: &dyn fmt::Display| ArtifactError::malformed("the index", problem);
    let index: WireIndex<'_> = read(bytes).map_err(|problem| malformed(&problem))?;
    let mut offset = header.index_end() as u64;
    let entries: Vec<Entry> = index
        .objects
        .iter()
        .map(|entry| Entry {
            name: entry.name.to_owned(),
            label: entry.label.to_owned(),
            queryable: entry.queryable,
            fields: entry.fields,
            references: entry.references,
            referenced_by: entry.referenced_by,
            record: entry.record.place(&mut offset),
        })
        .collect();
    // An object has no more fields in any extract that the compiler reads.
    if let Some(entry) = entries.iter().find(|entry| entry.fields as usize > MOST_ELEMENTS) {
        return Err(malformed(&format_args!("'{}' is said to have {} fields", entry.name, entry.fields)));
    }
    if !entries.is_sorted_by(|a, b| a.name < b.name) {
        return Err(malformed(&"objects are not in ascending order of name"));
    }
    let profiles = index.profiles.place(&mut offset);
    let tasks = index.tasks.map(|tasks| tasks.place(&mut offset));
    if tasks.is_none() && header.format != super::v1::FORMAT {
        return Err(malformed(&"it has no tasks"));
    }
    if offset != header.total_len {
        return Err(malformed(&"its parts don't add up to the length of the file"));
    }
    let version: Version = index.version.parse().map_err(|problem: semver::Error| malformed(&problem))?;
    // The next version must exist, too.
    if [version.major, version.minor, version.patch].iter().any(|number| *number > u64::from(u32::MAX)) {
        return Err(malformed(&format_args!("version {version} is out of bounds")));
    }
    Ok(Index { header, version, content: ContentHash(*index.content), entries, profiles, tasks })
}

pub(super) fn encode_record(object: &Object, referenced_by: &[BackReference], bytes: &mut Vec<u8>) {
    let record = WireRecord {
        name: &object.name,
        label: &object.label,
        description: object.description.as_deref(),
        stable_id: object.stable_id.as_deref(),
        queryable: object.queryable,
        id_field: object.id_field.as_deref(),
        name_field: object.name_field.as_deref(),
        fields: FieldsOut(&object.fields),
        referenced_by: referenced_by.iter().map(|back| (back.object.as_str(), back.field.as_str())).collect(),
    };
    write(&record, bytes);
}

pub(super) fn decode_record(bytes: &[u8]) -> Result<Record, String> {
    let record: WireRecord<'_, FieldsIn> = read(bytes)?;
    let fields = record.fields.0;
    if !fields.is_sorted_by(|a, b| a.name < b.name) {
        return Err("its fields are not in ascending order of name".to_owned());
    }
    let referenced_by = record
        .referenced_by
        .into_iter()
        .map(|(object, field)| BackReference { object: object.to_owned(), field: field.to_owned() })
        .collect();
    let object = Object {
        name: record.name.to_owned(),
        label: record.label.to_owned(),
        description: owned(record.description),
        stable_id: owned(record.stable_id),
        queryable: record.queryable,
        id_field: owned(record.id_field),
        name_field: owned(record.name_field),
        fields,
    };
    Ok(Record { object, referenced_by })
}

pub(super) fn encode_profiles(profiles: &[CompiledProfile], bytes: &mut Vec<u8>) {
    let profiles: Vec<WireProfile<'_>> = profiles.iter().map(WireProfile::new).collect();
    write(&profiles, bytes);
}

pub(super) fn decode_profiles(bytes: &[u8]) -> Result<Vec<CompiledProfile>, String> {
    let profiles: Vec<WireProfile<'_>> = read(bytes)?;
    profiles.into_iter().map(WireProfile::into_profile).collect()
}

impl WireSection {
    fn new(section: &Section) -> Self {
        let len = section.range.end - section.range.start;
        Self { len: u32::try_from(len).unwrap_or(u32::MAX), hash: ByteArray::new(section.hash.0) }
    }

    fn place(&self, offset: &mut u64) -> Section {
        let start = *offset;
        *offset += u64::from(self.len);
        Section { range: start..*offset, hash: ContentHash(*self.hash) }
    }
}

impl<'a> WireField<'a> {
    fn new(field: &'a Field) -> Self {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let rare = WireRare {
            source_name: field.source_name.as_deref(),
            relationship_name: field.relationship_name.as_deref(),
            currency_field: field.currency_field.as_deref(),
            description: field.description.as_deref(),
            stable_id: field.stable_id.as_deref(),
        };
        Self {
            name: &field.name,
            label: &field.label,
            field_type: field.field_type.code(),
            flags: flag(field.required, REQUIRED)
                | flag(field.unique, UNIQUE)
                | flag(field.calculated, CALCULATED)
                | flag(!field.filterable, UNFILTERABLE)
                | flag(!field.sortable, UNSORTABLE)
                | flag(!field.groupable, UNGROUPABLE),
            native_type: &field.native_type,
            references: field.references.iter().map(String::as_str).collect(),
            length: field.length,
            precision: field.precision,
            scale: field.scale,
            rare: rare.any().then_some(rare),
        }
    }

    fn into_field(self, native_type: Arc<str>) -> Result<Field, String> {
        let field_type = FieldType::from_code(self.field_type)
            .ok_or_else(|| format!("field '{}' has an unknown type ({})", self.name, self.field_type))?;
        if self.flags & !KNOWN_FLAGS != 0 {
            return Err(format!("field '{}' has unknown flags ({:#b})", self.name, self.flags));
        }
        let is = |bit: u8| self.flags & bit != 0;
        let rare = self.rare;
        let rare = |member: fn(&WireRare<'a>) -> Option<&'a str>| owned(rare.as_ref().and_then(member));
        Ok(Field {
            name: self.name.to_owned(),
            source_name: rare(|rare| rare.source_name),
            label: self.label.to_owned(),
            field_type,
            native_type,
            references: self.references.into_iter().map(str::to_owned).collect(),
            relationship_name: rare(|rare| rare.relationship_name),
            required: is(REQUIRED),
            unique: is(UNIQUE),
            calculated: is(CALCULATED),
            filterable: !is(UNFILTERABLE),
            sortable: !is(UNSORTABLE),
            groupable: !is(UNGROUPABLE),
            length: self.length,
            precision: self.precision,
            scale: self.scale,
            currency_field: rare(|rare| rare.currency_field),
            description: rare(|rare| rare.description),
            stable_id: rare(|rare| rare.stable_id),
        })
    }
}

impl WireRare<'_> {
    const fn any(&self) -> bool {
        self.source_name.is_some()
            || self.relationship_name.is_some()
            || self.currency_field.is_some()
            || self.description.is_some()
            || self.stable_id.is_some()
    }
}

impl<'a> WireProfile<'a> {
    fn new(compiled: &'a CompiledProfile) -> Self {
        let CompiledProfile { profile, content, connections } = compiled;
        Self {
            name: &profile.name,
            content: ByteArray::new(content.0),
            objects: connections.iter().map(|(object, count)| (object.as_str(), *count)).collect(),
            hidden: hidden_out(&profile.hidden),
            rows: rows_out(&profile.rows),
        }
    }

    fn into_profile(self) -> Result<CompiledProfile, String> {
        let connections: BTreeMap<_, _> =
            self.objects.into_iter().map(|(object, count)| (object.to_owned(), count)).collect();
        let profile = Profile {
            name: self.name.to_owned(),
            objects: connections.keys().cloned().collect(),
            hidden: hidden_in(self.hidden),
            rows: rows_in(self.rows).map_err(|problem| format!("profile '{}': {problem}", self.name))?,
        };
        Ok(CompiledProfile { profile, content: ContentHash(*self.content), connections })
    }
}

/// By object, the hidden fields.
pub(super) type WireHidden<'a> = Vec<(&'a str, Vec<&'a str>)>;
/// By object, the row rules.
pub(super) type WireRows<'a> = Vec<(&'a str, Vec<WireCondition<'a>>)>;

pub(super) fn hidden_out(hidden: &BTreeMap<String, BTreeSet<String>>) -> WireHidden<'_> {
    hidden
        .iter()
        .map(|(object, fields)| (object.as_str(), fields.iter().map(String::as_str).collect()))
        .collect()
}

pub(super) fn hidden_in(hidden: WireHidden<'_>) -> BTreeMap<String, BTreeSet<String>> {
    hidden
        .into_iter()
        .map(|(object, fields)| (object.to_owned(), fields.into_iter().map(str::to_owned).collect()))
        .collect()
}

pub(super) fn rows_out(rows: &BTreeMap<String, Vec<RowCondition>>) -> WireRows<'_> {
    rows.iter()
        .map(|(object, conditions)| (object.as_str(), conditions.iter().map(WireCondition::new).collect()))
        .collect()
}

pub(super) fn rows_in(rows: WireRows<'_>) -> Result<BTreeMap<String, Vec<RowCondition>>, String> {
    rows.into_iter()
        .map(|(object, conditions)| {
            let conditions = conditions.into_iter().map(WireCondition::into_condition);
            Ok((object.to_owned(), conditions.collect::<Result<_, _>>()?))
        })
        .collect()
}

impl<'a> WireCondition<'a> {
    fn new(condition: &'a RowCondition) -> Self {
        Self {
            field: &condition.field,
            op: condition.op.as_str(),
            operands: condition.operands.iter().map(Operand::to_text).collect(),
        }
    }

    fn into_condition(self) -> Result<RowCondition, String> {
        let op = self.op.parse().map_err(|()| format!("unknown operator '{}'", self.op))?;
        let operands = self.operands.iter().map(|text| Operand::parse(text)).collect();
        Ok(RowCondition { field: self.field.to_owned(), op, operands })
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

pub(super) fn write(value: &impl Serialize, bytes: &mut Vec<u8>) {
    // Writing into memory has no way to fail: every length is known and nothing is keyed by a non-string.
    let written = value.serialize(&mut rmp_serde::Serializer::new(&mut *bytes));
    debug_assert!(written.is_ok(), "{written:?}");
}

pub(super) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let mut reader = rmp_serde::Deserializer::from_read_ref(bytes);
    let value = T::deserialize(&mut reader).map_err(|problem| problem.to_string())?;
    Ok(value)
}
