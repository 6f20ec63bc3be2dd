//! The common parts of this crate's tests: the rules of the editor's files, and runs of `bt-meta`.
#![allow(dead_code, unreachable_pub)]

pub mod meta;
pub mod page;
pub mod rules;
pub mod samples;
pub mod sandbox;
pub mod schema;
pub mod zoo;

use std::path::Path;

use serde_json::Value;

/// A file of an export, read as JSON.
pub fn json(dir: &Path, file: &str) -> Value {
    let path = dir.join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
