//! The agent of most tests: a guard of a level.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bt_bevy::prelude::*;
use bt_bevy::{EntityArg, Vec2Arg};
use bt_core::Completion;

/// The events of a test, in their order.
#[derive(Resource, Default)]
pub(crate) struct Log(pub(crate) Vec<String>);

#[derive(Component, Default, Clone, Copy, PartialEq, Debug)]
pub(crate) struct Position(pub(crate) f32, pub(crate) f32);

#[derive(Component)]
pub(crate) struct Health(pub(crate) i64);

/// A walk that a system ends.
#[derive(Component)]
pub(crate) struct WalkTo {
    pub(crate) to: Vec2Arg,
    pub(crate) done: Completion,
}

#[derive(SystemParam)]
pub(crate) struct Level<'w, 's> {
    pub(crate) positions: Query<'w, 's, &'static mut Position>,
    pub(crate) log: ResMut<'w, Log>,
    pub(crate) commands: Commands<'w, 's>,
}

#[derive(Component, Agent, Default)]
#[agent(world = Ecs<Level<'w, 's>>)]
pub(crate) struct Guard {
    #[property]
    pub(crate) steps: u32,
}

#[agent]
impl Guard {
    /// Somebody knocks.
    #[event]
    pub(crate) fn knock(visitor: &str);

    /// Take a step.
    #[action]
    fn step(&mut self, #[world] level: &mut Ecs<Level>, by: f32) -> Result<(), String> {
        let me = level.entity();
        self.steps += 1;
        let mut position = level
            .positions
            .get_mut(me)
            .map_err(|error| error.to_string())?;
        position.0 += by;
        Ok(())
    }

    /// Say something.
    #[action]
    fn say(&mut self, #[world] level: &mut Ecs<Level>, text: String) {
        level.log.0.push(text);
    }

    /// Hold the door.
    #[action(exit = "let_go")]
    fn hold(&mut self, cx: &mut Context, #[world] level: &mut Ecs<Level>) -> Option<bool> {
        cx.finish_on("never", true);
        level.log.0.push("hold".to_owned());
        None
    }

    fn let_go(&mut self, _cx: &mut Context, #[world] level: &mut Ecs<Level>, exit: Exit) {
        let is_there = level.positions.contains(level.entity());
        let steps = self.steps;
        level.log.0.push(format!(
            "let go: {exit:?} after {steps} steps, {}",
            match is_there {
                true => "there",
                false => "gone",
            }
        ));
    }

    /// Walk to a place.
    #[action(exit = "stand")]
    fn walk_to(
        &mut self,
        cx: &mut Context,
        #[world] level: &mut Ecs<Level>,
        to: Vec2Arg,
    ) -> Option<bool> {
        let (me, done) = (level.entity(), cx.completion());
        level.commands.entity(me).insert(WalkTo { to, done });
        None
    }

    fn stand(&mut self, _cx: &mut Context, #[world] level: &mut Ecs<Level>, _exit: Exit) {
        let me = level.entity();
        level.commands.entity(me).try_remove::<WalkTo>();
    }

    /// Vanish.
    #[action]
    fn vanish(&mut self, #[world] level: &mut Ecs<Level>) {
        let me = level.entity();
        level.commands.entity(me).despawn();
    }

    /// Wake another guard.
    #[action]
    fn call(&mut self, #[world] level: &mut Ecs<Level>, other: EntityArg) {
        level.fire(other.into(), Guard::knock("a guard"));
    }

    /// Panic.
    #[action]
    fn stumble(&mut self) -> bool {
        panic!("a stone in the way")
    }
}
