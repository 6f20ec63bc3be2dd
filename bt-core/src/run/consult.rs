//! The agent's methods that decide what runs next: asked, with what they keep for a run of their node.

use std::mem::take;

use super::asked::RESULT;
use super::pending::More;
use super::walk::Walker;
use crate::call::{Asked, Exit, Left, Outcome};
use crate::kinds::{Answer, Caller, Held, Kept};
use crate::trace::Role;

impl Walker<'_> {
    /// Asks the method of a node, so many nanoseconds after it was asked last.
    pub(super) fn ask_agent(
        &mut self,
        node: u32,
        call: u32,
        (caller, asked): (Caller, Asked),
        delta: u64,
        held: &mut Held,
    ) -> Answer {
        self.restore_held(node, call, delta, held);
        let role = match caller == Caller::Composite {
            true => Role::Composite,
            false => Role::Decorator,
        };
        let guards = held.0.as_mut().map(|kept| take(&mut kept.more.guards));
        let mut guards = guards.filter(|guards| !guards.is_empty());
        let session = &mut self.core.session;
        if let Some(guards) = &mut guards {
            session.swap_guards(guards);
        }
        session.set_asked(asked);
        session.set_again(asked != Asked::Entry);
        let called = self.call_as(node, call, role, delta);
        let session = &mut self.core.session;
        session.set_again(false);
        session.set_asked(Asked::Entry);
        if let Some(mut guards) = guards {
            session.swap_guards(&mut guards);
            if let Some(kept) = &mut held.0 {
                kept.more.guards = guards;
            }
        }
        let chosen = self.core.session.board().take_answer();
        self.hold(node, call, held);
        match called {
            Some(Outcome::Run) => {
                // A decorator's answer has no number.
                let chosen = chosen.and_then(|chosen| chosen.as_u64()).unwrap_or(0);
                Answer::Run(usize::try_from(chosen).unwrap_or(usize::MAX))
            }
            Some(Outcome::Done(success)) => Answer::Done(success),
            Some(Outcome::Pending | Outcome::Running) => {
                self.report(
                    Some(node),
                    "an action was called where a child is chosen".to_owned(),
                );
                Answer::Done(false)
            }
            None => match self.host.take_panic() {
                Some(text) => {
                    let name = &self.plan.calls[call as usize].name;
                    self.report(Some(node), format!("`{name}` panicked: {text}"));
                    Answer::Done(false)
                }
                None => {
                    let error = self.core.session.take_call_error();
                    self.report(Some(node), error.to_string());
                    match error.is_write() {
                        true => Answer::Done(false),
                        false => Answer::Refused,
                    }
                }
            },
        }
    }

    /// Takes in what a call left behind, and holds what lasts for a run of the node.
    fn hold(&mut self, node: u32, call: u32, held: &mut Held) {
        let asked = self.take_requests(self.core.here(node));
        self.report_ignored(node, call, asked.end(), RESULT);
        let Some(mut more) = asked.more else { return };
        more.on.clear();
        more.completion = None;
        match &mut held.0 {
            Some(kept) => kept.more.add(*more),
            None => {
                let resumes = false;
                held.0 = Some(Box::new(Kept {
                    more: *more,
                    resumes,
                }));
            }
        }
    }

    /// Calls the resume method, if it is of an agent that was restored, and has one.
    fn restore_held(&mut self, node: u32, call: u32, delta: u64, held: &mut Held) {
        let Some(kept) = &mut held.0 else { return };
        let resumes = take(&mut kept.resumes);
        let Some(value) = kept.more.kept.clone().filter(|_| resumes) else {
            return;
        };
        self.enter_scope(node);
        self.core.session.set_again(true);
        let mut cx = self.core.session.context_after(node, delta);
        let resumed = self.host.resume(call, &mut cx, &value);
        self.core.session.end_call();
        self.core.session.set_again(false);
        self.hold(node, call, held);
        match resumed {
            Some(Ok(_)) => {}
            // It has none: what it keeps is made anew.
            Some(Err(error)) if error.is_refused() => {}
            Some(Err(error)) => self.report(Some(node), error.to_string()),
            None => {
                let text = self.host.take_panic().unwrap_or_default();
                self.report(Some(node), format!("its resume method panicked: {text}"));
            }
        }
    }

    /// Calls the exit method, if there is one, and drops what was kept.
    pub(super) fn exit_agent(
        &mut self,
        node: u32,
        call: u32,
        exit: Exit,
        delta: u64,
        held: &mut Held,
    ) {
        let has_exit = self.plan.calls[call as usize].has_exit;
        if has_exit {
            self.restore_held(node, call, delta, held);
        }
        let mut more: Option<Box<More>> = held.0.take().map(|kept| Box::new(kept.more));
        if has_exit {
            let at = self.core.here(node);
            let left = self.call_exit(at, call, exit, delta, &mut more);
            if left == Left::Later {
                let text = "its exit method returned `None`: only an action's is waited for";
                self.report(Some(node), text.to_owned());
            }
            let asked = self.take_requests(at);
            self.discard(node, asked);
        }
        self.discard(node, more);
    }
}
