//! From a blueprint to an object with all its fields. Each object draws from a stream of its own,
//! named after it, so that its bytes don't depend on which objects stand before it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::blueprint::{Blueprint, Invention};
use super::invent::Invented;
use super::rng::Rng;
use super::spec::{Kind, Shape, Spec};
use super::wire::{Field, Initial, Object, PicklistValue, Text};
use super::words::{HELP_ENDINGS, HELP_OPENINGS};

/// Where references outside the allowlist lead, the most frequent ones repeated. The last is in no
/// extract: the org's metadata still names an object that it lost.
const OUTSIDE: &[&str] = &[
    "content_document",
    "content_document",
    "content_document",
    "record_type",
    "record_type",
    "record_type",
    "asset",
    "asset",
    "report",
    "mdm_identifier",
    "approval_process",
    "legacy_account",
];

/// The field that holds the currency of an object's amounts, where it has one.
const CURRENCY_FIELD: &str = "currency_code";

/// How many fields in a hundred have a help text: of those that people made, and of those that the
/// system did.
const EXPLAINED: u32 = 90;
const UNEXPLAINED: u32 = 0;

/// The object that a blueprint describes.
pub(super) fn object(blueprint: &Blueprint, seed: u64) -> Object {
    let mut rng = Rng::named(seed, &blueprint.name);
    let mut draft = Draft {
        fields: Vec::new(),
        taken: reserved(blueprint),
        parent: blueprint.parent,
        currency: blueprint.own.iter().map(|spec| spec.name).find(|name| *name == CURRENCY_FIELD),
    };
    draft.list(&[Spec::new("id", "Record ID", Kind::Id).required().unique()], UNEXPLAINED, &mut rng);
    draft.list(blueprint.own, EXPLAINED, &mut rng);
    let inventions = match blueprint.invented {
        Invention::UpTo(all) => all.saturating_sub(draft.count()),
        Invention::Between(fewest, most) => rng.between(fewest, most),
    };
    for _ in 0..inventions {
        draft.invent(&mut rng);
    }
    for specs in blueprint.bookkeeping {
        draft.list(specs, UNEXPLAINED, &mut rng);
    }
    Object {
        name: blueprint.name.clone(),
        label: blueprint.label.clone(),
        description: rng.chance(40).then(|| help(&blueprint.label, &mut rng)),
        stable_id: stable_id(&mut rng),
        queryable: (!blueprint.queryable).then_some(false),
        name_field: blueprint.name_field.map(Cow::Borrowed),
        fields: draft.fields,
    }
}

/// The names that no invented field may take, in lower case: an SQL database that holds the records
/// doesn't tell `Tier__c` from `tier__c`.
fn reserved(blueprint: &Blueprint) -> BTreeSet<String> {
    let listed = blueprint.bookkeeping.iter().copied().chain([blueprint.own]).flatten();
    listed.map(|spec| spec.name.to_ascii_lowercase()).collect()
}

/// An object's fields as they come together.
struct Draft {
    fields: Vec<Field>,
    taken: BTreeSet<String>,
    parent: Option<&'static str>,
    currency: Option<&'static str>,
}

impl Draft {
    fn count(&self) -> u32 {
        u32::try_from(self.fields.len()).unwrap_or(u32::MAX)
    }

    /// Adds the fields that a catalogue lists.
    fn list(&mut self, specs: &[Spec], explained: u32, rng: &mut Rng) {
        for spec in specs {
            let field = self.field(spec.name.into(), spec.label.into(), spec.kind, explained, rng);
            self.fields.push(Field {
                required: spec.required,
                unique: spec.unique,
                calculated: spec.calculated,
                description: spec.help.map(Cow::Borrowed).or(field.description),
                ..field
            });
        }
    }

    /// Adds a field that no catalogue lists, under a name that isn't taken.
    fn invent(&mut self, rng: &mut Rng) {
        let mut invented = Invented::draw(rng);
        while !self.taken.insert(invented.name.to_ascii_lowercase()) {
            invented = Invented::draw(rng);
        }
        let Invented { name, label, kind } = invented;
        let field = self.field(name, label, kind, EXPLAINED, rng);
        self.fields.push(Field {
            required: rng.chance(4),
            unique: matches!(kind, Kind::Text(_)) && rng.chance(3),
            calculated: is_number(kind) && rng.chance(25),
            ..field
        });
    }

    fn field(&self, name: Text, label: Text, kind: Kind, explained: u32, rng: &mut Rng) -> Field {
        let Shape { field_type, native, length, precision, scale, filterable, sortable, groupable } =
            kind.shape();
        let field_type = field_type.as_str();
        let references = match kind {
            Kind::Reference(targets) => targets.to_vec(),
            Kind::Parent => self.parent.into_iter().collect(),
            Kind::OutsideReference => vec![rng.pick(OUTSIDE)],
            _ => Vec::new(),
        };
        let picklist = match kind {
            Kind::Picklist(values) | Kind::MultiPicklist(values) => Some(values.draw(rng)),
            _ => None,
        };
        Field {
            description: rng.chance(explained).then(|| help(&label, rng)),
            default: initial(kind, picklist.as_deref(), rng),
            name,
            label,
            kind: field_type,
            native_type: (native != field_type).then_some(native),
            references,
            required: false,
            unique: false,
            calculated: false,
            filterable,
            sortable,
            groupable,
            length,
            precision,
            scale,
            currency: self.currency.filter(|_| matches!(kind, Kind::Currency)),
            picklist,
        }
    }
}

const fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Decimal | Kind::Currency | Kind::Percent)
}

fn initial(kind: Kind, picklist: Option<&[PicklistValue]>, rng: &mut Rng) -> Option<Initial> {
    match kind {
        Kind::Boolean => rng.chance(60).then(|| Initial::Flag(rng.chance(20))),
        Kind::Integer => rng.chance(15).then_some(Initial::Number(0)),
        Kind::Picklist(_) => {
            let value = picklist.and_then(<[_]>::first).filter(|_| rng.chance(20))?;
            Some(Initial::Value(value.value.clone()))
        }
        _ => None,
    }
}

fn help(label: &str, rng: &mut Rng) -> Text {
    let (opening, ending) = (rng.pick(HELP_OPENINGS), rng.pick(HELP_ENDINGS));
    Cow::Owned(format!("{opening} \"{label}\". {ending}"))
}

/// Eighteen characters, in the manner of systems whose ids survive a rename.
fn stable_id(rng: &mut Rng) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let drawn = (0..15).map(|_| char::from(rng.pick(DIGITS)));
    "01I".chars().chain(drawn).collect()
}
