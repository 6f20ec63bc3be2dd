//! The records about waits, and about the state of the tree.

use crate::run::core::Core;
use crate::run::node_ref::NOWHERE;
use crate::run::plain::{Delivery, Entry, Wait};
use crate::run::state::trace::Trace;
use crate::trace::What;
use crate::tree::plan::Plan;

impl Core {
    /// Reports what an entry waits for; `held` is what came for its tree while that is suspended.
    pub(super) fn trace_wait(
        &self,
        plan: &Plan,
        trace: &mut Trace,
        entry: &Entry,
        held: &[Delivery],
    ) {
        let waits = What::Waits(self.wait_of(plan, entry, held));
        trace.send_aside(plan, self.moment(), entry.at, waits);
    }

    /// The tree has stopped, or ended and does not begin again.
    #[cold]
    pub(crate) fn trace_stands(&mut self, plan: &Plan) {
        self.with_trace(plan, |trace, core| {
            let stands = core.stands(plan, trace.runs());
            trace.send(
                plan,
                core.moment(),
                core.board(),
                NOWHERE,
                What::Stands(stands),
            );
        });
    }

    /// Reports the nodes that wait, and did not in the last report.
    #[cold]
    pub(crate) fn trace_waits(&mut self, plan: &Plan) {
        if self.trace_ref().is_none() {
            return;
        }
        // What continues in the next poll is traced each time.
        for number in 0..self.entries.len() {
            let entry = &self.entries[number];
            let traced = match entry.wait {
                Wait::Turn => self.any_below(plan, entry.at),
                Wait::Rerun => true,
                Wait::Again | Wait::Due => false,
                Wait::Pending
                | Wait::Polled
                | Wait::Event
                | Wait::Timer
                | Wait::Cancelling
                | Wait::Parked(_) => entry.is_traced(),
            };
            self.entries[number].set_traced(traced);
        }
        let mut entries = std::mem::take(&mut self.entries);
        let new = entries.iter_mut().filter(|entry| !entry.is_traced());
        for entry in new {
            entry.set_traced(true);
            self.with_trace(plan, |trace, core| core.trace_wait(plan, trace, entry, &[]));
        }
        self.entries = entries;
        self.trace_suspended(plan);
        self.with_trace(plan, |trace, _| trace.set_last(NOWHERE));
    }

    /// Reports what began to wait in the very poll in which its tree was suspended.
    fn trace_suspended(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        if cold.suspended.levels().is_empty() {
            return;
        }
        let mut levels = cold.suspended.take();
        for level in &mut levels {
            for entry in level.entries.iter_mut().filter(|entry| !entry.is_traced()) {
                if entry.wait != Wait::Turn {
                    entry.set_traced(true);
                    self.with_trace(plan, |trace, core| {
                        core.trace_wait(plan, trace, entry, &level.held)
                    });
                }
            }
        }
        self.cold().suspended.give_back(levels);
    }

    /// Reports what waits in a suspended tree and for which something has just come.
    #[cold]
    pub(crate) fn trace_held(&mut self, plan: &Plan, level: usize) {
        self.with_trace(plan, |trace, core| {
            let Some(level) = core.suspended().get(level) else {
                return;
            };
            let last = level.held.last();
            for entry in &level.entries {
                if last.is_some_and(|last| last.is_for(entry)) {
                    core.trace_wait(plan, trace, entry, &level.held);
                }
            }
        });
    }
}
