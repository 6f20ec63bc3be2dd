//! What a tracer is told of what waits, and of how the tree stands.

use std::borrow::Cow;

use super::Trace;
use crate::run::core::Core;
use crate::run::delivery::Delivery;
use crate::run::node_ref::NOWHERE;
use crate::run::resumed::How;
use crate::run::state::timers::{Purpose, Timer};
use crate::run::waits::{Entry, Order, Wait};
use crate::trace::{GoesOn, Names, Wait as Told, What};
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

    /// Tells of the nodes that wait, and did not when that was told last.
    #[cold]
    pub(crate) fn trace_waits(&mut self, plan: &Plan) {
        if self.trace_ref().is_none() {
            return;
        }
        // What goes on in the next poll is told each time.
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

    /// What an entry waits for; `held` is what came for its tree while that is suspended.
    pub(crate) fn told<'a>(&self, plan: &'a Plan, entry: &'a Entry, held: &[Delivery]) -> Told<'a> {
        let info = plan.info(entry.at.node);
        let mut events = Names::default();
        if entry.wait == Wait::Event {
            events.push(Cow::Borrowed(&*info.name));
        }
        let more = entry.more.as_deref();
        let on = more.iter().flat_map(|more| &more.on);
        for (event, _) in on {
            events.push(Cow::Borrowed(event));
        }
        let mut timers = self.timers.iter().filter(|timer| timer.at() == entry.at);
        let until = timers.find(|timer| !matches!(timer.purpose(), Purpose::Service(_)));
        let held = held.iter().any(|held| held.is_for(entry));
        let goes_on = self.goes_on(entry.order).filter(|_| !held);
        // What ends it has arrived already.
        let ends = goes_on.is_some() && self.is_ending(entry.order);
        Told {
            since: entry.since,
            until: until.map(Timer::time),
            until_poll: (entry.until != 0).then_some(entry.until),
            events,
            completion: more.is_some_and(|more| more.completion.is_some()),
            polled: entry.wait == Wait::Polled,
            due: ends
                || matches!(
                    entry.wait,
                    Wait::Again | Wait::Due | Wait::Turn | Wait::Parked(_)
                ),
            cancelling: entry.wait == Wait::Cancelling,
            held,
            goes_on: goes_on.filter(|_| !ends).map(|how| match how {
                How::Resume(method) => GoesOn::Resume(method.into()),
                How::Anew => GoesOn::Anew,
                How::End => GoesOn::Cancelled,
            }),
        }
    }

    /// How an entry goes on in the next poll, if the agent was restored and has not been polled since.
    fn goes_on(&self, order: Order) -> Option<How> {
        let restored = self.cold.as_ref()?.restored.as_ref()?;
        let todo = restored.todo.iter().find(|todo| todo.order == order)?;
        Some(todo.how)
    }
}
