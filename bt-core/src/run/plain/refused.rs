//! A guard whose last answer was no.

use serde_json::Value;

use crate::run::node_ref::At;

/// A guard whose last answer was no.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) at: At,
    /// The number of the guard in its node.
    pub(crate) guard: u32,
    /// True if the node ran then.
    pub(crate) aborted: bool,
    /// In nanoseconds.
    pub(crate) time: u64,
    pub(crate) poll: u32,
    /// The values of its arguments.
    pub(crate) saw: Vec<Value>,
}
