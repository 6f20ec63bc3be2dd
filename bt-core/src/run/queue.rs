//! The queue of an agent: it is bounded, and open only while a tree can take what is in it.

use super::core::{Core, Request};
use super::diagnostic::Diagnostic;
use super::node_ref::{At, NOWHERE};
use super::plain::{Delivery, Entry, Order, Phase, Quiet, Wait};
use super::runner::Runner;
use super::state::inbox::Inbox;
use crate::trace::What;
use crate::tree::plan::Plan;
use crate::{Agent, Event};

/// The start of the diagnostic about refused events.
const REFUSED: &str = "its queue is full: ";

impl<A: Agent> Runner<A> {
    /// Reports that so many events of a pool's handles were refused, which keeps `most` of them.
    pub(crate) fn report_refused(&mut self, events: u64, most: u32) {
        self.core.report_refused(&self.trees.0.plan, events, most);
    }
}

impl Core {
    /// Drops the events that calls fired whose parameters are not those that are registered.
    pub(crate) fn check_fired(&mut self, plan: &Plan, by: At) {
        if !self.session.has_fired() {
            return;
        }
        let mut refused = Vec::new();
        self.session.retain_fired(|event| {
            let checked = plan.check_event(event);
            checked.map_err(|why| refused.push(why)).is_ok()
        });
        for why in refused {
            self.report(plan, by, why);
        }
    }

    /// Queues an event that the host fired, if its parameters are those that are registered.
    pub(super) fn fire(&mut self, plan: &Plan, mut event: Event) {
        if let Err(why) = plan.check_event(&mut event) {
            return self.report(plan, NOWHERE, why);
        }
        self.trace_fired(plan, NOWHERE, &event);
        if self.takes_no_events() && !ends_cancelling(&self.entries, &event) {
            self.drop_event(plan, &event);
        } else if self.room() == 0 {
            self.refuse_event(plan, &event);
        } else {
            self.deliver(Delivery::Event(event));
        }
    }

    /// Queues the events that calls fired.
    pub(crate) fn queue_fired(&mut self, plan: &Plan) {
        if !self.session.has_fired() {
            return;
        }
        // While a tree is being stopped, a later exit may wait for what an earlier one fired.
        let takes_none = self.takes_no_events() && self.phase != Phase::Stopping;
        let room = if takes_none { 0 } else { self.room() };
        let inbox = &mut self.cold.get_or_insert_default().inbox;
        let mut arriving = inbox.arriving(room);
        self.session.drain_fired(&mut arriving);
        let rest = arriving.rest();
        if inbox.has_queued() {
            self.quiet = Quiet::No;
        }
        for event in rest {
            match takes_none {
                true => self.drop_event(plan, &event),
                false => self.refuse_event(plan, &event),
            }
        }
    }

    /// Drops the events that are queued, but for those that something waits for which is cancelling.
    pub(crate) fn drop_queued_events(&mut self, plan: &Plan) {
        let Some(cold) = &mut self.cold else { return };
        if !cold.inbox.has_queued() {
            return;
        }
        for delivery in cold.inbox.take_queue() {
            match delivery {
                Delivery::Event(event) if !ends_cancelling(&self.entries, &event) => {
                    self.drop_event(plan, &event);
                }
                other => self.cold().inbox.push(other),
            }
        }
    }

    /// Drops what has come for parts of the tree that were closed.
    pub(crate) fn drop_held_events(&mut self, plan: &Plan) {
        let held = self.cold.as_mut().map(|cold| cold.inbox.take_held());
        for delivery in held.into_iter().flatten() {
            if let Delivery::Event(event) = delivery {
                self.drop_event(plan, &event);
            }
        }
    }

    /// Returns true if what is fired now is dropped: the tree has ended, was stopped, or is being stopped.
    /// Before the first start it is kept.
    pub(crate) fn takes_no_events(&self) -> bool {
        match self.phase {
            Phase::Idle => self.is_started() && !self.begins(),
            Phase::Succeeded | Phase::Failed | Phase::Stopping => !self.begins(),
            Phase::Due | Phase::Active => false,
        }
    }

    /// Returns true if what was requested begins a tree, though the current one has ended, was stopped or is
    /// being stopped.
    pub(crate) fn begins(&self) -> bool {
        match self.requested() {
            Some(Request::Reset(_)) => true,
            // Where no tree was started, or it was stopped, the one that is loaded waits for the start.
            Some(Request::Load(_) | Request::Afresh(_)) => self.phase != Phase::Idle,
            Some(Request::Stop) | None => false,
        }
    }

    /// The number of events that the queue still takes.
    fn room(&self) -> usize {
        match &self.cold {
            Some(cold) => cold.inbox.room(),
            None => Inbox::default().room(),
        }
    }

    /// Drops an event that nobody takes.
    pub(super) fn drop_event(&mut self, plan: &Plan, event: &Event) {
        if self.is_traced {
            let event = event.name().into();
            self.trace(plan, NOWHERE, What::EventDropped { event });
        }
        let name = event.name();
        // One that a tree names and the agent does not register is a warning of that tree.
        if !plan.events.contains_key(name) && !plan.registered.contains_key(name) {
            self.report_unknown(plan, name);
        }
    }

    /// Reports, once for each name, an event that nobody knows: probably the name is misspelt.
    #[cold]
    fn report_unknown(&mut self, plan: &Plan, name: &str) {
        if self.waits_suspended(name) || !self.cold().reports.is_new_event(name) {
            return;
        }
        let known = plan.registered.keys().chain(plan.events.keys());
        let near = crate::text::suggest(name, known.map(|known| &**known));
        let more = match self.cold().reports.knows_enough_events() {
            true => "; more of such names are not reported",
            false => "",
        };
        let name = crate::text::name(name);
        let text = format!(
            "event `{name}` was fired, which nothing waits for and no agent registers{near}{more}"
        );
        self.report(plan, NOWHERE, text);
    }

    /// Returns true if what waits in a suspended tree, which takes no events, waits for that one.
    fn waits_suspended(&self, name: &str) -> bool {
        let suspended = self.suspended().iter();
        let mut suspended = suspended.flat_map(|level| &level.entries);
        suspended.any(|entry| {
            let more = entry.more.as_ref();
            more.is_some_and(|more| more.on.iter().any(|(on, _)| on == name))
        })
    }

    /// Refuses an event. One diagnostic a poll says so.
    #[cold]
    fn refuse_event(&mut self, plan: &Plan, event: &Event) {
        self.drop_event(plan, event);
        let poll = self.poll;
        let cold = self.cold();
        let is_same = |known: &Diagnostic| known.poll == poll && known.message.starts_with(REFUSED);
        if cold.reports.diagnostics().iter().any(is_same) {
            return;
        }
        let most = cold.inbox.limit();
        let name = crate::text::name(event.name());
        let message = format!(
            "{REFUSED}it holds {most} events; event `{name}` is refused, as are all others until some \
             are delivered; is the agent polled?"
        );
        self.report(plan, NOWHERE, message);
    }

    /// Reports that events of a pool's handles were refused since the last round.
    #[cold]
    fn report_refused(&mut self, plan: &Plan, events: u64, most: u32) {
        let message = format!(
            "its inbox is full: {events} events that handles fired since the last round are refused; it holds \
             {most} (`Pool::set_inbox_limit`)"
        );
        self.report(plan, NOWHERE, message);
    }

    /// Returns true if what the host finishes waits: it is active, here or in a suspended tree, and was not
    /// finished before.
    pub(super) fn can_finish(&self, order: Order) -> bool {
        let levels = || self.suspended().iter();
        let entries = levels().flat_map(|level| &level.entries);
        let mut entries = self.entries.iter().chain(entries);
        let queued = self.cold.iter().flat_map(|cold| cold.inbox.queue());
        let mut queued = queued.chain(levels().flat_map(|level| &level.held));
        entries.any(|entry| entry.order == order && entry.is_leaf())
            && !queued.any(|found| matches!(found, Delivery::Finished(of, _) if *of == order))
    }
}

/// Returns true if something that is cancelling waits for an event.
fn ends_cancelling(entries: &[Entry], event: &Event) -> bool {
    let mut cancelling = entries
        .iter()
        .filter(|entry| entry.wait == Wait::Cancelling)
        .filter_map(|entry| entry.more.as_deref());
    cancelling.any(|more| more.on.iter().any(|(name, _)| name == event.name()))
}
