//! Which records a tracer gets, and when.

mod stands;
mod waits;

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;

use super::core::Core;
#[cfg(feature = "debug")]
use super::debug::Debugger;
use super::explain::Explained;
use super::node_ref::{At, NOWHERE};
use super::runner::Runner;
use super::sink::Sink;
use super::walk::Host;
use crate::blackboard::KeyId;
use crate::trace::{
    Args, Leave, Live, Picture, Place, Properties, Role, Runs, Scene, Shown, Tracer, What,
};
use crate::tree::plan::{Ask, NONE, Plan};
use crate::{Agent, Event};

/// A tracer, and what its records are made with.
pub(crate) struct Trace {
    sink: Sink,
    runs: Runs,
    /// The node that was traced last: it made the next writes.
    last: At,
    active: Vec<At>,
    keys: Vec<KeyId>,
    /// What was traced of properties.
    properties: Properties,
    label: String,
    /// The same, for snapshots.
    labels: RefCell<String>,
    explained: Explained,
    #[cfg(feature = "debug")]
    debugger: Option<Box<Debugger>>,
}

impl Trace {
    fn new(tracer: Option<Box<dyn Tracer>>) -> Trace {
        let mut sink = Sink(tracer);
        Trace {
            explained: Explained::new(sink.wants_explanations()),
            sink,
            runs: Runs::default(),
            last: NOWHERE,
            active: Vec::new(),
            keys: Vec::new(),
            properties: Properties::default(),
            label: String::new(),
            labels: RefCell::default(),
            #[cfg(feature = "debug")]
            debugger: None,
        }
    }

    #[inline(always)]
    fn place<'a>(&self, plan: &'a Plan, at: At) -> Option<Place<'a>> {
        (at.node != NONE).then(|| Place::of(plan, self.runs.run(plan, at), at.node))
    }

    /// Reports what was written since the last record.
    #[inline(always)]
    fn catch_up(&mut self, plan: &Plan, core: &Core) {
        if core.session.board().has_journal() {
            self.tell_writes(plan, core);
        }
    }

    #[inline(never)]
    fn tell_writes(&mut self, plan: &Plan, core: &Core) {
        let board = core.session.board();
        let mut keys = std::mem::take(&mut self.keys);
        board.take_journal(&mut keys);
        for key in keys.drain(..) {
            if !self.runs.label(core, key, &mut self.label) {
                continue;
            }
            let at = self.place(plan, self.last);
            let key_name = Cow::Borrowed(self.label.as_str());
            let value = board.lent(key);
            let what = match value.as_deref() {
                Some(value) => What::BbSet {
                    key: key_name,
                    value: Cow::Borrowed(value),
                },
                None => What::BbRemove { key: key_name },
            };
            #[cfg(feature = "debug")]
            if let Some(debugger) = &mut self.debugger {
                debugger.look(plan, core, self.last, at.as_ref(), &what);
            }
            self.sink.send(core, at, what);
        }
        self.keys = keys;
    }

    #[inline(always)]
    fn send(&mut self, plan: &Plan, core: &Core, at: At, what: What<'_>) {
        self.last = at;
        let place = self.place(plan, at);
        #[cfg(feature = "debug")]
        if let Some(debugger) = &mut self.debugger
            // It has seen that before.
            && !matches!(what, What::NodeEnter)
        {
            debugger.look(plan, core, at, place.as_ref(), &what);
        }
        self.sink.send(core, place, what);
    }

    /// The same for what is lent in all its parts.
    #[inline(always)]
    fn lend<'a>(&mut self, plan: &'a Plan, core: &Core, at: At, what: impl FnOnce() -> What<'a>) {
        #[cfg(feature = "debug")]
        if self.debugger.is_some() {
            return self.send(plan, core, at, what());
        }
        self.last = at;
        let place = self.place(plan, at);
        self.sink.lend(core, place, what);
    }

    fn snapshot(&mut self, plan: &Plan, core: &Core) {
        // Runs are counted anew.
        self.explained.forget();
        self.active.clear();
        core.active(plan, &mut self.active);
        self.runs.count(plan, core, &self.active);
        // It shows what is in the journal.
        self.keys.clear();
        core.session.board().take_journal(&mut self.keys);
        self.keys.clear();
        self.last = NOWHERE;
        let live = Live {
            plan,
            core,
            runs: &self.runs,
            active: &self.active,
            properties: &self.properties,
            label: &self.labels,
        };
        let scene = Scene(Shown::Live(live));
        self.sink.send(core, None, What::Snapshot(scene));
    }
}

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

    /// What there is now, as a trace shows it: the trees that run, all keys, the active nodes.
    pub fn picture(&self) -> Picture {
        self.core.picture(&self.trees.0.plan)
    }
}

impl Core {
    #[inline]
    fn trace_ref(&self) -> Option<&Trace> {
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
        if let Some(debugger) = before.as_mut().and_then(|before| before.debugger.take()) {
            self.put_debugger(debugger);
        }
        self.begin_trace();
        if is_new {
            self.tell_scene(plan, false);
        }
        before.and_then(|mut before| before.sink.0.take())
    }

    /// Notes what is traced from now on, if there is anybody who gets it.
    fn begin_trace(&mut self) {
        let is_traced = self.trace_ref().is_some();
        self.session.board().keep_journal(is_traced);
        self.session.set_traced(is_traced);
        self.looks_again();
    }

    pub(crate) fn tracer(&self) -> Option<&dyn Tracer> {
        self.trace_ref()?.sink.0.as_deref()
    }

    /// Says whether nodes are to be entered one at a time.
    pub(crate) fn looks_again(&mut self) {
        let cold = self.cold.as_ref();
        self.looks = cold.is_some_and(|cold| cold.results.are_kept() || cold.trace.is_some());
    }

    /// Lets the trace say something, after what was written before.
    #[inline(always)]
    fn tell(&mut self, plan: &Plan, tell: impl FnOnce(&mut Trace, &Core)) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        trace.catch_up(plan, self);
        tell(&mut trace, self);
        #[cfg(feature = "debug")]
        self.look_after(plan, &mut trace);
        self.cold().trace = Some(trace);
    }

    /// Tells of something, if anybody wants to know.
    #[cold]
    pub(crate) fn trace(&mut self, plan: &Plan, at: At, what: What<'_>) {
        self.tell(plan, |trace, core| trace.send(plan, core, at, what));
    }

    /// A node is entered.
    #[cold]
    pub(crate) fn trace_enter(&mut self, plan: &Plan, at: At) {
        self.tell(plan, |trace, core| {
            trace.lend(plan, core, at, || What::NodeEnter)
        });
    }

    /// A node was exited.
    #[cold]
    pub(crate) fn trace_leave(&mut self, plan: &Plan, at: At, result: Leave, by: At) {
        self.tell(plan, |trace, core| {
            let by = match result {
                Leave::Aborted => trace.place(plan, by),
                _ => None,
            };
            trace.lend(plan, core, at, || What::NodeLeave { result, by });
        });
    }

    /// The agent is about to be called.
    #[cold]
    pub(crate) fn trace_call(&mut self, plan: &Plan, at: At, call: u32, role: Role) {
        self.tell(plan, |trace, core| {
            let what = || What::NodeAction {
                call: Cow::Borrowed(&*plan.calls[call as usize].name),
                args: Args::of(plan, call, core.session.board()),
                role,
            };
            trace.lend(plan, core, at, what);
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
        trace.lend(plan, self, at, what);
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
        self.tell(plan, |trace, core| {
            let what = || What::Guard {
                call: Cow::Borrowed(&*plan.calls[ask.call as usize].name),
                args: Args::of(plan, ask.call, core.session.board()),
                not: ask.not,
                number: guard.unwrap_or(0),
                own: guard.is_none(),
                holds,
            };
            trace.lend(plan, core, at, what);
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
        self.tell(plan, |trace, core| {
            trace.last = at;
            let place = trace.place(plan, at);
            let (sink, told) = (&mut trace.sink, &mut trace.properties);
            #[cfg(feature = "debug")]
            let debugger = &mut trace.debugger;
            // What a getter asks the context for is not meant: it is called more often than without a
            // trace.
            core.session.aside(|cx| {
                host.each_property(cx, &mut |property, value| {
                    if told.get(property) == Some(&value) {
                        return;
                    }
                    let what = What::PropertySet {
                        property: Cow::Borrowed(property),
                        value: Cow::Borrowed(&value),
                    };
                    #[cfg(feature = "debug")]
                    if let Some(debugger) = debugger.as_mut() {
                        debugger.look(plan, core, at, place.as_ref(), &what);
                    }
                    sink.send(core, place.clone(), what);
                    told.insert(property, value);
                });
            });
        });
    }

    /// What there is now. Runs are counted as its trace does, if there is one.
    pub(crate) fn picture(&self, plan: &Plan) -> Picture {
        let mut active = Vec::new();
        self.active(plan, &mut active);
        let unseen = Properties::new();
        let seen = self.trace_ref().map(|trace| &trace.properties);
        let live = Live {
            plan,
            core: self,
            runs: &self.runs(plan, &active),
            active: &active,
            properties: seen.unwrap_or(&unseen),
            label: &RefCell::default(),
        };
        live.picture()
    }

    /// The numbers of the runs of trees, as its trace counts them, if there is one.
    pub(crate) fn runs(&self, plan: &Plan, active: &[At]) -> Cow<'_, Runs> {
        match self.trace_ref() {
            Some(trace) => Cow::Borrowed(&trace.runs),
            None => {
                let mut runs = Runs::default();
                runs.count(plan, self, active);
                Cow::Owned(runs)
            }
        }
    }

    /// A poll begins.
    #[cold]
    pub(crate) fn trace_poll(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        let Some(trace) = &mut cold.trace else { return };
        match trace.sink.wants_snapshot() {
            true => self.tell_scene(plan, true),
            false => self.trace(plan, NOWHERE, What::PollBegin),
        }
    }

    /// The trees are others now: where they mean what they did, there is nothing to report.
    pub(crate) fn trace_reloaded(
        &mut self,
        plan: &Plan,
        reports: bool,
        tree: impl Fn(u32) -> Option<u32>,
    ) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        trace.last = NOWHERE;
        trace.runs.carry(self, tree);
        #[cfg(feature = "debug")]
        if let Some(debugger) = &mut trace.debugger {
            debugger.carry(plan);
        }
        self.cold().trace = Some(trace);
        if reports {
            self.tell_scene(plan, true);
        }
    }

    fn tell_scene(&mut self, plan: &Plan, in_poll: bool) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        for entry in &mut self.entries {
            entry.set_told(false);
        }
        trace.snapshot(plan, self);
        if let Some(stands) = self.stands_unseen(plan, &trace.runs, in_poll) {
            trace.send(plan, self, NOWHERE, What::Stands(stands));
        }
        for level in self.suspended().iter() {
            for entry in self.leaves(plan, &level.entries) {
                trace.wait(plan, self, entry, &level.held);
            }
        }
        let cold = self.cold();
        cold.trace = Some(trace);
        for level in cold.suspended.levels_mut() {
            level
                .entries
                .iter_mut()
                .for_each(|entry| entry.set_told(true));
        }
        self.trace_waits(plan);
        self.trace_explanation(plan);
    }

    /// Tells what changed in why the agent waits, if the tracer wants it.
    #[cold]
    pub(crate) fn trace_explanation(&mut self, plan: &Plan) {
        self.tell(plan, |trace, core| {
            let changes = trace.explained.changes(plan, core, &trace.runs);
            if !changes.is_empty() {
                trace.send(plan, core, NOWHERE, What::Explains { changes });
            }
        });
    }

    /// Tells of what was written so far.
    #[cold]
    pub(crate) fn trace_writes(&mut self, plan: &Plan) {
        self.tell(plan, |_, _| ());
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
        if trace.runs.begin(frame, tree) {
            let file = Cow::Borrowed(&*plan.trees[tree as usize].name);
            let at = At { frame, node: root };
            trace.send(plan, self, at, What::PushTree { file });
        }
        if let Some(board) = board {
            trace.runs.open(frame, board);
        }
        trace.last = At { frame, node: root };
        self.cold().trace = Some(trace);
    }

    /// The blackboard was cleared: what is set now is set after that.
    #[cold]
    pub(crate) fn trace_clear(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        let Some(mut trace) = cold.trace.take() else {
            return;
        };
        trace.keys.clear();
        let board = self.session.board();
        board.take_journal(&mut trace.keys);
        trace.keys.clear();
        board.journal_all();
        trace.send(plan, self, NOWHERE, What::BbClear);
        trace.catch_up(plan, self);
        self.cold().trace = Some(trace);
    }
}

#[cfg(feature = "debug")]
impl Core {
    pub(super) fn debugger(&self) -> Option<&Debugger> {
        self.trace_ref()?.debugger.as_deref()
    }

    pub(super) fn debugger_mut(&mut self) -> Option<&mut Debugger> {
        self.cold.as_mut()?.trace.as_mut()?.debugger.as_deref_mut()
    }

    /// The debugger; a new one, if there was none.
    pub(super) fn need_debugger(&mut self, plan: &Plan) -> &mut Debugger {
        if self.debugger().is_none() {
            self.session.settle();
            let is_traced = self.trace_ref().is_some();
            self.put_debugger(Box::default());
            self.begin_trace();
            if !is_traced {
                self.tell_scene(plan, false);
            }
        }
        let trace = self.cold().trace.as_mut();
        let trace = trace.and_then(|trace| trace.debugger.as_deref_mut());
        trace.unwrap_or_else(|| unreachable!("it was put there"))
    }

    fn put_debugger(&mut self, debugger: Box<Debugger>) {
        let trace = self
            .cold()
            .trace
            .get_or_insert_with(|| Box::new(Trace::new(None)));
        trace.debugger = Some(debugger);
    }

    /// Nobody debugs it any more.
    pub(super) fn drop_debugger(&mut self) {
        let Some(cold) = &mut self.cold else { return };
        if let Some(trace) = &mut cold.trace {
            trace.debugger = None;
            if trace.sink.0.is_none() {
                cold.trace = None;
            }
        }
        self.begin_trace();
    }

    /// Lets the debugger see that a node is about to be entered.
    pub(super) fn look_at_entry(&mut self, plan: &Plan, at: At) {
        self.tell(plan, |trace, core| {
            let place = trace.place(plan, at);
            if let Some(debugger) = &mut trace.debugger {
                debugger.look(plan, core, at, place.as_ref(), &What::NodeEnter);
            }
        });
    }

    /// Does what the debugger has said to what happened.
    fn look_after(&mut self, plan: &Plan, trace: &mut Trace) {
        let Some(debugger) = &mut trace.debugger else {
            return;
        };
        let (logs, hits) = (debugger.take_logs(), debugger.is_hit());
        for (at, text) in logs {
            let what = What::Note {
                note: Cow::Borrowed("log"),
                value: Cow::Owned(text.into()),
            };
            let place = trace.place(plan, at);
            trace.sink.send(self, place, what);
        }
        if hits {
            self.interrupted.set_stops(true);
        }
    }
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace").finish_non_exhaustive()
    }
}
