//! Aborting what is active: innermost first, siblings in reverse order, each node left once.

use super::core::Core;
use super::node_ref::{At, NOWHERE};
use super::plain::{Due, Entry, Leaving, Phase, Then, Wait};
use super::walk::{Act, Step, Walker};
use crate::trace::{Leave, Switch, What};
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// Aborts what is active below a node, and the node itself if that is `inclusive`, and continues
    /// when all of it is gone.
    pub(crate) fn abort(&mut self, by: At, top: At, inclusive: bool, then: Then) -> Step {
        let replaces = self.drop_leaving_within(top);
        self.core.drop_continuations_within(self.plan, top);
        self.stir(Due::Now);
        self.take_down_for(by, top, inclusive, then);
        if self.is_left(top, inclusive) {
            let step = self.carry_out(by, then, false);
            if replaces {
                self.reopen();
            }
            return step;
        }
        let leaving = Leaving {
            top,
            inclusive,
            by,
            then,
            poll: self.core.poll,
        };
        self.core.cold().leaving.push(leaving);
        // “Writes of exits react when the abort is complete.”
        self.stir(Due::Abort);
        self.silence(top, inclusive);
        Step::Blocked
    }

    /// Drops the continuations of aborts inside of another one; returns true if there was one.
    fn drop_leaving_within(&mut self, top: At) -> bool {
        let Some(cold) = &mut self.core.cold else {
            return false;
        };
        let mut all = std::mem::take(&mut cold.leaving);
        let before = all.len();
        all.retain(|leaving| !self.core.is_within(self.plan, leaving.top, top));
        let any = all.len() < before;
        self.core.cold().leaving = all;
        any
    }

    /// Delivers what has come for parts of the tree that were closed, and lets their guards react.
    fn reopen(&mut self) {
        let cold = self.core.cold();
        cold.inbox.release();
        cold.observers.end_abort();
        let mut observed = self.core.observed().iter();
        let reacts = observed.any(|watch| watch.due != Due::No);
        self.core.interrupted.react_if(reacts);
    }

    /// Returns true if a place is closed: a child of a node above it is cancelling. Nothing there is entered
    /// or called, and what comes for it is held.
    pub(crate) fn is_closed(&self, at: At) -> bool {
        let Some(cold) = &self.core.cold else {
            return false;
        };
        cold.leaving
            .iter()
            .any(|leaving| match self.closed_by(leaving) {
                Some(parent) => at != parent && self.core.is_within(self.plan, at, parent),
                None => true,
            })
    }

    /// Returns true if a child of a node is cancelling, so that no other is entered.
    pub(crate) fn closes(&self, at: At) -> bool {
        let leaving = self.core.cold.iter().flat_map(|cold| &cold.leaving);
        let mut parents = leaving.map(|leaving| self.closed_by(leaving));
        parents.any(|parent| parent == Some(at)) || self.is_closed(at)
    }

    /// Returns true if a place is of the current tree, and not closed.
    pub(crate) fn is_open(&self, at: At) -> bool {
        self.core.frame(at.frame).level == self.core.level() && !self.is_closed(at)
    }

    /// The node whose children are closed as long as an abort is not complete; none for the whole tree.
    fn closed_by(&self, leaving: &Leaving) -> Option<At> {
        match leaving.inclusive {
            true => self.core.above(self.plan, leaving.top),
            false => Some(leaving.top),
        }
    }

    /// The abort that is not complete, if it is that of the whole current tree.
    pub(crate) fn leaves_tree(&self) -> Option<&Leaving> {
        let mut leaving = self.core.cold.iter().flat_map(|cold| &cold.leaving);
        leaving.find(|leaving| self.closed_by(leaving).is_none())
    }

    /// Nodes that stay only until what is below them has been cancelled have no time any more.
    fn silence(&mut self, top: At, inclusive: bool) {
        let mut timers = std::mem::take(&mut self.core.timers);
        timers.keep(|timer| {
            let cancels = |position: usize| self.core.entries[position].wait == Wait::Cancelling;
            !self.core.is_within(self.plan, timer.at(), top)
                || timer.at() == top && !inclusive
                || self.core.find(timer.at()).is_some_and(cancels)
        });
        self.core.timers = timers;
    }

    /// Aborts the whole current tree.
    pub(crate) fn abort_tree(&mut self, by: At, then: Then) -> Step {
        let root = self.core.base_root();
        self.abort(by, root, true, then)
    }

    /// Returns true if nothing below a node is active any more.
    fn is_left(&self, top: At, inclusive: bool) -> bool {
        if inclusive {
            let (from, to) = self.core.below(self.plan, top);
            from == to
        } else {
            !self.core.any_below(self.plan, top)
        }
    }

    /// Leaves all that can be left now. What exit methods request meanwhile does not count against the
    /// host, but it does against a reload, which asks for no other tree.
    fn take_down_for(&mut self, by: At, top: At, inclusive: bool, then: Then) {
        if by != NOWHERE || matches!(then, Then::Hold(_)) {
            return self.take_down(by, top, inclusive);
        }
        self.core.cold().requests.set_host_applies(true);
        self.take_down(by, top, inclusive);
        self.core.cold().requests.set_host_applies(false);
    }

    fn take_down(&mut self, by: At, top: At, inclusive: bool) {
        let (from, mut to) = self.core.below(self.plan, top);
        while to > from {
            let position = to - 1;
            let entry = &self.core.entries[position];
            if entry.wait == Wait::Cancelling || (!inclusive && entry.at == top) {
                to = position;
                continue;
            }
            let entry = self.core.take_entry(position);
            let (at, entered) = (entry.at, entry.wait.is_entered());
            if self.abort_entry(entry) {
                self.climb(by, at, top, inclusive, entered);
            }
            to = position;
        }
    }

    /// Aborts what an entry stands for; whether it is over, and not still cancelling.
    fn abort_entry(&mut self, entry: Entry) -> bool {
        self.core.clear_timers(entry.at);
        let action = self.plan.node(entry.at.node).kind.action();
        let Some(call) = action else { return true };
        match entry.wait {
            Wait::Pending | Wait::Polled => self.abort_action(entry, call),
            Wait::Event
            | Wait::Timer
            | Wait::Turn
            | Wait::Again
            | Wait::Rerun
            | Wait::Due
            | Wait::Cancelling
            | Wait::Parked(_) => true,
        }
    }

    /// Leaves a node, if it was entered, and those above it that nothing keeps active, as far as
    /// `top`.
    fn climb(&mut self, by: At, from: At, top: At, inclusive: bool, entered: bool) {
        let mut at = from;
        let mut entered = entered;
        let mut child = NONE;
        loop {
            if at == top && !inclusive {
                return;
            }
            if entered {
                // A node that waits itself, or below which something does, stays.
                if self.core.find(at).is_some() || self.core.any_below(self.plan, at) {
                    return;
                }
                self.leave_aborted(by, at, child);
            } else if self.plan.parent(at.node) == NONE {
                // A run of a tree that was called, and not entered yet, or is over already.
                self.close_frame(at.frame);
            }
            if at == top {
                return;
            }
            let Some(above) = self.core.above(self.plan, at) else {
                return;
            };
            child = at.node;
            at = above;
            entered = true;
        }
    }

    /// An aborted action has been cleaned up.
    pub(crate) fn cancelled(&mut self, position: usize) -> Step {
        let entry = self.take_waiting(position);
        let at = entry.at;
        // Its guards drop before its parent hears of it.
        self.discard(at.node, entry);
        let mut innermost: Option<(usize, Leaving)> = None;
        for (number, leaving) in self.core.cold().leaving.clone().iter().enumerate() {
            let is_inner = innermost
                .is_none_or(|(_, inner)| self.core.is_within(self.plan, leaving.top, inner.top));
            if self.core.is_within(self.plan, at, leaving.top) && is_inner {
                innermost = Some((number, *leaving));
            }
        }
        let Some((number, leaving)) = innermost else {
            return Step::Blocked;
        };
        self.climb(leaving.by, at, leaving.top, leaving.inclusive, true);
        if !self.is_left(leaving.top, leaving.inclusive) {
            return Step::Blocked;
        }
        let cold = self.core.cold();
        cold.leaving.remove(number);
        let is_last = cold.leaving.is_empty() && !cold.is_swapped;
        if is_last && self.core.moves() {
            // What follows is entered in the changed trees.
            self.core.hold_budget();
        }
        let late = leaving.poll != self.core.poll;
        let step = self.carry_out(leaving.by, leaving.then, late);
        self.reopen();
        step
    }

    /// Does what happens after an abort, which took more than this poll if it is `late`.
    pub(crate) fn carry_out(&mut self, by: At, then: Then, late: bool) -> Step {
        match then {
            Then::Go(at, Act::EnterChecked) if late => Step::Jump(at, Act::TakeOver),
            Then::Go(at, act) => Step::Jump(at, act),
            Then::Enter(child) => {
                let parent = At {
                    frame: child.frame,
                    node: self.plan.parent(child.node),
                };
                self.core.push_continuation(parent, child.node);
                Step::Jump(child, Act::Enter)
            }
            Then::Start(tree) => self.start_with_params(by, tree, Switch::Event),
            Then::Load(_) | Then::Afresh(_) | Then::Restart(_) | Then::Stop
                if self.core.level() > 0 =>
            {
                let phase = self.core.phase;
                self.back_to_suspended();
                self.core.phase = phase;
                self.abort_tree(by, then)
            }
            Then::Load(tree) => self.start_tree(by, tree, Switch::Load),
            Then::Afresh(tree) => {
                self.forget(true);
                self.start_tree(by, tree, Switch::Load)
            }
            Then::Transfer(_, from, tree) => {
                let step = self.start_tree(by, tree, Switch::Transfer);
                let values = self.core.cold().requests.take_handed();
                let kind = self.plan.node(from).kind.behaviour();
                self.write_args(self.core.base_root(), kind.tree_args(), values);
                step
            }
            Then::Restart(clear) => self.restart(by, clear),
            Then::Stop => {
                self.core.drop_held_events(self.plan);
                self.core.drop_queued_events(self.plan);
                let requests = &mut self.core.cold().requests;
                let again = requests.starts_again();
                requests.set_starts_again(false);
                self.core.phase = if again { Phase::Due } else { Phase::Idle };
                if self.core.is_traced && by != NOWHERE {
                    self.core.trace_stands(self.plan);
                }
                Step::Blocked
            }
            Then::Hold(at) => {
                self.core.wait(at, Wait::Due);
                Step::Blocked
            }
            Then::Nothing => Step::Blocked,
        }
    }

    fn restart(&mut self, by: At, clear: bool) -> Step {
        self.trace(by, What::Reset);
        self.forget(clear);
        self.core.phase = Phase::Due;
        if by != NOWHERE {
            self.core.set_rests(true);
        }
        Step::Blocked
    }

    /// Forgets what outlives the ends of trees; with `clear` the blackboard, too.
    pub(super) fn forget(&mut self, clear: bool) {
        let core = &mut *self.core;
        if let Some(cold) = &mut core.cold {
            cold.counters.clear();
            cold.observers.clear_failed_guards();
            cold.inbox.clear_latched();
        }
        if clear {
            core.session.board().clear();
            core.session.board().set_initial();
            if core.is_traced {
                core.trace_clear(self.plan);
            }
        }
    }

    /// Starts a tree as the current one.
    pub(crate) fn start_tree(&mut self, by: At, tree: u32, how: Switch) -> Step {
        let root = self.plan.trees[tree as usize].root;
        self.trace_switch(by, self.core.root, root, how);
        self.core.root = root;
        self.begin_root()
    }

    /// Enters the root of the current tree.
    pub(crate) fn begin_root(&mut self) -> Step {
        self.begin_at_once();
        self.core.phase = Phase::Active;
        self.core.began = self.core.poll;
        self.open_run(self.core.base(), self.core.root);
        Step::Jump(self.core.base_root(), Act::Enter)
    }

    /// Leaves one node that was aborted, and whose child was running, if it has any.
    pub(super) fn leave_aborted(&mut self, by: At, at: At, child: u32) {
        let child = (child != NONE).then_some(child);
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        self.plan
            .node(at.node)
            .kind
            .runs()
            .aborted(self, at.node, child);
        self.core.frame = frame;
        self.core.clear_timers(at);
        self.core.clear_state(at);
        self.core.clear_numbers(at);
        if self.plan.node(at.node).attached {
            self.left(at, None);
        }
        if self.core.is_traced {
            self.core.trace_leave(self.plan, at, Leave::Aborted, by);
        }
        if self.plan.parent(at.node) == NONE {
            self.close_frame(at.frame);
        }
    }

    /// The agent's current tree becomes another one.
    pub(crate) fn trace_switch(&mut self, by: At, from: u32, to: u32, how: Switch) {
        let plan = self.plan;
        let name = |root| (&*plan.tree_of(root).name).into();
        let (from, to) = (name(from), name(to));
        self.trace(by, What::TreeSwitched { from, to, how });
    }

    /// Begins a run of a tree.
    pub(crate) fn open_run(&mut self, frame: u32, root: u32) {
        if !self.core.is_traced {
            return self.open_board(frame, root);
        }
        // What was written before may be in the place of its keys.
        self.core.trace_writes(self.plan);
        self.open_board(frame, root);
        self.core.trace_run(self.plan, frame, root);
    }

    /// Gives a run of a tree its own keys, if it has any.
    fn open_board(&mut self, frame: u32, root: u32) {
        if !self.plan.scoped {
            return;
        }
        let tree = self.plan.tree_of(root);
        if !tree.scoped {
            return;
        }
        let opened = self.core.session.board().open(tree.scope);
        let found = self.core.frame(frame);
        if self.core.frames.is_empty() {
            self.core.frames.push(found);
        }
        self.core.frames[frame as usize].board = Some(opened);
    }

    /// Ends a run of a tree: its own keys are gone, and so is its frame, if it was called.
    pub(crate) fn close_frame(&mut self, frame: u32) {
        if self.core.frames.is_empty() {
            return;
        }
        let found = self.core.frame(frame);
        if let Some(board) = found.board {
            self.core.session.board().close(board);
            self.core.frames[frame as usize].board = None;
        }
        // That of the current tree's root is for the tree that may follow it.
        if frame != self.core.base() {
            self.core.cold().closed_frames.push(frame);
        }
    }
}

impl Core {
    /// The root of the tree that runs.
    pub(crate) fn base_root(&self) -> At {
        At {
            frame: self.base(),
            node: self.root,
        }
    }
}
