//! Records that clients follow.

use std::time::Duration;

use bt_core::trace::{Replay, What};
use bt_live::client::{Client, Incoming};
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use crate::game::Game;

const WAIT: Duration = Duration::from_secs(60);

fn follow(client: &mut Client) {
    let agent = Game::dog(0);
    client
        .call(Follow {
            agent,
            recorded: false,
        })
        .unwrap();
}

#[test]
fn stream_begins_with_a_snapshot_and_says_what_happens() {
    let game = Game::of(1);
    let mut client = game.client();
    game.plays_on(2);
    follow(&mut client);
    let mut replay = Replay::new();
    let mut next = 0;
    let mut fired = false;
    loop {
        let Some(Incoming::Records(frame)) = client.next(WAIT).unwrap() else {
            panic!("records come");
        };
        assert_eq!(frame.header.first, next, "none is missing");
        next += frame.records.len() as u64;
        for record in &frame.records {
            replay.apply(record).unwrap();
        }
        if !fired {
            assert!(matches!(frame.records[0].what, What::Snapshot(_)));
            fired = true;
            client
                .call(Fire {
                    agent: Game::dog(0),
                    event: "stick".to_owned(),
                    params: [("length".to_owned(), 2.into())].into(),
                })
                .unwrap();
        }
        if replay.picture().blackboard.contains_key("loud") {
            break;
        }
    }
    // The picture that is made from records is the picture.
    game.plays_on(2);
    let agent = Game::dog(0);
    let shown = client.call(GetPicture { agent, at: None }).unwrap();
    while let Some(Incoming::Records(frame)) = client.next(Duration::from_millis(50)).unwrap() {
        for record in &frame.records {
            replay.apply(record).unwrap();
        }
    }
    let active: Vec<_> = replay.picture().active.keys().copied().collect();
    let expected: Vec<_> = shown
        .active
        .iter()
        .map(|node| (node.run, node.idx))
        .collect();
    assert_eq!(active, expected);
    assert_eq!(replay.picture().blackboard, shown.blackboard);
}

#[test]
fn agent_that_nobody_follows_has_no_tracer() {
    let game = Game::of(2);
    let mut client = game.client();
    follow(&mut client);
    _ = client.next(WAIT).unwrap();
    assert_eq!(client.call(GetStatistics {}).unwrap().followed, 1);
    let agent = Game::dog(0);
    client.call(Unfollow { agent }).unwrap();
    assert_eq!(client.call(GetStatistics {}).unwrap().followed, 0);
    drop(client);
    let mut other = game.client();
    assert_eq!(other.call(GetStatistics {}).unwrap().clients, 1);
}

#[test]
fn tracer_of_the_host_goes_on_and_comes_back() {
    use bt_core::trace::{Record, Ring};
    let game = Game::with(1, "busy.json", |options| options);
    let counted = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let count = counted.clone();
    game.between(move |pool, _| {
        let id = pool.iter().next().unwrap().0;
        let runner = pool.get_mut(id).unwrap().1;
        let ring = Ring::new(runner.trees(), 10);
        runner.set_tracer(Some(Box::new(vec![
            Box::new(ring) as Box<dyn bt_core::trace::Tracer>,
            Box::new(move |_: &Record<'_>| {
                count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }),
        ])));
    });
    let mut client = game.client();
    follow(&mut client);
    _ = client.next(WAIT).unwrap();
    let before = counted.load(std::sync::atomic::Ordering::Relaxed);
    game.plays_on(3);
    assert!(counted.load(std::sync::atomic::Ordering::Relaxed) > before);
    drop(client);
    game.plays_on(500);
    let is_back = game.between(|pool, _| {
        let (_, _, runner) = pool.iter().next().unwrap();
        runner
            .tracer::<Vec<Box<dyn bt_core::trace::Tracer>>>()
            .is_some()
    });
    assert!(is_back);
}

#[test]
fn despawned_agent_ends_its_stream() {
    let game = Game::of(1);
    let mut client = game.client();
    follow(&mut client);
    _ = client.next(WAIT).unwrap();
    game.between(|pool, _| {
        let id = pool.iter().next().unwrap().0;
        pool.despawn(id);
    });
    loop {
        match client.next(WAIT).unwrap() {
            Some(Incoming::Records(_)) => {}
            Some(Incoming::Event(Event::Despawned(gone))) => {
                assert_eq!(gone.agent, Game::dog(0));
                return;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn client_that_stops_reading_loses_records_and_gets_a_snapshot() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    let big = "x".repeat(40_000);
    follow(&mut client);
    _ = client.next(WAIT).unwrap();
    // Nobody reads; each frame has a record with much in it.
    let mut other = game.client();
    let mut rounds = 0;
    while other.call(GetStatistics {}).unwrap().dropped == 0 {
        let big = format!("{big}{rounds}");
        game.between(move |pool, _| {
            let id = pool.iter().next().unwrap().0;
            pool.get_mut(id).unwrap().1.blackboard().set("big", big);
        });
        rounds += 1;
        assert!(rounds < 5_000, "what waits is limited");
    }
    let (mut next, mut missed, mut counted) = (None, 0, 0);
    let mut replay = Replay::new();
    loop {
        match client.next(WAIT).unwrap() {
            Some(Incoming::Records(frame)) => {
                let first = frame.header.first;
                if let Some(next) = next.filter(|next| *next != first) {
                    missed += first - next;
                    let what = &frame.records[0].what;
                    assert!(matches!(what, What::Snapshot(_)), "after a gap");
                }
                next = Some(first + frame.records.len() as u64);
                for record in &frame.records {
                    replay.apply(record).unwrap();
                }
            }
            Some(Incoming::Event(Event::Dropped(dropped))) => counted += dropped.records,
            other => panic!("{other:?}"),
        }
        if missed > 0 && counted > 0 {
            break;
        }
    }
    assert_eq!(counted, missed, "the gap is counted");
}

/// The counts of a node; zeros if it did not run.
fn counted(table: &ProfileTable, tree: &str, idx: u32) -> ProfiledNode {
    let mut nodes = table.nodes.iter();
    let node = nodes.find(|node| node.tree == tree && node.idx == idx);
    node.cloned().unwrap_or_default()
}

#[test]
fn profile_counts_followed_and_other_agents_and_ends_with_its_client() {
    let game = Game::of(2);
    let mut client = game.client();
    let mut other = game.client();
    follow(&mut other);
    let why = client.call(GetProfile {}).unwrap_err().to_string();
    assert!(
        why.contains("nothing is counted: `profile.start` begins it"),
        "{why}"
    );
    client.call(StartProfile { agents: None }).unwrap();
    game.plays_on(2);
    for dog in 0..2 {
        let params = [("length".to_owned(), 2.into())].into();
        let (agent, event) = (Game::dog(dog), "stick".to_owned());
        client
            .call(Fire {
                agent,
                event,
                params,
            })
            .unwrap();
    }
    game.plays_on(4);
    let table = other.call(GetProfile {}).unwrap();
    assert_eq!(table.agents, 2);
    let bark = counted(&table, "guard.json", 3);
    assert_eq!((bark.entered, bark.succeeded, bark.calls), (2, 2, 2));
    assert!(bark.ns > 0);
    // Who is followed is still followed, and who is not has no records to send.
    assert_eq!(client.call(GetStatistics {}).unwrap().followed, 1);
    assert!(matches!(
        other.next(WAIT).unwrap(),
        Some(Incoming::Records(_))
    ));
    drop(client);
    let is_over = |other: &mut Client| other.call(GetProfile {}).is_err();
    while !is_over(&mut other) {
        game.plays_on(1);
    }
    let mut client = game.client();
    let agents = Some(vec![Game::dog(1)]);
    client.call(StartProfile { agents }).unwrap();
    game.plays_on(2);
    let table = client.call(StopProfile {}).unwrap();
    assert_eq!(table.agents, 1);
    assert_eq!(
        counted(&table, "guard.json", 3).entered,
        0,
        "it begins at zero"
    );
    assert!(client.call(GetProfile {}).is_err());
    let agents = Some(vec!["99v1".to_owned()]);
    let why = client
        .call(StartProfile { agents })
        .unwrap_err()
        .to_string();
    assert!(why.contains("there is no agent"), "{why}");
}
