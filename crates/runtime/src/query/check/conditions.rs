//! Conditions: operators that suit their field, and literals read as its type.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use chrono_tz::Tz;
use portolan_schema::Object;
use portolan_schema::nearest::nearest;
use portolan_schema::query::Op;

use super::{Check, MOST_NEAREST, Open};
use crate::answer::MOST_ECHO;
use crate::fold::{fold, fold_text};
use crate::json::clip;
use crate::query::value::{Kind, Value};
use crate::query::wanted::Compared;
use crate::query::{Bound, Condition, Match, Part, Path, Test, literal};

/// A path that was found is shown with so many characters: several long names, and no more than that.
const MOST_PATH: usize = 300;
/// So many values are compared with.
const MOST_VALUES: usize = 200;

impl<'c> Check<'c> {
    /// Checks a list of conditions; literals that only the records decide go to `open`.
    pub(super) fn conditions(
        &mut self,
        object: &'c Object,
        wanted: &[Compared],
        any: bool,
        open: &mut Vec<Open>,
    ) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for compared in wanted {
            let path = self.path(object, &compared.field, &format!("{}.field", compared.at));
            let op = self.op(compared);
            let (Some(path), Some(op)) = (path, op) else { continue };
            // From here on it is only shown.
            let compared = &Compared { field: clip(&compared.field, MOST_PATH), ..compared.clone() };
            let field = self.schema.object(&path.object).and_then(|object| object.field(&path.field));
            if field.is_some_and(|field| !field.filterable) {
                let what = format!("{} ({}) can't be filtered by", compared.field, path.field_type);
                self.problem(
                    &compared.at,
                    what,
                    &[],
                    "filter by another field, or read it and leave the filter out",
                );
                continue;
            }
            if let Some((condition, texts)) = self.condition(path, op, compared) {
                if !texts.is_empty() {
                    open.push(Open {
                        any,
                        at: conditions.len(),
                        texts,
                        path: condition.path.clone(),
                        field: compared.field.clone(),
                        place: compared.at.clone(),
                    });
                }
                conditions.push(condition);
            }
        }
        conditions
    }

    fn op(&mut self, compared: &Compared) -> Option<Op> {
        let written = compared.op.trim().to_lowercase();
        let read = written.parse::<Op>();
        if let Some(meant) = symbol(&written) {
            self.understood.push((written, meant.to_string()));
            return Some(meant);
        }
        if read.is_err() {
            let clipped = clip(&compared.op, MOST_ECHO);
            let known = Op::ALL.iter().map(|op| op.as_str());
            let mut near: Vec<String> = nearest(&clipped, known, 3).into_iter().map(str::to_owned).collect();
            if matches!(written.as_str(), "like" | "ilike") {
                near = vec![Op::Contains.to_string(), Op::StartsWith.to_string()];
            }
            let next = near.first().map_or_else(
                || {
                    format!(
                        "use one of {}",
                        Op::ALL.iter().map(|op| op.as_str()).collect::<Vec<_>>().join(", ")
                    )
                },
                |meant| format!("use {meant}"),
            );
            self.problem(
                &format!("{}.op", compared.at),
                format!("there is no operator '{clipped}'"),
                &near,
                &next,
            );
        }
        read.ok()
    }

    /// A condition, with those of its literals that only the records decide.
    fn condition(&mut self, path: Path, op: Op, compared: &Compared) -> Option<(Condition, Vec<String>)> {
        let kind = Kind::of(path.field_type);
        let allowed = operators(kind);
        if !allowed.contains(&op) {
            let near: Vec<String> = allowed.iter().take(MOST_NEAREST).map(ToString::to_string).collect();
            let what = format!("'{op}' does not apply to {} ({})", compared.field, path.field_type);
            let next = match path.targets.first().and_then(|target| target.name.as_ref()) {
                Some(name) if kind == Kind::Reference && matches!(op, Op::Contains | Op::StartsWith) => {
                    let name = if path.targets.len() > 1 { "name" } else { name };
                    format!("use it on {}.{name}", compared.field)
                }
                _ => format!("use {}", near.join(" or ")),
            };
            self.problem(&format!("{}.op", compared.at), what, &near, &next);
            return None;
        }
        let mut values: Vec<&str> = compared.values.iter().map(String::as_str).collect();
        let op = self.of_nothing(op, &values, compared)?;
        if matches!(op, Op::In | Op::NotIn | Op::Includes | Op::Excludes) {
            // Said twice is meant once.
            let mut known = BTreeSet::new();
            values.retain(|value| known.insert(*value));
        }
        let wanted = match op {
            Op::IsNull | Op::NotNull => (0..=usize::MAX, ""),
            Op::Between => (2..=2, "two values, from and to"),
            Op::In | Op::NotIn | Op::Includes | Op::Excludes => (1..=MOST_VALUES, "1 to 200 values"),
            _ => (1..=1, "one value"),
        };
        if !wanted.0.contains(&values.len()) {
            let what = format!("'{op}' takes {}, not {}", wanted.1, values.len());
            let next = match op {
                Op::Eq | Op::In if values.is_empty() => {
                    "give one, or use is_null for empty fields".to_owned()
                }
                Op::Ne | Op::NotIn if values.is_empty() => {
                    "give one, or use not_null for fields that aren't empty".to_owned()
                }
                Op::Between => "give values: [from, to]".to_owned(),
                _ => format!("give {}", wanted.1),
            };
            self.problem(&compared.at, what, &[], &next);
            return None;
        }
        let negated = matches!(op, Op::Ne | Op::NotIn | Op::Excludes | Op::NotNull);
        let mut open = Vec::new();
        let test = match op {
            Op::IsNull | Op::NotNull => Test::Null,
            Op::Contains => Test::Contains(fold_text(values.first()?)),
            Op::StartsWith => Test::StartsWith(fold_text(values.first()?)),
            Op::Eq | Op::Ne | Op::In | Op::NotIn | Op::Includes | Op::Excludes => {
                self.equal(&path, &values, compared, &mut open)?
            }
            Op::During => self.during(kind, values.first()?, compared)?,
            Op::Lt | Op::Lte | Op::Gt | Op::Gte | Op::Between => self.range(kind, op, &values, compared)?,
        };
        Some((Condition { path, test, negated }, open))
    }

    /// What is meant by an operator that compares with nothing, where a value stands beside it: `false` turns
    /// it round.
    fn of_nothing(&mut self, op: Op, values: &[&str], compared: &Compared) -> Option<Op> {
        let other = match op {
            Op::IsNull => Op::NotNull,
            Op::NotNull => Op::IsNull,
            op => return Some(op),
        };
        match values {
            [] => Some(op),
            [only] if literal::boolean(only) == Some(Value::Boolean(true)) => Some(op),
            [only] if literal::boolean(only) == Some(Value::Boolean(false)) => {
                let written = format!("{} {op} {only}", compared.field);
                self.understood.push((written, other.to_string()));
                Some(other)
            }
            _ => {
                let what = format!("'{op}' is compared with nothing");
                self.problem(&compared.at, what, &[], "leave the value out, or use eq");
                None
            }
        }
    }

    fn equal(
        &mut self,
        path: &Path,
        values: &[&str],
        compared: &Compared,
        open: &mut Vec<String>,
    ) -> Option<Test> {
        let kind = Kind::of(path.field_type);
        let zone = self.caller.time_zone();
        if kind == Kind::Datetime {
            // A day that is named alone is the whole of it, and there is no list of ranges.
            let [only] = values else {
                let what = "a list of days or moments is not compared with a datetime".to_owned();
                self.problem(
                    &compared.at,
                    what,
                    &[],
                    "use between or during, or several conditions in where_any",
                );
                return None;
            };
            return Some(match self.moment(only, compared)? {
                literal::Moment::At(moment) => Test::OneOf(vec![Match::Exactly(Value::Datetime(moment))]),
                literal::Moment::Day(day) => day_range(day, zone),
            });
        }
        let mut matches = Vec::new();
        for text in values {
            match kind {
                Kind::Text if path.part == Part::Object => {
                    matches.push(Match::Exactly(Value::Text(self.target(path, text, compared)?)));
                }
                Kind::Text | Kind::Texts | Kind::Reference => open.push((*text).to_owned()),
                Kind::Id => matches.push(Match::Exactly(Value::Text((*text).to_owned()))),
                _ => matches.push(Match::Exactly(self.literal(kind, text, compared)?)),
            }
        }
        Some(Test::OneOf(matches))
    }

    /// An object that a reference may lead to, whatever its case.
    fn target(&mut self, path: &Path, text: &str, compared: &Compared) -> Option<String> {
        let folded = fold(text);
        if let Some(target) =
            path.targets.iter().map(|target| &target.object).find(|object| fold(object) == folded)
        {
            return Some(target.clone());
        }
        let clipped = clip(text, MOST_ECHO);
        let what = format!("{} leads to no object '{clipped}'", path.field);
        let near: Vec<String> =
            path.targets.iter().take(MOST_NEAREST).map(|target| target.object.clone()).collect();
        self.problem(&format!("{}.value", compared.at), what, &near, "use one of these");
        None
    }

    fn during(&mut self, kind: Kind, text: &str, compared: &Compared) -> Option<Test> {
        let interval = match self.caller.during(text) {
            Ok(interval) => interval,
            Err(problem) => {
                self.problem(&format!("{}.value", compared.at), problem.to_string(), &[], "write such as \"last month\", \"past 30 days\", \"2026-Q1\" or \"2026-01-01..2026-02-15\"");
                return None;
            }
        };
        self.understood
            .push((format!("{} during {}", compared.field, clip(text, MOST_ECHO)), interval.to_string()));
        let bound = |value: Value, inclusive: bool| Bound { value, inclusive };
        Some(match kind {
            Kind::Date => Test::Range {
                low: interval.first().map(|day| bound(Value::Date(day), true)),
                high: interval.last().map(|day| bound(Value::Date(day), true)),
            },
            _ => Test::Range {
                low: interval.start().map(|moment| bound(Value::Datetime(moment), true)),
                high: interval.end().map(|moment| bound(Value::Datetime(moment), false)),
            },
        })
    }

    fn range(&mut self, kind: Kind, op: Op, values: &[&str], compared: &Compared) -> Option<Test> {
        let zone = self.caller.time_zone();
        let bound = |value: Value, inclusive: bool| Some(Bound { value, inclusive });
        let mut ends = Vec::new();
        for text in values {
            ends.push(match kind {
                Kind::Datetime => match self.moment(text, compared)? {
                    literal::Moment::At(moment) => (Value::Datetime(moment), None),
                    literal::Moment::Day(day) => {
                        let end = literal::start_of(literal::next(day), zone);
                        (Value::Datetime(literal::start_of(day, zone)), Some(Value::Datetime(end)))
                    }
                },
                _ => (self.literal(kind, text, compared)?, None),
            });
        }
        let mut ends = ends.into_iter();
        let (start, end) = ends.next()?;
        // A day on a moment: up to and including it ends with it, after it begins with the next.
        let low = |inclusive: bool| match (&end, inclusive) {
            (Some(end), false) => bound(end.clone(), true),
            _ => bound(start.clone(), inclusive),
        };
        let high = |(start, end): (Value, Option<Value>), inclusive: bool| match (end, inclusive) {
            (Some(end), true) => bound(end, false),
            _ => bound(start, inclusive),
        };
        Some(match op {
            Op::Lt => Test::Range { low: None, high: high((start, end), false) },
            Op::Lte => Test::Range { low: None, high: high((start, end), true) },
            Op::Gt => Test::Range { low: low(false), high: None },
            Op::Gte => Test::Range { low: low(true), high: None },
            _ => Test::Range { low: low(true), high: high(ends.next()?, true) },
        })
    }

    fn moment(&mut self, text: &str, compared: &Compared) -> Option<literal::Moment> {
        let read = literal::moment(text, self.caller.time_zone());
        if read.is_none() {
            self.unreadable(Kind::Datetime, text, compared);
        }
        read
    }

    fn literal(&mut self, kind: Kind, text: &str, compared: &Compared) -> Option<Value> {
        let read = match kind {
            Kind::Number => literal::number(text),
            Kind::Boolean => literal::boolean(text),
            Kind::Date => literal::date(text).map(Value::Date),
            Kind::Time => literal::time(text),
            _ => Some(Value::Text(text.to_owned())),
        };
        if read.is_none() {
            self.unreadable(kind, text, compared);
        }
        read
    }

    fn unreadable(&mut self, kind: Kind, text: &str, compared: &Compared) {
        let (what, next) = match kind {
            Kind::Number => ("number", "write digits, such as \"12500.50\""),
            Kind::Boolean => ("boolean", "write \"true\" or \"false\""),
            Kind::Date => ("date", "write \"2026-11-30\"; for a period use during"),
            Kind::Datetime => {
                ("date or moment", "write \"2026-11-30\" or \"2026-11-30T14:05:00\"; for a period use during")
            }
            _ => ("time of day", "write \"14:05\""),
        };
        let what = format!("'{}' is no {what}, and {} is one", clip(text, MOST_ECHO), compared.field);
        self.problem(&format!("{}.value", compared.at), what, &[], next);
    }
}

fn day_range(day: NaiveDate, zone: Tz) -> Test {
    Test::Range {
        low: Some(Bound { value: Value::Datetime(literal::start_of(day, zone)), inclusive: true }),
        high: Some(Bound {
            value: Value::Datetime(literal::start_of(literal::next(day), zone)),
            inclusive: false,
        }),
    }
}

/// The operator that a sign stands for everywhere.
fn symbol(written: &str) -> Option<Op> {
    Some(match written {
        "=" | "==" => Op::Eq,
        "!=" | "<>" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Lte,
        ">" => Op::Gt,
        ">=" => Op::Gte,
        _ => return None,
    })
}

/// The operators that suit a kind, the commonest first.
const fn operators(kind: Kind) -> &'static [Op] {
    match kind {
        Kind::Text => {
            &[Op::Eq, Op::In, Op::Contains, Op::StartsWith, Op::Ne, Op::NotIn, Op::IsNull, Op::NotNull]
        }
        Kind::Id | Kind::Reference | Kind::Boolean => {
            &[Op::Eq, Op::In, Op::Ne, Op::NotIn, Op::IsNull, Op::NotNull]
        }
        Kind::Number | Kind::Time => &[
            Op::Eq,
            Op::Gte,
            Op::Lte,
            Op::Between,
            Op::Gt,
            Op::Lt,
            Op::In,
            Op::Ne,
            Op::NotIn,
            Op::IsNull,
            Op::NotNull,
        ],
        Kind::Date | Kind::Datetime => &[
            Op::During,
            Op::Between,
            Op::Gte,
            Op::Lte,
            Op::Eq,
            Op::Gt,
            Op::Lt,
            Op::In,
            Op::Ne,
            Op::NotIn,
            Op::IsNull,
            Op::NotNull,
        ],
        Kind::Texts => &[Op::Includes, Op::Excludes, Op::IsNull, Op::NotNull],
        Kind::Opaque => &[Op::IsNull, Op::NotNull],
    }
}
