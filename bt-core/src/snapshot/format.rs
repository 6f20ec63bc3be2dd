//! The parts of a saved agent: plain data, as its JSON has it. Those that a runner has as well are the
//! runner's own types, with other numbers: see [`Renumber`](crate::run).
//!
//! What is as it is by default is left out. Nodes are named by the `idx` of their file, so a tree that
//! was built anew, in another process or beside other trees, is the same tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blackboard::SavedKeys;
use crate::decode::is_default;
use crate::run::saved::{
    At, Continuation, Delivery, Event, Frame, KeptNumber, Level, Requests, Settings, State, Timer,
};

/// The format that is written, and the newest that is read.
pub(crate) const FORMAT: u32 = 1;

/// The refusal of a newer format.
pub(super) fn newer(number: u64) -> String {
    format!(
        "it is of format {number}, and this version of bt-core reads formats up to {FORMAT}: restore it with the version \
         that saved it, or a newer one"
    )
}

/// One saved agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parts {
    pub(crate) format: u32,
    // These stand in the same object.
    #[serde(skip)]
    pub(crate) settings: Settings,
    #[serde(skip)]
    pub(crate) requests: Requests,
    #[serde(skip)]
    pub(crate) board: SavedKeys,
    /// The agent's registered name.
    pub(crate) agent: String,
    /// The trees that run, or of which something is kept: name and hash, sorted by name. Elsewhere a
    /// tree is its number in here, unless it is only to be started.
    pub(crate) trees: Vec<(String, String)>,
    /// Of each of those: the nodes that are active, or of which something is kept. With changed trees they say
    /// what becomes of the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) nodes: Vec<Vec<Described>>,
    /// The runs of trees, each after the one that calls it. One that nothing calls is the current tree
    /// of its level, the last such one that of the agent.
    pub(crate) frames: Vec<Frame>,
    /// The trees that events suspended, and last the current one.
    pub(crate) levels: Vec<Level>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) timers: Vec<Timer>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) states: Vec<State<BTreeMap<String, Value>>>,
    /// Retained counters: the number of the tree, the `idx`, and what the kind of the node says. Of a
    /// cooldown it is the time left in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) kept: Vec<(u32, u32, Value)>,
    /// Children whose guards did not hold when their parent, which begins at a later child, was exited: the
    /// number of the tree, and the `idx`.
    #[serde(rename = "unheld", default, skip_serializing_if = "is_default")]
    pub(crate) failed_guards: Vec<(u32, u32)>,
    /// The names of the keys that the guards of such children followed when they were evaluated last.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) followed: Vec<(u32, u32, Vec<String>)>,
    /// The numbers that nodes read when they were entered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) numbers: Vec<KeptNumber>,
    /// Events that nodes took, which they take once: the node, and which of its events.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) taken: Vec<(At, u32)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) latched: Vec<Event>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) queue: Vec<Delivery>,
    /// The places where a walk continues once a part of the tree is open: the node, and its child that was
    /// entered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) work: Vec<Continuation>,
    /// Actions, by tree and `idx`, whose endless wait was reported.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) stuck: BTreeMap<String, Vec<u32>>,
    /// Nodes, by tree and `idx`, of whose numbers it was reported that they cannot be read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) unread: BTreeMap<String, Vec<u32>>,
    /// The forced results of nodes: the tree's name, the `idx`, and the word for the result.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) forced: Vec<(String, u32, String)>,
    /// The last results of nodes, by tree and `idx`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) results: BTreeMap<String, Vec<(u32, bool)>>,
}

/// A node as its tree file had it. They are listed in the order in which nodes run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Described {
    /// One that only stands beside such that matter: its `idx` and kind. It comes first: a list would be read as
    /// the other, too.
    Other(u32, String),
    /// One that matters.
    Known(Box<Known>),
}

/// A node that is active, or of which something is kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    pub(crate) idx: u32,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The number of nodes before it in its tree, where its `idx` is another number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) place: Option<u32>,
    /// Of a root: what its tree means but for the numbers of nodes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) shape: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) extra: serde_json::Map<String, Value>,
    /// The exit method of its action.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) exit: Option<String>,
    /// The number of its children; they follow.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) children: u32,
}
