//! Random schemas and profiles for property tests: small, closed, and with every feature a real one
//! may have, awkward names included.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use crate::artifact::Artifact;
use crate::query::{Bucket, Op, Period, Span, Unit, Which};
use crate::{
    ClosedSchema, Field, FieldType, MOST_RECORDS, Object, Operand, Profile, RowCondition, RowOp, Task,
    TaskArgument, TaskCondition, TaskQuery, TaskRelated, Version,
};

/// Names as orgs have them: snake case, custom suffixes, dots (objects only), letters of any script.
fn object_name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z][a-z_]{0,8}", "[A-Z][A-Za-z]{0,6}__c", "[a-z]{1,4}\\.[a-z]{1,4}", "\\p{L}{1,5}"]
}

fn field_name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z][a-z_]{0,8}", "[A-Z][A-Za-z]{0,6}__c", "\\p{L}{1,5}"]
        .prop_filter("paths are written with it", |name| Field::is_path_safe(name))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z][a-z ]{0,12}", "\\PC{0,12}", ".{0,6}"]
}

prop_compose! {
    fn field()(
        field_type in select(FieldType::ALL),
        label in text(),
        native_type in "[a-z]{0,8}".prop_map(Into::into),
        flags in any::<[bool; 6]>(),
        numbers in any::<[Option<u32>; 3]>(),
        rare in option::weighted(0.3, any::<[bool; 3]>()),
        targets in vec(any::<Index>(), 0..3),
        filler in text(),
    ) -> (Field, Vec<Index>) {
        let [required, unique, calculated, filterable, sortable, groupable] = flags;
        let [length, precision, scale] = numbers;
        let [source_name, description, stable_id] =
            rare.unwrap_or_default().map(|there| there.then(|| filler.clone()));
        let field = Field {
            source_name, label, native_type, required, unique, calculated, filterable, sortable, groupable, length,
            precision, scale, description, stable_id, ..Field::new("", field_type)
        };
        (field, targets)
    }
}

/// An object with its fields by name, and for each field the objects it is to point at.
type Draft = (Object, BTreeMap<String, (Field, Vec<Index>)>);

prop_compose! {
    fn object()(
        label in text(),
        queryable in any::<bool>(),
        description in option::of(text()),
        stable_id in option::of(text()),
        fields in btree_map(field_name(), field(), 0..8),
    ) -> Draft {
        (Object { label, description, stable_id, queryable, ..Object::default() }, fields)
    }
}

/// A closed schema of up to that many objects.
pub fn closed_schema(most_objects: usize) -> impl Strategy<Value = ClosedSchema> {
    btree_map(object_name(), object(), 0..=most_objects).prop_map(|drafts| {
        let names: Vec<String> = drafts.keys().cloned().collect();
        let objects = drafts.into_iter().map(|(name, draft)| close(name, draft, &names)).collect();
        ClosedSchema::new(objects).unwrap_or_else(|violations| unreachable!("{violations:?}"))
    })
}

fn close(name: String, (object, fields): Draft, names: &[String]) -> Object {
    let first = fields.keys().next().cloned();
    let fields: Vec<Field> = fields
        .into_iter()
        .map(|(name, (field, targets))| {
            let targets: BTreeSet<String> = targets.iter().map(|target| target.get(names).clone()).collect();
            let field_type = match field.field_type {
                FieldType::Reference if targets.is_empty() => FieldType::Id,
                other => other,
            };
            let currency_field = first.clone().filter(|_| field_type == FieldType::Currency);
            let relationship_name = targets.first().cloned();
            Field {
                name,
                field_type,
                references: targets.into_iter().collect(),
                currency_field,
                relationship_name,
                ..field
            }
        })
        .collect();
    Object { name, id_field: first.clone(), name_field: first, fields, ..object }
}

fn operand() -> impl Strategy<Value = Operand> {
    text()
        .prop_map(|text| Operand::parse(&text))
        .boxed()
        .prop_union("[a-z]{1,6}".prop_map(Operand::Caller).boxed())
}

fn row_condition(fields: Vec<String>) -> impl Strategy<Value = RowCondition> {
    (select(fields), select(RowOp::ALL), vec(operand(), 1..4)).prop_map(|(field, op, mut operands)| {
        let taken = (0..=operands.len()).rev().find(|count| op.takes(*count)).unwrap_or(0);
        operands.truncate(taken);
        RowCondition { field, op, operands }
    })
}

/// What a profile may say of one object with those fields: hide some, and condition the rows.
fn rules(fields: Vec<String>) -> impl Strategy<Value = (BTreeSet<String>, Vec<RowCondition>)> {
    let count = fields.len();
    let hidden = subsequence(fields.clone(), 0..=count).prop_map(|fields| fields.into_iter().collect());
    let rows =
        if fields.is_empty() { Just(Vec::new()).boxed() } else { vec(row_condition(fields), 0..3).boxed() };
    (hidden, rows)
}

fn profile(name: String, schema: &ClosedSchema) -> impl Strategy<Value = Profile> + use<> {
    let objects: Vec<_> = schema
        .objects()
        .iter()
        .map(|object| {
            let fields = object.fields.iter().map(|field| field.name.clone()).collect();
            (Just(object.name.clone()), any::<bool>(), rules(fields))
        })
        .collect();
    objects.prop_map(move |objects| {
        let mut profile = Profile { name: name.clone(), ..Profile::default() };
        for (object, _, (hidden, rows)) in objects.into_iter().filter(|(_, permitted, _)| *permitted) {
            if !hidden.is_empty() {
                profile.hidden.insert(object.clone(), hidden);
            }
            if !rows.is_empty() {
                profile.rows.insert(object.clone(), rows);
            }
            profile.objects.insert(object);
        }
        profile
    })
}

/// A few tasks: a query on an object, by its fields, with everything that such a query has.
fn tasks(schema: &ClosedSchema) -> impl Strategy<Value = Vec<Task>> + use<> {
    let objects = schema.objects().to_vec();
    let title = text().prop_map(|text| format!("Of {text}"));
    let one = (any::<Index>(), title, select(Op::ALL), option::of(1..=MOST_RECORDS), any::<bool>());
    btree_map("[a-z]{1,6}", one, 0..3).prop_map(move |tasks| {
        let task = |(keyword, (object, title, op, limit, exists)): (String, (Index, String, Op, _, bool))| {
            let object = objects.get(object.index(objects.len().max(1)))?;
            Some(task(keyword, object, title, op, limit, exists))
        };
        tasks.into_iter().filter_map(task).collect()
    })
}

fn task(keyword: String, object: &Object, title: String, op: Op, limit: Option<u32>, exists: bool) -> Task {
    let fields: Vec<String> = object.fields.iter().map(|field| field.name.clone()).collect();
    let values = match op {
        Op::IsNull | Op::NotNull => 0,
        Op::Between => 2,
        _ => 1,
    };
    let condition =
        |on: &String| TaskCondition { on: on.clone(), op, values: vec!["{what}".to_owned(); values] };
    let to_itself = object.fields.iter().find(|field| field.references.contains(&object.name));
    let related = to_itself.map(|field| TaskRelated {
        object: object.name.clone(),
        field: field.name.clone(),
        via: exists.then(|| field.name.clone()).filter(|_| field.references.len() == 1),
        exists,
        conditions: fields.iter().map(condition).collect(),
    });
    let query = TaskQuery {
        object: object.name.clone(),
        conditions: fields.iter().map(condition).collect(),
        any: fields.iter().map(condition).collect(),
        related: related.into_iter().collect(),
        search: Some("{what} and {{more}}".to_owned()),
        group_by: fields.clone(),
        measures: vec!["count".to_owned()],
        having: vec![TaskCondition { on: "count".to_owned(), op: Op::Gt, values: vec!["1".to_owned()] }],
        order_by: vec!["count desc".to_owned()],
        limit,
        fields,
    };
    Task {
        keyword,
        title: title.clone(),
        description: title,
        arguments: vec![TaskArgument {
            name: "what".to_owned(),
            description: String::new(),
            required: exists,
        }],
        prompt: "About {what}.".to_owned(),
        objects: vec![object.name.clone()],
        queries: vec![query],
        answer: "{{}}".to_owned(),
    }
}

/// An artifact with up to that many objects, and a few profiles and tasks over them.
pub fn artifact(most_objects: usize) -> impl Strategy<Value = Artifact> {
    closed_schema(most_objects).prop_flat_map(|schema| {
        let over = schema.clone();
        let profiles = btree_set("[a-z]{1,6}", 0..3).prop_flat_map(move |profiles| {
            profiles.into_iter().map(|name| profile(name, &over)).collect::<Vec<_>>()
        });
        let version = any::<[u16; 3]>()
            .prop_map(|[major, minor, patch]| Version::new(major.into(), minor.into(), patch.into()));
        let tasks = tasks(&schema);
        (Just(schema), profiles, version, tasks).prop_map(|(schema, profiles, version, tasks)| Artifact {
            version,
            schema,
            profiles,
            tasks,
        })
    })
}

fn span() -> impl Strategy<Value = Span> {
    let year = || prop_oneof![4 => 1990..2050u16, 1 => 0..=9999u16];
    prop_oneof![
        year().prop_map(Span::Year),
        (year(), 1..=4u8).prop_map(|(year, quarter)| Span::Quarter(year, quarter)),
        (year(), 1..=12u8).prop_map(|(year, month)| Span::Month(year, month)),
        (year(), 1..=52u8).prop_map(|(year, week)| Span::Week(year, week)),
        (year(), 1..=12u8, 1..=28u8).prop_map(|(year, month, day)| Span::Day(year, month, day)),
        year().prop_map(Span::FiscalYear),
        (year(), 1..=4u8).prop_map(|(year, quarter)| Span::FiscalQuarter(year, quarter)),
        prop_oneof![-400..400i64, Just(-i64::from(u32::MAX))].prop_map(Span::DaysAway),
        (select(Which::ALL), select(Unit::ALL)).prop_map(|(which, unit)| Span::Relative(which, unit)),
    ]
}

/// Periods, those among them that no calendar reaches; the ends of a range in any order.
pub fn period() -> impl Strategy<Value = Period> {
    let counted = || (prop_oneof![4 => 1..400u32, 1 => 1..=u32::MAX], select(Bucket::ALL));
    prop_oneof![
        span().prop_map(Period::Span),
        (span(), span()).prop_map(|(from, to)| Period::Range(from, to)),
        span().prop_map(Period::Since),
        span().prop_map(Period::After),
        span().prop_map(Period::Before),
        span().prop_map(Period::Until),
        counted().prop_map(|(count, unit)| Period::Past(count, unit)),
        counted().prop_map(|(count, unit)| Period::Next(count, unit)),
        select(Unit::ALL).prop_map(Period::ToDate),
    ]
}
