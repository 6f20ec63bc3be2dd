//! A stop of an agent, the ways to continue, and the forced result of a node.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of an agent's stop in the middle of a poll, and its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stop {
    /// The number of the stop, which [`Runner::step`](crate::Runner::step) names. No two stops of an agent have
    /// the same.
    pub number: u64,
    /// The reason of the stop.
    pub why: Why,
    /// The tree of the node that this is about; none if it is about no node.
    pub tree: Option<String>,
    /// The number of that node in its file.
    pub idx: Option<u32>,
    /// The [record](crate::trace::What) of the stop by its name: `node_enter`, `bb_set`.
    pub record: String,
    /// The number of the poll.
    pub poll: u32,
    /// The requests that wait for the end of the poll: `load`, `reset`.
    pub waiting: Vec<String>,
}

/// The reason why an agent stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It met the breakpoint of that number.
    Breakpoint(u64),
    /// A step was done.
    Step,
    /// The host [asked](crate::Runner::stop_next) for it.
    Asked,
}

/// The way in which a stopped agent continues.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Step {
    /// Until it meets a breakpoint.
    Continue,
    /// To the next place where it can stop.
    Record,
    /// To the next node that is entered or exited.
    Into,
    /// The same, but not below the node that it is stopped at.
    Over,
    /// Until the node above the one that it is stopped at is exited.
    Out,
    /// To the next poll that has something to do.
    Poll,
    /// Until a node is entered.
    To {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
}

/// The result of a node that is not entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forced {
    /// Success.
    Success,
    /// Failure.
    Failure,
    /// None: it is as if it were not there, and so is a decorator around it. It means what `disabled` in a tree file means.
    Disabled,
}

impl fmt::Display for Forced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forced::Success => "success",
            Forced::Failure => "failure",
            Forced::Disabled => "disabled",
        })
    }
}

/// A node whose result is forced.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ForcedNode {
    /// The tree's name.
    pub tree: String,
    /// The node's number.
    pub idx: u32,
    /// The result.
    pub forced: Forced,
}

/// The refusal of a debugger's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugError(String);

impl DebugError {
    pub(crate) fn not_stopped() -> DebugError {
        DebugError(
            "the agent is not stopped: it has met no breakpoint, or continues already".to_owned(),
        )
    }

    pub(crate) fn stale(named: u64, number: u64) -> DebugError {
        DebugError(format!(
            "stop {named} is over: the agent is at stop {number}"
        ))
    }

    pub(crate) fn no_tree(tree: &str, near: &str) -> DebugError {
        let tree = crate::text::name(tree);
        DebugError(format!("there is no tree `{tree}`{near}"))
    }

    pub(crate) fn no_node(tree: &str, idx: u32) -> DebugError {
        DebugError(format!("tree `{tree}` has no node {idx}"))
    }

    pub(crate) fn left_out(tree: &str, idx: u32) -> DebugError {
        DebugError(format!(
            "node {idx} of tree `{tree}` is not there: it is disabled in its file, or below such a node"
        ))
    }

    pub(crate) fn condition(text: &str) -> DebugError {
        let text = crate::text::name(text);
        DebugError(format!(
            "expected a key, one of `==`, `!=`, `<`, `<=`, `>`, `>=` and a JSON value, as in \
             `health < 10`; found `{text}`"
        ))
    }
}

impl fmt::Display for DebugError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DebugError {}
