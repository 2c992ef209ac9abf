//! Tests of the compiler through its public face.

mod documents;
mod invariants;
