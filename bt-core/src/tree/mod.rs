//! Behaviour trees: what they are made of, and the form in which they are written and changed.

pub mod asset;
mod build;
pub mod check;
mod kind;
pub mod kinds;
pub(crate) mod plan;
pub(crate) mod set;
