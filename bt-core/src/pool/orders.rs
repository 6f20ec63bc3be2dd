//! The requests of handles to a pool, until its next round: so much for each agent.

use rustc_hash::FxHashMap;

use super::AgentId;
use super::buffer::ROOM;
use super::letterbox::Close;
use crate::Event;
use crate::sync::{Mutex, lock};

/// The number of events from handles that are kept for an agent unless the pool says otherwise.
const MOST: u32 = 1024;

/// The number of other requests for one place that are kept beside its events: an honest one has a wake and
/// an end.
const OTHERS: u32 = 16;

/// A request to a pool.
pub(super) enum Order {
    Fire(AgentId, Event),
    FireSome(Vec<AgentId>, Event),
    FireAll(Event),
    Wake(AgentId),
    Despawn(AgentId),
}

/// The requests since the last round, in the order of arrival.
///
/// Any thread adds to them, so they are bounded: for each agent there is one wake, one end, and so many events.
#[derive(Default)]
pub(super) struct Orders(Mutex<Inside>);

struct Inside {
    orders: Vec<Order>,
    /// The shares of those that have a place, by its number.
    shares: FxHashMap<u32, Share>,
    /// The number of events for every agent.
    for_all: u32,
    most: u32,
    /// The number of places that the pool has: what is for others is for nobody.
    places: u32,
    tally: Tally,
}

impl Default for Inside {
    fn default() -> Inside {
        Inside {
            orders: Vec::new(),
            shares: FxHashMap::default(),
            for_all: 0,
            most: MOST,
            places: 0,
            tally: Tally::default(),
        }
    }
}

/// The share of whoever has a place.
struct Share {
    /// The agent, of those that had the place.
    id: AgentId,
    /// The number of requests that are kept for the place.
    kept: u32,
    is_woken: bool,
    ends: bool,
    refused: u64,
}

/// The count of what was not kept.
#[derive(Default)]
pub(super) struct Tally {
    /// The number of requests that were for ids that nobody has.
    pub(super) missed: u64,
    /// Events for agents that had too many, with how many of each those were.
    pub(super) refused: Vec<(AgentId, u64)>,
    /// Those for every agent.
    pub(super) refused_for_all: u64,
    /// Those for agents that have gone since.
    pub(super) refused_of_gone: u64,
}

impl Inside {
    /// The share of an agent; none if it is certain that nobody has that id.
    fn share(&mut self, id: AgentId) -> Option<&mut Share> {
        let new = |kept| Share {
            id,
            kept,
            is_woken: false,
            ends: false,
            refused: 0,
        };
        let is_place = id.index() < self.places;
        let share = is_place.then(|| self.shares.entry(id.index()).or_insert_with(|| new(0)));
        let share = share.filter(|share| share.id <= id);
        let Some(share) = share else {
            self.tally.missed += 1;
            return None;
        };
        if share.id < id {
            // Whoever had the place has gone; what is kept for the place still counts.
            let before = std::mem::replace(share, new(share.kept));
            self.tally.refused_of_gone += before.refused;
        }
        Some(share)
    }

    /// Returns true if an event for an agent is kept.
    fn takes_event(&mut self, id: AgentId) -> bool {
        let most = self.most;
        let Some(share) = self.share(id) else {
            return false;
        };
        let takes = share.kept < most;
        share.kept += u32::from(takes);
        share.refused += u64::from(!takes);
        takes
    }

    /// Returns true if an order is one that its agent does not have yet, by a mark in its share.
    fn takes_once(&mut self, id: AgentId, mark: fn(&mut Share) -> &mut bool) -> bool {
        let most = self.most.saturating_add(OTHERS);
        let Some(share) = self.share(id) else {
            return false;
        };
        let takes = !std::mem::replace(mark(share), true) && share.kept < most;
        share.kept += u32::from(takes);
        takes
    }
}

impl Orders {
    /// Adds an event for an agent; whether it is kept.
    pub(super) fn fire(&self, id: AgentId, event: Event) -> bool {
        let inside = &mut *lock(&self.0);
        let takes = inside.takes_event(id);
        inside
            .orders
            .extend(takes.then_some(Order::Fire(id, event)));
        takes
    }

    /// Adds an event for some agents; whether it is kept for one of them.
    pub(super) fn fire_some(&self, mut ids: Vec<AgentId>, event: Event) -> bool {
        let inside = &mut *lock(&self.0);
        ids.retain(|id| inside.takes_event(*id));
        let takes = !ids.is_empty();
        let order = takes.then_some(Order::FireSome(ids, event));
        inside.orders.extend(order);
        takes
    }

    /// Adds an event for every agent; whether it is kept.
    pub(super) fn fire_all(&self, event: Event) -> bool {
        let inside = &mut *lock(&self.0);
        let takes = inside.for_all < inside.most;
        inside.for_all += u32::from(takes);
        inside.tally.refused_for_all += u64::from(!takes);
        inside.orders.extend(takes.then_some(Order::FireAll(event)));
        takes
    }

    /// Makes an agent due; whether it was not yet.
    pub(super) fn wake(&self, id: AgentId) -> bool {
        let inside = &mut *lock(&self.0);
        let takes = inside.takes_once(id, |share| &mut share.is_woken);
        inside.orders.extend(takes.then_some(Order::Wake(id)));
        takes
    }

    /// Ends an agent; whether it was not to end yet.
    pub(super) fn despawn(&self, id: AgentId) -> bool {
        let inside = &mut *lock(&self.0);
        let takes = inside.takes_once(id, |share| &mut share.ends);
        inside.orders.extend(takes.then_some(Order::Despawn(id)));
        takes
    }

    pub(super) fn set_most(&self, most: u32) {
        lock(&self.0).most = most;
    }

    pub(super) fn most(&self) -> u32 {
        lock(&self.0).most
    }

    /// The pool has so many places now.
    pub(super) fn reach(&self, places: u32) {
        lock(&self.0).places = places;
    }

    /// Takes all there is, and lends an empty list for what comes.
    pub(super) fn take(&self, orders: &mut Vec<Order>) -> Tally {
        let inside = &mut *lock(&self.0);
        std::mem::swap(&mut inside.orders, orders);
        inside.for_all = 0;
        let mut tally = std::mem::take(&mut inside.tally);
        let count = inside.shares.len();
        let shares = inside.shares.drain().map(|(_, share)| share);
        let refused = shares.filter(|share| share.refused > 0);
        tally
            .refused
            .extend(refused.map(|share| (share.id, share.refused)));
        // A table is in no order.
        tally.refused.sort_unstable();
        inside.shares.shrink_to(count.max(ROOM));
        tally
    }
}

impl Close for Orders {
    fn close(&self) {
        let inside = &mut *lock(&self.0);
        // Nobody is there any more.
        (inside.places, inside.most) = (0, 0);
        let orders = std::mem::take(&mut inside.orders);
        inside.shares = FxHashMap::default();
        drop(orders);
    }
}
