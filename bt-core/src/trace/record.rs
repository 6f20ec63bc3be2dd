//! One thing that happened: when, where, what.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::place::Place;
use super::what::What;

/// Something that happened to one agent.
///
/// In JSON one object: `ns`, `poll`, `cmd` and what belongs to that; where it is about a node, also
/// `at` (the run of its tree, and its `idx` in the file), `tree`, `type` and `name`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a record, an object")]
pub struct Record<'a> {
    /// The time of the poll in nanoseconds, on the host's clock.
    pub ns: u64,
    /// The number of the poll, from 1; what happens between two polls has the number of the first.
    pub poll: u32,
    /// The node that it is about.
    #[serde(flatten)]
    pub at: Option<Place<'a>>,
    /// The event that is recorded.
    #[serde(flatten)]
    pub what: What<'a>,
}

impl Record<'_> {
    /// The time of the poll, on the host's clock.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.ns)
    }
}
