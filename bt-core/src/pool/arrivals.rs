//! Events for agents; what handles and spawners requested is done, and what of it was refused is reported.

use super::AgentId;
use super::agents::Pool;
use super::buffer::trim;
use super::orders::{Order, Tally};
use crate::{Agent, Event};

impl<A: Agent> Pool<A> {
    /// Sets how many events from [handles](Pool::handle) are kept for each agent until the next round; 1,024 by
    /// default. More are refused: they are [counted](Pool::refused), and a
    /// [diagnostic](crate::Runner::diagnostics) of the agent says so. Events for all agents are kept as often.
    ///
    /// The limit is the host's and is not saved. An agent's own queue has [another](crate::Runner::queue_limit).
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::wait_event, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Carp;
    /// # #[agent]
    /// # impl Carp { #[event] fn crumb(); }
    /// # let mut trees = TreeSet::<Carp>::new();
    /// # trees.add(TreeAsset::build("eat.json", "carp", wait_event("crumb")));
    /// # let mut runner = Runner::new(&trees.build()?, "eat.json")?;
    /// # runner.start();
    /// let mut pond = Pool::new();
    /// pond.set_inbox_limit(10);
    /// let carp = pond.spawn(Carp, runner);
    /// let bridge = pond.handle();
    /// std::thread::spawn(move || (0..1_000).for_each(|_| bridge.fire(carp, Carp::crumb()))).join().unwrap();
    /// pond.poll(Duration::ZERO);
    /// assert_eq!(pond.refused(), 990);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_inbox_limit(&mut self, events: u32) {
        self.orders.set_most(events);
    }

    /// The number of events from [handles](Pool::handle) that were refused because there were [too
    /// many](Pool::set_inbox_limit) for an agent, as of the last round. One for all agents counts once.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Fires an event at an agent, for the next round; whether it is there.
    pub fn fire(&mut self, id: AgentId, event: Event) -> bool {
        let Some(member) = self.member_mut(id) else {
            return self.miss(1);
        };
        member.runner.fire(event);
        if member.runner.next_wake().is_some() {
            self.queue.wake(id);
        }
        true
    }

    /// Fires an event at some agents; how many of them are there.
    pub fn fire_some(&mut self, ids: impl IntoIterator<Item = AgentId>, event: &Event) -> usize {
        let ids = ids.into_iter();
        ids.filter(|id| self.fire(*id, event.clone())).count()
    }

    /// Fires an event at every agent.
    pub fn fire_all(&mut self, event: &Event) {
        for place in 0..self.members.len() as u32 {
            if let Some(id) = self.queue.id_at(place) {
                self.fire(id, event.clone());
            }
        }
    }

    /// The number of events and requests for ids of agents that are not in the pool, as of the last round;
    /// several wakes, and several ends, of an agent between two rounds are one.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Counts what was for nobody.
    pub(super) fn miss(&mut self, more: u64) -> bool {
        self.missed = self.missed.saturating_add(more);
        false
    }

    /// Does what handles and spawners asked for, in the order of arrival.
    pub(super) fn apply_orders(&mut self) {
        let mut orders = std::mem::take(&mut self.spare_orders);
        let tally = self.orders.take(&mut orders);
        let count = orders.len();
        orders.drain(..).for_each(|order| self.apply(order));
        trim(&mut orders, count);
        self.spare_orders = orders;
        self.note(tally);
        let mut born = std::mem::take(&mut self.spare_born);
        self.born.swap(&mut born);
        let count = born.len();
        for (agent, runner) in born.drain(..) {
            self.spawn(agent, runner);
        }
        trim(&mut born, count);
        self.spare_born = born;
    }

    fn apply(&mut self, order: Order) {
        match order {
            Order::Fire(id, event) => {
                self.fire(id, event);
            }
            Order::FireSome(ids, event) => {
                self.fire_some(ids, &event);
            }
            Order::FireAll(event) => self.fire_all(&event),
            Order::Wake(id) => {
                if !self.queue.wake(id) {
                    self.miss(1);
                }
            }
            Order::Despawn(id) => {
                if !(self.queue.end(id) && self.queue.wake(id)) {
                    self.miss(1);
                }
            }
        }
    }

    /// Counts what was not kept, and reports it to whom it was for.
    fn note(&mut self, tally: Tally) {
        self.miss(tally.missed);
        self.refused = self.refused.saturating_add(tally.refused_of_gone);
        if tally.refused.is_empty() && tally.refused_for_all == 0 {
            return;
        }
        let most = self.orders.most();
        for (id, events) in tally.refused {
            self.refused = self.refused.saturating_add(events);
            if let Some(member) = self.member_mut(id) {
                member.runner.report_refused(events, most);
            }
        }
        if tally.refused_for_all > 0 {
            self.refused = self.refused.saturating_add(tally.refused_for_all);
            let members = self.members.iter_mut().flatten();
            members.for_each(|member| member.runner.report_refused(tally.refused_for_all, most));
        }
    }
}
