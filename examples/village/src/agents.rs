//! The agents: what villagers and guards can do.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bt_bevy::prelude::*;
use bt_core::Completion;
use std::collections::VecDeque;
use std::time::Duration;

use crate::Diary;

/// Those who wait for bread.
#[derive(Resource, Default)]
pub(crate) struct Queue(pub(crate) VecDeque<Completion>);

/// The world of all agents.
#[derive(SystemParam)]
pub struct Street<'w, 's> {
    queue: ResMut<'w, Queue>,
    diary: ResMut<'w, Diary>,
    names: Query<'w, 's, &'static Name>,
}

impl Street<'_, '_> {
    fn note(&mut self, who: Entity, what: &str) {
        let name = self.names.get(who).map_or("somebody", Name::as_str);
        let line = format!("{name} {what}");
        self.diary.write(&line);
    }
}

/// Lives in the village.
#[derive(Component, Agent, Default)]
#[agent(world = Ecs<Street<'w, 's>>)]
pub struct Villager {
    pub(crate) loaves: u32,
    pub(crate) is_asleep: bool,
}

#[agent]
impl Villager {
    /// It gets dark.
    #[event]
    pub fn nightfall();

    /// The sun rises.
    #[event]
    pub fn daybreak();

    /// Do something at home for a while.
    #[action]
    fn potter(&mut self, cx: &mut Context, #[arg(unit = "s")] at_most: u32) -> Option<bool> {
        let seconds = cx.random().int(1..=i64::from(at_most));
        cx.finish_after(Duration::from_secs(seconds.unsigned_abs()), true);
        None
    }

    /// Queue for bread.
    #[action]
    fn queue(&mut self, cx: &mut Context, #[world] street: &mut Ecs<Street>) -> Option<bool> {
        street.queue.0.push_back(cx.completion());
        None
    }

    /// Eat what was bought.
    #[action]
    fn eat(&mut self) {
        self.loaves += 1;
    }

    /// Sleep until something happens.
    #[action(exit = "wake")]
    fn sleep(&mut self, cx: &mut Context) -> Option<bool> {
        self.is_asleep = true;
        cx.finish_on("daybreak", true);
        None
    }

    fn wake(&mut self, _: &mut Context, _: Exit) {
        self.is_asleep = false;
    }
}

/// Watches over the village.
#[derive(Component, Agent, Default)]
#[agent(world = Ecs<Street<'w, 's>>)]
pub struct Guard;

#[agent]
impl Guard {
    /// Write something into the diary.
    #[action]
    fn note(&mut self, #[world] street: &mut Ecs<Street>, text: String) {
        let me = street.entity();
        street.note(me, &text);
    }

    /// Run after the thief as long as he is seen.
    #[action(exit = "stand")]
    fn chase(&mut self, cx: &mut Context) -> Option<bool> {
        cx.finish_on("caught", true);
        None
    }

    fn stand(&mut self, _: &mut Context, #[world] street: &mut Ecs<Street>, exit: Exit) {
        let me = street.entity();
        if exit == Exit::Aborted {
            street.note(me, "loses sight of him.");
        }
    }

    /// The thief is caught.
    #[event]
    pub fn caught();
}
