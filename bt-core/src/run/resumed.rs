//! The first poll of an agent that was restored: its clock, and the actions that continue.

use serde_json::Value;

use super::asked::LeafRequests;
use super::core::Core;
use super::plain::{Delivery, Entry, How, Order, Phase, Quiet, Restored, Todo, Wait};
use super::state::pace::Pace;
use super::state::timers::Purpose;
use super::walk::Walker;
use crate::call::Outcome;
use crate::trace::{Resumption, Role};

impl Restored {
    /// Returns true if there is a pause that the next poll ends.
    pub(crate) fn pauses(&self, core: &Core) -> bool {
        match self.landed {
            true => core.paused_since().is_some(),
            false => self.pauses,
        }
    }

    /// Returns true if it would have nothing to do but to look at the clock, had it not been saved.
    pub(crate) fn was_quiet(&self, core: &Core) -> bool {
        let resumes = self.pauses && !core.paused;
        let begins_later = core.its_pace().is_some_and(Pace::begins_later);
        let waits = match begins_later {
            true => core.requested().is_some(),
            false => core.has_queued() || core.phase == Phase::Due,
        };
        self.quiet && !waits && !resumes
    }
}

impl Core {
    /// The time is the host's: what was saved as time left, or gone by, counts from now.
    pub(crate) fn sync_clock(&mut self) {
        let now = self.now();
        let Some(cold) = &mut self.cold else { return };
        let Some(mut restored) = cold.restored.take_if(|restored| !restored.landed) else {
            return;
        };
        let land = |entry: &mut Entry| {
            entry.since = now.saturating_sub(entry.since);
            // A tracer knows it by times of no clock.
            entry.set_traced(false);
        };
        self.entries.iter_mut().for_each(land);
        for level in cold.suspended.levels_mut() {
            level.entries.iter_mut().for_each(land);
            if let Some(why) = &mut level.why {
                why.since = now.saturating_sub(why.since);
            }
        }
        restored.landed = true;
        // The pause that it was restored in ends where the one begins that it was saved in.
        let paused_at = now.saturating_sub(restored.paused_ago);
        self.timers.delay(paused_at);
        if let Some(pace) = self.pace_if_any() {
            pace.delay(paused_at);
        }
        let pauses = restored.pauses || self.paused;
        let cold = self.cold();
        cold.pauses.end(paused_at);
        if pauses {
            cold.pauses.begin(paused_at);
        }
        let at_once = !restored.todo.is_empty() || !restored.was_quiet(self);
        let is_paced = self.its_pace().is_some_and(|pace| pace.next().is_some());
        self.quiet = Quiet::of(at_once, restored.in_turn, is_paced);
        if !restored.todo.is_empty() {
            self.cold().restored = Some(restored);
        }
    }

    /// Returns true if times are those of the host's clock: a restored agent does not know it before its first
    /// poll, and has of times gone by how long ago they were.
    pub(crate) fn knows_clock(&self) -> bool {
        let restored = self.cold.as_ref().and_then(|cold| cold.restored.as_ref());
        restored.is_none_or(|restored| restored.landed)
    }

    /// Returns true if what ends an entry has arrived already.
    fn is_ending(&self, order: Order) -> bool {
        let Some(cold) = &self.cold else {
            return false;
        };
        let levels = self.suspended().iter();
        let held = levels.clone().flat_map(|level| &level.held);
        let levels = levels.flat_map(|level| &level.entries);
        cold.inbox
            .queue()
            .chain(held)
            .any(|delivery| match delivery {
                Delivery::Finished(other, _) => *other == order,
                Delivery::Timer(at, Purpose::End(_)) => {
                    let mut all = self.entries.iter().chain(levels.clone());
                    all.any(|entry| entry.order == order && entry.at == *at)
                }
                Delivery::Event(_) | Delivery::Completed(..) | Delivery::Timer(..) => false,
            })
    }

    /// The way in which a wait continues in the next poll, if the agent was restored and has not been polled
    /// since; and true if what ends the wait has arrived already.
    pub(crate) fn continues(&self, order: Order) -> (Option<Resumption<'static>>, bool) {
        let restored = self.cold.as_ref().and_then(|cold| cold.restored.as_ref());
        let mut todo = restored.into_iter().flat_map(|restored| &restored.todo);
        match todo.find(|todo| todo.order == order) {
            None => (None, false),
            Some(_) if self.is_ending(order) => (None, true),
            Some(todo) => (Some(todo.how.into()), false),
        }
    }

    /// Begins a poll that has something to do: what a pause, or a process that has ended, leaves to it.
    pub(crate) fn wake_up(&mut self) -> Option<Box<Restored>> {
        self.sync_clock();
        self.end_pause();
        self.cold.as_mut()?.restored.take()
    }
}

/// The way in which an action continued.
enum Continued {
    /// It ended, so.
    Ended(bool),
    Waits,
}

impl Walker<'_> {
    /// Continues the actions that cannot continue by themselves, each where it is.
    pub(crate) fn continue_restored(&mut self, restored: Restored) {
        for todo in restored.todo {
            if self.core.is_ending(todo.order) {
                continue;
            }
            let of_order = |entry: &Entry| entry.order == todo.order;
            if let Some(position) = self.core.entries.iter().position(of_order) {
                if let Continued::Ended(success) = self.continue_action(position, todo.how) {
                    self.end_again(todo.order, success);
                }
                continue;
            }
            let mut levels = self.core.suspended().iter();
            let level = levels.position(|level| level.entries.iter().any(of_order));
            if let Some(level) = level {
                self.continue_suspended(level, todo);
            }
        }
    }

    /// Ends an action that was called again; what it has done may have left it already.
    fn end_again(&mut self, order: Order, success: bool) {
        let mut entries = self.core.entries.iter();
        if let Some(position) = entries.position(|entry| entry.order == order) {
            self.end_waiting(position, success);
        }
    }

    /// The same in a tree that is suspended: how it ends is held for it.
    fn continue_suspended(&mut self, level: usize, todo: Todo) {
        self.swap_in(level);
        let position = self
            .core
            .entries
            .iter()
            .position(|entry| entry.order == todo.order);
        let continued = position.map(|position| self.continue_action(position, todo.how));
        self.swap_in(level);
        if let Some(Continued::Ended(success)) = continued {
            let held = Delivery::Finished(todo.order, success);
            self.core.cold().suspended.hold(level, held);
        }
    }

    /// Puts a suspended tree's entries in the place of the current tree's, and the other way round.
    pub(super) fn swap_in(&mut self, level: usize) {
        let core = &mut *self.core;
        let Some(cold) = &mut core.cold else { return };
        let level = &mut cold.suspended.levels_mut()[level];
        std::mem::swap(&mut core.entries, &mut level.entries);
        std::mem::swap(&mut core.turns, &mut level.turns);
    }

    fn continue_action(&mut self, position: usize, how: How) -> Continued {
        let poll = self.core.poll;
        let entry = &mut self.core.entries[position];
        // This is its call of this poll. What it waits for from now on is reported anew.
        entry.stamp = poll;
        entry.set_traced(false);
        let at = entry.at;
        let Some(call) = self.plan.node(at.node).kind.action() else {
            return Continued::Waits;
        };
        self.core.frame = at.frame;
        match how {
            How::Resume(_) => {
                let delta = self.core.runs_again(position);
                self.resume_action(position, call, delta)
            }
            How::Anew => {
                let delta = self.core.runs_again(position);
                self.call_anew(position, call, delta)
            }
            How::End => {
                let text = "it was being cancelled when the agent was saved, and what it waited for \
                            is gone: it counts as cancelled";
                self.report(Some(at.node), text.to_owned());
                Continued::Ended(false)
            }
        }
    }

    /// Calls the resume method of an action.
    fn resume_action(&mut self, position: usize, call: u32, delta: u64) -> Continued {
        let entry = &self.core.entries[position];
        let (at, was_polled) = (entry.at, entry.wait == Wait::Polled);
        let kept = entry.more.as_ref().and_then(|more| more.kept.as_deref());
        let kept = kept.cloned().unwrap_or(Value::Null);
        // What was written before is traced before.
        self.core.trace_writes(self.plan);
        self.enter_scope(at.node);
        self.core.session.set_again(true);
        let mut cx = self.core.session.context_after(at.node, delta);
        let resumed = self.host.resume(call, &mut cx, &kept);
        self.core.session.end_call();
        self.core.session.set_again(false);
        if !matches!(&resumed, Some(Err(error)) if !error.is_write()) {
            self.trace_resumed(at.node, call);
            self.trace_changes(at);
        }
        match resumed {
            Some(Ok(outcome)) => {
                let asked = self.take_requests(at);
                self.replace(position, &asked);
                self.settle(position, call, outcome, asked, was_polled)
            }
            Some(Err(error)) if error.is_write() => {
                self.report(Some(at.node), error.to_string());
                self.failed(position)
            }
            Some(Err(error)) => {
                self.report(Some(at.node), format!("{error}; it is called anew"));
                let asked = self.take_requests(at);
                self.discard(at.node, asked);
                self.call_anew(position, call, delta)
            }
            None => {
                let text = self.host.take_panic().unwrap_or_default();
                self.report(Some(at.node), format!("its resume method panicked: {text}"));
                self.failed(position)
            }
        }
    }

    /// Tells of a resume method that was called: only then it is known that it took what was kept.
    fn trace_resumed(&mut self, node: u32, call: u32) {
        if self.core.is_traced {
            let at = self.core.here(node);
            self.core.trace_resumed(self.plan, at, call);
        }
    }

    /// Calls an action again, as if it had just been entered.
    fn call_anew(&mut self, position: usize, call: u32, delta: u64) -> Continued {
        let at = self.core.entries[position].at;
        self.drop_deadline(position);
        self.core.until(position, 0, false);
        let old = self.core.entries[position].more.take();
        self.discard(at.node, old);
        match self.call_as(at.node, call, Role::Action, delta) {
            Some(outcome) => {
                let asked = self.take_requests(at);
                self.settle(position, call, outcome, asked, false)
            }
            None => {
                let text = match self.host.take_panic() {
                    Some(text) => format!("it panicked: {text}"),
                    None => self.core.session.take_call_error().to_string(),
                };
                self.report(Some(at.node), text);
                self.failed(position)
            }
        }
    }

    /// A call that did not come to its end.
    fn failed(&mut self, position: usize) -> Continued {
        let at = self.core.entries[position].at;
        let asked = self.take_requests(at);
        self.add_more(position, asked.more);
        Continued::Ended(false)
    }

    /// Replaces saved requests by those of a new call, sort by sort.
    fn replace(&mut self, position: usize, asked: &LeafRequests) {
        if asked.deadline.is_some() {
            self.drop_deadline(position);
        }
        let asks_events = asked.more.as_ref().is_some_and(|more| !more.on.is_empty());
        if let Some(more) = &mut self.core.entries[position].more
            && asks_events
        {
            more.on.clear();
        }
    }

    /// Makes an action wait for what it asked for, or says how it ends.
    fn settle(
        &mut self,
        position: usize,
        call: u32,
        outcome: Outcome,
        asked: LeafRequests,
        was_polled: bool,
    ) -> Continued {
        let at = self.core.entries[position].at;
        match outcome {
            Outcome::Done(success) => {
                self.log_result(at.node, call, &asked);
                // Its guards drop after the exit method.
                self.add_more(position, asked.more);
                return Continued::Ended(success);
            }
            Outcome::Running => {
                self.report_ignored(at.node, call, asked.time(), "`Running`");
                self.core.rewait(position, Wait::Polled);
                self.add_more(position, asked.more);
                return Continued::Waits;
            }
            Outcome::Run => {
                let text = "a decorator was called as an action".to_owned();
                self.report(Some(at.node), text);
                return Continued::Ended(false);
            }
            Outcome::Pending => {}
        }
        let asks = asked.deadline.is_some()
            || asked.polls.is_some()
            || asked.more.as_ref().is_some_and(|more| more.ends());
        if was_polled && !asks {
            // It continues as it was.
            self.add_more(position, asked.more);
            return Continued::Waits;
        }
        self.core.rewait(position, Wait::Pending);
        let ends = self.ask(at, asked);
        if let Some(success) = self.over_already(at) {
            return Continued::Ended(success);
        }
        if !ends && !self.core.timers.iter().any(|timer| timer.ends(at)) {
            self.report_stuck(at.node, call);
        }
        Continued::Waits
    }
}
