//! An agent's trees as they run, as a component.

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_platform::cell::SyncCell;
use bevy_reflect::Reflect;
use bt_core::pool::AgentId;
use bt_core::{Event, Runner};

use crate::ecs::short_name;
use crate::{EcsAgent, Wakes, exits};

/// The trees of an agent as they run: every agent has one, because its component requires it.
///
/// It is not cloned with its entity: the clone's tree starts anew. It is read through `&mut`, because a [`Runner`] is
/// `Send` and not `Sync`; [`Brains`](crate::Brains) changes it.
#[derive(Component)]
#[component(on_insert = joins::<A>, on_discard = exits::lose_brain::<A>, clone_behavior = Ignore)]
pub struct Brain<A: EcsAgent> {
    state: SyncCell<State<A>>,
    id: Option<AgentId>,
}

/// The states of a brain.
enum State<A: EcsAgent> {
    /// Its tree is still to come; what happened meanwhile.
    Waits(Vec<Event>),
    Runs(Box<Runner<A>>),
}

/// Seeds the random stream of an agent, from its first tree on. Without it the seed follows from the order in which
/// agents get their trees.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component)]
pub struct BtSeed(pub u64);

impl<A: EcsAgent> Default for Brain<A> {
    fn default() -> Brain<A> {
        Brain {
            state: SyncCell::new(State::Waits(Vec::new())),
            id: None,
        }
    }
}

impl<A: EcsAgent> Brain<A> {
    /// A brain with a tree that was built in code; it starts in the next round.
    pub fn new(mut runner: Runner<A>) -> Brain<A> {
        runner.start();
        Brain {
            state: SyncCell::new(State::Runs(Box::new(runner))),
            id: None,
        }
    }

    /// The runner; none as long as the tree is not loaded.
    pub fn runner(&mut self) -> Option<&Runner<A>> {
        self.runner_mut().map(|runner| &*runner)
    }

    /// The id that says when it is polled in a round; none as long as the tree is not loaded.
    pub fn id(&self) -> Option<AgentId> {
        self.id
    }

    pub(crate) fn runner_mut(&mut self) -> Option<&mut Runner<A>> {
        match self.state.get() {
            State::Runs(runner) => Some(runner),
            State::Waits(_) => None,
        }
    }

    /// Takes the runner, and leaves a brain that waits for a tree.
    pub(crate) fn take(&mut self) -> (Option<Box<Runner<A>>>, Option<AgentId>) {
        let id = self.id.take();
        match std::mem::replace(self.state.get(), State::Waits(Vec::new())) {
            State::Runs(runner) => (Some(runner), id),
            State::Waits(_) => (None, id),
        }
    }

    /// Its tree is there: what happened meanwhile happens to it.
    #[cfg(feature = "asset")]
    pub(crate) fn begin(&mut self, mut runner: Runner<A>) {
        if let State::Waits(events) = self.state.get() {
            events.drain(..).for_each(|event| runner.fire(event));
        }
        *self.state.get() = State::Runs(Box::new(runner));
    }

    pub(crate) fn fire(&mut self, event: Event) {
        match self.state.get() {
            State::Runs(runner) => runner.fire(event),
            State::Waits(events) => events.push(event),
        }
    }

    pub(crate) fn set_id(&mut self, id: AgentId) {
        self.id = Some(id);
    }
}

impl<A: EcsAgent> std::fmt::Debug for Brain<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Brain")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A brain is there: with a runner it takes part at once, else it waits for the tree of its entity.
fn joins<A: EcsAgent>(mut world: DeferredWorld<'_>, cx: HookContext) {
    let Some(mut brain) = world.get_mut::<Brain<A>>(cx.entity) else {
        return;
    };
    let (Some(mut runner), _) = brain.take() else {
        #[cfg(feature = "asset")]
        crate::files::expect_tree(&mut world, cx.entity);
        return;
    };
    let Some(mut wakes) = world.get_resource_mut::<Wakes<A>>() else {
        let agent = short_name::<A>();
        tracing::error!(target: "bt", "{}: `{agent}` runs no trees in this app; write `app.add_agent::<{agent}>()`", cx.entity);
        return;
    };
    let id = wakes.join(cx.entity, &mut runner);
    if let Some(mut brain) = world.get_mut::<Brain<A>>(cx.entity) {
        *brain.state.get() = State::Runs(runner);
        brain.set_id(id);
    }
}
