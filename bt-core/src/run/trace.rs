//! The records that a tracer gets, and their times.

mod stands;
mod waits;

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;

use serde_json::Value;

use super::core::Core;
use super::node_ref::{At, NOWHERE};
use super::plain::Moment;
use super::runner::Runner;
#[cfg(feature = "debug")]
use super::state::debugger::Debugger;
use super::state::trace::Trace;
use super::walk::Host;
use crate::trace::{Args, Held, Leave, Live, Picture, Properties, Role, Runs, Tracer, VALUE, What};
use crate::tree::plan::{Ask, NONE, Plan};
use crate::{Agent, Event};

impl<A: Agent> Runner<A> {
    /// Sets the tracer that gets all records from now on, and returns the previous one. Its first record is a
    /// [snapshot](crate::trace::What::Snapshot) of the current state.
    pub fn set_tracer(&mut self, tracer: Option<Box<dyn Tracer>>) -> Option<Box<dyn Tracer>> {
        self.core.set_tracer(&self.trees.0.plan, tracer)
    }

    /// With a tracer that records what happens.
    pub fn tracing(mut self, tracer: impl Tracer) -> Runner<A> {
        self.set_tracer(Some(Box::new(tracer)));
        self
    }

    /// The tracer, if there is one of that type.
    pub fn tracer<T: Tracer>(&self) -> Option<&T> {
        let tracer: &dyn Any = self.core.tracer()?;
        tracer.downcast_ref()
    }

    /// The state of the agent as a trace shows it: the trees that run, all keys, the active nodes.
    pub fn picture(&self) -> Picture {
        self.picture_with(&mut |_, value| Some(value.clone()))
    }

    /// The same with other values: what `shown` makes of each, none to leave it out. Nothing is copied that it does not
    /// copy.
    ///
    /// ```
    /// use bt_core::builtin::ActionAgent;
    /// use bt_core::trace::Held;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    ///
    /// let mut trees = TreeSet::<ActionAgent>::new();
    /// trees.add(TreeAsset::build("rest", "action_agent", action("nop")));
    /// let mut runner = Runner::new(&trees.build()?, "rest")?;
    /// runner.blackboard().set("map", "x".repeat(1_000_000));
    /// let short = runner.picture_with(&mut |held, value| match (held, value.as_str()) {
    ///     (Held::Key(_), Some(text)) => Some(text.len().into()),
    ///     _ => None,
    /// });
    /// assert_eq!(short.blackboard["map"], 1_000_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn picture_with(
        &self,
        shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>,
    ) -> Picture {
        self.core.picture_with(&self.trees.0.plan, shown)
    }
}

impl Core {
    /// The time of a record.
    #[inline(always)]
    pub(crate) fn moment(&self) -> Moment {
        Moment {
            ns: self.now(),
            poll: self.poll,
        }
    }

    #[inline]
    pub(super) fn trace_ref(&self) -> Option<&Trace> {
        self.cold.as_ref()?.trace.as_deref()
    }

    /// Puts another tracer in place of the one that there is, if any. It gets a snapshot of all that there is.
    pub(crate) fn set_tracer(
        &mut self,
        plan: &Plan,
        tracer: Option<Box<dyn Tracer>>,
    ) -> Option<Box<dyn Tracer>> {
        let is_new = tracer.is_some();
        self.session.settle();
        // What was written since the last poll is the end of the trace that there was.
        self.trace_explanation(plan);
        #[cfg_attr(
            not(feature = "debug"),
            expect(unused_mut, reason = "no debugger is taken from it")
        )]
        let mut before = match (tracer, &mut self.cold) {
            (None, None) => None,
            (tracer, cold) => {
                let cold = cold.get_or_insert_default();
                let trace = tracer.map(|tracer| Box::new(Trace::new(Some(tracer))));
                std::mem::replace(&mut cold.trace, trace)
            }
        };
        #[cfg(feature = "debug")]
        if let Some(debugger) = before.as_mut().and_then(|before| before.take_debugger()) {
            self.put_debugger(debugger);
        }
        self.begin_trace();
        if is_new {
            self.trace_scene(plan, false);
        }
        before.and_then(|before| before.into_tracer())
    }

    /// Notes what is traced from now on, if there is anybody who gets it.
    fn begin_trace(&mut self) {
        let is_traced = self.trace_ref().is_some();
        self.session.board().keep_journal(is_traced);
        self.session.set_traced(is_traced);
        self.update_is_traced();
    }

    pub(crate) fn tracer(&self) -> Option<&dyn Tracer> {
        self.trace_ref()?.tracer()
    }

    /// Says whether nodes are to be entered one at a time.
    pub(crate) fn update_is_traced(&mut self) {
        let cold = self.cold.as_ref();
        self.is_traced = cold.is_some_and(|cold| cold.results.are_kept() || cold.trace.is_some());
    }

    /// Lets the trace report something, after what was written before.
    #[inline(always)]
    pub(super) fn with_trace(&mut self, plan: &Plan, report: impl FnOnce(&mut Trace, &Core)) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        trace.catch_up(plan, self.moment(), self.board());
        report(&mut trace, self);
        #[cfg(feature = "debug")]
        self.look_after(plan, &mut trace);
        self.cold().trace = Some(trace);
    }

    /// Reports something, if there is a tracer.
    #[cold]
    pub(crate) fn trace(&mut self, plan: &Plan, at: At, what: What<'_>) {
        self.with_trace(plan, |trace, core| {
            trace.send(plan, core.moment(), core.board(), at, what)
        });
    }

    /// A node is entered.
    #[cold]
    pub(crate) fn trace_enter(&mut self, plan: &Plan, at: At) {
        self.with_trace(plan, |trace, core| {
            trace.lend(plan, core.moment(), core.board(), at, || What::NodeEnter)
        });
    }

    /// A node was exited.
    #[cold]
    pub(crate) fn trace_leave(&mut self, plan: &Plan, at: At, result: Leave, by: At) {
        self.with_trace(plan, |trace, core| {
            let by = match result {
                Leave::Aborted => trace.place(plan, by),
                Leave::Success | Leave::Failure => None,
            };
            trace.lend(plan, core.moment(), core.board(), at, || What::NodeLeave {
                result,
                by,
            });
        });
    }

    /// The agent is about to be called.
    #[cold]
    pub(crate) fn trace_call(&mut self, plan: &Plan, at: At, call: u32, role: Role) {
        self.with_trace(plan, |trace, core| {
            let what = || What::NodeAction {
                call: Cow::Borrowed(&*plan.calls[call as usize].name),
                args: Args::of(plan, call, core.session.board()),
                role,
            };
            trace.lend(plan, core.moment(), core.board(), at, what);
        });
    }

    /// The resume method of an action was called. What it wrote is traced afterwards.
    #[cold]
    pub(crate) fn trace_resumed(&mut self, plan: &Plan, at: At, call: u32) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        let what = || What::NodeAction {
            call: Cow::Borrowed(&*plan.calls[call as usize].name),
            args: Args::of(plan, call, self.session.board()),
            role: Role::Resume,
        };
        trace.lend(plan, self.moment(), self.board(), at, what);
        self.cold().trace = Some(trace);
    }

    /// A condition was evaluated for a node: that guard of it, or a condition of its own.
    #[cold]
    pub(crate) fn trace_guard(
        &mut self,
        plan: &Plan,
        at: At,
        ask: &Ask,
        guard: Option<u32>,
        holds: bool,
    ) {
        self.with_trace(plan, |trace, core| {
            let what = || What::Guard {
                call: Cow::Borrowed(&*plan.calls[ask.call as usize].name),
                args: Args::of(plan, ask.call, core.session.board()),
                not: ask.not,
                number: guard.unwrap_or(0),
                own: guard.is_none(),
                holds,
            };
            trace.lend(plan, core.moment(), core.board(), at, what);
        });
    }

    /// An expression was evaluated whose value a node takes: a note [`VALUE`].
    #[cold]
    pub(crate) fn trace_value(&mut self, plan: &Plan, at: At, text: &str, value: &Value) {
        self.with_trace(plan, |trace, core| {
            let board = core.session.board();
            let keys = crate::expression::keys(text).map(|key| (board.get(&key), key));
            let keys: serde_json::Map<_, _> = keys.map(|(value, key)| (key, value)).collect();
            let what = || What::Note {
                note: VALUE.into(),
                value: Cow::Owned(
                    serde_json::json!({"expression": text, "value": value, "keys": keys}),
                ),
            };
            trace.lend(plan, core.moment(), core.board(), at, what);
        });
    }

    /// An event was fired: by a node, or by the host.
    #[cold]
    pub(crate) fn trace_fired(&mut self, plan: &Plan, by: At, event: &Event) {
        let what = What::EventFired {
            event: event.name().into(),
            params: event.all_params().into(),
        };
        self.trace(plan, by, what);
    }

    /// Reports the agent's properties that have changed.
    #[cold]
    pub(crate) fn trace_properties(&mut self, plan: &Plan, host: &mut dyn Host, at: At) {
        self.with_trace(plan, |trace, core| {
            trace.set_last(at);
            let place = trace.place(plan, at);
            // What a getter asks the context for is not meant: it is called more often than without a
            // trace.
            core.session.aside(|cx| {
                host.each_property(cx, &mut |property, value| {
                    let now = (plan, core.moment(), core.board());
                    trace.property(now, (at, &place), property, value);
                });
            });
        });
    }

    /// The present state of the agent. Runs are counted as its trace does, if there is one.
    fn picture_with(
        &self,
        plan: &Plan,
        shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>,
    ) -> Picture {
        let mut active = Vec::new();
        self.active(plan, &mut active);
        let unseen = Properties::new();
        let seen = self.trace_ref().map(Trace::properties);
        let live = Live {
            plan,
            board: self.board(),
            runs: &self.runs(plan, &active),
            active: &active,
            properties: seen.unwrap_or(&unseen),
            label: &RefCell::default(),
            random: None,
        };
        live.picture_with(shown)
    }

    /// The numbers of the runs of trees, as its trace counts them, if there is one.
    pub(crate) fn runs(&self, plan: &Plan, active: &[At]) -> Cow<'_, Runs> {
        match self.trace_ref() {
            Some(trace) => Cow::Borrowed(trace.runs()),
            None => {
                let mut runs = Runs::default();
                self.count_runs(plan, active, &mut runs);
                Cow::Owned(runs)
            }
        }
    }

    /// Counts the runs of trees anew: those of which something is active, and the current one.
    fn count_runs(&self, plan: &Plan, active: &[At], runs: &mut Runs) {
        // A root that is yet to be entered belongs to a run that has begun.
        let places = active.iter().copied().chain(self.waiting());
        let roots = places.filter(|at| plan.parent(at.node) == NONE);
        let roots = roots.chain([self.base_root()]);
        let of_tree = roots.map(|at| (at.frame, plan.info(at.node).tree));
        runs.count(of_tree, |frame| self.frame(frame).board);
    }

    /// A poll begins.
    #[cold]
    pub(crate) fn trace_poll(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        let Some(trace) = &mut cold.trace else { return };
        match trace.wants_snapshot() {
            true => self.trace_scene(plan, true),
            false => self.trace(plan, NOWHERE, What::PollBegin),
        }
    }

    /// The random stream began anew: a snapshot shows its seed.
    #[cold]
    pub(crate) fn trace_seed(&mut self, plan: &Plan) {
        if self.trace_ref().is_some() {
            self.trace_writes(plan);
            self.trace_scene(plan, false);
        }
    }

    /// The trees are others now: where they mean what they did, there is nothing to report. What is not forced any
    /// more, in words.
    pub(crate) fn trace_reloaded(
        &mut self,
        plan: &Plan,
        node: impl Fn(u32) -> Option<u32>,
        tree: impl Fn(u32) -> Option<u32>,
    ) -> Vec<String> {
        let Some(cold) = &mut self.cold else {
            return Vec::new();
        };
        let Some(mut trace) = cold.trace.take() else {
            return Vec::new();
        };
        trace.set_last(NOWHERE);
        let board = |frame| self.frame(frame).board;
        trace.runs_mut().carry(tree, board);
        #[cfg(feature = "debug")]
        let lost = match trace.debugger_mut() {
            Some(debugger) => debugger.carry(plan, node),
            None => Vec::new(),
        };
        #[cfg(not(feature = "debug"))]
        let lost = {
            let (_, _) = (plan, node);
            Vec::new()
        };
        self.cold().trace = Some(trace);
        lost
    }

    /// A snapshot of what there is once the agent has moved to changed trees.
    pub(crate) fn trace_moved(&mut self, plan: &Plan) {
        let Some(trace) = self.cold.as_mut().and_then(|cold| cold.trace.as_mut()) else {
            return;
        };
        trace.set_last(NOWHERE);
        self.trace_scene(plan, true);
    }

    fn trace_scene(&mut self, plan: &Plan, in_poll: bool) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        for entry in &mut self.entries {
            entry.set_traced(false);
        }
        // Runs are counted anew.
        let mut active = trace.take_active();
        self.active(plan, &mut active);
        self.count_runs(plan, &active, trace.runs_mut());
        trace.snapshot(plan, self.moment(), &self.session, active);
        if let Some(stands) = self.stands_unseen(plan, trace.runs(), in_poll) {
            trace.send(
                plan,
                self.moment(),
                self.board(),
                NOWHERE,
                What::Stands(stands),
            );
        }
        for level in self.suspended().iter() {
            for entry in self.leaves(plan, &level.entries) {
                self.trace_wait(plan, &mut trace, entry, &level.held);
            }
        }
        let cold = self.cold();
        cold.trace = Some(trace);
        for level in cold.suspended.levels_mut() {
            level
                .entries
                .iter_mut()
                .for_each(|entry| entry.set_traced(true));
        }
        self.trace_waits(plan);
        self.trace_explanation(plan);
    }

    /// Reports what was written so far.
    #[cold]
    pub(crate) fn trace_writes(&mut self, plan: &Plan) {
        self.with_trace(plan, |_, _| ());
    }

    /// A tree begins in a frame, and its keys have been set.
    #[cold]
    pub(crate) fn trace_run(&mut self, plan: &Plan, frame: u32, root: u32) {
        let board = self.frame(frame).board;
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        let tree = plan.info(root).tree;
        #[cfg(feature = "debug")]
        if let Some(debugger) = trace.debugger_mut() {
            debugger.begin_run(plan, frame, self.frame(frame).caller);
        }
        if trace.runs_mut().begin(frame, tree) {
            let file = Cow::Borrowed(&*plan.trees[tree as usize].name);
            let at = At { frame, node: root };
            trace.send(
                plan,
                self.moment(),
                self.board(),
                at,
                What::PushTree { file },
            );
        }
        if let Some(board) = board {
            trace.runs_mut().open(frame, board);
        }
        trace.set_last(At { frame, node: root });
        self.cold().trace = Some(trace);
    }

    /// The blackboard was cleared: what is set now is set after that.
    #[cold]
    pub(crate) fn trace_clear(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        let board = self.session.board();
        trace.forget_writes(board);
        board.journal_all();
        trace.send(plan, self.moment(), self.board(), NOWHERE, What::BbClear);
        trace.catch_up(plan, self.moment(), self.board());
        self.cold().trace = Some(trace);
    }
}

#[cfg(feature = "debug")]
impl Core {
    pub(super) fn debugger(&self) -> Option<&Debugger> {
        self.trace_ref()?.debugger()
    }

    pub(super) fn debugger_mut(&mut self) -> Option<&mut Debugger> {
        self.cold.as_mut()?.trace.as_mut()?.debugger_mut()
    }

    /// The debugger; a new one, if there was none.
    pub(super) fn need_debugger(&mut self, plan: &Plan) -> &mut Debugger {
        if self.debugger().is_none() {
            self.session.settle();
            let is_traced = self.trace_ref().is_some();
            self.put_debugger(Box::default());
            self.begin_trace();
            if !is_traced {
                self.trace_scene(plan, false);
            }
        }
        let trace = self.cold().trace.as_mut();
        let debugger = trace.and_then(|trace| trace.debugger_mut());
        debugger.unwrap_or_else(|| unreachable!("it was put there"))
    }

    fn put_debugger(&mut self, debugger: Box<Debugger>) {
        let trace = &mut self.cold().trace;
        let trace = trace.get_or_insert_with(|| Box::new(Trace::new(None)));
        trace.set_debugger(Some(debugger));
    }

    /// Nobody debugs it any more.
    pub(super) fn drop_debugger(&mut self) {
        let Some(cold) = &mut self.cold else { return };
        if let Some(trace) = &mut cold.trace {
            trace.set_debugger(None);
            if trace.tracer().is_none() {
                cold.trace = None;
            }
        }
        self.begin_trace();
    }

    /// Lets the debugger see that a node is about to be entered.
    pub(super) fn look_at_entry(&mut self, plan: &Plan, at: At) {
        self.with_trace(plan, |trace, core| {
            trace.look_at_entry(plan, core.moment(), core.board(), at);
        });
    }

    /// Does what the debugger has said to what happened.
    fn look_after(&mut self, plan: &Plan, trace: &mut Trace) {
        let Some(debugger) = trace.debugger_mut() else {
            return;
        };
        let (logs, hits) = (debugger.take_logs(), debugger.is_hit());
        for (at, text) in logs {
            let what = What::Note {
                note: Cow::Borrowed("log"),
                value: Cow::Owned(text.into()),
            };
            trace.send_aside(plan, self.moment(), at, what);
        }
        if hits {
            self.interrupted.set_stops(true);
        }
    }
}
