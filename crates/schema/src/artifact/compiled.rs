//! Profiles with what follows from the schema, so that a runtime need not decode all of it to know.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{ContentHash, Record, count, wire};
use crate::{ClosedSchema, Profile};

/// A profile as the artifact holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledProfile {
    /// The profile.
    pub profile: Profile,
    /// The hash of what its callers see of the schema: of the hashes of the permitted objects' records,
    /// each cut for the profile. Equal exactly where they see the same, whatever else has changed.
    pub content: ContentHash,
    /// By permitted object, how many edges leave or reach it within what is permitted.
    pub connections: BTreeMap<String, u32>,
}

impl CompiledProfile {
    /// Computes what follows from the schema.
    pub(super) fn new(profile: &Profile, schema: &ClosedSchema) -> Self {
        let mut content = Sha256::new();
        let mut connections = BTreeMap::new();
        let mut bytes = Vec::new();
        for name in &profile.objects {
            // One that isn't there is kept, so that reading the artifact refuses it by name.
            let connected = connections.entry(name.clone()).or_insert(0);
            let Some(object) = schema.object(name) else { continue };
            let record =
                Record { object: object.clone(), referenced_by: schema.referenced_by(name).to_vec() };
            let Some(Record { object, referenced_by }) = profile.cut(record) else { continue };
            bytes.clear();
            wire::encode_record(&object, &referenced_by, &mut bytes);
            content.update(ContentHash::of(&bytes).0);
            let references: usize = object.fields.iter().map(|field| field.references.len()).sum();
            *connected = count(references + referenced_by.len());
        }
        Self { profile: profile.clone(), content: ContentHash(content.finalize().into()), connections }
    }
}

impl Profile {
    /// A record as this profile's callers see it: without hidden fields and without links to or from
    /// what they don't see. `None` where the object isn't permitted.
    #[must_use]
    pub fn cut(&self, record: Record) -> Option<Record> {
        let Record { mut object, mut referenced_by } = record;
        if !self.objects.contains(&object.name) {
            return None;
        }
        let hides =
            |object: &str, field: &str| self.hidden.get(object).is_some_and(|fields| fields.contains(field));
        let name = object.name.as_str();
        let gone = |field: &String| hides(name, field);
        object.fields.retain(|field| !gone(&field.name));
        object.id_field = object.id_field.filter(|field| !gone(field));
        object.name_field = object.name_field.filter(|field| !gone(field));
        for field in &mut object.fields {
            field.retain_targets(|target| self.objects.contains(target));
            field.currency_field = field.currency_field.take().filter(|field| !gone(field));
        }
        referenced_by.retain(|back| self.objects.contains(&back.object) && !hides(&back.object, &back.field));
        Some(Record { object, referenced_by })
    }
}
