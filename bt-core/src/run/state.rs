//! What nodes remember: while they are active, and beyond.

use thin_vec::ThinVec;

use super::at::At;
use super::core::{Cold, Core};
use super::kinds::{self, Slot};

/// What an active node remembers.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) at: At,
    pub(crate) data: kinds::State,
}

/// A retained counter, which outlives a node's exits: one for each agent and node.
#[derive(Debug)]
pub(crate) struct Retained {
    pub(crate) node: u32,
    pub(crate) data: kinds::Retained,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<State>() <= 48 && size_of::<Retained>() <= 16,
    "there are many: box what is large"
);

impl Cold {
    /// Notes whether a child's guards did not hold when its parent was left.
    pub(crate) fn set_unheld(&mut self, node: u32, unheld: bool) {
        match (self.unheld.binary_search(&node), unheld) {
            (Err(position), true) => self.unheld.insert(position, node),
            (Ok(position), false) => drop(self.unheld.remove(position)),
            _ => {}
        }
    }
}

impl Core {
    fn state_position(&self, at: At) -> Result<usize, usize> {
        match &self.cold {
            Some(cold) => cold.states.binary_search_by_key(&at, |state| state.at),
            None => Err(0),
        }
    }

    /// The state of a node of a kind.
    pub(crate) fn state<K: Slot>(&self, at: At) -> Option<&K::State> {
        let position = self.state_position(at).ok()?;
        K::state(&self.cold.as_ref()?.states[position].data)
    }

    pub(crate) fn state_mut<K: Slot>(&mut self, at: At) -> Option<&mut K::State> {
        let position = self.state_position(at).ok()?;
        K::state_mut(&mut self.cold.as_mut()?.states[position].data)
    }

    /// Whether a node has a state.
    pub(crate) fn has_state(&self, at: At) -> bool {
        self.state_position(at).is_ok()
    }

    pub(crate) fn set_state<K: Slot>(&mut self, at: At, state: K::State) {
        let data = K::of_state(state);
        match self.state_position(at) {
            Ok(position) => self.cold().states[position].data = data,
            Err(position) => self.cold().states.insert(position, State { at, data }),
        }
    }

    pub(crate) fn clear_state(&mut self, at: At) {
        if let Ok(position) = self.state_position(at) {
            let cold = self.cold();
            cold.states.remove(position).data.recycle(&mut cold.orders);
        }
    }

    /// An empty list for the order of a random composite.
    pub(crate) fn spare_order(&mut self) -> ThinVec<u32> {
        self.cold().orders.pop().unwrap_or_default()
    }

    /// The retained counter of a node of a kind.
    pub(crate) fn retained<K: Slot<Retained: Copy>>(&self, node: u32) -> Option<K::Retained> {
        let all = &self.cold.as_ref()?.kept;
        let position = all.binary_search_by_key(&node, |found| found.node).ok()?;
        K::retained(&all[position].data).copied()
    }

    pub(crate) fn retain<K: Slot>(&mut self, node: u32, retained: K::Retained) {
        let data = K::of_retained(retained);
        let all = &mut self.cold().kept;
        match all.binary_search_by_key(&node, |found| found.node) {
            Ok(position) => all[position].data = data,
            Err(position) => all.insert(position, Retained { node, data }),
        }
    }

    /// Forgets the retained counter of a node.
    pub(crate) fn forget(&mut self, node: u32) {
        if let Some(cold) = &mut self.cold {
            cold.kept.retain(|found| found.node != node);
        }
    }
}
