//! Pictures of trees.

mod command;
mod disabled;
mod dot;
pub(crate) mod golden;
mod hostile;
mod large;
pub(crate) mod mermaid;
mod rendered;
mod svg;
