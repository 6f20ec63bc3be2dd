//! Arrivals for an agent that are not delivered yet.

use std::collections::VecDeque;

use thin_vec::ThinVec;

use crate::Event;
use crate::run::node_ref::At;
use crate::run::plain::Delivery;

/// The number of events that are queued at most unless the runner says otherwise.
const MOST: u32 = 1024;

/// Arrivals for an agent.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    queue: VecDeque<Delivery>,
    /// The number of events at most, where the runner says so.
    limit: Option<u32>,
    /// Arrivals for a closed part of the tree.
    held: ThinVec<Delivery>,
    /// Events that nobody took, for whoever waits next: by the event's number.
    latched: ThinVec<(u32, Event)>,
}

impl Inbox {
    pub(crate) fn push(&mut self, delivery: Delivery) {
        self.queue.push_back(delivery);
    }

    pub(crate) fn pop(&mut self) -> Option<Delivery> {
        self.queue.pop_front()
    }

    /// The deliveries of the next poll.
    pub(crate) fn queue(&self) -> impl Iterator<Item = &Delivery> {
        self.queue.iter()
    }

    pub(crate) fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    pub(crate) fn take_queue(&mut self) -> impl Iterator<Item = Delivery> + use<> {
        std::mem::take(&mut self.queue).into_iter()
    }

    pub(crate) fn clear_queue(&mut self) {
        self.queue.clear();
    }

    /// Delivers that first, in that order.
    pub(crate) fn put_first(&mut self, deliveries: impl DoubleEndedIterator<Item = Delivery>) {
        for delivery in deliveries.rev() {
            self.queue.push_front(delivery);
        }
    }

    /// Keeps what has come for a closed part of the tree.
    pub(crate) fn hold(&mut self, delivery: Delivery) {
        self.held.push(delivery);
    }

    pub(crate) fn held(&self) -> &[Delivery] {
        &self.held
    }

    pub(crate) fn take_held(&mut self) -> ThinVec<Delivery> {
        std::mem::take(&mut self.held)
    }

    /// The tree is open: what has come is delivered first.
    pub(crate) fn release(&mut self) {
        for held in self.held.drain(..).rev() {
            self.queue.push_front(held);
        }
    }

    /// Drops the timers of a node: one may have come while its tree was suspended, and wait for the
    /// next poll.
    pub(crate) fn clear_timers(&mut self, at: At) {
        if self.queue.is_empty() && self.held.is_empty() {
            return;
        }
        let is_of_node =
            |delivery: &Delivery| matches!(delivery, Delivery::Timer(of, _) if *of == at);
        self.queue.retain(|delivery| !is_of_node(delivery));
        self.held.retain(|delivery| !is_of_node(delivery));
    }

    /// The nodes are those of changed trees now: keeps the deliveries that `stays` lets stay, and the events for
    /// whoever waits next to which `number` gives one.
    pub(crate) fn carry(
        &mut self,
        mut stays: impl FnMut(&mut Delivery) -> bool,
        mut number: impl FnMut(&str) -> Option<u32>,
    ) {
        self.queue.retain_mut(&mut stays);
        self.held.retain_mut(&mut stays);
        self.latched
            .retain_mut(|(old, event)| match number(event.name()) {
                Some(new) => {
                    *old = new;
                    true
                }
                None => false,
            });
    }

    pub(crate) fn set_limit(&mut self, events: u32) {
        self.limit = Some(events);
    }

    /// The number of events at most.
    pub(crate) fn limit(&self) -> u32 {
        self.limit.unwrap_or(MOST)
    }

    /// The number of events that the queue still takes.
    pub(crate) fn room(&self) -> usize {
        let most = self.limit() as usize;
        let all = self.queue.len() + self.held.len();
        if all < most {
            return most - all;
        }
        let is_event = |delivery: &&Delivery| matches!(delivery, Delivery::Event(_));
        let events = self.queue.iter().chain(&self.held).filter(is_event);
        most.saturating_sub(events.count())
    }

    /// Events on their way to the queue, which has room for so many.
    pub(crate) fn arriving(&mut self, room: usize) -> Arriving<'_> {
        Arriving {
            inbox: self,
            room,
            rest: Vec::new(),
        }
    }

    /// Keeps an event that nobody took for whoever waits next, in place of an earlier one.
    pub(crate) fn latch(&mut self, number: u32, event: Event) {
        self.latched.retain(|(other, _)| *other != number);
        self.latched.push((number, event));
    }

    pub(crate) fn take_latched(&mut self, number: u32) -> Option<Event> {
        let position = self.latched.iter().position(|kept| kept.0 == number)?;
        Some(self.latched.remove(position).1)
    }

    pub(crate) fn latched(&self) -> impl Iterator<Item = &Event> {
        self.latched.iter().map(|(_, event)| event)
    }

    pub(crate) fn clear_latched(&mut self) {
        self.latched.clear();
    }
}

/// Events on their way to the queue, and those that it has no room for.
pub(crate) struct Arriving<'c> {
    inbox: &'c mut Inbox,
    room: usize,
    rest: Vec<Event>,
}

impl Arriving<'_> {
    /// Those that there was no room for.
    pub(crate) fn rest(self) -> Vec<Event> {
        self.rest
    }
}

impl Extend<Event> for Arriving<'_> {
    fn extend<T: IntoIterator<Item = Event>>(&mut self, events: T) {
        for event in events {
            if self.room > 0 {
                self.room -= 1;
                self.inbox.push(Delivery::Event(event));
            } else {
                self.rest.push(event);
            }
        }
    }
}
