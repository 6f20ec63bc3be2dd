//! Guards that are observed, and the keys that they follow.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::renumber::Renumber;
use crate::blackboard::KeyId;
use crate::decode::is_default;
use crate::run::node_ref::At;
use crate::tree::plan::{Guard, Plan};

/// Guards that are observed: one that aborts its own node, or all of a node that takes over from the
/// sibling that runs to its right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "K: Serialize + Default + PartialEq")
)]
pub(crate) struct Watch<K = KeySet> {
    /// The guarded node.
    pub(crate) at: At,
    /// The number of its guard; of all guards together, the one that did not hold, if `last` is false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) guard: u32,
    /// True if it aborts its own node.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) own: bool,
    /// True if it, or all, held at the last evaluation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) last: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) due: Due,
    /// The number of the poll of the last evaluation.
    #[serde(skip)]
    pub(crate) stamp: u32,
    /// The keys that it follows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) keys: K,
}

/// One of a saved agent; without keys it follows all that are observed.
pub(crate) type SavedWatch = Watch<Option<Vec<Followed>>>;

/// A key that guards follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Followed {
    /// One of the agent's.
    Agent(String),
    /// One of a run of a tree: the run, and the key's place there.
    Tree(u32, u32),
}

impl<K> Watch<K> {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber, L>(
        &self,
        to: &X,
        due: Due,
        keys: L,
    ) -> Result<Watch<L>, X::Error> {
        Ok(Watch {
            at: to.near(self.at)?,
            guard: self.guard,
            own: self.own,
            last: self.last,
            due,
            stamp: to.poll(self.stamp),
            keys,
        })
    }

    /// The guards that belong to it.
    pub(crate) fn guards<'p>(&self, all: &'p [Guard]) -> &'p [Guard] {
        match self.own {
            true => std::slice::from_ref(&all[self.guard as usize]),
            false => all,
        }
    }
}

/// Some keys of a blackboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySet {
    All,
    Some {
        /// A bit for each of the first [`NEAR`] keys of the blackboard.
        near: u64,
        /// The others, sorted.
        far: ThinVec<KeyId>,
    },
}

const NEAR: u32 = u64::BITS;

impl KeySet {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            KeySet::All => false,
            KeySet::Some { near, far } => *near == 0 && far.is_empty(),
        }
    }

    pub(crate) fn add(&mut self, key: KeyId) {
        let KeySet::Some { near, far } = self else {
            return;
        };
        if key.number() < NEAR {
            *near |= 1 << key.number();
        } else if let Err(position) = far.binary_search(&key) {
            far.insert(position, key);
        }
    }

    pub(crate) fn has(&self, key: KeyId) -> bool {
        match self {
            KeySet::All => true,
            KeySet::Some { near, far } if key.number() < NEAR => near & 1 << key.number() != 0,
            KeySet::Some { far, .. } => far.binary_search(&key).is_ok(),
        }
    }

    pub(crate) fn has_any(&self, keys: &[KeyId]) -> bool {
        keys.iter().any(|key| self.has(*key))
    }

    pub(crate) fn join(&mut self, other: &KeySet) {
        match (&mut *self, other) {
            (KeySet::All, _) => {}
            (KeySet::Some { .. }, KeySet::All) => *self = KeySet::All,
            (KeySet::Some { near, .. }, KeySet::Some { near: more, far }) => {
                *near |= more;
                far.iter().for_each(|key| self.add(*key));
            }
        }
    }

    /// Takes all keys out; true if it has memory for others.
    pub(crate) fn clear(&mut self) -> bool {
        match self {
            KeySet::All => false,
            KeySet::Some { near, far } => {
                *near = 0;
                far.clear();
                far.capacity() > 0
            }
        }
    }
}

impl Default for KeySet {
    fn default() -> KeySet {
        KeySet::Some {
            near: 0,
            far: ThinVec::new(),
        }
    }
}

/// The state of an observed guard whose keys may have changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Due {
    #[default]
    No,
    /// Its guards are evaluated when an abort is complete, of which an exit wrote the key.
    Abort,
    /// Its guards are evaluated in the turn of a later poll: they were passed over on entry.
    Later,
    /// Its guards are evaluated in the turn: an event wrote the key.
    Turn,
    /// Its guards are evaluated once all has been done that follows from a guard to the left, of which
    /// there are so many: one may write what another follows.
    Held(u32),
    /// Its guards are evaluated before the walk continues.
    Now,
}

impl Watch {
    /// Returns true if it follows keys, and not only polls.
    pub(crate) fn follows_keys(&self, plan: &Plan) -> bool {
        let guards = self.guards(plan.guards(self.at.node));
        guards.iter().any(|guard| !guard.ask.every)
    }

    /// Returns true if it is evaluated every poll. “Checked in order”: guards behind the one that does not
    /// hold are not reached.
    pub(crate) fn is_polled(&self, plan: &Plan) -> bool {
        self.reaches(plan, |guard| guard.ask.every)
    }

    /// Returns true if it is evaluated in every turn, where those that look at the agent may wait for the host.
    pub(crate) fn looks(&self, plan: &Plan, on_wake: bool) -> bool {
        match on_wake {
            true => self.is_always_polled(plan),
            false => self.is_polled(plan),
        }
    }

    /// Returns true if it is evaluated every poll because its file says so, and not for what it looks at.
    pub(crate) fn is_always_polled(&self, plan: &Plan) -> bool {
        self.reaches(plan, |guard| guard.ask.always)
    }

    fn reaches(&self, plan: &Plan, test: impl Fn(&Guard) -> bool) -> bool {
        let guards = plan.guards(self.at.node);
        let reached = match (self.own, self.last) {
            (true, _) => self.guard..self.guard + 1,
            (false, false) => 0..self.guard + 1,
            (false, true) => 0..guards.len() as u32,
        };
        reached
            .into_iter()
            .any(|number| test(&guards[number as usize]))
    }

    /// Returns true if nothing lets it be evaluated again.
    pub(crate) fn is_idle(&self, plan: &Plan) -> bool {
        self.keys.is_empty() && !self.is_polled(plan)
    }
}
