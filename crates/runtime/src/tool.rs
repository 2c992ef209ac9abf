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
            Self::QueryRecords => &[],
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
