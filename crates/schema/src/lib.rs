//! What every other part of Portolan speaks of: objects, fields, references between them, and the
//! files in which they travel.
//!
//! - [`Object`], [`Field`], [`FieldType`]: an org's metadata, cut down to what questions need.
//! - [`ClosedSchema`]: objects whose references all lead somewhere, with the back references that
//!   follow from them. Its constructor checks that, so holding one is the proof.
//! - [`artifact`]: the published file; encoding, decoding, and reading one object out of many.
//! - [`native`]: Portolan's own extract format.
//! - [`Profile`]: what a class of callers may see. [`Task`]: a question that is prepared.
//! - [`query`]: the words of the query language.
//! - [`nearest`]: which known names an unknown one was probably meant to be.
//!
//! Nothing here touches a file system, a clock or a network.

#[cfg(feature = "proptest")]
pub mod arbitrary;
pub mod artifact;
mod closed;
mod model;
pub mod native;
pub mod nearest;
mod profile;
pub mod query;
mod task;

pub use closed::{BackReference, ClosedSchema, PathProblem, Violation};
pub use model::{Field, FieldType, LONGEST_NAME, Object};
pub use profile::{Operand, Profile, RowCondition, RowOp};
pub use semver::Version;
pub use task::{
    MOST_RECORDS, Task, TaskArgument, TaskCondition, TaskProblem, TaskProblemKind, TaskQuery, TaskRelated,
    placeholders,
};
