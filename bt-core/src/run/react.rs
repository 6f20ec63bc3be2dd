//! Between two steps of a walk: what actions asked for, keys that have changed, what continues.

use super::core::Request;
use super::node_ref::{At, NOWHERE};
use super::plain::{Due, Entry, Next, Phase, Quiet, Then, Wait};
use super::state::continuations::Continuation;
use super::walk::{Act, Step, Walker};
use crate::trace::Switch;
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// Returns the place where the walk continues after what was entered blocks, if there is one.
    #[inline]
    pub(crate) fn blocked(&mut self) -> Option<Step> {
        match self.continues() {
            true => self.continued(),
            false => None,
        }
    }

    /// Returns true if something is to be done once what was entered waits.
    #[inline]
    pub(super) fn continues(&self) -> bool {
        let cold = self.core.cold.as_ref();
        self.core.interrupted.any() || cold.is_some_and(|cold| !cold.continuations.is_empty())
    }

    fn continued(&mut self) -> Option<Step> {
        loop {
            let step = if self.core.interrupted.any() {
                if self.core.stops(Next::Blocked) {
                    return None;
                }
                self.react()
            } else if let Some(at) = self.take_deciding() {
                self.core.frame = at.frame;
                self.decide(at)
            } else if let Some(next) = self.take_continuation() {
                self.core.frame = next.at().frame;
                self.resume(next.at(), next.child())
            } else {
                return None;
            };
            if step != Step::Blocked {
                return Some(step);
            }
        }
    }

    /// The last continuation, but for that of a closed part of the tree, which waits until it is open.
    fn take_continuation(&mut self) -> Option<Continuation> {
        let all = self.core.cold.as_ref()?.continuations.all();
        let holds = self.core.holds_entries();
        let is_open = |next: &Continuation| {
            next.at() == NOWHERE
                || self.is_open(next.at()) && !(holds && self.is_entering(next.at()))
        };
        let last = all.iter().rposition(is_open)?;
        Some(self.core.cold.as_mut()?.continuations.take(last))
    }

    /// Returns true if the walk was parked at a node that is being entered.
    fn is_entering(&self, at: At) -> bool {
        let position = self.core.find(at);
        let act = position.and_then(|position| self.core.entries[position].wait.parked());
        act.is_some_and(|act| match act {
            Act::Enter | Act::EnterChecked | Act::TakeOver | Act::Begin(_) => true,
            Act::Done(_) | Act::Left(_) => false,
        })
    }

    /// A node below which everything has been done in this pass, and that decides then: the first one
    /// without another below it.
    fn take_deciding(&mut self) -> Option<At> {
        let deciding = self.core.cold.as_ref()?.continuations.deciding();
        let ready = |at: &At| self.is_open(*at) && !self.is_busy(*at);
        let first = deciding.iter().position(ready)?;
        Some(self.core.cold.as_mut()?.continuations.take_deciding(first))
    }

    /// Returns true if something below a node is still to be done in this pass.
    fn is_busy(&self, at: At) -> bool {
        let core = &*self.core;
        let Some(cold) = &core.cold else {
            return false;
        };
        let continuations = &cold.continuations;
        let is_below = |other: At| other != at && core.is_within(self.plan, other, at);
        let (from, to) = core.below(self.plan, at);
        // Nodes that there was no budget for are entered in one pass.
        let counts_last = self.plan.node(at.node).kind.behaviour().counts_last();
        let is_turn = core.is_turn();
        let in_order = is_turn || continuations.deadline().is_some();
        let has_turn = |entry: &Entry| {
            let within = |top| core.is_within(self.plan, entry.at, top);
            let is_called = counts_last
                && entry.wait == Wait::Polled
                && continuations.deadline().is_some_and(within);
            is_called || is_turn && entry.has_turn()
        };
        let is_to_do = |position: usize| {
            let entry = &core.entries[position];
            match entry.wait {
                Wait::Parked(_) => true,
                Wait::Due => counts_last && !core.is_spent(),
                Wait::Pending
                | Wait::Polled
                | Wait::Event
                | Wait::Timer
                | Wait::Turn
                | Wait::Again
                | Wait::Rerun
                | Wait::Cancelling => {
                    // A parallel with thresholds is decided by the first that ends it.
                    counts_last && continuations.is_ending(entry.order)
                        || entry.stamp != core.poll && has_turn(entry) && !self.holds(position)
                }
            }
        };
        (from..to).any(|position| core.entries[position].at != at && is_to_do(position))
            || continuations
                .deciding()
                .iter()
                .any(|other| is_below(*other))
            || continuations.all().iter().any(|next| is_below(next.at()))
            || self.reacts_below(at)
            || in_order
                && self
                    .next_watch(cold.observers.passed(), |watch| is_below(watch.at))
                    .is_some()
    }

    /// Returns true if guards below a node are still to react.
    fn reacts_below(&self, at: At) -> bool {
        let mut watches = self.core.observed().iter();
        watches.any(|watch| {
            matches!(watch.due, Due::Held(_))
                && watch.at != at
                && self.core.is_within(self.plan, watch.at, at)
                && !self.sleeps(watch)
        })
    }

    /// Applies what was requested, then evaluates the guards whose keys have changed.
    fn react(&mut self) -> Step {
        let request = self
            .core
            .cold
            .as_mut()
            .and_then(|cold| cold.requests.take());
        if let Some((request, by)) = request {
            return self.apply(by, request);
        }
        // The guards to the right react after what follows from this one.
        self.core.push_continuation(NOWHERE, NONE);
        let step = self.react_to_keys();
        match step {
            Step::Blocked => self.core.drop_reaction(),
            Step::Enter(_) | Step::Done(_) | Step::Jump(..) => self.core.hold_reactions(),
        }
        let board = self.core.session.board();
        let reacts = board.has_pending_changes() || self.has_request();
        self.core.interrupted.set_reacts(reacts);
        step
    }

    pub(super) fn has_request(&self) -> bool {
        self.core.requested().is_some()
    }

    /// Notes what a node requested. One of the host that is being applied outranks it.
    pub(super) fn request(&mut self, by: At, request: Request) {
        let cold = self.core.cold.as_ref();
        let host_applies = cold.is_some_and(|cold| cold.requests.host_applies());
        if !host_applies
            && self
                .leaves_tree()
                .is_none_or(|leaving| leaving.by != NOWHERE)
        {
            self.core.request(by, request);
        }
    }

    /// Does what an action, or the host, requested, in place of what was requested before and is still
    /// being applied.
    pub(crate) fn apply(&mut self, by: At, request: Request) -> Step {
        if !matches!(self.core.phase, Phase::Active | Phase::Stopping) {
            return self.apply_idle(by, request);
        }
        if request == Request::Stop {
            self.forget_arrivals();
        }
        self.begin_at_once();
        let (phase, then) = match request {
            Request::Stop => (Phase::Stopping, Then::Stop),
            Request::Reset(clear) => (Phase::Active, Then::Restart(clear)),
            Request::Load(tree) => (Phase::Active, Then::Load(tree)),
            Request::Afresh(tree) => (Phase::Active, Then::Afresh(tree)),
        };
        let changes = self.core.phase != phase;
        self.core.phase = phase;
        if let Some(cold) = &mut self.core.cold {
            // What is asked for now counts, and no start before it.
            cold.requests.set_starts_again(false);
        }
        let step = self.abort_tree(by, then);
        if self.core.is_traced && changes && self.core.phase == phase {
            self.core.trace_stands(self.plan);
        }
        step
    }

    /// The same where no tree runs.
    fn apply_idle(&mut self, by: At, request: Request) -> Step {
        self.begin_at_once();
        match request {
            Request::Stop => {
                if self.core.is_started() {
                    self.forget_arrivals();
                }
                self.core.phase = Phase::Idle;
            }
            Request::Reset(clear) => return self.carry_out(by, Then::Restart(clear), false),
            Request::Load(tree) | Request::Afresh(tree) => {
                if request == Request::Afresh(tree) {
                    self.forget(true);
                }
                let root = self.plan.trees[tree as usize].root;
                self.trace_switch(by, self.core.root, root, Switch::Load);
                self.core.root = root;
                if self.core.phase.result().is_some() {
                    self.core.phase = Phase::Due;
                } else if self.core.is_traced {
                    // It may take the place of a reset, which would have started the tree.
                    self.core.trace_stands(self.plan);
                }
            }
        }
        Step::Blocked
    }

    /// Continues with a node when what it entered waits, or was interrupted.
    fn resume(&mut self, at: At, child: u32) -> Step {
        if at == NOWHERE {
            self.core.release_reactions();
            self.core.interrupted.react();
            return Step::Blocked;
        }
        if child == NONE {
            let Some(position) = self.core.find(at) else {
                return Step::Blocked;
            };
            let Some(act) = self.core.entries[position].wait.parked() else {
                return Step::Blocked;
            };
            self.core.take_entry(position);
            return Step::Jump(at, act);
        }
        let step = self
            .plan
            .node(at.node)
            .kind
            .runs()
            .resume(self, at.node, child);
        self.placed(at, step)
    }

    /// A step of a node, with the place that it is about.
    pub(crate) fn placed(&self, at: At, step: Step) -> Step {
        let place = |node| At {
            frame: at.frame,
            node,
        };
        match step {
            Step::Enter(node) => Step::Jump(place(node), Act::Enter),
            Step::Done(success) => Step::Jump(at, Act::Done(success)),
            step => step,
        }
    }

    /// Lets a node end, or continue, once everything below it has been done in this pass.
    fn decide(&mut self, at: At) -> Step {
        self.core.frame = at.frame;
        let step = self.plan.node(at.node).kind.runs().decide(self, at.node);
        self.placed(at, step)
    }

    /// Stops a walk for guards to react to what was written, or for a debugger; then it continues there.
    pub(crate) fn park(&mut self, node: u32, act: Act) -> Step {
        self.park_as(node, act, Next::Parked)
    }

    /// The same; a debugger that stops it says how it continues.
    pub(super) fn park_as(&mut self, node: u32, act: Act, next: Next) -> Step {
        let at = self.core.here(node);
        self.core.wait(at, Wait::Parked(act));
        self.core.push_continuation(at, NONE);
        self.core.stops(next);
        Step::Blocked
    }

    /// The budget of the poll is spent: a node that was to be entered waits for the next one.
    #[cold]
    pub(crate) fn exhausted(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        if !self.core.is_spent() {
            self.core.set_spent(true);
            let mut path = vec![self.plan.info(node).idx.to_string()];
            let mut above = Some(at);
            while let Some(next) = above.and_then(|at| self.core.above(self.plan, at))
                && path.len() < 8
            {
                path.push(self.plan.info(next.node).idx.to_string());
                above = Some(next);
            }
            path.reverse();
            let most = self.core.max_budget;
            let text = format!(
                "budget exceeded: {most} nodes were entered in this poll: is there a loop below whose \
                 children end at once? This node was next (nodes {}); the agent continues here in \
                 the next poll",
                path.join(" > ")
            );
            self.report(Some(node), text);
        }
        self.core.wait(at, Wait::Due);
        Step::Blocked
    }
}

impl Walker<'_> {
    /// Drops the events that are queued, or were kept for who waits next.
    fn forget_arrivals(&mut self) {
        self.core.drop_queued_events(self.plan);
        if let Some(cold) = &mut self.core.cold {
            cold.inbox.clear_latched();
        }
    }

    /// Stops the tree from outside.
    pub(crate) fn stop(&mut self) {
        if let Some(cold) = &mut self.core.cold {
            cold.requests.take();
        }
        let step = self.apply(NOWHERE, Request::Stop);
        self.walk_on(step);
        if self.core.is_traced {
            self.core.trace_waits(self.plan);
        }
        self.core.quiet = Quiet::No;
    }
}
