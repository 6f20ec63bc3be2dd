//! A tree that an event suspended.

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::delivery::Delivery;
use super::entry::Entry;
use super::leaving::Leaving;
use super::watch::Watch;
use crate::run::node_ref::At;

/// A tree that an event suspended where it stands.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) root: u32,
    pub(crate) base: u32,
    pub(crate) began: u32,
    pub(crate) turns: u32,
    pub(crate) entries: SmallVec<[Entry; 1]>,
    pub(crate) watches: ThinVec<Watch>,
    pub(crate) leaving: ThinVec<Leaving>,
    /// Arrivals for it meanwhile.
    pub(crate) held: ThinVec<Delivery>,
    /// The cause of the suspension.
    pub(crate) why: Option<Suspension>,
}

/// The cause of a tree's suspension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suspension {
    /// The node that took the event.
    pub(crate) by: At,
    /// The event's number.
    pub(crate) event: u32,
    /// Since when, in nanoseconds.
    pub(crate) since: u64,
}
