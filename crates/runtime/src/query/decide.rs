//! Literals that only the records decide: is there one that is spelt so, and whose name or id is it?

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use portolan_schema::nearest::nearest;
use portolan_schema::{ClosedSchema, FieldType};

use super::check::{Open, path_of};
use super::value::{Kind, Reference, Value};
use super::{Condition, Match, Order, Path, Query, Test};
use crate::answer::{MOST_ECHO, Problem};
use crate::fold::fold_text;
use crate::json::clip;
use crate::source::{Page, RecordSource, SourceError};

/// So many candidates of an ambiguous name are listed.
const MOST_CANDIDATES: usize = 6;
/// So many values of a picklist are looked at.
const MOST_PRESENT: usize = 200;
/// So many of them are listed, where none is like the literal.
const MOST_LISTED: usize = 12;

/// What open literals are decided by.
pub(crate) struct Decide<'a> {
    pub(crate) source: &'a dyn RecordSource,
    pub(crate) schema: &'a ClosedSchema,
    /// The query that they are of.
    pub(crate) query: &'a Query,
}

/// The literals of a condition, decided.
#[derive(Default)]
pub(crate) struct Decided {
    /// What each of them is equal to; nothing, where no record is meant.
    pub(crate) matches: Vec<Option<Match>>,
    pub(crate) understood: Vec<(String, String)>,
    pub(crate) note: Option<String>,
}

/// Why literals can't be decided.
pub(crate) enum Undecided {
    Problems(Vec<Problem>),
    Source(SourceError),
}

impl From<SourceError> for Undecided {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

/// A record by a name or an id, and its name.
type Candidate = (Reference, String);

impl Decide<'_> {
    pub(crate) async fn decide(&self, open: &Open) -> Result<Decided, Undecided> {
        match Kind::of(open.path.field_type) {
            Kind::Reference => self.references(open).await,
            _ => Ok(self.texts(open).await?),
        }
    }

    /// A text that some record has exactly is compared exactly, any other with case and accents aside.
    async fn texts(&self, open: &Open) -> Result<Decided, SourceError> {
        let exactly = |text: &String| Match::Exactly(Value::Text(text.clone()));
        let one_of = |wanted| (Test::OneOf(wanted), false);
        let exact = one_of(open.texts.iter().map(exactly).collect());
        let exact: BTreeSet<String> = self.values(open, exact, open.texts.len()).await?.into_iter().collect();
        let matches = open.texts.iter().map(|text| {
            Some(if exact.contains(text) { exactly(text) } else { Match::Folded(fold_text(text)) })
        });
        let mut decided = Decided { matches: matches.collect(), ..Decided::default() };
        let others = open.texts.iter().filter(|text| !exact.contains(*text));
        let others: Vec<(&String, String)> = others.map(|text| (text, fold_text(text))).collect();
        if others.is_empty() {
            return Ok(decided);
        }
        let folded = others.iter().map(|(_, folded)| Match::Folded(folded.clone())).collect();
        let alike = self.values(open, one_of(folded), MOST_PRESENT).await?;
        let alike: BTreeSet<String> = alike.iter().map(|value| fold_text(value)).collect();
        let (found, absent): (Vec<_>, Vec<_>) = others.iter().partition(|(_, folded)| alike.contains(folded));
        let understood = |(text, _): &(&String, String)| {
            (format!("{} = {}", open.field, clip(text, MOST_ECHO)), "case and accents aside".to_owned())
        };
        decided.understood = found.into_iter().map(understood).collect();
        if !absent.is_empty()
            && matches!(open.path.field_type, FieldType::Picklist | FieldType::MultiPicklist)
        {
            let absent: Vec<&str> = absent.iter().map(|(text, _)| text.as_str()).collect();
            decided.note = Some(self.absent(open, &absent).await?);
        }
        Ok(decided)
    }

    /// Says that no record has some values of a picklist, and which are like them.
    async fn absent(&self, open: &Open, absent: &[&str]) -> Result<String, SourceError> {
        let present = self.values(open, (Test::Null, true), MOST_PRESENT).await?;
        let mut near: Vec<&str> = Vec::new();
        for text in absent {
            for value in nearest(text, present.iter().map(String::as_str), 5) {
                if near.len() < MOST_LISTED && !near.contains(&value) {
                    near.push(value);
                }
            }
        }
        let is_like = !near.is_empty();
        if !is_like {
            near = present.iter().map(String::as_str).take(MOST_LISTED).collect();
        }
        let quoted = |values: &[&str], by: &str| {
            let shown = values.iter().take(MOST_LISTED).map(|value| format!("'{}'", clip(value, MOST_ECHO)));
            shown.collect::<Vec<_>>().join(by)
        };
        let (field, texts) = (&open.field, quoted(absent, " or "));
        Ok(if near.is_empty() {
            format!("No record has {field} {texts}, nor any other value of it.")
        } else {
            let how = if is_like { "The nearest that there are:" } else { "There is" };
            format!("No record has {field} {texts}. {how} {}.", quoted(&near, ", "))
        })
    }

    /// The texts that records have in a field where a condition on it holds: so many of them, each once.
    async fn values(
        &self,
        open: &Open,
        (wanted, negated): (Test, bool),
        most: usize,
    ) -> Result<Vec<String>, SourceError> {
        let query = Query {
            object: self.query.object.clone(),
            columns: vec![open.path.clone()],
            all: vec![Condition { path: open.path.clone(), test: wanted, negated }],
            // A source reads one more than the limit.
            limit: most.saturating_sub(1),
            distinct: true,
            rows: self.query.rows.clone(),
            ..Query::default()
        };
        let page = self.source.fetch(&query).await?;
        let mut texts = Vec::new();
        for value in page.records.into_iter().flatten() {
            match value {
                Value::Text(text) => texts.push(text),
                Value::Texts(several) => texts.extend(several),
                _ => {}
            }
        }
        Ok(texts)
    }

    /// Records by their identifier, else by their name.
    async fn references(&self, open: &Open) -> Result<Decided, Undecided> {
        let looked_up =
            try_join_all(open.path.targets.iter().map(|target| self.look_up(open, &target.object))).await?;
        let mut candidates: BTreeMap<&str, Vec<Candidate>> = BTreeMap::new();
        for (text, candidate) in looked_up.into_iter().flatten() {
            candidates.entry(text).or_default().push(candidate);
        }
        let mut decided = Decided::default();
        let (mut problems, mut unknown) = (Vec::new(), Vec::new());
        for text in &open.texts {
            let mut found = candidates.remove(text.as_str()).unwrap_or_default();
            // What is its id is meant, whatever else has it for a name.
            if found.iter().any(|(reference, _)| reference.id == *text) {
                found.retain(|(reference, _)| reference.id == *text);
            }
            let shown = clip(text, MOST_ECHO);
            decided.matches.push(match found.as_slice() {
                [only] => Some(Match::Exactly(Value::Reference(only.0.clone()))),
                _ => None,
            });
            match found.as_slice() {
                [] => unknown.push(format!("'{shown}'")),
                [(only, name)] => {
                    if only.id != *text {
                        let meant = format!("{} '{}' ({})", only.object, clip(name, MOST_ECHO), only.id);
                        decided.understood.push((format!("{} = {shown}", open.field), meant));
                    }
                }
                several => {
                    let candidate = |(to, name): &Candidate| {
                        format!("{} ({} '{}')", to.id, to.object, clip(name, MOST_ECHO))
                    };
                    problems.push(Problem {
                        at: format!("{}.value", open.place),
                        what: match several.len() {
                            count if count > MOST_CANDIDATES => {
                                format!("'{shown}' is the name of more than {MOST_CANDIDATES} records")
                            }
                            count => format!("'{shown}' is the name of {count} records"),
                        },
                        nearest: several.iter().take(MOST_CANDIDATES).map(candidate).collect(),
                        next: of_candidates(open, several),
                    });
                }
            }
        }
        if !problems.is_empty() {
            return Err(Undecided::Problems(problems));
        }
        if !unknown.is_empty() {
            unknown.truncate(MOST_LISTED);
            let targets: Vec<&str> = open.path.targets.iter().map(|target| target.object.as_str()).collect();
            let (targets, texts) = (targets.join(" or "), unknown.join(" or "));
            decided.note = Some(format!("No {targets} that you may see has the id or the name {texts}."));
        }
        Ok(decided)
    }

    /// The records of an object that literals name, by literal.
    async fn look_up<'o>(
        &self,
        open: &'o Open,
        target: &str,
    ) -> Result<Vec<(&'o str, Candidate)>, SourceError> {
        let Some(object) = self.schema.object(target) else { return Ok(Vec::new()) };
        let field = |name: &Option<String>| {
            let field = object.field(name.as_deref()?)?;
            self.source.keeps(target, &field.name).then(|| path_of(self.schema, self.source, object, field))
        };
        let Some(id) = field(&object.id_field) else { return Ok(Vec::new()) };
        let name = field(&object.name_field);
        let exactly = |texts: &[&str]| {
            texts.iter().map(|text| Match::Exactly(Value::Text((*text).to_owned()))).collect()
        };

        let mut left: Vec<&'o str> = open.texts.iter().map(String::as_str).collect();
        let mut found: Vec<(&'o str, Candidate)> = Vec::new();
        let by_id = self.candidates(target, &id, name.as_ref(), &id, exactly(&left)).await?;
        take(&mut left, &mut found, &by_id, |text, (to, _)| to.id == text);
        let Some(name) = &name else { return Ok(found) };
        if !left.is_empty() {
            let by_name = self.candidates(target, &id, Some(name), name, exactly(&left)).await?;
            take(&mut left, &mut found, &by_name, |text, (_, name)| name == text);
        }
        if !left.is_empty() {
            let folded = left.iter().map(|text| Match::Folded(fold_text(text))).collect();
            let by_name = self.candidates(target, &id, Some(name), name, folded).await?;
            take(&mut left, &mut found, &by_name, |text, (_, name)| fold_text(name) == fold_text(text));
        }
        Ok(found)
    }

    async fn candidates(
        &self,
        object: &str,
        id: &Path,
        name: Option<&Path>,
        by: &Path,
        wanted: Vec<Match>,
    ) -> Result<Vec<Candidate>, SourceError> {
        let query = Query {
            object: object.to_owned(),
            columns: std::iter::once(id).chain(name).cloned().collect(),
            limit: MOST_CANDIDATES * wanted.len(),
            all: vec![Condition { path: by.clone(), test: Test::OneOf(wanted), negated: false }],
            order: vec![Order { path: id.clone(), descending: false }],
            rows: self.query.rows.clone(),
            ..Query::default()
        };
        let Page { records, .. } = self.source.fetch(&query).await?;
        let candidate = |record: Vec<Value>| {
            let mut texts = record.into_iter().map(|value| match value {
                Value::Text(text) => Some(text),
                _ => None,
            });
            let id = texts.next()??;
            Some((Reference { object: object.to_owned(), id }, texts.next().flatten().unwrap_or_default()))
        };
        Ok(records.into_iter().filter_map(candidate).collect())
    }
}

/// What to do where a name is that of several records.
fn of_candidates(open: &Open, candidates: &[Candidate]) -> String {
    let named = candidates.first().and_then(|(to, _)| open.path.target(&to.object)?.name.as_ref());
    let all = match (named, open.path.targets.as_slice()) {
        (Some(name), [_]) => format!(", compare {}.{name} to take all of them", open.field),
        (Some(_), _) => format!(", compare {}.name to take all of them", open.field),
        (None, _) => String::new(),
    };
    format!("use the id of the one you mean{all}, or ask the user")
}

/// Moves the literals that candidates answer to from what is left to what is found.
fn take<'o>(
    left: &mut Vec<&'o str>,
    found: &mut Vec<(&'o str, Candidate)>,
    candidates: &[Candidate],
    answers: impl Fn(&str, &Candidate) -> bool,
) {
    left.retain(|text| {
        let known = found.len();
        let own = candidates.iter().filter(|candidate| answers(text, candidate));
        found.extend(own.map(|candidate| (*text, candidate.clone())));
        found.len() == known
    });
}
