//! The schedule of the turns: an agent is polled when something happened to it or its time has come.
//!
//! Polling all of them each step would be right as well, and needs only a loop. But most agents
//! wait most of the time: for an event, for a time, for the server. A
//! [`WakeQueue`](bt_core::pool::WakeQueue) knows who does not, and costs nothing for those who do. Who
//! has a polled action or a guard on the world's state is due in every step.
//!
//! The agents are of several types, and act one after the other in one world, in the order of their
//! entities: so the scene keeps them itself. Where they are of one type, a
//! [`Pool`](bt_core::pool::Pool) keeps them.

use std::collections::BTreeSet;
use std::time::Duration;

use super::actor::Actor;
use super::{CORPSE, RESPAWN, Scene};
use crate::world::Kind;
use bt_core::Event;
use bt_core::pool::{AgentId, WakeQueue};

/// The world moves on by so much at a time.
pub const STEP: Duration = Duration::from_millis(100);

/// The schedule of the turns.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    queue: WakeQueue,
    /// The entities by the places of their minds in the queue.
    entities: Vec<u64>,
    woken: Vec<AgentId>,
    /// The entities that are due, and have had no turn since.
    due: BTreeSet<u64>,
}

impl Schedule {
    pub(super) fn join(&mut self, entity: u64, actor: &mut dyn Actor) {
        let place = actor.join(&mut self.queue).index() as usize;
        if self.entities.len() <= place {
            self.entities.resize(place + 1, 0);
        }
        self.entities[place] = entity;
    }

    pub(super) fn leave(&mut self, actor: &mut dyn Actor) {
        actor.leave(&mut self.queue);
    }

    /// An actor has something to do.
    pub(super) fn wake(&mut self, actor: &mut dyn Actor) {
        actor.schedule(&mut self.queue);
    }

    /// Adds those who are due by now.
    fn take_due(&mut self, now: Duration) {
        self.queue.take_due(now, &mut self.woken);
        let entity = |id: &AgentId| self.entities.get(id.index() as usize);
        self.due.extend(self.woken.iter().filter_map(entity));
    }
}

impl Scene {
    /// Gives one actor its turn.
    pub(super) fn turn(&mut self, id: u64) {
        self.tally.has_turn(id, &self.world);
        // What an earlier turn did to this actor counts in this step already.
        let now = self.world.now();
        self.schedule.take_due(now);
        let is_due = self.schedule.due.remove(&id);
        let mut was_polled = false;
        // One thing at a time: what the agent does about the first may make the second void, and
        // then the world takes it back. Were all of them fired at once, a walk that has just begun
        // could be finished by the arrival of the one before.
        while self.is_able(id) {
            let Some(event) = self.world.take_event_of(id) else {
                break;
            };
            self.poll(id, Some(event));
            was_polled = true;
        }
        if is_due && !was_polled && self.is_able(id) {
            // What woke it may have been delivered by the poll in which it arrived.
            let wake = self.actors.get(&id).and_then(|actor| actor.next_wake());
            if wake.is_some_and(|wake| wake <= now) {
                self.poll(id, None);
            }
        }
    }

    /// Takes the mind from those who have died or left, whoever's turn it was when they did.
    pub(super) fn part(&mut self) {
        let unable = self.actors.keys().filter(|id| !self.is_able(**id));
        let unable: Vec<u64> = unable.copied().collect();
        for id in unable {
            self.lose(id);
        }
    }

    /// Returns true if an actor can act: it is in the world, and alive if it was ever alive.
    fn is_able(&self, id: u64) -> bool {
        let entity = self.world.entity(id);
        entity.is_ok_and(|entity| entity.is_alive() || entity.kind == Kind::Account)
    }

    fn poll(&mut self, id: u64, event: Option<Event>) {
        let Some(actor) = self.actors.get_mut(&id) else {
            return;
        };
        let now = self.world.now();
        if let Some(event) = &event {
            self.story.happened(id, event, &self.world);
            self.tally.happened(id, event);
            actor.fire(event.clone());
        }
        actor.poll(&mut self.world, now);
        actor.schedule(&mut self.schedule.queue);
        self.tally.polled(id);
        let change = self.story.look_again(id, &**actor, &self.world);
        self.story.changed(&change, event.as_ref(), &self.world);
        self.tally.changed(&change);
        let diagnostics = actor.take_diagnostics().into_iter();
        self.diagnostics.extend(diagnostics.map(|what| (id, what)));
    }

    /// Tells of an end, and stops the tree. The dead lie there for a while.
    fn lose(&mut self, id: u64) {
        let now = self.world.now();
        while let Some(event) = self.world.take_event_of(id) {
            if event.name() == "died" {
                self.story.happened(id, &event, &self.world);
                self.tally.happened(id, &event);
            }
        }
        self.dismiss(id);
        if self.world.entity(id).is_ok() {
            self.remains.insert(id, now + CORPSE);
        } else {
            self.story.left(id, &self.world);
        }
        if let Some(lair) = self.lairs.remove(&id) {
            self.vacant.push((now + RESPAWN, lair));
        }
    }
}
