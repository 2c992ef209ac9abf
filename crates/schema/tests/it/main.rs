//! Tests of the schema crate through its public face.

mod artifact;
mod closed;
mod native;
