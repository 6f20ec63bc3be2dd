//! What is attached to a node, from the outside in: guards, effects, services; events are
//! deliveries.

use super::at::{At, NOWHERE};
use super::entries::Wait;
use super::timers::Purpose;
use super::walk::{Step, Walker};
use crate::call::{Exit, Outcome};
use crate::trace::{Leave, Role};
use crate::tree::plan::{Ask, NONE, Service};

impl Walker<'_> {
    /// Enters a node that something is attached to.
    pub(crate) fn enter_attached(&mut self, node: u32) -> Step {
        if self.refuses(node) {
            return Step::Jump(self.core.here(node), super::walk::Act::Left(false));
        }
        self.enter_checked(node)
    }

    /// Enters a node whose guards hold.
    pub(crate) fn enter_checked(&mut self, node: u32) -> Step {
        let plan = self.plan;
        let at = self.core.here(node);
        if self.core.looks {
            self.core.trace_enter(plan, at);
        }
        if let Some(attached) = plan.attached(node) {
            self.watch_own(at);
            for call in &attached.effects.enter {
                self.effect(node, *call, Role::Effect);
            }
            for (number, service) in attached.services.iter().enumerate() {
                self.serve(at, number as u32, service);
            }
            if self.core.interrupted {
                // Something asks for attention before anything below is entered.
                self.core.wait(at, Wait::Begun);
                self.core.push_work(at, NONE);
                return Step::Blocked;
            }
        }
        self.begin(node)
    }

    /// Calls a service, and sets when it is called next.
    pub(crate) fn serve(&mut self, at: At, number: u32, service: &Service) {
        self.effect(at.node, service.call, Role::Service);
        // Counted from now: what was missed is not caught up with.
        let now = self.core.now();
        let next = now.saturating_add(service.every.max(1));
        // At the clock's end there is no later time, and it would be due again at once, for ever.
        if next > now {
            self.core.set_timer(next, at, Purpose::Service(number));
        }
    }

    /// A call whose result is ignored.
    fn effect(&mut self, node: u32, call: u32, role: Role) {
        self.trace_call(node, call, role);
        let called = self.call(node, call);
        self.settle_call(node, call, called);
    }

    /// Ends a call that waits for nothing, whatever it came to; whether it succeeded. One that began
    /// is left: its exit method runs, then its guards drop.
    pub(crate) fn settle_call(&mut self, node: u32, call: u32, called: Option<Outcome>) -> bool {
        let asked = self.take_asked(self.core.here(node));
        self.log_failure(node);
        let exit = match called {
            Some(Outcome::Done(true)) => Some(Exit::Success),
            Some(Outcome::Done(false)) => Some(Exit::Failure),
            Some(_) => {
                let name = &self.plan.calls[call as usize].name;
                let text = format!("`{name}` has not ended, and nothing waits for it");
                self.report(Some(node), text);
                Some(Exit::Aborted)
            }
            None => match self.host.take_panic() {
                Some(text) => {
                    let name = &self.plan.calls[call as usize].name;
                    self.report(Some(node), format!("`{name}` panicked: {text}"));
                    Some(Exit::Failure)
                }
                None => {
                    let error = self.core.session.take_call_error();
                    self.report(Some(node), error.to_string());
                    error.is_write().then_some(Exit::Failure)
                }
            },
        };
        if let Some(exit) = exit {
            let at = self.core.here(node);
            self.call_exit(at, call, exit);
            let asked = self.take_asked(at);
            self.discard(node, asked);
        }
        self.discard(node, asked);
        exit == Some(Exit::Success)
    }

    /// Asks a condition.
    pub(crate) fn ask_condition(&mut self, node: u32, ask: &Ask) -> bool {
        let holds = match self.call(node, ask.call) {
            Some(Outcome::Done(holds)) => {
                self.absorb_all(node);
                self.log_failure(node);
                holds != ask.not
            }
            called => {
                self.settle_call(node, ask.call, called);
                false
            }
        };
        if self.core.looks {
            let at = self.core.here(node);
            self.core
                .trace_guard(self.plan, at, ask.call, ask.not, holds);
        }
        holds
    }

    /// Tells of a call that is about to be made.
    #[inline]
    pub(crate) fn trace_call(&mut self, node: u32, call: u32, role: Role) {
        if self.core.looks {
            let at = self.core.here(node);
            self.core.trace_call(self.plan, at, call, role);
        }
    }

    /// A node that something is attached to, or that watches its children, has ended.
    pub(crate) fn ended(&mut self, node: u32, success: bool) {
        if self.core.looks
            && let Some(cold) = &mut self.core.cold
            && cold.keeps_results
        {
            cold.results.insert(node, success);
        }
        if self.plan.node(node).attached {
            let at = self.core.here(node);
            self.core.clear_timers(at);
            self.left(at, Some(success));
        }
        if self.core.looks {
            let at = self.core.here(node);
            let result = match success {
                true => Leave::Success,
                false => Leave::Failure,
            };
            self.core.trace_leave(self.plan, at, result, NOWHERE);
        }
    }

    /// A node was left: by itself, so, or aborted.
    pub(crate) fn left(&mut self, at: At, success: Option<bool>) {
        let plan = self.plan;
        self.unwatch(at);
        if let Some(cold) = &mut self.core.cold {
            cold.taken.retain(|taken| taken.0 != at);
        }
        let Some(attached) = plan.attached(at.node) else {
            return;
        };
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        let effects = &attached.effects;
        let by_result = match success {
            Some(true) => &effects.success,
            _ => &effects.failure,
        };
        for call in by_result.iter().chain(&effects.exit) {
            self.effect(at.node, *call, Role::Effect);
        }
        self.core.frame = frame;
    }

    /// Stops a walk at a node that was left, because something asks for attention first.
    pub(crate) fn interrupted(&mut self, node: u32, success: bool) -> Step {
        let at = self.core.here(node);
        self.core.wait(at, Wait::Ended).result = success;
        self.core.push_work(at, NONE);
        Step::Blocked
    }
}
