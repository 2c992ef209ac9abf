//! The arguments of `query_records`, as they are written.

use crate::arguments::Arguments;
use crate::tool;

/// What a model wants, with nothing checked but its shape.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) object: String,
    pub(crate) fields: Vec<String>,
    pub(crate) all: Vec<Compared>,
    pub(crate) any: Vec<Compared>,
    pub(crate) search: Option<String>,
    pub(crate) order_by: Vec<String>,
    pub(crate) limit: Option<i64>,
    pub(crate) cursor: Option<String>,
}

/// A condition as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Where it stands: `where[1]`.
    pub(crate) at: String,
    pub(crate) field: String,
    pub(crate) op: String,
    pub(crate) values: Vec<String>,
}

impl Wanted {
    /// Reads what can be read; what can't is among the arguments' problems.
    pub(crate) fn read(arguments: &mut Arguments<'_>) -> Self {
        let texts = |list: Vec<std::borrow::Cow<'_, str>>| list.into_iter().map(Into::into).collect();
        Self {
            object: arguments.required_text(&tool::OBJECT).unwrap_or_default(),
            fields: texts(arguments.texts(&tool::FIELDS)),
            all: arguments.conditions(&tool::WHERE),
            any: arguments.conditions(&tool::WHERE_ANY),
            search: arguments.text(&tool::TEXT_SEARCH),
            order_by: texts(arguments.texts(&tool::ORDER_BY)),
            limit: arguments.number(&tool::LIMIT),
            cursor: arguments.text(&tool::CURSOR),
        }
    }
}
