//! What went wrong while a tree ran, for people.

use std::fmt;
use std::time::Duration;

/// Something that went wrong while a tree ran: the agent lives on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) tree: Box<str>,
    pub(crate) node: Option<u32>,
    pub(crate) place: String,
    pub(crate) message: String,
    /// In nanoseconds.
    pub(crate) time: u64,
    pub(crate) poll: u32,
}

impl Diagnostic {
    /// The name of the tree.
    pub fn tree(&self) -> &str {
        &self.tree
    }

    /// The `idx` of the node in its file, where there is one.
    pub fn node(&self) -> Option<u32> {
        self.node
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The time of the poll, on the host's clock.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.time)
    }

    /// The number of the poll, from 1.
    pub fn poll(&self) -> u32 {
        self.poll
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
