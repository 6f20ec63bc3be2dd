//! Mistakes of those who write a game, and what they read then.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_time::TimePlugin;
use bt_bevy::prelude::*;

use crate::agents::{Guard, Position};
use crate::play::{Play, parts};

/// The text of a panic.
fn panics(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().unwrap().to_string(),
    }
}

#[derive(Component, Agent, Default)]
#[agent(world = Ecs<()>)]
struct Dog;

#[test]
fn agent_without_the_plugin_names_what_to_add() {
    let said = panics(|| _ = App::new().add_agent::<Guard>());
    assert_eq!(
        said,
        "`Guard` cannot run trees: there is no `BtPlugin`; write `app.add_plugins(BtPlugin::default())` before \
         `add_agent::<Guard>()`"
    );
}

#[test]
fn plugin_without_assets_names_what_to_add() {
    let said = panics(|| {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, BtPlugin::default()));
    });
    let expected = "`BtPlugin` loads trees as assets, and there is no `AssetServer`: add `AssetPlugin`, which \
                    `DefaultPlugins` have, before it, or build bt-bevy without its feature `asset`";
    assert_eq!(said, expected);
}

#[test]
fn two_plugins_and_an_agent_added_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = parts(folder.path(), false);
    app.add_plugins(BtPlugin::default()).add_agent::<Guard>();
    let said = panics(|| _ = app.add_agent::<Guard>());
    assert_eq!(
        said,
        "`Guard` was added before: `add_agent::<Guard>()` stands once in an app"
    );
    let said = panics(|| _ = app.add_plugins(BtPlugin::default()));
    assert!(
        said.contains("BtPlugin") && said.contains("already added"),
        "{said}"
    );
}

#[test]
fn world_that_queries_its_own_agent_is_refused() {
    #[derive(SystemParam)]
    struct Pack<'w, 's> {
        _wolves: Query<'w, 's, &'static Wolf>,
    }

    #[derive(Component, Agent, Default)]
    #[agent(world = Ecs<Pack<'w, 's>>)]
    struct Wolf;

    let folder = tempfile::tempdir().unwrap();
    let mut app = parts(folder.path(), false);
    app.add_plugins(BtPlugin::default());
    let said = panics(|| _ = app.add_agent::<Wolf>());
    let expected = "`Wolf` cannot run trees: the parameters of its world contradict its poll, which borrows `&mut Wolf` of \
                    all of them. Leave out `Wolf`, its `Brain` and its `Wakes`, and keep what others look at in a component \
                    of its own. Bevy says: error[B0001]: ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn tree_of_another_agent_is_reported() {
    let mut play = Play::with(|app| {
        _ = app
            .add_plugins(BtPlugin::in_schedule(Update))
            .add_agent::<Guard>()
            .add_agent::<Dog>()
    });
    play.write("trees/bark.bt", "AGENT dog\nnop");
    let tree = play.load("trees/bark.bt");
    let guard = play.spawn(tree);
    play.write("trees/rest.bt", "hold");
    let rest = play.load("trees/rest.bt");
    play.spawn(rest);
    assert_eq!(
        play.problems(),
        format!(
            "bark.bt: the tree is for agent `dog`, and entity {guard}, which names it, is a `Guard`; name `Guard` in the \
             file's `agent_name`, or give the entity another `BehaviorTree`"
        )
    );
}

#[test]
fn file_of_another_ending_is_reported() {
    let mut play = Play::new();
    play.write("trees/door.txt", "hold");
    let tree = play.load("trees/door.txt");
    play.spawn(tree);
    assert_eq!(
        play.problems(),
        "door.txt: it is no tree file: the name of one ends with `.bt`, `.bt.json` or `.json`"
    );
}

#[test]
fn tree_of_an_entity_without_an_agent_is_reported() {
    let mut play = Play::new();
    play.write("trees/door.bt", "hold");
    let tree = play.load("trees/door.bt");
    let entity = play.app.world_mut().spawn((tree, Position::default())).id();
    assert_eq!(
        play.problems(),
        format!(
            "entity {entity} has a `BehaviorTree` and no agent that runs it; spawn it with a component whose type was given \
             to `add_agent`"
        )
    );
}

#[test]
fn panic_in_an_action_fails_its_node_and_nothing_else() {
    let mut play = Play::new();
    let guard = play.guard("FALLBACK True\n    stumble\n    hold");
    assert_eq!(play.log(), ["hold"]);
    let why = play
        .with_runner(guard, |runner| runner.diagnostics()[0].to_string())
        .unwrap();
    assert!(why.contains("it panicked: a stone in the way"), "{why}");
}

#[test]
fn saved_brain_that_is_none_is_reported_and_the_agent_starts_anew() {
    let mut play = Play::new();
    play.write("trees/door.bt", "hold");
    let tree = play.load("trees/door.bt");
    let guard = play.spawn(tree);
    play.app
        .world_mut()
        .entity_mut(guard)
        .insert(SavedBrain("{}".to_owned()));
    let problems = play.problems();
    let expected = format!(
        "door.bt: entity {guard}: it starts anew, because its `SavedBrain` cannot be restored: "
    );
    assert!(problems.starts_with(&expected), "{problems}");
    play.frames(1);
    assert_eq!(play.log(), ["hold"]);
}
