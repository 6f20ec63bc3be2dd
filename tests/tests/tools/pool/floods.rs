//! Whatever other threads ask of a pool, what waits for its next round is bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use allocation_counter::measure;
use bt_core::SharedBoard;
use bt_core::pool::{AgentId, Pool, WakeQueue};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, node, sequence, wait_event};

use crate::pool::ants::{Ant, hill, runner, seconds, trees};

/// The number of times that everything is asked.
const FLOOD: u64 = 1_000_000;

fn rain() -> Event {
    Event::new("rain").with("drops", 1)
}

/// Walks for each event, as many as there are.
fn hears() -> NodeSpec {
    let hears = sequence([wait_event("rain"), action("walk").arg("wet")]);
    node("repeat").extra("count", 1_000_000).child(hears)
}

/// The largest number of bytes while something was done, beyond those before.
fn most_bytes(flood: impl FnOnce()) -> u64 {
    measure(flood).bytes_max
}

#[test]
fn wakes_of_an_agent_are_one() {
    let (mut pool, ids, _) = hill(action("dig"), 10);
    pool.poll(seconds(0.0));
    let handle = pool.handle();
    let bytes = most_bytes(|| (0..FLOOD).for_each(|number| handle.wake(ids[number as usize % 10])));
    assert!(bytes < 4_096, "{bytes}");
    assert_eq!((pool.poll(seconds(1.0)), pool.poll(seconds(1.0))), (10, 0));
    handle.wake(ids[3]);
    assert_eq!(
        pool.poll(seconds(1.0)),
        1,
        "one after the round counts anew"
    );
    assert_eq!((pool.refused(), pool.missed()), (0, 0));
}

#[test]
fn events_beyond_the_limit_are_refused_counted_and_reported() {
    let (mut pool, ids, _) = hill(hears(), 3);
    pool.poll(seconds(0.0));
    let handle = pool.handle();
    let bytes = most_bytes(|| (0..FLOOD).for_each(|_| handle.fire(ids[1], rain())));
    assert!(bytes < 400_000, "{bytes}");
    handle.fire(ids[2], rain());
    assert_eq!(pool.poll(seconds(1.0)), 2);
    assert_eq!(pool.refused(), FLOOD - 1_024);
    let walked = |pool: &Pool<Ant>, id| pool.get(id).unwrap().0.log.len();
    assert_eq!((walked(&pool, ids[1]), walked(&pool, ids[2])), (1_024, 1));
    let mut told = |id: AgentId| pool.get_mut(id).unwrap().1.take_diagnostics();
    assert_eq!(
        told(ids[1])[0].to_string(),
        "main: its inbox is full: 998976 events that handles fired since the last round are refused; it holds 1024 \
         (`Pool::set_inbox_limit`)"
    );
    assert!(told(ids[2]).is_empty() && told(ids[0]).is_empty());
    handle.fire(ids[1], rain());
    pool.poll(seconds(2.0));
    assert_eq!(
        (pool.refused(), walked(&pool, ids[1])),
        (FLOOD - 1_024, 1_025)
    );
}

#[test]
fn events_for_some_and_for_all_are_bounded_for_each_agent() {
    let (mut pool, ids, _) = hill(wait_event("rain"), 10);
    pool.set_inbox_limit(5);
    pool.poll(seconds(0.0));
    let handle = pool.handle();
    for number in 0..20 {
        // The last five get half as many.
        let some = ids.iter().take(if number % 2 == 0 { 10 } else { 5 });
        handle.fire_some(some.copied(), rain());
    }
    pool.poll(seconds(1.0));
    assert_eq!(pool.refused(), 5 * 15 + 5 * 5);
    let bytes = most_bytes(|| (0..FLOOD / 10).for_each(|_| handle.fire_all(rain())));
    assert!(bytes < 4_096, "{bytes}");
    pool.poll(seconds(2.0));
    assert_eq!(pool.refused(), 100 + FLOOD / 10 - 5);
    let told = pool.iter().all(|(_, _, runner)| {
        let last = runner.diagnostics().last();
        last.is_some_and(|last| {
            last.message()
                .starts_with("its inbox is full: 99995 events")
        })
    });
    assert!(told);
}

#[test]
fn ends_of_an_agent_are_one() {
    let (mut pool, ids, count) = hill(action("dig"), 3);
    pool.poll(seconds(0.0));
    let handle = pool.handle();
    let bytes = most_bytes(|| (0..FLOOD / 10).for_each(|_| handle.despawn(ids[1])));
    assert!(bytes < 4_096, "{bytes}");
    pool.poll(seconds(1.0));
    assert_eq!((pool.len(), count.pair()), (2, (3, 1)));
}

/// Ids that nobody has, of places that there are and of others, whatever number they have.
#[test]
fn requests_for_nobody_are_not_kept() {
    let (mut pool, ids, _) = hill(action("dig"), 3);
    pool.despawn(ids[1]);
    pool.poll(seconds(0.0));
    let handle = pool.handle();
    let bytes = most_bytes(|| {
        for number in 0..FLOOD / 10 {
            let number = number as u32;
            for id in [(number + 3, 1), (1, 1), (number % 3, number / 3 + 2)] {
                handle.wake(AgentId::from(id));
                handle.despawn(AgentId::from(id));
                handle.fire(AgentId::from(id), rain());
            }
        }
    });
    assert!(bytes < 1_200_000, "{bytes}");
    pool.poll(seconds(1.0));
    assert_eq!(pool.len(), 2);
    let (missed, refused) = (pool.missed(), pool.refused());
    assert!(missed > FLOOD / 2, "{missed} and {refused}");
}

#[test]
fn wakers_of_an_agent_wake_it_once() {
    let trees = trees(action("dig"));
    let (mut queue, mut due) = (WakeQueue::new(), Vec::new());
    let ids: Vec<_> = (0..3).map(|_| queue.join(&mut runner(&trees))).collect();
    queue.take_due(seconds(0.0), &mut due);
    let bytes = most_bytes(|| {
        for number in 0..FLOOD {
            queue.waker(ids[number as usize % 2]).unwrap().wake();
        }
    });
    assert!(bytes < 200_000, "{bytes}");
    // One that was woken before is woken again.
    let again = queue.waker(ids[2]).unwrap();
    for _ in 0..10 {
        again.wake_by_ref();
        for _ in 0..2_000 {
            queue.waker(ids[2]).unwrap().wake();
        }
    }
    queue.take_due(seconds(1.0), &mut due);
    assert_eq!(due, ids);
    queue.take_due(seconds(1.0), &mut due);
    assert!(due.is_empty());
    again.wake();
    queue.take_due(seconds(1.0), &mut due);
    assert_eq!(due, [ids[2]]);
}

#[test]
fn writes_of_a_global_key_wake_an_agent_once() {
    let (mut pool, ids, _) = hill(action("dig"), 3);
    let board = SharedBoard::new();
    for id in &ids {
        pool.get_mut(*id).unwrap().1.share(&board);
    }
    pool.poll(seconds(0.0));
    let bytes = most_bytes(|| (0..FLOOD / 10).for_each(|step| board.set("steps", step)));
    assert!(bytes < 4_096, "{bytes}");
    assert_eq!((pool.poll(seconds(1.0)), pool.poll(seconds(1.0))), (3, 0));
}

/// A completion is answered once, however many clones of it there are.
#[test]
fn answers_of_a_completion_are_one() {
    let (mut pool, _, _) = hill(action("dig"), 1);
    pool.poll(seconds(0.0));
    let completion = {
        let (_, ant, _) = pool.iter().next().unwrap();
        ant.completions.lock().unwrap().pop().unwrap()
    };
    let bytes = most_bytes(|| {
        for _ in 0..FLOOD / 10 {
            completion.clone().finish(true);
        }
    });
    assert!(bytes < 4_096, "{bytes}");
    assert_eq!((pool.poll(seconds(1.0)), pool.poll(seconds(1.0))), (1, 0));
}

#[test]
fn agents_that_come_and_go_between_rounds_leave_nothing() {
    let trees = trees(action("dig"));
    let mut pool = Pool::new();
    let bytes = most_bytes(|| {
        for _ in 0..FLOOD / 10 {
            let id = pool.spawn(Ant::default(), runner(&trees));
            pool.despawn(id);
        }
    });
    assert!(bytes < 100_000, "{bytes}");
    assert_eq!(pool.poll(seconds(0.0)), 0);
}

#[test]
fn what_comes_for_a_pool_that_is_gone_is_not_kept() {
    let trees = trees(action("dig"));
    let pool = Pool::<Ant>::new();
    let (handle, spawner) = (pool.handle(), pool.spawner());
    drop(pool);
    let bytes = most_bytes(|| {
        for _ in 0..FLOOD / 100 {
            handle.fire_all(rain());
            handle.fire(AgentId::from((0, 1)), rain());
            handle.wake(AgentId::from((0, 1)));
            spawner.spawn(Ant::default(), runner(&trees));
        }
    });
    assert!(bytes < 8_192, "{bytes}");
}

/// Threads flood a pool that is polled meanwhile: each event is delivered, or counted.
#[test]
fn events_of_a_flood_are_delivered_or_counted() {
    let counted = Arc::new(AtomicUsize::new(0));
    let (mut pool, ids, count) = hill(hears(), 4);
    pool.set_inbox_limit(50);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (handle, counted, ids) = (pool.handle(), counted.clone(), &ids);
            scope.spawn(move || {
                for number in 0..5_000 {
                    handle.fire(ids[number % 4], rain());
                    handle.wake(ids[number % 4]);
                }
                counted.fetch_add(1, Ordering::SeqCst);
            });
        }
        while counted.load(Ordering::SeqCst) < 4 {
            pool.poll(seconds(0.0));
        }
    });
    pool.poll(seconds(0.0));
    pool.poll(seconds(0.0));
    assert_eq!(count.calls() as u64 + pool.refused(), 20_000);
    assert_eq!((pool.missed(), pool.next_wake()), (0, None));
}
