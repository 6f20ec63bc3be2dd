//! The turn: who runs in every poll does, and guards that follow no keys are evaluated; once a poll, after
//! the last delivery.

use super::node_ref::At;
use super::plain::{Entry, Wait, Watch};
use super::walk::{Act, Step, Walker};
use crate::call::Outcome;
use crate::trace::Woken;
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// The turn: once, after the last delivery, in one walk over what is active, in index order.
    pub(super) fn take_turns(&mut self) {
        if !self.may_continue() {
            return;
        }
        self.core.cursor = 0;
        self.restart_turn();
        self.take_other_turns();
    }

    /// Gives their turn to all that have it still to come in this poll.
    pub(super) fn take_other_turns(&mut self) {
        loop {
            let level = self.core.level();
            if !self.next_turn() || !self.end_turn(level) {
                break;
            }
        }
        self.end_turns();
    }

    /// Does the rest of the poll, after a turn that began when so many trees were suspended.
    pub(super) fn go_after_turn(&mut self, level: u32) {
        match self.end_turn(level) {
            true => self.take_other_turns(),
            false => self.end_turns(),
        }
        self.finish_poll();
    }

    /// A turn is over that began when so many trees were suspended; whether there may be another.
    fn end_turn(&mut self, level: u32) -> bool {
        self.enter_resumed(level);
        let may_continue = self.may_continue();
        if !may_continue {
            self.core.leave_level(level);
        }
        may_continue
    }

    /// All that have a turn had theirs.
    pub(super) fn end_turns(&mut self) {
        self.core.cursor = NONE;
        self.core.set_turned(true);
    }

    /// Checks what changed trees say otherwise of an active node.
    fn check_again(&mut self, at: At) {
        if self.core.is_active(self.plan, at) && self.is_open(at) {
            self.core.frame = at.frame;
            let step = match self.lacks_number(at) {
                true => self.fail_without_number(at),
                false => self
                    .plan
                    .node(at.node)
                    .kind
                    .runs()
                    .check_again(self, at.node),
            };
            let step = self.placed(at, step);
            self.walk_on(step);
        }
    }

    /// The node that is to be checked next, if it comes before the guards and the entry.
    fn check_first(&self, entry: Option<usize>, watch: Option<usize>) -> Option<At> {
        let core = &*self.core;
        let at = *core.cold.as_ref()?.rechecks.first()?;
        let entry = entry.and_then(|entry| core.entries.get(entry));
        let watch = watch.and_then(|watch| core.observed().get(watch));
        let is_later = entry.is_some_and(|entry| core.is_before(entry.at, at))
            || watch.is_some_and(|watch| !core.is_before(at, watch.at));
        (!is_later).then_some(at)
    }

    /// Lets the turn begin at the root.
    pub(crate) fn restart_turn(&mut self) {
        if self.core.cursor != NONE {
            self.core.cursor = 0;
            if let Some(cold) = &mut self.core.cold {
                cold.observers.begin_turn();
            }
        }
    }

    /// Gives the next node its turn, or evaluates its guards; whether there was one.
    fn next_turn(&mut self) -> bool {
        let poll = self.core.poll;
        let from = self.core.cursor as usize;
        let entry = match self.core.turns {
            0 => None,
            _ => {
                let has_turn = |position: &usize| {
                    let entry = &self.core.entries[*position];
                    entry.has_turn() && entry.stamp != poll && !self.holds(*position)
                };
                (from..self.core.entries.len()).find(has_turn)
            }
        };
        let watch = match &self.core.cold {
            None => None,
            Some(cold) => self.next_watch(cold.observers.passed(), |_| true),
        };
        if let Some(at) = self.check_first(entry, watch) {
            self.core.cold().rechecks.remove(0);
            self.check_again(at);
            return true;
        }
        match watch.filter(|watch| self.watch_first(entry, *watch)) {
            Some(watch) => {
                self.core.cold().observers.pass(watch + 1);
                self.look_again(watch);
            }
            None => {
                let Some(entry) = entry else { return false };
                self.core.cursor = entry as u32 + 1;
                self.pass_watches(entry);
                self.turn(entry);
            }
        }
        true
    }

    /// In the turn, guards that come before an entry have had theirs.
    fn pass_watches(&mut self, entry: usize) {
        let at = self.core.entries[entry].at;
        let Some(cold) = &self.core.cold else { return };
        let before = |watch: &Watch| !self.core.is_before(at, watch.at);
        let observers = &cold.observers;
        let passed = observers.all().partition_point(before);
        let passed = passed.max(observers.passed());
        self.core.cold().observers.pass(passed);
    }

    /// Returns true if guards come before the entry, if there is one.
    fn watch_first(&self, entry: Option<usize>, watch: usize) -> bool {
        let core = &*self.core;
        let guarded = core.observed()[watch].at;
        entry.is_none_or(|entry| !core.is_before(core.entries[entry].at, guarded))
    }

    /// Evaluates guards again, and walks on.
    fn look_again(&mut self, watch: usize) {
        let step = self.reevaluate(watch);
        self.walk_on(step);
    }

    /// Gives an entry its turn, and walks on.
    #[inline]
    pub(crate) fn turn(&mut self, position: usize) {
        let poll = self.core.poll;
        let entry = &mut self.core.entries[position];
        if entry.until != 0 && entry.until <= poll {
            entry.stamp = poll;
            let result = entry.result();
            self.trace_woken(position, Woken::Timer);
            return self.end_waiting(position, result);
        }
        let step = self.tick(position);
        self.walk_on(step);
    }

    /// Runs a node in its turn.
    pub(crate) fn tick(&mut self, position: usize) -> Step {
        let entry = &mut self.core.entries[position];
        if entry.wait == Wait::Polled {
            return self.poll_action(position);
        }
        entry.stamp = self.core.poll;
        let (at, wait) = (entry.at, entry.wait);
        self.core.frame = at.frame;
        let kind = &self.plan.node(at.node).kind;
        let step = match wait {
            Wait::Turn => kind.runs().turn(self, at.node),
            Wait::Again => {
                self.core.take_entry(position);
                kind.runs().turn(self, at.node)
            }
            Wait::Rerun => {
                self.core.take_entry(position);
                Step::Jump(at, Act::Enter)
            }
            Wait::Pending
            | Wait::Polled
            | Wait::Event
            | Wait::Timer
            | Wait::Due
            | Wait::Cancelling
            | Wait::Parked(_) => Step::Blocked,
        };
        self.placed(at, step)
    }

    /// Calls an action again in its turn.
    #[inline]
    pub(super) fn poll_action(&mut self, position: usize) -> Step {
        let entry = &mut self.core.entries[position];
        entry.stamp = self.core.poll;
        let at = entry.at;
        self.core.frame = at.frame;
        let Some(call) = self.plan.node(at.node).kind.action() else {
            return Step::Blocked;
        };
        let called = self.call_again(position, call);
        // It waits as before.
        if called == Some(Outcome::Running) && self.core.session.left_nothing() {
            return Step::Blocked;
        }
        let step = self.called(at.node, call, called);
        self.placed(at, step)
    }

    /// At the deadline of a timeout: the polled actions below it are called once more, if they were not
    /// in this poll. The order is that of the turn: an action whose guard does not hold is not called.
    ///
    /// Whether that is done: not if a debugger stops it there.
    pub(crate) fn run_polled(&mut self, timeout: At) -> bool {
        if self.next_polled(timeout).is_none() {
            return true;
        }
        self.core.cold().continuations.set_deadline(Some(timeout));
        self.core.cold().observers.begin_turn();
        self.run_other_polled(timeout)
    }

    /// The same, for those that were not called yet.
    pub(super) fn run_other_polled(&mut self, timeout: At) -> bool {
        while !self.core.is_spent() {
            let entry = self.next_polled(timeout);
            let from = self.core.cold().observers.passed();
            let is_below = |at: At| at != timeout && self.core.is_within(self.plan, at, timeout);
            let watch = self.next_watch(from, |watch| is_below(watch.at));
            let first = watch.filter(|watch| self.watch_first(entry, *watch));
            match (first, entry) {
                (Some(watch), _) => {
                    self.core.cold().observers.pass(watch + 1);
                    self.look_again(watch);
                }
                (None, Some(entry)) => {
                    self.pass_watches(entry);
                    self.turn(entry);
                }
                (None, None) => break,
            }
        }
        if self.core.is_stopped() {
            self.core.leave_deadline(timeout);
            return false;
        }
        self.core.cold().continuations.set_deadline(None);
        true
    }

    /// The first polled action below a node that was not called in this poll.
    fn next_polled(&self, top: At) -> Option<usize> {
        let (from, to) = self.core.below(self.plan, top);
        let poll = self.core.poll;
        let is_polled = |entry: &Entry| {
            entry.wait == Wait::Polled && entry.stamp != poll && !self.is_closed(entry.at)
        };
        let found = self.core.entries[from..to].iter().position(is_polled)?;
        Some(from + found)
    }
}
