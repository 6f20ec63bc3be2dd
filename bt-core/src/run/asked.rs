//! The things that a call left behind beside its result: what it asked for, fired and requested, and what it
//! keeps.

use std::borrow::Cow;

use super::core::Request;
use super::node_ref::At;
use super::pending::More;
use super::plain::Entry;
use super::walk::Walker;
use crate::call::Control;
use crate::contained::Contained;
use crate::trace::What;

/// The words for what a call returned that has ended.
pub(super) const RESULT: &str = "a result at once";

/// The things that a call asked for, beside its result.
#[derive(Debug, Default)]
pub(super) struct LeafRequests {
    pub(super) deadline: Option<(u64, bool)>,
    pub(super) polls: Option<(u32, bool)>,
    pub(super) more: Option<Box<More>>,
}

impl LeafRequests {
    /// The method of the context by which it asked to be finished at a time, if it did.
    pub(super) fn time(&self) -> Option<&'static str> {
        let time = self.deadline.map(|_| "finish_after");
        time.or(self.polls.map(|_| "finish_after_polls"))
    }

    /// The same, or by an event. A completion is another matter: an action may make one before it knows whether it
    /// needs it, and an answer that comes late is ignored anyhow.
    pub(super) fn end(&self) -> Option<&'static str> {
        let on = self.more.iter().flat_map(|more| &more.on).next();
        self.time().or(on.map(|_| "finish_on"))
    }
}

/// The things that a call left behind: its guards are dropped one at a time.
pub(super) trait Release {
    fn guards(self, each: &mut dyn FnMut(Contained));
}

impl Release for Option<Box<More>> {
    fn guards(self, each: &mut dyn FnMut(Contained)) {
        if let Some(more) = self {
            more.guards.into_iter().for_each(each);
        }
    }
}

impl Release for LeafRequests {
    fn guards(self, each: &mut dyn FnMut(Contained)) {
        self.more.guards(each);
    }
}

impl Release for Entry {
    fn guards(self, each: &mut dyn FnMut(Contained)) {
        self.more.guards(each);
    }
}

impl Release for Option<Entry> {
    fn guards(self, each: &mut dyn FnMut(Contained)) {
        self.and_then(|entry| entry.more).guards(each);
    }
}

impl<A: Release, B: Release> Release for (A, B) {
    fn guards(self, each: &mut dyn FnMut(Contained)) {
        self.0.guards(each);
        self.1.guards(each);
    }
}

impl Walker<'_> {
    /// Takes in what a call left behind, but for what is its own node's.
    pub(crate) fn absorb(&mut self, by: At) {
        self.core.session.settle();
        if self.core.session.board().has_pending_changes() {
            self.core.interrupted.react();
        }
        if !self.core.session.touched() {
            return;
        }
        self.core.check_fired(self.plan, by);
        if self.core.is_traced {
            self.trace_left_behind(by);
        }
        self.core.queue_fired(self.plan);
        for control in self.core.session.take_control() {
            match control {
                Control::Stop => self.request(by, Request::Stop),
                Control::Reset => self.request(by, Request::Reset(true)),
                Control::Load(name) => match self.plan.tree_named(&name) {
                    Some(tree) => self.request(by, Request::Load(tree)),
                    None => {
                        let near = self.near_tree(&name);
                        self.report(None, format!("there is no tree `{name}` to load{near}"));
                    }
                },
            }
        }
    }

    /// Tells of the notes that a call made, and the events that it fired.
    #[cold]
    fn trace_left_behind(&mut self, by: At) {
        for (note, value) in self.core.session.take_notes() {
            let (note, value) = (note.into(), Cow::Owned(value));
            self.trace(by, What::Note { note, value });
        }
        for event in self.core.session.fired().to_vec() {
            self.core.trace_fired(self.plan, by, &event);
        }
    }

    /// Takes in what a call left behind, and drops what it asked for: nothing waits for it.
    pub(crate) fn absorb_all(&mut self, node: u32, call: u32) {
        let asked = self.take_requests(self.core.here(node));
        self.report_ignored(node, call, asked.end(), RESULT);
        self.discard(node, asked);
    }

    /// Reports, once for each method, that a call asked the context in vain to be finished later, by that method
    /// of the context, because it did not return `None`.
    pub(super) fn report_ignored(
        &mut self,
        node: u32,
        call: u32,
        method: Option<&'static str>,
        returned: &str,
    ) {
        let Some(method) = method else { return };
        if !self.core.cold().reports.is_newly_ignored(call) {
            return;
        }
        let (name, place) = (
            &self.plan.calls[call as usize].name,
            self.host.defined(call),
        );
        let text = format!(
            "`{name}` called `{method}` and returned {returned}, so that is ignored{place}: only a call that returns \
             `None` is finished later"
        );
        self.report(Some(node), text);
    }

    /// Takes in what a call left behind.
    pub(super) fn take_requests(&mut self, at: At) -> LeafRequests {
        self.absorb(at);
        let session = &mut self.core.session;
        if !session.touched() {
            return LeafRequests::default();
        }
        let asked = LeafRequests {
            deadline: session.take_deadline(),
            polls: session.take_polls(),
            more: session.take_more().map(Box::new),
        };
        session.clear_touched();
        if let Some(more) = asked.more.as_ref().filter(|more| !more.on.is_empty()) {
            self.check_waited(at.node, more);
        }
        asked
    }

    /// Reports, once for each name, that an action waits for an event whose name is probably misspelt.
    fn check_waited(&mut self, node: u32, more: &More) {
        for (name, _) in &more.on {
            // Another name may be one that only the host knows.
            if let Some(near) = self
                .plan
                .not_registered(name)
                .filter(|near| !near.is_empty())
                && self.core.cold().reports.is_new_event(name)
            {
                let name = crate::text::name(name);
                let text =
                    format!("it waits for event `{name}`, which the agent does not register{near}");
                self.report(Some(node), text);
            }
        }
    }

    /// Drops what a call has left behind, and reports each of its guards that panics.
    pub(super) fn discard(&mut self, node: u32, kept: impl Release) {
        kept.guards(&mut |guard| {
            if let Some(text) = guard.end() {
                let text = format!("a guard panicked when it was dropped: {text}");
                self.report(Some(node), text);
            }
        });
    }
}
