//! The tools, and what each of them takes.

use std::fmt;
use std::str::FromStr;

/// The tools of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Names and labels of every permitted object.
    ListObjects,
    /// Fields, references and back references of some objects.
    GetObjectSchema,
    /// Records of one object.
    QueryRecords,
}

/// One argument of a tool.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    /// What it is, for the model that fills it.
    pub(crate) description: &'static str,
    /// What to do where it was filled wrongly.
    pub(crate) next: &'static str,
}

/// What an argument takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Texts,
    Number,
    /// A list of `{field, op, value}` or `{field, op, values}`.
    Conditions,
}

pub(crate) const SEARCH: Parameter = Parameter {
    name: "search",
    shape: Shape::Text,
    required: false,
    description: "Narrows by words of the name or the label.",
    next: "give one text, or leave it out",
};

pub(crate) const OBJECTS: Parameter = Parameter {
    name: "objects",
    shape: Shape::Texts,
    required: true,
    description: "API names of all the objects that you may need.",
    next: "give a list of API names; list_objects has them all",
};

pub(crate) const FIELD_SEARCH: Parameter = Parameter {
    name: "field_search",
    shape: Shape::Text,
    required: false,
    description: "Words. Answers with only those fields and back references that fit them best: \
                  the way to one field of a very wide object.",
    next: "give one text, or leave it out",
};

const CONDITION_NEXT: &str =
    "give a list such as [{\"field\": \"…\", \"op\": \"eq\", \"value\": \"…\"}], or leave it out";

pub(crate) const OBJECT: Parameter = Parameter {
    name: "object",
    shape: Shape::Text,
    required: true,
    description: "API name of the object.",
    next: "give the API name of one object; list_objects has them all",
};

pub(crate) const FIELDS: Parameter = Parameter {
    name: "fields",
    shape: Shape::Texts,
    required: false,
    description: "Fields, or paths through references: \"account.region\". Where a reference may lead to several \
                  objects, name one: \"owner[user].email\". Without it: id, name, references, and what fits.",
    next: "give a list of fields or paths, or leave it out",
};

pub(crate) const WHERE: Parameter = Parameter {
    name: "where",
    shape: Shape::Conditions,
    required: false,
    description: "All must hold. op: eq, ne, in, not_in, lt, lte, gt, gte, between, contains, starts_with, during, \
                  is_null, not_null; includes, excludes for multi-picklists. value is a text, values a list of \
                  texts. ne, not_in and excludes keep empty fields. A reference is compared with an id or an exact \
                  name. during takes a period: \"2026-Q1\", \"March 2026\", \"last quarter\", \"past 30 days\", \
                  \"2026-01-01..2026-02-15\".",
    next: CONDITION_NEXT,
};

pub(crate) const WHERE_ANY: Parameter = Parameter {
    name: "where_any",
    shape: Shape::Conditions,
    required: false,
    description: "At least one of these must hold, besides where.",
    next: CONDITION_NEXT,
};

pub(crate) const TEXT_SEARCH: Parameter = Parameter {
    name: "search",
    shape: Shape::Text,
    required: false,
    description: "Text in any text field of the object.",
    next: "give one text, or leave it out",
};

pub(crate) const ORDER_BY: Parameter = Parameter {
    name: "order_by",
    shape: Shape::Texts,
    required: false,
    description: "\"amount desc\", \"name\". A reference is ordered by name.",
    next: "give a list of fields, each with desc behind it where the greatest comes first",
};

pub(crate) const LIMIT: Parameter = Parameter {
    name: "limit",
    shape: Shape::Number,
    required: false,
    description: "How many records: {default_records} where it is left out, at most {most_records}.",
    next: "give a whole number above 0, or leave it out",
};

pub(crate) const CURSOR: Parameter = Parameter {
    name: "cursor",
    shape: Shape::Text,
    required: false,
    description: "The cursor of the page before, with the same arguments.",
    next: "give the cursor of the page before as it is, or leave it out",
};

impl Tool {
    /// Every tool, in the order in which they are listed.
    pub const ALL: &'static [Self] = &[Self::ListObjects, Self::GetObjectSchema, Self::QueryRecords];

    /// The name that a model calls it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ListObjects => "list_objects",
            Self::GetObjectSchema => "get_object_schema",
            Self::QueryRecords => "query_records",
        }
    }

    /// The name that a person reads.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ListObjects => "List objects",
            Self::GetObjectSchema => "Get object schemas",
            Self::QueryRecords => "Query records",
        }
    }

    pub(crate) const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::ListObjects => &[SEARCH],
            Self::GetObjectSchema => &[OBJECTS, FIELD_SEARCH],
            Self::QueryRecords => &[OBJECT, FIELDS, WHERE, WHERE_ANY, TEXT_SEARCH, ORDER_BY, LIMIT, CURSOR],
        }
    }

    /// What a refusal says was not done.
    pub(crate) const fn undone(self) -> &'static str {
        match self {
            Self::ListObjects => "nothing was listed",
            Self::GetObjectSchema => "no schema was looked up",
            Self::QueryRecords => "nothing was queried",
        }
    }

    /// What to do where the arguments are no object at all.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::ListObjects => "call it with {}, or with {\"search\": \"…\"}",
            Self::GetObjectSchema => "call it with {\"objects\": [\"…\"]}",
            Self::QueryRecords => "call it with {\"object\": \"…\"}",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tool {
    type Err = UnknownTool;

    fn from_str(name: &str) -> Result<Self, UnknownTool> {
        Self::ALL.iter().copied().find(|tool| tool.name() == name).ok_or(UnknownTool)
    }
}

/// A name that is no [`Tool`]'s.
#[derive(Debug, thiserror::Error)]
#[error("there is no such tool; there are list_objects, get_object_schema and query_records")]
pub struct UnknownTool;
