//! Two JSON Schemas: whether one takes all that the other takes, and what differs between them.
//!
//! Only what schemas of Rust types say is understood. What is not, is told apart by being the same
//! or not: then it cannot be known which one takes more.

mod alternatives;
mod fits;
mod number;
mod words;

use serde_json::Value;

use crate::catalogue::JsonMap;
pub(super) use fits::fits;
pub(super) use number::range;
pub(super) use words::differences;

/// A schema and what it refers to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schema<'c> {
    pub(super) value: &'c Value,
    pub(super) defs: &'c JsonMap,
}

impl<'c> Schema<'c> {
    /// Another schema beside this one.
    pub(super) fn with(self, value: &'c Value) -> Schema<'c> {
        Schema { value, ..self }
    }
}

/// The relation between the values of a new schema and those of an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Wider,
    Narrower,
    /// Neither takes all that the other takes, or it cannot be known.
    Other,
}

/// Compares them.
pub(super) fn relation(old: Schema<'_>, new: Schema<'_>) -> Relation {
    match (fits(old, new), fits(new, old)) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Wider,
        (false, true) => Relation::Narrower,
        (false, false) => Relation::Other,
    }
}

/// Returns true for a keyword that does not narrow what a schema takes, as far as is understood.
fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "description" | "title" | "default" | "examples" | "deprecated" | "$comment" | "x-decoder"
    )
}

#[cfg(test)]
mod tests;
