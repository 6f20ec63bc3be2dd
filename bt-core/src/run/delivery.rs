//! One poll: what arrived is delivered, one thing at a time; then whoever has a turn has it.

use super::at::{At, NOWHERE};
use super::core::{Cold, Core, Phase};
use super::entries::{Entry, Wait};
use super::kinds::Kind;
use super::timers::{Purpose, Timer};
use super::walk::{Act, Step, Walker};
use crate::Event;
use crate::trace::{Role, What, Woken};

/// Something that arrived, or became due.
#[derive(Debug)]
pub(crate) enum Delivery {
    Event(Event),
    /// A completion's ticket, and its answer.
    Completed(u64, Option<bool>),
    /// The order of an entry, and the host's answer.
    Finished(u32, bool),
    /// A timer of a tree that was suspended.
    Timer(Timer),
}

impl Delivery {
    /// Whether it ends what that entry waits for; events are delivered to nobody in particular.
    pub(crate) fn is_for(&self, entry: &Entry) -> bool {
        match self {
            Delivery::Event(_) => false,
            Delivery::Timer(timer) => {
                timer.at == entry.at && !matches!(timer.purpose, Purpose::Service(_))
            }
            Delivery::Finished(order, _) => *order == entry.order,
            Delivery::Completed(ticket, _) => {
                let more = entry.more.as_ref();
                let pending = more.and_then(|more| more.completion.as_ref());
                pending.is_some_and(|pending| pending.ticket() == *ticket)
            }
        }
    }
}

impl Walker<'_> {
    /// Does all that is to be done in a poll whose number and time are set.
    pub(crate) fn poll(&mut self) {
        self.core.last = None;
        self.core.set_spent(false);
        self.core.budget = self.core.max_budget;
        self.core.session.settle();
        self.core.session.board().refresh();
        // Written from outside: who watches is asked in its turn.
        self.stir();
        let restored = match self.core.cold.is_some() {
            true => self.core.wake_up(),
            false => None,
        };
        if self.core.looks {
            self.core.trace_poll(self.plan);
        }
        if let Some(restored) = restored {
            self.go_on_restored(*restored);
        }
        self.start();
        if !self.core.is_started() {
            self.core.set_started();
            let text = "it was polled, and never started: call `start()` first";
            self.report(None, text.to_owned());
        }
        if !self.goes_on() {
            return self.rest();
        }
        self.make_deliveries();
        self.take_turns();
        // What the turns fired is delivered in this poll, too, and waits of no time end.
        self.make_deliveries();
        self.rest();
    }

    /// Delivers what has arrived, then what is due.
    fn make_deliveries(&mut self) {
        while self.goes_on() {
            let delivery = match self.next_arrival() {
                Some(delivery) => delivery,
                None => match self.core.take_due() {
                    Some(timer) => Delivery::Timer(timer),
                    None => return,
                },
            };
            self.hand_over(delivery);
        }
    }

    /// Whether this poll may go on.
    fn goes_on(&self) -> bool {
        matches!(self.core.phase, Phase::Active | Phase::Stopping) && !self.core.is_spent()
    }

    /// Says whether the next poll has anything to do but to look at the clock.
    fn rest(&mut self) {
        let is_due = self.core.phase == Phase::Due || self.core.is_spent();
        if matches!(self.core.phase, Phase::Idle | Phase::Ended(_))
            && let Some(cold) = &mut self.core.cold
            && !cold.queue.is_empty()
        {
            // Nobody is there to take them.
            for delivery in std::mem::take(&mut cold.queue) {
                if let Delivery::Event(event) = delivery {
                    let event = event.name().into();
                    self.trace(NOWHERE, What::EventDropped { event });
                }
            }
        }
        let waits = self
            .core
            .cold
            .as_ref()
            .is_some_and(|cold| !cold.queue.is_empty() || !cold.wishes.is_empty());
        self.core.quiet = !is_due && !waits && self.core.turns == 0 && !self.watches_every_poll();
    }

    /// What arrived first of all that is not delivered yet.
    #[inline]
    fn next_arrival(&mut self) -> Option<Delivery> {
        if self.core.session.has_arrived() {
            self.core.queue_completions();
        }
        self.core.cold.as_mut()?.queue.pop_front()
    }

    /// Carries out what the host asked for, enters a root that is due, and goes on with what the last
    /// poll had no budget for.
    fn start(&mut self) {
        if self.core.interrupted {
            self.walk_on(Step::Blocked);
        }
        if self.core.phase == Phase::Due {
            // A tree that was loaded just now, and has ended, begins again in the next poll.
            if self.core.began == self.core.poll {
                return;
            }
            let step = self.begin_root();
            self.walk_on(step);
            return;
        }
        while self.goes_on()
            && let Some(position) = self.first(|entry| entry.wait == Wait::Due && entry.stamp != 0)
        {
            if self.core.entries[position].stamp == self.core.poll {
                return;
            }
            let at = self.core.take_entry(position).at;
            self.pass(at, Act::Enter);
        }
    }

    fn first(&self, test: impl Fn(&Entry) -> bool) -> Option<usize> {
        self.core.entries.iter().position(test)
    }

    /// Walks on until everything waits.
    pub(crate) fn walk_on(&mut self, step: Step) {
        let step = match step {
            Step::Blocked => match self.blocked() {
                Some(step) => step,
                None => return,
            },
            step => step,
        };
        if let Step::Jump(at, act) = step {
            self.pass(at, act);
        }
    }

    fn hand_over(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Event(event) => self.hand_event(event),
            Delivery::Completed(ticket, answer) => self.complete(ticket, answer),
            Delivery::Finished(order, success) => self.finish(order, success),
            Delivery::Timer(timer) => self.ring(timer),
        }
        if self.core.interrupted {
            self.walk_on(Step::Blocked);
        }
    }

    /// A completion has answered. One that is late is ignored.
    fn complete(&mut self, ticket: u64, answer: Option<bool>) {
        let delivery = Delivery::Completed(ticket, answer);
        let Some(position) = self.first(|entry| delivery.is_for(entry)) else {
            return self.hold(delivery);
        };
        if answer.is_none() {
            let node = self.core.entries[position].at.node;
            let text = "it failed: the last `Completion` of its call was dropped unused";
            self.report(Some(node), text.to_owned());
        }
        let by = answer.map_or(Woken::CompletionDropped, Woken::Completion);
        self.trace_woken(position, by);
        self.end_waiting(position, answer.unwrap_or(false));
    }

    fn finish(&mut self, order: u32, success: bool) {
        let of_order = |entry: &Entry| entry.order == order && entry.is_leaf();
        match self.first(of_order) {
            Some(position) => {
                self.trace_woken(position, Woken::Host(success));
                self.end_waiting(position, success);
            }
            None => self.hold(Delivery::Finished(order, success)),
        }
    }

    /// Keeps what came for an entry of a tree that is suspended until that goes on.
    fn hold(&mut self, delivery: Delivery) {
        let Some(cold) = &mut self.core.cold else {
            return;
        };
        let mut levels = cold.levels.iter_mut();
        let waits = |entry: &Entry| entry.is_leaf() && delivery.is_for(entry);
        if let Some(number) = levels.position(|level| level.entries.iter().any(waits)) {
            cold.levels[number].held.push(delivery);
            self.trace_held(number);
        }
    }

    /// Ends what waits, and walks on.
    pub(crate) fn end_waiting(&mut self, position: usize, success: bool) {
        if self.core.entries[position].wait == Wait::Cancelling {
            let step = self.cancelled(position);
            return self.walk_on(step);
        }
        let entry = self.take_waiting(position);
        let at = entry.at;
        self.core.frame = at.frame;
        if let Kind::Action(call) = &self.plan.node(at.node).kind {
            self.end_action(at, *call, success);
        }
        // Its guards drop before its parent hears of it.
        self.discard(at.node, entry);
        self.pass(at, Act::Done(success));
    }

    /// A timer is due.
    fn ring(&mut self, timer: Timer) {
        let at = timer.at;
        let level = self.core.frame(at.frame).level;
        if level != self.core.level() {
            if let Some(found) = self.core.cold().levels.get_mut(level as usize) {
                found.held.push(Delivery::Timer(timer));
                self.trace_held(level as usize);
            }
            return;
        }
        match timer.purpose {
            Purpose::End(success) => {
                if let Some(position) = self.core.find(at) {
                    self.trace_woken(position, Woken::Timer);
                    self.end_waiting(position, success);
                }
            }
            Purpose::Service(number) => {
                let plan = self.plan;
                let service = plan.attached(at.node).map(|found| &found.services);
                if let Some(service) = service.and_then(|all| all.get(number as usize)) {
                    self.core.frame = at.frame;
                    self.serve(at, number, service);
                }
            }
            Purpose::Node => {
                self.core.frame = at.frame;
                self.trace(at, What::Woken { by: Woken::Timer });
                let step = self.plan.node(at.node).kind.timer(self, at.node);
                let step = self.placed(at, step);
                self.walk_on(step);
            }
        }
    }

    /// The turn of conditions that are watched, polled leaves, reactive nodes, frames, and the next
    /// run of loops: once, after the last delivery.
    fn take_turns(&mut self) {
        if !self.goes_on() {
            return;
        }
        loop {
            let step = self.ask_watches(true);
            if step == Step::Blocked {
                break;
            }
            self.walk_on(step);
            if !self.goes_on() {
                return;
            }
        }
        if self.core.turns > 0 {
            self.core.cursor = 0;
            while self.goes_on() && self.next_turn() {}
            self.core.cursor = u32::MAX;
        }
    }

    /// Gives the next entry its turn; whether there was one.
    fn next_turn(&mut self) -> bool {
        let poll = self.core.poll;
        let from = self.core.cursor as usize;
        let rest = self.core.entries.get(from..).unwrap_or_default();
        let Some(position) = rest
            .iter()
            .position(|entry| entry.has_turn() && entry.stamp != poll)
        else {
            return false;
        };
        let position = from + position;
        self.core.cursor = position as u32 + 1;
        self.turn(position);
        true
    }

    /// What a node waited for has come.
    fn trace_woken(&mut self, position: usize, by: Woken) {
        let at = self.core.entries[position].at;
        self.trace(at, What::Woken { by });
    }

    /// Something came for a tree that is suspended, the one of that number.
    fn trace_held(&mut self, level: usize) {
        if self.core.looks {
            self.core.trace_held(self.plan, level);
        }
    }

    /// Tells of something, if anybody wants to know.
    #[inline]
    pub(crate) fn trace(&mut self, at: At, what: What<'_>) {
        if self.core.looks {
            self.core.trace(self.plan, at, what);
        }
    }

    /// Gives an entry its turn.
    pub(crate) fn turn(&mut self, position: usize) {
        let poll = self.core.poll;
        let entry = &mut self.core.entries[position];
        entry.stamp = poll;
        let (at, wait) = (entry.at, entry.wait);
        if entry.until != 0 && entry.until <= poll {
            let result = entry.result;
            self.trace_woken(position, Woken::Timer);
            return self.end_waiting(position, result);
        }
        self.core.frame = at.frame;
        let kind = &self.plan.node(at.node).kind;
        let step = match (kind, wait) {
            (Kind::Action(call), Wait::Polled) => {
                self.trace_call(at.node, *call, Role::Action);
                let called = self.call(at.node, *call);
                self.called(at.node, *call, called)
            }
            (_, Wait::Turn) => kind.turn(self, at.node),
            (_, Wait::Again) => {
                self.core.take_entry(position);
                kind.turn(self, at.node)
            }
            _ => return,
        };
        let step = self.placed(at, step);
        self.walk_on(step);
    }

    /// Gives a turn to the polled actions below a node, if they have not had one in this poll.
    pub(crate) fn run_polled(&mut self, top: At) {
        while self.run_below(top, |entry| entry.wait == Wait::Polled) {}
    }

    /// Gives a turn to all below a node that has one every poll, if it has not had it in this poll, as
    /// long as there is a budget.
    pub(crate) fn run_turns(&mut self, top: At) {
        while !self.core.is_spent() && self.run_below(top, Entry::has_turn) {}
    }

    /// Gives the next of those its turn; whether there was one.
    fn run_below(&mut self, top: At, runs: impl Fn(&Entry) -> bool) -> bool {
        let poll = self.core.poll;
        let (from, to) = self.core.below(self.plan, top);
        let waits = |entry: &Entry| entry.at != top && entry.stamp != poll && runs(entry);
        let position = self.core.entries[from..to].iter().position(waits);
        if let Some(position) = position {
            self.turn(from + position);
        }
        position.is_some()
    }
}

/// Events on their way to the queue.
struct Queue<'c>(&'c mut Cold);

impl Extend<Event> for Queue<'_> {
    fn extend<T: IntoIterator<Item = Event>>(&mut self, events: T) {
        let events = events.into_iter().map(Delivery::Event);
        self.0.queue.extend(events);
    }
}

impl Core {
    /// Queues the answers of completions.
    #[cold]
    pub(crate) fn queue_completions(&mut self) {
        for (ticket, answer) in self.session.take_completions() {
            self.deliver(Delivery::Completed(ticket, answer));
        }
    }

    /// Queues the events that calls fired.
    pub(crate) fn queue_fired(&mut self) {
        if !self.session.has_fired() {
            return;
        }
        let cold = self.cold.get_or_insert_default();
        self.session.drain_fired(&mut Queue(cold));
        self.quiet &= cold.queue.is_empty();
    }

    /// Whether the clock alone says what this poll is about, and nothing is due.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
            && self.next_time() > self.now()
            && !self.session.has_arrived()
            && !self.session.board().is_restless()
    }
}
