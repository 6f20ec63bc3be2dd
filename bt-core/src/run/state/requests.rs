//! Requests about the whole tree: one at a time.

use serde_json::Value;
use thin_vec::ThinVec;

use crate::run::node_ref::{At, NOWHERE};

/// A request of an action, or of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Stop,
    /// True if the blackboard is cleared, too.
    Reset(bool),
    /// The number of the tree.
    Load(u32),
}

/// The request that is pending, and what goes with one that is applied.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// With who requested it.
    pending: Option<(Request, At)>,
    /// The arguments of a tree that is to start once the current one is gone.
    handed: ThinVec<Value>,
    /// It was started while it was being stopped.
    starts_again: bool,
    /// The tree is being aborted for the host: what its exit methods request does not count.
    host_applies: bool,
}

impl Requests {
    /// Notes what a node requested; the host, if that is nowhere. “The host's requests outrank the
    /// tree's own; among equals the later counts.”
    pub(crate) fn note(&mut self, by: At, request: Request) {
        let outranked = |(_, pending): (Request, At)| pending == NOWHERE && by != NOWHERE;
        if !self.pending.is_some_and(outranked) {
            self.pending = Some((request, by));
        }
    }

    pub(crate) fn pending(&self) -> Option<Request> {
        self.pending.map(|(request, _)| request)
    }

    /// The trees are others now; whether what is pending can still be done.
    pub(crate) fn carry(&mut self, tree: impl Fn(u32) -> Option<u32>) -> bool {
        let Some((Request::Load(old), _)) = &mut self.pending else {
            return true;
        };
        match tree(*old) {
            Some(now) => *old = now,
            None => self.pending = None,
        }
        self.pending.is_some()
    }

    pub(crate) fn take(&mut self) -> Option<(Request, At)> {
        self.pending.take()
    }

    /// Keeps the arguments of a tree that is to start.
    pub(crate) fn hand_over(&mut self, values: ThinVec<Value>) {
        self.handed = values;
    }

    pub(crate) fn handed(&self) -> &[Value] {
        &self.handed
    }

    pub(crate) fn take_handed(&mut self) -> ThinVec<Value> {
        std::mem::take(&mut self.handed)
    }

    pub(crate) fn starts_again(&self) -> bool {
        self.starts_again
    }

    pub(crate) fn set_starts_again(&mut self, again: bool) {
        self.starts_again = again;
    }

    pub(crate) fn host_applies(&self) -> bool {
        self.host_applies
    }

    pub(crate) fn set_host_applies(&mut self, applies: bool) {
        self.host_applies = applies;
    }
}
