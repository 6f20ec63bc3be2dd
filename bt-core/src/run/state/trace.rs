//! The tracer of an agent, and what its records are made with.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
#[cfg(feature = "debug")]
use std::sync::Arc;

use serde_json::Value;

#[cfg(feature = "debug")]
use super::debugger::{Debugger, Known};
use super::explained::Explained;
use super::sink::Sink;
use crate::blackboard::{Blackboard, KeyId};
use crate::call::Session;
#[cfg(feature = "debug")]
use crate::debug::Breakpoints;
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::Moment;
use crate::trace::{Live, Place, Properties, Runs, Scene, Shown, Tracer, What};
use crate::tree::plan::{NONE, Plan};

/// A tracer, and what its records are made with.
pub(crate) struct Trace {
    sink: Sink,
    runs: Runs,
    /// The node that was traced last: it made the next writes.
    last: At,
    active: Vec<At>,
    keys: Vec<KeyId>,
    /// The properties as traced last.
    properties: Properties,
    label: String,
    /// The same, for snapshots.
    labels: RefCell<String>,
    explained: Explained,
    #[cfg(feature = "debug")]
    debugger: Option<Box<Debugger>>,
}

impl Trace {
    pub(crate) fn new(tracer: Option<Box<dyn Tracer>>) -> Trace {
        let mut sink = Sink::new(tracer);
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

    /// The tracer, if it has not panicked.
    pub(crate) fn tracer(&self) -> Option<&dyn Tracer> {
        self.sink.tracer()
    }

    pub(crate) fn into_tracer(mut self) -> Option<Box<dyn Tracer>> {
        self.sink.take_tracer()
    }

    pub(crate) fn wants_snapshot(&mut self) -> bool {
        self.sink.wants_snapshot()
    }

    /// The numbers of the runs of trees.
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    pub(crate) fn runs_mut(&mut self) -> &mut Runs {
        &mut self.runs
    }

    /// The values of properties when they were traced last.
    pub(crate) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// The explanation that the tracer last got.
    pub(crate) fn explained(&mut self) -> &mut Explained {
        &mut self.explained
    }

    /// Returns true if the tracer gets explanations.
    pub(crate) fn wants_explanations(&self) -> bool {
        self.explained.is_wanted()
    }

    /// The next writes are those of that node.
    pub(crate) fn set_last(&mut self, at: At) {
        self.last = at;
    }

    #[inline(always)]
    pub(crate) fn place<'a>(&self, plan: &'a Plan, at: At) -> Option<Place<'a>> {
        (at.node != NONE).then(|| Place::of(plan, self.runs.run(plan, at), at.node))
    }

    /// Reports what was written since the last record.
    #[inline(always)]
    pub(crate) fn catch_up(&mut self, plan: &Plan, moment: Moment, board: &Blackboard) {
        if board.has_journal() {
            self.report_writes(plan, moment, board);
        }
    }

    #[inline(never)]
    fn report_writes(&mut self, plan: &Plan, moment: Moment, board: &Blackboard) {
        let mut keys = std::mem::take(&mut self.keys);
        board.take_journal(&mut keys);
        for key in keys.drain(..) {
            if !self.runs.label(board, key, &mut self.label) {
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
                let known = Known::new(board, &self.properties);
                debugger.look(plan, moment, known, (self.last, at.as_ref(), &what));
            }
            self.sink.send(moment, at, what);
        }
        self.keys = keys;
    }

    /// Forgets the writes since the last record: they are reported otherwise.
    pub(crate) fn forget_writes(&mut self, board: &Blackboard) {
        self.keys.clear();
        board.take_journal(&mut self.keys);
        self.keys.clear();
    }

    #[inline(always)]
    pub(crate) fn send(
        &mut self,
        plan: &Plan,
        moment: Moment,
        board: &Blackboard,
        at: At,
        what: What<'_>,
    ) {
        self.last = at;
        self.look(plan, moment, board, at, &what);
        self.send_aside(plan, moment, at, what);
    }

    /// The same of what made no writes.
    #[inline(always)]
    pub(crate) fn send_aside(&mut self, plan: &Plan, moment: Moment, at: At, what: What<'_>) {
        let place = self.place(plan, at);
        self.sink.send(moment, place, what);
    }

    /// The same for what is lent in all its parts.
    #[inline(always)]
    pub(crate) fn lend<'a>(
        &mut self,
        plan: &'a Plan,
        moment: Moment,
        board: &Blackboard,
        at: At,
        what: impl FnOnce() -> What<'a>,
    ) {
        if self.is_debugged() {
            return self.send(plan, moment, board, at, what());
        }
        self.last = at;
        let place = self.place(plan, at);
        self.sink.lend(moment, place, what);
    }

    /// A property of the agent holds that, as was seen at a place; it is reported if it has changed.
    pub(crate) fn property(
        &mut self,
        (plan, moment, board): (&Plan, Moment, &Blackboard),
        (at, place): (At, &Option<Place<'_>>),
        property: &'static str,
        value: Value,
    ) {
        let before = self.properties.get(property);
        if before == Some(&value) {
            return;
        }
        let is_change = before.is_some();
        let what = What::PropertySet {
            property: Cow::Borrowed(property),
            value: Cow::Borrowed(&value),
        };
        // A value that is seen for the first time has not changed.
        if is_change {
            self.look(plan, moment, board, at, &what);
        }
        self.sink.send(moment, place.clone(), what);
        self.properties.insert(property, value);
    }

    /// A list for the places that are active, for a [snapshot](Trace::snapshot).
    pub(crate) fn take_active(&mut self) -> Vec<At> {
        self.active.clear();
        std::mem::take(&mut self.active)
    }

    /// Everything that there is. Runs were counted anew.
    pub(crate) fn snapshot(
        &mut self,
        plan: &Plan,
        moment: Moment,
        session: &Session,
        active: Vec<At>,
    ) {
        self.explained.forget();
        self.active = active;
        let board = session.board();
        // It shows what is in the journal.
        self.forget_writes(board);
        self.last = NOWHERE;
        let live = Live {
            plan,
            board,
            runs: &self.runs,
            active: &self.active,
            properties: &self.properties,
            label: &self.labels,
            random: Some(session.random_state()),
        };
        let scene = Scene(Shown::Live(live));
        self.sink.send(moment, None, What::Snapshot(scene));
    }
}

#[cfg(feature = "debug")]
impl Trace {
    #[inline(always)]
    fn is_debugged(&self) -> bool {
        self.debugger.is_some()
    }

    pub(crate) fn debugger(&self) -> Option<&Debugger> {
        self.debugger.as_deref()
    }

    pub(crate) fn debugger_mut(&mut self) -> Option<&mut Debugger> {
        self.debugger.as_deref_mut()
    }

    /// Sets the breakpoints of its debugger.
    pub(crate) fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>, board: &Blackboard) {
        if let Some(debugger) = &mut self.debugger {
            let known = Known::new(board, &self.properties);
            debugger.set_breakpoints(all, known);
        }
    }

    pub(crate) fn set_debugger(&mut self, debugger: Option<Box<Debugger>>) {
        self.debugger = debugger;
    }

    pub(crate) fn take_debugger(&mut self) -> Option<Box<Debugger>> {
        self.debugger.take()
    }

    /// Lets the debugger see that a node is about to be entered.
    pub(crate) fn look_at_entry(
        &mut self,
        plan: &Plan,
        moment: Moment,
        board: &Blackboard,
        at: At,
    ) {
        let place = self.place(plan, at);
        if let Some(debugger) = &mut self.debugger {
            let seen = (at, place.as_ref(), &What::NodeEnter);
            let known = Known::new(board, &self.properties);
            debugger.look(plan, moment, known, seen);
        }
    }

    /// Lets a debugger see what happens. It saw before that a node was to be entered.
    #[inline(always)]
    fn look(&mut self, plan: &Plan, moment: Moment, board: &Blackboard, at: At, what: &What<'_>) {
        if self.debugger.is_none() || matches!(what, What::NodeEnter) {
            return;
        }
        let place = self.place(plan, at);
        if let Some(debugger) = &mut self.debugger {
            let known = Known::new(board, &self.properties);
            debugger.look(plan, moment, known, (at, place.as_ref(), what));
        }
    }
}

#[cfg(not(feature = "debug"))]
#[expect(clippy::unused_self, reason = "there is no debugger")]
impl Trace {
    #[inline(always)]
    fn is_debugged(&self) -> bool {
        false
    }

    #[inline(always)]
    fn look(&self, _: &Plan, _: Moment, _: &Blackboard, _: At, _: &What<'_>) {}
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").finish_non_exhaustive()
    }
}
