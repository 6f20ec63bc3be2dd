//! An agent and the runner that drives it, whatever type of agent it is.

use std::time::Duration;

use bt_core::pool::{AgentId, WakeQueue};
use bt_core::trace::Tracer;
use bt_core::{Agent, Blackboard, Diagnostic, Event, Poll, Registry, Runner};
use bt_live::port::{Borrowed, Subject, View};

use super::live::{Changed, Grows};
use super::saved::{Part, SavedMind};
use crate::World;

/// An agent and its runner. A runner holds no agent and no world, so somebody has to.
pub(super) struct Mind<A: Agent> {
    pub(super) agent: A,
    pub(super) runner: Runner<A>,
    /// The time of its last poll.
    pub(super) clock: Duration,
    /// Its place in the scene's queue.
    pub(super) place: Option<AgentId>,
}

impl<A: Agent> Mind<A> {
    pub(super) fn new(agent: A, runner: Runner<A>) -> Mind<A> {
        Mind {
            agent,
            runner,
            clock: Duration::ZERO,
            place: None,
        }
    }
}

/// The scene's view of any of its minds. A runner is of one type of agent; a list of agents of several types
/// takes a trait like this one.
pub(super) trait Actor {
    fn fire(&mut self, event: Event);
    fn poll(&mut self, world: &mut World, now: Duration) -> Poll;
    fn stop(&mut self, world: &mut World, now: Duration);
    /// Takes part in a queue from now on, which says when it is due.
    fn join(&mut self, queue: &mut WakeQueue) -> AgentId;
    /// The time of its next poll.
    fn next_wake(&self) -> Option<Duration>;
    /// Lets the queue know that.
    fn schedule(&mut self, queue: &mut WakeQueue);
    /// Takes part no more.
    fn leave(&mut self, queue: &mut WakeQueue);
    fn is_running(&self) -> bool;
    fn tree(&self) -> &str;
    fn blackboard(&self) -> &Blackboard;
    fn take_diagnostics(&mut self) -> Vec<Diagnostic>;
    /// Sets the tracer of its records from now on.
    fn set_tracer(&mut self, tracer: Option<Box<dyn Tracer>>);
    /// Moves to changed trees in its next poll; whether its own changed.
    fn reload(&mut self, changed: &Changed) -> bool;
    /// The registered name of its agent's type.
    fn class(&self) -> &'static str;
    /// The state as data.
    fn save(&self) -> SavedMind;
    /// It, to be looked at from outside.
    fn view(&self) -> &dyn View;
    /// Lends it, to be changed from outside.
    fn lend(&mut self, world: &mut World, now: Duration, to: &mut dyn FnMut(&mut dyn Subject));
}

impl<A> Actor for Mind<A>
where
    A: for<'w, 's> Agent<World<'w, 's> = World> + Clone + Grows,
    SavedMind: From<Part<A>>,
{
    fn fire(&mut self, event: Event) {
        self.runner.fire(event);
    }

    fn poll(&mut self, world: &mut World, now: Duration) -> Poll {
        self.clock = now;
        self.runner.poll_in(&mut self.agent, world, now)
    }

    fn stop(&mut self, world: &mut World, now: Duration) {
        self.runner.stop_in(&mut self.agent, world, now);
    }

    fn join(&mut self, queue: &mut WakeQueue) -> AgentId {
        let place = queue.join(&mut self.runner);
        self.place = Some(place);
        place
    }

    fn next_wake(&self) -> Option<Duration> {
        self.runner.next_wake()
    }

    fn schedule(&mut self, queue: &mut WakeQueue) {
        if let Some(place) = self.place {
            queue.schedule(place, &mut self.runner);
        }
    }

    fn leave(&mut self, queue: &mut WakeQueue) {
        if let Some(place) = self.place.take() {
            queue.leave(place);
        }
    }

    fn is_running(&self) -> bool {
        self.runner.is_running()
    }

    fn tree(&self) -> &str {
        self.runner.tree()
    }

    fn blackboard(&self) -> &Blackboard {
        self.runner.blackboard()
    }

    fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        self.runner.take_diagnostics()
    }

    fn set_tracer(&mut self, tracer: Option<Box<dyn Tracer>>) {
        self.runner.set_tracer(tracer);
    }

    fn reload(&mut self, changed: &Changed) -> bool {
        let changes = A::changes(changed);
        if let Some(changes) = changes {
            self.runner.reload(changes);
        }
        changes.is_some()
    }

    fn class(&self) -> &'static str {
        let registry = Registry::global().ok();
        let info = registry.and_then(|registry| registry.agent_of::<A>());
        info.map_or("agent", |info| info.full_name())
    }

    fn save(&self) -> SavedMind {
        Part::of(self).into()
    }

    fn view(&self) -> &dyn View {
        &self.runner
    }

    fn lend(&mut self, world: &mut World, now: Duration, to: &mut dyn FnMut(&mut dyn Subject)) {
        to(&mut Borrowed::new(
            &mut self.agent,
            &mut self.runner,
            world,
            now,
        ));
    }
}
