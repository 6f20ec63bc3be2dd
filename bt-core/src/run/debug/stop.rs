//! A walk that is stopped in the middle of a poll, and how it continues.
//!
//! A walk stops where it could be interrupted for guards to react: at a node that is parked, or where
//! everything waits. What is above the walk returns, and leaves here what it has still to do; the loops of
//! a poll take each next thing from the agent's state. Nothing of the call stack is kept.

use crate::debug::Stop;
use crate::kinds::timeout::{Since, TimeoutNode};
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::waits::{Order, Wait};
use crate::run::walk::{Act, Step, Walker};
use crate::tree::plan::{NONE, Plan};

/// How a walk continues that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// At the node that was parked last, as if it had not been.
    Parked,
    /// The same, at a node that is to be entered, where a walk that is interrupted does not park: what is to
    /// react does so later.
    Straight,
    /// With what is still to be done.
    Blocked,
    /// Nowhere: there was no walk.
    Still,
    /// Nowhere: the poll is over.
    Over,
}

/// An agent that is stopped.
#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) stop: Stop,
    /// What it is stopped at.
    pub(super) at: At,
    next: Next,
    left: Left,
    /// Whether the host paused it.
    pub(super) paused: bool,
    // As they were.
    spent: bool,
    turned: bool,
    cursor: u32,
    stirred: bool,
}

/// What the functions above the walk have still to do, innermost first.
#[derive(Debug, Default)]
struct Left {
    /// The timeout whose polled children are called, and since when it waits.
    deadline: Option<(At, Option<Since>)>,
    /// What was closed, or found no budget, is entered.
    due: bool,
    /// These waited for the event in hand.
    waiters: Vec<(Order, bool)>,
    /// The tree is started.
    start: bool,
    /// How many trees were suspended before the delivery, or the turn, in hand.
    level: Option<u32>,
}

impl Left {
    /// What is left of another one comes after it.
    fn then(&mut self, other: Left) {
        self.deadline = self.deadline.take().or(other.deadline);
        self.due |= other.due;
        if self.waiters.is_empty() {
            self.waiters = other.waiters;
        }
        self.start |= other.start;
        self.level = self.level.or(other.level);
    }
}

impl Core {
    /// Whether a debugger has stopped the walk, or does so now.
    pub(crate) fn stops(&mut self, next: Next) -> bool {
        if !self.interrupted.stops() {
            return false;
        }
        if !self.is_stopped() {
            self.stop(next);
        }
        true
    }

    #[cold]
    fn stop(&mut self, next: Next) {
        let now = self.now();
        let (poll, spent, turned, cursor) =
            (self.poll, self.is_spent(), self.is_turned(), self.cursor);
        let (paused, stirred) = (self.paused, self.board().is_stirred());
        let Some(debugger) = self.debugger_mut() else {
            return;
        };
        let Some(hit) = debugger.take_hit() else {
            return;
        };
        debugger.mode = super::debugger::Mode::Run;
        debugger.continues = false;
        let stop = debugger.describe(&hit, poll);
        debugger.stopped = Some(Box::new(Stopped {
            stop,
            at: hit.at,
            next,
            left: Left::default(),
            paused,
            spent,
            turned,
            cursor,
            stirred,
        }));
        self.set_stopped(true);
        // The loops of the poll end.
        self.set_spent(true);
        self.paused = true;
        self.cold().pauses.begin(now);
    }

    /// Whether what was written so far stops the walk.
    pub(crate) fn stops_at_writes(&mut self, plan: &Plan) -> bool {
        if self.debugger().is_some() {
            self.trace_writes(plan);
        }
        self.interrupted.stops()
    }

    /// Whether the walk stops before a node is entered, whose guards hold.
    pub(crate) fn stops_at_entry(&mut self, plan: &Plan, at: At) -> bool {
        if self.interrupted.stops() {
            return true;
        }
        let is_new = self
            .debugger_mut()
            .is_some_and(|debugger| debugger.enters(at));
        if is_new {
            self.look_at_entry(plan, at);
            if let (true, Some(debugger)) = (self.interrupted.stops(), self.debugger_mut()) {
                debugger.stop_entry(at);
            }
        }
        self.interrupted.stops()
    }

    /// Lets no walk be stopped for a while.
    pub(crate) fn hold_stops(&mut self, held: bool) {
        let Some(debugger) = self.debugger_mut() else {
            return;
        };
        debugger.hold(held);
        let stops = debugger.is_hit();
        self.interrupted.set_stops(stops);
    }

    /// What is stopped is abandoned where it is.
    pub(crate) fn leave_stop(&mut self) {
        if let Some(stopped) = self.unstop() {
            self.cursor = NONE;
            self.set_turned(true);
            self.paused = stopped.paused;
            let Some(cold) = &mut self.cold else { return };
            cold.continuations.set_deadline(None);
            cold.continuations.begin_ending(std::iter::empty());
        }
        if let Some(debugger) = self.debugger_mut() {
            debugger.forget();
        }
        self.interrupted.set_stops(false);
    }

    /// It is as it was before the stop.
    pub(super) fn unstop(&mut self) -> Option<Box<Stopped>> {
        let debugger = self.debugger_mut()?;
        let stopped = debugger.stopped.take()?;
        debugger.continues = false;
        let stops = debugger.is_hit();
        self.set_stopped(false);
        self.set_spent(stopped.spent);
        self.set_turned(stopped.turned);
        self.cursor = stopped.cursor;
        self.paused = stopped.paused;
        self.interrupted.set_stops(stops);
        // What the host wrote meanwhile.
        let stirred = self.board().is_stirred() && !stopped.stirred;
        self.interrupted.react_if(stirred);
        Some(stopped)
    }

    fn left(&mut self) -> Option<&mut Left> {
        if !self.is_stopped() {
            return None;
        }
        let stopped = self.debugger_mut()?.stopped.as_mut()?;
        Some(&mut stopped.left)
    }

    #[cold]
    pub(crate) fn leave_level(&mut self, level: u32) {
        if let Some(left) = self.left() {
            left.level = Some(level);
        }
    }

    #[cold]
    pub(crate) fn leave_due(&mut self) {
        if let Some(left) = self.left() {
            left.due = true;
        }
    }

    #[cold]
    pub(crate) fn leave_start(&mut self) {
        if let Some(left) = self.left() {
            left.start = true;
        }
    }

    #[cold]
    pub(crate) fn leave_deadline(&mut self, timeout: At) {
        let since = self.state::<TimeoutNode>(timeout).copied();
        if let Some(left) = self.left() {
            left.deadline = Some((timeout, since));
        }
    }

    #[cold]
    pub(crate) fn leave_waiters(&mut self, waiters: Vec<(Order, bool)>) {
        if let Some(left) = self.left() {
            left.waiters = waiters;
        }
    }
}

impl Walker<'_> {
    /// Continues a poll that was stopped.
    pub(super) fn continue_poll(&mut self, stopped: Stopped) {
        if stopped.is_over() {
            return;
        }
        self.continue_walk(stopped.next);
        let mut left = stopped.left;
        self.do_what_is_left(&mut left);
        if let Some(later) = self.core.left() {
            later.then(left);
            return;
        }
        match (self.core.is_turn(), self.core.is_turned()) {
            (true, _) => {
                if self.goes_on() {
                    self.take_other_turns();
                } else {
                    self.core.cursor = NONE;
                    self.core.set_turned(true);
                }
            }
            (false, true) => {}
            (false, false) => {
                if !self.goes_on() {
                    return self.rest();
                }
                if self.core.has_delivery() {
                    self.make_deliveries();
                }
                self.take_turns();
            }
        }
        self.finish_poll();
    }

    fn continue_walk(&mut self, next: Next) {
        let parked = match next {
            Next::Parked | Next::Straight => self.core.unpark(),
            Next::Blocked => None,
            Next::Still | Next::Over => return,
        };
        let Some((at, act)) = parked else {
            return self.walk_on(Step::Blocked);
        };
        if next == Next::Parked {
            return self.host.walk(self.plan, self.core, at, act);
        }
        self.core.frame = at.frame;
        let step = self.enter_checked(at.node);
        let step = self.placed(at, step);
        self.walk_on(step);
    }

    /// Does what was left above the walk, until it is stopped again.
    fn do_what_is_left(&mut self, left: &mut Left) {
        if self.core.is_stopped() {
            return;
        }
        if let Some((timeout, since)) = left.deadline.take() {
            self.ring_again(timeout, since);
        }
        while !self.core.is_stopped() {
            if std::mem::take(&mut left.due) {
                self.enter_due();
                continue;
            }
            if left.waiters.is_empty() {
                break;
            }
            let (order, success) = left.waiters.remove(0);
            self.end_waiter(order, success);
        }
        if self.core.is_stopped() {
            return;
        }
        if std::mem::take(&mut left.start)
            && let Step::Jump(at, act) = self.start_on()
        {
            self.host.walk(self.plan, self.core, at, act);
        }
        if self.core.is_stopped() {
            return;
        }
        if let Some(level) = left.level.take() {
            self.enter_resumed(level);
        }
    }

    /// Goes on calling the polled children of a timeout; then it decides, if it is there still.
    fn ring_again(&mut self, timeout: At, since: Option<Since>) {
        if !self.run_other_polled(timeout) {
            return;
        }
        self.core.frame = timeout.frame;
        let is_same = since.is_some() && self.core.state::<TimeoutNode>(timeout).copied() == since;
        let step = match is_same {
            true => {
                let kind = self.plan.node(timeout.node).kind.runs();
                kind.timer(self, timeout.node)
            }
            false => Step::Blocked,
        };
        let step = self.placed(timeout, step);
        self.walk_on(step);
    }
}

impl Core {
    /// Takes the node away that was parked last: where the walk continues.
    fn unpark(&mut self) -> Option<(At, Act)> {
        let continuations = &mut self.cold.as_mut()?.continuations;
        let last = continuations.all().len().checked_sub(1)?;
        let at = continuations.take(last).at();
        let position = self.find(at)?;
        match self.take_entry(position).wait {
            Wait::Parked(act) => Some((at, act)),
            _ => None,
        }
    }
}

impl Stopped {
    /// Something waits for the end of the poll. Of stops, loads and resets the later counts.
    pub(super) fn wait_for_end(&mut self, what: &str) {
        let waiting = &mut self.stop.waiting;
        waiting.retain(|other| other != what && (other == "reload" || what == "reload"));
        waiting.push(what.to_owned());
    }

    /// Whether the poll was over.
    pub(super) fn is_over(&self) -> bool {
        self.next == Next::Over
    }
}
