//! Tasks: questions that come every day, prepared once.
//!
//! A task names the objects whose schemas an assistant fetches together in its first turn and the
//! queries that it makes together in its next, says how the answer should look, and is called up by a
//! keyword. The compiler checks every name in it against the schema.

use std::collections::BTreeSet;

use crate::query::{Group, Malformed, Measure, Measured, Op, Order, Period, PeriodProblem};
use crate::{ClosedSchema, PathProblem};

/// A question that is prepared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// What calls it up; unique.
    pub keyword: String,
    /// What people read in a list of tasks.
    pub title: String,
    /// What it is good for.
    pub description: String,
    /// What it has to be told, in the order in which it is asked for.
    pub arguments: Vec<TaskArgument>,
    /// What the model is told; `{argument}` stands for what was given.
    pub prompt: String,
    /// The objects whose schemas are fetched first.
    pub objects: Vec<String>,
    /// The queries that are made then, together.
    pub queries: Vec<TaskQuery>,
    /// How the answer should look; `{argument}` as in the prompt.
    pub answer: String,
}

/// What a task has to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskArgument {
    /// The name that placeholders use.
    pub name: String,
    /// What it is, for whoever fills it.
    pub description: String,
    /// Whether the task can't do without.
    pub required: bool,
}

/// The arguments of one `query_records` call. In texts that are compared with records, `{argument}`
/// stands for what was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskQuery {
    /// The object.
    pub object: String,
    /// Fields and paths; none: the usual ones.
    pub fields: Vec<String>,
    /// All must hold.
    pub conditions: Vec<TaskCondition>,
    /// And at least one of these, where there are any.
    pub any: Vec<TaskCondition>,
    /// Related records that there must or must not be.
    pub related: Vec<TaskRelated>,
    /// Text in any of the object's text fields.
    pub search: Option<String>,
    /// Groups, as written.
    pub group_by: Vec<String>,
    /// Measures, as written.
    pub measures: Vec<String>,
    /// Conditions on measures.
    pub having: Vec<TaskCondition>,
    /// Orders, as written.
    pub order_by: Vec<String>,
    /// How many records or groups.
    pub limit: Option<u32>,
}

/// A condition, on a field or (in `having`) on a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskCondition {
    /// A field, a path or a measure.
    pub on: String,
    /// The operator.
    pub op: Op,
    /// What it is compared with.
    pub values: Vec<String>,
}

/// A condition on related records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRelated {
    /// The related object.
    pub object: String,
    /// Its field that points here, or at what `via` points at.
    pub field: String,
    /// A path of the queried object, where it isn't pointed at itself.
    pub via: Option<String>,
    /// Whether there must be such a record, or must not.
    pub exists: bool,
    /// What holds for it.
    pub conditions: Vec<TaskCondition>,
}

/// Something wrong with a task, and the text in it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProblem {
    /// Where, as in `queries[0].where[1].field`.
    pub at: String,
    /// What.
    pub kind: TaskProblemKind,
}

/// What is wrong with a part of a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskProblemKind {
    /// An object that isn't there.
    #[error("there is no object '{0}'")]
    NoObject(String),
    /// An object that is queried and whose schema is not fetched.
    #[error("'{0}' is not among the task's objects")]
    ObjectNotListed(String),
    /// A path that leads nowhere.
    #[error(transparent)]
    Path(#[from] PathProblem),
    /// A text that can't be read.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A period that is none, whatever the arguments are.
    #[error(transparent)]
    Period(#[from] PeriodProblem),
    /// A field that doesn't lead from the related object to the queried one.
    #[error("'{0}' doesn't point at {1}")]
    NoRelation(String, String),
    /// A measure, or a key to order groups by, that is used and not asked for.
    #[error("'{0}' is not among the query's measures and groups")]
    NoSuchMeasure(String),
    /// A keyword that nobody can type everywhere.
    #[error("'{0}' is no keyword of a task")]
    Keyword(String),
    /// A part that no task can do without.
    #[error("the task has no '{0}'")]
    Missing(&'static str),
    /// An argument that no placeholder can name.
    #[error("'{0}' is no name of an argument")]
    ArgumentName(String),
    /// Two arguments of one name.
    #[error("the argument '{0}' is there twice")]
    RepeatedArgument(String),
    /// A placeholder for an argument that isn't declared.
    #[error("there is no argument '{0}'")]
    NoArgument(String),
    /// An argument that no text uses.
    #[error("no text uses the argument '{0}'")]
    UnusedArgument(String),
    /// A curly bracket that is neither doubled nor around the name of an argument.
    #[error("a curly bracket is part of no {{argument}}; write {{{{ or }}}} for one that is meant")]
    Bracket,
    /// A limit out of bounds.
    #[error("the limit is 1 to {MOST_RECORDS}, not {0}")]
    Limit(u32),
    /// Conditions on measures of a query that has none, or fields beside measures.
    #[error("{0}")]
    Together(&'static str),
    /// A number of values that the operator doesn't take.
    #[error("'{0}' takes {1}")]
    Values(Op, &'static str),
}

/// No query asks for more records.
pub const MOST_RECORDS: u32 = 100;

impl Task {
    /// Whether a text can be a keyword: a-z, 0-9, `_` and `-`, which are typed alike everywhere.
    #[must_use]
    pub fn is_keyword(text: &str) -> bool {
        let ordinary = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        !text.is_empty() && text.chars().all(ordinary)
    }

    /// The parts that no task can do without and that this one lacks: `title`, `prompt`, `answer`,
    /// `objects`, `queries`.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let parts = [
            ("title", self.title.is_empty()),
            ("prompt", self.prompt.is_empty()),
            ("answer", self.answer.is_empty()),
            ("objects", self.objects.is_empty()),
            ("queries", self.queries.is_empty()),
        ];
        parts.into_iter().filter(|(_, missing)| *missing).map(|(part, _)| part).collect()
    }

    /// Everything that is wrong with it, in the order of its parts.
    #[must_use]
    pub fn check(&self, schema: &ClosedSchema) -> Vec<TaskProblem> {
        let mut check = Check { schema, task: self, used: BTreeSet::new(), problems: Vec::new() };
        check.parts();
        for (at, object) in self.objects.iter().enumerate() {
            if schema.object(object).is_none() {
                check.problem(format!("objects[{at}]"), TaskProblemKind::NoObject(object.clone()));
            }
        }
        for (at, query) in self.queries.iter().enumerate() {
            check.query(&format!("queries[{at}]"), query);
        }
        for argument in &self.arguments {
            if !check.used.contains(argument.name.as_str()) {
                let at = format!("arguments.{}", argument.name);
                check.problem(at, TaskProblemKind::UnusedArgument(argument.name.clone()));
            }
        }
        check.problems
    }
}

struct Check<'t> {
    schema: &'t ClosedSchema,
    task: &'t Task,
    used: BTreeSet<&'t str>,
    problems: Vec<TaskProblem>,
}

impl<'t> Check<'t> {
    fn problem(&mut self, at: impl Into<String>, kind: impl Into<TaskProblemKind>) {
        self.problems.push(TaskProblem { at: at.into(), kind: kind.into() });
    }

    fn parts(&mut self) {
        let task = self.task;
        if !Task::is_keyword(&task.keyword) {
            self.problem("keyword", TaskProblemKind::Keyword(task.keyword.clone()));
        }
        for part in task.missing() {
            self.problem(part, TaskProblemKind::Missing(part));
        }
        let mut declared = BTreeSet::new();
        for TaskArgument { name, .. } in &task.arguments {
            let at = format!("arguments.{name}");
            if !is_argument(name) {
                // No text can use it, which needn't be said besides.
                self.used.insert(name);
                self.problem(at, TaskProblemKind::ArgumentName(name.clone()));
            } else if !declared.insert(name) {
                self.problem(at, TaskProblemKind::RepeatedArgument(name.clone()));
            }
        }
        self.placeholders("prompt", &task.prompt);
        self.placeholders("answer", &task.answer);
    }

    fn placeholders(&mut self, at: &str, text: &'t str) {
        let (names, whole) = scan(text);
        if !whole {
            self.problem(at, TaskProblemKind::Bracket);
        }
        for name in names.into_iter().collect::<BTreeSet<_>>() {
            if self.task.arguments.iter().any(|argument| argument.name == name) {
                self.used.insert(name);
            } else {
                self.problem(at, TaskProblemKind::NoArgument(name.to_owned()));
            }
        }
    }

    fn query(&mut self, at: &str, query: &'t TaskQuery) {
        if self.schema.object(&query.object).is_none() {
            self.problem(format!("{at}.object"), TaskProblemKind::NoObject(query.object.clone()));
        } else if !self.task.objects.contains(&query.object) {
            self.problem(format!("{at}.object"), TaskProblemKind::ObjectNotListed(query.object.clone()));
        }
        for (index, path) in query.fields.iter().enumerate() {
            self.path(format!("{at}.fields[{index}]"), &query.object, path);
        }
        self.conditions(&format!("{at}.where"), &query.object, &query.conditions);
        self.conditions(&format!("{at}.where_any"), &query.object, &query.any);
        for (index, related) in query.related.iter().enumerate() {
            self.related(&format!("{at}.related[{index}]"), &query.object, related);
        }
        if let Some(search) = &query.search {
            self.placeholders(&format!("{at}.search"), search);
        }
        if let Some(limit) = query.limit.filter(|limit| !(1..=MOST_RECORDS).contains(limit)) {
            self.problem(format!("{at}.limit"), TaskProblemKind::Limit(limit));
        }
        self.aggregates(at, query);
    }

    fn aggregates(&mut self, at: &str, query: &'t TaskQuery) {
        for (index, text) in query.group_by.iter().enumerate() {
            let at = format!("{at}.group_by[{index}]");
            match text.parse::<Group>() {
                Ok(group) => self.path(at, &query.object, &group.path),
                Err(problem) => self.problem(at, problem),
            }
        }
        for (index, text) in query.measures.iter().enumerate() {
            let at = format!("{at}.measures[{index}]");
            match text.parse::<Measure>() {
                Ok(Measure { of: Measured::Records, .. }) => {}
                Ok(Measure { of: Measured::Path(path), .. }) => self.path(at, &query.object, &path),
                Ok(Measure { of: Measured::DaysBetween(from, to), .. }) => {
                    self.path(at.clone(), &query.object, &from);
                    self.path(at, &query.object, &to);
                }
                Err(problem) => self.problem(at, problem),
            }
        }
        for (index, condition) in query.having.iter().enumerate() {
            let at = format!("{at}.having[{index}]");
            if !query.measures.contains(&condition.on) {
                self.problem(format!("{at}.measure"), TaskProblemKind::NoSuchMeasure(condition.on.clone()));
            }
            self.values(&at, condition);
        }
        for (index, text) in query.order_by.iter().enumerate() {
            let at = format!("{at}.order_by[{index}]");
            match text.parse::<Order>() {
                Ok(order) if query.group_by.contains(&order.key) || query.measures.contains(&order.key) => {}
                Ok(order)
                    if !query.measures.is_empty() || order.key.contains('(') || order.key == "count" =>
                {
                    self.problem(at, TaskProblemKind::NoSuchMeasure(order.key));
                }
                Ok(order) => self.path(at, &query.object, &order.key),
                Err(problem) => self.problem(at, problem),
            }
        }
        if !query.measures.is_empty() && query.fields.iter().any(|field| !query.group_by.contains(field)) {
            let what = "fields beside measures have to be grouped by";
            self.problem(format!("{at}.fields"), TaskProblemKind::Together(what));
        }
        if query.measures.is_empty() && !query.group_by.is_empty() {
            let what = "group_by needs measures, such as \"count\"";
            self.problem(format!("{at}.group_by"), TaskProblemKind::Together(what));
        }
    }

    fn conditions(&mut self, at: &str, object: &str, conditions: &'t [TaskCondition]) {
        for (index, condition) in conditions.iter().enumerate() {
            let at = format!("{at}[{index}]");
            self.path(format!("{at}.field"), object, &condition.on);
            self.values(&at, condition);
        }
    }

    fn values(&mut self, at: &str, condition: &'t TaskCondition) {
        let (takes, words) = match condition.op {
            Op::IsNull | Op::NotNull => (0..=0, "no value"),
            Op::Between => (2..=2, "two values"),
            Op::In | Op::NotIn | Op::Includes | Op::Excludes => (1..=usize::MAX, "at least one value"),
            _ => (1..=1, "one value"),
        };
        if !takes.contains(&condition.values.len()) {
            self.problem(format!("{at}.op"), TaskProblemKind::Values(condition.op, words));
        }
        for value in &condition.values {
            let at = format!("{at}.value");
            self.placeholders(&at, value);
            if condition.op == Op::During
                && placeholders(value).is_some_and(|names| names.is_empty())
                && let Err(problem) = value.parse::<Period>()
            {
                self.problem(at, problem);
            }
        }
    }

    fn related(&mut self, at: &str, queried: &str, related: &'t TaskRelated) {
        let TaskRelated { object, field, via, conditions, .. } = related;
        if let Some(via) = via {
            self.path(format!("{at}.via"), queried, via);
        }
        let found = self.schema.object(object);
        if found.is_none() {
            self.problem(format!("{at}.object"), TaskProblemKind::NoObject(object.clone()));
        }
        match found.map(|found| found.field(field)) {
            None => {}
            Some(None) => {
                let missing = PathProblem::NoField { object: object.clone(), field: field.clone() };
                self.problem(format!("{at}.field"), missing);
            }
            Some(Some(found)) => {
                let shared = self.shared(queried, via.as_deref());
                if shared.is_some_and(|shared| !found.references.iter().any(|target| shared.contains(target)))
                {
                    let target = via
                        .as_ref()
                        .map_or_else(|| format!("'{queried}'"), |via| format!("what '{via}' points at"));
                    let fault = TaskProblemKind::NoRelation(format!("{object}.{field}"), target);
                    self.problem(format!("{at}.field"), fault);
                }
            }
        }
        self.conditions(&format!("{at}.where"), object, conditions);
    }

    /// What a related record has to point at; `None` where that can't be known.
    fn shared(&self, queried: &str, via: Option<&str>) -> Option<Vec<String>> {
        match via {
            None => self.schema.object(queried).map(|object| vec![object.name.clone()]),
            Some(path) => Some(self.schema.resolve_path(queried, path).ok()?.1.references.clone()),
        }
    }

    fn path(&mut self, at: String, object: &str, path: &str) {
        match self.schema.resolve_path(object, path) {
            // An object that isn't there is said where it is named, once.
            Ok(_) | Err(PathProblem::NoObject(_)) => {}
            Err(problem) => self.problem(at, problem),
        }
    }
}

/// Whether a placeholder can name it.
fn is_argument(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// The names between single curly brackets; `{{` and `}}` stand for the brackets themselves. `None`
/// where a bracket is neither doubled nor around a name.
#[must_use]
pub fn placeholders(text: &str) -> Option<Vec<&str>> {
    let (names, whole) = scan(text);
    whole.then_some(names)
}

/// The names, and whether they and the doubled brackets are all the brackets there are.
fn scan(text: &str) -> (Vec<&str>, bool) {
    let (mut names, mut whole) = (Vec::new(), true);
    let mut rest = text;
    while let Some((bracket, after)) =
        rest.find(['{', '}']).and_then(|at| rest.get(at..)?.split_at_checked(1))
    {
        let placeholder = || after.split_once('}').filter(|(name, _)| bracket == "{" && is_argument(name));
        rest = if let Some(doubled) = after.strip_prefix(bracket) {
            doubled
        } else if let Some((name, after)) = placeholder() {
            names.push(name);
            after
        } else {
            whole = false;
            after
        };
    }
    (names, whole)
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_stand_between_brackets() {
        assert_eq!(placeholders("of {account} and {contact}"), Some(vec!["account", "contact"]));
        assert_eq!(placeholders("{{not}} {one}}}"), Some(vec!["one"]));
        assert_eq!(placeholders("none"), Some(vec![]));
        for wrong in ["{", "}", "{}", "{a", "a}", "{a{b}", "{{a}", "{ a }", "{\"a\": 1}"] {
            assert_eq!(placeholders(wrong), None, "{wrong}");
        }
    }
}
