//! Row rules, with what the caller's attributes are put in.

use std::collections::BTreeMap;

use portolan_schema::{ClosedSchema, FieldType, Operand, RowCondition, RowOp};

use super::{Check, path_of};
use crate::caller::Caller;
use crate::query::value::{Kind, Reference, Value};
use crate::query::{Condition, Hop, Match, Part, Path, Test, literal};

impl Check<'_> {
    /// The profile's row rules, by object.
    pub(super) fn rows(&self) -> BTreeMap<String, Vec<Condition>> {
        let Some(profile) = self.profile else { return BTreeMap::new() };
        let resolve = |(object, rules): (&String, &Vec<RowCondition>)| {
            let conditions =
                rules.iter().map(|rule| row_condition(self.everything, self.caller, object, rule));
            (object.clone(), conditions.collect())
        };
        profile.rows.iter().map(resolve).collect()
    }
}

/// A row rule as a condition. Ids and exact values only: code wrote it, so that nothing in it is guessed.
fn row_condition(schema: &ClosedSchema, caller: &Caller, object: &str, rule: &RowCondition) -> Condition {
    let never = |path| Condition { path, test: Test::Never, negated: false };
    let nowhere = Path {
        hops: Vec::new(),
        object: object.to_owned(),
        field: rule.field.clone(),
        field_type: FieldType::Other,
        scale: None,
        targets: Vec::new(),
        part: Part::Whole,
    };
    let Some(path) = rule_path(schema, object, &rule.field) else { return never(nowhere) };
    let mut values = Vec::new();
    for operand in &rule.operands {
        let text = match operand {
            Operand::Literal(text) => text.as_str(),
            Operand::Caller(attribute) => match caller.get(attribute) {
                Some(text) if !text.is_empty() => text,
                // A caller without it sees nothing by it, not everything that it doesn't name.
                _ => return never(path),
            },
        };
        let value = match Kind::of(path.field_type) {
            Kind::Number => literal::number(text),
            Kind::Boolean => literal::boolean(text),
            Kind::Date => literal::date(text).map(Value::Date),
            Kind::Reference => {
                let targets = schema.object(&path.object).and_then(|object| object.field(&path.field));
                let targets = targets.map(|field| field.references.clone()).unwrap_or_default();
                values.extend(targets.into_iter().map(|object| {
                    Match::Exactly(Value::Reference(Reference { object, id: text.to_owned() }))
                }));
                continue;
            }
            _ => Some(Value::Text(text.to_owned())),
        };
        match value {
            Some(value) => values.push(Match::Exactly(value)),
            None => return never(path),
        }
    }
    let (test, negated) = match rule.op {
        RowOp::Eq | RowOp::In => (Test::OneOf(values), false),
        RowOp::Ne | RowOp::NotIn => (Test::OneOf(values), true),
        RowOp::IsNull => (Test::Null, false),
        RowOp::NotNull => (Test::Null, true),
    };
    Condition { path, test, negated }
}

fn rule_path(schema: &ClosedSchema, object: &str, text: &str) -> Option<Path> {
    let (found, field) = schema.resolve_path(object, text).ok()?;
    let mut hops = Vec::new();
    let mut at = schema.object(object)?;
    for step in text.split('.').collect::<Vec<_>>().split_last()?.1 {
        let (name, explicit) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
            Some((name, target)) => (name, Some(target)),
            None => (*step, None),
        };
        let target = explicit.or_else(|| at.field(name)?.references.first().map(String::as_str))?.to_owned();
        let (object, field) = (at.name.clone(), name.to_owned());
        at = schema.object(&target)?;
        hops.push(Hop { object, field, target, id: at.id_field.clone()? });
    }
    Some(Path { hops, ..path_of(found, field) })
}
