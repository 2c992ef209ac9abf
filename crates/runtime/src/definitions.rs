//! The tools' definitions, as each provider wants them.
//!
//! The base schemas keep to what every client takes: an object at the root, one `type` a node, `items`
//! in every array, and none of `$ref`, `oneOf`, `anyOf`, `default`, `format`, `additionalProperties`. A
//! dialect adds what its provider wants. They are text, because the order of an object's members is
//! part of what a model reads, and the same order keeps a provider's prompt cache warm.

use portolan_schema::query::Op;

use crate::json::Members;
use crate::limits::Limits;
use crate::rules;
use crate::tool::{Parameter, Shape, Tool};
use crate::view::View;

/// Whose format tool definitions are written in. All are JSON lists, one item a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Model Context Protocol: the `tools` of `tools/list`.
    Mcp,
    /// Chat completions, and what is compatible with them: the request's `tools`.
    OpenAi,
    /// The same with `strict`: every property required (optional ones may be null), and no others.
    OpenAiStrict,
    /// Messages: the request's `tools`.
    Anthropic,
    /// `generateContent`: a tool's `functionDeclarations`.
    Gemini,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] =
        &[Self::Mcp, Self::OpenAi, Self::OpenAiStrict, Self::Anthropic, Self::Gemini];
}

/// A tool as a model gets to know it.
pub(crate) struct Definition {
    tool: Tool,
    description: String,
    /// Whose numbers stand in the descriptions of arguments.
    limits: Limits,
}

/// The tools that a session answers, described for what its profile sees.
pub(crate) fn of(view: &View, records: Option<&Limits>) -> Vec<Definition> {
    let limits = records.copied().unwrap_or_default();
    let describe = |tool| {
        let sentences = std::iter::once(introduction(tool).to_owned()).chain(rules::described(tool));
        let mut description = sentences.collect::<Vec<_>>().join(" ");
        let connected = view.most_connected();
        if tool == Tool::ListObjects && !connected.is_empty() {
            description.extend([" The most connected ones: ", &connected.join(", "), "."]);
        }
        Definition { tool, description: limits.filled(&description), limits }
    };
    let tools = Tool::ALL.iter().copied().filter(|tool| records.is_some() || *tool != Tool::QueryRecords);
    tools.map(describe).collect()
}

const fn introduction(tool: Tool) -> &'static str {
    match tool {
        Tool::ListObjects => "Lists every object that you may ask about: API name and label.",
        Tool::GetObjectSchema => {
            "Returns, for one or more objects, `fields` (names by type), `references` (field: the object it points \
             at), `referencedBy` (object.field that points here, the most connected first) and `labels` where the \
             name doesn't give them away."
        }
        Tool::QueryRecords => {
            "Reads records of one object, with the field names that get_object_schema returned. References come back \
             as {id, name}: `name` is what the user sees, and needs no further call. Returns `records`, `returned`, \
             `total` (all that match; `totalAtLeast` where there are more than can be counted), `truncated`, `cursor`, \
             `understood` (what was resolved or assumed) and `notes` (what matched nothing, what was cut): read them."
        }
    }
}

/// Writes definitions as a JSON list.
pub(crate) fn write(definitions: &[Definition], dialect: Dialect) -> String {
    let mut json = String::from("[");
    for (at, definition) in definitions.iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        let mut members = Members::open(&mut json);
        definition.write(&mut members, dialect);
        members.close();
    }
    json.push(']');
    json
}

impl Definition {
    fn write(&self, members: &mut Members<'_>, dialect: Dialect) {
        let schema =
            |members: &mut Members<'_>| write_schema(members, self.tool.parameters(), &self.limits, dialect);
        match dialect {
            Dialect::Mcp => {
                members.text("name", self.tool.name());
                members.text("title", self.tool.title());
                members.text("description", &self.description);
                members.object("inputSchema", schema);
                members.object("annotations", |members| {
                    members.flag("readOnlyHint", true);
                    members.flag("openWorldHint", false);
                });
            }
            Dialect::Anthropic => {
                members.text("name", self.tool.name());
                members.text("description", &self.description);
                members.object("input_schema", schema);
            }
            Dialect::Gemini => {
                members.text("name", self.tool.name());
                members.text("description", &self.description);
                members.object("parametersJsonSchema", schema);
            }
            Dialect::OpenAi | Dialect::OpenAiStrict => {
                members.text("type", "function");
                members.object("function", |members| {
                    members.text("name", self.tool.name());
                    members.text("description", &self.description);
                    members.object("parameters", schema);
                    if dialect == Dialect::OpenAiStrict {
                        members.flag("strict", true);
                    }
                });
            }
        }
    }
}

fn write_schema(members: &mut Members<'_>, parameters: &[Parameter], limits: &Limits, dialect: Dialect) {
    let strict = dialect == Dialect::OpenAiStrict;
    members.text("type", "object");
    members.object("properties", |members| {
        for parameter in parameters {
            members.object(parameter.name, |members| write_parameter(members, parameter, limits, dialect));
        }
    });
    let names = |required: bool| {
        parameters
            .iter()
            .filter(move |parameter| parameter.required || !required)
            .map(|parameter| parameter.name)
    };
    if dialect == Dialect::Gemini {
        members.texts("propertyOrdering", names(false));
    }
    if strict || names(true).next().is_some() {
        members.texts("required", names(!strict));
    }
    if strict {
        members.flag("additionalProperties", false);
    }
}

fn write_parameter(members: &mut Members<'_>, parameter: &Parameter, limits: &Limits, dialect: Dialect) {
    let strict = dialect == Dialect::OpenAiStrict;
    let name = match parameter.shape {
        Shape::Text => "string",
        Shape::Number => "number",
        Shape::Texts | Shape::Conditions => "array",
    };
    if strict && !parameter.required {
        members.texts("type", [name, "null"]);
    } else {
        members.text("type", name);
    }
    members.text("description", &limits.filled(parameter.description));
    match parameter.shape {
        Shape::Text | Shape::Number => {}
        Shape::Texts => members.object("items", |members| members.text("type", "string")),
        Shape::Conditions => members.object("items", |members| write_condition(members, dialect)),
    }
}

/// The schema of a condition.
fn write_condition(members: &mut Members<'_>, dialect: Dialect) {
    let strict = dialect == Dialect::OpenAiStrict;
    let optional = |members: &mut Members<'_>, name: &str| {
        if strict { members.texts("type", [name, "null"]) } else { members.text("type", name) }
    };
    members.text("type", "object");
    members.object("properties", |members| {
        members.object("field", |members| members.text("type", "string"));
        members.object("op", |members| {
            members.text("type", "string");
            members.texts("enum", Op::ALL.iter().map(|op| op.as_str()));
        });
        members.object("value", |members| optional(members, "string"));
        members.object("values", |members| {
            optional(members, "array");
            members.object("items", |members| members.text("type", "string"));
        });
    });
    if dialect == Dialect::Gemini {
        members.texts("propertyOrdering", ["field", "op", "value", "values"]);
    }
    if strict {
        members.texts("required", ["field", "op", "value", "values"]);
        members.flag("additionalProperties", false);
    } else {
        members.texts("required", ["field", "op"]);
    }
}
