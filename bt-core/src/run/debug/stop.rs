//! A walk that is stopped in the middle of a poll, and how it continues.
//!
//! A walk stops where it could be interrupted for guards to react: at a node that is parked, or where
//! everything waits. What is above the walk returns, and leaves here what it has still to do; the loops of
//! a poll take each next thing from the agent's state. Nothing of the call stack is kept.

use crate::kinds::timeout::{Since, TimeoutNode};
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::plain::{Left, Next, Order, Stopped};
use crate::run::walk::{Act, Step, Walker};
use crate::tree::plan::{NONE, Plan};

impl Core {
    /// Returns true if a debugger has stopped the walk, or does so now.
    pub(crate) fn stops(&mut self, next: Next) -> bool {
        self.interrupted.stops() && (self.is_stopped() || self.stop(next))
    }

    /// Stops it, if the debugger has met something.
    #[cold]
    fn stop(&mut self, next: Next) -> bool {
        let now = self.now();
        let (poll, spent, turned, cursor) =
            (self.poll, self.is_spent(), self.is_turned(), self.cursor);
        let (paused, stirred) = (self.paused, self.board().has_pending_changes());
        let stopped = |stop, at| Stopped {
            stop,
            at,
            next,
            left: Left::default(),
            paused,
            stirred,
            spent,
            turned,
            cursor,
        };
        let stops = self
            .debugger_mut()
            .is_some_and(|debugger| debugger.stop(poll, stopped));
        if !stops {
            self.interrupted.set_stops(false);
            return false;
        }
        self.set_stopped(true);
        // The loops of the poll end.
        self.set_spent(true);
        self.paused = true;
        self.cold().pauses.begin(now);
        true
    }

    /// Returns true if what was written so far stops the walk.
    pub(crate) fn stops_at_writes(&mut self, plan: &Plan) -> bool {
        if self.debugger().is_some() {
            self.trace_writes(plan);
        }
        self.interrupted.stops()
    }

    /// Returns true if the walk stops before a node is entered, whose guards hold.
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

    /// Abandons a stopped walk where it is.
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
        let stopped = debugger.take_stopped()?;
        let stops = debugger.is_hit();
        self.set_stopped(false);
        self.set_spent(stopped.spent);
        self.set_turned(stopped.turned);
        self.cursor = stopped.cursor;
        self.paused = stopped.paused;
        self.interrupted.set_stops(stops);
        // What the host wrote meanwhile.
        let stirred = self.board().has_pending_changes() && !stopped.stirred;
        self.interrupted.react_if(stirred);
        Some(stopped)
    }

    fn left(&mut self) -> Option<&mut Left> {
        if !self.is_stopped() {
            return None;
        }
        let stopped = self.debugger_mut()?.stopped_mut()?;
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
                if self.may_continue() {
                    self.take_other_turns();
                } else {
                    self.core.cursor = NONE;
                    self.core.set_turned(true);
                }
            }
            (false, true) => {}
            (false, false) => {
                if !self.may_continue() {
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

    /// Does what remains to be done above the walk, until it is stopped again.
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
            && let Step::Jump(at, act) = self.start_requested()
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
        self.take_entry(position).wait.parked().map(|act| (at, act))
    }
}
