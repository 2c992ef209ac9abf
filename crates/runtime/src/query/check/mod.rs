//! From what a model wants to a checked query: every name found, every literal read, all faults at once.

mod conditions;
mod paths;
mod rows;

use portolan_schema::nearest::nearest;
use portolan_schema::query::Order as OrderBy;
use portolan_schema::{ClosedSchema, Field, FieldType, Object, Profile};

use super::value::Kind;
use super::wanted::Wanted;
use super::{Hop, Order, Part, Path, Query, Search, Target};
use crate::answer::{MOST_ECHO, Problem, Problems};
use crate::caller::Caller;
use crate::fold::{fold, fold_text};
use crate::json::clip;
use crate::limits::Limits;
use crate::source::RecordSource;

/// All that match are counted up to here.
const MOST_COUNTED: u64 = 10_000;
/// So many fields are shown where none are named.
const DEFAULT_FIELDS: usize = 12;
const MOST_FIELDS: usize = 60;
const MOST_ORDERS: usize = 10;
const MOST_NEAREST: usize = 4;

/// A query that can be sent, but for literals that only the records decide.
pub(crate) struct Checked {
    pub(crate) query: Query,
    /// What an answer's records show.
    pub(crate) shown: Vec<Shown>,
    /// Literals whose meaning depends on what is there.
    pub(crate) open: Vec<Open>,
    /// What was changed, resolved or assumed.
    pub(crate) understood: Vec<(String, String)>,
    pub(crate) notes: Vec<String>,
}

/// A member of the records of an answer.
pub(crate) struct Shown {
    pub(crate) key: String,
    /// Among the query's columns.
    pub(crate) column: usize,
    /// The columns that hold the name of what a reference leads to, one an object.
    pub(crate) names: Vec<(String, usize)>,
    /// The objects that the reference may lead to, as far as the caller may know.
    pub(crate) targets: Vec<String>,
    /// Whether these are several.
    pub(crate) polymorphic: bool,
}

/// The literals of a condition that are decided by the records.
pub(crate) struct Open {
    /// Which list of conditions, and which of them.
    pub(crate) any: bool,
    pub(crate) at: usize,
    pub(crate) texts: Vec<String>,
    pub(crate) path: Path,
    /// The field, as it is written.
    pub(crate) field: String,
    /// Where it stands in the arguments.
    pub(crate) place: String,
}

/// What a query is checked against.
pub(crate) struct Check<'c> {
    /// What the caller sees.
    schema: &'c ClosedSchema,
    /// What there is: row rules alone are written over it.
    everything: &'c ClosedSchema,
    profile: Option<&'c Profile>,
    caller: &'c Caller,
    source: &'c dyn RecordSource,
    limits: &'c Limits,
    problems: Problems,
    understood: Vec<(String, String)>,
}

impl<'c> Check<'c> {
    pub(crate) fn new(
        schema: &'c ClosedSchema,
        everything: &'c ClosedSchema,
        profile: Option<&'c Profile>,
        caller: &'c Caller,
        source: &'c dyn RecordSource,
        limits: &'c Limits,
    ) -> Self {
        let (problems, understood) = (Problems::default(), Vec::new());
        Self { schema, everything, profile, caller, source, limits, problems, understood }
    }

    /// Checks it all. `problems` are those that reading the arguments found.
    pub(crate) fn run(mut self, wanted: &Wanted, problems: Problems) -> Result<Checked, Problems> {
        self.problems = problems;
        let Some(object) = self.object(&wanted.object) else { return Err(self.problems) };
        let mut query = Query { object: object.name.clone(), ..Query::default() };
        let mut notes = Vec::new();
        let Some(id) =
            object.id_field.as_deref().and_then(|id| object.field(id)).filter(|_| object.queryable)
        else {
            self.problem(
                "object",
                format!("{} can't be queried", object.name),
                &[],
                "ask for records of another object",
            );
            return Err(self.problems);
        };
        if !self.source.keeps(&object.name, &id.name) {
            let what = format!("records of {} can't be read here", object.name);
            self.problem(
                "object",
                what,
                &[],
                "ask for records of another object, or say that these can't be read",
            );
            return Err(self.problems);
        }
        let id = self.path_of(object, id);
        query.columns.push(id.clone());

        let shown = self.fields(object, wanted, &mut query);
        let mut open = Vec::new();
        query.all = self.conditions(object, &wanted.all, false, &mut open);
        query.any = self.conditions(object, &wanted.any, true, &mut open);
        query.search = wanted.search.as_deref().and_then(|text| self.search(object, text));
        query.order = self.order(object, &wanted.order_by);
        query.order.push(Order { path: id, descending: false });
        query.limit = self.limit(wanted.limit, &mut notes);
        query.count_to = wanted.cursor.is_none().then_some(MOST_COUNTED);
        query.rows = self.rows();
        if self.problems.is_empty() {
            Ok(Checked { query, shown, open, understood: self.understood, notes })
        } else {
            Err(self.problems)
        }
    }

    fn problem(&mut self, at: &str, what: String, nearest: &[String], next: &str) {
        self.problems.push(Problem {
            at: at.to_owned(),
            what,
            nearest: nearest.to_vec(),
            next: next.to_owned(),
        });
    }

    fn object(&mut self, wanted: &str) -> Option<&'c Object> {
        if wanted.is_empty() {
            // That it is missing was said where the arguments were read.
            return None;
        }
        if let Some(object) = self.schema.object(wanted) {
            return Some(object);
        }
        let folded = fold(&clip(wanted, MOST_ECHO));
        let mut alike = self.schema.objects().iter().filter(|object| fold(&object.name) == folded);
        if let (Some(meant), None) = (alike.next(), alike.next()) {
            self.understood.push((clip(wanted, MOST_ECHO), meant.name.clone()));
            return Some(meant);
        }
        let names = self.schema.objects().iter().map(|object| object.name.as_str());
        let near: Vec<String> =
            nearest(&clip(wanted, MOST_ECHO), names, MOST_NEAREST).into_iter().map(str::to_owned).collect();
        let next = match near.first() {
            Some(meant) => format!("use {meant}, or call list_objects"),
            None => "call list_objects".to_owned(),
        };
        self.problem("object", format!("unknown object '{}'", clip(wanted, MOST_ECHO)), &near, &next);
        None
    }

    /// The columns that are shown: those asked for, or id, name, references and then what comes first.
    fn fields(&mut self, object: &'c Object, wanted: &Wanted, query: &mut Query) -> Vec<Shown> {
        let mut keys: Vec<(String, Path)> = Vec::new();
        if wanted.fields.is_empty() {
            let kept = default_fields(object).filter(|field| self.source.keeps(&object.name, &field.name));
            keys = kept
                .take(DEFAULT_FIELDS)
                .map(|field| (field.name.clone(), self.path_of(object, field)))
                .collect();
        }
        for (at, text) in wanted.fields.iter().enumerate() {
            if at == MOST_FIELDS {
                let what = format!("{} fields; at most {MOST_FIELDS} are shown", wanted.fields.len());
                self.problem("fields", what, &[], "name the fields that the answer needs");
                break;
            }
            let place = format!("fields[{at}]");
            if let Some(path) = self.path(object, text, &place)
                && !keys.iter().any(|(_, known)| *known == path)
            {
                keys.push((text.clone(), path));
            }
        }
        let mut shown = Vec::new();
        for (key, path) in keys {
            let column = column(query, path.clone());
            let mut names = Vec::new();
            let targets = if path.part == Part::Whole { path.targets.as_slice() } else { &[] };
            let targets: Vec<String> = targets.iter().map(|target| target.object.clone()).collect();
            for target in &targets {
                if let Some(name) = self.name_through(&path, target) {
                    names.push((target.clone(), self::column(query, name)));
                }
            }
            let polymorphic = targets.len() > 1;
            shown.push(Shown { key, column, names, targets, polymorphic });
        }
        shown
    }

    fn path_of(&self, object: &Object, field: &Field) -> Path {
        path_of(self.schema, self.source, object, field)
    }

    fn search(&mut self, object: &Object, text: &str) -> Option<Search> {
        let searched = |field: &&Field| {
            field.filterable
                && self.source.keeps(&object.name, &field.name)
                && Kind::of(field.field_type) == Kind::Text
                && field.field_type != FieldType::Picklist
        };
        let fields: Vec<Path> =
            object.fields.iter().filter(searched).map(|field| self.path_of(object, field)).collect();
        let text = fold_text(text.trim());
        if fields.is_empty() {
            let what = format!("{} has no text that can be searched", object.name);
            self.problem("search", what, &[], "use where instead");
            return None;
        }
        Some(Search { fields, text })
    }

    fn order(&mut self, object: &'c Object, wanted: &[String]) -> Vec<Order> {
        let mut order = Vec::new();
        if wanted.len() > MOST_ORDERS {
            let what = format!("{} orders; at most {MOST_ORDERS} are taken", wanted.len());
            self.problem("order_by", what, &[], "name the fields that decide the order");
            return order;
        }
        for (at, text) in wanted.iter().enumerate() {
            let place = format!("order_by[{at}]");
            let read = match text.parse::<OrderBy>() {
                // As other query languages have it.
                Ok(OrderBy { key, descending: false }) if key.starts_with('-') => {
                    let key = key.trim_start_matches('-').to_owned();
                    self.understood.push((clip(text, MOST_ECHO), format!("{} desc", clip(&key, MOST_ECHO))));
                    OrderBy { key, descending: true }
                }
                Ok(read) => read,
                Err(problem) => {
                    self.problem(&place, problem.to_string(), &[], "write \"field\" or \"field desc\"");
                    continue;
                }
            };
            let Some(path) = self.path(object, &read.key, &place) else { continue };
            let field = self.schema.object(&path.object).and_then(|object| object.field(&path.field));
            let references = if path.part == Part::Whole { path.targets.as_slice() } else { &[] };
            let sortable = field.is_some_and(|field| field.sortable)
                && !matches!(Kind::of(path.field_type), Kind::Opaque | Kind::Texts);
            if !sortable {
                let what = format!("{} ({}) can't be sorted by", read.key, path.field_type);
                self.problem(&place, what, &[], "order by another field");
                continue;
            }
            let descending = read.descending;
            match references {
                [] => order.push(Order { path, descending }),
                // By the name that people see, then by what it is.
                [only] => {
                    order.extend(
                        self.name_through(&path, &only.object).map(|path| Order { path, descending }),
                    );
                    order.push(Order { path, descending });
                }
                [first, ..] => {
                    let what =
                        format!("{} may lead to several objects, and is no one thing to order by", read.key);
                    let near = [format!("{}.name", read.key), format!("{}[{}].…", read.key, first.object)];
                    self.problem(&place, what, &near, &format!("order by {}.name", read.key));
                }
            }
        }
        order
    }

    /// The name of what a reference leads to, where the source keeps it.
    fn name_through(&self, path: &Path, target: &str) -> Option<Path> {
        let target = self.schema.object(target)?;
        let name = target.field(target.name_field.as_deref()?)?;
        let hop = Hop {
            object: path.object.clone(),
            field: path.field.clone(),
            target: target.name.clone(),
            id: target.id_field.clone()?,
        };
        let is_kept = self.source.keeps(&target.name, &name.name) && self.source.keeps(&target.name, &hop.id);
        let hops = path.hops.iter().cloned().chain([hop]).collect();
        is_kept.then(|| Path { hops, ..self.path_of(target, name) })
    }

    fn limit(&mut self, wanted: Option<i64>, notes: &mut Vec<String>) -> usize {
        match wanted {
            None => self.limits.default_records,
            Some(number) if number < 1 => {
                let most = self.limits.records;
                let what = format!("the limit is 1 to {most}, not {number}");
                self.problem("limit", what, &[], &format!("give a number from 1 to {most}, or leave it out"));
                self.limits.default_records
            }
            Some(number) => match usize::try_from(number) {
                Ok(number) if number <= self.limits.records => number,
                _ => {
                    notes.push(format!(
                        "The limit was lowered to {}: use `cursor` for more.",
                        self.limits.records
                    ));
                    self.limits.records
                }
            },
        }
    }
}

/// The path of a field of an object, without a hop. What it may lead to is what the schema has, with what the
/// source keeps of that.
pub(crate) fn path_of(
    schema: &ClosedSchema,
    source: &dyn RecordSource,
    object: &Object,
    field: &Field,
) -> Path {
    let target = |name: &String| {
        let target = schema.object(name)?;
        let kept = |field: &Option<String>| field.clone().filter(|field| source.keeps(name, field));
        Some(Target { object: name.clone(), id: kept(&target.id_field), name: kept(&target.name_field) })
    };
    Path {
        hops: Vec::new(),
        object: object.name.clone(),
        field: field.name.clone(),
        field_type: field.field_type,
        scale: field.scale,
        targets: field.references.iter().filter_map(target).collect(),
        part: Part::Whole,
    }
}

/// A column of the query, which is there once.
pub(crate) fn column(query: &mut Query, path: Path) -> usize {
    let known = query.columns.iter().position(|known| *known == path);
    known.unwrap_or_else(|| {
        query.columns.push(path);
        query.columns.len() - 1
    })
}

/// Id, name, references, then the rest in the order of a schema, without what is long or opaque.
fn default_fields(object: &Object) -> impl Iterator<Item = &Field> {
    let is = |role: &Option<String>, field: &Field| role.as_deref() == Some(field.name.as_str());
    let readable = |field: &&Field| {
        !matches!(field.field_type, FieldType::LongText | FieldType::Binary | FieldType::Json)
    };
    let mut fields: Vec<&Field> = object.fields.iter().filter(readable).collect();
    fields.sort_by_key(|field| {
        (
            !is(&object.id_field, field),
            !is(&object.name_field, field),
            field.references.is_empty(),
            !field.required,
        )
    });
    fields.into_iter()
}
