//! Guards that abort: when the answer of a condition may have changed, it is evaluated again.

use super::core::Core;
use super::node_ref::At;
use super::plain::{Due, KeySet, Then, Wait, Watch};
use super::state::pace::Pace;
use super::walk::{Act, Step, Walker};
use crate::kinds::reactive::ReactiveNode;
use crate::tree::plan::{Guard, NONE};

/// The answers of guards.
#[derive(Debug, Default)]
struct Answer {
    /// The first that does not hold.
    failed: Option<u32>,
    /// The keys that those follow which were evaluated, if the node may take over.
    keys: KeySet,
}

impl Walker<'_> {
    /// Returns true if one of a node's guards does not hold.
    pub(crate) fn refuses(&mut self, node: u32) -> bool {
        let at = self.core.here(node);
        let answer = self.evaluate(at, |_| true);
        let is_refused = answer.failed.is_some();
        if self.takes_over(node) {
            self.watch_lower(at, answer);
        }
        if is_refused {
            self.unwatch_own(at);
        }
        is_refused
    }

    /// A node is not entered: the guards that would abort it are not observed.
    pub(super) fn unwatch_own(&mut self, at: At) {
        let Some(cold) = &mut self.core.cold else {
            return;
        };
        let observers = &mut cold.observers;
        observers.retain(|watch| watch.at != at || !watch.own);
    }

    /// Observes, without evaluating them, the guards of a child that is passed over. They are evaluated in
    /// a later turn; “the last known value” is that of an earlier run of the parent.
    pub(crate) fn watch_unevaluated(&mut self, node: u32) {
        if self.takes_over(node) {
            // What was written before is none of its business.
            self.stir(Due::Now);
            let at = self.core.here(node);
            let refused = self.core.cold().observers.has_failed_guards(node);
            let failed = refused.then_some(0);
            let keys = self.followed_unevaluated(node);
            self.watch_lower(at, Answer { failed, keys }).due = Due::Later;
        }
    }

    /// The keys that the guards of a child follow which is passed over: those among their arguments, and those of the
    /// names that they read in an earlier run, as they are in this run of the tree.
    fn followed_unevaluated(&mut self, node: u32) -> KeySet {
        let plan = self.plan;
        let mut keys = KeySet::default();
        if plan.scoped {
            self.core.enter(plan.outer_scope(node));
        }
        let guards = plan.guards(node).iter();
        let read = guards.filter(|guard| !guard.ask.every);
        let board = self.core.session.board();
        let written = read.clone().flat_map(|guard| guard.ask.keys.iter());
        written.for_each(|key| keys.add(board.observe(*key)));
        if let Some(cold) = &self.core.cold
            && read.count() > 0
        {
            let followed = cold.observers.followed(node).iter();
            followed.for_each(|name| keys.add(board.observe(board.intern(name))));
        }
        keys
    }

    /// Returns true if a node may take over from a sibling to its right.
    fn takes_over(&self, node: u32) -> bool {
        self.plan.guards(node).iter().any(|guard| guard.lower)
    }

    /// Evaluates some of a node's guards in order, up to the first that does not hold. Those that abort
    /// their own node are observed from now on. “With one `lower` or `both` all are observed”: those after
    /// the first that does not hold are evaluated for the keys that they follow.
    fn evaluate(&mut self, at: At, of: impl Fn(u32) -> bool) -> Answer {
        let lower = self.takes_over(at.node);
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        let mut answer = Answer::default();
        if lower {
            answer.keys = self.core.cold().observers.take_keys();
        }
        for (guard, number) in self.plan.guards(at.node).iter().zip(0..) {
            let is_moot = answer.failed.is_some();
            if !of(number) || is_moot && (!lower || guard.ask.every) {
                continue;
            }
            let (holds, keys) = self.evaluate_guard(at, number, guard, lower);
            if lower {
                answer.keys.join(&keys);
            }
            if guard.own && !is_moot {
                self.watch(at, number, true, holds, keys);
            } else {
                self.give_keys(keys);
            }
            if self.has_request() {
                // It counts before anything else is evaluated.
                break;
            }
            if !holds {
                answer.failed = answer.failed.or(Some(number));
            }
        }
        self.core.frame = frame;
        answer
    }

    /// Evaluates a guard. The keys that it looks at are observed from now on, if its answer matters later.
    fn evaluate_guard(
        &mut self,
        at: At,
        number: u32,
        guard: &Guard,
        lower: bool,
    ) -> (bool, KeySet) {
        let is_observed = !guard.ask.every && (guard.own || lower);
        if is_observed {
            self.core.session.board().record_reads();
        }
        let interrupted = self.core.interrupted.reacts();
        let scope = self.plan.outer_scope(at.node);
        let holds = self.ask_condition(at.node, scope, &guard.ask, Some(number));
        if self.stir(Due::Later) {
            // What a guard writes is no reason to evaluate guards again and again in this poll.
            let reacts = interrupted || self.has_request();
            self.core.interrupted.set_reacts(reacts);
        }
        let mut follows = KeySet::default();
        if is_observed {
            follows = self.core.cold().observers.take_keys();
            let mut keys = self.core.cold().observers.take_scratch();
            let board = self.core.session.board();
            board.take_reads(&mut keys);
            keys.extend(guard.ask.keys.iter().copied());
            for key in keys.drain(..) {
                follows.add(board.observe(key));
            }
            self.core.cold().observers.give_scratch(keys);
        }
        if self.core.is_traced {
            self.core.note_answer(self.plan, at, number, holds);
        }
        (holds, follows)
    }

    /// Notes the answers of all guards of a node, and observes them from now on.
    fn watch_lower(&mut self, at: At, answer: Answer) -> &mut Watch {
        let holds = answer.failed.is_none();
        self.watch(at, answer.failed.unwrap_or(0), false, holds, answer.keys)
    }

    /// Notes the answers of guards, and observes them from now on.
    fn watch(&mut self, at: At, guard: u32, own: bool, last: bool, keys: KeySet) -> &mut Watch {
        let watch = Watch {
            at,
            guard,
            own,
            last,
            due: Due::No,
            stamp: self.core.poll,
            keys,
        };
        let mut observers = std::mem::take(&mut self.core.cold().observers);
        // Those of the siblings come before the node's own.
        let position = observers.observe(watch, |other| match other.at == at {
            true => own || !other.own,
            false => self.core.is_before(other.at, at),
        });
        let cold = self.core.cold();
        cold.observers = observers;
        cold.observers.get_mut(position)
    }

    /// A node has ended: its own guards are observed no more, nor are those of its children.
    pub(crate) fn unwatch(&mut self, at: At) {
        let plan = self.plan;
        let Some(cold) = &mut self.core.cold else {
            return;
        };
        if plan.node(at.node).kind.behaviour().begins_later() {
            let children = cold.observers.all().iter().filter(|watch| !watch.own);
            let children = children.filter(|watch| plan.parent(watch.at.node) == at.node);
            let children: Vec<_> = children.cloned().collect();
            let run = self.core.frames.get(at.frame as usize);
            let run = run.and_then(|frame| frame.board);
            let board = self.core.session.board();
            for child in children {
                let node = child.at.node;
                cold.observers.set_failed_guards(node, !child.last);
                // The next run of the tree has other keys by the same names.
                let names = board.observed_names(run, |key| child.keys.has(key));
                cold.observers.set_followed(node, names);
            }
        }
        cold.observers.retain(|watch| {
            let is_child = watch.at.frame == at.frame && plan.parent(watch.at.node) == at.node;
            !(watch.own && watch.at == at || is_child)
        });
    }

    /// Notes that keys which guards follow have changed; whether any of the guards is observed.
    #[inline]
    pub(super) fn stir(&mut self, when: Due) -> bool {
        self.core.session.board().has_pending_changes() && self.stir_guards(when)
    }

    fn stir_guards(&mut self, when: Due) -> bool {
        let Some(cold) = &mut self.core.cold else {
            return false;
        };
        if cold.is_swapped {
            return false;
        }
        let mut keys = cold.observers.take_scratch();
        self.core.session.board().take_stirred(&mut keys);
        let any = cold.observers.stir(&keys, when);
        keys.clear();
        cold.observers.give_scratch(keys);
        any
    }

    /// Returns true if any guard is to be evaluated in the next poll because of what has happened.
    pub(super) fn watches_are_due(&self) -> bool {
        let mut watches = self.core.observed().iter();
        watches.any(|watch| watch.due > Due::Abort && !self.sleeps(watch))
    }

    /// Returns true if any guard is to be evaluated in the next turn, whatever happens until then.
    pub(super) fn watches_look(&self) -> bool {
        let pace = self.core.its_pace();
        let on_wake = pace.is_some_and(Pace::guards_on_wake);
        let mut watches = self.core.observed().iter();
        watches.any(|watch| watch.looks(self.plan, on_wake))
    }

    /// Evaluates the guards whose keys were written, in the order of the turn, up to the first that has
    /// consequences; these.
    ///
    /// “A reactive ancestor whose turn is still to come takes it first.”
    pub(crate) fn react_to_keys(&mut self) -> Step {
        self.stir(Due::Now);
        let mut number = 0;
        while let Some(watch) = self.core.observed().get(number) {
            if watch.due != Due::Now || self.sleeps(watch) {
                if watch.due == Due::Now && self.waits_for_sibling(watch) {
                    self.core.cold().observers.get_mut(number).due = Due::Later;
                }
                number += 1;
                continue;
            }
            let before = self.core.observed().len();
            let step = match self.reactive_above(number) {
                Some(reactive) => self.tick(reactive),
                None => self.reevaluate(number),
            };
            if step != Step::Blocked || self.has_request() {
                // What a guard requested is applied before another is evaluated.
                return step;
            }
            // Something may have been aborted, and the others have moved.
            if self.core.observed().len() != before {
                number = 0;
            }
        }
        Step::Blocked
    }

    /// The next guards whose turn it is, from a number on, and whose node passes the test.
    pub(crate) fn next_watch(&self, from: usize, test: impl Fn(&Watch) -> bool) -> Option<usize> {
        let watches = self.core.observed();
        let poll = self.core.poll;
        let has_turn = |watch: &Watch| {
            let is_due = match watch.due {
                Due::Turn | Due::Held(_) | Due::Now => true,
                Due::Later => watch.stamp != poll,
                Due::No | Due::Abort => watch.stamp != poll && watch.is_polled(self.plan),
            };
            is_due && test(watch) && !self.sleeps(watch)
        };
        let found = watches.get(from..)?.iter().position(has_turn)?;
        Some(from + found)
    }

    /// Returns true if nothing runs that a node's guards could abort.
    pub(super) fn sleeps(&self, watch: &Watch) -> bool {
        self.is_closed(watch.at)
            || match watch.own {
                // It is observed before its node is entered.
                true => !self.core.is_active(self.plan, watch.at),
                false => {
                    self.core.is_disabled(watch.at.node) || self.running_sibling(watch.at).is_none()
                }
            }
    }

    /// Returns true if guards are evaluated once a sibling to the right runs, and not before.
    fn waits_for_sibling(&self, watch: &Watch) -> bool {
        let position = self.core.find(watch.at);
        let takes_over = position.is_some_and(|position| {
            self.core.entries[position].wait == Wait::Parked(Act::EnterChecked)
        });
        !watch.own
            && !takes_over
            && !self.is_closed(watch.at)
            && self.running_sibling(watch.at).is_none()
    }

    /// The entry of the outermost reactive node above guards whose turn in this poll is still to come.
    fn reactive_above(&self, number: usize) -> Option<usize> {
        if self.core.turns == 0 {
            return None;
        }
        let guarded = self.core.observed()[number].at;
        let above = std::iter::successors(self.core.above(self.plan, guarded), |at| {
            self.core.above(self.plan, *at)
        });
        // One whose first child runs has nothing to evaluate in its turn.
        let evaluates = |at: &At| {
            let running = self.core.running_child(*at);
            running.is_some_and(|child| child != at.node + 1)
        };
        let reactive = above.filter(evaluates).filter_map(|at| self.core.find(at));
        let poll = self.core.poll;
        reactive
            .filter(|entry| self.core.entries[*entry].stamp != poll)
            .last()
    }

    /// The sibling to the right of a node that runs.
    fn running_sibling(&self, at: At) -> Option<At> {
        let parent = self.plan.parent(at.node);
        let of = At {
            frame: at.frame,
            node: parent,
        };
        let (from, to) = self.core.below(self.plan, of);
        let last = self.core.entries[from..to].last()?;
        let takes_over = last.wait == Wait::Parked(Act::EnterChecked);
        if takes_over && last.at.frame == at.frame && self.plan.parent(last.at.node) == parent {
            // It does not run yet. The sibling of one further down does.
            return None;
        }
        let last = self.core.lifted(last.at, at.frame)?;
        (last.node >= self.plan.node(at.node).end).then(|| At {
            frame: at.frame,
            node: self.plan.child_towards(parent, last.node),
        })
    }

    /// Evaluates observed guards again; what follows.
    pub(crate) fn reevaluate(&mut self, number: usize) -> Step {
        let &Watch {
            at,
            own,
            last,
            guard,
            ..
        } = &self.core.observed()[number];
        let answer = self.evaluate(at, |number| !own || guard == number);
        if self.has_request() {
            return Step::Blocked;
        }
        if own {
            let failed = answer.failed;
            // One answer counts for both.
            self.share_answer(at, answer);
            if failed.is_none() {
                return Step::Blocked;
            }
            return self.abort(at, at, true, Then::Go(at, Act::Left(false)));
        }
        let holds = answer.failed.is_none();
        self.watch_lower(at, answer);
        match self.running_sibling(at) {
            Some(sibling) if holds && !last => {
                self.abort(at, sibling, true, Then::Go(at, Act::EnterChecked))
            }
            _ => {
                self.unwatch_own(at);
                Step::Blocked
            }
        }
    }

    /// Lets the answer of a guard that aborts its own node count for the siblings to its right, too.
    fn share_answer(&mut self, at: At, mut answer: Answer) {
        let is_only = self.plan.guards(at.node).len() == 1;
        if !self.takes_over(at.node) || !is_only && answer.failed.is_none() {
            return self.give_keys(answer.keys);
        }
        let mut others = self.core.observed().iter();
        if let Some(known) = others.find(|watch| watch.at == at && !watch.own) {
            answer.keys.join(&known.keys);
        }
        self.watch_lower(at, answer);
    }

    /// Keeps the memory of keys that no guard follows.
    fn give_keys(&mut self, keys: KeySet) {
        if let Some(cold) = &mut self.core.cold {
            cold.observers.give_keys(keys);
        }
    }

    /// A node takes over, in the poll in which its guards were evaluated. They are evaluated anew if an exit
    /// wrote a key that they follow.
    pub(crate) fn enter_taken_over(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        if self.core.holds_entries() {
            return self.hold_winner(at);
        }
        let mut watches = self.core.observed().iter();
        let lower = watches.find(|watch| watch.at == at && !watch.own);
        let is_due = lower.is_some_and(|watch| watch.due >= Due::Held(0));
        if is_due && self.refuses(node) {
            return Step::Jump(at, Act::Left(false));
        }
        self.enter_checked(node)
    }

    /// A node takes over later. “Where the abort took more than this poll, guards are checked again on entry, from the leftmost”.
    pub(crate) fn take_over(&mut self, winner: u32) -> Step {
        if self.core.holds_entries() {
            return self.hold_winner(self.core.here(winner));
        }
        let plan = self.plan;
        let parent = plan.parent(winner);
        let children = plan.children(parent).take_while(|child| *child <= winner);
        for child in children {
            let is_there = !self.core.is_disabled(child);
            // In changed trees the winner may have no guards any more.
            let may_enter = child == winner || self.takes_over(child);
            if is_there && may_enter && !self.refuses(child) {
                return Step::Jump(self.core.here(child), Act::EnterChecked);
            }
        }
        Step::Jump(self.core.here(winner), Act::Left(false))
    }

    /// A node that takes over is entered once the agent has moved to changed trees, as they have it.
    fn hold_winner(&mut self, at: At) -> Step {
        self.core.wait(at, Wait::Parked(Act::TakeOver));
        self.core.push_continuation(at, NONE);
        Step::Blocked
    }
}

impl Core {
    /// The child of a reactive node that runs.
    fn running_child(&self, at: At) -> Option<u32> {
        let running = self.state::<ReactiveNode>(at)?;
        Some(running.child())
    }
}
