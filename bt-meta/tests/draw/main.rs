//! Pictures of trees.

#[path = "../common/mod.rs"]
mod common;

mod command;
mod dot;
mod golden;
mod hostile;
mod large;
mod mermaid;
mod svg;
