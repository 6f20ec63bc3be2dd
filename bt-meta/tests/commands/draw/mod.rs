//! Pictures of trees.

mod command;
mod dot;
mod golden;
mod hostile;
mod large;
mod mermaid;
mod rendered;
mod svg;
