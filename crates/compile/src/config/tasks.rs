//! `tasks/*.toml`: questions that are prepared, one a file.

use std::collections::BTreeMap;
use std::path::Path;

use portolan_schema::query::{Op, UnknownWord};
use portolan_schema::{Task, TaskArgument, TaskCondition, TaskProblemKind, TaskQuery, TaskRelated};
use toml::Spanned;
use toml::de::DeValue;

use super::toml_reader::{Reader, key_text};
use super::{Located, TextFile, read_document};
use crate::diagnostic::{Diagnostic, Place, alternatives};

/// A task as it is written, with where each part of it stands.
#[derive(Debug)]
pub struct TaskFile {
    /// The task.
    pub task: Task,
    file: Place,
    /// By part, as in `queries[0].where[1].field`.
    places: BTreeMap<String, Place>,
}

impl TaskFile {
    /// Where a part of the task stands; where the file doesn't say it, the whole that it is a part of.
    #[must_use]
    pub fn place(&self, part: &str) -> Place {
        let mut part = part;
        loop {
            if let Some(place) = self.places.get(part) {
                return place.clone();
            }
            match part.rfind(['.', '[']) {
                Some(end) => part = part.get(..end).unwrap_or_default(),
                None => return self.file.clone(),
            }
        }
    }
}

/// Reads a task. With errors among the diagnostics, it is not to be used.
pub(crate) fn parse(file: &TextFile) -> (TaskFile, Vec<Diagnostic>) {
    let mut read =
        TaskFile { task: Task::default(), file: Place::file(file.name.clone()), places: BTreeMap::new() };
    let mut diagnostics = Vec::new();
    let stem = Path::new(&*file.name).file_stem().unwrap_or_default().to_string_lossy();
    if !Task::is_keyword(&stem) {
        let fault = TaskProblemKind::Keyword(stem.to_string());
        let fault = Diagnostic::error(fault.to_string()).at(&read.file);
        diagnostics
            .push(fault.help("name the file in a-z, 0-9, _ and -: its name is what calls the task up"));
    }
    read.task.keyword = stem.into_owned();
    let keys = ["title", "description", "arguments", "prompt", "objects", "queries", "answer"];
    read_document(file, &mut diagnostics, |reader, root| {
        let mut parts = Parts { reader, places: &mut read.places };
        let task = &mut read.task;
        for (key, value) in parts.reader.entries(root.get_ref(), &keys, "a task") {
            let key = key_text(key);
            match key {
                "title" => task.title = parts.text(key, value),
                "description" => task.description = parts.text(key, value),
                "prompt" => task.prompt = parts.text(key, value),
                "answer" => task.answer = parts.text(key, value),
                "objects" => task.objects = parts.texts(key, value),
                "arguments" => task.arguments = parts.arguments(value),
                _ => task.queries = parts.each(key, value, Parts::query),
            }
        }
    });
    if diagnostics.is_empty() {
        let missing = read.task.missing().into_iter().map(TaskProblemKind::Missing);
        diagnostics.extend(missing.map(|fault| Diagnostic::error(fault.to_string()).at(&read.file)));
    }
    (read, diagnostics)
}

/// Reads the parts of a task, and remembers where they stand.
struct Parts<'p, 'd> {
    reader: &'p mut Reader<'d>,
    places: &'p mut BTreeMap<String, Place>,
}

impl Parts<'_, '_> {
    fn at(&mut self, part: &str, place: Place) {
        self.places.insert(part.to_owned(), place);
    }

    fn located(&mut self, part: &str, value: &Spanned<DeValue<'_>>) -> Option<Located> {
        let text = self.reader.string(value)?;
        self.at(part, text.place.clone());
        Some(text)
    }

    fn text(&mut self, part: &str, value: &Spanned<DeValue<'_>>) -> String {
        // Line ends are no content: a checkout may change them.
        self.located(part, value).map(|text| text.text.trim().replace("\r\n", "\n")).unwrap_or_default()
    }

    fn texts(&mut self, part: &str, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        let elements = self.reader.list(value);
        let texts = elements
            .into_iter()
            .enumerate()
            .map(|(at, element)| self.text(&format!("{part}[{at}]"), element));
        let texts = texts.collect();
        self.at(part, self.reader.file.place(value.span()));
        texts
    }

    /// A list of tables.
    fn each<T>(
        &mut self,
        part: &str,
        value: &Spanned<DeValue<'_>>,
        read: impl Fn(&mut Self, &str, &Spanned<DeValue<'_>>) -> T,
    ) -> Vec<T> {
        let elements = self.reader.list(value);
        let read = elements.into_iter().enumerate().map(|(at, element)| {
            let part = format!("{part}[{at}]");
            self.at(&part, self.reader.file.place(element.span()));
            read(self, &part, element)
        });
        read.collect()
    }

    fn arguments(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<TaskArgument> {
        // In the order of the file, which is the order in which they are asked for.
        let mut entries = self.reader.table(value);
        entries.sort_by_key(|(name, _)| name.span().start);
        let argument = |(name, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let mut argument = TaskArgument { name: key_text(name).to_owned(), ..TaskArgument::default() };
            self.at(&format!("arguments.{}", argument.name), self.reader.file.place(name.span()));
            let table = self.reader.table_of(value);
            for (key, value) in self.reader.entries(&table, &["description", "required"], "an argument") {
                match key_text(key) {
                    "description" => argument.description = self.text("", value),
                    _ => argument.required = self.reader.boolean(value),
                }
            }
            argument
        };
        entries.into_iter().map(argument).collect()
    }

    fn query(&mut self, part: &str, value: &Spanned<DeValue<'_>>) -> TaskQuery {
        let keys = [
            "object",
            "fields",
            "where",
            "where_any",
            "related",
            "search",
            "group_by",
            "measures",
            "having",
            "order_by",
            "limit",
        ];
        let mut query = TaskQuery::default();
        let table = self.reader.table_of(value);
        for (key, value) in self.reader.entries(&table, &keys, "a query") {
            let key = key_text(key);
            let part = format!("{part}.{key}");
            match key {
                "object" => query.object = self.text(&part, value),
                "fields" => query.fields = self.texts(&part, value),
                "where" => query.conditions = self.conditions(&part, "field", value),
                "where_any" => query.any = self.conditions(&part, "field", value),
                "related" => query.related = self.each(&part, value, Self::related),
                "search" => query.search = Some(self.text(&part, value)),
                "group_by" => query.group_by = self.texts(&part, value),
                "measures" => query.measures = self.texts(&part, value),
                "having" => query.having = self.conditions(&part, "measure", value),
                "order_by" => query.order_by = self.texts(&part, value),
                _ => {
                    query.limit = self.reader.number(value);
                    self.at(&part, self.reader.file.place(value.span()));
                }
            }
        }
        if query.object.is_empty() {
            self.reader.error(value.span(), "the query names no object").help =
                Some("add: object = \"…\"".to_owned());
        }
        query
    }

    fn related(&mut self, part: &str, value: &Spanned<DeValue<'_>>) -> TaskRelated {
        let mut related = TaskRelated {
            object: String::new(),
            field: String::new(),
            via: None,
            exists: true,
            conditions: Vec::new(),
        };
        let table = self.reader.table_of(value);
        let keys = ["object", "field", "via", "exists", "where"];
        for (key, value) in self.reader.entries(&table, &keys, "a condition on related records") {
            let key = key_text(key);
            let part = format!("{part}.{key}");
            match key {
                "object" => related.object = self.text(&part, value),
                "field" => related.field = self.text(&part, value),
                "via" => related.via = Some(self.text(&part, value)),
                "exists" => related.exists = self.reader.boolean(value),
                _ => related.conditions = self.conditions(&part, "field", value),
            }
        }
        if related.object.is_empty() || related.field.is_empty() {
            self.reader
                .error(value.span(), "a condition on related records takes an object and a field")
                .help = Some("write { object = \"case\", field = \"account\", exists = false }".to_owned());
        }
        related
    }

    fn conditions(
        &mut self,
        part: &str,
        on: &'static str,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<TaskCondition> {
        let read = self.each(part, value, |parts, part, value| parts.condition(part, on, value));
        read.into_iter().flatten().collect()
    }

    fn condition(
        &mut self,
        part: &str,
        on: &'static str,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<TaskCondition> {
        let (mut compared, mut op, mut values) = (None, None, Vec::new());
        let table = self.reader.table_of(value);
        for (key, value) in self.reader.entries(&table, &[on, "op", "value", "values"], "a condition") {
            let key = key_text(key);
            let part = format!("{part}.{key}");
            match key {
                "op" => {
                    let word = self.located(&part, value)?;
                    match word.text.parse::<Op>() {
                        Ok(known) => op = Some(known),
                        Err(UnknownWord { known, .. }) => {
                            let fault = format!("there is no operator '{}'", word.text);
                            self.reader.error(value.span(), fault).help =
                                Some(format!("use {}", alternatives(known)));
                            return None;
                        }
                    }
                }
                "value" | "values" if !values.is_empty() => {
                    self.reader.error(value.span(), "'value' and 'values' stand beside each other").help =
                        Some("give one of the two".to_owned());
                }
                "value" => values.extend(self.located(&part, value).map(|text| text.text)),
                "values" => {
                    let elements = self.reader.list(value);
                    let each = elements.into_iter().enumerate();
                    let each = each.map(|(at, element)| self.located(&format!("{part}[{at}]"), element));
                    values = each.flatten().map(|text| text.text).collect();
                    self.at(&part, self.reader.file.place(value.span()));
                }
                _ => compared = Some(self.text(&part, value)),
            }
        }
        let (Some(on), Some(op)) = (compared, op) else {
            self.reader.error(value.span(), format!("a condition takes a {on} and an operator")).help =
                Some(format!("write {{ {on} = \"…\", op = \"eq\", value = \"…\" }}"));
            return None;
        };
        Some(TaskCondition { on, op, values })
    }
}
