//! Members die, are paused and cut off, and answers are lost: every agent is there once, and every input that was stored
//! is applied once in what is saved, in order.

use std::collections::HashMap;

use bt_core::Random;
use bt_fleet::Key;
use bt_fleet::store::{Faults, Stream};
use serde_json::json;

use crate::world::*;

const AGENTS: u64 = 120;
const SHARDS: u32 = 8;

/// Sends hits, and repeats those without an answer with the same id.
#[derive(Default)]
struct Publisher {
    number: u64,
    sent: HashMap<u64, u64>,
}

impl Publisher {
    fn hit(&mut self, world: &World, random: &mut Random) {
        self.number += 1;
        let key = random.int(0..=AGENTS as i64 - 1) as u64;
        *self.sent.entry(key).or_default() += 1;
        let id = format!("hit-{}", self.number);
        let times = if random.int(0..=9) == 0 { 2 } else { 1 };
        for _ in 0..times {
            let hit = world.fleet.fire(key, Npc::hit(self.number));
            hit.id(id.clone()).wait(SECOND).unwrap();
        }
    }
}

fn spawn_all(world: &mut World) {
    for key in 0..AGENTS {
        let tree = ["stay", "roam", "greet"][key as usize % 3];
        world
            .fleet
            .spawn(key, tree, json!(null))
            .wait(SECOND)
            .unwrap();
        if tree == "greet" {
            let friend = (key * 7 + 1) % AGENTS;
            world
                .fleet
                .write(key, "friend", friend)
                .wait(SECOND)
                .unwrap();
        }
    }
}

fn chaos(seed: u64, seconds: u64) -> World {
    let mut world = World::new(seed, SHARDS);
    let mut random = Random::new(seed ^ 0xc4a5);
    for number in 0..4 {
        // One of them does not look at its lease: its saves are refused all the same.
        world.start_with(&format!("host-{number}"), |builder| {
            let builder = if number == 3 {
                builder.ignore_lease()
            } else {
                builder
            };
            builder.start(trees(), 1).unwrap()
        });
    }
    spawn_all(&mut world);
    let mut publisher = Publisher::default();
    world.run(3.0);
    let faults = Faults {
        lost_requests: 0.02,
        lost_answers: 0.05,
        delay: millis(60),
        ..Faults::default()
    };
    world.net.set_faults(faults);
    let end = world.now + SECOND * seconds as u32;
    while world.now < end {
        for _ in 0..4 {
            publisher.hit(&world, &mut random);
        }
        harm(&mut world, &mut random);
        world.step();
    }
    recover(&mut world);
    check(&world, &publisher);
    world
}

/// Perhaps kills, pauses, cuts off or starts somebody.
fn harm(world: &mut World, random: &mut Random) {
    let victim = random.int(0..=3) as usize;
    let now = world.now;
    match random.int(0..=400) {
        0 => world.all[victim].member = None,
        1..=2 => world.all[victim].paused_until = now + millis(random.int(100..=4000) as u64),
        3..=4 => world.all[victim].link.set_connected(false),
        5..=20 => world.all[victim].link.set_connected(true),
        21..=40 => start_again(world, victim),
        _ => {}
    }
}

fn start_again(world: &mut World, victim: usize) {
    if world.all[victim].member.is_none() {
        let (name, link) = (
            world.all[victim].name.clone(),
            world.all[victim].link.clone(),
        );
        let member = world.builder(&name, &link).start(trees(), 1).unwrap();
        world.all[victim].member = Some(member);
    }
}

/// The network is whole again, and whoever is there catches up.
fn recover(world: &mut World) {
    world.net.set_faults(Faults::default());
    for number in 0..4 {
        start_again(world, number);
        world.all[number].link.set_connected(true);
        world.all[number].paused_until = world.now;
    }
    world.run(8.0);
    world.until("all shards run", |world| world.running() == SHARDS as usize);
    world.run(1.0);
}

fn check(world: &World, publisher: &Publisher) {
    let saved = world.all_saved();
    let mut keys: Vec<_> = saved.iter().map(|(key, _)| key.clone()).collect();
    keys.sort();
    let all: Vec<_> = (0..AGENTS).map(Key::from).collect();
    assert_eq!(keys, all, "every agent is there once");
    for (key, npc) in &saved {
        let Key::Number(number) = key else {
            panic!("{key}")
        };
        let sent = publisher.sent.get(number).copied().unwrap_or(0);
        assert_eq!(npc.hits, sent, "hits of {key}");
        assert_eq!(npc.disorder, 0, "order of {key}'s hits");
    }
    effects_came_once(world, &saved);
}

/// A greeting for each step of who greets, but for the last ones on their way; a line in the log for each.
fn effects_came_once(world: &World, saved: &[(Key, Npc)]) {
    let npc = |wanted: u64| {
        let found = saved.iter().find(|(key, _)| *key == Key::from(wanted));
        &found.unwrap().1
    };
    let mut lines = HashMap::new();
    let mut log = world.fleet.log("deeds");
    loop {
        let some = log.read(SECOND).unwrap();
        if some.is_empty() {
            break;
        }
        for line in some {
            let of = (
                line.line["by"].clone().to_string(),
                line.line["step"].as_u64().unwrap(),
            );
            *lines.entry(of).or_insert(0) += 1;
        }
    }
    assert!(
        lines.values().all(|count| *count == 1),
        "each line is there once"
    );
    let mut total = 0;
    for key in (2..AGENTS).step_by(3) {
        let friend = (key * 7 + 1) % AGENTS;
        let steps = npc(key).steps;
        assert!(steps > 5, "{key} greets");
        let greeted = npc(friend).greetings;
        assert!(
            (steps.saturating_sub(3)..=steps).contains(&greeted),
            "{key}: {greeted} of {steps}"
        );
        let written = (1..=steps).filter(|step| lines.contains_key(&(friend.to_string(), *step)));
        let written = written.count() as u64;
        assert!(
            (steps.saturating_sub(3)..=steps).contains(&written),
            "{key}: {written} of {steps}"
        );
        total += steps;
    }
    assert!(total > 1000, "{total}");
}

#[test]
fn inputs_and_effects_count_once_whoever_fails() {
    let mut refused = 0;
    let mut read_back = 0;
    for seed in 0..8 {
        let world = chaos(seed, 40);
        refused += world.sum(|metrics| metrics.refused_saves);
        read_back += world.sum(|metrics| metrics.read_back);
        let (messages, _) = world.net.memory().size(Stream::Saves);
        assert!(
            messages < SHARDS as usize * 200,
            "old saves are removed: {messages} remain"
        );
        let (inputs, _) = world.net.memory().size(Stream::Inputs);
        assert!(inputs < 8000, "old inputs are removed: {inputs} remain");
    }
    assert!(refused > 0, "the fence was needed");
    assert!(read_back > 0, "some writes were stored without an answer");
}
