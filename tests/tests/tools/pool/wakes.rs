//! Tests of wakes: answers, events and keys, from any thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use bt_core::pool::WakeQueue;
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, guard, select, sequence, wait_event};
use bt_core::{Mode, SharedBoard};

use crate::pool::ants::{Ant, hill, log, runner, seconds, trees};

#[test]
fn completion_that_another_thread_finishes_wakes_its_agent() {
    let (mut pool, ids, _) = hill(action("dig"), 10);
    let calls = Arc::new(AtomicUsize::new(0));
    let called = calls.clone();
    pool.on_wake(move || {
        called.fetch_add(1, Ordering::SeqCst);
    });
    pool.poll(seconds(0.0));
    assert_eq!(pool.next_wake(), None);
    let (finished, dropped) = (completion(&pool, 3), completion(&pool, 7));
    let thread = std::thread::spawn(move || {
        finished.finish(true);
        drop(dropped);
    });
    thread.join().unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1, "until it is polled");
    assert_eq!(pool.next_wake(), Some(seconds(0.0)));
    assert_eq!(pool.poll(seconds(1.0)), 2);
    let result = |index: usize| pool.get(ids[index]).unwrap().1.result();
    assert_eq!((result(3), result(7)), (Some(true), Some(false)));
    completion(&pool, 4).finish(true);
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

fn completion(pool: &bt_core::pool::Pool<Ant>, index: usize) -> Completion {
    let (_, ant, _) = pool.iter().nth(index).unwrap();
    ant.completions.lock().unwrap().pop().unwrap()
}

#[test]
fn answer_within_the_poll_counts_for_the_next_round() {
    let body = sequence([action("dig"), action("walk").arg("out")]);
    let (mut pool, ids, _) = hill(body, 1);
    pool.round(seconds(0.0), 1, |chunks| {
        for chunk in chunks {
            chunk.poll_each_in(&mut (), |_, ant, _, _| {
                ant.completions.lock().unwrap().pop().unwrap().finish(true);
            });
        }
    });
    assert!(log(&pool, ids[0]).is_empty());
    assert_eq!(pool.next_wake(), Some(seconds(0.0)));
    assert_eq!(pool.poll(seconds(0.0)), 1);
    assert_eq!(log(&pool, ids[0]), ["out 0"]);
}

#[test]
fn events_reach_one_some_or_all() {
    let (mut pool, ids, _) = hill(wait_event("rain"), 6);
    pool.poll(seconds(0.0));
    let rain = || Event::new("rain").with("drops", 1);
    assert!(pool.fire(ids[0], rain()));
    assert_eq!(pool.poll(seconds(0.0)), 1);
    assert_eq!(pool.fire_some([ids[1], ids[2]], &rain()), 2);
    assert_eq!(pool.poll(seconds(0.0)), 2);
    let handle = pool.handle();
    let others = [ids[3], ids[4]];
    let thread = std::thread::spawn(move || handle.fire_some(others, rain()));
    thread.join().unwrap();
    assert_eq!(pool.poll(seconds(0.0)), 2);
    pool.fire_all(&rain());
    assert_eq!(pool.poll(seconds(0.0)), 1, "the others have ended");
    assert!(pool.iter().all(|(_, _, runner)| runner.result().is_some()));
}

#[test]
fn changed_global_key_wakes_those_who_declare_it() {
    let board = SharedBoard::new();
    let on = guard("is_on").key("alarm").set("abort", "lower");
    let body = select([action("walk").arg("away").guard(on), action("dig")]);
    let (mut pool, ids, _) = hill(body, 3);
    for id in &ids[..2] {
        pool.get_mut(*id).unwrap().1.share(&board);
    }
    pool.poll(seconds(0.0));
    assert_eq!(pool.next_wake(), None);
    board.set("others", 1);
    assert_eq!(pool.next_wake(), None, "nobody declares it");
    let other = board.clone();
    std::thread::spawn(move || other.set("alarm", true))
        .join()
        .unwrap();
    assert_eq!(pool.next_wake(), Some(seconds(0.0)));
    assert_eq!(pool.poll(seconds(1.0)), 2);
    assert_eq!(log(&pool, ids[0]), ["away 1000"]);
    assert_eq!(log(&pool, ids[1]), ["away 1000"]);
    assert!(log(&pool, ids[2]).is_empty());
}

#[test]
fn agent_that_sleeps_again_is_woken_by_the_later_time_only() {
    let trees = trees(sequence([
        action("wait_for_seconds").arg(5),
        wait_event("rain"),
    ]));
    let (mut queue, mut ant) = (WakeQueue::new(), Ant::default());
    let mut runner = runner(&trees).mode(Mode::Loop);
    let id = queue.join(&mut runner);
    let mut due = Vec::new();
    queue.take_due(seconds(0.0), &mut due);
    runner.poll(&mut ant, seconds(0.0));
    queue.schedule(id, &mut runner);
    assert_eq!(queue.next_wake(), Some(seconds(5.0)));
    for step in 1..3000 {
        runner.reset();
        queue.schedule(id, &mut runner);
        let now = seconds(f64::from(step) / 1000.0);
        queue.take_due(now, &mut due);
        assert_eq!(due, [id]);
        runner.poll(&mut ant, now);
        queue.schedule(id, &mut runner);
    }
    assert_eq!(queue.next_wake(), Some(seconds(7.999)));
    queue.take_due(seconds(7.5), &mut due);
    assert!(due.is_empty());
    queue.take_due(seconds(8.0), &mut due);
    assert_eq!(due, [id]);
}

#[test]
fn runner_that_joins_another_queue_wakes_there() {
    let trees = trees(action("dig"));
    let (mut first, mut second) = (WakeQueue::new(), WakeQueue::new());
    let (mut ant, mut runner) = (Ant::default(), runner(&trees));
    let old = first.join(&mut runner);
    runner.poll(&mut ant, seconds(0.0));
    first.schedule(old, &mut runner);
    first.leave(old);
    let new = second.join(&mut runner);
    assert_eq!((first.next_wake(), second.next_wake()), (None, None));
    ant.completions.lock().unwrap().pop().unwrap().finish(true);
    assert_eq!((first.next_wake(), first.len()), (None, 0));
    let mut due = Vec::new();
    second.take_due(seconds(1.0), &mut due);
    assert_eq!(due, [new]);
}

/// Eight threads finish, fire and write at random; the pool is polled only when it says so.
#[test]
fn no_wake_is_lost() {
    const WAKES: usize = 400;
    let on = guard("is_on").key("alarm").set("abort", "both");
    let hears = sequence([wait_event("rain"), action("walk").arg("wet")]);
    let digs = sequence([action("dig"), action("walk").arg("out")]);
    let flees = sequence([action("walk").arg("away"), action("dig")]).guard(on);
    for (body, expected) in [
        (hears, "wet"),
        (digs, "out"),
        (select([flees, action("dig")]), "away"),
    ] {
        let (mut pool, ids, _) = hill(body, 64);
        let board = SharedBoard::new();
        let completions = Arc::new(Mutex::new(Vec::new()));
        for id in &ids {
            let (ant, runner) = pool.get_mut(*id).unwrap();
            runner.share(&board);
            ant.completions = completions.clone();
        }
        let (bell, rings) = mpsc::channel();
        pool.on_wake(move || {
            let _ = bell.send(());
        });
        pool.poll(seconds(0.0));
        std::thread::scope(|scope| {
            for number in 0..8u64 {
                let (handle, board, completions) =
                    (pool.handle(), board.clone(), completions.clone());
                let ids = &ids;
                scope.spawn(move || {
                    let mut random = Random::new(number);
                    for _ in 0..WAKES {
                        let id = *random.choose(ids).unwrap();
                        match expected {
                            "wet" => handle.fire(id, Event::new("rain").with("drops", 1)),
                            "out" => {
                                let last = completions.lock().unwrap().pop();
                                if let Some(last) = last {
                                    last.finish(true);
                                }
                            }
                            _ => board.set("alarm", random.chance(0.5)),
                        }
                        if random.chance(0.1) {
                            std::thread::yield_now();
                        }
                    }
                    if number == 0 {
                        board.set("alarm", true);
                    }
                });
            }
            // It is polled when the bell rings, and never else.
            while rings.recv_timeout(Duration::from_millis(300)).is_ok() {
                while pool.next_wake().is_some() {
                    pool.poll(seconds(0.0));
                }
            }
        });
        while rings.try_recv().is_ok() {
            while pool.next_wake().is_some() {
                pool.poll(seconds(0.0));
            }
        }
        // Whoever is polled once more has nothing to do.
        let before: Vec<_> = pool.iter().map(|(_, ant, _)| ant.log.clone()).collect();
        assert!(
            before
                .iter()
                .flatten()
                .any(|line| line.starts_with(expected))
        );
        for id in &ids {
            pool.get_mut(*id);
        }
        pool.poll(seconds(0.0));
        let after: Vec<_> = pool.iter().map(|(_, ant, _)| ant.log.clone()).collect();
        assert_eq!(after, before);
    }
}

#[test]
fn global_key_that_is_declared_later_wakes_too() {
    let board = SharedBoard::new();
    let fire = |runner: &bt_core::Runner<Ant>| {
        let ty = "bool".parse().unwrap();
        let fire = bt_core::blackboard::Declaration::new("fire", ty)
            .initial(false)
            .global();
        runner.blackboard().declare(fire).unwrap();
    };
    let (mut pool, ids, _) = hill(action("dig"), 3);
    for id in &ids[..2] {
        pool.get_mut(*id).unwrap().1.share(&board);
    }
    pool.poll(seconds(0.0));
    fire(pool.get(ids[0]).unwrap().1);
    pool.poll(seconds(0.0));
    assert_eq!(pool.next_wake(), None);
    board.set("fire", true);
    assert_eq!(pool.poll(seconds(1.0)), 1);
    board.set("alarm", true);
    assert_eq!(pool.poll(seconds(1.0)), 2, "the other keys still wake");
    // It sees what the others wrote before, and takes nothing back.
    fire(pool.get_mut(ids[1]).unwrap().1);
    assert_eq!(board.get("fire"), true);
    assert_eq!(pool.get(ids[1]).unwrap().1.blackboard().get("fire"), true);
}

#[test]
fn agent_that_is_removed_with_its_own_completion_calls_nobody() {
    let (mut pool, ids, _) = hill(action("dig"), 3);
    let calls = Arc::new(AtomicUsize::new(0));
    let called = calls.clone();
    pool.on_wake(move || {
        called.fetch_add(1, Ordering::SeqCst);
    });
    pool.poll(seconds(0.0));
    pool.despawn(ids[0]);
    pool.despawn(ids[1]);
    assert_eq!((pool.len(), pool.next_wake()), (1, None));
    drop(pool);
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}
