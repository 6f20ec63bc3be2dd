//! Events that reach trees.

use bevy_ecs::prelude::*;
use bt_bevy::EntityArg;
use bt_bevy::prelude::*;

use crate::agents::{Guard, Log, Position};
use crate::logged::logged;
use crate::play::Play;

const ANSWER: &str = "SEQUENCE True\n    WAIT_EVENT {\"event\": \"knock\", \"params\": {\"visitor\": \"visitor\"}}\n    say $visitor";

#[test]
fn event_wakes_its_agent_alone() {
    let mut play = Play::new();
    let one = play.guard(ANSWER);
    let tree = play.load("trees/door.bt");
    play.spawn(tree);
    play.frames(3);
    assert_eq!(play.polled(), 0);
    play.app
        .world_mut()
        .commands()
        .entity(one)
        .fire(Guard::knock("Ann"));
    play.frames(1);
    assert_eq!((play.polled(), play.log()), (1, vec!["Ann".to_owned()]));
}

#[test]
fn event_before_the_tree_is_loaded_waits_for_it() {
    let mut play = Play::new();
    play.write("trees/door.bt", ANSWER);
    let tree = play.load("trees/door.bt");
    let guard = play.spawn(tree);
    play.app
        .world_mut()
        .entity_mut(guard)
        .fire(Guard::knock("Bob"));
    play.until("Bob is heard", |play| {
        !play.app.world().resource::<Log>().0.is_empty()
    });
    assert_eq!(play.log(), ["Bob"]);
}

#[test]
fn event_for_an_entity_without_an_agent_is_reported() {
    let mut play = Play::new();
    let door = play.app.world_mut().spawn(Position::default()).id();
    let said = logged(|| {
        _ = play
            .app
            .world_mut()
            .entity_mut(door)
            .fire(Guard::knock("Ann"))
    });
    assert_eq!(
        said,
        format!(
            "event `knock` is not delivered: entity {door} has no agent; spawn one whose type was given to `add_agent`\n"
        )
    );
}

#[test]
fn events_of_the_game_and_of_other_agents_are_fired_at_trees() {
    #[derive(EntityEvent)]
    struct Bell {
        entity: Entity,
    }
    let mut play = Play::new();
    play.app
        .fire_on::<Guard, Bell>(|_| Guard::knock("the bell"));
    let guard = play.guard(ANSWER);
    play.app.world_mut().trigger(Bell { entity: guard });
    play.frames(1);
    assert_eq!(play.log(), ["the bell"]);

    let id = serde_json::to_string(&EntityArg(guard)).unwrap();
    play.write(
        "trees/call.bt",
        &format!("AGENT guard {{\"mode\": \"once\"}}\ncall {id}"),
    );
    let tree = play.load("trees/call.bt");
    play.spawn(tree);
    play.until("it is called", |play| {
        !play.app.world().resource::<Log>().0.is_empty()
    });
    assert_eq!(play.log(), ["a guard"]);
}
