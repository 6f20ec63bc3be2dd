//! The changed parts of a value: a trace does not repeat what stays.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::trace::wait::is_false;

/// A part of a value that is another one from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a change: an object with `in` and `is`")]
#[doc(hidden)]
pub struct Change {
    /// The way to it from the outside in; none for the whole.
    #[serde(rename = "in", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) way: Vec<Step>,
    /// The new value.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) is: Value,
    /// True if it is no more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) gone: bool,
}

/// From a value to one of its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "the name of a field or the number of an item")]
pub(crate) enum Step {
    Item(usize),
    Field(String),
}
