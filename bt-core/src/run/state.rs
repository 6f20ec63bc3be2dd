//! What nodes remember: while they are active, and beyond.

use thin_vec::ThinVec;

use super::at::At;
use super::core::{Cold, Core};
use super::entries::Order;
use super::watch::KeySet;

/// What an active node remembers.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) at: At,
    pub(crate) data: Data,
}

/// By the kind of the node.
#[derive(Debug)]
pub(crate) enum Data {
    /// How often, and the number of the poll in which the last one began.
    Count {
        done: u32,
        began: u32,
    },
    /// The order of the children of a random composite, and how many of them ended.
    Order {
        order: ThinVec<u32>,
        done: u32,
    },
    Parallel(Children),
    /// The child of a reactive node that runs.
    Reactive {
        running: u32,
    },
    /// The number of an activation.
    Since {
        order: Order,
    },
}

/// How the children of a parallel stand.
#[derive(Debug, Default)]
pub(crate) struct Children {
    pub(crate) succeeded: u32,
    pub(crate) failed: u32,
    /// The one that is entered, while they are.
    pub(crate) entering: Option<u32>,
    pub(crate) decided: Option<bool>,
    /// The last child, by its place, that ended in this pass, and how.
    pub(crate) ended: Option<(u32, bool)>,
    /// The poll in which the ends were counted.
    pub(crate) counted: u32,
}

impl Children {
    /// Forgets the ends of earlier polls.
    pub(crate) fn count_anew(&mut self, poll: u32) {
        if self.counted != poll {
            self.succeeded = 0;
            self.failed = 0;
            self.counted = poll;
        }
    }
}

/// What a node remembers over its ends: one for each agent and node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) node: u32,
    /// A count, a child, a result: by the kind of the node.
    pub(crate) value: u64,
}

impl Cold {
    /// Notes whether a child's guards did not hold when its parent was left.
    pub(crate) fn set_unheld(&mut self, node: u32, unheld: bool) {
        match (self.unheld.binary_search(&node), unheld) {
            (Err(position), true) => self.unheld.insert(position, node),
            (Ok(position), false) => drop(self.unheld.remove(position)),
            _ => {}
        }
    }

    /// Notes which keys a child's guards follow, for when their parent passes over it.
    pub(crate) fn set_followed(&mut self, node: u32, keys: KeySet) {
        match self.followed.binary_search_by_key(&node, |(node, _)| *node) {
            Ok(position) => self.followed[position].1 = keys,
            Err(position) => self.followed.insert(position, (node, keys)),
        }
    }

    /// The keys that a child's guards follow; in a restored agent any that is observed.
    pub(crate) fn followed(&self, node: u32) -> KeySet {
        let found = self.followed.binary_search_by_key(&node, |(node, _)| *node);
        found.map_or(KeySet::ALL, |position| self.followed[position].1)
    }
}

impl Core {
    pub(super) fn state_position(&self, at: At) -> Result<usize, usize> {
        match &self.cold {
            Some(cold) => cold.states.binary_search_by_key(&at, |state| state.at),
            None => Err(0),
        }
    }

    pub(crate) fn state(&mut self, at: At) -> Option<&mut Data> {
        let position = self.state_position(at).ok()?;
        Some(&mut self.cold.as_mut()?.states[position].data)
    }

    pub(crate) fn set_state(&mut self, at: At, data: Data) {
        match self.state_position(at) {
            Ok(position) => self.cold().states[position].data = data,
            Err(position) => self.cold().states.insert(position, State { at, data }),
        }
    }

    pub(crate) fn clear_state(&mut self, at: At) {
        if let Ok(position) = self.state_position(at) {
            let cold = self.cold();
            if let Data::Order { mut order, .. } = cold.states.remove(position).data {
                order.clear();
                cold.orders.push(order);
            }
        }
    }

    /// An empty list for the order of a random composite.
    pub(crate) fn spare_order(&mut self) -> ThinVec<u32> {
        self.cold().orders.pop().unwrap_or_default()
    }

    /// The number of an activation.
    pub(crate) fn since(&mut self, at: At) -> Option<Order> {
        match self.state(at) {
            Some(Data::Since { order }) => Some(*order),
            _ => None,
        }
    }

    pub(crate) fn kept(&self, node: u32) -> Option<u64> {
        let kept = &self.cold.as_ref()?.kept;
        let position = kept.binary_search_by_key(&node, |kept| kept.node).ok()?;
        Some(kept[position].value)
    }

    pub(crate) fn keep(&mut self, node: u32, value: u64) {
        let kept = &mut self.cold().kept;
        match kept.binary_search_by_key(&node, |kept| kept.node) {
            Ok(position) => kept[position].value = value,
            Err(position) => kept.insert(position, Kept { node, value }),
        }
    }

    pub(crate) fn forget(&mut self, node: u32) {
        if let Some(cold) = &mut self.cold {
            cold.kept.retain(|kept| kept.node != node);
        }
    }
}
