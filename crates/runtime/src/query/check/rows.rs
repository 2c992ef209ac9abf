//! Row rules, with what the caller's attributes are put in.

use std::collections::BTreeMap;

use chrono::DateTime;
use portolan_schema::{FieldType, Operand, RowCondition, RowOp};

use super::{Check, path_of};
use crate::query::value::{Kind, Reference, Value};
use crate::query::{Condition, Hop, Match, Part, Path, Test, literal};

impl Check<'_> {
    /// The profile's row rules, by object.
    pub(super) fn rows(&self) -> BTreeMap<String, Vec<Condition>> {
        let Some(profile) = self.profile else { return BTreeMap::new() };
        let resolve = |(object, rules): (&String, &Vec<RowCondition>)| {
            let conditions = rules.iter().map(|rule| self.row_condition(object, rule));
            (object.clone(), conditions.collect())
        };
        profile.rows.iter().map(resolve).collect()
    }

    /// A row rule as a condition. Ids and exact values only: code wrote it, so that nothing in it is guessed.
    fn row_condition(&self, object: &str, rule: &RowCondition) -> Condition {
        let never = |path| Condition { path, test: Test::Never, negated: false };
        let Some(path) = self.rule_path(object, &rule.field) else {
            return never(Path {
                hops: Vec::new(),
                object: object.to_owned(),
                field: rule.field.clone(),
                field_type: FieldType::Other,
                scale: None,
                targets: Vec::new(),
                part: Part::Whole,
            });
        };
        let mut values = Vec::new();
        for operand in &rule.operands {
            let text = match operand {
                Operand::Literal(text) => text.as_str(),
                Operand::Caller(attribute) => match self.caller.get(attribute) {
                    Some(text) if !text.is_empty() => text,
                    // A caller without it sees nothing by it, not everything that it doesn't name.
                    _ => return never(path),
                },
            };
            let read = exact_values(&path, text);
            if read.is_empty() {
                return never(path);
            }
            values.extend(read.into_iter().map(Match::Exactly));
        }
        let (test, negated) = match rule.op {
            RowOp::Eq | RowOp::In => (Test::OneOf(values), false),
            RowOp::Ne | RowOp::NotIn => (Test::OneOf(values), true),
            RowOp::IsNull => (Test::Null, false),
            RowOp::NotNull => (Test::Null, true),
        };
        Condition { path, test, negated }
    }

    fn rule_path(&self, object: &str, text: &str) -> Option<Path> {
        let schema = self.everything;
        let (found, field) = schema.resolve_path(object, text).ok()?;
        let mut hops = Vec::new();
        let mut at = schema.object(object)?;
        for step in text.split('.').collect::<Vec<_>>().split_last()?.1 {
            let (name, explicit) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
                Some((name, target)) => (name, Some(target)),
                None => (*step, None),
            };
            let only = || at.field(name)?.references.first().map(String::as_str);
            let target = explicit.or_else(only)?.to_owned();
            let (object, field) = (at.name.clone(), name.to_owned());
            at = schema.object(&target)?;
            hops.push(Hop { object, field, target, id: at.id_field.clone()? });
        }
        Some(Path { hops, ..path_of(schema, self.source, found, field) })
    }
}

/// What a rule's literal means as a value of a field: none, where it means nothing, and one an object of a
/// reference that may lead to several.
fn exact_values(path: &Path, text: &str) -> Vec<Value> {
    let one = match Kind::of(path.field_type) {
        Kind::Number => literal::number(text),
        Kind::Boolean => literal::boolean(text),
        Kind::Date => literal::date(text).map(Value::Date),
        Kind::Datetime => {
            DateTime::parse_from_rfc3339(text).ok().map(|moment| Value::Datetime(moment.to_utc()))
        }
        Kind::Time => literal::time(text),
        Kind::Reference => {
            let to = |object: &String| Reference { object: object.clone(), id: text.to_owned() };
            return path.targets.iter().map(|target| Value::Reference(to(&target.object))).collect();
        }
        Kind::Id | Kind::Text | Kind::Texts => Some(Value::Text(text.to_owned())),
        Kind::Opaque => None,
    };
    one.into_iter().collect()
}
