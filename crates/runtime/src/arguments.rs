//! A tool's arguments, read forgivingly: what can only have been meant one way is taken that way, and
//! said; everything else is a problem, and all problems are found in one reading.

use std::borrow::Cow;

use portolan_schema::nearest::nearest;
use serde_json::{Map, Value};

use crate::answer::{MOST_ECHO, Problem, Problems};
use crate::json::{clip, push_texts};
use crate::query::wanted::Compared;
use crate::tool::{Parameter, Shape, Tool};

/// Longer texts aren't looked into for JSON that was written as a string.
const MOST_NESTED_JSON: usize = 64 * 1024;

/// The members of the arguments, which some models write as a string of JSON.
pub(crate) fn members(tool: Tool, arguments: &Value) -> Result<Cow<'_, Map<String, Value>>, Problem> {
    let found = match arguments {
        Value::Object(members) => return Ok(Cow::Borrowed(members)),
        Value::Null => return Ok(Cow::default()),
        Value::String(text) if text.trim().is_empty() => return Ok(Cow::default()),
        Value::String(text) => match nested(text) {
            Some(Value::Object(members)) => return Ok(Cow::Owned(members)),
            _ => "a string",
        },
        other => kind(other),
    };
    Err(Problem {
        at: "arguments".to_owned(),
        what: format!("the arguments are a JSON object, not {found}"),
        next: tool.example().to_owned(),
        ..Problem::default()
    })
}

/// The arguments of one call.
pub(crate) struct Arguments<'a> {
    members: &'a Map<String, Value>,
    /// What is wrong with them.
    pub(crate) problems: Problems,
    /// What was read as something else than it was written: by argument, as JSON.
    pub(crate) understood: Vec<(String, String)>,
}

impl<'a> Arguments<'a> {
    /// Takes the arguments of a tool, and refuses the ones it doesn't have.
    pub(crate) fn read(tool: Tool, members: &'a Map<String, Value>) -> Self {
        let known = |name: &str| tool.parameters().iter().any(|parameter| parameter.name == name);
        let unknown = members.keys().filter(|name| !known(name));
        let mut problems = Problems::default();
        unknown.for_each(|name| problems.add(|| unknown_argument(tool, name)));
        Self { members, problems, understood: Vec::new() }
    }

    /// A text; `None` where it isn't given, is null, or has nothing in it.
    pub(crate) fn text(&mut self, parameter: &Parameter) -> Option<String> {
        let value = match self.members.get(parameter.name)? {
            Value::Null => return None,
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            Value::Array(list) => match list.as_slice() {
                [] => return None,
                [Value::String(only)] => only.trim().to_owned(),
                _ => return self.wrong_kind(parameter, "a list"),
            },
            Value::Object(_) => return self.wrong_kind(parameter, "an object"),
        };
        (!value.is_empty()).then_some(value)
    }

    /// A list of texts, without blanks, in the order given. Not giving it, or giving none, is a problem where the parameter is required.
    pub(crate) fn texts(&mut self, parameter: &Parameter) -> Vec<Cow<'a, str>> {
        let mut texts = Vec::new();
        let mut faults = Vec::new();
        let given = self.members.get(parameter.name).unwrap_or(&Value::Null);
        match given {
            Value::Array(list) => {
                texts.reserve_exact(list.len());
                for (at, value) in list.iter().enumerate() {
                    match value {
                        Value::String(text) => texts.push(Cow::Borrowed(text.as_str())),
                        other => faults.push((at, kind(other))),
                    }
                }
            }
            Value::String(text) => {
                texts.extend(listed_in(text).into_iter().map(|text| Cow::Owned(text.trim().to_owned())));
                let mut shown = String::new();
                push_texts(&mut shown, texts.iter().take(MOST_SHOWN).map(|text| clip(text, MOST_SHOWN)));
                self.understood.push((parameter.name.to_owned(), shown));
            }
            Value::Null => {}
            other => {
                self.wrong_kind::<()>(parameter, kind(other));
                return texts;
            }
        }
        texts.retain(|text| !text.trim().is_empty());
        let empty = texts.is_empty() && faults.is_empty();
        for (at, kind) in faults {
            self.problems.add(|| Problem {
                at: format!("{}[{at}]", parameter.name),
                what: format!("{kind} where a text belongs"),
                next: parameter.next.to_owned(),
                ..Problem::default()
            });
        }
        if empty && parameter.required {
            let problem = match given {
                Value::Null => format!("`{}` is missing", parameter.name),
                _ => format!("`{}` names nothing", parameter.name),
            };
            self.problems.push(Problem {
                at: parameter.name.to_owned(),
                what: problem,
                next: parameter.next.to_owned(),
                ..Problem::default()
            });
        }
        texts
    }

    /// A text that has to be given.
    pub(crate) fn required_text(&mut self, parameter: &Parameter) -> Option<String> {
        let known = self.problems.len();
        let text = self.text(parameter);
        if text.is_none() && self.problems.len() == known {
            self.problem(parameter.name.to_owned(), format!("`{}` is missing", parameter.name), parameter);
        }
        text
    }

    /// A whole number, however it is written.
    pub(crate) fn number(&mut self, parameter: &Parameter) -> Option<i64> {
        let text = self.text(parameter)?;
        let read = text.parse::<i64>().ok().or_else(|| text.strip_suffix(".0")?.parse().ok());
        if read.is_none() {
            let what = format!("'{}' is no whole number", clip(&text, MOST_ECHO));
            self.problem(parameter.name.to_owned(), what, parameter);
        }
        read
    }

    /// A list of conditions. One that isn't in a list is taken as a list of one; a list that was written as a
    /// string is read.
    pub(crate) fn conditions(&mut self, parameter: &Parameter) -> Vec<Compared> {
        let list: Cow<'_, [Value]> = match self.members.get(parameter.name) {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::String(text)) if text.trim().is_empty() => return Vec::new(),
            Some(Value::Array(list)) => Cow::Borrowed(list.as_slice()),
            Some(one @ Value::Object(_)) => Cow::Borrowed(std::slice::from_ref(one)),
            Some(Value::String(text)) => match nested(text) {
                Some(Value::Array(list)) => Cow::Owned(list),
                Some(one @ Value::Object(_)) => Cow::Owned(vec![one]),
                _ => {
                    self.wrong_kind::<()>(parameter, "a string");
                    return Vec::new();
                }
            },
            Some(other) => {
                self.wrong_kind::<()>(parameter, kind(other));
                return Vec::new();
            }
        };
        if list.len() > MOST_CONDITIONS {
            let what = format!("{} conditions; at most {MOST_CONDITIONS} are taken", list.len());
            self.problem(parameter.name.to_owned(), what, parameter);
            return Vec::new();
        }
        let read = list.iter().enumerate().map(|(at, value)| {
            let at = format!("{}[{at}]", parameter.name);
            match value {
                Value::Object(members) => self.condition(at, members, parameter),
                other => {
                    self.problem(at, format!("{} where a condition belongs", kind(other)), parameter);
                    None
                }
            }
        });
        read.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn condition(
        &mut self,
        at: String,
        members: &Map<String, Value>,
        parameter: &Parameter,
    ) -> Option<Compared> {
        let mut read = Compared { at, ..Compared::default() };
        let known = self.problems.len();
        for (key, value) in members {
            let at = format!("{}.{}", read.at, clip(key, MOST_ECHO));
            match (key.as_str(), value) {
                ("field", Value::String(text)) => text.trim().clone_into(&mut read.field),
                ("op", Value::String(text)) => text.trim().clone_into(&mut read.op),
                ("value" | "values", value) => match literals(value) {
                    Some(values) => read.values.extend(values),
                    None => self.problem(at, format!("{} where a value belongs", kind(value)), parameter),
                },
                ("field" | "op", other) => {
                    self.problem(at, format!("{} where a text belongs", kind(other)), parameter);
                }
                _ => {
                    let what = format!("a condition has no `{}`", clip(key, MOST_ECHO));
                    self.problem(at, what, parameter);
                }
            }
        }
        for (key, text) in [("field", &read.field), ("op", &read.op)] {
            if text.is_empty() && self.problems.len() == known {
                self.problem(read.at.clone(), format!("the condition has no `{key}`"), parameter);
            }
        }
        (self.problems.len() == known).then_some(read)
    }

    fn problem(&mut self, at: String, what: String, parameter: &Parameter) {
        self.problems.push(Problem { at, what, next: parameter.next.to_owned(), ..Problem::default() });
    }

    fn wrong_kind<T>(&mut self, parameter: &Parameter, found: &str) -> Option<T> {
        self.problems.push(Problem {
            at: parameter.name.to_owned(),
            what: format!("`{}` takes {}, not {found}", parameter.name, parameter.shape.words()),
            next: parameter.next.to_owned(),
            ..Problem::default()
        });
        None
    }
}

/// So many of a list, and so many characters of each, are shown where it was read from a string.
const MOST_SHOWN: usize = 16;

fn unknown_argument(tool: Tool, name: &str) -> Problem {
    let known: Vec<&str> = tool.parameters().iter().map(|parameter| parameter.name).collect();
    let near = nearest(&clip(name, MOST_ECHO), known.iter().copied(), 2);
    let next = match near.first() {
        Some(meant) => format!("use `{meant}`"),
        None => format!("leave it out; {} takes {}", tool.name(), known.join(", ")),
    };
    Problem {
        at: name.to_owned(),
        what: format!("{} has no argument `{}`", tool.name(), clip(name, MOST_ECHO)),
        nearest: near.into_iter().map(str::to_owned).collect(),
        next,
    }
}

/// The items of a list that was written as one string: JSON, or names between commas.
fn listed_in(text: &str) -> Vec<String> {
    match nested(text).and_then(|list| serde_json::from_value(list).ok()) {
        Some(list) => list,
        None => text.split(',').take(MOST_LISTED).map(str::to_owned).collect(),
    }
}

/// JSON that was written as a string.
fn nested(text: &str) -> Option<Value> {
    let looks_like_it = text.trim_start().starts_with(['[', '{']) && text.len() <= MOST_NESTED_JSON;
    if looks_like_it { serde_json::from_str(text).ok() } else { None }
}

/// A list in one string has no more items that are looked at.
const MOST_LISTED: usize = 10_000;
/// More conditions are no question that a person has.
const MOST_CONDITIONS: usize = 50;

/// A literal or several, as texts. Null and blanks are none.
fn literals(value: &Value) -> Option<Vec<String>> {
    Some(match value {
        Value::Null => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Bool(flag) => vec![flag.to_string()],
        Value::Array(list) => {
            let each = list.iter().map(|value| if value.is_array() { None } else { literals(value) });
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        Value::Object(_) => return None,
    })
}

/// What a value is, in words.
pub(crate) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Shape {
    const fn words(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Texts => "a list of texts",
            Self::Number => "a number",
            Self::Conditions => "a list of conditions",
        }
    }
}
