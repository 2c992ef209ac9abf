//! The semantic version of a schema: a function of its content and of the base it is compared with.

use portolan_schema::artifact::{Artifact, ContentHash, decode, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object, Version};

/// The artifact that a build is compared with.
#[derive(Clone, Debug)]
pub struct Base {
    /// How a person names it, for the report.
    pub name: String,
    /// What it holds.
    pub artifact: Artifact,
    /// The hash of that.
    pub content: ContentHash,
}

impl Base {
    /// Decodes an artifact's bytes.
    pub fn decode(name: String, bytes: &[u8]) -> Result<Self, portolan_schema::artifact::ArtifactError> {
        let artifact = decode(bytes)?;
        let content = encode(&artifact).content;
        Ok(Self { name, artifact, content })
    }
}

/// How much a change weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bump {
    /// Nothing that a query could notice.
    Patch,
    /// Something came.
    Minor,
    /// Something that was there is gone, or means something else.
    Major,
}

/// The first version there is.
const FIRST: Version = Version::new(1, 0, 0);

/// The version of a schema with that content.
#[must_use]
pub fn next(base: Option<&Base>, schema: &ClosedSchema, content: ContentHash) -> Version {
    let Some(base) = base else { return FIRST };
    let version = &base.artifact.version;
    if base.content == content {
        return version.clone();
    }
    match weigh(&base.artifact.schema, schema) {
        Bump::Patch => Version::new(version.major, version.minor, version.patch + 1),
        Bump::Minor => Version::new(version.major, version.minor + 1, 0),
        Bump::Major => Version::new(version.major + 1, 0, 0),
    }
}

/// Weighs everything that differs between two schemas: the heaviest change counts.
#[must_use]
pub fn weigh(old: &ClosedSchema, new: &ClosedSchema) -> Bump {
    let objects = old.objects().iter().map(|before| match new.object(&before.name) {
        None => Bump::Major,
        Some(after) => weigh_object(before, after),
    });
    let added = new.objects().iter().any(|object| old.object(&object.name).is_none());
    objects.chain(added.then_some(Bump::Minor)).max().unwrap_or(Bump::Patch)
}

fn weigh_object(old: &Object, new: &Object) -> Bump {
    let unusable = old.queryable && !new.queryable;
    if unusable || old.name_field != new.name_field || old.id_field != new.id_field {
        return Bump::Major;
    }
    let fields = old.fields.iter().map(|before| match new.field(&before.name) {
        None => Bump::Major,
        Some(after) => weigh_field(before, after),
    });
    let added = new.fields.iter().any(|field| old.field(&field.name).is_none());
    fields.chain(added.then_some(Bump::Minor)).max().unwrap_or(Bump::Patch)
}

fn weigh_field(old: &Field, new: &Field) -> Bump {
    weigh_type(old, new).max(weigh_targets(old, new)).max(weigh_abilities(old, new))
}

fn weigh_type(old: &Field, new: &Field) -> Bump {
    match (old.field_type, new.field_type) {
        (before, after) if before == after => Bump::Patch,
        // A plain id that leads somewhere again: nothing that was asked before means something else.
        (FieldType::Id, FieldType::Reference) => Bump::Minor,
        (FieldType::Text, FieldType::Picklist) | (FieldType::Picklist, FieldType::Text) => Bump::Patch,
        _ => Bump::Major,
    }
}

fn weigh_targets(old: &Field, new: &Field) -> Bump {
    let lost = old.references.iter().any(|target| !new.references.contains(target));
    let gained = new.references.len() > old.references.len();
    // A path through a polymorphic reference has to name its target, one through a single one doesn't.
    let becomes_polymorphic = old.references.len() == 1 && new.references.len() > 1;
    match (lost || becomes_polymorphic, gained) {
        (true, _) => Bump::Major,
        (false, true) => Bump::Minor,
        (false, false) => Bump::Patch,
    }
}

fn weigh_abilities(old: &Field, new: &Field) -> Bump {
    let lost = |able: fn(&Field) -> bool| able(old) && !able(new);
    if lost(|field| field.filterable) || lost(|field| field.sortable) || lost(|field| field.groupable) {
        Bump::Major
    } else {
        Bump::Patch
    }
}
