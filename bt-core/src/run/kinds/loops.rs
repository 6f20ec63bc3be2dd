//! `loop`: one iteration a poll, whatever the child returns; and what all loops share.

use super::Behaviour;
use crate::run::at::At;
use crate::run::core::Core;
use crate::run::entries::Wait;
use crate::run::state::Data;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Loop {
    /// Below zero: for ever.
    pub(crate) count: i64,
}

impl Behaviour for Loop {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(true);
        }
        walk.first_iteration(node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        let done = walk.iterated(node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return walk.last_iteration(node, true);
        }
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Again);
        Step::Blocked
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration(node)
    }
}

impl Core {
    /// The number of the poll in which a loop began its iteration.
    pub(crate) fn iteration(&mut self, at: At) -> Option<u32> {
        match self.state(at) {
            Some(Data::Count { began, .. }) => Some(*began),
            _ => None,
        }
    }
}

impl Walker<'_> {
    pub(crate) fn first_iteration(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        let (done, began) = (0, self.core.poll);
        self.core.set_state(at, Data::Count { done, began });
        Step::Enter(node + 1)
    }

    /// Counts an iteration that has ended; how many there were.
    pub(crate) fn iterated(&mut self, node: u32) -> u32 {
        let at = self.core.here(node);
        match self.core.state(at) {
            Some(Data::Count { done, .. }) => {
                *done = done.saturating_add(1);
                *done
            }
            _ => 1,
        }
    }

    /// Ends a loop.
    pub(crate) fn last_iteration(&mut self, node: u32, success: bool) -> Step {
        let at = self.core.here(node);
        self.core.clear_state(at);
        Step::Done(success)
    }

    /// Begins the next iteration: at once, if the loop is limited, or if the last one began in an
    /// earlier poll; else in the next poll.
    pub(crate) fn next_iteration(&mut self, node: u32, limited: bool) -> Step {
        let at = self.core.here(node);
        let poll = self.core.poll;
        let began = self.core.iteration(at).unwrap_or(poll);
        if !limited && began == poll {
            self.core.wait(at, Wait::Again);
            return Step::Blocked;
        }
        self.begin_iteration(node)
    }

    pub(crate) fn begin_iteration(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        let poll = self.core.poll;
        if let Some(Data::Count { began, .. }) = self.core.state(at) {
            *began = poll;
        }
        Step::Enter(node + 1)
    }
}
