//! Shards move: members join, leave, fail, and are replaced; trees get newer.

use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{TreeAsset, TreeSet};
use bt_fleet::Key;
use bt_fleet::status::Phase;
use bt_fleet::store::Stream;
use serde_json::json;

use crate::world::*;

fn spawn_all(world: &mut World, agents: u64) {
    for key in 0..agents {
        world
            .fleet
            .spawn(key, "roam", json!(null))
            .wait(SECOND)
            .unwrap();
    }
}

fn shards_of(world: &World, number: usize) -> Vec<u32> {
    world.member(number).shards().collect()
}

#[test]
fn members_that_join_and_drain_share_the_shards_and_no_agent_notices() {
    let mut world = World::new(3, 16);
    world.start("a");
    spawn_all(&mut world, 160);
    world.until("all shards run", |world| world.running() == 16);
    world.start("b");
    world.start("c");
    world.until("they share", |world| {
        world.running() == 16 && (0..3).all(|number| shards_of(world, number).len() >= 2)
    });
    assert_eq!(
        world.sum(|metrics| metrics.lost + metrics.refused_saves),
        0,
        "they were handed over"
    );
    world.member_mut(0).drain();
    assert!(world.member(0).is_draining() && !world.member(0).is_drained());
    world.until("it has none", |world| world.member(0).is_drained());
    world.until("others have them", |world| world.running() == 16);
    assert_eq!(world.member(0).len(), 0);
    let start = world.now;
    world.run(20.0);
    let saved = world.all_saved();
    assert_eq!(saved.len(), 160);
    let steps = (world.now - start).as_secs() / 2;
    for (key, npc) in saved {
        assert!(
            npc.steps >= steps - 1,
            "{key} walks on: {} of {steps}",
            npc.steps
        );
    }
    let status = world.fleet.status(SECOND).unwrap();
    assert_eq!(status.members["a"].phase, Phase::Left);
    assert_eq!(status.members["b"].agents + status.members["c"].agents, 160);
    assert!(
        status
            .shards
            .values()
            .all(|owner| owner.as_deref() != Some("a"))
    );
}

#[test]
fn shards_of_a_member_that_dies_are_taken_within_a_lease_and_a_second() {
    let mut world = World::new(4, 16);
    world.start("a");
    world.start("b");
    spawn_all(&mut world, 160);
    world.until("they share", |world| {
        world.running() == 16 && shards_of(world, 1).len() > 2
    });
    world.run(3.0);
    world.all[1].member = None;
    let died = world.now;
    world.until("it is replaced", |world| shards_of(world, 0).len() == 16);
    let took = world.now - died;
    assert!(took <= 2 * SECOND, "{took:?}");
    world.run(2.0);
    assert_eq!(world.member(0).len(), 160);
}

#[test]
fn process_that_starts_again_has_its_shards_back_without_waiting_for_a_lease() {
    let mut world = World::new(4, 8);
    world.start("a");
    spawn_all(&mut world, 80);
    world.until("all shards run", |world| world.running() == 8);
    world.run(1.0);
    world.all[0].member = None;
    let died = world.now;
    world.start("a");
    world.until("it is back", |world| world.running() == 8);
    assert!(world.now - died < SECOND / 2, "{:?}", world.now - died);
}

/// Paused for longer than the lease, with a save on its way: what it does afterwards changes nothing.
#[test]
fn zombie_changes_nothing_whether_it_looks_at_its_lease_or_not() {
    for ignores in [false, true] {
        let mut world = World::new(5, 4);
        world.start_with("a", |builder| {
            let builder = if ignores {
                builder.ignore_lease()
            } else {
                builder
            };
            builder.start(trees(), 1).unwrap()
        });
        spawn_all(&mut world, 20);
        world.until("all shards run", |world| world.running() == 4);
        world.run(2.0);
        world.start("b");
        world.all[0].paused_until = world.now + 10 * SECOND;
        world.run(8.0);
        assert_eq!(shards_of(&world, 1).len(), 4, "it was replaced");
        world.run(0.5);
        let before: Vec<_> = (0..4).map(|shard| world.saved(shard).epoch).collect();
        // It wakes.
        world.run(6.0);
        let after: Vec<_> = (0..4).map(|shard| world.saved(shard).epoch).collect();
        let refused = world.member(0).metrics().refused_saves;
        match ignores {
            true => assert!(refused > 0, "its saves were refused"),
            false => assert_eq!(refused, 0, "it did not even try"),
        }
        for (before, after) in before.iter().zip(after) {
            assert!(after >= *before);
        }
        assert_eq!(world.all_saved().len(), 20);
    }
}

#[test]
fn second_process_of_a_name_replaces_the_first() {
    let mut world = World::new(6, 4);
    world.start("a");
    world.until("all shards run", |world| world.running() == 4);
    world.start("a");
    world.run(3.0);
    assert!(world.member(0).is_superseded() && !world.member(1).is_superseded());
    assert_eq!(
        (shards_of(&world, 0), shards_of(&world, 1)),
        (vec![], vec![0, 1, 2, 3])
    );
}

#[test]
fn shards_and_members_follow_requests_from_outside() {
    let mut world = World::new(7, 8);
    world.start("a");
    world.start("b");
    world.until("they share", |world| {
        world.running() == 8 && !shards_of(world, 1).is_empty()
    });
    let shard = shards_of(&world, 0)[0];
    world
        .fleet
        .move_shard(shard, Some("b"))
        .wait(SECOND)
        .unwrap();
    world.until("it moved", |world| shards_of(world, 1).contains(&shard));
    assert_eq!(world.fleet.status(SECOND).unwrap().moved[&shard], "b");
    world.fleet.move_shard(shard, None).wait(SECOND).unwrap();
    world.until("it is back", |world| shards_of(world, 0).contains(&shard));
    world.fleet.drain("b").wait(SECOND).unwrap();
    world.until("it has none", |world| world.member(1).is_drained());
    assert!(world.member(1).is_draining());
    // Who starts afterwards under that name is meant by nobody.
    world.start("b");
    world.until("it takes part", |world| !shards_of(world, 2).is_empty());
}

#[test]
fn member_with_older_trees_does_not_take_a_shard_of_newer_ones() {
    let mut world = World::new(8, 8);
    world.start_with("new", |builder| builder.start(trees(), 2).unwrap());
    spawn_all(&mut world, 16);
    world.until("all shards run", |world| world.running() == 8);
    world.run(1.0);
    world.start_with("old", |builder| builder.start(trees(), 1).unwrap());
    world.run(3.0);
    assert!(shards_of(&world, 1).is_empty());
    world.all[0].member = None;
    world.run(5.0);
    assert!(shards_of(&world, 1).is_empty());
    world.start_with("newer", |builder| builder.start(trees(), 3).unwrap());
    world.until("it takes them", |world| shards_of(world, 2).len() == 8);
    world.run(1.0);
    assert_eq!(world.all_saved().len(), 16);
}

/// A shard whose saves cannot be read is not begun anew over them.
#[test]
fn shard_with_unreadable_saves_is_left_alone() {
    let mut world = World::new(9, 2);
    for (shard, body) in [("save.0", &b"\xff\xff\xff\xff"[..]), ("save.1", b"")] {
        world.put(Stream::Saves, shard, body);
    }
    world.start("a");
    world.run(5.0);
    assert!(shards_of(&world, 0).is_empty());
    assert!(
        world.net.memory().size(Stream::Saves).0 < 20,
        "it does not try without end"
    );
}

#[test]
fn shards_may_be_given_by_the_host() {
    let mut world = World::new(10, 4);
    world.config = world.config.clone().shard_by(|key| match key {
        Key::Number(number) => *number as u32,
        Key::Text(_) => 0,
    });
    let memory = world.net.memory();
    world.fleet = bt_fleet::Fleet::with_store(std::sync::Arc::new(memory), world.config.clone());
    world.start("a");
    world
        .fleet
        .spawn(6, "roam", json!(null))
        .wait(SECOND)
        .unwrap();
    world.run(3.0);
    assert_eq!(world.saved(2).agents.len(), 1);
}

fn walking(seconds: f64) -> TreeSet<Npc> {
    let mut trees = TreeSet::new();
    let roam = sequence([action("wait_for_seconds").arg(seconds), action("walk")]);
    trees.add(TreeAsset::build("roam", "npc", roam));
    trees
}

#[test]
fn published_trees_reach_all_members_and_their_agents() {
    let mut world = World::new(11, 8);
    world.start_with("a", |builder| {
        builder.start(walking(1000.0).build().unwrap(), 1).unwrap()
    });
    world.start_with("b", |builder| {
        builder.start(walking(1000.0).build().unwrap(), 1).unwrap()
    });
    spawn_all(&mut world, 40);
    world.until("they share", |world| {
        world.running() == 8 && !shards_of(world, 1).is_empty()
    });
    world.run(2.0);
    world.fleet.trees(&walking(1.0), 5, SECOND).unwrap();
    world.run(10.0);
    assert_eq!(
        (world.member(0).version(), world.member(1).version()),
        (5, 5)
    );
    for (key, npc) in world.all_saved() {
        assert!(npc.steps >= 5, "{key}: {} steps", npc.steps);
    }
    // A member that starts with older trees builds the newer ones, too.
    world.start_with("c", |builder| {
        builder.start(walking(1000.0).build().unwrap(), 1).unwrap()
    });
    world.until("it takes part", |world| !shards_of(world, 2).is_empty());
    assert_eq!(world.member(2).version(), 5);
    assert_eq!(world.fleet.status(SECOND).unwrap().trees, Some(5));
    let older = world.fleet.trees(&walking(2.0), 5, SECOND).unwrap_err();
    assert_eq!(
        older.to_string(),
        "trees of version 5 are published: expected a higher one, found 5"
    );
    let mut wrong = TreeSet::new();
    wrong.add(TreeAsset::build("roam", "npc", action("fly")));
    let wrong = world.fleet.trees(&wrong, 6, SECOND).unwrap_err();
    assert!(
        wrong.is_invalid() && wrong.to_string().contains("`fly`"),
        "{wrong}"
    );
}

/// Whoever published them has another program than the members.
#[test]
fn member_that_cannot_build_published_trees_keeps_its_own_and_says_why() {
    let mut world = World::new(12, 2);
    world.start_with("a", |builder| {
        builder.start(walking(1.0).build().unwrap(), 1).unwrap()
    });
    spawn_all(&mut world, 4);
    world.until("all shards run", |world| world.running() == 2);
    world.put(Stream::Saves, "trees.2", b"\x10\0\0\0no trees");
    world.put(Stream::Keys, "trees.current", &[2]);
    world.run(5.0);
    let (version, why) = world.member(0).trees_fault().unwrap();
    assert_eq!(version, 2);
    assert!(!why.is_empty());
    assert_eq!(world.member(0).version(), 1);
    world.run(1.0);
    assert!(world.all_saved().iter().all(|(_, npc)| npc.steps > 2));
}
