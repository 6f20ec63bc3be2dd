//! `frames`: the child for a number of polls, then success.

use serde::{Deserialize, Serialize};

use super::loops::Count;
use super::{Behaviour, Ends, Nothing, Remember, Translate};
use crate::run::abort::Then;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct Frames {
    pub(crate) count: u32,
}

/// The polls of the child. What is done is the number of the one in which it has ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Polls(Count);

impl Remember for Polls {
    const FORM: &'static str = Count::FORM;

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.counted_from(&mut self.0.began);
        Ok(())
    }
}

impl Behaviour for Frames {
    type State = Polls;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(true);
        }
        let at = walk.core.here(node);
        let (done, began) = (0, walk.core.poll);
        walk.core
            .set_state::<Self>(at, Polls(Count { done, began }));
        walk.core.wait(at, Wait::Turn);
        walk.core.push_continuation(at, node + 1);
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        let at = walk.core.here(node);
        walk.core.drop_continuations(at);
        let poll = walk.core.poll;
        if let Some(polls) = walk.core.state_mut::<Self>(at) {
            polls.0.done = poll;
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
            if state.is_some_and(|polls| polls.0.done == poll) {
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
        // While its tree is suspended: if that goes on in the next poll.
        let began = core.state::<Self>(at)?.0.began;
        let began = began.saturating_add(core.rested(at));
        let last = began.saturating_add(self.count.saturating_sub(1));
        Some(Ends::Poll(last))
    }

    fn skip_polls(&self, core: &mut Core, at: At, polls: u32) {
        if let Some(found) = core.state_mut::<Self>(at) {
            found.0.began = found.0.began.saturating_add(polls);
        }
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
        let polls = walk.core.state::<Self>(at);
        polls.is_some_and(|polls| poll.wrapping_sub(polls.0.began) >= self.count - 1)
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
