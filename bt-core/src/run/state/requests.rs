//! Requests about the whole tree: one at a time.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use crate::decode::is_default;
use crate::run::node_ref::{At, NOWHERE};

/// A request of an action, or of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request<T = u32> {
    Stop,
    /// True if the blackboard is cleared, too.
    Reset(bool),
    /// The number of the tree; in a saved agent its name.
    Load(T),
    /// The same after a reset of all that the agent remembers.
    Afresh(T),
}

impl<T> Request<T> {
    /// The same, elsewhere.
    pub(crate) fn map<U, E>(&self, tree: impl FnOnce(&T) -> Result<U, E>) -> Result<Request<U>, E> {
        Ok(match self {
            Request::Stop => Request::Stop,
            Request::Reset(clear) => Request::Reset(*clear),
            Request::Load(of) => Request::Load(tree(of)?),
            Request::Afresh(of) => Request::Afresh(tree(of)?),
        })
    }
}

/// The request that is pending, and what goes with one that is applied.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "P: Serialize + Default + PartialEq")
)]
pub(crate) struct Requests<P = Option<(Request, At)>> {
    /// With who requested it; in a saved agent it is the host's.
    #[serde(rename = "request", default, skip_serializing_if = "is_default")]
    pending: P,
    /// The arguments of a tree that is to start once the current one is gone; an event's parameters for keys of its
    /// tree are one object.
    #[serde(default, skip_serializing_if = "is_default")]
    handed: ThinVec<Value>,
    /// It was started while it was being stopped.
    #[serde(default, skip_serializing_if = "is_default")]
    starts_again: bool,
    /// The tree is being aborted for the host: what its exit methods request does not count.
    #[serde(skip)]
    host_applies: bool,
}

/// Those of a saved agent.
pub(crate) type SavedRequests = Requests<Option<Request<String>>>;

impl<P> Requests<P> {
    /// The same elsewhere, where another request is pending; values are handed over if a tree is to start.
    pub(crate) fn with<Q>(&self, hands: bool, pending: Q) -> Requests<Q> {
        let handed = hands.then(|| self.handed.clone());
        Requests {
            pending,
            handed: handed.unwrap_or_default(),
            starts_again: self.starts_again,
            host_applies: false,
        }
    }

    pub(crate) fn starts_again(&self) -> bool {
        self.starts_again
    }
}

impl SavedRequests {
    pub(crate) fn saved(&self) -> Option<&Request<String>> {
        self.pending.as_ref()
    }
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

    /// The trees are others now: what cannot be done with them is dropped.
    pub(crate) fn carry(&mut self, tree: impl Fn(u32) -> Option<u32>) {
        let moved = |(request, by): (Request, At)| {
            let moved = request.map(|of| tree(*of).ok_or(()));
            Some((moved.ok()?, by))
        };
        self.pending = self.pending.and_then(moved);
    }

    pub(crate) fn take(&mut self) -> Option<(Request, At)> {
        self.pending.take()
    }

    /// Keeps the arguments of a tree that is to start.
    pub(crate) fn hand_over(&mut self, values: ThinVec<Value>) {
        self.handed = values;
    }

    pub(crate) fn take_handed(&mut self) -> ThinVec<Value> {
        std::mem::take(&mut self.handed)
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
