//! `reactive_sequence` and `reactive_select`: every poll the earlier children are asked again.

use serde::{Deserialize, Serialize};

use super::{Behaviour, Ends, Nothing, Remember, Translate};
use crate::run::abort::Then;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Reactive {
    /// What makes it go on: success for a sequence.
    pub(crate) on: bool,
}

/// The child that runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Running(u32);

impl Remember for Running {
    const FORM: &'static str = "reactive";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.child(&mut self.0)
    }
}

impl Behaviour for Reactive {
    type State = Running;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.plan.children(node).next() {
            Some(first) => self.try_child(walk, node, first),
            None => Step::Done(self.on),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        let running = walk.core.running_child(at);
        if running == Some(child) {
            walk.core.clear_state(at);
        }
        if walk
            .core
            .entering(at)
            .is_some_and(|entered| entered != child)
        {
            // The running child ended while an earlier one is evaluated, which goes on.
            return Step::Blocked;
        }
        walk.core.drop_continuations(at);
        if success != self.on {
            return finish(walk, at, success);
        }
        match walk.plan.next_child(node, child) {
            // The others let it go on.
            Some(next) if running == Some(next) => Step::Blocked,
            Some(next) => self.try_child(walk, node, next),
            None => finish(walk, at, success),
        }
    }

    fn resume(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        let at = walk.core.here(node);
        let before = walk.core.running_child(at);
        walk.core.set_state::<Self>(at, Running(child));
        if walk.core.find(at).is_none() {
            walk.core.wait(at, Wait::Turn);
        }
        match before {
            Some(loser) if loser != child => {
                let loser = At {
                    frame: at.frame,
                    node: loser,
                };
                walk.abort(at, loser, true, Then::Nothing)
            }
            _ => Step::Blocked,
        }
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let first = node + 1;
        match walk.core.running_child(at) {
            Some(running) if running != first && !walk.closes(at) => {
                self.try_child(walk, node, first)
            }
            _ => Step::Blocked,
        }
    }

    fn is_reactive(&self) -> bool {
        true
    }

    fn runs_many(&self) -> bool {
        true
    }

    fn ends_below(&self, _: &Core, _: At) -> Option<Ends> {
        Some(Ends::Earlier)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }
}

impl Reactive {
    /// Enters a child, once what was aborted there is gone.
    fn try_child(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        let at = walk.core.here(node);
        let place = walk.core.here(child);
        if walk.core.is_active(walk.plan, place) {
            return walk.abort(at, place, true, Then::Enter(place));
        }
        walk.core.push_continuation(at, child);
        Step::Enter(child)
    }
}

impl Core {
    /// The child of a reactive node that runs.
    pub(crate) fn running_child(&self, at: At) -> Option<u32> {
        self.state::<Reactive>(at).map(|running| running.0)
    }
}

/// Ends, once all that runs below is gone.
fn finish(walk: &mut Walker<'_>, at: At, success: bool) -> Step {
    walk.core.clear_state(at);
    walk.core.drop_entry(at);
    if walk.core.any_below(walk.plan, at) {
        return walk.abort(at, at, false, Then::Go(at, Act::Done(success)));
    }
    Step::Done(success)
}
