//! Agents of a pool draw differently, and each time the same.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use bt_core::pool::{AgentId, Pool, SavedPool, WakeQueue};
use bt_core::trace::{Record, Replay, What};
use bt_core::tree::asset::spec::{NodeSpec, action, sequence};
use bt_core::{Random, Runner, Trees};

use crate::pool::ants::{Ant, log, runner, seconds, trees};

/// Draws now, and in a second.
fn draws() -> NodeSpec {
    let draw = || action("draw").arg(1_000_000);
    sequence([draw(), action("wait_for_seconds").arg(1), draw()])
}

fn hill(trees: &Trees<Ant>, seed: Option<u64>, ants: usize) -> Pool<Ant> {
    let mut pool = Pool::new();
    if let Some(seed) = seed {
        pool.set_seed(seed);
    }
    for _ in 0..ants {
        pool.spawn(Ant::default(), runner(trees));
    }
    pool
}

/// The draws of each.
fn drawn(pool: &Pool<Ant>) -> Vec<Vec<String>> {
    pool.iter().map(|(_, ant, _)| ant.log.clone()).collect()
}

fn played(mut pool: Pool<Ant>, chunks: usize) -> Vec<Vec<String>> {
    for now in [0.0, 1.0] {
        pool.round(seconds(now), chunks, |chunks| {
            std::thread::scope(|scope| {
                for chunk in chunks.into_iter().rev() {
                    scope.spawn(|| chunk.poll());
                }
            });
        });
    }
    drawn(&pool)
}

#[test]
fn a_thousand_agents_of_a_pool_draw_differently() {
    let trees = trees(draws());
    let all = played(hill(&trees, None, 1_000), 1);
    let first: BTreeSet<_> = all.iter().map(|drawn| &drawn[0]).collect();
    // Of a million numbers a thousand draws give one twice.
    assert!(first.len() > 990, "{}", first.len());
    assert!(
        all.iter()
            .all(|drawn| drawn.len() == 2 && drawn[0] != drawn[1])
    );
}

#[test]
fn seeds_follow_from_the_pools_seed_and_the_ids_alone() {
    let trees = trees(draws());
    let one = played(hill(&trees, None, 100), 1);
    for chunks in [2, 7] {
        assert_eq!(played(hill(&trees, None, 100), chunks), one);
    }
    assert_eq!(played(hill(&trees, Some(0), 100), 1), one, "0 by default");
    assert_ne!(played(hill(&trees, Some(1), 100), 1), one);
    // A place that is used again has another agent.
    let mut pool = hill(&trees, None, 1);
    let (first, ..) = pool.iter().next().unwrap();
    pool.despawn(first);
    pool.spawn(Ant::default(), runner(&trees));
    assert_ne!(played(pool, 1)[0], one[0]);
}

#[test]
fn a_seed_that_the_host_chose_is_kept() {
    let trees = trees(draws());
    let alone = |runner: Runner<Ant>| {
        let (mut runner, mut ant) = (runner, Ant::default());
        runner.poll(&mut ant, seconds(0.0));
        runner.poll(&mut ant, seconds(1.0));
        ant.log
    };
    let pooled = |runner: Runner<Ant>| {
        let mut pool = Pool::new();
        pool.spawn(Ant::default(), runner);
        played(pool, 1).remove(0)
    };
    for seed in [0, 7] {
        let chosen = || runner(&trees).seed(seed);
        assert_eq!(pooled(chosen()), alone(chosen()), "{seed}");
    }
    assert_ne!(pooled(runner(&trees)), alone(runner(&trees)));
    // One that has drawn, and one that was restored, go on with their streams.
    let straight = alone(runner(&trees));
    let mut begun = runner(&trees);
    begun.poll(&mut Ant::default(), seconds(0.0));
    let saved = begun.save();
    for begun in [
        begun,
        Runner::restore(&trees, &saved).unwrap().at(seconds(0.0)),
    ] {
        let mut pool = Pool::new();
        let id = pool.spawn(Ant::default(), begun);
        pool.poll(seconds(1.0));
        assert_eq!(log(&pool, id), &straight[1..]);
    }
}

#[test]
fn a_saved_pool_keeps_its_seed_and_those_of_its_agents() {
    let trees = trees(draws());
    let after = |mut pool: Pool<Ant>| {
        pool.poll(seconds(0.5));
        pool.spawn(Ant::default(), runner(&trees));
        pool.poll(seconds(0.5));
        pool.poll(seconds(1.5));
        let last = |(_, ant, _): (AgentId, &Ant, &Runner<Ant>)| ant.log.last().cloned();
        pool.iter().map(last).collect::<Vec<_>>()
    };
    let begun = || {
        let mut pool = hill(&trees, Some(7), 3);
        pool.poll(seconds(0.0));
        pool
    };
    let straight = after(begun());
    let text = serde_json::to_string(&begun().save()).unwrap();
    let saved: SavedPool = serde_json::from_str(&text).unwrap();
    let restored = Pool::restore(&trees, &saved, |_| Ant::default()).unwrap();
    assert_eq!(after(restored), straight);
    // One of an older version has none.
    let older = text.replace("\"seed\":7,", "");
    assert_ne!(older, text);
    let saved: SavedPool = serde_json::from_str(&older).unwrap();
    assert!(Pool::restore(&trees, &saved, |_| Ant::default()).is_ok());
}

#[test]
fn agents_of_a_wake_queue_have_the_seeds_that_a_pool_would_give_them() {
    let trees = trees(draws());
    let pooled = played(hill(&trees, Some(5), 10), 1);
    let mut queue = WakeQueue::new().seed(5);
    let drawn = (0..10).map(|_| {
        let (mut runner, mut ant) = (runner(&trees), Ant::default());
        queue.join(&mut runner);
        runner.poll(&mut ant, seconds(0.0));
        runner.poll(&mut ant, seconds(1.0));
        ant.log
    });
    assert_eq!(drawn.collect::<Vec<_>>(), pooled);
}

/// The last seed that a trace has when an agent draws for the first time.
#[test]
fn the_seed_is_in_the_trace() {
    let trees = trees(draws());
    let replays = Arc::new(Mutex::new(Vec::new()));
    let mut pool = Pool::new().seed(7);
    for number in 0..3 {
        let mut runner = runner(&trees);
        let (to, mut replay) = (replays.clone(), Replay::new());
        runner.set_tracer(Some(Box::new(move |record: &Record<'_>| {
            replay.apply(record).unwrap();
            if matches!(record.what, What::NodeAction { .. }) && record.time().is_zero() {
                let mut to = to.lock().unwrap();
                to.push((number, replay.random()));
            }
        })));
        pool.spawn(Ant::default(), runner);
    }
    pool.poll(seconds(0.0));
    let replays = replays.lock().unwrap();
    let firsts = pool.iter().zip(0..);
    for ((_, ant, _), number) in firsts {
        let (_, seed) = replays.iter().find(|(of, _)| *of == number).unwrap();
        let draw = Random::new(seed.unwrap()).int(1..=1_000_000);
        assert_eq!(ant.log, [format!("draw {draw}")]);
    }
}
