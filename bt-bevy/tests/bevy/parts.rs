//! A round in any number of parts has the same result.

use std::sync::{Arc, Mutex};

use bevy_app::Update;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bt_bevy::prelude::*;
use bt_bevy::{EntityArg, Wakes};
use bt_core::trace::{Record, Tracer};
use bt_core::tree::asset::spec::{action, select, sequence, wait_event};
use bt_core::{Completion, Mode, Runner, TreeAsset, TreeSet};

use crate::agents::Log;
use crate::play::Play;

#[derive(Component, Default)]
struct Call(Option<Completion>);

#[derive(SystemParam, Clone)]
struct Field<'w, 's> {
    calls: Query<'w, 's, &'static Call>,
}

#[derive(Component, Agent, Default)]
#[agent(world = Ecs<Field<'w, 's>>)]
struct Ant {
    moved: u32,
}

#[agent]
impl Ant {
    #[event]
    fn touched();

    /// Move, and say so in the log, in the order of the ants.
    #[action]
    fn crawl(&mut self, cx: &mut Context, #[world] field: &mut Ecs<Field>) {
        self.moved += 1;
        let (me, moved) = (field.entity(), self.moved);
        let drawn = cx.random().int(0..=99);
        field.queue(move |world| {
            world
                .resource_mut::<Log>()
                .0
                .push(format!("{me}: {moved} {drawn}"))
        });
    }

    /// Wait until another ant answers.
    #[action]
    fn ask(&mut self, cx: &mut Context, #[world] field: &mut Ecs<Field>) -> Option<bool> {
        let (me, call) = (field.entity(), cx.completion());
        field.queue(move |world| world.get_mut::<Call>(me).unwrap().0 = Some(call));
        None
    }

    /// Answer all who ask.
    #[action]
    fn answer(&mut self, #[world] field: &mut Ecs<Field>) -> bool {
        let answers = field.calls.iter().filter_map(|call| call.0.as_ref());
        answers.filter(|call| call.finish(true)).count() > 0
    }

    /// Touch an ant.
    #[action]
    fn touch(&mut self, #[world] field: &mut Ecs<Field>, other: EntityArg) {
        field.fire(other.into(), Ant::touched());
    }
}

/// The records of all ants, in the order of each.
struct Lines(usize, Arc<Mutex<Vec<Vec<String>>>>);

impl Tracer for Lines {
    fn record(&mut self, record: &Record<'_>) {
        let line = serde_json::to_string(record).unwrap();
        self.1.lock().unwrap()[self.0].push(line);
    }
}

/// The log, the records and the ends of a hundred rounds.
fn run(parts: usize) -> (Vec<String>, Vec<Vec<String>>, Vec<TreeEnded>) {
    let plugin = BtPlugin::in_schedule(Update).parts(parts);
    let mut play = Play::with(|app| _ = app.add_plugins(plugin).add_agent_parallel::<Ant>());
    let ants: Vec<Entity> = (0..100)
        .map(|_| play.app.world_mut().spawn(Call::default()).id())
        .collect();
    let mut trees = TreeSet::<Ant>::new();
    let mut add = |name: &str, top| _ = trees.add(TreeAsset::build(name, "ant", top));
    add(
        "ask",
        sequence([
            action("crawl"),
            action("ask"),
            action("crawl"),
            wait_event("touched"),
        ]),
    );
    add(
        "answer",
        sequence([
            select([action("answer"), action("crawl")]),
            action("wait_for_seconds").arg(0.3),
        ]),
    );
    let last = serde_json::to_value(EntityArg(ants[99])).unwrap();
    add(
        "touch",
        sequence([
            action("touch").arg(last),
            action("wait_for_seconds").arg(0.2),
        ]),
    );
    let trees = trees.build().unwrap();
    let records = Arc::new(Mutex::new(vec![Vec::new(); ants.len()]));
    for (number, ant) in ants.iter().enumerate() {
        let name = ["ask", "answer", "touch"][number % 3];
        let mut runner = Runner::new(&trees, name).unwrap();
        if number == 98 {
            runner.set_mode(Mode::Once);
        }
        runner.set_tracer(Some(Box::new(Lines(number, records.clone()))));
        play.app
            .world_mut()
            .entity_mut(*ant)
            .insert((Ant::default(), Brain::new(runner)));
    }
    let mut ended = Vec::new();
    for _ in 0..100 {
        play.frames(1);
        ended.extend(play.messages::<TreeEnded>());
    }
    assert_eq!(play.app.world().resource::<Wakes<Ant>>().len(), 100);
    let records = records.lock().unwrap().clone();
    (play.log(), records, ended)
}

#[test]
fn round_in_one_two_or_seven_parts_has_the_same_traces() {
    let one = run(1);
    assert!(one.0.len() > 100, "{:?}", one.0);
    assert!(one.1.iter().all(|ant| ant.len() > 10));
    assert!(!one.2.is_empty());
    for parts in [2, 7] {
        let other = run(parts);
        assert_eq!(one.0, other.0, "{parts}");
        assert_eq!(one.1, other.1, "{parts}");
        assert_eq!(one.2, other.2, "{parts}");
    }
}
