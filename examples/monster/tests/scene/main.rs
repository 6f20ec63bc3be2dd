//! The scene: what it tells, that it is the same each time, and that nothing is left behind.

mod damage;
mod options;
#[cfg(unix)]
mod pages;
mod port;
mod program;
mod reload;
mod saves;
mod traces;
mod trees;

use std::collections::BTreeSet;
use std::time::Duration;

use monster::scene::Scene;

fn scene(agents: u32, seed: u64) -> Scene {
    Scene::new(agents, seed).unwrap_or_else(|error| panic!("{error}"))
}

/// The contradictions in the state of those who act now.
fn contradictions(scene: &Scene) -> Vec<String> {
    let actors: BTreeSet<u64> = scene.actors().collect();
    let dead = |entity: &&monster::Entity| entity.kind.is_mortal() && !entity.is_alive();
    let acts = |entity: &monster::Entity| {
        let busy = entity.is_moving() || entity.is_attacking() || entity.resting;
        busy || actors.contains(&entity.id)
    };
    let mut wrong = Vec::new();
    for entity in scene.world().entities().filter(dead) {
        if acts(entity) {
            wrong.push(format!("{} {} is dead and acts", entity.name, entity.id));
        }
    }
    for actor in actors {
        if scene.world().entity(actor).is_err() {
            wrong.push(format!("{actor} is gone and acts"));
        }
    }
    wrong
}

#[test]
fn many_agents_for_a_long_time_leave_nothing_behind() {
    let mut scene = scene(300, 5);
    while scene.world().now() < Duration::from_secs(600) {
        scene.step();
        assert_eq!(contradictions(&scene), Vec::<String>::new());
    }
    scene.take_lines();
    let rows = scene.tally().rows();
    let players = rows.iter().find(|row| row.name == "player").unwrap();
    assert!(players.deaths > 0 && players.kills > 0 && scene.tally().quests() > 0);
    let polls: u64 = rows.iter().map(|row| row.polls).sum();
    let turns: u64 = rows.iter().map(|row| row.turns).sum();
    assert!(polls < turns * 2 / 3, "{polls} polls in {turns} turns");

    scene.stop();
    assert_eq!(scene.actors().count(), 0);
    let walks = scene.world().walks();
    assert_eq!(walks.ended(), walks.started, "{walks:?}");
    for entity in scene.world().entities() {
        let busy = entity.is_moving() || entity.is_attacking() || entity.resting;
        assert!(!busy, "{} {} goes on by itself", entity.name, entity.id);
    }
    // Each login held one while it waited for the server.
    assert_eq!(scene.world().server().free_seats(), 2);
    assert_eq!(scene.diagnostics(), []);
}

#[test]
fn a_scene_that_is_stopped_in_the_middle_is_tidy() {
    for tenths in [1, 7, 23, 64, 180, 333] {
        let mut scene = scene(24, 3);
        scene.run(Duration::from_millis(100 * tenths));
        scene.stop();
        let walks = scene.world().walks();
        assert_eq!(walks.ended(), walks.started, "after {tenths} steps");
        assert_eq!(scene.world().server().free_seats(), 2);
        assert_eq!(scene.diagnostics(), []);
    }
}

#[test]
fn a_handful_of_agents_make_a_scene_too() {
    for agents in 1..6 {
        let mut scene = scene(agents, 1);
        scene.run(Duration::from_secs(30));
        let there: u64 = scene.tally().rows().iter().map(|row| row.agents).sum();
        assert!(there >= u64::from(agents.div_ceil(2)));
        assert_eq!(scene.diagnostics(), []);
    }
}
