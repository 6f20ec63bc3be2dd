//! Saves: times left, large shards in parts, servers that are full or gone, agents that cannot be restored.

use std::sync::Arc;
use std::time::Duration;

use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{TreeAsset, TreeSet};
use bt_fleet::store::{Append, Done, Memory, Message, Read, Store, StoreError, Stream};
use bt_fleet::{Config, Fleet, Key};
use serde_json::json;

use crate::world::*;

#[test]
fn waits_continue_with_what_was_left_of_them() {
    let mut world = World::new(1, 1);
    world.start("a");
    world
        .fleet
        .spawn("slow", "post", json!(null))
        .wait(SECOND)
        .unwrap();
    world.until("it runs", |world| {
        world.member(0).agent(&"slow".into()).is_some()
    });
    let begun = world.now;
    world.run(600.0);
    world.all[0].member = None;
    // Nobody runs it for a while: its clock stands.
    world.run(100.0);
    world.start("b");
    world.until("it runs again", |world| world.running() == 1);
    let left = 3600.0 - 600.0;
    world.run(left - 15.0);
    let steps = |world: &World| world.member(1).agent(&"slow".into()).unwrap().0.steps;
    assert_eq!(steps(&world), 0, "{:?}", world.now - begun);
    world.run(30.0);
    assert_eq!(steps(&world), 1);
}

#[test]
fn shard_that_is_too_large_for_a_message_is_saved_in_parts() {
    let mut world = World::new(2, 1);
    world.start("a");
    // What does not pack well.
    let mut random = bt_core::Random::new(1);
    for key in 0..40 {
        world
            .fleet
            .spawn(key, "roam", json!(null))
            .wait(SECOND)
            .unwrap();
        let noise: String = (0..60_000)
            .map(|_| char::from(random.int(33..=126) as u8))
            .collect();
        world.fleet.write(key, "noise", noise).wait(SECOND).unwrap();
    }
    world.run(5.0);
    let saved = world.saved(0);
    assert_eq!(saved.agents.len(), 40);
    assert!(
        saved.messages.0 >= 4 && saved.messages.1 > 2_000_000,
        "{:?}",
        saved.messages
    );
    world.all[0].member = None;
    world.start("b");
    world.until("it runs again", |world| {
        world.running() == 1 && world.member(1).len() == 40
    });
    world.run(3.0);
    for key in 0..40 {
        let (_, runner) = world.member(1).agent(&Key::from(key)).unwrap();
        assert_eq!(
            runner.blackboard().get("noise").as_str().unwrap().len(),
            60_000
        );
    }
}

/// A store that refuses saves while somebody says so.
struct Full(Memory, Arc<std::sync::atomic::AtomicBool>);

impl Store for Full {
    fn append(&self, message: Append, done: Done<u64>) {
        let is_full = self.1.load(std::sync::atomic::Ordering::Relaxed);
        match message.stream {
            Stream::Saves if is_full => done(Err(StoreError::Refused("no space".to_owned()))),
            Stream::Saves | Stream::Inputs | Stream::Keys | Stream::Out => {
                self.0.append(message, done)
            }
        }
    }

    fn read(&self, read: Read, done: Done<Vec<Message>>) {
        self.0.read(read, done);
    }

    fn last(&self, stream: Stream, subject: String, done: Done<Option<Message>>) {
        self.0.last(stream, subject, done);
    }

    fn purge(&self, stream: Stream, subject: String, before: u64, done: Done<()>) {
        self.0.purge(stream, subject, before, done);
    }
}

#[test]
fn rounds_continue_while_the_servers_are_full_and_saves_wait() {
    let full = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let clock = Arc::new(std::sync::Mutex::new(Duration::ZERO));
    let of = clock.clone();
    let config = Config::new("full")
        .shards(1)
        .clock(move || *of.lock().unwrap());
    let memory = Memory::new();
    let store = Arc::new(Full(memory.clone(), full.clone()));
    let fleet = Fleet::<Npc>::with_store(store, config);
    let member = fleet.member("a").spawn(spawn).save_every(millis(100));
    let mut member = member.start(trees(), 1).unwrap();
    let mut now = Duration::ZERO;
    let mut run = |member: &mut bt_fleet::Member<Npc>, seconds: u64| {
        let end = now + Duration::from_secs(seconds);
        while now < end {
            now += millis(20);
            *clock.lock().unwrap() = now;
            member.round(now, &mut ());
        }
    };
    fleet.spawn("a", "roam", json!(null)).wait(SECOND).unwrap();
    run(&mut member, 5);
    full.store(true, std::sync::atomic::Ordering::Relaxed);
    let before = member.metrics().clone();
    run(&mut member, 60);
    let steps = member.agent(&"a".into()).unwrap().0.steps;
    assert!(steps > 25, "it walks on: {steps}");
    assert_eq!(member.metrics().saves, before.saves);
    let tries = member.metrics().unanswered - before.unanswered;
    assert!((5..60).contains(&tries), "not too often: {tries}");
    full.store(false, std::sync::atomic::Ordering::Relaxed);
    run(&mut member, 5);
    assert!(member.metrics().saves > before.saves);
    let saved = fleet.saved(0, SECOND).unwrap();
    let npc = &saved.agents[&Key::from("a")].0;
    assert!(npc.steps >= steps);
}

#[test]
fn agent_that_cannot_be_restored_is_kept_as_it_was_saved() {
    let mut world = World::new(3, 1);
    world.start("a");
    for key in 0..3 {
        let tree = if key == 1 { "post" } else { "roam" };
        world
            .fleet
            .spawn(key, tree, json!(null))
            .wait(SECOND)
            .unwrap();
    }
    world.run(3.0);
    world.all[0].member = None;
    // Whoever takes it has not all trees.
    let mut some = TreeSet::new();
    let roam = sequence([action("wait_for_seconds").arg(2), action("walk")]);
    some.add(TreeAsset::build("roam", "npc", roam));
    let some = some.build().unwrap();
    world.start_with("b", |builder| builder.start(some, 1).unwrap());
    world.until("it runs", |world| {
        world.running() == 1 && world.member(1).len() == 3
    });
    world.run(1.0);
    assert_eq!(world.member(1).metrics().stranded, 1);
    world.fleet.fire(1, Npc::hit(1)).wait(SECOND).unwrap();
    // For many more saves than are kept.
    world.run(60.0);
    let refusals = world.fleet.refusals(SECOND).unwrap();
    assert_eq!(
        refusals[0].why,
        "agent `1` cannot be restored by its member"
    );
    world.all[1].member = None;
    world.start("c");
    world.until("it runs", |world| {
        world.running() == 1 && world.member(2).len() == 3
    });
    assert_eq!(world.member(2).metrics().stranded, 0);
    let (_, runner) = world.member(2).agent(&1.into()).unwrap();
    assert_eq!(runner.tree(), "post");
}

#[test]
fn saves_of_a_quiet_shard_are_few_and_say_what_the_time_is() {
    let mut world = World::new(4, 1);
    world.start("a");
    world
        .fleet
        .spawn(1, "post", json!(null))
        .wait(SECOND)
        .unwrap();
    world.run(5.0);
    let before = world.member(0).metrics().clone();
    world.run(100.0);
    let after = world.member(0).metrics().clone();
    let saves = after.saves - before.saves;
    assert!((50..70).contains(&saves), "one in 1.6 s: {saves}");
    assert!(
        after.saved_agents - before.saved_agents < 10,
        "nobody changed"
    );
    let behind = world.now - world.saved(0).clock;
    assert!(behind < 3 * SECOND, "{behind:?}");
}
