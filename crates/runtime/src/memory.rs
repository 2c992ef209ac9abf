//! Records in memory: what every source must answer, said as plainly as can be.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::fold::fold_text;
use crate::query::{Condition, Match, Path, Query, Search, Test, Value};
use crate::source::{Fetching, Page, RecordSource};

/// A record: a value a field. A field that isn't there is null.
pub type Record = BTreeMap<String, Value>;

/// A record source in memory. It is the reference for every other, simple rather than fast: each query
/// looks at each record of its object.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// By object, the field with the identifier, and the records by identifier.
    objects: BTreeMap<String, (String, BTreeMap<String, Record>)>,
}

impl Memory {
    /// No records.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object with its records; `id` is the field that identifies them. A record without an
    /// identifier is left out, and of two with the same the later one stays.
    #[must_use]
    pub fn with(mut self, object: &str, id: &str, records: impl IntoIterator<Item = Record>) -> Self {
        let records = records.into_iter().filter_map(|record| match record.get(id) {
            Some(Value::Text(id)) => Some((id.clone(), record)),
            _ => None,
        });
        self.objects.insert(object.to_owned(), (id.to_owned(), records.collect()));
        self
    }

    fn answer(&self, query: &Query) -> Page {
        let all = self.objects.get(&query.object).into_iter().flat_map(|(_, records)| records.values());
        let mut found: Vec<&Record> = all.filter(|record| self.matches(query, record)).collect();
        let read =
            |record: &Record| query.columns.iter().map(|path| self.value(query, record, path)).collect();
        if query.distinct {
            let mut records: Vec<Vec<Value>> = found.into_iter().map(read).collect();
            records.sort_by(|a, b| compare_in(a.iter().zip(b).map(|(a, b)| (false, a, b))));
            records.dedup();
            records.truncate(query.limit + 1);
            return Page { records, total: None };
        }
        let total = query.count_to.map(|most| most.min(found.len() as u64));
        let key = |record: &&Record| self.key(query, record);
        found.sort_by(|a, b| compare(query, &key(a), &key(b)));
        if let Some(after) = &query.after {
            found.retain(|record| compare(query, &self.key(query, record), after) == Ordering::Greater);
        }
        found.truncate(query.limit + 1);
        Page { records: found.into_iter().map(read).collect(), total }
    }

    fn matches(&self, query: &Query, record: &Record) -> bool {
        let holds = |condition: &Condition| holds(condition, &self.value(query, record, &condition.path));
        self.is_visible(query, &query.object, record)
            && query.all.iter().all(holds)
            && (query.any.is_empty() || query.any.iter().any(holds))
            && query.search.as_ref().is_none_or(|search| self.found_in(query, record, search))
    }

    fn found_in(&self, query: &Query, record: &Record, search: &Search) -> bool {
        search.fields.iter().any(|path| match self.value(query, record, path) {
            Value::Text(text) => fold_text(&text).contains(&search.text),
            _ => false,
        })
    }

    /// Whether the rules of an object's records let this one be seen. The rules themselves see everything.
    fn is_visible(&self, query: &Query, object: &str, record: &Record) -> bool {
        let rules = query.rows.get(object).map(Vec::as_slice).unwrap_or_default();
        let without_rules = Query::default();
        rules.iter().all(|rule| holds(rule, &self.value(&without_rules, record, &rule.path)))
    }

    fn key(&self, query: &Query, record: &Record) -> Vec<Value> {
        query.order.iter().map(|order| self.value(query, record, &order.path)).collect()
    }

    /// Follows a path. What leads nowhere, elsewhere or to a hidden record is null.
    fn value(&self, query: &Query, record: &Record, path: &Path) -> Value {
        let mut record = record;
        for hop in &path.hops {
            let target = match record.get(&hop.field) {
                Some(Value::Reference(reference)) if reference.object == hop.target => {
                    self.objects.get(&hop.target).and_then(|(_, records)| records.get(&reference.id))
                }
                _ => None,
            };
            match target.filter(|target| self.is_visible(query, &hop.target, target)) {
                Some(target) => record = target,
                None => return Value::Null,
            }
        }
        record.get(&path.field).cloned().unwrap_or(Value::Null)
    }
}

impl RecordSource for Memory {
    fn fetch<'a>(&'a self, query: &'a Query) -> Fetching<'a> {
        Box::pin(std::future::ready(Ok(self.answer(query))))
    }
}

fn holds(condition: &Condition, value: &Value) -> bool {
    let is = |wanted: &Match, value: &Value| match wanted {
        Match::Exactly(wanted) => value.compare(wanted) == Some(Ordering::Equal),
        Match::Folded(wanted) => matches!(value, Value::Text(text) if fold_text(text) == *wanted),
    };
    let text = |test: &dyn Fn(&str) -> bool| matches!(value, Value::Text(text) if test(&fold_text(text)));
    let passes = match &condition.test {
        Test::Null => value.is_null(),
        Test::Never => return false,
        Test::OneOf(wanted) => match value {
            Value::Texts(texts) => {
                texts.iter().any(|text| wanted.iter().any(|wanted| is(wanted, &Value::Text(text.clone()))))
            }
            value => wanted.iter().any(|wanted| is(wanted, value)),
        },
        Test::Range { low, high } => {
            let above = low.as_ref().is_none_or(|low| {
                let order = value.compare(&low.value);
                order == Some(Ordering::Greater) || (low.inclusive && order == Some(Ordering::Equal))
            });
            let below = high.as_ref().is_none_or(|high| {
                let order = value.compare(&high.value);
                order == Some(Ordering::Less) || (high.inclusive && order == Some(Ordering::Equal))
            });
            !value.is_null() && above && below
        }
        Test::Contains(part) => text(&|text| text.contains(part)),
        Test::StartsWith(part) => text(&|text| text.starts_with(part)),
    };
    passes != condition.negated
}

/// The order of two keys: nulls last in either direction.
fn compare(query: &Query, a: &[Value], b: &[Value]) -> Ordering {
    compare_in(query.order.iter().zip(a.iter().zip(b)).map(|(order, (a, b))| (order.descending, a, b)))
}

/// The order of pairs of values, each ascending or descending.
fn compare_in<'v>(pairs: impl Iterator<Item = (bool, &'v Value, &'v Value)>) -> Ordering {
    let orders = pairs.map(|(descending, a, b)| match (a.is_null(), b.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let ordering = a.compare(b).unwrap_or(Ordering::Equal);
            if descending { ordering.reverse() } else { ordering }
        }
    });
    orders.fold(Ordering::Equal, Ordering::then)
}
