//! Exits run exactly once, however an agent goes.

use bevy_app::{App, AppExit, Update};
use bevy_ecs::lifecycle::{HookContext, Remove};
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bt_bevy::Wakes;
use bt_bevy::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};

use crate::agents::{Guard, Level, Log};
use crate::play::Play;

const HOLD: &str = "SEQUENCE True\n    step 1\n    hold";

fn holding() -> (Play, Entity) {
    let mut play = Play::new();
    let guard = play.guard(HOLD);
    assert_eq!(play.log(), ["hold"]);
    (play, guard)
}

#[test]
fn exit_runs_once_when_the_entity_is_despawned() {
    let (mut play, guard) = holding();
    play.app.add_observer(
        |on: On<Remove<Guard>>, guards: Query<&Guard>, mut log: ResMut<Log>| {
            let steps = guards.get(on.event().entity).unwrap().steps;
            log.0.push(format!("removed after {steps} steps"));
        },
    );
    play.app.world_mut().despawn(guard);
    play.frames(2);
    assert_eq!(
        play.log(),
        [
            "removed after 1 steps",
            "let go: Aborted after 1 steps, gone"
        ]
    );
    assert!(play.app.world().resource::<Wakes<Guard>>().is_empty());
}

#[test]
fn exit_runs_once_when_the_agent_is_removed_and_a_new_one_starts_anew() {
    let (mut play, guard) = holding();
    play.app.world_mut().entity_mut(guard).remove::<Guard>();
    play.frames(2);
    assert_eq!(play.log(), ["let go: Aborted after 1 steps, there"]);
    assert!(!play.app.world().entity(guard).contains::<Brain<Guard>>());
    play.app
        .world_mut()
        .entity_mut(guard)
        .insert(Guard::default());
    play.frames(2);
    assert_eq!(play.log(), ["hold"]);
}

#[test]
fn exit_runs_once_when_the_brain_is_removed_and_the_agent_stays() {
    let (mut play, guard) = holding();
    play.app
        .world_mut()
        .entity_mut(guard)
        .remove::<Brain<Guard>>();
    play.frames(2);
    assert_eq!(play.log(), ["let go: Aborted after 1 steps, there"]);
    assert_eq!(play.app.world().get::<Guard>(guard).unwrap().steps, 1);
}

#[test]
fn exit_runs_when_another_brain_takes_the_place() {
    let (mut play, guard) = holding();
    let mut trees = TreeSet::<Guard>::new();
    trees.add(
        TreeAsset::from_script("other", "SEQUENCE True\n    say \"other\"\n    hold")
            .unwrap()
            .with_agent("guard"),
    );
    let other = Runner::new(&trees.build().unwrap(), "other").unwrap();
    play.app
        .world_mut()
        .entity_mut(guard)
        .insert(Brain::new(other));
    play.frames(2);
    assert_eq!(
        play.log(),
        ["let go: Aborted after 1 steps, there", "other", "hold"]
    );
}

#[test]
fn exits_run_once_when_the_app_exits() {
    let (mut play, _) = holding();
    let tree = play.load("trees/door.bt");
    play.spawn(tree);
    play.frames(2);
    play.log();
    play.app.world_mut().write_message(AppExit::Success);
    play.frames(2);
    let gone = "let go: Aborted after 1 steps, there";
    assert_eq!(play.log(), [gone, gone]);
}

#[test]
fn agent_despawns_itself_within_an_action() {
    let mut play = Play::new();
    play.write(
        "trees/door.bt",
        "PARALLEL {\"success\": 3, \"failure\": 1}\n    hold\n    vanish\n    hold",
    );
    let tree = play.load("trees/door.bt");
    let guard = play.spawn(tree);
    play.until("it is gone", |play| {
        play.app.world().get_entity(guard).is_err()
    });
    play.frames(2);
    let gone = "let go: Aborted after 0 steps, gone";
    assert_eq!(play.log(), ["hold", "hold", gone, gone]);
}

#[test]
fn exit_runs_for_an_agent_whose_component_has_a_hook_of_its_own() {
    #[derive(Component, Agent, Default)]
    #[component(on_remove = removed)]
    #[agent(world = Ecs<Level<'w, 's>>)]
    struct Hooked;

    fn removed(mut world: DeferredWorld<'_>, _: HookContext) {
        world.resource_mut::<Log>().0.push("its hook".to_owned());
    }

    #[agent]
    impl Hooked {
        #[action(exit = "drop")]
        fn carry(&mut self, cx: &mut Context) -> Option<bool> {
            cx.finish_on("never", true);
            None
        }

        fn drop(&mut self, _cx: &mut Context, #[world] level: &mut Ecs<Level>, _exit: Exit) {
            level.log.0.push("dropped".to_owned());
        }
    }

    let build = |app: &mut App| {
        _ = app
            .add_plugins(BtPlugin::in_schedule(Update))
            .add_agent::<Hooked>()
    };
    let mut play = Play::with(build);
    let mut trees = TreeSet::<Hooked>::new();
    trees.add(
        TreeAsset::from_script("carry", "carry")
            .unwrap()
            .with_agent("hooked"),
    );
    let trees = trees.build().unwrap();
    let new = || (Hooked, Brain::new(Runner::new(&trees, "carry").unwrap()));
    let [one, other] = [(); 2].map(|()| play.app.world_mut().spawn(new()).id());
    play.frames(2);
    play.app.world_mut().despawn(one);
    assert_eq!(play.log(), ["its hook", "dropped"]);
    play.app.world_mut().entity_mut(other).remove::<Hooked>();
    assert_eq!(play.log(), ["its hook", "dropped"]);
}
