//! Pools are saved, and restored on another clock.

use bt_core::RestoreError;
use bt_core::pool::{Pool, SavedPool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, parallel, sequence, wait_event};

use crate::pool::ants::{Ant, hill, log, runner, seconds, trees};

#[test]
fn restored_pool_continues_where_it_was_saved() {
    let wait = |seconds: f64, name: &str| {
        sequence([
            action("wait_for_seconds").arg(seconds),
            action("walk").arg(name),
        ])
    };
    let hears = sequence([wait_event("rain"), action("walk").arg("wet")]);
    let body = parallel(3, 1, [wait(2.0, "two"), wait(5.0, "five"), hears]);
    let (mut pool, ids, _) = hill(body.clone(), 4);
    pool.poll(seconds(0.0));
    pool.poll(seconds(3.0));
    pool.despawn(ids[1]);
    pool.pause(ids[2]);
    pool.poll(seconds(3.5));
    // It arrives after the last round.
    pool.handle()
        .fire(ids[0], Event::new("rain").with("drops", 1));
    let text = serde_json::to_string(&pool.save()).unwrap();
    let saved: SavedPool = serde_json::from_str(&text).unwrap();
    assert_eq!(saved.ids().collect::<Vec<_>>(), [ids[0], ids[2], ids[3]]);

    let trees = trees(body);
    let mut pool = Pool::restore(&trees, &saved, |_| Ant::default()).unwrap();
    assert_eq!(serde_json::to_string(&pool.save()).unwrap(), text);
    assert_eq!(pool.poll(seconds(100.0)), 3, "it says what the time is");
    assert!(!pool.contains(ids[1]));
    assert_eq!(log(&pool, ids[0]), ["wet 100000"]);
    assert_eq!(pool.next_wake(), Some(seconds(101.5)));
    pool.poll(seconds(101.5));
    assert_eq!(log(&pool, ids[0]), ["wet 100000", "five 101500"]);
    assert_eq!(log(&pool, ids[3]), ["five 101500"]);
    pool.resume(ids[2]);
    pool.poll(seconds(110.0));
    assert_eq!(pool.next_wake(), Some(seconds(112.0)));
    let next = pool.spawn(Ant::default(), runner(&trees));
    assert_eq!((next.index(), next.generation()), (1, 2));
}

#[test]
fn despawned_cancelling_agent_ends_after_a_restore() {
    let (mut pool, ids, _) = hill(action("fight"), 1);
    pool.poll(seconds(0.0));
    pool.despawn(ids[0]);
    let saved = pool.save();
    let trees = trees(action("fight"));
    let mut pool = Pool::restore(&trees, &saved, |_| Ant::default()).unwrap();
    pool.poll(seconds(7.0));
    assert_eq!(pool.len(), 1);
    pool.poll(seconds(8.0));
    assert_eq!(pool.len(), 0);
}

#[test]
fn saved_pool_that_makes_no_sense_is_refused() {
    let (mut pool, ids, _) = hill(action("dig"), 3);
    pool.despawn(ids[1]);
    let saved = serde_json::to_value(pool.save()).unwrap();
    let trees = trees(action("dig"));
    let restore = |path: &str, value: serde_json::Value| {
        let mut saved = saved.clone();
        *saved.pointer_mut(path).unwrap() = value;
        let saved: SavedPool = serde_json::from_value(saved).unwrap();
        Pool::restore(&trees, &saved, |_| Ant::default()).map(|pool| pool.len())
    };
    let is_malformed = |path: &str, value: serde_json::Value| {
        restore(path, value).is_err_and(|error| error.is_malformed())
    };
    assert_eq!(restore("/paused", true.into()), Ok(2));
    assert!(is_malformed("/agents/0/id", [9, 1].as_slice().into()));
    assert!(is_malformed("/agents/0/id", [0, 2].as_slice().into()));
    assert!(is_malformed("/agents/0/id", [2, 1].as_slice().into()));
    assert!(is_malformed("/free", [0].as_slice().into()));
    assert!(is_malformed("/free", [1, 1].as_slice().into()));
    assert!(is_malformed("/free", [7].as_slice().into()));
    assert!(restore("/format", 2.into()).is_err_and(|error: RestoreError| error.is_newer()));
}

#[test]
fn count_of_what_was_missed_stays_at_its_end() {
    let (mut pool, ids, _) = hill(action("dig"), 1);
    let mut saved = serde_json::to_value(pool.save()).unwrap();
    saved["missed"] = u64::MAX.into();
    let saved: SavedPool = serde_json::from_value(saved).unwrap();
    let trees = trees(action("dig"));
    let mut pool = Pool::restore(&trees, &saved, |_| Ant::default()).unwrap();
    pool.despawn(ids[0]);
    pool.despawn(ids[0]);
    pool.fire(ids[0], Event::new("rain"));
    pool.handle().wake(ids[0]);
    pool.handle().despawn(ids[0]);
    pool.poll(seconds(0.0));
    assert_eq!(pool.missed(), u64::MAX);
}

#[test]
fn what_was_asked_of_handles_and_spawners_is_saved_as_done() {
    let (mut pool, ids, _) = hill(action("dig"), 2);
    pool.poll(seconds(0.0));
    let trees = trees(action("dig"));
    pool.spawner().spawn(Ant::default(), runner(&trees));
    pool.handle().despawn(ids[0]);
    let saved = pool.save();
    assert_eq!((saved.ids().count(), pool.len()), (3, 3));
    let mut pool = Pool::restore(&trees, &saved, |_| Ant::default()).unwrap();
    pool.poll(seconds(0.0));
    assert_eq!(pool.len(), 2, "who was despawned ends in its next turn");
}

/// Everything that changes an agent marks it: a copy that is kept by what is marked alone is the pool.
#[test]
fn agents_that_are_not_marked_as_changed_are_as_they_were_saved() {
    let wait = sequence([wait_event("rain"), action("wait_for_seconds").arg(4)]);
    let (mut pool, ids, _) = hill(wait, 6);
    pool.follow_changes();
    let mut copy: std::collections::BTreeMap<_, String> = std::collections::BTreeMap::new();
    let mut last = 0;
    for round in 0..20 {
        match round {
            1 => _ = pool.fire(ids[0], Event::new("rain").with("drops", 1)),
            2 => _ = pool.pause(ids[1]),
            4 => pool
                .handle()
                .fire(ids[2], Event::new("rain").with("drops", 1)),
            6 => _ = pool.resume(ids[1]),
            7 => pool.get_mut(ids[3]).unwrap().1.set_seed(9),
            9 => _ = pool.despawn(ids[4]),
            11 => pool.handle().despawn(ids[5]),
            12 => pool.fire_all(&Event::new("rain").with("drops", 2)),
            _ => {}
        }
        pool.poll(seconds(round.into()));
        let changed = pool.take_changed();
        last = changed.agents.len();
        for id in changed.gone {
            copy.remove(&id);
        }
        for id in changed.agents {
            let saved = pool.save_agent_compact(id).unwrap();
            assert_eq!((saved.id(), saved.ends()), (id, false));
            copy.insert(id, board(saved.runner()));
        }
        let all: std::collections::BTreeMap<_, _> = pool
            .iter()
            .map(|(id, _, runner)| (id, board(&runner.save_compact())))
            .collect();
        assert_eq!(copy, all, "after round {round}");
    }
    assert_eq!(last, 0, "all of them wait");
    assert!(pool.save_agent(ids[5]).is_none());
    assert_eq!(pool.take_changed(), bt_core::pool::Changed::default());
}

/// A runner without what the clock alone changes.
fn board(saved: &bt_core::Saved) -> String {
    let mut saved: serde_json::Value = serde_json::from_str(&saved.to_json()).unwrap();
    let timers = saved["timers"].as_array().map(Vec::len);
    saved["timers"] = timers.into();
    without_times(&mut saved);
    saved.to_string()
}

fn without_times(value: &mut serde_json::Value) {
    if let Some(fields) = value.as_object_mut() {
        for name in ["ago", "began", "paused_ago", "ran"] {
            fields.remove(name);
        }
        fields.values_mut().for_each(without_times);
    }
    let items = value.as_array_mut().into_iter().flatten();
    items.for_each(without_times);
}
