//! The places where a walk continues, and the work that remains in the pass.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{Order, Renumber};
use crate::tree::plan::NONE;

/// Something to do once what was entered before blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(At, Option<u32>)", into = "(At, Option<u32>)")]
pub(crate) struct Continuation {
    at: At,
    child: u32,
}

impl From<(At, Option<u32>)> for Continuation {
    fn from((at, child): (At, Option<u32>)) -> Continuation {
        let child = child.unwrap_or(NONE);
        Continuation { at, child }
    }
}

impl From<Continuation> for (At, Option<u32>) {
    fn from(next: Continuation) -> (At, Option<u32>) {
        (next.at, (next.child != NONE).then_some(next.child))
    }
}

impl Continuation {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber>(&self, to: &X) -> Result<Continuation, X::Error> {
        Ok(Continuation {
            at: to.place(self.at)?,
            child: match self.child {
                NONE => NONE,
                child => to.child(self.at, child)?,
            },
        })
    }

    /// A composite that has more to do, or a node at which the walk was parked;
    /// [`NOWHERE`](crate::run::node_ref::NOWHERE) for the guards that are still to react.
    pub(crate) fn at(&self) -> At {
        self.at
    }

    /// The child that was entered; [`NONE`](crate::tree::plan::NONE) where the walk was parked.
    pub(crate) fn child(&self) -> u32 {
        self.child
    }
}

/// The places where a walk continues, and the nodes that are still to decide or to end.
#[derive(Debug)]
pub(crate) struct Continuations {
    /// The next one last.
    all: ThinVec<Continuation>,
    /// Nodes that decide when everything below them has been done in this pass.
    deciding: ThinVec<At>,
    /// The timeout whose polled actions are called a last time; [`NOWHERE`] mostly.
    deadline: At,
    /// The orders of the entries that the delivery in hand is still to end.
    ending: ThinVec<Order>,
}

impl Default for Continuations {
    fn default() -> Continuations {
        Continuations {
            all: ThinVec::new(),
            deciding: ThinVec::new(),
            deadline: NOWHERE,
            ending: ThinVec::new(),
        }
    }
}

impl Continuations {
    pub(crate) fn push(&mut self, at: At, child: u32) {
        self.all.push(Continuation { at, child });
    }

    pub(crate) fn all(&self) -> &[Continuation] {
        &self.all
    }

    pub(crate) fn take(&mut self, position: usize) -> Continuation {
        self.all.remove(position)
    }

    /// Drops those of a place.
    pub(crate) fn clear(&mut self, at: At) {
        self.all.retain(|next| next.at != at);
    }

    /// From how many guards something follows, before those to the right react.
    pub(crate) fn reactions(&self) -> u32 {
        let all = self.all.iter().filter(|next| next.at == NOWHERE);
        all.count() as u32
    }

    /// Drops the last one of a place.
    pub(crate) fn drop_last(&mut self, at: At) {
        if let Some(last) = self.all.iter().rposition(|next| next.at == at) {
            self.all.remove(last);
        }
    }

    /// Drops those of places, and who decides there, that do not pass the test.
    pub(crate) fn retain(&mut self, test: impl Fn(At) -> bool) {
        self.all.retain(|next| test(next.at));
        self.deciding.retain(|at| test(*at));
    }

    /// The nodes are those of changed trees now.
    pub(crate) fn carry(&mut self, to: &impl Renumber) {
        self.all.retain_mut(|next| match next.map(to) {
            Ok(now) => {
                *next = now;
                true
            }
            Err(_) => next.at == NOWHERE,
        });
        let deciding = self.deciding.iter();
        self.deciding = deciding.filter_map(|at| to.place(*at).ok()).collect();
    }

    /// Lets a node decide when everything below it has been done in this pass.
    pub(crate) fn decide(&mut self, at: At) {
        if !self.deciding.contains(&at) {
            self.deciding.push(at);
        }
    }

    pub(crate) fn deciding(&self) -> &[At] {
        &self.deciding
    }

    pub(crate) fn take_deciding(&mut self, position: usize) -> At {
        self.deciding.remove(position)
    }

    /// Lets only those decide that pass the test.
    pub(crate) fn retain_deciding(&mut self, test: impl Fn(At) -> bool) {
        self.deciding.retain(|at| test(*at));
    }

    pub(crate) fn deadline(&self) -> Option<At> {
        (self.deadline != NOWHERE).then_some(self.deadline)
    }

    pub(crate) fn set_deadline(&mut self, timeout: Option<At>) {
        self.deadline = timeout.unwrap_or(NOWHERE);
    }

    /// The delivery in hand is to end these entries.
    pub(crate) fn begin_ending(&mut self, orders: impl Iterator<Item = Order>) {
        self.ending = orders.collect();
    }

    /// It ends that one now.
    pub(crate) fn end(&mut self, order: Order) {
        self.ending.retain(|other| *other != order);
    }

    pub(crate) fn is_ending(&self, order: Order) -> bool {
        self.ending.contains(&order)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.deciding.is_empty()
    }
}
