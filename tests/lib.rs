//! Nothing but the tests.
