//! One agent of a pool, with its runner.

use std::sync::Arc;
use std::time::Duration;

use super::inbox::Inbox;
use super::queue::Due;
use super::turn::{After, Turn};
use crate::{Agent, Poll, Runner, deferred};

pub(super) struct Member<A: Agent> {
    pub(super) agent: A,
    pub(super) runner: Runner<A>,
}

impl<A: Agent> Member<A> {
    /// Polls the agent, or ends it.
    pub(super) fn poll<'w, 's>(
        &mut self,
        turn: &mut Turn,
        world: &mut A::World<'w, 's>,
        now: Duration,
    ) -> Poll {
        if turn.ends && !self.runner.is_cancelling() {
            self.end(world, now);
            return Poll {
                status: false.into(),
                next_wake: self.runner.next_wake(),
                touched: true,
            };
        }
        let poll = self.runner.poll_in(&mut self.agent, world, now);
        self.end_if_asked(turn, world, now);
        poll
    }

    /// Ends it, if it despawned itself in this turn.
    pub(super) fn end_if_asked<'w, 's>(
        &mut self,
        turn: &mut Turn,
        world: &mut A::World<'w, 's>,
        now: Duration,
    ) {
        if deferred::is_ending() && !turn.ends {
            turn.ends = true;
            self.end(world, now);
        }
    }

    /// Stops the tree of an agent that was despawned, unless it only waits for what is cancelling. A
    /// pause ends, and a start or another tree that somebody asked for meanwhile does not happen.
    pub(super) fn end<'w, 's>(&mut self, world: &mut A::World<'w, 's>, now: Duration) {
        if !self.runner.is_cancelling() {
            self.runner.resume();
            self.runner.stop_in(&mut self.agent, world, now);
        }
    }

    /// Applies the outcome of its turn.
    pub(super) fn after(&mut self, turn: &Turn, inbox: &Arc<Inbox>) -> After {
        if turn.ends && !self.runner.is_running() {
            return After::Gone;
        }
        let due = Due::of(turn.id, &mut self.runner, inbox);
        match turn.ends && !self.runner.is_cancelling() {
            // Somebody was shown it, and revived it.
            true => After::Lives(Due::At(0)),
            false => After::Lives(due),
        }
    }
}
