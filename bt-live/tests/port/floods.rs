//! Requests that ask for much: they take many polls, or are refused, and no poll takes long.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{action, sequence};
use bt_live::client::Client;
use bt_live::protocol::types::*;
use serde_json::json;

use crate::game::Game;

/// The longest time that a poll may take on a machine that does much else, in a debug build.
const LONGEST: Duration = Duration::from_secs(1);

fn on_enter(idx: u32) -> BreakpointSpec {
    BreakpointSpec {
        on: "enter".to_owned(),
        tree: Some("guard.json".to_owned()),
        idx: Some(idx),
        ..BreakpointSpec::default()
    }
}

fn set(client: &mut Client, breakpoints: Vec<BreakpointSpec>) -> Result<(), String> {
    let set = client.call(SetBreakpoints {
        breakpoints,
        stop_all: false,
    });
    set.map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn thousand_breakpoints_for_ten_thousand_agents_are_shared_and_keep_no_poll() {
    let game = Game::of(10_000);
    let mut client = game.client();
    let mut all: Vec<_> = (100..1_099).map(on_enter).collect();
    all.push(BreakpointSpec {
        agents: Some((0..10_000).map(Game::dog).collect()),
        ..on_enter(7)
    });
    game.longest_poll();
    set(&mut client, all).unwrap();
    let longest = game.longest_poll();
    assert!(longest < LONGEST, "{longest:?}");
    let different = game.between(|pool, _| {
        let mut sets = pool
            .iter()
            .map(|(_, _, runner)| runner.breakpoints().cloned().unwrap());
        let first = sets.next().unwrap();
        assert_eq!(first.len(), 1_000);
        sets.filter(|set| !Arc::ptr_eq(set, &first)).count()
    });
    assert_eq!(different, 0, "all agents share them");
    drop(client);
    let without = || {
        game.between(|pool, _| {
            pool.iter()
                .all(|(_, _, runner)| runner.breakpoints().is_none())
        })
    };
    while !without() {
        game.plays_on(1);
    }
    let longest = game.longest_poll();
    assert!(longest < LONGEST, "{longest:?}");
}

#[test]
fn breakpoints_have_limits_for_all_clients_together() {
    let game = Game::of(2);
    let (mut client, mut other) = (game.client(), game.client());
    let on = |idx: u32| on_enter(idx);
    let refused = set(&mut client, (0..1_001).map(on).collect()).unwrap_err();
    let why = "all clients together have at most 1000 breakpoints";
    assert_eq!(refused, why);
    set(&mut client, (0..1_000).map(on).collect()).unwrap();
    assert_eq!(set(&mut other, vec![on(2_000)]).unwrap_err(), why);
    set(&mut client, vec![on(3); 16]).unwrap();
    assert_eq!(
        set(&mut other, vec![on(3)]).unwrap_err(),
        "all clients together have at most 16 breakpoints on one node or name"
    );
    set(&mut client, Vec::new()).unwrap();
    let named = |agents: u32| BreakpointSpec {
        agents: Some((0..agents).map(Game::dog).collect()),
        ..on(3)
    };
    assert_eq!(
        set(&mut client, vec![named(6_000), named(6_000)]).unwrap_err(),
        "all clients together have at most 10000 agents in breakpoints"
    );
    let long = BreakpointSpec {
        log: Some("x".repeat(300_000)),
        ..on(3)
    };
    assert_eq!(
        set(&mut client, vec![long]).unwrap_err(),
        "all clients together have at most 262144 bytes of texts in breakpoints"
    );
    let counting = |idx| BreakpointSpec {
        hits: Some("% 3".to_owned()),
        ..on(idx)
    };
    assert_eq!(
        set(&mut client, (0..101).map(counting).collect()).unwrap_err(),
        "all clients together have at most 100 breakpoints for all agents that count their hits"
    );
    set(&mut client, (0..100).map(counting).collect()).unwrap();
}

#[test]
fn everything_that_is_asked_of_many_agents_keeps_no_poll() {
    let game = Game::of(10_000);
    let mut client = game.client();
    game.longest_poll();
    client.call(StartProfile { agents: None }).unwrap();
    let page = client.call(ListAgents {
        filter: Some("no such agent".to_owned()),
        ..ListAgents::default()
    });
    assert!(page.unwrap().agents.is_empty());
    let limit = Some(1_000);
    let states = client.call(ListStates { after: None, limit }).unwrap();
    assert_eq!(
        (states.agents.len(), states.agents[9].failures),
        (1_000, Some(0))
    );
    assert_eq!(client.call(GetProfile {}).unwrap().agents, 10_000);
    assert!(client.call(ListForced {}).unwrap().forced.is_empty());
    assert_eq!(client.call(GetReloadReport {}).unwrap().waiting, 0);
    assert_eq!(client.call(StopProfile {}).unwrap().agents, 10_000);
    for dog in 0..1_000 {
        let agent = Game::dog(dog);
        let recorded = true;
        client.call(Follow { agent, recorded }).unwrap();
    }
    let (agent, recorded) = (Game::dog(1_000), false);
    let refused = client.call(Follow { agent, recorded }).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "nobody follows more than 1000 agents at a time"
    );
    let longest = game.longest_poll();
    assert!(longest < LONGEST, "{longest:?}");
}

#[test]
fn trees_are_built_where_they_keep_no_poll() {
    let game = Game::of(1);
    let mut client = game.client();
    // It takes a debug build seconds.
    let steps = vec![action("bark").arg(1); 10_000];
    let text = TreeAsset::build("guard.json", "dog", sequence(steps)).to_json();
    let trees: BTreeMap<_, _> = [("guard.json".to_owned(), text.clone())].into();
    game.longest_poll();
    let ask = |client: &mut Client, method: &str| {
        let params = json!({ "trees": trees });
        client.ask(method, params).unwrap()
    };
    let before = game.frames();
    ask(&mut client, "trees.check");
    let reload = ask(&mut client, "trees.reload");
    let answered = |client: &mut Client, asked: u64| loop {
        let message = client.hear(Duration::from_secs(60)).unwrap();
        if let Some(bt_live::client::Message::Answer(id, answer)) = message
            && id == asked
        {
            return answer;
        }
    };
    let moved = answered(&mut client, reload).unwrap();
    assert_eq!(
        (&moved["problems"], &moved["moved"]),
        (&json!([]), &json!(1))
    );
    let (frames, longest) = (game.frames() - before, game.longest_poll());
    assert!(
        frames > 20 && longest < LONGEST,
        "{frames} frames, {longest:?}"
    );
    // A tree of that length has pages.
    let whole = client.tree("guard.json").unwrap();
    assert_eq!((whole.text, whole.nodes.len()), (text, 10_002));
    let first = client.call(GetTree {
        name: "guard.json".to_owned(),
        page: None,
    });
    let first = first.unwrap();
    assert!(first.text.len() <= 256 << 10 && first.nodes.len() == 4_000);
}

#[test]
fn requests_of_a_client_are_answered_in_their_order_and_others_do_not_wait() {
    let game = Game::of(10);
    let (mut client, mut other) = (game.client(), game.client());
    let steps = vec![action("bark").arg(1); 10_000];
    let text = TreeAsset::build("guard.json", "dog", sequence(steps)).to_json();
    let params = json!({ "trees": { "guard.json": text } });
    let slow = client.ask("trees.check", params).unwrap();
    let quick = client.ask("statistics", json!({})).unwrap();
    // The other one's answer is there first, whatever it asks.
    other.call(ListAgents::default()).unwrap();
    other.call(GetCatalogue {}).unwrap();
    assert!(client.hear(Duration::ZERO).unwrap().is_none());
    for asked in [slow, quick] {
        match client.hear(Duration::from_secs(60)).unwrap() {
            Some(bt_live::client::Message::Answer(id, _)) => assert_eq!(id, asked),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn trees_have_limits_after_a_reload() {
    let game = Game::of(1);
    let mut client = game.client();
    let many = (0..10_000).map(|number| (format!("{number}.json"), String::new()));
    let trees = many.collect();
    let refused = client.call(ReloadTrees { trees }).unwrap_err().to_string();
    assert!(
        refused.starts_with("after that there would be 10002 trees of ")
            && refused.ends_with("; 10000 trees and 64 MiB are possible"),
        "{refused}"
    );
    let trees = [("x".repeat(1_001), String::new())].into();
    let refused = client.call(ReloadTrees { trees }).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the name of a tree has at most 1000 bytes, and this one has 1001"
    );
}

#[test]
fn what_clients_put_into_an_agent_has_limits() {
    let game = Game::of(1);
    let mut client = game.client();
    let agent = || Game::dog(0);
    let mut set = |key: String, bytes: usize| {
        let (agent, value) = (agent(), "x".repeat(bytes).into());
        let set = client.call(SetKey { agent, key, value });
        set.map(|_| ()).map_err(|error| error.to_string())
    };
    let long = set("x".repeat(1_001), 1).unwrap_err();
    assert_eq!(
        long,
        "the name of a key has at most 1000 bytes, and this one has 1001"
    );
    let mut written = 0;
    let full = loop {
        match set(format!("big {written}"), 4_000_000) {
            Ok(()) => written += 1,
            Err(why) => break why,
        }
    };
    assert_eq!(written, 16);
    assert_eq!(
        full,
        "what clients have written to agents has 64 MiB: no more than that is possible"
    );
    // In place of another there is room.
    set("big 0".to_owned(), 1).unwrap();
    set("big 17".to_owned(), 3_000_000).unwrap();
    for number in 0..1_000 - 17 {
        set(format!("small {number}"), 1).unwrap();
    }
    let many = set("one more".to_owned(), 1).unwrap_err();
    assert!(
        many.starts_with("clients have changed 1000 keys, properties and nodes"),
        "{many}"
    );
}

#[test]
fn message_with_too_many_values_is_refused() {
    let game = Game::of(1);
    let mut client = game.client();
    let set = |items: usize| SetKey {
        agent: Game::dog(0),
        key: "list".to_owned(),
        value: vec![0; items].into(),
    };
    client.call(set(65_000)).unwrap();
    let many = serde_json::to_value(set(70_000)).unwrap();
    client.ask("agent.set_key", many).unwrap();
    match client.hear(Duration::from_secs(60)).unwrap() {
        Some(bt_live::client::Message::Answer(_, Err(error))) => assert_eq!(
            error.message,
            "a message has at most 65536 JSON values, and this one has 70008"
        ),
        other => panic!("{other:?}"),
    }
}
