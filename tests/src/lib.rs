//! What crosses crates is tested in `tests/`; what the tests and the measuring commands share is
//! here.

pub mod cases;
pub mod chaos;
pub mod compare;
pub mod cost;
pub mod migrant;
pub mod mutations;
pub mod probe;
pub mod properties;
pub mod reference;
pub mod stage;

/// The README's code runs as it stands.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
