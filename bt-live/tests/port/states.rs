//! Tests of the agents' states, of a reload's effects on them, and of followers that keep records.

use std::time::Duration;

use bt_core::TreeAsset;
use bt_core::pool::AgentId;
use bt_core::trace::What;
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_live::client::{Incoming, Message};
use bt_live::protocol::types::*;
use bt_live::recording::Scan;
use serde_json::json;

use crate::game::Game;

#[test]
fn states_say_how_each_agent_stands() {
    let game = Game::of(5);
    game.plays_on(5);
    game.between(|pool, _| pool.get_mut(AgentId::from((1, 1))).unwrap().1.pause());
    let mut client = game.client();
    let agent = Game::dog(2);
    client.call(Stop { agent }).unwrap();
    let page = client
        .call(ListStates {
            after: None,
            limit: Some(3),
        })
        .unwrap();
    assert_eq!(page.agents.len(), 3);
    assert!(page.now > 0);
    let first = &page.agents[0];
    assert_eq!(
        (first.id.clone(), first.tree.as_str()),
        (Game::dog(0), "guard.json")
    );
    assert!(first.running && !first.paused && !first.failed && !first.stopped);
    let leaf = first.leaf.as_ref().unwrap();
    assert_eq!(
        (leaf.kind.as_str(), leaf.name.as_str(), first.leaves),
        ("wait_event", "stick", 1)
    );
    assert_eq!((first.failures, first.problems, first.forced), (None, 0, 0));
    assert!(page.agents[1].paused);
    assert!(!page.agents[2].running && page.agents[2].leaf.is_none());
    let rest = client
        .call(ListStates {
            after: page.next,
            limit: Some(3),
        })
        .unwrap();
    assert_eq!((rest.agents.len(), rest.next), (2, None));
}

#[test]
fn states_count_failures_while_a_profile_runs() {
    let game = Game::of(2);
    let mut client = game.client();
    client
        .call(StartProfile {
            agents: Some(vec![Game::dog(0)]),
        })
        .unwrap();
    game.plays_on(5);
    let idx = client.call(ListStates::default()).unwrap().agents[0]
        .leaf
        .as_ref()
        .unwrap()
        .idx;
    let finish = Finish {
        agent: Game::dog(0),
        tree: "guard.json".to_owned(),
        idx,
        success: false,
    };
    client.call(finish).unwrap();
    game.plays_on(5);
    let agents = client.call(ListStates::default()).unwrap().agents;
    // The leaf, the sequence and the root.
    assert_eq!(agents[0].failures, Some(3));
    assert_eq!(agents[1].failures, None);
}

#[test]
fn forced_nodes_of_all_agents_are_listed() {
    let game = Game::of(3);
    let mut client = game.client();
    assert_eq!(client.call(ListForced {}).unwrap().forced, []);
    let force = Force {
        agent: Game::dog(1),
        tree: "guard.json".to_owned(),
        idx: 3,
        forced: Some("failure".to_owned()),
    };
    client.call(force).unwrap();
    let forced = client.call(ListForced {}).unwrap().forced;
    let node = ForcedOf {
        agent: Game::dog(1),
        tree: "guard.json".to_owned(),
        idx: 3,
        forced: "failure".to_owned(),
    };
    assert_eq!(forced, [node]);
    assert_eq!(
        client.call(ListStates::default()).unwrap().agents[1].forced,
        1
    );
}

#[test]
fn report_of_a_reload_counts_agents_and_their_nodes() {
    let game = Game::of(3);
    game.plays_on(5);
    let mut client = game.client();
    let none = client.call(GetReloadReport {}).unwrap();
    assert_eq!(none, ReloadReport::default());
    let howls = sequence([action("howl"), wait_event("stick")]);
    let text = TreeAsset::build("guard.json", "dog", howls).to_json();
    let trees = [("guard.json".to_owned(), text)].into();
    assert_eq!(client.call(ReloadTrees { trees }).unwrap().problems, []);
    let mut report = client.call(GetReloadReport {}).unwrap();
    while report.waiting > 0 {
        report = client.call(GetReloadReport {}).unwrap();
    }
    assert_eq!((report.moved, report.stayed), (3, 0));
    let aborted: Vec<_> = report
        .aborted
        .iter()
        .map(|it| (it.kind.as_str(), it.agents))
        .collect();
    assert_eq!(aborted, [("wait_event", 3)]);
    assert!(!report.kept.is_empty() && !report.entered.is_empty());
}

#[test]
fn follower_that_keeps_records_gets_snapshots_and_explanations() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    let mut other = game.client();
    let follow = |recorded| Follow {
        agent: Game::dog(0),
        recorded,
    };
    client.call(follow(true)).unwrap();
    other.call(follow(false)).unwrap();
    let (mut snapshots, mut explains, mut records) = (0, 0, 0);
    while records < 9_000 {
        if let Some(Incoming::Records(frame)) = client.next(Duration::from_secs(60)).unwrap() {
            records += frame.records.len();
            for record in &frame.records {
                snapshots += usize::from(matches!(record.what, What::Snapshot(_)));
                explains += usize::from(matches!(record.what, What::Explains { .. }));
            }
        }
    }
    assert!(snapshots >= 3, "{snapshots}");
    assert!(explains > 0);
    client
        .call(Unfollow {
            agent: Game::dog(0),
        })
        .unwrap();
    let statistics = other.call(GetStatistics {}).unwrap();
    assert_eq!(statistics.followed, 1, "the other still follows");
}

#[test]
fn answers_come_under_their_numbers_when_nobody_waits_for_them() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    client
        .call(Follow {
            agent: Game::dog(0),
            recorded: false,
        })
        .unwrap();
    let list = client.ask("trees.list", json!({})).unwrap();
    let odd = client.ask("trees.fly", json!({})).unwrap();
    let (mut answers, mut records) = (Vec::new(), 0);
    while answers.len() < 2 || records == 0 {
        match client.hear(Duration::from_secs(60)).unwrap() {
            Some(Message::Answer(number, result)) => answers.push((number, result.is_ok())),
            Some(Message::Records(bytes)) => {
                let scan = Scan::of(&bytes).unwrap();
                assert_eq!(scan.agent(), Game::dog(0));
                records += scan.count();
            }
            Some(_) => {}
            None => panic!("nothing comes"),
        }
    }
    answers.sort();
    assert_eq!(answers, [(list, true), (odd, false)]);
}

#[test]
fn port_begins_with_the_speed_that_the_host_wants() {
    let game = Game::with(1, "guard.json", |options| options.speed(0.5));
    assert_eq!(game.client().welcome().speed, 0.5);
}
