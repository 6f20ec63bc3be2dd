//! The tracers of the agents.

use bt_core::trace::{SharedWriter, Tracer};

use super::Scene;
use super::actor::Actor;

/// An agent, as those who might trace it are told of it.
#[derive(Debug, Clone, Copy)]
pub struct Who<'a> {
    /// Its name in the story, such as `wolf#2`.
    pub name: &'a str,
    /// The registered name of its type, with its namespace.
    pub class: &'a str,
}

/// Gives each agent its tracer, if it is to have one.
pub(super) type Tracers = Box<dyn FnMut(Who<'_>) -> Option<Box<dyn Tracer>>>;

impl Scene {
    /// Traces agents from now on: `tracers` is asked for each that is there, and for each that joins
    /// later. Whoever was told so far is told no more.
    pub fn trace(&mut self, tracers: impl FnMut(Who<'_>) -> Option<Box<dyn Tracer>> + 'static) {
        self.tracers = Some(Box::new(tracers));
        let mut actors = std::mem::take(&mut self.actors);
        for (id, actor) in &mut actors {
            self.give_tracer(*id, &mut **actor);
        }
        self.actors = actors;
    }

    /// The writer of the story: a line written to it appears at the present place of the story.
    pub fn aside(&self) -> SharedWriter<Vec<u8>> {
        self.story.aside()
    }

    /// Lets a newcomer be traced, if it is to be.
    pub(super) fn give_tracer(&mut self, id: u64, actor: &mut dyn Actor) {
        if let (Some(tracers), Some(name)) = (&mut self.tracers, self.story.known(id)) {
            let class = actor.class();
            actor.set_tracer(tracers(Who { name, class }));
        }
    }
}
