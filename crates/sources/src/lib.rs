//! Where records are kept: the adapters behind [`RecordSource`](portolan_runtime::RecordSource), one a module
//! and a Cargo feature.
//!
//! A [`Mapping`] says where a source keeps what the artifact names, and how it is stored. The artifact's types
//! govern: whatever a column happens to hold, a query is answered as if it held values of its field's type.

mod mapping;
mod reading;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use self::mapping::{Defaults, FieldMapping, Mapping, MappingError, ObjectMapping, Stored};
