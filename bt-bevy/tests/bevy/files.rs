//! Trees in files: loaded with what they run, changed while they run, and reported where they are wrong.

use bevy_app::Update;
use bevy_asset::Assets;
use bt_bevy::prelude::*;

use crate::agents::{Guard, Log};
use crate::play::Play;

const JSON: &str = r#"{"nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard", "events": [
        {"event": "knock", "tree": "answer.bt", "mode": "return"}]}},
    {"idx": 1, "type": "sequence", "children": [2, 3], "extra": {}},
    {"idx": 2, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": "rooms/look.bt"}},
    {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "hold"}}
]}"#;

fn says(play: &mut Play, lines: &[&str]) {
    play.until("it is said", |play| {
        play.app.world().resource::<Log>().0.len() >= lines.len()
    });
    assert_eq!(play.log(), lines);
}

fn reloads(play: &mut Play, guard: bevy_ecs::entity::Entity) -> u32 {
    play.with_runner(guard, |runner| runner.reloads())
        .unwrap_or(0)
}

#[test]
fn json_and_scripts_are_loaded_with_the_trees_that_they_run() {
    let mut play = Play::new();
    play.write("trees/door.bt.json", JSON);
    std::fs::create_dir(play.path("trees/rooms")).unwrap();
    play.write("trees/rooms/look.bt", "say \"look\"");
    play.write("trees/answer.bt", "say \"who is it?\"");
    let tree = play.load("trees/door.bt.json");
    let guard = play.spawn(tree);
    says(&mut play, &["look", "hold"]);
    play.app
        .world_mut()
        .entity_mut(guard)
        .fire(Guard::knock("Ann"));
    play.frames(1);
    assert_eq!(play.log(), ["who is it?"]);
}

#[test]
fn another_tree_is_run_when_it_is_inserted() {
    let mut play = Play::new();
    let guard = play.guard("hold");
    play.log();
    play.write(
        "trees/other.bt",
        "SEQUENCE True\n    say \"other\"\n    hold",
    );
    let other = play.load("trees/other.bt");
    play.app.world_mut().entity_mut(guard).insert(other);
    says(
        &mut play,
        &["let go: Aborted after 0 steps, there", "other", "hold"],
    );
}

#[test]
fn changed_file_moves_agents_in_the_middle_of_their_trees() {
    let mut play = Play::new();
    let guard = play.guard("SEQUENCE True\n    step 1\n    hold\n    say \"old\"");
    play.log();
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n    step 1\n    hold\n    say \"new\"",
    );
    play.frames(20);
    assert!(play.log().is_empty(), "it holds on");
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n    step 1\n    say \"now\"\n    hold\n    say \"new\"",
    );
    says(
        &mut play,
        &["let go: Aborted after 1 steps, there", "now", "hold"],
    );
    assert!(reloads(&mut play, guard) > 0);
    assert_eq!(
        play.app.world().get::<Guard>(guard).unwrap().steps,
        1,
        "the first step is not taken again"
    );
    assert!(play.messages::<TreeProblems>().is_empty());
}

#[test]
fn agents_are_looked_at_within_the_budget_of_a_round() {
    let plugin = BtPlugin::in_schedule(Update).reload_budget(10);
    let mut play = Play::with(|app| _ = app.add_plugins(plugin).add_agent::<Guard>());
    let first = play.guard("wait_for_seconds 1000");
    let tree = play.load("trees/door.bt");
    let more: Vec<_> = (0..39).map(|_| play.spawn(tree.clone())).collect();
    play.until("all have trees", |play| {
        more.iter().all(|guard| play.has_tree(*guard))
    });
    play.frames(2);
    play.rewrite("trees/door.bt", "SEQUENCE True\n    wait_for_seconds 2000");
    play.until("the first moves", |play| reloads(play, first) > 0);
    let mut moved = Vec::new();
    for _ in 0..3 {
        moved.push(
            more.iter()
                .filter(|guard| reloads(&mut play, **guard) > 0)
                .count(),
        );
        play.frames(1);
    }
    assert_eq!(moved, [9, 19, 29]);
}

#[test]
fn broken_file_is_reported_with_its_place_and_the_old_tree_runs_on() {
    let mut play = Play::new();
    let guard = play.guard("SEQUENCE True\n    WAIT_EVENT {\"event\": \"knock\"}\n    say \"old\"");
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n    WAIT_EVENT {\"event\": \"knock\"}\n    sey \"new\"",
    );
    assert_eq!(
        play.problems(),
        "door.bt:3:5: node 3: agent `guard` has no action `sey`; did you mean `say`?"
    );
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n  WAIT_EVENT {\"event\": \"knock\"}\n     say \"new\"",
    );
    let problems = play.problems();
    assert!(problems.starts_with("door.bt:3:"), "{problems}");
    play.app
        .world_mut()
        .entity_mut(guard)
        .fire(Guard::knock("Ann"));
    play.frames(2);
    assert_eq!(play.log(), ["old"]);
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n    WAIT_EVENT {\"event\": \"knock\"}\n    say \"mended\"",
    );
    play.until("the mended tree runs", |play| {
        play.app
            .world_mut()
            .entity_mut(guard)
            .fire(Guard::knock("Ann"));
        play.log().contains(&"mended".to_owned())
    });
    assert_eq!(reloads(&mut play, guard), 1, "it moved when it was polled");
}

#[test]
fn json_that_is_none_is_reported_with_its_place() {
    let mut play = Play::new();
    play.write("trees/door.bt.json", "{\n  \"nodes\": [}");
    let tree = play.load("trees/door.bt.json");
    play.spawn(tree);
    let problems = play.problems();
    assert!(problems.starts_with("door.bt.json:2:13: "), "{problems}");
}

#[test]
fn agent_begins_when_its_file_is_mended() {
    let mut play = Play::new();
    play.write("trees/door.bt", "sey \"hello\"");
    let tree = play.load("trees/door.bt");
    play.spawn(tree);
    assert!(play.problems().contains("`sey`"));
    play.rewrite(
        "trees/door.bt",
        "SEQUENCE True\n    say \"hello\"\n    hold",
    );
    says(&mut play, &["hello", "hold"]);
}

#[test]
fn missing_file_and_missing_sub_tree_are_reported() {
    let mut play = Play::new();
    let tree = play.load("trees/none.bt");
    play.spawn(tree);
    let problems = play.problems();
    assert!(
        problems.starts_with("none.bt: Path not found: "),
        "{problems}"
    );
    play.write(
        "trees/door.bt",
        "SEQUENCE True\n    SUB_TREE \"eet.bt\"\n    hold",
    );
    let tree = play.load("trees/door.bt");
    play.spawn(tree);
    play.frames(1);
    let mut problems = play.problems();
    while !problems.contains("there is no tree") {
        problems = format!("{problems}\n{}", play.problems());
    }
    assert!(problems.contains("eet.bt: Path not found: "), "{problems}");
    assert!(problems.contains("; `door.bt` runs it"), "{problems}");
    assert!(problems.contains("door.bt:2:"), "{problems}");
}

#[test]
fn tree_in_code_is_an_asset_like_a_file() {
    let mut play = Play::new();
    let file = TreeFile::new("made.bt", "SEQUENCE True\n    say \"made\"\n    hold").unwrap();
    let handle = play
        .app
        .world_mut()
        .resource_mut::<Assets<TreeFile>>()
        .add(file);
    let guard = play.spawn(BehaviorTree(handle.clone()));
    says(&mut play, &["made", "hold"]);
    let file = TreeFile::new(
        "made.bt",
        "SEQUENCE True\n    say \"made anew\"\n    nop\n    hold",
    )
    .unwrap();
    let mut files = play.app.world_mut().resource_mut::<Assets<TreeFile>>();
    files.insert(&handle, file).unwrap();
    play.until("it moves", |play| reloads(play, guard) > 0);
}

#[test]
fn file_that_changes_on_the_disk_is_loaded_again() {
    let build = |app: &mut bevy_app::App| {
        _ = app
            .add_plugins(BtPlugin::in_schedule(Update))
            .add_agent::<Guard>()
    };
    let mut play = Play::watching(true, build);
    play.guard("SEQUENCE True\n    say \"old\"\n    hold");
    play.log();
    play.write(
        "trees/door.bt",
        "SEQUENCE True\n    say \"new\"\n    say \"newer\"\n    hold",
    );
    play.until("it is said", |play| {
        play.app
            .world()
            .resource::<Log>()
            .0
            .contains(&"newer".to_owned())
    });
}
