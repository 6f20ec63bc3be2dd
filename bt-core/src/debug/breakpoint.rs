//! A breakpoint: a pattern over the records of a trace.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::compare;
use crate::expression::{self, Named};
use crate::trace::{Leave, Place, What};

/// A place, or something that happens, at which an agent stops.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Breakpoint {
    /// The host's number for it, which a [`Stop`](super::Stop) names.
    pub id: u64,
    /// The record that the agent stops on.
    #[serde(flatten)]
    pub on: On,
    /// The condition under which it counts as met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// The hits that count, if not all do. Each agent counts by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<Hits>,
    /// A text for the trace, in place of a stop: a [note](crate::trace::What::Note) of the name `log`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

impl Breakpoint {
    /// A breakpoint that counts always.
    pub fn new(id: u64, on: On) -> Breakpoint {
        Breakpoint {
            id,
            on,
            condition: None,
            hits: None,
            log: None,
        }
    }

    /// Counts only where a condition holds.
    #[must_use]
    pub fn when(mut self, condition: Condition) -> Breakpoint {
        self.condition = Some(condition);
        self
    }

    /// Counts only some of the times that it is met.
    #[must_use]
    pub fn hits(mut self, hits: Hits) -> Breakpoint {
        self.hits = Some(hits);
        self
    }

    /// Makes it a logpoint: the trace gets a record, and the agent does not stop.
    #[must_use]
    pub fn log(mut self, text: impl Into<String>) -> Breakpoint {
        self.log = Some(text.into());
        self
    }
}

/// The record that a breakpoint stops on. Nodes are named by their tree and their `idx` in its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "snake_case")]
#[non_exhaustive]
pub enum On {
    /// A node is entered: its guards hold, and nothing of it was called yet.
    Enter {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
    /// A node was exited, however.
    Exit {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
    /// A node was exited with success, and its parent does not know yet.
    Success {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
    /// A node was exited with failure, and its parent does not know yet.
    Failure {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
    /// A node was aborted. An abort of several nodes is one step: the agent stops when it is done.
    Abort {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
    },
    /// A method of that name was called.
    Call {
        /// The method's name.
        name: String,
    },
    /// A guard of a node was evaluated. The agent stops when all guards of the node were.
    Guard {
        /// The tree's name.
        tree: String,
        /// The node's number.
        idx: u32,
        /// The answer that is meant; none for any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holds: Option<bool>,
    },
    /// A key of the blackboard was written. The agent stops after the call that did it.
    Key {
        /// The key.
        name: String,
    },
    /// A property of the agent has another value. The agent stops after the call that did it.
    Property {
        /// The property's name.
        name: String,
    },
    /// An event was fired, taken, kept or dropped.
    Event {
        /// The event's name.
        name: String,
    },
    /// An expression turned true that was not, since a key or a property that is written in it has another value. One
    /// without a value, such as of a key that is unset, is not true. The agent stops after the call that did it.
    Expression {
        /// Its text. It calls no method of the agent.
        text: String,
    },
}

impl On {
    /// The node that it is about.
    pub(super) fn node(&self) -> Option<(u32, &str)> {
        match self {
            On::Enter { tree, idx }
            | On::Exit { tree, idx }
            | On::Success { tree, idx }
            | On::Failure { tree, idx }
            | On::Abort { tree, idx }
            | On::Guard { tree, idx, .. } => Some((*idx, tree)),
            On::Call { .. }
            | On::Key { .. }
            | On::Property { .. }
            | On::Event { .. }
            | On::Expression { .. } => None,
        }
    }

    /// The names that it is about, of anything but a node.
    pub(super) fn names(&self) -> BTreeSet<Cow<'_, str>> {
        match self {
            On::Call { name } | On::Key { name } | On::Property { name } | On::Event { name } => {
                BTreeSet::from([name.into()])
            }
            On::Expression { text } => {
                let names = expression::names(text).into_iter();
                names.map(|(_, name, _)| name.into()).collect()
            }
            On::Enter { .. }
            | On::Exit { .. }
            | On::Success { .. }
            | On::Failure { .. }
            | On::Abort { .. }
            | On::Guard { .. } => BTreeSet::new(),
        }
    }

    /// Returns true if a record is what it stops on.
    pub(crate) fn is_met(&self, at: Option<&Place<'_>>, what: &What<'_>) -> bool {
        let is_at =
            |tree: &str, idx: u32| at.is_some_and(|at| at.idx() == idx && at.tree() == tree);
        let exits = |tree: &str, idx: u32, ends: Option<Leave>| {
            matches!(what, What::NodeLeave { result, .. }
                if ends.is_none_or(|end| end == *result) && is_at(tree, idx))
        };
        match self {
            On::Enter { tree, idx } => matches!(what, What::NodeEnter) && is_at(tree, *idx),
            On::Exit { tree, idx } => exits(tree, *idx, None),
            On::Success { tree, idx } => exits(tree, *idx, Some(Leave::Success)),
            On::Failure { tree, idx } => exits(tree, *idx, Some(Leave::Failure)),
            On::Abort { tree, idx } => exits(tree, *idx, Some(Leave::Aborted)),
            On::Call { name } => {
                matches!(what, What::NodeAction { call, .. } | What::Guard { call, .. }
                    if call == name)
            }
            On::Guard { tree, idx, holds } => {
                matches!(what, What::Guard { own: false, holds: found, .. }
                    if holds.is_none_or(|holds| holds == *found) && is_at(tree, *idx))
            }
            // A running tree's own key is `key@run`.
            On::Key { name } => {
                matches!(what, What::BbSet { key, .. } | What::BbRemove { key }
                    if key == name || key.split('@').next() == Some(name))
            }
            On::Property { name } => {
                matches!(what, What::PropertySet { property, .. } if property == name)
            }
            On::Event { name } => matches!(what,
                What::EventFired { event, .. }
                | What::EventConsumed { event, .. }
                | What::EventKept { event }
                | What::EventDropped { event } if event == name),
            On::Expression { text } => {
                let reads = |of: Named, name: &str| {
                    let mut names = expression::names(text).into_iter();
                    names.any(|(named, read, _)| named == of && read == name)
                };
                matches!(what, What::BbClear)
                    || matches!(what, What::BbSet { key, .. } | What::BbRemove { key }
                        if reads(Named::Key, key) || key.split('@').next().is_some_and(|key| reads(Named::Key, key)))
                    || matches!(what, What::PropertySet { property, .. }
                        if reads(Named::Property, property))
            }
        }
    }
}

/// A key of the blackboard compared with a value, by the rules of [`compare`](crate::compare).
///
/// A comparison without an answer does not hold: of a key that is unset, but for `!=`, and of values that have no
/// order.
///
/// ```
/// use bt_core::debug::{Compare, Condition};
///
/// let near: Condition = "distance <= 2.5".parse()?;
/// assert_eq!(near, Condition::new("distance", Compare::LessOrEqual, 2.5));
/// assert_eq!("name == \"Bo\"".parse::<Condition>()?, Condition::new("name", Compare::Equal, "Bo"));
/// assert_eq!(
///     "distance 2".parse::<Condition>().unwrap_err().to_string(),
///     "expected a key, one of `==`, `!=`, `<`, `<=`, `>`, `>=` and a JSON value, as in `health < 10`; found `distance 2`"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The key.
    pub key: String,
    /// The comparison.
    pub op: Compare,
    /// The value to compare with.
    pub value: Value,
}

/// The comparison of a key with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Compare {
    /// They are the same, numbers by value.
    #[serde(rename = "==")]
    Equal,
    /// They are not the same.
    #[serde(rename = "!=")]
    NotEqual,
    /// The key's value is less.
    #[serde(rename = "<")]
    Less,
    /// The key's value is not greater.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// The key's value is greater.
    #[serde(rename = ">")]
    Greater,
    /// The key's value is not less.
    #[serde(rename = ">=")]
    GreaterOrEqual,
}

impl Condition {
    /// A comparison of a key with a value.
    pub fn new(key: impl Into<String>, op: Compare, value: impl Into<Value>) -> Condition {
        Condition {
            key: key.into(),
            op,
            value: value.into(),
        }
    }

    /// Returns true if it holds for what the key holds.
    pub(crate) fn holds(&self, found: Option<&Value>) -> bool {
        let Some(found) = found else {
            return self.op == Compare::NotEqual;
        };
        let order = || compare::order(found, &self.value).ok();
        match self.op {
            Compare::Equal => compare::equal(found, &self.value),
            Compare::NotEqual => !compare::equal(found, &self.value),
            Compare::Less => order().is_some_and(std::cmp::Ordering::is_lt),
            Compare::LessOrEqual => order().is_some_and(std::cmp::Ordering::is_le),
            Compare::Greater => order().is_some_and(std::cmp::Ordering::is_gt),
            Compare::GreaterOrEqual => order().is_some_and(std::cmp::Ordering::is_ge),
        }
    }
}

/// The longer one of two that begin alike comes first.
const OPS: [(&str, Compare); 6] = [
    ("==", Compare::Equal),
    ("!=", Compare::NotEqual),
    ("<=", Compare::LessOrEqual),
    (">=", Compare::GreaterOrEqual),
    ("<", Compare::Less),
    (">", Compare::Greater),
];

impl std::str::FromStr for Condition {
    type Err = super::DebugError;

    fn from_str(text: &str) -> Result<Condition, Self::Err> {
        let parsed = text.find(['=', '!', '<', '>']).and_then(|at| {
            let (key, rest) = text.split_at(at);
            let (sign, op) = OPS.iter().find(|(sign, _)| rest.starts_with(sign))?;
            let value: Value = serde_json::from_str(rest[sign.len()..].trim()).ok()?;
            let key = key.trim();
            (!key.is_empty()).then(|| Condition::new(key, *op, value))
        });
        parsed.ok_or_else(|| super::DebugError::condition(text))
    }
}

/// The hits of a breakpoint that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hits {
    /// All from that one on; the first is 1.
    AtLeast(u64),
    /// Every so many.
    Every(u64),
}

impl Hits {
    /// Returns true if it counts that something was met so often.
    pub(crate) fn counts(self, times: u64) -> bool {
        match self {
            Hits::AtLeast(least) => times >= least,
            Hits::Every(every) => times.is_multiple_of(every.max(1)),
        }
    }
}
