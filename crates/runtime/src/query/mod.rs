//! Checked queries: what a record source is asked.
//!
//! A [`Query`] holds nothing that wasn't found in the artifact, as the caller's profile sees it, and no
//! literal that wasn't read as its field's type. A source turns it into its own language, with every name
//! taken from the query and every value bound.
//!
//! What it means is the same for every source; [`Memory`](crate::Memory) is the reference:
//! - Comparisons are two-valued. A null is equal to nothing and in no range; `negated` is the exact
//!   complement of what it negates, and so holds for nulls.
//! - A path through a reference that is null, that leads nowhere, to another object than the path's or to a
//!   record that [`Query::rows`] hides is null.
//! - Nulls come last in either direction. Texts are ordered by code point; identifiers, and references to one
//!   object by them, as numbers where their source keeps numbers, else as texts.
//! - A record that its source marks as deleted isn't there, neither to be found nor to be followed to. How many
//!   would have been found is counted apart.
//! - Moments have microseconds, and no more.
//! - Texts are compared "case and accents aside" by what [`folded`] makes of them.

pub(crate) mod check;
pub(crate) mod cursor;
pub(crate) mod decide;
pub(crate) mod literal;
pub(crate) mod value;
pub(crate) mod wanted;

use std::collections::BTreeMap;
use std::fmt;

use portolan_schema::FieldType;

pub use self::value::{Kind, Reference, Value};
pub use crate::fold::fold_text as folded;

/// What a source is asked: records of one object.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The object.
    pub object: String,
    /// What is read of each record, in this order.
    pub columns: Vec<Path>,
    /// All of these hold.
    pub all: Vec<Condition>,
    /// And at least one of these, where there are any.
    pub any: Vec<Condition>,
    /// And one of these fields holds this text, case and accents aside.
    pub search: Option<Search>,
    /// The order; the last one is the identifier, so that no two records are equal in it.
    pub order: Vec<Order>,
    /// Only records that come after the one with these values of the order's paths.
    pub after: Option<Vec<Value>>,
    /// At most so many records.
    pub limit: usize,
    /// Each combination of the columns' values once, in their own order; `order` and `after` say nothing then.
    pub distinct: bool,
    /// Count all that match (whatever `after` says), but no further than this.
    pub count_to: Option<u64>,
    /// By object, what holds of each of its records that is read or followed, wherever it is met.
    pub rows: BTreeMap<String, Vec<Condition>>,
}

/// A field, of the queried object or of one that references lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The references that are followed.
    pub hops: Vec<Hop>,
    /// The object that has the field.
    pub object: String,
    /// The field.
    pub field: String,
    /// Its type.
    pub field_type: FieldType,
    /// Digits after its decimal point, where that is known.
    pub scale: Option<u32>,
    /// Of a reference, what it may lead to, as far as the caller may know of it. A value that leads to any other
    /// object is there, but not which object that is.
    pub targets: Vec<Target>,
    /// What of it is read.
    pub part: Part,
}

/// What of a field is read. All but the whole is of references that may lead to several objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The value.
    #[default]
    Whole,
    /// The identifier of the record that it leads to, whether that is there or not.
    Id,
    /// The object that it leads to.
    Object,
    /// The name of the record that it leads to: a text, whatever the type of that field is.
    Name,
}

/// What a reference may lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The object.
    pub object: String,
    /// The field that identifies a record of it, where the source keeps that.
    pub id: Option<String>,
    /// The field with its name, where the source keeps that.
    pub name: Option<String>,
}

/// A reference that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The object that has the reference.
    pub object: String,
    /// The reference.
    pub field: String,
    /// Where it leads to.
    pub target: String,
    /// The field of the target that its value is found in.
    pub id: String,
}

/// A condition on a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The field.
    pub path: Path,
    /// What is tested.
    pub test: Test,
    /// Whether the test must fail.
    pub negated: bool,
}

/// What is tested of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// It is null.
    Null,
    /// It is equal to one of these; of several texts, one of them is.
    OneOf(Vec<Match>),
    /// It lies between these; one of them at least is given.
    Range {
        /// Not below.
        low: Option<Bound>,
        /// Not above.
        high: Option<Bound>,
    },
    /// It holds this text, case and accents aside. The text is folded.
    Contains(String),
    /// It begins with this text, case and accents aside. The text is folded.
    StartsWith(String),
    /// Nothing is equal to it: a row rule on an attribute that the caller doesn't have.
    Never,
}

/// What a value is equal to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// This very value.
    Exactly(Value),
    /// Any text that is this one, case and accents aside. The text is folded.
    Folded(String),
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The value.
    pub value: Value,
    /// Whether it is in the range itself.
    pub inclusive: bool,
}

/// Text in any of some fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The fields.
    pub fields: Vec<Path>,
    /// The text, folded.
    pub text: String,
}

/// What records are ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The field.
    pub path: Path,
    /// From the greatest to the least.
    pub descending: bool,
}

impl Path {
    /// What this path's reference may lead to, by the object's name.
    #[must_use]
    pub fn target(&self, object: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.object == object)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for hop in &self.hops {
            write!(f, "{}[{}].", hop.field, hop.target)?;
        }
        f.write_str(&self.field)?;
        f.write_str(match self.part {
            Part::Whole => "",
            Part::Id => ".id",
            Part::Object => ".object",
            Part::Name => ".name",
        })
    }
}
