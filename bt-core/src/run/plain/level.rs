//! A tree that an event suspended.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::delivery::{Delivery, SavedDelivery};
use super::entry::{Entry, SavedEntry};
use super::leaving::{Leaving, SavedLeaving};
use super::renumber::Renumber;
use super::watch::{SavedWatch, Watch};
use crate::decode::is_default;
use crate::run::node_ref::At;
use crate::tree::plan::NONE;

/// A tree that an event suspended where it stands: entries, observed guards, aborts, and what came meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        serialize = "E: Serialize + Default + PartialEq, W: Serialize + Default + PartialEq,
                     L: Serialize + Default + PartialEq, D: Serialize + Default + PartialEq"
    )
)]
pub(crate) struct Level<
    E = SmallVec<[Entry; 1]>,
    W = ThinVec<Watch>,
    L = ThinVec<Leaving>,
    D = ThinVec<Delivery>,
> {
    #[serde(skip)]
    pub(crate) root: u32,
    #[serde(skip)]
    pub(crate) base: u32,
    /// The number of the poll in which its root was entered; [`NONE`] for none.
    #[serde(default = "none", skip_serializing_if = "is_none")]
    pub(crate) began: u32,
    #[serde(skip)]
    pub(crate) turns: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) entries: E,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) watches: W,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) leaving: L,
    /// Arrivals for it while it, or a part of it, was closed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) held: D,
    /// The cause of the suspension.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) why: Option<Suspension>,
}

/// One of a saved agent. The last one is the current tree.
pub(crate) type SavedLevel =
    Level<Vec<SavedEntry>, Vec<SavedWatch>, Vec<SavedLeaving>, Vec<SavedDelivery>>;

/// One that is looked at, be it suspended or the current one.
pub(crate) type Stage<'a> = Level<&'a [Entry], &'a [Watch], &'a [Leaving], &'a [Delivery]>;

impl<E, W, L, D> Level<E, W, L, D> {
    /// The same with other lists.
    pub(crate) fn with<F, V, M, C>(
        &self,
        why: Option<Suspension>,
        entries: F,
        watches: V,
        leaving: M,
        held: C,
    ) -> Level<F, V, M, C> {
        Level {
            root: self.root,
            base: self.base,
            began: self.began,
            turns: self.turns,
            entries,
            watches,
            leaving,
            held,
            why,
        }
    }
}

impl Level {
    pub(crate) fn stage(&self) -> Stage<'_> {
        let (entries, watches) = (&self.entries, &self.watches);
        self.with(self.why, entries, watches, &self.leaving, &self.held)
    }
}

fn none() -> u32 {
    NONE
}

fn is_none(poll: &u32) -> bool {
    *poll == NONE
}

/// The cause of a tree's suspension.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "(At, u32, u64)", into = "(At, u32, u64)")]
pub(crate) struct Suspension {
    /// The node that took the event.
    pub(crate) by: At,
    /// The event's number.
    pub(crate) event: u32,
    /// Since when, in nanoseconds; how long ago, until a restored agent knows the clock.
    pub(crate) since: u64,
}

impl Suspension {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber>(&self, to: &X) -> Result<Suspension, X::Error> {
        Ok(Suspension {
            by: to.place(self.by)?,
            event: to.event(self.by, self.event)?,
            since: to.since(self.since),
        })
    }
}

impl From<(At, u32, u64)> for Suspension {
    fn from((by, event, since): (At, u32, u64)) -> Suspension {
        Suspension { by, event, since }
    }
}

impl From<Suspension> for (At, u32, u64) {
    fn from(why: Suspension) -> (At, u32, u64) {
        (why.by, why.event, why.since)
    }
}
