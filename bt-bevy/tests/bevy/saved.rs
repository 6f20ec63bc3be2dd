//! Agents that are saved, and resume in another app.

use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_reflect::TypeRegistry;
use bt_bevy::prelude::*;

use crate::agents::{Guard, Position};
use crate::play::Play;

const TREE: &str =
    "SEQUENCE True\n    step 1\n    wait_for_seconds 0.55\n    say \"over\"\n    hold";

#[test]
fn saved_agent_resumes_where_it_was() {
    let mut play = Play::new();
    let guard = play.guard(TREE);
    play.frames(3);
    play.app.world_mut().save_brains();
    let saved = play.app.world().get::<SavedBrain>(guard).unwrap().clone();

    let mut other = Play::new();
    other.write("trees/door.bt", TREE);
    let tree = other.load("trees/door.bt");
    let guard = (Guard { steps: 1 }, tree, Position(1.0, 0.0));
    let guard = other.app.world_mut().spawn((guard, saved)).id();
    other.until("the tree is loaded", |play| play.has_tree(guard));
    assert!(!other.app.world().entity(guard).contains::<SavedBrain>());
    let mut frames = 0;
    while other
        .app
        .world()
        .resource::<crate::agents::Log>()
        .0
        .is_empty()
    {
        other.frames(1);
        frames += 1;
        assert!(frames < 10);
    }
    assert!((2..=4).contains(&frames), "{frames}: about 0.3 s were left");
    assert_eq!(other.log(), ["over", "hold"]);
    assert_eq!(other.app.world().get::<Guard>(guard).unwrap().steps, 1);
}

#[test]
fn components_of_scenes_are_known_to_reflection() {
    let play = Play::new();
    let registry = play.app.world().resource::<AppTypeRegistry>().read();
    let knows = |registry: &TypeRegistry, name: &str| {
        let found = registry.get_with_short_type_path(name);
        found.is_some_and(|found| found.data::<ReflectComponent>().is_some())
    };
    for name in ["BehaviorTree", "SavedBrain", "BtSeed", "BtPaused"] {
        assert!(knows(&registry, name), "{name}");
    }
}
