//! Agents are polled when they are due, with their world.

use std::time::Duration;

use bevy_app::{FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_state::app::{AppExtStates, StatesPlugin};
use bevy_state::condition::in_state;
use bevy_state::state::{NextState, States};
use bevy_time::{Fixed, Time, Virtual};
use bt_bevy::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, expr, select, sequence};
use bt_core::{Runner, TreeAsset, TreeSet};

use crate::agents::{Guard, Health, Position, WalkTo};
use crate::play::Play;

fn brain(top: NodeSpec) -> impl Fn() -> Brain<Guard> {
    let mut trees = TreeSet::<Guard>::new();
    trees.add(TreeAsset::build("made", "guard", top));
    let trees = trees.build().unwrap();
    move || Brain::new(Runner::new(&trees, "made").unwrap())
}

#[test]
fn agents_act_on_their_world_and_are_not_looked_at_while_they_wait() {
    let mut play = Play::new();
    let one = play.guard("SEQUENCE True\n    step 1.5\n    hold");
    let tree = play.load("trees/door.bt");
    let other = play.spawn(tree);
    play.frames(2);
    assert_eq!(play.log(), ["hold", "hold"]);
    for guard in [one, other] {
        let guard = play.app.world().entity(guard);
        assert_eq!(guard.get::<Position>(), Some(&Position(1.5, 0.0)));
        assert_eq!(guard.get::<Guard>().unwrap().steps, 1);
    }
    play.frames(3);
    assert_eq!(play.polled(), 0);
}

#[test]
fn completion_in_a_component_ends_the_action() {
    let mut play = Play::new();
    play.app
        .add_systems(Update, |mut walkers: Query<(&WalkTo, &mut Position)>| {
            for (walk, mut position) in &mut walkers {
                *position = Position(walk.to.x, walk.to.y);
                walk.done.finish(true);
            }
        });
    let guard = play.guard("AGENT guard {\"mode\": \"once\"}\nSEQUENCE True\n    walk_to {\"to\": {\"x\": 3, \"y\": 4}}\n    say \"there\"");
    let mut ended = Vec::new();
    for _ in 0..3 {
        play.frames(1);
        ended.extend(play.messages::<TreeEnded>());
    }
    assert_eq!(play.log(), ["there"]);
    assert_eq!(
        ended,
        [TreeEnded {
            entity: guard,
            success: true
        }]
    );
    let guard = play.app.world().entity(guard);
    assert_eq!(guard.get::<Position>(), Some(&Position(3.0, 4.0)));
    assert!(!guard.contains::<WalkTo>(), "its exit method took it away");
}

#[test]
fn changed_component_wakes_one_of_ten_thousand() {
    let mut play = Play::new();
    play.app
        .add_key::<Guard, Health, i64>("hp", |health| health.0);
    let flee = sequence([action("say").arg("flee"), action("hold")]);
    let flee = flee.guard(expr("$hp < 10").set("abort", "both"));
    let brain = brain(select([flee, action("wait_for_seconds").arg(1_000_000)]));
    let guards: Vec<Entity> = (0..10_000)
        .map(|_| {
            play.app
                .world_mut()
                .spawn((Guard::default(), brain(), Health(20)))
                .id()
        })
        .collect();
    play.frames(3);
    assert_eq!(play.polled(), 0);
    play.app
        .world_mut()
        .get_mut::<Health>(guards[4_321])
        .unwrap()
        .0 = 5;
    play.frames(1);
    assert_eq!(play.polled(), 1);
    assert_eq!(play.log(), ["flee", "hold"]);
}

#[test]
fn poll_marks_only_agents_as_changed_that_it_touched() {
    #[derive(Resource, Default)]
    struct Changed(usize);
    let mut play = Play::new();
    play.app.init_resource::<Changed>();
    play.app.add_systems(
        Update,
        (|guards: Query<(), bevy_ecs::query::Changed<Guard>>, mut changed: ResMut<Changed>| {
            changed.0 = guards.iter().count()
        })
        .after(BtSystems::All),
    );
    let acts = brain(sequence([
        action("wait_for_seconds").arg(0.15),
        action("say").arg("now"),
    ]));
    let rests = brain(sequence([
        action("wait_for_seconds").arg(0.05),
        action("nop"),
    ]));
    play.app.world_mut().spawn((Guard::default(), acts()));
    play.app.world_mut().spawn((Guard::default(), rests()));
    play.frames(1);
    let mut seen = Vec::new();
    for _ in 0..4 {
        play.frames(1);
        seen.push((play.polled(), play.app.world().resource::<Changed>().0));
    }
    assert!(
        seen.iter()
            .any(|(polled, changed)| (*polled, *changed) == (1, 0)),
        "{seen:?}"
    );
    assert!(seen.iter().any(|(_, changed)| *changed == 1), "{seen:?}");
}

#[test]
fn paused_agent_waits_as_much_longer() {
    let mut play = Play::new();
    let brain = brain(sequence([
        action("wait_for_seconds").arg(0.35),
        action("say").arg("now"),
        action("hold"),
    ]));
    let world = play.app.world_mut();
    let one = world.spawn((Guard::default(), brain())).id();
    world.spawn((Guard::default(), brain(), BtPaused));
    play.frames(2);
    play.app.world_mut().entity_mut(one).insert(BtPaused);
    play.frames(10);
    assert!(play.log().is_empty());
    play.app.world_mut().entity_mut(one).remove::<BtPaused>();
    play.frames(2);
    assert!(play.log().is_empty(), "0.25 s are left");
    play.frames(2);
    assert_eq!(play.log(), ["now", "hold"]);
}

#[test]
fn time_stands_still_with_the_state_and_with_virtual_time() {
    #[derive(States, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    enum Game {
        #[default]
        Plays,
        Menu,
    }
    let mut play = Play::new();
    play.app.add_plugins(StatesPlugin).init_state::<Game>();
    play.app
        .configure_sets(Update, BtSystems::All.run_if(in_state(Game::Plays)));
    let now = |play: &Play| play.app.world().resource::<BtClock>().now();
    play.frames(3);
    assert_eq!(now(&play), Duration::from_millis(200));
    play.app
        .world_mut()
        .resource_mut::<NextState<Game>>()
        .set(Game::Menu);
    play.frames(5);
    assert_eq!(now(&play), Duration::from_millis(200));
    play.app
        .world_mut()
        .resource_mut::<NextState<Game>>()
        .set(Game::Plays);
    play.frames(1);
    assert_eq!(now(&play), Duration::from_millis(300));
    play.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    play.frames(5);
    assert_eq!(now(&play), Duration::from_millis(300));
    play.app
        .world_mut()
        .resource_mut::<Time<Virtual>>()
        .unpause();
    play.app
        .world_mut()
        .resource_mut::<Time<Virtual>>()
        .set_relative_speed(2.0);
    play.frames(1);
    assert_eq!(now(&play), Duration::from_millis(500));
}

#[test]
fn trees_run_in_the_fixed_schedule_unless_another_is_named() {
    let mut play = Play::with(|app| {
        app.insert_resource(Time::<Fixed>::from_seconds(0.03));
        app.add_plugins(BtPlugin::default()).add_agent::<Guard>();
        app.add_systems(
            FixedUpdate,
            |mut count: Local<u32>, mut log: ResMut<crate::agents::Log>| {
                *count += 1;
                log.0.push(count.to_string());
            },
        );
    });
    play.frames(4);
    let steps = play.log().len() as u32;
    assert_eq!(steps, 10);
    let now = play.app.world().resource::<BtClock>().now();
    assert_eq!(now, Duration::from_millis(30) * steps);
}

#[test]
fn seeds_are_chosen_or_follow_from_the_order_and_the_plugin() {
    let drawn = |seed: u64, own: Option<u64>| {
        let plugin = BtPlugin::in_schedule(Update).seed(seed);
        let mut play = Play::with(|app| _ = app.add_plugins(plugin).add_agent::<Guard>());
        play.write(
            "trees/draw.bt",
            "SEQUENCE True\n    random_int (1, 1000000, \"drawn\")\n    hold",
        );
        let tree = play.load("trees/draw.bt");
        let guards = [play.spawn(tree.clone()), play.spawn(tree)];
        for guard in guards {
            if let Some(own) = own {
                play.app.world_mut().entity_mut(guard).insert(BtSeed(own));
            }
        }
        play.until("both hold", |play| {
            play.app.world().resource::<crate::agents::Log>().0.len() == 2
        });
        guards.map(|guard| {
            play.with_runner(guard, |runner| runner.blackboard().get("drawn"))
                .unwrap()
        })
    };
    let [first, second] = drawn(0, None);
    assert_ne!(first, second);
    assert_eq!(drawn(0, None), [first.clone(), second]);
    assert_ne!(drawn(1, None)[0], first);
    let [one, other] = drawn(0, Some(7));
    assert_eq!(one, other);
}
