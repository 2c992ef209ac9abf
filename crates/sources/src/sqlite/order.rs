//! The order of records in SQL, and where a page begins in it.
//!
//! An index finds the beginning of a page where a statement asks for what follows one value of the first
//! key. What follows a record is therefore asked in parts: the records that share all of its keys but the last
//! and come after it in that, then those that share all but the last two, and so on, and each time those that
//! have no such key, which come last. A part is only asked where those before it left room.

use portolan_runtime::query::{Bound, Value};

use super::place::Place;
use super::term::{Params, Side};

/// A key of the order.
#[derive(Debug)]
pub(super) struct Key<'c> {
    pub(super) place: Place<'c>,
    pub(super) descending: bool,
    /// Every record has it.
    pub(super) always: bool,
    /// An index of the queried table begins with it.
    pub(super) indexed: bool,
}

/// Records that follow each other.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) condition: Option<String>,
    /// Expressions, each with how it is ordered.
    pub(super) order: Vec<(String, &'static str)>,
}

impl Part {
    pub(super) fn order_by(&self) -> String {
        let each: Vec<String> = self.order.iter().map(|(key, how)| format!("{key}{how}")).collect();
        if each.is_empty() { "1".to_owned() } else { each.join(", ") }
    }
}

impl Key<'_> {
    /// How it stands in an order: nulls come last, whichever way.
    fn ordered(&self, there: bool) -> (String, &'static str) {
        let term = self.place.main();
        match (there || self.always, self.descending) {
            (true, false) => (term.present_key(), ""),
            (true, true) => (term.present_key(), " DESC"),
            (false, false) => (term.key(), " NULLS LAST"),
            (false, true) => (term.key(), " DESC NULLS LAST"),
        }
    }

    fn equal(&self, value: &Value, params: &mut Params) -> String {
        if value.is_null() {
            return self.place.is_null();
        }
        self.place.main().equal_to(&[&id_of(value)], params).unwrap_or_else(|| "0".to_owned())
    }

    fn after(&self, value: &Value, params: &mut Params) -> String {
        let bound = Bound { value: id_of(value), inclusive: false };
        let side = if self.descending { Side::Below } else { Side::Above };
        self.place.main().compare(side, &bound, params)
    }
}

/// What a value is ordered by: of a reference, the identifier.
fn id_of(value: &Value) -> Value {
    match value {
        Value::Reference(reference) => Value::Text(reference.id.clone()),
        value => value.clone(),
    }
}

/// The parts of a page.
pub(super) fn parts(keys: &[Key<'_>], after: Option<&[Value]>, params: &mut Params) -> Vec<Part> {
    let ordered = |keys: &[Key<'_>], there: bool| {
        keys.iter().enumerate().map(|(at, key)| key.ordered(there && at == 0)).collect()
    };
    let Some(first) = keys.first() else { return vec![Part { condition: None, order: Vec::new() }] };
    if !first.indexed {
        // One look at all of them, rather than one a part.
        let condition = after.map(|after| follows(keys, after, params));
        return vec![Part { condition, order: ordered(keys, false) }];
    }
    let Some(after) = after else {
        if first.always {
            return vec![Part { condition: None, order: ordered(keys, true) }];
        }
        let rest = keys.get(1..).unwrap_or_default();
        return vec![
            Part { condition: Some(first.place.is_there()), order: ordered(keys, true) },
            Part { condition: Some(first.place.is_null()), order: ordered(rest, false) },
        ];
    };
    let mut parts = Vec::new();
    for (at, (key, value)) in keys.iter().zip(after).enumerate().rev() {
        if value.is_null() {
            // Nothing comes after nulls but what the keys behind say.
            continue;
        }
        let shared = |params: &mut Params| {
            let shared = keys.iter().zip(after).take(at);
            shared.map(|(key, value)| key.equal(value, params)).collect::<Vec<_>>()
        };
        let mut conditions = shared(params);
        conditions.push(key.after(value, params));
        let from_here = keys.get(at..).unwrap_or_default();
        parts.push(Part { condition: Some(conditions.join(" AND ")), order: ordered(from_here, true) });
        if !key.always {
            let mut conditions = shared(params);
            conditions.push(key.place.is_null());
            let behind = keys.get(at + 1..).unwrap_or_default();
            parts.push(Part { condition: Some(conditions.join(" AND ")), order: ordered(behind, false) });
        }
    }
    parts
}

/// What comes after a record, in one condition.
fn follows(keys: &[Key<'_>], after: &[Value], params: &mut Params) -> String {
    let (Some((key, keys)), Some((value, after))) = (keys.split_first(), after.split_first()) else {
        return "0".to_owned();
    };
    let equal = key.equal(value, params);
    let behind = format!("({equal} AND {})", follows(keys, after, params));
    if value.is_null() {
        return behind;
    }
    let later = key.after(value, params);
    let null = if key.always { String::new() } else { format!(" OR {}", key.place.is_null()) };
    format!("({later}{null} OR {behind})")
}
