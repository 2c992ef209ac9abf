//! The tasks' MessagePack.

use serde::{Deserialize, Serialize};

use super::wire::{read, write};
use crate::{Task, TaskArgument, TaskCondition, TaskQuery, TaskRelated};

#[derive(Serialize, Deserialize)]
struct WireTask<'a> {
    keyword: &'a str,
    title: &'a str,
    description: &'a str,
    /// Name, description, required.
    #[serde(borrow)]
    arguments: Vec<(&'a str, &'a str, bool)>,
    prompt: &'a str,
    #[serde(borrow)]
    objects: Vec<&'a str>,
    #[serde(borrow)]
    queries: Vec<WireQuery<'a>>,
    answer: &'a str,
}

#[derive(Serialize, Deserialize)]
struct WireQuery<'a> {
    object: &'a str,
    #[serde(borrow)]
    fields: Vec<&'a str>,
    #[serde(borrow)]
    conditions: Vec<WireCondition<'a>>,
    #[serde(borrow)]
    any: Vec<WireCondition<'a>>,
    #[serde(borrow)]
    related: Vec<WireRelated<'a>>,
    search: Option<&'a str>,
    #[serde(borrow)]
    group_by: Vec<&'a str>,
    #[serde(borrow)]
    measures: Vec<&'a str>,
    #[serde(borrow)]
    having: Vec<WireCondition<'a>>,
    #[serde(borrow)]
    order_by: Vec<&'a str>,
    limit: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct WireRelated<'a> {
    object: &'a str,
    field: &'a str,
    via: Option<&'a str>,
    exists: bool,
    #[serde(borrow)]
    conditions: Vec<WireCondition<'a>>,
}

/// Field or measure, operator, values.
type WireCondition<'a> = (&'a str, &'a str, Vec<&'a str>);

pub(super) fn encode(tasks: &[Task], bytes: &mut Vec<u8>) {
    write(&tasks.iter().map(WireTask::new).collect::<Vec<_>>(), bytes);
}

pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Task>, String> {
    let tasks: Vec<WireTask<'_>> = read(bytes)?;
    tasks
        .into_iter()
        .map(|task| {
            let keyword = task.keyword;
            task.into_task().map_err(|problem| format!("task '{keyword}': {problem}"))
        })
        .collect()
}

impl<'a> WireTask<'a> {
    fn new(task: &'a Task) -> Self {
        let argument = |argument: &'a TaskArgument| {
            (argument.name.as_str(), argument.description.as_str(), argument.required)
        };
        Self {
            keyword: &task.keyword,
            title: &task.title,
            description: &task.description,
            arguments: task.arguments.iter().map(argument).collect(),
            prompt: &task.prompt,
            objects: borrowed(&task.objects),
            queries: task.queries.iter().map(WireQuery::new).collect(),
            answer: &task.answer,
        }
    }

    fn into_task(self) -> Result<Task, String> {
        let argument = |(name, description, required): (&str, &str, bool)| TaskArgument {
            name: name.to_owned(),
            description: description.to_owned(),
            required,
        };
        Ok(Task {
            keyword: self.keyword.to_owned(),
            title: self.title.to_owned(),
            description: self.description.to_owned(),
            arguments: self.arguments.into_iter().map(argument).collect(),
            prompt: self.prompt.to_owned(),
            objects: owned(self.objects),
            queries: self.queries.into_iter().map(WireQuery::into_query).collect::<Result<_, _>>()?,
            answer: self.answer.to_owned(),
        })
    }
}

impl<'a> WireQuery<'a> {
    fn new(query: &'a TaskQuery) -> Self {
        Self {
            object: &query.object,
            fields: borrowed(&query.fields),
            conditions: conditions_out(&query.conditions),
            any: conditions_out(&query.any),
            related: query.related.iter().map(WireRelated::new).collect(),
            search: query.search.as_deref(),
            group_by: borrowed(&query.group_by),
            measures: borrowed(&query.measures),
            having: conditions_out(&query.having),
            order_by: borrowed(&query.order_by),
            limit: query.limit,
        }
    }

    fn into_query(self) -> Result<TaskQuery, String> {
        Ok(TaskQuery {
            object: self.object.to_owned(),
            fields: owned(self.fields),
            conditions: conditions_in(self.conditions)?,
            any: conditions_in(self.any)?,
            related: self.related.into_iter().map(WireRelated::into_related).collect::<Result<_, _>>()?,
            search: self.search.map(str::to_owned),
            group_by: owned(self.group_by),
            measures: owned(self.measures),
            having: conditions_in(self.having)?,
            order_by: owned(self.order_by),
            limit: self.limit,
        })
    }
}

impl<'a> WireRelated<'a> {
    fn new(related: &'a TaskRelated) -> Self {
        Self {
            object: &related.object,
            field: &related.field,
            via: related.via.as_deref(),
            exists: related.exists,
            conditions: conditions_out(&related.conditions),
        }
    }

    fn into_related(self) -> Result<TaskRelated, String> {
        Ok(TaskRelated {
            object: self.object.to_owned(),
            field: self.field.to_owned(),
            via: self.via.map(str::to_owned),
            exists: self.exists,
            conditions: conditions_in(self.conditions)?,
        })
    }
}

fn conditions_out(conditions: &[TaskCondition]) -> Vec<WireCondition<'_>> {
    conditions
        .iter()
        .map(|condition| (condition.on.as_str(), condition.op.as_str(), borrowed(&condition.values)))
        .collect()
}

fn conditions_in(conditions: Vec<WireCondition<'_>>) -> Result<Vec<TaskCondition>, String> {
    conditions
        .into_iter()
        .map(|(on, op, values)| {
            let op = op.parse().map_err(|problem: crate::query::UnknownWord| problem.to_string())?;
            Ok(TaskCondition { on: on.to_owned(), op, values: owned(values) })
        })
        .collect()
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}
