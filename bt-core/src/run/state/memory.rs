//! The state of nodes: while they are active, and beyond.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use crate::kinds::{self, Slot, Spare};
use crate::run::node_ref::At;
use crate::run::plain::Renumber;

/// The state of an active node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State<D = kinds::State> {
    at: At,
    /// In a saved agent the name of its form, and what its kind says under that.
    #[serde(rename = "is")]
    data: D,
}

impl<D> State<D> {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber, E>(&self, to: &X, data: E) -> Result<State<E>, X::Error> {
        Ok(State {
            at: to.place(self.at)?,
            data,
        })
    }

    pub(crate) fn at(&self) -> At {
        self.at
    }

    pub(crate) fn data(&self) -> &D {
        &self.data
    }
}

/// The states of active nodes.
#[derive(Debug, Default)]
pub(crate) struct States {
    /// Sorted by place.
    all: ThinVec<State>,
    /// Lists of states that are gone.
    spare: Spare,
}

impl States {
    /// The place of one of which there are two, if there is such a one.
    pub(crate) fn new(mut all: ThinVec<State>) -> Result<States, At> {
        all.sort_unstable_by_key(|state| state.at);
        match all.windows(2).find(|two| two[0].at == two[1].at) {
            Some(twice) => Err(twice[0].at),
            None => Ok(States {
                all,
                spare: Spare::default(),
            }),
        }
    }

    fn position(&self, at: At) -> Result<usize, usize> {
        self.all.binary_search_by_key(&at, |state| state.at)
    }

    pub(crate) fn has(&self, at: At) -> bool {
        self.position(at).is_ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &State> {
        self.all.iter()
    }

    /// The state of a node.
    pub(crate) fn of(&self, at: At) -> Option<&kinds::State> {
        Some(&self.all[self.position(at).ok()?].data)
    }

    /// A node had no turn in so many polls more.
    pub(crate) fn skip_polls(&mut self, at: At, polls: u32) {
        if let Ok(position) = self.position(at) {
            self.all[position].data.skip_polls(polls);
        }
    }

    /// The nodes are those of changed trees now: where a state is, if it stays.
    pub(crate) fn carry(&mut self, mut to: impl FnMut(At, &mut kinds::State) -> Option<At>) {
        self.all
            .retain_mut(|state| match to(state.at, &mut state.data) {
                Some(at) => {
                    state.at = at;
                    true
                }
                None => false,
            });
        self.all.sort_unstable_by_key(|state| state.at);
    }

    /// The state of a node of a kind.
    pub(crate) fn get<K: Slot>(&self, at: At) -> Option<&K::State> {
        K::state(self.of(at)?)
    }

    pub(crate) fn get_mut<K: Slot>(&mut self, at: At) -> Option<&mut K::State> {
        let position = self.position(at).ok()?;
        K::state_mut(&mut self.all[position].data)
    }

    pub(crate) fn set<K: Slot>(&mut self, at: At, state: K::State) {
        let data = K::of_state(state);
        match self.position(at) {
            Ok(position) => self.all[position].data = data,
            Err(position) => self.all.insert(position, State { at, data }),
        }
    }

    pub(crate) fn clear(&mut self, at: At) {
        if let Ok(position) = self.position(at) {
            self.all.remove(position).data.recycle(&mut self.spare);
        }
    }

    /// An empty list.
    pub(crate) fn spare(&mut self) -> ThinVec<u32> {
        self.spare.pop().unwrap_or_default()
    }
}

/// The retained counter of a node.
#[derive(Debug)]
pub(crate) struct Retained {
    node: u32,
    data: kinds::Retained,
}

impl Retained {
    pub(crate) fn new(node: u32, data: kinds::Retained) -> Retained {
        Retained { node, data }
    }

    pub(crate) fn node(&self) -> u32 {
        self.node
    }

    pub(crate) fn data(&self) -> &kinds::Retained {
        &self.data
    }
}

/// The retained counters, which outlive nodes' exits: one for each agent and node.
#[derive(Debug, Default)]
pub(crate) struct RetainedCounters {
    /// Sorted by node.
    all: ThinVec<Retained>,
}

impl RetainedCounters {
    /// The node that has two of them, if there is such a one.
    pub(crate) fn new(mut all: ThinVec<Retained>) -> Result<RetainedCounters, u32> {
        all.sort_unstable_by_key(|found| found.node);
        match all.windows(2).find(|two| two[0].node == two[1].node) {
            Some(twice) => Err(twice[0].node),
            None => Ok(RetainedCounters { all }),
        }
    }

    /// The nodes are those of changed trees now: where a counter is, if it stays.
    pub(crate) fn carry(&mut self, mut to: impl FnMut(u32, &mut kinds::Retained) -> Option<u32>) {
        self.all
            .retain_mut(|found| match to(found.node, &mut found.data) {
                Some(node) => {
                    found.node = node;
                    true
                }
                None => false,
            });
        self.all.sort_unstable_by_key(|found| found.node);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Retained> {
        self.all.iter()
    }

    fn position(&self, node: u32) -> Result<usize, usize> {
        self.all.binary_search_by_key(&node, |found| found.node)
    }

    /// That of a node of a kind.
    pub(crate) fn get<K: Slot<Retained: Copy>>(&self, node: u32) -> Option<K::Retained> {
        let position = self.position(node).ok()?;
        K::retained(&self.all[position].data).copied()
    }

    pub(crate) fn set<K: Slot>(&mut self, node: u32, retained: K::Retained) {
        let data = K::of_retained(retained);
        match self.position(node) {
            Ok(position) => self.all[position].data = data,
            Err(position) => self.all.insert(position, Retained { node, data }),
        }
    }

    pub(crate) fn forget(&mut self, node: u32) {
        self.all.retain(|found| found.node != node);
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<State>() <= 48 && size_of::<Retained>() <= 16,
    "there are many: box what is large"
);
