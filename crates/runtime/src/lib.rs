//! What an assistant loads: the artifact that `build-schema` published, and the tools over it.
//!
//! ```
//! # use futures_executor::block_on;
//! use portolan_runtime::{Caller, Schema};
//! let schema = Schema::open_file("../../artifacts/schema.msgpack")?;
//! let session = schema.session(Caller::new().profile("rep").id("u7"))?;
//!
//! let wanted = serde_json::json!({"objects": ["order_line"]});
//! let first = block_on(session.call("get_object_schema", &wanted));
//! assert!(first.as_str().contains(r#""order":"order","product":"product""#));
//! let again = block_on(session.call("get_object_schema", &wanted));
//! assert!(again.as_str().contains(r#""alreadyFetched":["order_line"]"#));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Schema`]: the opened artifact; it may be replaced under running sessions.
//! - [`Caller`]: who asks, and which days `last month` is for them ([`Interval`]). [`Session`]: one conversation, and the guard that a schema goes out once.
//! - [`Session::call`] and [`Session::call_all`] answer a model's tool calls;
//!   [`Session::tool_definitions`] says to a provider what the tools are.
//! - [`RULES`]: what holds between a model and the tools, with [`system_prompt_rules`].
//!
//! Nothing here names an async executor or knows a model.

mod answer;
mod arguments;
mod caller;
mod definitions;
mod fold;
mod json;
mod limits;
mod memory;
mod opened;
mod period;
pub mod query;
mod rank;
mod render;
mod rules;
mod schema;
mod sent;
mod session;
mod source;
mod tool;
mod tools;
mod view;

pub use portolan_schema::artifact::ArtifactError;
pub use portolan_schema::query::{Period, PeriodProblem};

pub use self::answer::{Answer, MOST_ANSWER_BYTES};
pub use self::caller::Caller;
pub use self::definitions::Dialect;
pub use self::limits::Limits;
pub use self::memory::{Memory, Record};
pub use self::opened::OpenError;
pub use self::period::{Interval, PeriodError};
pub use self::render::Rendering;
pub use self::rules::{Guard, RULES, Rule, Strength, system_prompt_rules};
pub use self::schema::{CallerError, Schema};
pub use self::session::{Call, Session};
pub use self::source::{Fetching, Page, RecordSource, SourceError};
pub use self::tool::{Tool, UnknownTool};

/// The example of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
