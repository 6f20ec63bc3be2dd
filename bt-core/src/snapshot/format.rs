//! The parts of a saved agent: plain data, as its JSON has it.
//!
//! What is as it is by default is left out. Nodes are named by the `idx` of their file, so a tree that
//! was built anew, in another process or beside other trees, is the same tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::place::Place;
use crate::run::saved::{Act, Due, Phase, Purpose, Wait};

/// The format that is written, and the newest that is read.
pub(crate) const FORMAT: u32 = 1;

/// One saved agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parts {
    pub(crate) format: u32,
    /// The agent's registered name.
    pub(crate) agent: String,
    /// The trees that run, or of which something is kept: name and hash, sorted by name. Elsewhere a
    /// tree is its number in here, unless it is only to be started.
    pub(crate) trees: Vec<(String, String)>,
    /// Of each of those: the nodes that are active, or of which something is kept. With changed trees they say
    /// what becomes of the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) nodes: Vec<Vec<Described>>,
    pub(crate) phase: Phase,
    /// The runs of trees, each after the one that calls it. One that nothing calls is the current tree
    /// of its level, the last such one that of the agent.
    pub(crate) frames: Vec<Frame>,
    /// The number of the last poll.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) poll: u32,
    /// The number of the last entry.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) order: u64,
    /// The host's mode, if it set one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) again: Option<bool>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) budget: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) started: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) starts_again: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) paused: bool,
    /// It was paused and resumed, and not polled since.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) resumed: bool,
    /// The time between the start of that pause and the save, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) paused_ago: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) interrupted: bool,
    /// The next poll has more to do than to look at the clock.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) awake: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) last: Option<bool>,
    /// The trees that events suspended, and last the current one.
    pub(crate) levels: Vec<Level>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) timers: Vec<Timer>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) states: Vec<State>,
    /// Retained counters: the number of the tree, the `idx`, and what the kind of the node says. Of a
    /// cooldown it is the time left in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) kept: Vec<(u32, u32, Value)>,
    /// Children whose guards did not hold when their parent, which begins at a later child, was exited: the
    /// number of the tree, and the `idx`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) failed_guards: Vec<(u32, u32)>,
    /// The keys of the agent that the guards of such children followed when they were evaluated last.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) followed: Vec<(u32, u32, Vec<Followed>)>,
    /// Events that nodes took, which they take once: the node, and which of its events.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) taken: Vec<(Place, u32)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) latched: Vec<Event>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) queue: Vec<Delivery>,
    /// The host's request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) request: Option<Request>,
    /// The places where a walk continues once a part of the tree is open: the node, and its child that was
    /// entered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) work: Vec<(Place, Option<u32>)>,
    /// The arguments of a tree that is to start; an event's parameters for keys of its tree are one
    /// object.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) handed: Vec<Value>,
    /// Events that nobody knows, and that were reported.
    #[serde(default, rename = "strange_events", skip_serializing_if = "is_default")]
    pub(crate) unknown_events: Vec<String>,
    /// Actions, by tree and `idx`, whose endless wait was reported.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) stuck: BTreeMap<String, Vec<u32>>,
    /// The forced results of nodes: the tree's name, the `idx`, and the word for the result.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) forced: Vec<(String, u32, String)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) keeps_results: bool,
    /// The last results of nodes, by tree and `idx`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) results: BTreeMap<String, Vec<(u32, bool)>>,
    /// The agent's keys that hold something else than at first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) keys: BTreeMap<String, Value>,
    /// Those that hold something at first, and nothing now.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) unset: Vec<String>,
    /// Those that guards look at.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) observed: Vec<String>,
    /// The state of the random stream, 16 hexadecimal digits.
    pub(crate) random: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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

/// One run of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    pub(crate) tree: u32,
    /// The node that called it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) caller: Option<Place>,
    /// Its own keys, if it has begun and its tree declares any.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) keys: Option<FrameKeys>,
}

/// The keys of a run of a tree, by their places among those that the tree declares.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrameKeys {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) set: Vec<(u32, Value)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) unset: Vec<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) observed: Vec<u32>,
}

/// The waits of a tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Level {
    /// The number of the poll in which its root was entered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) began: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) entries: Vec<Entry>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) watches: Vec<Watch>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) leaving: Vec<Leaving>,
    /// The cause of its suspension: the node, the number of its event, and the time since then, in
    /// nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) why: Option<(Place, u32, u64)>,
    /// Arrivals for it while it, or a part of it, was closed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) held: Vec<Delivery>,
}

/// A node that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) at: Place,
    pub(crate) order: u64,
    pub(crate) wait: Wait,
    /// The time that it has waited, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) ago: u64,
    /// The number of the poll in which it ends, and how.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) until: Option<(u32, bool)>,
    /// Events that end it, and how.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) on: Vec<(String, bool)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) kept: Option<Value>,
    /// The arguments of its call, for its exit method.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) args: Vec<Value>,
    /// Somebody had the means to finish it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) completion: bool,
    /// It had guards.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) guards: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Timer {
    pub(crate) at: Place,
    /// The time left in nanoseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) left: u64,
    #[serde(rename = "for")]
    pub(crate) purpose: Purpose,
}

/// The state of an active node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    pub(crate) at: Place,
    /// The name of its form, and what its kind says under that. Children are their `idx`.
    pub(crate) is: BTreeMap<String, Value>,
}

/// Guards that are observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    pub(crate) at: Place,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) guard: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) own: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) last: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) due: Due,
    /// The keys that it follows; all that are observed, if that is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) keys: Option<Vec<Followed>>,
}

/// A key that guards follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Followed {
    /// One of the agent's.
    Agent(String),
    /// One of a run of a tree: the run, and the key's place there.
    Tree(u32, u32),
}

/// An aborted part that is still cancelling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Leaving {
    pub(crate) top: Place,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) inclusive: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) by: Option<By>,
    pub(crate) then: Then,
}

/// The node that aborts others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum By {
    Node(Place),
    /// Its run is over: the name of its tree, and its `idx`.
    Over(String, u32),
}

/// The continuation after it is gone. Trees are their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Then {
    Go(Place, Act),
    Enter(Place),
    Start(String),
    Load(String),
    /// The tree and the `idx` of the `sub_tree` node, and the tree that it starts.
    Transfer(String, u32, String),
    Restart(bool),
    Stop,
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    Event(Event),
    /// The order of an entry, and how it ends; none where its last completion was dropped unused.
    Finish(u64, Option<bool>),
    /// A timer whose time has come.
    Timer(Place, Purpose),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Event {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) params: Vec<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    Stop,
    Reset(bool),
    Load(String),
}
