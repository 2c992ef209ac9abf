//! Tasks, checked against the closed schema: whatever one names must be there.

use std::collections::BTreeSet;

use portolan_schema::nearest::nearest;
use portolan_schema::query::{Malformed, UnknownWord};
use portolan_schema::{ClosedSchema, PathProblem, Task, TaskProblemKind};

use crate::config::{TaskFile, TextFile, tasks};
use crate::diagnostic::{Diagnostic, alternatives};

/// Compiles the tasks, in ascending order of keyword. Without a schema, only what they say by themselves is
/// checked.
#[must_use]
pub(crate) fn compile(files: &[TextFile], schema: Option<&ClosedSchema>) -> (Vec<Task>, Vec<Diagnostic>) {
    let mut compiled = Vec::new();
    let mut diagnostics = Vec::new();
    for file in files {
        let (read, faults) = tasks::parse(file);
        if let Some(schema) = schema.filter(|_| faults.is_empty()) {
            let problems = read.task.check(schema);
            let found = problems.iter().map(|problem| {
                let fault = Diagnostic::error(problem.kind.to_string()).at(read.place(&problem.at));
                match help(&problem.kind, &read, schema) {
                    Some(help) => fault.help(help),
                    None => fault,
                }
            });
            let mut found: Vec<_> = found.collect();
            // A person mends a file from its top to its end.
            found.sort_by_key(|finding| finding.place.as_ref().and_then(|place| place.position));
            diagnostics.extend(found);
        }
        diagnostics.extend(faults);
        compiled.push(read.task);
    }
    compiled.sort_by(|a, b| a.keyword.cmp(&b.keyword));
    let mut seen = BTreeSet::new();
    for task in compiled.iter().filter(|task| !seen.insert(task.keyword.as_str())) {
        diagnostics.push(Diagnostic::error(format!("there are two tasks '{}'", task.keyword)));
    }
    (compiled, diagnostics)
}

fn help(problem: &TaskProblemKind, file: &TaskFile, schema: &ClosedSchema) -> Option<String> {
    let meant = |name: &str, known: &mut dyn Iterator<Item = &str>| {
        let near = nearest(name, known, 3);
        (!near.is_empty()).then(|| format!("did you mean {}?", alternatives(&near)))
    };
    let mut objects = schema.objects().iter().map(|object| object.name.as_str());
    match problem {
        TaskProblemKind::NoObject(name) => {
            let added = || "add it to the allowlist, or leave it out of the task".to_owned();
            Some(meant(name, &mut objects).unwrap_or_else(added))
        }
        TaskProblemKind::ObjectNotListed(name) => {
            Some(format!("add \"{name}\" to 'objects': a model queries only what it has the schema of"))
        }
        TaskProblemKind::Path(PathProblem::NoField { object, field }) => {
            let fields = schema.object(object).into_iter().flat_map(|object| &object.fields);
            meant(field, &mut fields.map(|field| field.name.as_str()))
        }
        TaskProblemKind::Malformed(Malformed::Unknown(UnknownWord { known, .. })) => {
            Some(format!("use {}", alternatives(known)))
        }
        TaskProblemKind::ArgumentName(_) => Some(
            "name it in letters and digits of ASCII, _ and -: placeholders are written with it".to_owned(),
        ),
        TaskProblemKind::Period(problem) => Some(problem.help()),
        TaskProblemKind::NoRelation(back, _) => {
            let (object, _) = back.rsplit_once('.')?;
            let references =
                schema.object(object)?.fields.iter().filter(|field| !field.references.is_empty());
            let names: Vec<&str> = references.map(|field| field.name.as_str()).collect();
            Some(format!("the references of {object} are {}", names.join(", ")))
        }
        TaskProblemKind::NoArgument(name) => {
            let declared = file.task.arguments.iter().map(|argument| argument.name.as_str());
            let declare = format!("declare it: [arguments.{name}]");
            Some(
                meant(name, &mut declared.into_iter())
                    .map_or(declare.clone(), |meant| format!("{meant} Or {declare}")),
            )
        }
        _ => None,
    }
}
