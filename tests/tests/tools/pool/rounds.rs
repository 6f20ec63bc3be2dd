//! Tests of the agents that a round polls, and of their effects on each other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::pool::Pool;
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, parallel, sequence, wait_event};
use bt_core::{Runner, SharedBoard};

use crate::pool::ants::{Ant, hill, log, runner, seconds, trees};

#[test]
fn sleeping_agents_are_not_polled() {
    let body = sequence([action("wait_for_seconds").arg(10), action("walk").arg("up")]);
    let (mut pool, _, count) = hill(body, 1_000);
    assert_eq!(pool.poll(seconds(0.0)), 1_000);
    for step in 1..100 {
        assert_eq!(pool.poll(seconds(f64::from(step) / 10.0)), 0);
    }
    assert_eq!(count.calls(), 0);
    assert_eq!(pool.next_wake(), Some(seconds(10.0)));
    assert_eq!(pool.poll(seconds(10.0)), 1_000);
    assert_eq!(count.calls(), 1_000);
    assert_eq!(pool.poll(seconds(11.0)), 0, "they have ended");
    assert_eq!(pool.next_wake(), None);
}

#[test]
fn polled_actions_are_polled_every_round() {
    let (mut pool, _, count) = hill(action("guard_nest"), 3);
    for step in 0..5 {
        assert_eq!(pool.poll(seconds(f64::from(step))), 3);
    }
    assert_eq!(count.calls(), 15);
}

#[test]
fn entries_equal_exits_when_agents_are_despawned_dropped_or_panic() {
    let (mut pool, ids, count) = hill(action("dig"), 10);
    pool.poll(seconds(0.0));
    assert_eq!(count.pair(), (10, 0));
    for id in &ids[..4] {
        assert!(pool.despawn(*id));
    }
    assert_eq!((count.pair(), pool.len()), ((10, 4), 6));
    drop(pool);
    assert_eq!(count.pair(), (10, 10));

    let (mut pool, ids, count) = hill(action("fall"), 10);
    pool.poll(seconds(0.0));
    assert_eq!(count.pair(), (10, 10));
    assert_eq!(pool.get(ids[3]).unwrap().1.result(), Some(false));

    let (mut pool, _, count) = hill(action("dig"), 10);
    pool.poll(seconds(0.0));
    pool.despawn_all_in(&mut ());
    assert_eq!((count.pair(), pool.len()), ((10, 10), 0));
}

#[test]
fn dead_id_is_false_and_counted() {
    let (mut pool, ids, _) = hill(action("dig"), 2);
    let dead = ids[0];
    pool.despawn(dead);
    assert_eq!(pool.missed(), 0);
    assert!(!pool.fire(dead, Event::new("rain")));
    assert!(!pool.despawn(dead) && !pool.pause(dead) && !pool.resume(dead));
    assert!(pool.get(dead).is_none() && pool.get_mut(dead).is_none() && !pool.contains(dead));
    assert_eq!(pool.missed(), 2);
    pool.handle().fire(dead, Event::new("rain"));
    pool.handle().despawn(dead);
    pool.poll(seconds(0.0));
    assert_eq!(pool.missed(), 4);
    let next = pool.spawn(Ant::default(), runner(&trees(action("dig"))));
    assert_eq!((next.index(), next.generation()), (dead.index(), 2));
    assert!(pool.get(dead).is_none());
}

#[test]
fn cancelling_agent_stays_until_it_is_done() {
    let (mut pool, ids, count) = hill(action("fight"), 1);
    pool.poll(seconds(0.0));
    assert!(pool.despawn(ids[0]));
    assert_eq!((pool.len(), count.pair()), (1, (1, 0)));
    assert_eq!(log(&pool, ids[0]), ["Aborted 0"]);
    pool.poll(seconds(0.5));
    assert_eq!(pool.len(), 1);
    pool.poll(seconds(1.0));
    assert_eq!((pool.len(), count.pair()), (0, (1, 1)));
}

#[test]
fn agent_that_despawns_itself_ends_after_its_poll() {
    let (mut pool, _, count) = hill(action("die"), 3);
    assert_eq!(pool.poll(seconds(0.0)), 3);
    assert_eq!((pool.len(), pool.missed(), count.pair()), (0, 0, (3, 3)));
}

#[test]
fn despawn_by_handle_stops_the_tree_in_the_next_turn() {
    let (mut pool, ids, count) = hill(action("dig"), 2);
    pool.poll(seconds(0.0));
    pool.pause(ids[0]);
    pool.handle().despawn(ids[0]);
    assert_eq!(pool.poll(seconds(1.0)), 1);
    assert_eq!((pool.len(), count.pair()), (1, (2, 1)));
}

#[test]
fn commands_between_agents_apply_after_the_round_in_id_order() {
    let hears = || wait_event("rain").extra("params", serde_json::json!({"drops": "drops"}));
    let hears = || sequence([hears(), action("see").arg("drops")]);
    let body = parallel(
        2,
        1,
        [
            sequence([action("tell").arg(0), action("walk").arg("told")]),
            sequence([hears(), hears(), hears(), hears()]),
        ],
    );
    for chunks in 1..5 {
        let (mut pool, ids, _) = hill(body.clone(), 4);
        let round = |pool: &mut Pool<Ant>| {
            pool.round(seconds(0.0), chunks, |chunks| {
                std::thread::scope(|scope| {
                    for chunk in chunks {
                        scope.spawn(|| chunk.poll());
                    }
                });
            });
        };
        round(&mut pool);
        assert_eq!(log(&pool, ids[0]), ["told 0"]);
        round(&mut pool);
        let heard = ["told 0", "drops=0", "drops=1", "drops=2", "drops=3"];
        assert_eq!(log(&pool, ids[0]), heard);
    }
}

#[test]
fn spawned_agents_exist_after_the_round_in_id_order() {
    for chunks in [1, 3, 7] {
        let (mut pool, ids, _) = hill(action("lay"), 7);
        pool.round(seconds(0.0), chunks, |chunks| {
            std::thread::scope(|scope| {
                // The last one first, as far as threads can be told.
                for chunk in chunks.into_iter().rev() {
                    scope.spawn(|| chunk.poll());
                }
            });
        });
        assert_eq!(pool.len(), 14);
        let young = pool.iter().skip(7).map(|(_, ant, _)| ant.log[0].clone());
        let parents: Vec<_> = ids.iter().map(|id| format!("of {id}")).collect();
        assert_eq!(young.collect::<Vec<_>>(), parents);
    }
}

#[test]
fn global_keys_change_after_the_round_and_lose_no_count() {
    let board = SharedBoard::new();
    let body = sequence([
        action("step").arg("steps"),
        action("number_add").arg("steps").arg(1),
        action("see").arg("steps"),
        action("wait_for_seconds").arg(1),
        action("see").arg("steps"),
    ]);
    let (mut pool, ids, _) = hill(body, 5);
    for id in &ids {
        pool.get_mut(*id).unwrap().1.share(&board);
    }
    pool.round(seconds(0.0), 2, |chunks| {
        for chunk in chunks.into_iter().rev() {
            chunk.poll();
        }
    });
    assert_eq!(board.get("steps"), 10);
    pool.poll(seconds(1.0));
    for id in ids {
        assert_eq!(log(&pool, id), ["steps=2", "steps=10"], "its own at once");
    }
}

#[test]
fn chunk_that_is_not_polled_is_due_in_the_next_round() {
    let (mut pool, _, count) = hill(action("walk").arg("on"), 10);
    pool.round(seconds(0.0), 2, |mut chunks| {
        assert_eq!(chunks.len(), 2);
        chunks.remove(1).poll();
    });
    assert_eq!(count.calls(), 5);
    assert_eq!(pool.next_wake(), Some(seconds(0.0)));
    assert_eq!(pool.poll(seconds(0.0)), 5);
    assert_eq!(count.calls(), 10);
}

#[test]
fn there_are_no_more_chunks_than_agents_that_are_due() {
    let (mut pool, _, _) = hill(action("guard_nest"), 3);
    pool.round(seconds(0.0), 8, |chunks| assert_eq!(chunks.len(), 3));
    pool.round(seconds(0.0), 0, |chunks| assert_eq!(chunks.len(), 1));
    Pool::<Ant>::new().round(seconds(0.0), 8, |chunks| assert!(chunks.is_empty()));
}

#[test]
fn time_that_goes_back_counts_as_unchanged() {
    let (mut pool, _, _) = hill(action("wait_for_seconds").arg(2), 1);
    pool.poll(seconds(5.0));
    pool.poll(seconds(1.0));
    assert_eq!(pool.now(), seconds(5.0));
    assert_eq!(pool.poll(seconds(6.9)), 0);
    assert_eq!(pool.poll(seconds(7.0)), 1);
}

#[test]
fn paused_pool_runs_nothing_and_extends_waits() {
    let body = sequence([action("wait_for_seconds").arg(2), action("walk").arg("up")]);
    let (mut pool, ids, _) = hill(body, 1);
    pool.poll(seconds(0.0));
    pool.poll(seconds(1.0));
    pool.pause_all();
    assert_eq!((pool.is_paused(), pool.next_wake()), (true, None));
    pool.poll(seconds(5.0));
    pool.resume_all();
    assert_eq!(pool.next_wake(), Some(seconds(5.0)), "at once");
    assert_eq!(pool.poll(seconds(5.0)), 0);
    assert_eq!(pool.next_wake(), Some(seconds(6.0)));
    assert_eq!(pool.poll(seconds(5.9)), 0);
    assert_eq!(pool.poll(seconds(6.0)), 1);
    assert_eq!(log(&pool, ids[0]), ["up 2000"], "on the pool's clock");
}

#[test]
fn paused_agent_waits_as_much_longer_as_the_pause_lasts() {
    let body = sequence([action("wait_for_seconds").arg(4), action("walk").arg("up")]);
    let (mut pool, ids, _) = hill(body, 2);
    pool.poll(seconds(0.0));
    pool.poll(seconds(1.0));
    assert!(pool.pause(ids[0]));
    pool.poll(seconds(2.0));
    assert!(pool.resume(ids[0]));
    pool.poll(seconds(3.0));
    pool.poll(seconds(4.0));
    assert!(log(&pool, ids[0]).is_empty());
    assert_eq!(log(&pool, ids[1]), ["up 4000"]);
    pool.poll(seconds(6.0));
    assert_eq!(log(&pool, ids[0]), ["up 6000"]);
}

#[test]
fn agent_that_despawns_itself_when_it_is_shown_ends() {
    let (mut pool, ids, count) = hill(action("dig"), 3);
    let handle = pool.handle();
    pool.round(seconds(0.0), 2, |chunks| {
        for chunk in chunks {
            chunk.poll_each_in(&mut (), |id, _, _, _| {
                if id == ids[1] {
                    handle.despawn(id);
                }
            });
        }
    });
    assert_eq!((pool.len(), count.pair()), (2, (3, 1)));
    assert!(!pool.contains(ids[1]) && pool.missed() == 0);
}

/// As that of a runner does.
#[test]
fn pause_of_the_pool_lasts_until_the_round_after_it_is_resumed() {
    let body = sequence([action("wait_for_seconds").arg(4), action("walk").arg("up")]);
    let (mut pool, ids, _) = hill(body, 1);
    pool.poll(seconds(0.0));
    pool.poll(seconds(1.0));
    pool.pause_all();
    pool.resume_all();
    assert_eq!(pool.next_wake(), Some(seconds(1.0)), "which is due at once");
    assert_eq!(pool.poll(seconds(3.0)), 0);
    assert_eq!(pool.next_wake(), Some(seconds(6.0)));
    assert_eq!(pool.poll(seconds(5.9)), 0);
    pool.poll(seconds(6.0));
    assert_eq!(log(&pool, ids[0]), ["up 4000"], "on the pool's clock");
}

#[test]
fn despawned_agent_that_is_cancelling_is_not_revived() {
    type Revive = fn(&mut Pool<Ant>, bt_core::pool::AgentId);
    let runner_of = |change: fn(&mut Runner<Ant>)| {
        move |pool: &mut Pool<Ant>, id| {
            change(pool.get_mut(id).unwrap().1);
        }
    };
    let started = runner_of(Runner::start);
    let reset = runner_of(Runner::reset);
    let loaded = runner_of(|runner| runner.load("main").unwrap());
    let held = runner_of(Runner::pause);
    let paused: Revive = |pool, id| assert!(pool.pause(id));
    let replaced: Revive = |pool, id| {
        let other = runner(&trees(action("guard_nest")));
        *pool.get_mut(id).unwrap().1 = other;
    };
    let revive = |name: &str, revive: &dyn Fn(&mut Pool<Ant>, bt_core::pool::AgentId)| {
        let (mut pool, ids, count) = hill(action("fight"), 1);
        pool.poll(seconds(0.0));
        pool.despawn(ids[0]);
        revive(&mut pool, ids[0]);
        for half in 1..=4 {
            pool.poll(seconds(f64::from(half) / 2.0));
        }
        assert_eq!((pool.len(), count.pair()), (0, (1, 1)), "{name}");
    };
    revive("start", &started);
    revive("reset", &reset);
    revive("load", &loaded);
    revive("pause of its runner", &held);
    revive("pause", &paused);
    revive("another runner", &replaced);
}

#[test]
fn agent_that_is_revived_when_it_is_shown_ends_all_the_same() {
    for change in [Runner::start, Runner::reset, Runner::pause] {
        let (mut pool, _, count) = hill(action("die"), 1);
        pool.round(seconds(0.0), 1, |chunks| {
            for chunk in chunks {
                chunk.poll_each_in(&mut (), |_, _, runner, _| change(runner));
            }
        });
        pool.poll(seconds(0.0));
        assert_eq!((pool.len(), count.pair()), (0, (1, 1)));
    }
}

/// Ant 1 digs and is polled in every round; the others help it after a second.
#[test]
fn completion_that_others_finish_counts_after_the_round_in_the_order_of_ids() {
    let helps = |success: bool| {
        sequence([
            action("wait_for_seconds").arg(1),
            action("help").arg(success),
        ])
    };
    let digs = parallel(2, 1, [action("dig"), action("guard_nest")]);
    for chunks in 1..=4 {
        let (mut pool, _, _) = hill(action("nop"), 0);
        let completions = std::sync::Arc::default();
        let mut ids = Vec::new();
        for body in [helps(false), digs.clone(), helps(true), helps(true)] {
            let ant = Ant {
                completions: std::sync::Arc::clone(&completions),
                ..Ant::default()
            };
            ids.push(pool.spawn(ant, runner(&trees(body))));
        }
        pool.poll(seconds(0.0));
        pool.round(seconds(1.0), chunks, |chunks| {
            assert_eq!(
                chunks.iter().map(bt_core::pool::Chunk::len).sum::<usize>(),
                4
            );
            for chunk in chunks.into_iter().rev() {
                chunk.poll();
            }
        });
        for helper in [ids[0], ids[2], ids[3]] {
            assert_eq!(log(&pool, helper), ["help true"], "as far as it can see");
        }
        let result = |pool: &Pool<Ant>| pool.get(ids[1]).unwrap().1.result();
        assert_eq!(result(&pool), None);
        assert_eq!(pool.next_wake(), Some(seconds(1.0)));
        pool.poll(seconds(1.0));
        assert_eq!(result(&pool), Some(false), "the first one's answer");
    }
}

#[test]
fn completion_that_its_own_agent_finishes_counts_at_once() {
    let body = sequence([action("dig_at_once"), action("walk").arg("out")]);
    let (mut pool, ids, _) = hill(body, 1);
    pool.poll(seconds(0.0));
    assert_eq!(log(&pool, ids[0]), ["[true, false]", "out 0"]);
}

#[test]
fn panic_in_a_round_ends_it() {
    let (mut pool, ids, count) = hill(action("dig"), 4);
    let handle = pool.handle();
    let round = AssertUnwindSafe(|| {
        pool.round(seconds(0.0), 2, |mut chunks| {
            let first = chunks.remove(0);
            first.poll_each_in(&mut (), |id, _, _, _| {
                if id == ids[0] {
                    handle.despawn(ids[3]);
                }
                if id == ids[1] {
                    handle.despawn(id);
                }
            });
            std::panic::resume_unwind(Box::new("the host falls"));
        });
    });
    assert!(catch_unwind(round).is_err());
    assert_eq!(count.pair(), (2, 1));
    assert_eq!(pool.len(), 3, "who despawned itself is gone");
    assert_eq!(pool.poll(seconds(0.0)), 2, "who had no turn has it now");
    assert_eq!((pool.len(), count.pair()), (2, (3, 1)), "one never began");
}

#[test]
fn agent_that_is_paused_by_its_runner_waits_from_the_time_of_the_pool() {
    let body = sequence([action("wait_for_seconds").arg(4), action("walk").arg("up")]);
    let (mut pool, ids, _) = hill(body, 1);
    pool.poll(seconds(0.0));
    pool.poll(seconds(3.0));
    pool.get_mut(ids[0]).unwrap().1.pause();
    pool.poll(seconds(5.0));
    pool.resume(ids[0]);
    pool.poll(seconds(5.0));
    assert_eq!(pool.next_wake(), Some(seconds(6.0)));
}
