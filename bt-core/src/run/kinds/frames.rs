//! `frames`: the child for a number of polls, then success.

use super::loops::Count;
use super::{Behaviour, Ends, Nothing};
use crate::run::abort::Then;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Frames {
    pub(crate) count: u32,
}

impl Behaviour for Frames {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(true);
        }
        let at = walk.core.here(node);
        // What is done is the number of the poll in which the child has ended.
        let (done, began) = (0, walk.core.poll);
        walk.core.set_state::<Self>(at, Count { done, began });
        walk.core.wait(at, Wait::Turn);
        walk.core.push_continuation(at, node + 1);
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        let at = walk.core.here(node);
        walk.core.drop_continuations(at);
        let poll = walk.core.poll;
        if let Some(count) = walk.core.state_mut::<Self>(at) {
            count.done = poll;
        }
        self.look(walk, at)
    }

    fn resume(&self, walk: &mut Walker<'_>, node: u32, _: u32) -> Step {
        let at = walk.core.here(node);
        self.look(walk, at)
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        if !walk.core.any_below(walk.plan, at) {
            let poll = walk.core.poll;
            let state = walk.core.state::<Self>(at);
            if state.is_some_and(|count| count.done == poll) {
                return Step::Blocked;
            }
            walk.core.push_continuation(at, node + 1);
            return Step::Enter(node + 1);
        }
        if self.is_over(walk, at) {
            // The child runs in the last poll, too.
            walk.core.cold().continuations.decide(at);
        }
        Step::Blocked
    }

    /// In the last poll: the child has run.
    fn decide(&self, walk: &mut Walker<'_>, at: At) -> Step {
        match walk.core.is_spent() {
            true => Step::Blocked,
            false => self.look(walk, at),
        }
    }

    /// Where there was no budget left, the child is still to run in the last poll.
    fn decides_later(&self) -> bool {
        false
    }

    fn ends_below(&self, core: &Core, at: At) -> Option<Ends> {
        let began = core.state::<Self>(at)?.began;
        let last = began.saturating_add(self.count.saturating_sub(1));
        Some(Ends::Poll(last))
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }
}

impl Frames {
    fn is_over(&self, walk: &mut Walker<'_>, at: At) -> bool {
        let poll = walk.core.poll;
        let began = walk.iteration::<Self>(at);
        began.is_some_and(|began| poll.wrapping_sub(began) >= self.count - 1)
    }

    /// Ends in its last poll.
    fn look(&self, walk: &mut Walker<'_>, at: At) -> Step {
        if !self.is_over(walk, at) {
            return Step::Blocked;
        }
        walk.core.clear_state(at);
        walk.core.drop_entry(at);
        walk.abort(at, at, false, Then::Go(at, Act::Done(true)))
    }
}
