//! Everything that the macros submit: const tables of typed functions.

pub mod carries;
pub mod descriptor;
pub mod item;
pub mod members;
