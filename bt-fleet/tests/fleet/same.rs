//! A fleet of four members and one pool do the same, to the byte of their traces, if their rounds are at the same times
//! and inputs come before the same rounds: a host that wants to repeat what happened logs these.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::pool::Pool;
use bt_core::trace::JsonLines;
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Event, Random, Runner, TreeAsset, TreeSet, Trees};
use bt_fleet::Key;
use serde_json::json;

use crate::world::*;

const AGENTS: u64 = 1000;

/// Spawns and hits, in the order in which they were applied, with the times of the rounds.
type Log = Arc<Mutex<Vec<(Duration, Key, Option<u64>)>>>;

type Traces = Arc<Mutex<HashMap<Key, Vec<u8>>>>;

/// The trace of one agent.
struct Trace(Key, Traces);

impl Write for Trace {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut all = self.1.lock().unwrap();
        all.entry(self.0.clone())
            .or_default()
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn traced(key: &Key, runner: &mut Runner<Npc>, traces: &Traces) {
    let trace = Trace(key.clone(), traces.clone());
    runner.set_tracer(Some(Box::new(JsonLines::new(trace))));
}

fn drawing() -> Trees<Npc> {
    let mut trees = TreeSet::new();
    let draw = || action("random_int").arg(1).arg(1_000_000).arg("drawn");
    let stay = sequence([draw(), wait_event("hit"), action("count")]);
    let roam = sequence([draw(), action("wait_for_seconds").arg(0.7), action("walk")]);
    for (name, tree) in [("stay", stay), ("roam", roam)] {
        trees.add(TreeAsset::build(name, "npc", tree));
    }
    trees.build().unwrap()
}

fn tree(key: u64) -> &'static str {
    if key.is_multiple_of(2) {
        "stay"
    } else {
        "roam"
    }
}

/// The hits before a round.
fn hits(random: &mut Random) -> Vec<u64> {
    (0..30)
        .map(|_| random.int(0..=AGENTS as i64 - 1) as u64)
        .collect()
}

#[test]
fn fleet_of_four_and_one_pool_have_the_same_traces() {
    let (traces, log) = (Traces::default(), Log::default());
    let mut world = World::new(1, 32);
    for number in 0..4 {
        let (traces, spawns, hits) = (traces.clone(), log.clone(), log.clone());
        let (then, now) = (world.time(), world.time());
        world.start_with(&format!("host-{number}"), |builder| {
            let builder = builder.prepare(move |key, _, runner| {
                traced(key, runner, &traces);
                spawns.lock().unwrap().push((then(), key.clone(), None));
            });
            let builder = builder.heard(move |key, _, event| {
                let number = event.get_as("number").unwrap();
                hits.lock()
                    .unwrap()
                    .push((now(), key.clone(), Some(number)));
            });
            builder.start(drawing(), 1).unwrap()
        });
    }
    world.until("all shards run", |world| world.running() == 32);
    world.run(2.0);
    let taken = world.sum(|metrics| metrics.taken);
    let mut times = Vec::new();
    let mut random = Random::new(9);
    for round in 0..200 {
        if round == 0 {
            for key in 0..AGENTS {
                world
                    .fleet
                    .spawn(key, tree(key), json!(null))
                    .wait(SECOND)
                    .unwrap();
            }
        }
        for key in hits(&mut random) {
            world.fleet.fire(key, Npc::hit(round)).wait(SECOND).unwrap();
        }
        world.step();
        times.push(world.now);
    }
    assert_eq!(
        world.sum(|metrics| metrics.taken),
        taken,
        "nothing moved meanwhile"
    );
    assert!(
        world
            .all
            .iter()
            .all(|process| process.member.as_ref().unwrap().len() > 50)
    );
    let fleet = std::mem::take(&mut *traces.lock().unwrap());

    let trees = drawing();
    let mut pool = Pool::new();
    let mut ids = HashMap::new();
    let log = log.lock().unwrap();
    let mut log = log.iter().peekable();
    for now in times {
        while let Some((_, key, hit)) = log.next_if(|(at, _, _)| *at <= now) {
            if let Some(number) = hit {
                // As a host does that counts hits in its agents.
                assert!(pool.get_mut(ids[key]).is_some());
                pool.fire(ids[key], Event::new("hit").with("number", number));
                continue;
            }
            let Key::Number(number) = key else { continue };
            let mut runner = Runner::new(&trees, tree(*number)).unwrap().seed(key.hash());
            traced(key, &mut runner, &traces);
            runner.start();
            ids.insert(key.clone(), pool.spawn(Npc::default(), runner));
        }
        pool.poll(now);
    }
    let pool = traces.lock().unwrap();
    assert_eq!(pool.len(), AGENTS as usize);
    for (key, trace) in &*pool {
        let [pool, fleet] = [trace, &fleet[key]].map(|trace| String::from_utf8_lossy(trace));
        assert!(pool.lines().count() > 10, "{pool}");
        let differs = fleet
            .lines()
            .zip(pool.lines())
            .find(|(fleet, pool)| fleet != pool);
        assert_eq!(differs, None, "{key}");
        assert_eq!(fleet.lines().count(), pool.lines().count(), "{key}");
    }
}
