//! Behaviour trees that call annotated Rust agents by name.

pub mod registry;
pub mod tree;
