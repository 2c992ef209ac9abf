//! A small org whose records have everything that makes sources differ.

use std::sync::Arc;

use chrono::{TimeZone as _, Utc};
use portolan_runtime::query::{Reference, Value};
use portolan_runtime::{Caller, Memory, Record, RecordSource, Schema, Session};
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object, Operand, Profile, RowCondition, RowOp};

/// What the records of a world may hold, so that a way of storing them can hold it too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// Texts may be empty.
    pub(super) empty_texts: bool,
    /// Moments have microseconds, not just milliseconds.
    pub(super) microseconds: bool,
    /// Numbers have more digits than a binary number holds, or zeros at their end.
    pub(super) long_numbers: bool,
}

/// The objects' names, with how many records each has.
pub(super) const OBJECTS: [(&str, usize); 4] = [("user", 12), ("queue", 4), ("account", 60), ("deal", 160)];

/// Objects with integer identifiers.
pub(super) const NUMBERED: &str = "account";

pub(super) const TEXTS: [&str; 17] = [
    "Acme",
    "acme",
    "ACME ",
    "Ácme",
    "A\u{301}cme",
    "Straße",
    "STRASSE",
    "İstanbul",
    "北京",
    "😀 ok",
    "",
    "a%b_c\\",
    "O'Neil \"x\"",
    "line\nbreak\u{1}",
    "42",
    "1.0",
    "Ｗｉｄｅ",
];
pub(super) const NUMBERS: [&str; 13] = [
    "0",
    "0.1",
    "0.3",
    "-5",
    "1000",
    "811",
    "2152.00",
    "811.0",
    "12345678901234567890.123",
    "-0.05",
    "9007199254740993",
    "0.30",
    "99999",
];
pub(super) const DAYS: [&str; 8] = [
    "0001-01-01",
    "1969-12-31",
    "2024-02-29",
    "2026-01-31",
    "2026-03-29",
    "2026-10-15",
    "2026-11-30",
    "9999-12-31",
];
pub(super) const MOMENTS: [&str; 8] = [
    "1969-12-31T23:59:59.5Z",
    "2026-03-29T01:00:00Z",
    "2026-10-14T18:29:59.999999Z",
    "2026-10-14T18:30:00Z",
    "2026-11-29T18:30:00Z",
    "2026-11-29T18:29:59.999Z",
    "2026-11-30T03:30:00.000001Z",
    "2026-11-30T03:30:00Z",
];
pub(super) const TIMES: [&str; 4] = ["00:00:00", "09:30:00", "14:05:00.250", "23:59:59"];
pub(super) const PICKED: [&str; 5] = ["West", "East", "west", "Nord-Ost", "Süd"];

pub(super) fn fields(object: &str) -> Vec<Field> {
    let field = |name: &str, field_type| Field { label: name.to_owned(), ..Field::new(name, field_type) };
    let to = |name: &str, targets: &[&str]| Field {
        references: targets.iter().map(|target| (*target).to_owned()).collect(),
        ..field(name, FieldType::Reference)
    };
    let mut fields = vec![field("id", FieldType::Id), field("name", FieldType::Text)];
    fields.extend(match object {
        "user" => vec![
            field("email", FieldType::Email),
            to("manager", &["user"]),
            field("active", FieldType::Boolean),
        ],
        "account" => vec![
            field("order", FieldType::Text),
            field("region", FieldType::Picklist),
            to("owner", &["queue", "user"]),
            to("parent", &["account"]),
            field("topics", FieldType::MultiPicklist),
            field("revenue", FieldType::Currency),
            field("size", FieldType::Integer),
        ],
        "deal" => vec![
            to("account", &["account"]),
            to("owner", &["queue", "user"]),
            field("group", FieldType::Text),
            field("stage", FieldType::Picklist),
            field("amount", FieldType::Decimal),
            field("closes", FieldType::Date),
            field("created", FieldType::Datetime),
            field("at", FieldType::Time),
            field("won", FieldType::Boolean),
            field("body", FieldType::LongText),
            field("contract", FieldType::Binary),
        ],
        _ => Vec::new(),
    });
    fields
}

pub(super) fn schema() -> Schema {
    let object = |name: &str| Object {
        name: name.to_owned(),
        label: name.to_owned(),
        queryable: true,
        id_field: Some("id".to_owned()),
        name_field: Some("name".to_owned()),
        fields: fields(name),
        ..Object::default()
    };
    let schema = ClosedSchema::new(OBJECTS.iter().map(|(name, _)| object(name)).collect()).unwrap();
    let rule = |field: &str, op, operand: Operand| RowCondition {
        field: field.to_owned(),
        op,
        operands: vec![operand],
    };
    let literal = |text: &str| Operand::Literal(text.to_owned());
    let mine = || Operand::Caller("id".to_owned());
    let everyone = Profile {
        name: "everyone".to_owned(),
        objects: OBJECTS.map(|(name, _)| name.to_owned()).into(),
        hidden: [].into(),
        rows: [].into(),
    };
    let rep = Profile {
        name: "rep".to_owned(),
        objects: ["account", "deal", "user"].map(str::to_owned).into(),
        hidden: [
            ("account".to_owned(), ["size".to_owned()].into()),
            ("user".to_owned(), ["manager".to_owned()].into()),
        ]
        .into(),
        rows: [
            (
                "user".to_owned(),
                vec![rule("manager", RowOp::NotNull, literal(""))]
                    .into_iter()
                    .map(|rule| RowCondition { operands: Vec::new(), ..rule })
                    .collect(),
            ),
            ("account".to_owned(), vec![rule("size", RowOp::Ne, literal("3"))]),
            (
                "deal".to_owned(),
                vec![rule("account.region", RowOp::Ne, literal("East")), rule("owner", RowOp::Ne, mine())],
            ),
        ]
        .into(),
    };
    let (version, tasks) = ("1.0.0".parse().unwrap(), Vec::new());
    Schema::open(encode(&Artifact { version, schema, profiles: vec![everyone, rep], tasks }).bytes).unwrap()
}

pub(super) fn session(schema: &Schema, profile: &str, source: Arc<dyn RecordSource>) -> Session {
    let caller = Caller::new()
        .clock(|| Utc.with_ymd_and_hms(2026, 11, 30, 3, 30, 0).unwrap())
        .zone(chrono_tz::Asia::Kolkata)
        .profile(profile)
        .id("u3");
    schema.session(caller).unwrap().source(source)
}

/// Numbers that look as if they had been thrown, and are the same each time.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Below a number.
    pub(super) fn below(&mut self, most: usize) -> usize {
        // Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % most as u64).unwrap()
    }

    pub(super) fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// A world's records, by object: each with whether it is deleted.
pub(super) type Records = Vec<(&'static str, Vec<(Record, bool)>)>;

pub(super) fn id(object: &str, at: usize) -> String {
    if object == NUMBERED { at.to_string() } else { format!("{}{at}", &object[..1]) }
}

pub(super) fn records(traits: Traits, dice: &mut Dice) -> Records {
    let of = |(object, count): (&'static str, usize), dice: &mut Dice| {
        let records = (1..=count).map(|at| {
            let mut record = Record::new();
            for field in fields(object) {
                let value = match field.name.as_str() {
                    "id" => Value::Text(id(object, at)),
                    // Most things are there.
                    _ if dice.below(6) == 0 => Value::Null,
                    _ => value(&field, traits, dice),
                };
                record.insert(field.name, value);
            }
            (record, at == 2 || dice.below(10) == 0)
        });
        (object, records.collect())
    };
    OBJECTS.map(|object| of(object, dice)).into()
}

fn value(field: &Field, traits: Traits, dice: &mut Dice) -> Value {
    match field.field_type {
        FieldType::Currency | FieldType::Decimal => {
            let digits = if traits.long_numbers { NUMBERS.as_slice() } else { &NUMBERS[..6] };
            Value::Number(dice.one_of(digits).parse().unwrap())
        }
        FieldType::Integer => Value::Number(dice.one_of(&["3", "10", "-1", "200"]).parse().unwrap()),
        FieldType::Boolean => Value::Boolean(dice.below(2) == 0),
        FieldType::Date => Value::Date(dice.one_of(&DAYS).parse().unwrap()),
        FieldType::Datetime => {
            let moments: Vec<&str> =
                MOMENTS.into_iter().filter(|text| traits.microseconds || text.len() < 27).collect();
            Value::Datetime(dice.one_of(&moments).parse().unwrap())
        }
        FieldType::Time => Value::Time(dice.one_of(&TIMES).parse().unwrap()),
        FieldType::Picklist => Value::Text(dice.one_of(&PICKED).to_owned()),
        FieldType::MultiPicklist => {
            let texts = (0..=dice.below(2)).map(|_| dice.one_of(&PICKED).to_owned());
            Value::Texts(texts.collect())
        }
        FieldType::Binary => Value::Bytes(dice.below(100) as u64),
        FieldType::Reference => {
            let object = &field.references[dice.below(field.references.len())];
            let count = OBJECTS.iter().find(|(name, _)| name == object).unwrap().1;
            // Some lead nowhere.
            Value::Reference(Reference { object: object.clone(), id: id(object, dice.below(count + 2) + 1) })
        }
        _ => {
            let texts: Vec<&str> =
                TEXTS.into_iter().filter(|text| traits.empty_texts || !text.is_empty()).collect();
            Value::Text(dice.one_of(&texts).to_owned())
        }
    }
}

/// The reference semantics, over these records.
pub(super) fn memory(records: &Records) -> Memory {
    let mut memory = Memory::new();
    for (object, records) in records {
        memory = memory.with(object, "id", records.iter().map(|(record, _)| record.clone()));
        if *object == NUMBERED {
            memory = memory.numbered(object);
        }
        for (record, _) in records.iter().filter(|(_, deleted)| *deleted) {
            let Value::Text(id) = &record["id"] else { panic!("a record without an identifier") };
            memory = memory.deleted(object, id);
        }
    }
    memory
}
