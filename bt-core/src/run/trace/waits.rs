//! What a tracer records of what waits, and of how the tree stands.

use super::Trace;
use crate::run::core::Core;
use crate::run::delivery::Delivery;
use crate::run::node_ref::NOWHERE;
use crate::run::waits::{Entry, Wait};
use crate::trace::What;
use crate::tree::plan::Plan;

impl Trace {
    pub(super) fn wait(&mut self, plan: &Plan, core: &Core, entry: &Entry, held: &[Delivery]) {
        let place = self.place(plan, entry.at);
        let told = core.told(plan, entry, held);
        self.sink.send(core, place, What::Waits(told));
    }
}

impl Core {
    /// The tree has stopped, or ended and does not begin again.
    #[cold]
    pub(crate) fn trace_stands(&mut self, plan: &Plan) {
        self.tell(plan, |trace, core| {
            let stands = core.stands(plan, &trace.runs);
            trace.send(plan, core, NOWHERE, What::Stands(stands));
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
            let told = match entry.wait {
                Wait::Turn => self.any_below(plan, entry.at),
                Wait::Rerun => true,
                Wait::Again | Wait::Due => false,
                _ => entry.is_told(),
            };
            self.entries[number].set_told(told);
        }
        let mut entries = std::mem::take(&mut self.entries);
        let new = entries.iter_mut().filter(|entry| !entry.is_told());
        for entry in new {
            entry.set_told(true);
            self.tell(plan, |trace, core| trace.wait(plan, core, entry, &[]));
        }
        self.entries = entries;
        self.trace_suspended(plan);
        self.tell(plan, |trace, _| trace.last = NOWHERE);
    }

    /// Tells of what began to wait in the very poll in which its tree was suspended.
    fn trace_suspended(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        if cold.suspended.levels().is_empty() {
            return;
        }
        let mut levels = cold.suspended.take();
        for level in &mut levels {
            for entry in level.entries.iter_mut().filter(|entry| !entry.is_told()) {
                if entry.wait != Wait::Turn {
                    entry.set_told(true);
                    self.tell(plan, |trace, core| {
                        trace.wait(plan, core, entry, &level.held)
                    });
                }
            }
        }
        self.cold().suspended.give_back(levels);
    }

    /// Tells of what waits in a suspended tree and for which something has just come.
    #[cold]
    pub(crate) fn trace_held(&mut self, plan: &Plan, level: usize) {
        self.tell(plan, |trace, core| {
            let Some(level) = core.suspended().get(level) else {
                return;
            };
            let last = level.held.last();
            for entry in &level.entries {
                if last.is_some_and(|last| last.is_for(entry)) {
                    trace.wait(plan, core, entry, &level.held);
                }
            }
        });
    }
}
