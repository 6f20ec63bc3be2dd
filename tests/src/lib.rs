//! What crosses crates is tested in `tests/`; what the tests and the measuring commands share is
//! here.

pub mod cost;
