//! The attachments of a node, from the outside in: guards, effects, services; events are deliveries.

use super::node_ref::{At, NOWHERE};
use super::plain::Next;
use super::state::timers::Purpose;
use super::walk::{Act, Step, Walker};
use crate::blackboard::Scope;
use crate::call::{Exit, Outcome};
use crate::kinds::NumberSlot;
use crate::trace::{Leave, Role};
use crate::tree::plan::{Ask, Service};

/// All effects of entry and all services of a node were called.
const ALL_CALLED: u8 = u8::MAX;

impl Walker<'_> {
    /// Enters a node that something is attached to.
    pub(crate) fn enter_attached(&mut self, node: u32) -> Step {
        let refuses = self.refuses(node);
        if self.has_request() {
            return self.park(node, Act::Enter);
        }
        if refuses {
            self.core.decided(node, true);
            return Step::Jump(self.core.here(node), Act::Left(false));
        }
        self.enter_checked(node)
    }

    /// Enters a node whose guards hold.
    pub(crate) fn enter_checked(&mut self, node: u32) -> Step {
        let plan = self.plan;
        let at = self.core.here(node);
        if self.core.is_traced {
            if let Some(step) = self.forced(node) {
                return step;
            }
            if self.core.stops_at_entry(plan, at) {
                return self.park_as(node, Act::EnterChecked, Next::Straight);
            }
            self.core.trace_enter(plan, at);
        }
        self.enter_from(node, 0)
    }

    /// Calls the effects of entry and the services of a node, but for so many that were called before,
    /// then begins it. What a call wrote, or requested, counts before anything else is called. The node's numbers
    /// are read once the effects were called.
    pub(crate) fn enter_from(&mut self, node: u32, called: u8) -> Step {
        let Some(attached) = self.plan.attached(node) else {
            return self.begin(node);
        };
        let effects = &attached.effects.enter;
        let all = effects.len() + attached.services.len();
        let from = match called {
            ALL_CALLED => all,
            called => usize::from(called),
        };
        for number in from..all {
            if number == effects.len() && !self.read_numbers(node) {
                return Step::Done(false);
            }
            match number.checked_sub(effects.len()) {
                None => self.effect(node, effects[number], Role::Effect),
                Some(number) => {
                    let at = self.core.here(node);
                    self.serve(at, number as u32, &attached.services[number]);
                }
            }
            let called = match number + 1 {
                called if called == all => ALL_CALLED,
                called => u8::try_from(called).unwrap_or(ALL_CALLED),
            };
            if self.core.interrupted.any() && (called < ALL_CALLED || number + 1 == all) {
                return self.park(node, Act::Begin(called));
            }
        }
        if all == effects.len() && !self.read_numbers(node) {
            return Step::Done(false);
        }
        self.begin(node)
    }

    /// Calls a service, and sets when it is called next.
    pub(crate) fn serve(&mut self, at: At, number: u32, service: &Service) {
        self.effect(at.node, service.call, Role::Service);
        // Counted from now: what was missed is not caught up with.
        let now = self.core.now();
        // One that changed trees gave it, and that cannot be read, ends the node.
        let Some(every) = service
            .every
            .kept(self, at.node, NumberSlot::service(number))
        else {
            return;
        };
        let next = now.saturating_add(every.max(1));
        // At the clock's end there is no later time, and it would be due again at once, for ever.
        if next > now {
            self.core.set_timer(next, at, Purpose::Service(number));
        }
    }

    /// A call whose result is ignored.
    pub(super) fn effect(&mut self, node: u32, call: u32, role: Role) {
        let called = self.call_as(node, call, role, 0);
        self.settle_call(node, call, called);
    }

    /// Ends a call that waits for nothing, whatever its outcome; whether it succeeded. One that began
    /// exits: its exit method runs, then its guards drop.
    pub(crate) fn settle_call(&mut self, node: u32, call: u32, called: Option<Outcome>) -> bool {
        let mut asked = self.take_requests(self.core.here(node));
        let exit = match called {
            Some(Outcome::Done(success)) => {
                self.log_result(node, call, &asked);
                Some(if success {
                    Exit::Success
                } else {
                    Exit::Failure
                })
            }
            Some(Outcome::Pending | Outcome::Running | Outcome::Run) => {
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
                    // An expression that has no value is reported once, until it has one.
                    let is_known = self.plan.calls[call as usize].is_expression
                        && !self.core.cold().reports.is_newly_mistaken(call);
                    if !is_known {
                        self.report(Some(node), error.to_string());
                    }
                    error.is_write().then_some(Exit::Failure)
                }
            },
        };
        if let Some(exit) = exit {
            let at = self.core.here(node);
            self.call_exit(at, call, exit, 0, &mut asked.more);
            let asked = self.take_requests(at);
            self.discard(node, asked);
        }
        self.discard(node, asked);
        exit == Some(Exit::Success)
    }

    /// Evaluates a condition, with the keys of a scope.
    ///
    /// `guard` is its number among the guards of the node.
    pub(crate) fn ask_condition(
        &mut self,
        node: u32,
        scope: Scope,
        ask: &Ask,
        guard: Option<u32>,
    ) -> bool {
        let holds = match self.call_in(scope, node, ask.call, 0) {
            Some(Outcome::Done(holds)) => {
                self.absorb_all(node, ask.call);
                self.log_failure(node);
                if self.plan.calls[ask.call as usize].is_expression
                    && let Some(cold) = &mut self.core.cold
                {
                    cold.reports.is_right(ask.call);
                }
                holds != ask.not
            }
            called => {
                self.settle_call(node, ask.call, called);
                false
            }
        };
        if self.core.is_traced {
            let at = self.core.here(node);
            self.core.trace_guard(self.plan, at, ask, guard, holds);
        }
        holds
    }

    /// Calls the agent, so many nanoseconds after the node's call before. A trace has a row of it once the arguments are
    /// resolved: what cannot be called was not.
    #[inline]
    pub(crate) fn call_as(
        &mut self,
        node: u32,
        call: u32,
        role: Role,
        delta: u64,
    ) -> Option<Outcome> {
        // Only the call that begins a run has arguments for its end.
        let session = &self.core.session;
        let keeps = !session.is_again() && self.plan.calls[call as usize].exit_takes;
        if !keeps && !session.is_traced() {
            return self.call_in(self.plan.info(node).scope, node, call, delta);
        }
        self.enter_scope(node);
        let mut cx = self.core.session.context_after(node, delta);
        let resolved = self.host.resolve(call, &mut cx);
        self.core.session.end_call();
        resolved?;
        self.trace_call(node, call, role);
        if keeps {
            self.keep_args(call);
        }
        let mut cx = self.core.session.context_after(node, delta);
        let called = self.host.call_resolved(call, &mut cx);
        self.core.session.end_call();
        if self.core.is_traced && self.host.may_change(call) {
            self.trace_changes(self.core.here(node));
        }
        called
    }

    /// Tells of the agent's properties that have changed.
    pub(crate) fn trace_changes(&mut self, at: At) {
        if self.core.session.is_traced() {
            self.core.trace_properties(self.plan, self.host, at);
        }
    }

    /// Tells of a call.
    #[inline]
    pub(crate) fn trace_call(&mut self, node: u32, call: u32, role: Role) {
        if self.core.is_traced {
            let at = self.core.here(node);
            self.core.trace_call(self.plan, at, call, role);
        }
    }

    /// A node that something is attached to, or that watches its children, has ended.
    pub(crate) fn ended(&mut self, node: u32, success: bool) {
        if self.core.is_traced
            && let Some(cold) = &mut self.core.cold
        {
            cold.results.note(node, success);
        }
        if self.plan.node(node).attached {
            let at = self.core.here(node);
            self.core.clear_timers(at);
            self.core.clear_numbers(at);
            if self.plan.node(node).exits {
                let exit = match success {
                    true => Exit::Success,
                    false => Exit::Failure,
                };
                self.plan.node(node).kind.runs().exited(self, node, exit);
            }
            self.left(at, Some(success));
        }
        if self.core.is_traced {
            let at = self.core.here(node);
            let result = match success {
                true => Leave::Success,
                false => Leave::Failure,
            };
            self.core.trace_leave(self.plan, at, result, NOWHERE);
        }
    }

    /// A node was exited: by itself, so, or aborted.
    pub(crate) fn left(&mut self, at: At, success: Option<bool>) {
        let plan = self.plan;
        self.unwatch(at);
        if let Some(cold) = &mut self.core.cold {
            cold.taken.retain(|taken| taken.0 != at);
        }
        let Some(attached) = plan.attached(at.node) else {
            return self.end_scope(at);
        };
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        let effects = &attached.effects;
        let (by_result, aborted): (_, &[u32]) = match success {
            Some(true) => (&effects.success, &[]),
            Some(false) => (&effects.failure, &[]),
            None => (&effects.failure, &effects.aborted),
        };
        for call in by_result.iter().chain(aborted).chain(&effects.exit) {
            self.effect(at.node, *call, Role::Effect);
        }
        self.core.frame = frame;
        self.end_scope(at);
    }

    /// The keys that a node declares for itself have their values for one run of it.
    fn end_scope(&mut self, at: At) {
        let scope = self.plan.info(at.node).scope;
        if self.plan.scoped && scope != self.plan.outer_scope(at.node) {
            let frame = self.core.frame(at.frame).board.unwrap_or_default();
            self.core.session.board().reset_scope(frame, scope);
        }
    }
}
