//! Pictures of trees.

mod command;
mod dot;
pub(crate) mod golden;
mod hostile;
mod large;
pub(crate) mod mermaid;
mod rendered;
mod svg;
