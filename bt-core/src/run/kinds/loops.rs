//! `loop`: one iteration a poll, whatever the child returns; and what all loops share.

use serde::{Deserialize, Serialize};

use super::{Behaviour, Nothing, Remember, Slot};
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Loop {
    /// Below zero: for ever.
    pub(crate) count: i64,
}

impl Behaviour for Loop {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if self.count == 0 {
            return Step::Done(true);
        }
        walk.first_iteration::<Self>(node)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, _: bool) -> Step {
        let done = walk.iterated::<Self>(node);
        if self.count >= 0 && i64::from(done) >= self.count {
            return walk.last_iteration(node, true);
        }
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Again);
        Step::Blocked
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        walk.begin_iteration::<Self>(node)
    }
    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }
}

/// The iterations of a loop.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub(crate) struct Count {
    /// How many have ended.
    pub(crate) done: u32,
    /// The number of the poll in which the last one began.
    pub(crate) began: u32,
}

impl Remember for Count {
    const FORM: &'static str = "count";
}

impl From<(u32, u32)> for Count {
    fn from((done, began): (u32, u32)) -> Count {
        Count { done, began }
    }
}

impl From<Count> for (u32, u32) {
    fn from(count: Count) -> (u32, u32) {
        (count.done, count.began)
    }
}

impl Walker<'_> {
    /// The number of the poll in which a loop began its iteration.
    pub(super) fn iteration<K: Slot<State = Count>>(&self, at: At) -> Option<u32> {
        Some(self.core.state::<K>(at)?.began)
    }

    pub(super) fn first_iteration<K: Slot<State = Count>>(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        let (done, began) = (0, self.core.poll);
        self.core.set_state::<K>(at, Count { done, began });
        Step::Enter(node + 1)
    }

    /// Counts an iteration that has ended; how many there were.
    pub(super) fn iterated<K: Slot<State = Count>>(&mut self, node: u32) -> u32 {
        let at = self.core.here(node);
        self.core.state_mut::<K>(at).map_or(1, |count| {
            count.done = count.done.saturating_add(1);
            count.done
        })
    }

    /// Ends a loop.
    pub(super) fn last_iteration(&mut self, node: u32, success: bool) -> Step {
        let at = self.core.here(node);
        self.core.clear_state(at);
        Step::Done(success)
    }

    /// Begins the next iteration: at once, if the loop is limited, or if the last one began in an
    /// earlier poll; else in the next poll.
    pub(super) fn next_iteration<K: Slot<State = Count>>(
        &mut self,
        node: u32,
        limited: bool,
    ) -> Step {
        let at = self.core.here(node);
        let poll = self.core.poll;
        let began = self.iteration::<K>(at).unwrap_or(poll);
        if !limited && began == poll {
            self.core.wait(at, Wait::Again);
            return Step::Blocked;
        }
        self.begin_iteration::<K>(node)
    }

    pub(super) fn begin_iteration<K: Slot<State = Count>>(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        let poll = self.core.poll;
        if let Some(count) = self.core.state_mut::<K>(at) {
            count.began = poll;
        }
        Step::Enter(node + 1)
    }
}
