//! Profiles: what a class of callers may see, compiled into the artifact.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use crate::ClosedSchema;

/// What a class of callers may see. Everything it names is in the artifact: the compiler checks that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The name a caller is opened with.
    pub name: String,
    /// The permitted objects.
    pub objects: BTreeSet<String>,
    /// By object, the fields that are hidden from it.
    pub hidden: BTreeMap<String, BTreeSet<String>>,
    /// By object, the conditions that are added to every query that touches it.
    pub rows: BTreeMap<String, Vec<RowCondition>>,
}

impl Profile {
    /// Whether everything it names is in the schema and in itself; else what isn't.
    pub fn check(&self, schema: &ClosedSchema) -> Result<(), String> {
        let fault = |what: String| Err(format!("profile '{}' {what}", self.name));
        if self.name.is_empty() {
            return fault("has no name".to_owned());
        }
        if let Some(object) = self.objects.iter().find(|name| schema.object(name).is_none()) {
            return fault(format!("permits '{object}', which isn't there"));
        }
        let ruled = self.hidden.keys().chain(self.rows.keys());
        if let Some(object) = ruled.into_iter().find(|name| !self.objects.contains(*name)) {
            return fault(format!("has rules for '{object}', which it doesn't permit"));
        }
        for (object, fields) in &self.hidden {
            let has =
                |name: &String| schema.object(object).is_some_and(|object| object.field(name).is_some());
            if let Some(field) = fields.iter().find(|name| !has(name)) {
                return fault(format!("hides '{object}.{field}', which isn't there"));
            }
        }
        for (object, rows) in &self.rows {
            for RowCondition { field, op, operands } in rows {
                if let Err(problem) = schema.resolve_path(object, field) {
                    return fault(format!("has a row rule on '{object}': {problem}"));
                }
                if !op.takes(operands.len()) {
                    return fault(format!("compares '{object}.{field}' with {} values", operands.len()));
                }
            }
        }
        Ok(())
    }
}

/// A condition on records that code adds and the model can't take away.
///
/// Values are compared exactly: no folding of case or accents, no look-up of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCondition {
    /// A field, or a path through references, of the object the condition is for.
    pub field: String,
    /// How it is compared.
    pub op: RowOp,
    /// What it is compared with; as many as the operator takes.
    pub operands: Vec<Operand>,
}

/// The operators of row conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOp {
    /// Equal to the operand.
    Eq,
    /// Not equal to the operand; true of empty fields.
    Ne,
    /// Equal to one of the operands.
    In,
    /// Equal to none of the operands; true of empty fields.
    NotIn,
    /// Empty.
    IsNull,
    /// Not empty.
    NotNull,
}

impl RowOp {
    /// Every operator.
    pub const ALL: &'static [Self] =
        &[Self::Eq, Self::Ne, Self::In, Self::NotIn, Self::IsNull, Self::NotNull];

    /// The name used in every file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::In => "in",
            Self::NotIn => "not_in",
            Self::IsNull => "is_null",
            Self::NotNull => "not_null",
        }
    }

    /// Whether it can be given that many operands.
    #[must_use]
    pub const fn takes(self, operands: usize) -> bool {
        match self {
            Self::Eq | Self::Ne => operands == 1,
            Self::In | Self::NotIn => operands > 0,
            Self::IsNull | Self::NotNull => operands == 0,
        }
    }
}

impl FromStr for RowOp {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|op| op.as_str() == name).ok_or(())
    }
}

/// One side of a row condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value as written.
    Literal(String),
    /// An attribute of whoever asks, written `$caller.NAME`. One that is missing or empty matches
    /// no record.
    Caller(String),
}

impl Operand {
    const CALLER: &str = "$caller.";

    /// Reads `$caller.id` as an attribute and anything else as a literal.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix(Self::CALLER) {
            Some(attribute) => Self::Caller(attribute.to_owned()),
            None => Self::Literal(text.to_owned()),
        }
    }

    /// The text that [`Operand::parse`] reads as this operand.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Literal(text) => text.clone(),
            Self::Caller(attribute) => format!("{}{attribute}", Self::CALLER),
        }
    }
}
