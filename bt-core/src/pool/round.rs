//! One round: who is due, in parts that are polled one after the other or side by side.

use std::sync::Arc;
use std::time::Duration;

use super::AgentId;
use super::inbox::Inbox;
use super::member::Member;
use super::reload::Reloads;
use super::turn::Turn;
use crate::deferred::{self, Effect};
use crate::{Agent, Poll, Runner, Worldless};

/// Some of the agents that are due in a [round](crate::pool::Pool::round), and nobody else's: chunks
/// can be polled on different threads at the same time.
///
/// Agents whose chunk is dropped without a poll are due in the next round.
#[must_use]
pub struct Chunk<'p, A: Agent> {
    /// Those from the place `base` on.
    members: &'p mut [Option<Member<A>>],
    base: usize,
    turns: &'p mut [Turn],
    effects: &'p mut Vec<Effect>,
    inbox: &'p Arc<Inbox>,
    reloads: &'p Reloads<A>,
    now: Duration,
}

/// Divides those who are due, sorted by id, into as many chunks of about the same size as there are
/// lists of effects.
pub(super) fn chunks<'p, A: Agent>(
    mut members: &'p mut [Option<Member<A>>],
    mut turns: &'p mut [Turn],
    effects: &'p mut [Vec<Effect>],
    (inbox, reloads): (&'p Arc<Inbox>, &'p Reloads<A>),
    now: Duration,
) -> impl Iterator<Item = Chunk<'p, A>> {
    let (mut base, mut left) = (0, effects.len());
    effects.iter_mut().map(move |effects| {
        let share = turns.len().div_ceil(left);
        left -= 1;
        let own = turns.split_off_mut(..share).unwrap_or_default();
        let end = own.last().map_or(base, |turn| turn.place() + 1);
        let mine = members.split_off_mut(..end - base).unwrap_or_default();
        let chunk = Chunk {
            members: mine,
            base,
            turns: own,
            effects,
            inbox,
            reloads,
            now,
        };
        base = end;
        chunk
    })
}

impl Turn {
    fn place(&self) -> usize {
        self.id.index() as usize
    }
}

impl<A: Agent> Chunk<'_, A> {
    /// The number of its agents.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Returns true if it has none.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Polls its agents in the order of their ids, in a world.
    pub fn poll_in<'w, 's>(self, world: &mut A::World<'w, 's>) {
        self.poll_each_in(world, |_, _, _, _| {});
    }

    /// The same, and calls `each` for each agent after its poll, within its turn: what is written to the
    /// runner there counts for when the agent is due next, what is requested of a
    /// [handle](crate::pool::PoolHandle) counts after the round, and the agent's own despawn when `each`
    /// returns. One that despawned itself in its poll has been stopped already. The [`Poll`] is that of
    /// the poll; of one whose despawn the host asked for it is `Failure`.
    pub fn poll_each_in<'w, 's>(
        self,
        world: &mut A::World<'w, 's>,
        mut each: impl FnMut(AgentId, &mut A, &mut Runner<A>, Poll),
    ) {
        let Chunk {
            members,
            base,
            turns,
            effects,
            inbox,
            reloads,
            now,
        } = self;
        deferred::collect(effects, || {
            for turn in turns {
                let place = turn.place() - base;
                let Some(member) = members.get_mut(place).and_then(Option::as_mut) else {
                    continue;
                };
                deferred::begin_turn(inbox.doer(turn.id));
                reloads.tell(&mut member.runner);
                let poll = member.poll(turn, world, now);
                each(turn.id, &mut member.agent, &mut member.runner, poll);
                member.end_if_asked(turn, world, now);
                turn.after = member.after(turn, inbox);
            }
        });
    }
}

impl<A: Agent> Chunk<'_, A> {
    /// [`poll_in`](Chunk::poll_in) for agents that act on no world.
    pub fn poll(self)
    where
        A: Worldless,
    {
        self.poll_in(&mut ());
    }
}

impl<A: Agent> std::fmt::Debug for Chunk<'_, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids = self.turns.iter().map(|turn| turn.id);
        f.debug_list().entries(ids).finish()
    }
}
