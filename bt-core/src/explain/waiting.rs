//! The parts of an explanation: what waits, what is above it, what is refused.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kinds::RefusedBy;
use crate::trace::{Place, Wait};

/// A leaf that waits, or a node in place of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Waiting {
    /// The node.
    pub node: Place<'static>,
    /// The nodes above it, from the outermost root on, across calls of trees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Place<'static>>,
    /// The arguments of what it calls.
    pub arguments: Vec<CallArgument>,
    /// The reason for which it waits.
    pub wait: Wait<'static>,
    /// The number of its [suspended tree](super::Explanation::suspended).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended: Option<u32>,
    /// The other causes that would end it, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<Above>,
    /// Of the events that it waits for, those that the agent does not register though it registers
    /// others, with the nearest name behind "; did you mean".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_events: Vec<String>,
}

impl Waiting {
    /// Returns true if neither what it waits for nor what is above it can end it: only the host still can, by
    /// [`finish`](crate::Runner::finish), and what aborts its tree.
    pub fn is_endless(&self) -> bool {
        !self.wait.can_end() && !self.wait.cancelling && self.above.is_empty()
    }

    /// The times at which it ends.
    pub(super) fn times(&mut self) -> impl Iterator<Item = &mut u64> {
        let above = self.above.iter_mut().filter_map(|above| match above {
            Above::Timeout { until, .. } => Some(until),
            Above::Guard { .. }
            | Above::Frames { .. }
            | Above::Event { .. }
            | Above::Choice { .. }
            | Above::Reactive { .. } => None,
        });
        self.wait.until.iter_mut().chain(above)
    }
}

/// An argument of a call, for people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallArgument {
    /// The blackboard key that it is taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The property that it is taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The expression that it is the value of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Its value now, of an expression that of its last call, cut to some 4 KiB; none of a property, and of a key that is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl CallArgument {
    pub(crate) fn literal(value: Value) -> CallArgument {
        CallArgument {
            key: None,
            property: None,
            expression: None,
            value: Some(value),
        }
    }

    pub(crate) fn key(key: &str, value: Option<Value>) -> CallArgument {
        CallArgument {
            key: Some(key.to_owned()),
            property: None,
            expression: None,
            value,
        }
    }

    pub(crate) fn property(name: &str) -> CallArgument {
        CallArgument {
            key: None,
            property: Some(name.to_owned()),
            expression: None,
            value: None,
        }
    }

    pub(crate) fn expression(text: &str, value: Option<Value>) -> CallArgument {
        CallArgument {
            key: None,
            property: None,
            expression: Some(text.to_owned()),
            value,
        }
    }

    /// Its form in a trace.
    pub fn to_value(&self) -> Value {
        match &self.property {
            Some(name) => serde_json::json!({ "property": name }),
            None => self.value.clone().unwrap_or_default(),
        }
    }
}

/// A condition that decides about a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// True if its answer counts the other way round.
    #[serde(default)]
    pub not: bool,
    /// Its arguments; the keys and properties of an expression.
    pub arguments: Vec<CallArgument>,
    /// True if the name is the text of an expression.
    #[serde(default, skip_serializing_if = "is_call")]
    pub expression: bool,
}

fn is_call(expression: &bool) -> bool {
    !*expression
}

/// A cause that ends the waits below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Above {
    /// A guard that aborts its node when it no longer holds.
    Guard {
        /// The guarded node.
        node: Place<'static>,
        /// The condition that must hold.
        condition: Condition,
    },
    /// A `timeout`.
    Timeout {
        /// The node.
        node: Place<'static>,
        /// The time at which it fails, in nanoseconds of the host's clock.
        until: u64,
    },
    /// A `frames` node.
    Frames {
        /// The node.
        node: Place<'static>,
        /// The number of the poll in which it ends.
        until_poll: u32,
    },
    /// A node that takes an event for another tree.
    Event {
        /// The node.
        node: Place<'static>,
        /// The event.
        event: String,
        /// The tree that starts then.
        tree: String,
        /// True if what waits continues after that tree has ended.
        comes_back: bool,
    },
    /// A reactive node that chooses one of its children again every poll.
    Choice {
        /// The node.
        node: Place<'static>,
    },
    /// A reactive node, which evaluates the children before the one that runs every poll.
    Reactive {
        /// The node.
        node: Place<'static>,
    },
}

/// A node that is not entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The node.
    pub node: Place<'static>,
    /// The reason.
    pub why: Why,
    /// The time of the last refusal, or of the last evaluation of its guard, in nanoseconds of the host's
    /// clock; if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// In which poll; if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll: Option<u32>,
}

/// A node that ends without being entered, because a debugger forces its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ForcedEnd {
    /// The node.
    pub node: Place<'static>,
    /// The result: `success`, `failure`, or `disabled` for a node that counts as not there.
    pub result: String,
}

/// The reason why a node is not entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
    /// A guard does not hold.
    Guard {
        /// The condition that must hold, with the present values of its arguments.
        condition: Condition,
        /// The values of its arguments at the last evaluation, if they are known.
        saw: Option<Vec<Value>>,
        /// True if the node ran when it was evaluated, and was aborted.
        aborted: bool,
        /// True if the node takes over from its siblings as soon as it holds.
        takes_over: bool,
        /// True if it is evaluated only when the node is to be entered, and aborts nothing.
        #[serde(default)]
        on_entry: bool,
    },
    /// A `cooldown`.
    Cooldown {
        /// The time that it still cools down, in nanoseconds.
        left: u64,
    },
    /// A `run_limit`.
    RunLimit {
        /// The number of times that its child has run.
        runs: u64,
    },
    /// A `once` that failed.
    Once,
    /// Something else that its kind says.
    Other {
        /// A sentence about the node, without its point.
        words: String,
    },
}

impl From<RefusedBy> for Why {
    fn from(refusal: RefusedBy) -> Why {
        match refusal {
            RefusedBy::Cooldown(left) => Why::Cooldown { left },
            RefusedBy::RunLimit(runs) => Why::RunLimit { runs },
            RefusedBy::Once => Why::Once,
            RefusedBy::Because(words) => Why::Other {
                words: words.into_owned(),
            },
        }
    }
}
