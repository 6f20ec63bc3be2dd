//! The end of a call: the action ends, waits, or is called again.

use std::mem::take;

use serde_json::Value;

use super::asked::{LeafRequests, RESULT};
use super::core::Core;
use super::diagnostic::Diagnostic;
use super::node_ref::{At, NOWHERE};
use super::pending::More;
use super::plain::{Entry, Wait};
use super::state::reports::Above;
use super::state::timers::Purpose;
use super::walk::{Step, Walker};
use crate::blackboard::Scope;
use crate::call::{Exit, Left, Outcome};
use crate::trace::{Role, What};
use crate::tree::plan::{Arg, Call, NONE, Plan};

impl Core {
    /// Keeps why an action failed.
    fn note_failure(&mut self, plan: &Plan, node: u32, why: &str) {
        let (time, poll) = (self.now(), self.poll);
        let (tree, idx) = (&plan.tree_of(node).name, plan.info(node).idx);
        let parent = |at: &At| self.above(plan, *at);
        let above = std::iter::successors(parent(&self.here(node)), parent).map(|at| at.node);
        let above: Above = above.collect();
        let reports = &mut self.cold().reports;
        let Err(above) = reports.failed_again((tree, idx), why, above, (time, poll)) else {
            return;
        };
        let last = Diagnostic {
            tree: (&**tree).into(),
            node: Some(idx),
            place: plan.place(node),
            message: why.to_owned(),
            path: String::new(),
            time,
            poll,
            is_failure: true,
        };
        reports.failed(last, above);
    }

    /// Notes that the tree failed by the node that [decided](Core::decided), in the poll in which it began.
    pub(crate) fn note_tree_failed(&mut self, plan: &Plan) {
        let decided = self.deciding();
        if let (Some(cold), false) = (&mut self.cold, decided == NONE) {
            let tree = &plan.tree_of(decided).name;
            let node = (&**tree, plan.info(decided).idx);
            let path = |above: &[u32]| plan.path(above);
            cold.reports.tree_failed(node, self.poll, path);
        }
    }

    /// Notes that a tree failed that a node called: that node decides for its own tree now.
    pub(crate) fn note_called_failed(&mut self, caller: u32) {
        let decided = self.deciding();
        if let Some(cold) = &mut self.cold {
            cold.reports.called_failed(caller, decided);
        }
    }

    /// The node that [decided](Core::decided); for one that called a tree, the one that decided there.
    fn deciding(&self) -> u32 {
        let called = self.cold.as_ref().and_then(|cold| cold.reports.called());
        let inside = called.filter(|(caller, _)| *caller == self.decided);
        inside.map_or(self.decided, |(_, decided)| decided)
    }

    /// Takes keys by name, and those of their own tree, from where a node sees them.
    pub(crate) fn enter_scope(&mut self, plan: &Plan, node: u32) {
        self.enter(plan.info(node).scope);
    }

    /// Takes keys by name, and those of the running tree, from a scope.
    pub(crate) fn enter(&mut self, scope: Scope) {
        let frame = self.frame(self.frame).board;
        self.session.board().enter(frame.unwrap_or_default(), scope);
    }
}

impl Walker<'_> {
    /// Takes names, and keys of the tree's own, from where a node sees them.
    pub(crate) fn enter_scope(&mut self, node: u32) {
        if self.plan.scoped {
            self.core.enter_scope(self.plan, node);
        }
    }

    /// "; did you mean …" for a tree's name.
    pub(crate) fn near_tree(&self, name: &str) -> String {
        let names = self.plan.trees.iter().map(|tree| &*tree.name);
        crate::text::suggest(name, names)
    }

    /// Goes on after an action was called, for the first time or again.
    #[cold]
    pub(crate) fn called(&mut self, node: u32, call: u32, called: Option<Outcome>) -> Step {
        let at = self.core.here(node);
        let mut asked = self.take_requests(at);
        let waiting = self.core.find(at);
        let success = match called {
            Some(Outcome::Done(success)) => {
                self.log_result(node, call, &asked);
                success
            }
            Some(Outcome::Pending) => return self.pend(at, call, waiting, asked),
            Some(Outcome::Running) => {
                self.report_ignored(node, call, asked.time(), "`Running`");
                return self.keep_polling(at, waiting, asked.more);
            }
            Some(Outcome::Run) => {
                self.report(Some(node), "a decorator was called as an action".to_owned());
                false
            }
            None => match self.host.take_panic() {
                Some(text) => {
                    self.report(Some(node), format!("it panicked: {text}"));
                    false
                }
                None => {
                    let error = self.core.session.take_call_error();
                    self.report(Some(node), error.to_string());
                    if !error.is_write() && waiting.is_none() {
                        // It never began.
                        return Step::Done(false);
                    }
                    false
                }
            },
        };
        let mut held = waiting.and_then(|waiting| self.take_waiting(waiting).more);
        More::join(&mut held, asked.more.take());
        self.end_action(at, call, success, 0, &mut held);
        // The guards drop after the exit method, before the parent hears of it.
        self.discard(node, held);
        Step::Done(success)
    }

    /// Calls an action again that has not ended, with the guards that it keeps.
    pub(crate) fn call_again(&mut self, position: usize, call: u32) -> Option<Outcome> {
        let delta = self.core.runs_again(position);
        let entry = &mut self.core.entries[position];
        let node = entry.at.node;
        let more = entry.more.as_mut();
        let guards = more.filter(|more| !more.guards.is_empty());
        let mut guards = guards.map(|more| take(&mut more.guards));
        if let Some(guards) = &mut guards {
            self.core.session.swap_guards(guards);
        }
        self.core.session.set_again(true);
        let called = self.call_as(node, call, Role::Action, delta);
        self.core.session.set_again(false);
        if let Some(mut guards) = guards {
            self.core.session.swap_guards(&mut guards);
            if let Some(more) = &mut self.core.entries[position].more {
                more.guards = guards;
            }
        }
        called
    }

    fn keep_polling(&mut self, at: At, waiting: Option<usize>, more: Option<Box<More>>) -> Step {
        let position = match waiting {
            Some(position) => {
                if self.core.entries[position].wait != Wait::Polled {
                    self.core.rewait(position, Wait::Polled);
                }
                position
            }
            None => {
                self.core.wait(at, Wait::Polled);
                self.core.find(at).unwrap_or_default()
            }
        };
        self.add_more(position, more);
        Step::Blocked
    }

    pub(super) fn add_more(&mut self, position: usize, more: Option<Box<More>>) {
        More::join(&mut self.core.entries[position].more, more);
    }

    /// Makes an action wait for what it asked for.
    fn pend(&mut self, at: At, call: u32, waiting: Option<usize>, asked: LeafRequests) -> Step {
        match waiting {
            Some(position) => {
                if asked.deadline.is_some() {
                    self.drop_deadline(position);
                }
                self.core.rewait(position, Wait::Pending);
            }
            None => {
                self.core.wait(at, Wait::Pending);
            }
        }
        if self.ask(at, asked) {
            if let Some(success) = self.over_already(at) {
                let found = self.core.find(at);
                let mut held = found.and_then(|found| self.take_waiting(found).more);
                self.end_action(at, call, success, 0, &mut held);
                self.discard(at.node, held);
                return Step::Done(success);
            }
        } else {
            self.report_stuck(at.node, call);
        }
        Step::Blocked
    }

    /// Adds what an action asked for to what ends it; whether anything can.
    pub(super) fn ask(&mut self, at: At, asked: LeafRequests) -> bool {
        let Some(position) = self.core.find(at) else {
            return true;
        };
        self.add_more(position, asked.more);
        if let Some((polls, result)) = asked.polls {
            let until = self.core.poll.saturating_add(polls.max(1) - 1).max(1);
            self.core.until(position, until, result);
        }
        let entry = &self.core.entries[position];
        let ends = entry.until != 0 || entry.more.as_ref().is_some_and(|more| more.ends());
        if let Some((time, result)) = asked.deadline {
            self.core.set_timer(time, at, Purpose::End(result));
            return true;
        }
        ends
    }

    /// A new deadline takes the place of the one before.
    pub(super) fn drop_deadline(&mut self, position: usize) {
        let at = self.core.entries[position].at;
        self.core.timers.clear_end(at);
    }

    /// The result of a wait that ends in this very poll.
    pub(super) fn over_already(&self, at: At) -> Option<bool> {
        let entry = &self.core.entries[self.core.find(at)?];
        (entry.until != 0 && entry.until <= self.core.poll).then_some(entry.result())
    }

    /// Takes away an entry, and the timers of its node.
    pub(crate) fn take_waiting(&mut self, position: usize) -> Entry {
        let entry = self.core.take_entry(position);
        self.core.clear_timers(entry.at);
        entry
    }

    /// Calls the exit method of an action that has ended by itself, so many nanoseconds after its last call, and held
    /// that.
    pub(crate) fn end_action(
        &mut self,
        at: At,
        call: u32,
        success: bool,
        delta: u64,
        held: &mut Option<Box<More>>,
    ) {
        if self.plan.node(at.node).exits {
            let exit = if success {
                Exit::Success
            } else {
                Exit::Failure
            };
            self.call_exit(at, call, exit, delta, held);
            // What it asks for ends nothing any more.
            let asked = self.take_requests(at);
            self.discard(at.node, asked);
        }
    }

    /// Calls an exit method, which finds the guards of what it ends.
    pub(super) fn call_exit(
        &mut self,
        at: At,
        call: u32,
        exit: Exit,
        delta: u64,
        held: &mut Option<Box<More>>,
    ) -> Left {
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        if self.plan.scoped {
            self.core.enter_scope(self.plan, at.node);
        }
        // What an action before it gave as its reason is not the exit method's.
        drop(self.core.session.take_failure());
        let args = self.exit_args(call, held.as_deref());
        let mut guards = held.as_mut().map(|held| &mut held.guards);
        let mut guards = guards.take_if(|guards| !guards.is_empty());
        let session = &mut self.core.session;
        if let Some(guards) = &mut guards {
            session.swap_guards(guards);
        }
        session.set_again(true);
        let mut cx = session.context_after(at.node, delta);
        let left = self.host.exit(call, &mut cx, exit, &args);
        session.end_call();
        session.set_again(false);
        if let Some(guards) = &mut guards {
            session.swap_guards(guards);
        }
        self.trace_changes(at);
        self.core.frame = frame;
        if left.is_none() {
            let text = self.host.take_panic().unwrap_or_default();
            self.report(Some(at.node), format!("its exit method panicked: {text}"));
        } else if let Some(why) = self.core.session.take_failure() {
            self.report(Some(at.node), why);
        }
        left.unwrap_or(Left::Now)
    }

    /// The arguments of the call that an exit method ends, if it takes any: those that were kept with
    /// it; where all are in the tree, those.
    fn exit_args(&self, call: u32, held: Option<&More>) -> Value {
        let call = &self.plan.calls[call as usize];
        if !call.exit_takes {
            return Value::Null;
        }
        match held {
            Some(held) if !held.args.is_empty() => held.args.iter().cloned().collect(),
            _ => self.resolved(call).collect(),
        }
    }

    /// The arguments of a call that is about to be made.
    fn resolved<'c>(&'c self, call: &'c Call) -> impl Iterator<Item = Value> + 'c {
        let board = self.core.session.board();
        call.args.iter().map(|arg| match arg {
            Arg::Literal(value) => value.clone(),
            Arg::Key(_, id) | Arg::Property(_, id) => board.value(*id).unwrap_or_default(),
            Arg::Expression(computed) => board.value(computed.slot).unwrap_or_default(),
        })
    }

    /// Keeps the arguments of a call that is about to be made for its exit method, if that takes any
    /// and the tree does not have them all.
    pub(crate) fn keep_args(&mut self, call: u32) {
        let call = &self.plan.calls[call as usize];
        let is_fixed = |arg: &Arg| matches!(arg, Arg::Literal(_));
        if !call.args.iter().all(is_fixed) {
            let args = self.resolved(call).collect();
            self.core.session.keep_args(args);
        }
    }

    /// Aborts an action whose entry was taken away; whether it is over. One that is still cancelling
    /// waits again.
    pub(crate) fn abort_action(&mut self, mut entry: Entry, call: u32) -> bool {
        let at = entry.at;
        let delta = self.core.delta(entry.ran);
        let left = match self.plan.node(at.node).exits {
            true => self.call_exit(at, call, Exit::Aborted, delta, &mut entry.more),
            false => Left::Now,
        };
        let asked = self.take_requests(at);
        if left == Left::Now {
            self.report_ignored(at.node, call, asked.end(), "a result from its exit method");
            self.discard(at.node, (entry, asked));
            return true;
        }
        // What was to end the action ends no cancelling, but for its completion.
        if let Some(more) = &mut entry.more {
            more.cancelling();
        }
        self.core.wait(at, Wait::Cancelling).more = entry.more.take();
        let ends = self.ask(at, asked);
        if !ends {
            self.report_stuck(at.node, call);
        }
        if ends && self.over_already(at).is_none() {
            return false;
        }
        let position = self.core.find(at);
        let entry = position.map(|position| self.take_waiting(position));
        self.discard(at.node, entry);
        true
    }

    /// Reports, once for each action, that nothing can end its call.
    pub(super) fn report_stuck(&mut self, node: u32, call: u32) {
        if !self.core.cold().reports.is_newly_stuck(call) {
            return;
        }
        let place = self.host.defined(call);
        let text = format!(
            "it returned `None`, and nothing can finish it{place}: ask the context for a \
             `completion()`, `finish_after` or `finish_on` before returning `None`"
        );
        self.report(Some(node), text);
    }

    /// Logs why a call failed, if it said so; whether it did.
    pub(super) fn log_failure(&mut self, node: u32) -> bool {
        let Some(why) = self.core.session.take_failure() else {
            return false;
        };
        tracing::debug!(target: "bt", "{}: failed: {why}", self.plan.place(node));
        let at = self.core.here(node);
        self.core.note_failure(self.plan, node, &why);
        self.trace(at, What::Because { why: why.into() });
        true
    }

    /// The same of a call that has ended, and what it asked for in vain. One that gives a reason may have found out
    /// in between that it fails.
    pub(super) fn log_result(&mut self, node: u32, call: u32, asked: &LeafRequests) {
        if !self.log_failure(node) {
            self.report_ignored(node, call, asked.end(), RESULT);
        }
    }

    /// Reports what went wrong.
    #[cold]
    pub(crate) fn report(&mut self, node: Option<u32>, message: String) {
        let at = node.map_or(NOWHERE, |node| self.core.here(node));
        self.core.report(self.plan, at, message);
    }
}

impl Core {
    /// Reports what went wrong at a node, or at none.
    #[cold]
    pub(crate) fn report(&mut self, plan: &Plan, at: At, message: String) {
        let node = (at != NOWHERE).then_some(at.node);
        let tree = plan.tree_of(node.unwrap_or(self.root));
        let place = match node {
            Some(node) => plan.place(node),
            None => tree.name.to_string(),
        };
        tracing::warn!(target: "bt", "{place}: {message}");
        if self.is_traced {
            let message = message.as_str().into();
            self.trace(plan, at, What::Diagnostic { message });
        }
        let diagnostic = Diagnostic {
            tree: (&*tree.name).into(),
            node: node.map(|node| plan.info(node).idx),
            place,
            message,
            path: String::new(),
            time: self.now(),
            poll: self.poll,
            is_failure: false,
        };
        self.cold().reports.keep(diagnostic);
    }
}
