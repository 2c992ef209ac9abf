//! Records in memory: what every source must answer, said as plainly as can be.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::fold::fold_text;
use crate::query::{Condition, Kind, Match, Part, Path, Query, Reference, Search, Test, Value};
use crate::source::{Fetching, Page, RecordSource};

/// A record: a value a field. A field that isn't there is null.
pub type Record = BTreeMap<String, Value>;

/// A record source in memory. It is the reference for every other, simple rather than fast: each query
/// looks at each record of its object.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: BTreeMap<String, Kept>,
}

/// The records of an object.
#[derive(Clone, Debug, Default)]
struct Kept {
    records: BTreeMap<String, Record>,
    deleted: BTreeSet<String>,
    /// Its identifiers are ordered as numbers.
    numbered: bool,
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
        self.objects.insert(object.to_owned(), Kept { records: records.collect(), ..Kept::default() });
        self
    }

    /// Marks a record of an object that was added as deleted.
    #[must_use]
    pub fn deleted(mut self, object: &str, id: &str) -> Self {
        if let Some(kept) = self.objects.get_mut(object) {
            kept.deleted.insert(id.to_owned());
        }
        self
    }

    /// Orders the identifiers of an object that was added as numbers, as a database does that keeps numbers.
    #[must_use]
    pub fn numbered(mut self, object: &str) -> Self {
        if let Some(kept) = self.objects.get_mut(object) {
            kept.numbered = true;
        }
        self
    }

    fn answer(&self, query: &Query) -> Page {
        let Some(kept) = self.objects.get(&query.object) else { return Page::default() };
        let matching = kept.records.iter().filter(|(_, record)| self.matches(query, record));
        let (deleted, found): (Vec<_>, Vec<_>) = matching.partition(|(id, _)| kept.deleted.contains(*id));
        let mut found: Vec<&Record> = found.into_iter().map(|(_, record)| record).collect();
        let read =
            |record: &Record| query.columns.iter().map(|path| self.value(query, record, path)).collect();
        if query.distinct {
            let mut records: Vec<Vec<Value>> = found.into_iter().map(read).collect();
            records.sort_by(|a, b| compare_in(a.iter().zip(b).map(|(a, b)| (false, a, b))));
            records.dedup();
            records.truncate(query.limit + 1);
            return Page { records, ..Page::default() };
        }
        let total = query.count_to.map(|most| most.min(found.len() as u64));
        let all = (found.len() + deleted.len()) as u64;
        let deleted = query.count_to.filter(|most| kept.deleted.is_empty() || all < *most);
        let deleted = deleted.map(|_| all - found.len() as u64);
        found.sort_by_key(|record| Key { query, values: self.key(query, record) });
        if let Some(after) = &query.after {
            let ranked =
                query.order.iter().zip(after).map(|(order, value)| self.ranked(&order.path, value.clone()));
            let after = Key { query, values: ranked.collect() };
            found.retain(|record| Key { query, values: self.key(query, record) } > after);
        }
        found.truncate(query.limit + 1);
        Page { records: found.into_iter().map(read).collect(), total, deleted, ..Page::default() }
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
        let value = |path: &Path| self.ranked(path, self.value(query, record, path));
        query.order.iter().map(|order| value(&order.path)).collect()
    }

    /// A value as it is ordered: identifiers of some objects are numbers.
    fn ranked(&self, path: &Path, value: Value) -> Value {
        let (object, id) = match (&value, Kind::of(path.field_type)) {
            (Value::Text(id), Kind::Id) if path.part == Part::Whole => (&path.object, id),
            (Value::Reference(reference), _) => (&reference.object, &reference.id),
            _ => return value,
        };
        let numbered = self.objects.get(object).is_some_and(|kept| kept.numbered);
        let number = numbered.then(|| id.parse().ok()).flatten();
        number.map_or(value, Value::Number)
    }

    /// Follows a path. What leads nowhere, elsewhere or to a hidden record is null.
    fn value(&self, query: &Query, record: &Record, path: &Path) -> Value {
        let mut record = record;
        for hop in &path.hops {
            let target = match record.get(&hop.field) {
                Some(Value::Reference(to)) if to.object == hop.target => self.followed(query, to),
                _ => None,
            };
            match target {
                Some(target) => record = target,
                None => return Value::Null,
            }
        }
        let value = record.get(&path.field);
        let part = match (path.part, value) {
            (Part::Whole, value) => value.cloned(),
            (Part::Id, Some(Value::Reference(to))) => Some(Value::Text(to.id.clone())),
            (Part::Object, Some(Value::Reference(to))) => {
                path.target(&to.object).map(|target| Value::Text(target.object.clone()))
            }
            (Part::Name, Some(Value::Reference(to))) => self.name(query, path, to),
            _ => None,
        };
        part.unwrap_or(Value::Null)
    }

    fn name(&self, query: &Query, path: &Path, to: &Reference) -> Option<Value> {
        let name = path.target(&to.object)?.name.as_ref()?;
        match self.followed(query, to)?.get(name)? {
            Value::Number(number) => Some(Value::Text(number.to_plain_string())),
            value => Some(value.clone()),
        }
    }

    /// The record that a reference leads to, where there is one to be seen.
    fn followed(&self, query: &Query, to: &Reference) -> Option<&Record> {
        let kept = self.objects.get(&to.object)?;
        let record = kept.records.get(&to.id).filter(|_| !kept.deleted.contains(&to.id))?;
        self.is_visible(query, &to.object, record).then_some(record)
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

/// A record's values of a query's order, compared as that order says.
struct Key<'q> {
    query: &'q Query,
    values: Vec<Value>,
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let pairs = self.values.iter().zip(&other.values);
        compare_in(self.query.order.iter().zip(pairs).map(|(order, (a, b))| (order.descending, a, b)))
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key<'_> {}

/// The order of pairs of values, each ascending or descending: nulls last in either direction.
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
