//! The kinds of records.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::Args;
use super::place::Place;
#[cfg(feature = "trace")]
use super::recording::{Change, Scene, Stands};
use super::wait::{Wait, is_false};

/// The content of a record. The names of the first ten are those of the original's debugger (seed document 1,
/// S1-D02); in JSON each is an object with the name as its `cmd`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "snake_case")]
#[non_exhaustive]
pub enum What<'a> {
    /// A poll begins that has something to do.
    PollBegin,
    /// Everything that there is at this moment: the first record, and the first of a poll where the
    /// tracer [wants](super::Tracer::wants_snapshot) that. From here on runs are counted anew.
    #[cfg(feature = "trace")]
    Snapshot(Scene<'a>),
    /// A tree begins a run of the next number.
    PushTree {
        /// The tree's name.
        file: Cow<'a, str>,
    },
    /// The node is entered: its guards hold.
    NodeEnter,
    /// The node is exited, once for each time it was entered.
    NodeLeave {
        /// The result.
        result: Leave,
        /// The node that aborted it; none if it was not aborted, or if the host did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Place<'a>>,
    },
    /// The agent is called.
    NodeAction {
        /// The method's name.
        call: Cow<'a, str>,
        /// Its arguments before the call.
        args: Args<'a>,
        /// The role of the call.
        role: Role,
    },
    /// A blackboard key is written. A key of a running tree's own is `key@run`.
    BbSet {
        /// The key.
        key: Cow<'a, str>,
        /// The new value.
        value: Cow<'a, Value>,
    },
    /// A blackboard key is unset.
    BbRemove {
        /// The key.
        key: Cow<'a, str>,
    },
    /// All blackboard keys are unset. Those that stay, or begin with a value, are set again after it.
    BbClear,
    /// The tree starts again from the root, in the next poll.
    Reset,

    /// A property of the agent holds another value than was shown last, whoever changed it. All of them
    /// are shown in the first poll. They are looked at when a poll begins, and after each call of a
    /// method with a receiver: by that the node is known that did it. One without a JSON form is `null`.
    PropertySet {
        /// Its registered name.
        property: Cow<'a, str>,
        /// The new value.
        value: Cow<'a, Value>,
    },
    /// A condition was evaluated that decides about a node: a guard, or what starts a count afresh.
    Guard {
        /// The condition's name.
        call: Cow<'a, str>,
        /// Its arguments.
        args: Args<'a>,
        /// True if its answer counts the other way round.
        #[serde(default, skip_serializing_if = "is_false")]
        not: bool,
        /// The number of the guard in its node, from 0.
        #[serde(default, skip_serializing_if = "is_first")]
        number: u32,
        /// True if it is no guard: the node itself evaluates it.
        #[serde(default, skip_serializing_if = "is_false")]
        own: bool,
        /// True if it holds; the other way round for `not`.
        holds: bool,
    },
    /// The reason that an action gave for its failure.
    Because {
        /// Its `Err`.
        why: Cow<'a, str>,
    },
    /// The node waits; again after each snapshot.
    Waits(Wait<'a>),
    /// A wait has ended, but for one for an event.
    Woken {
        /// The cause of its end.
        by: Woken,
    },
    /// An event was fired: by the host, or by the node.
    EventFired {
        /// Its name.
        event: Cow<'a, str>,
        /// Its parameters by name.
        #[serde(with = "super::args::params")]
        params: Cow<'a, [(String, Value)]>,
    },
    /// The node took an event.
    EventConsumed {
        /// Its name.
        event: Cow<'a, str>,
        /// True if it was kept since it was delivered.
        #[serde(default, skip_serializing_if = "is_false")]
        kept: bool,
    },
    /// Nobody took an event.
    EventDropped {
        /// Its name.
        event: Cow<'a, str>,
    },
    /// Nobody took an event, and it is kept for who waits for it next.
    EventKept {
        /// Its name.
        event: Cow<'a, str>,
    },
    /// The agent's current tree is another one from now on.
    TreeSwitched {
        /// The tree that ran.
        from: Cow<'a, str>,
        /// The one that runs.
        to: Cow<'a, str>,
        /// The role of the call.
        how: Switch,
    },
    /// The host asked for something.
    Control {
        /// The request.
        asked: Control,
    },
    /// The state of the tree, where that does not follow from the other records: after a snapshot, and when
    /// it was stopped by a node, or has ended and does not begin again.
    #[cfg(feature = "trace")]
    Stands(Stands<'a>),
    /// The changes of the [explanation](crate::Runner::explain) of why the agent waits, for a tracer that
    /// [wants](super::Tracer::wants_explanations) it: all of it after a snapshot, then whenever it changes
    /// otherwise than by the time that passes.
    #[cfg(feature = "trace")]
    Explains {
        /// By the parts of its JSON form.
        changes: Vec<Change>,
    },
    /// The agent moved to changed trees: by name what became of nodes, as [`Reload`](crate::reload::Reload) says
    /// it. A snapshot follows, of all that there is in them.
    Reload {
        /// The nodes that stay active.
        kept: Vec<String>,
        /// New nodes around such.
        adopted: Vec<String>,
        /// The nodes that exited, by their names in the old trees.
        aborted: Vec<String>,
        /// The nodes that are entered in their place.
        entered: Vec<String>,
        /// The values that could not be kept, in words.
        problems: Vec<String>,
    },
    /// Something went wrong.
    Diagnostic {
        /// The request.
        message: Cow<'a, str>,
    },
    /// A text that an action [noted](crate::Context::note); `value` of a node whose kind takes that of an expression:
    /// the `expression`, its `value` and those of its `keys`.
    Note {
        /// Its name for it.
        note: Cow<'a, str>,
        /// Its value.
        value: Cow<'a, Value>,
    },
}

#[cfg(feature = "trace")]
impl What<'_> {
    /// The name of what happened, as JSON has it.
    pub fn command(&self) -> &'static str {
        match self {
            What::PollBegin => "poll_begin",
            What::Snapshot(_) => "snapshot",
            What::PushTree { .. } => "push_tree",
            What::NodeEnter => "node_enter",
            What::NodeLeave { .. } => "node_leave",
            What::NodeAction { .. } => "node_action",
            What::BbSet { .. } => "bb_set",
            What::BbRemove { .. } => "bb_remove",
            What::BbClear => "bb_clear",
            What::Reset => "reset",
            What::PropertySet { .. } => "property_set",
            What::Guard { .. } => "guard",
            What::Because { .. } => "because",
            What::Waits(_) => "waits",
            What::Woken { .. } => "woken",
            What::EventFired { .. } => "event_fired",
            What::EventConsumed { .. } => "event_consumed",
            What::EventDropped { .. } => "event_dropped",
            What::EventKept { .. } => "event_kept",
            What::TreeSwitched { .. } => "tree_switched",
            What::Control { .. } => "control",
            What::Stands(_) => "stands",
            What::Explains { .. } => "explains",
            What::Reload { .. } => "reload",
            What::Diagnostic { .. } => "diagnostic",
            What::Note { .. } => "note",
        }
    }
}

/// The name of the note of an expression whose value a node takes: `on` of a `switch`, a score, the list of a
/// `for_each`, a number. Its value has the `expression`, its `value`, and those of the `keys` that are written in it.
#[cfg(feature = "trace")]
pub(crate) const VALUE: &str = "value";

/// The way in which a node exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "how a node was exited")]
#[serde(rename_all = "snake_case")]
pub enum Leave {
    /// It ended with success.
    Success,
    /// It ended with failure.
    Failure,
    /// Something else took over before it ended.
    Aborted,
}

/// The role in which the agent is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "what a call is for")]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The node is an action, and begins, or is called again.
    Action,
    /// The node is a condition.
    Condition,
    /// The node is a host's own decorator, and asks what happens with its child.
    Decorator,
    /// The node is a host's own composite, and asks which of its children runs.
    Composite,
    /// It is attached to the node.
    Effect,
    /// It is attached to the node, and called again and again.
    Service,
    /// The agent was restored, and the action continues.
    Resume,
}

/// The reason why a tree runs in place of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "why a tree was switched")]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Switch {
    /// The host, or an action, loaded it.
    Load,
    /// A `sub_tree` node transferred to it.
    Transfer,
    /// A node took an event for it.
    Event,
    /// A node took an event for it, and the tree that ran is suspended.
    Suspend,
    /// An event's tree has ended, and the suspended one continues.
    Resume,
}

/// A request of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "what the host requested")]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Control {
    /// [`Runner::start`](crate::Runner::start).
    Start,
    /// [`Runner::pause`](crate::Runner::pause).
    Pause,
    /// [`Runner::resume`](crate::Runner::resume).
    Resume,
    /// [`Runner::reset`](crate::Runner::reset).
    Reset,
    /// [`Runner::load`](crate::Runner::load).
    Load,
    /// [`Runner::stop`](crate::Runner::stop).
    Stop,
}

/// The cause that ended a node's wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "what woke a node")]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Woken {
    /// Its time.
    Timer,
    /// Its completion, with success or failure.
    Completion(bool),
    /// The last completion was dropped without an answer.
    CompletionDropped,
    /// The host, with success or failure.
    Host(bool),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_first(number: &u32) -> bool {
    *number == 0
}
