//! One poll: what arrived is delivered, one thing at a time; then comes the turn.

use super::core::Core;
use super::node_ref::{At, NOWHERE};
use super::plain::{Delivery, Due, Entry, Next, Order, Phase, Quiet, Wait};
use super::state::timers::Purpose;
use super::walk::{Act, Step, Walker};
use crate::trace::{What, Woken};
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// Begins a poll whose number and time are set; whether all it has to do is to
    /// [call polled actions again](Walker::call_polled).
    pub(crate) fn begin_poll(&mut self) -> bool {
        self.core.last = None;
        self.core.set_spent(false);
        self.core.set_rests(false);
        self.core.set_turned(false);
        self.core.budget = self.core.max_budget;
        if self.core.is_undisturbed() {
            return self.core.only_polls();
        }
        self.core.session.settle();
        self.core.session.board().refresh();
        // What was written from outside reacts before the first delivery.
        self.stir(Due::Now);
        let mut observed = self.core.observed().iter();
        let reacts = observed.any(|watch| watch.due == Due::Now);
        self.core.interrupted.react_if(reacts);
        let restored = match self.core.cold.is_some() {
            true => self.core.wake_up(),
            false => None,
        };
        self.omit();
        if self.core.is_traced {
            self.core.trace_poll(self.plan);
            self.trace_changes(NOWHERE);
        }
        if let Some(restored) = restored {
            // No walk of these can be stopped.
            self.core.hold_stops(true);
            self.continue_restored(*restored);
            self.core.hold_stops(false);
        }
        false
    }

    /// Does all that is to be done in a poll that has begun.
    pub(crate) fn go(&mut self) {
        if let Step::Jump(at, act) = self.start() {
            self.host.walk(self.plan, self.core, at, act);
        }
        if !self.may_continue() {
            if !self.core.is_started() && !self.core.is_reported() {
                self.core.set_reported();
                let text = "it was polled, and never started: call `start()` first";
                self.report(None, text.to_owned());
            }
            return self.rest();
        }
        if self.core.has_delivery() {
            self.make_deliveries();
        }
        self.take_turns();
        self.finish_poll();
    }

    /// Does what is to be done once the turn is over.
    pub(super) fn finish_poll(&mut self) {
        // What the turns fired is delivered in this poll, too, and waits of no time end.
        if self.core.has_delivery() {
            self.make_deliveries();
        }
        self.rest();
    }

    /// Delivers what has arrived, then what is due.
    pub(super) fn make_deliveries(&mut self) {
        if !self.may_continue() {
            return;
        }
        loop {
            let delivery = match self.next_arrival() {
                Some(delivery) => delivery,
                None => match self.core.timers.take_due(self.core.now()) {
                    Some(timer) => Delivery::Timer(timer.at(), timer.purpose()),
                    None => return,
                },
            };
            let level = self.core.level();
            if let Step::Jump(at, act) = self.hand_over(delivery) {
                self.host.walk(self.plan, self.core, at, act);
            }
            if self.core.interrupted.any() {
                self.walk_if_interrupted();
            }
            self.enter_resumed(level);
            if !self.may_continue() {
                return self.core.leave_level(level);
            }
        }
    }

    /// Enters what a tree that continues has to enter, if there were more trees suspended: changed trees have
    /// other nodes there.
    #[inline]
    pub(super) fn enter_resumed(&mut self, level: u32) {
        if self.core.level() < level {
            self.enter_due();
        }
    }

    /// Returns true if the walk may continue in this poll.
    pub(super) fn may_continue(&self) -> bool {
        matches!(self.core.phase, Phase::Active | Phase::Stopping) && !self.core.is_spent()
    }

    /// Says whether the next poll has anything to do but to look at the clock.
    pub(super) fn rest(&mut self) {
        let is_due = self.core.phase == Phase::Due || self.core.is_spent();
        if is_due && self.core.is_stopped() {
            self.core.quiet = Quiet::No;
            return;
        }
        let begins_later = self.end_pace();
        let is_due = is_due && !begins_later || self.core.is_spent();
        if self.core.phase.is_at_rest() && self.core.takes_no_events() {
            // Nobody is there to take them, nor anything else.
            self.core.drop_queued_events(self.plan);
            if let Some(cold) = &mut self.core.cold {
                cold.inbox.clear_queue();
            }
        }
        // What no guard follows any more, such as a key of a tree that has ended, is no reason to poll again.
        self.stir(Due::Now);
        // A tree that begins again later takes then what has arrived.
        let waits = match begins_later {
            true => self.has_request(),
            false => self.core.has_queued(),
        };
        if let Some(cold) = &mut self.core.cold {
            let plan = self.plan;
            let decides = |at: At| plan.node(at.node).kind.behaviour().decides_later();
            cold.continuations.retain_deciding(decides);
        }
        let moves = self
            .core
            .cold
            .as_ref()
            .is_some_and(|cold| !cold.rechecks.is_empty());
        let at_once = is_due || waits || moves || self.watches_are_due();
        let in_turn = begins_later || self.core.turns > 0 || self.watches_look();
        let pace = self.core.its_pace();
        let is_paced = pace.is_some_and(|pace| pace.next().is_some());
        self.core.quiet = Quiet::of(at_once, in_turn, is_paced);
    }

    /// The first arrival that is not delivered yet.
    #[inline]
    fn next_arrival(&mut self) -> Option<Delivery> {
        if self.core.session.has_arrived() {
            self.core.queue_completions();
        }
        self.core.cold.as_mut()?.inbox.pop()
    }

    /// Carries out what the host asked for, and continues with what the last poll had no budget for; where
    /// the walk begins, if a root is due.
    fn start(&mut self) -> Step {
        if self.core.interrupted.any() {
            self.walk_if_interrupted();
            if self.core.is_stopped() {
                self.core.leave_start();
                return Step::Blocked;
            }
        }
        self.start_requested()
    }

    /// The same, once what was requested is done.
    #[inline]
    pub(super) fn start_requested(&mut self) -> Step {
        if self.core.phase == Phase::Due {
            // A tree that was loaded just now, and has ended, begins again in the next poll.
            let pace = self.core.its_pace();
            let is_held = pace.is_some_and(|pace| pace.holds_root());
            if is_held || self.core.began == self.core.poll || self.core.rests() {
                return Step::Blocked;
            }
            return self.begin_root();
        }
        self.enter_due();
        Step::Blocked
    }

    /// Enters what there was no budget for, or what was closed.
    #[inline]
    pub(super) fn enter_due(&mut self) {
        loop {
            if !self.may_continue() {
                return self.core.leave_due();
            }
            if self.core.moves() {
                return;
            }
            let is_open = |entry: &Entry| entry.wait == Wait::Due && !self.is_closed(entry.at);
            let Some(position) = self.first(is_open) else {
                return;
            };
            let at = self.core.take_entry(position).at;
            self.resume_parent(at);
            self.host.walk(self.plan, self.core, at, Act::Enter);
        }
    }

    /// A node that continues with its child when that waits learns of it, too, if it has not entered it itself.
    fn resume_parent(&mut self, child: At) {
        let node = self.plan.parent(child.node);
        if node == NONE {
            return;
        }
        let kind = self.plan.node(node).kind.behaviour();
        let parent = At { node, ..child };
        let runs_one = kind.is_reactive() || !kind.runs_many();
        if kind.may_resume() && runs_one && self.core.entering(parent).is_none() {
            self.core.push_continuation(parent, child.node);
        }
    }

    fn first(&self, test: impl Fn(&Entry) -> bool) -> Option<usize> {
        self.core.entries.iter().position(test)
    }

    /// Lets guards react, and does what was requested; where nobody has to, a debugger may stop here.
    fn walk_if_interrupted(&mut self) {
        match self.core.interrupted.reacts() {
            true => self.walk_on(Step::Blocked),
            false => _ = self.core.stops(Next::Still),
        }
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
            self.host.walk(self.plan, self.core, at, act);
        }
    }

    /// Delivers something; where the walk continues, if that is not done yet.
    fn hand_over(&mut self, delivery: Delivery) -> Step {
        match delivery {
            Delivery::Event(event) => {
                self.hand_event(event);
                Step::Blocked
            }
            Delivery::Completed(ticket, answer) => self.complete(ticket, answer),
            Delivery::Finished(order, success) => self.finish(order, success),
            Delivery::Timer(at, purpose) => self.ring(at, purpose),
        }
    }

    /// A completion has answered. One that is late is ignored.
    fn complete(&mut self, ticket: u64, answer: Option<bool>) -> Step {
        let delivery = Delivery::Completed(ticket, answer);
        let Some(position) = self.first(|entry| delivery.is_for(entry)) else {
            self.hold_for_suspended(delivery);
            return Step::Blocked;
        };
        if self.holds(position) {
            self.core.cold().inbox.hold(delivery);
            return Step::Blocked;
        }
        if answer.is_none() {
            let node = self.core.entries[position].at.node;
            let text = "it failed: the last `Completion` of its call was dropped unused";
            self.report(Some(node), text.to_owned());
        }
        let by = answer.map_or(Woken::CompletionDropped, Woken::Completion);
        self.trace_woken(position, by);
        self.end_wait(position, answer.unwrap_or(false))
    }

    fn finish(&mut self, order: Order, success: bool) -> Step {
        let of_order = |entry: &Entry| entry.order == order && entry.is_leaf();
        match self.first(of_order) {
            Some(position) if self.holds(position) => {
                let held = Delivery::Finished(order, success);
                self.core.cold().inbox.hold(held);
                Step::Blocked
            }
            Some(position) => {
                self.trace_woken(position, Woken::Host(success));
                self.end_wait(position, success)
            }
            None => {
                self.hold_for_suspended(Delivery::Finished(order, success));
                Step::Blocked
            }
        }
    }

    /// Returns true if what comes for an entry is held, because it is in a part of the tree that is closed.
    pub(crate) fn holds(&self, position: usize) -> bool {
        let entry = &self.core.entries[position];
        entry.wait != Wait::Cancelling && self.is_closed(entry.at)
    }

    /// Keeps what came for an entry of a tree that is suspended until that continues.
    fn hold_for_suspended(&mut self, delivery: Delivery) {
        let mut levels = self.core.suspended().iter();
        let waits = |entry: &Entry| entry.is_leaf() && delivery.is_for(entry);
        if let Some(number) = levels.position(|level| level.entries.iter().any(waits)) {
            self.core.cold().suspended.hold(number, delivery);
            self.trace_held(number);
        }
    }

    /// Ends what waits, and walks on.
    pub(crate) fn end_waiting(&mut self, position: usize, success: bool) {
        if let Step::Jump(at, act) = self.end_wait(position, success) {
            self.host.walk(self.plan, self.core, at, act);
        }
    }

    /// Ends what waits; where the walk continues, if that is not done yet.
    pub(super) fn end_wait(&mut self, position: usize, success: bool) -> Step {
        if self.core.entries[position].wait == Wait::Cancelling {
            let step = self.cancelled(position);
            self.walk_on(step);
            self.enter_due();
            return Step::Blocked;
        }
        let mut entry = self.take_waiting(position);
        let at = entry.at;
        self.core.frame = at.frame;
        if let Some(call) = self.plan.node(at.node).kind.action() {
            let delta = self.core.delta(entry.ran);
            self.end_action(at, call, success, delta, &mut entry.more);
        }
        // Its guards drop before its parent hears of it.
        self.discard(at.node, entry);
        Step::Jump(at, Act::Done(success))
    }

    /// A timer is due; where the walk continues, if that is not done yet.
    fn ring(&mut self, at: At, purpose: Purpose) -> Step {
        let level = self.core.frame(at.frame).level;
        if level != self.core.level() {
            let (level, held) = (level as usize, Delivery::Timer(at, purpose));
            if self.core.cold().suspended.hold(level, held) {
                self.trace_held(level);
            }
            return Step::Blocked;
        }
        let cancels = |found: usize| self.core.entries[found].wait == Wait::Cancelling;
        if self.is_closed(at) && !self.core.find(at).is_some_and(cancels) {
            self.core.cold().inbox.hold(Delivery::Timer(at, purpose));
            return Step::Blocked;
        }
        match purpose {
            Purpose::End(success) => {
                if let Some(position) = self.core.find(at) {
                    self.trace_woken(position, Woken::Timer);
                    return self.end_wait(position, success);
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
                let step = self.plan.node(at.node).kind.runs().timer(self, at.node);
                let step = self.placed(at, step);
                self.walk_on(step);
            }
        }
        Step::Blocked
    }

    /// Traces the end of a node's wait.
    pub(super) fn trace_woken(&mut self, position: usize, by: Woken) {
        let at = self.core.entries[position].at;
        self.trace(at, What::Woken { by });
    }

    /// Something came for a tree that is suspended, the one of that number.
    fn trace_held(&mut self, level: usize) {
        if self.core.is_traced {
            self.core.trace_held(self.plan, level);
        }
    }

    /// Reports something, if there is a tracer.
    #[inline]
    pub(crate) fn trace(&mut self, at: At, what: What<'_>) {
        if self.core.is_traced {
            self.core.trace(self.plan, at, what);
        }
    }
}

impl Core {
    /// Returns true if something has arrived, or is due.
    #[inline]
    pub(super) fn has_delivery(&self) -> bool {
        let cold = self.cold.as_ref();
        self.session.has_arrived()
            || cold.is_some_and(|cold| cold.inbox.has_queued())
            || self.timers.has_due(self.now())
    }

    /// Queues the answers of completions.
    #[cold]
    pub(crate) fn queue_completions(&mut self) {
        for (ticket, answer) in self.session.take_arrived() {
            self.deliver(Delivery::Completed(ticket, answer));
        }
    }

    /// Returns true if the clock alone says what this poll is about, and nothing is due.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        let by_clock = match self.quiet {
            Quiet::Yes => true,
            Quiet::Paced => self.next_turn() > self.now(),
            Quiet::No | Quiet::Moves => false,
        };
        by_clock
            && self.timers.next_time() > self.now()
            && !self.session.has_arrived()
            && !self.session.board().is_restless()
    }
}
