//! What the tools do that answer from the artifact alone.

mod get_object_schema;
mod list_objects;
mod query_records;

pub(crate) use self::get_object_schema::get_object_schema;
pub(crate) use self::list_objects::list_objects;
pub(crate) use self::query_records::Asked;
