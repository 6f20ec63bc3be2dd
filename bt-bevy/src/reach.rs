//! The agents of one type, their runners and their world together, for those who have the `World`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::prelude::*;
use bevy_ecs::system::{StaticSystemParam, SystemState};
use bevy_ecs::world::CommandQueue;

use crate::ecs::short_name;
use crate::{Brain, EcsAgent, Wakes};

/// An agent, its brain if it has one, and its parameters.
type Params<A> = (
    Query<'static, 'static, (&'static mut A, Option<&'static mut Brain<A>>)>,
    ResMut<'static, Wakes<A>>,
    StaticSystemParam<'static, 'static, <A as EcsAgent>::Params>,
);

/// The state of the parameters, between two uses.
#[derive(Resource)]
pub(crate) struct Reach<A: EcsAgent>(SystemState<Params<A>>);

/// The parts that [`reach`] borrows.
pub(crate) struct Reached<'r, 'a, 'w, 's, A: EcsAgent> {
    /// The agent of the entity; none if that has none any more.
    pub(crate) agent: Option<Mut<'a, A>>,
    #[cfg_attr(not(feature = "port"), expect(dead_code))]
    pub(crate) brain: Option<&'a mut Brain<A>>,
    #[cfg_attr(not(feature = "port"), expect(dead_code))]
    pub(crate) wakes: &'r mut Wakes<A>,
    pub(crate) world: &'r mut A::World<'w, 's>,
}

impl<A: EcsAgent> Reach<A> {
    fn new(world: &mut World) -> Reach<A> {
        Reach(SystemState::new(world))
    }

    /// The first one.
    ///
    /// # Panics
    /// If the parameters contradict each other: Bevy says so in a panic, which names nothing without its feature `debug`.
    pub(crate) fn first(world: &mut World) -> Reach<A> {
        let made = catch_unwind(AssertUnwindSafe(|| Reach::new(world)));
        made.unwrap_or_else(|panic| {
            let (agent, why) = (short_name::<A>(), panic_text(&*panic));
            panic!(
                "`{agent}` cannot run trees: the parameters of its world contradict its poll, which borrows `&mut {agent}` of \
                 all of them. Leave out `{agent}`, its `Brain` and its `Wakes`, and keep what others look at in a component \
                 of its own. Bevy says: {why}"
            )
        })
    }
}

/// Lends an agent with its world, and applies what it queues; none if the parameters of its world are not there, which
/// is reported.
pub(crate) fn reach<A: EcsAgent, R>(
    world: &mut World,
    entity: Entity,
    lend: impl FnOnce(Reached<'_, '_, '_, '_, A>) -> R,
) -> Option<R> {
    // What is applied may lead here again, which then makes a state of its own.
    let Reach(mut state) = match world.remove_resource() {
        Some(reach) => reach,
        None => Reach::<A>::new(world),
    };
    let lent: Result<(R, CommandQueue), _> =
        state.get_mut(world).map(|(mut agents, mut wakes, params)| {
            let mut ecs = A::lend(params.into_inner());
            A::begin_turn(&mut ecs, entity);
            let (agent, brain) = agents.get_mut(entity).ok().unzip();
            let reached = Reached {
                agent,
                brain: brain.flatten().map(Mut::into_inner),
                wakes: wakes.bypass_change_detection(),
                world: &mut ecs,
            };
            let result = lend(reached);
            (result, A::take_effects(&mut ecs))
        });
    let result = match lent {
        Ok((result, mut effects)) => {
            state.apply(world);
            effects.apply(world);
            Some(result)
        }
        Err(error) => {
            let agent = short_name::<A>();
            tracing::error!(target: "bt", "{entity}: the world of `{agent}` is not there: {error}");
            None
        }
    };
    world.insert_resource(Reach(state));
    result
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied())
        .unwrap_or("nothing")
}
