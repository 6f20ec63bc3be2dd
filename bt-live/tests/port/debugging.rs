//! Breakpoints, steps and forced nodes.

use std::time::Duration;

use bt_live::client::{Client, Incoming};
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use bt_core::tree::asset::spec::{action, select, sequence};
use bt_core::{Runner, TreeAsset};

use crate::game::{Dog, Game};

const WAIT: Duration = Duration::from_secs(60);

/// A breakpoint at a node of `busy.json`: 3 and 4 bark, below the sequence 2.
fn at(on: &str, idx: u32) -> BreakpointSpec {
    BreakpointSpec {
        on: on.to_owned(),
        tree: Some("busy.json".to_owned()),
        idx: Some(idx),
        ..BreakpointSpec::default()
    }
}

fn named(on: &str, name: &str) -> BreakpointSpec {
    BreakpointSpec {
        on: on.to_owned(),
        name: Some(name.to_owned()),
        ..BreakpointSpec::default()
    }
}

fn set(client: &mut Client, breakpoints: Vec<BreakpointSpec>) -> Vec<BreakpointEntry> {
    let stop_all = false;
    let set = client.call(SetBreakpoints {
        breakpoints,
        stop_all,
    });
    set.unwrap().breakpoints
}

/// The next stop that a client receives.
fn stop(client: &mut Client) -> StopEntry {
    loop {
        match client.next(WAIT).unwrap() {
            Some(Incoming::Event(Event::StopEntry(stop))) => return stop,
            Some(_) => {}
            None => panic!("the agent stops"),
        }
    }
}

fn step(client: &mut Client, stop: &StopEntry, how: &str) {
    client.call(stepped(stop, how)).unwrap();
}

fn stepped(stop: &StopEntry, how: &str) -> Step {
    Step {
        agent: stop.agent.clone(),
        number: stop.number,
        step: how.to_owned(),
        tree: None,
        idx: None,
    }
}

fn barked(client: &mut Client, dog: u32) -> u64 {
    let agent = Game::dog(dog);
    let shown = client.call(GetPicture { agent, at: None }).unwrap();
    shown.properties["barked"].as_u64().unwrap()
}

fn busy(dogs: usize) -> (Game, Client) {
    let game = Game::with(dogs, "busy.json", |options| options);
    let client = game.client();
    (game, client)
}

#[test]
fn breakpoint_stops_one_agent_and_the_others_run() {
    let (game, mut client) = busy(2);
    let only_first = BreakpointSpec {
        agents: Some(vec![Game::dog(0)]),
        ..at("enter", 4)
    };
    let entries = set(&mut client, vec![only_first]);
    let stopped = stop(&mut client);
    assert_eq!(
        (stopped.tree.as_deref(), stopped.idx),
        (Some("busy.json"), Some(4))
    );
    assert_eq!(
        (&*stopped.why, stopped.breakpoint),
        ("breakpoint", Some(entries[0].id))
    );
    let (first, second) = (barked(&mut client, 0), barked(&mut client, 1));
    game.plays_on(5);
    assert_eq!(barked(&mut client, 0), first);
    assert!(barked(&mut client, 1) > second);
    let agent = Game::dog(0);
    let shown = client.call(GetPicture { agent, at: None }).unwrap();
    assert_eq!(shown.stop, Some(stopped.clone()));
    let stops = client.call(ListStops {}).unwrap().stops;
    assert_eq!(stops, std::slice::from_ref(&stopped));
    step(&mut client, &stopped, "continue");
    let again = stop(&mut client);
    assert!(again.number > stopped.number);
    assert!(barked(&mut client, 0) > first);
    // A step names the stop that it means.
    let refused = client.call(stepped(&stopped, "continue")).unwrap_err();
    let expected = format!(
        "stop {} is over: the agent is at stop {}",
        stopped.number, again.number
    );
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn steps_go_from_node_to_node() {
    let (_game, mut client) = busy(1);
    set(&mut client, vec![at("enter", 3)]);
    let first = stop(&mut client);
    set(&mut client, Vec::new());
    step(&mut client, &first, "over");
    let next = stop(&mut client);
    assert_eq!(
        (next.idx, &*next.record, &*next.why),
        (Some(3), "node_leave", "step")
    );
    step(&mut client, &next, "into");
    let next = stop(&mut client);
    assert_eq!((next.idx, &*next.record), (Some(4), "node_enter"));
    let to = Step {
        tree: Some("busy.json".to_owned()),
        idx: Some(3),
        ..stepped(&next, "to")
    };
    client.call(to).unwrap();
    let next = stop(&mut client);
    assert_eq!((next.idx, &*next.record), (Some(3), "node_enter"));
    assert!(next.poll > first.poll);
    step(&mut client, &next, "continue");
    let agent = Game::dog(0);
    client.call(Break { agent }).unwrap();
    assert_eq!(stop(&mut client).why, "requested");
}

#[test]
fn condition_hits_and_log_decide_whether_it_stops() {
    let (game, mut client) = busy(1);
    let never = BreakpointSpec {
        condition: Some("hp < 3".to_owned()),
        ..at("enter", 3)
    };
    let third = BreakpointSpec {
        hits: Some(">= 3".to_owned()),
        ..named("call", "bark")
    };
    let log = BreakpointSpec {
        log: Some("barks".to_owned()),
        ..at("enter", 4)
    };
    set(&mut client, vec![never, log]);
    game.plays_on(5);
    assert!(client.call(ListStops {}).unwrap().stops.is_empty());
    let (agent, key, value) = (Game::dog(0), "hp".to_owned(), 2.into());
    client.call(SetKey { agent, key, value }).unwrap();
    let stopped = stop(&mut client);
    assert_eq!(stopped.idx, Some(3));
    let before = barked(&mut client, 0);
    set(&mut client, vec![third]);
    step(&mut client, &stopped, "continue");
    _ = stop(&mut client);
    assert_eq!(barked(&mut client, 0), before + 3);
}

#[test]
fn breakpoints_are_on_keys_properties_events_and_guards_too() {
    let (_game, mut client) = busy(1);
    let cases = [
        (named("property", "barked"), "property_set"),
        (named("key", "loud"), "bb_set"),
        (at("exit", 3), "node_leave"),
        (at("success", 3), "node_leave"),
    ];
    for (spec, record) in cases {
        let what = spec.on.clone();
        if what == "key" {
            let (agent, key, value) = (Game::dog(0), "loud".to_owned(), false.into());
            client.call(SetKey { agent, key, value }).unwrap();
        }
        set(&mut client, vec![spec]);
        let stopped = stop(&mut client);
        assert_eq!(stopped.record, record, "{what}");
        set(&mut client, Vec::new());
        step(&mut client, &stopped, "continue");
    }
    set(
        &mut client,
        vec![named("expression", "$hp < 3 && @barked > 0")],
    );
    let (agent, key) = (Game::dog(0), "hp".to_owned());
    let value = 2.into();
    client.call(SetKey { agent, key, value }).unwrap();
    let stopped = stop(&mut client);
    assert_eq!(stopped.record, "bb_set");
    set(&mut client, Vec::new());
    step(&mut client, &stopped, "continue");
    set(&mut client, vec![named("event", "stick")]);
    let fire = Fire {
        agent: Game::dog(0),
        event: "stick".to_owned(),
        params: [("length".to_owned(), 2.into())].into(),
    };
    client.call(fire).unwrap();
    assert!(stop(&mut client).record.starts_with("event_"));
}

#[test]
fn breakpoint_on_a_property_counts_its_changes_where_its_condition_holds() {
    let (game, mut client) = busy(1);
    let third = BreakpointSpec {
        hits: Some(">= 3".to_owned()),
        condition: Some("hp < 3".to_owned()),
        ..named("property", "barked")
    };
    // Nobody changes its trust.
    set(&mut client, vec![third, named("property", "trust")]);
    game.plays_on(5);
    assert!(client.call(ListStops {}).unwrap().stops.is_empty());
    let (agent, key, value) = (Game::dog(0), "hp".to_owned(), 2.into());
    client.call(SetKey { agent, key, value }).unwrap();
    let stopped = stop(&mut client);
    assert_eq!(stopped.record, "property_set");
    let before = barked(&mut client, 0);
    step(&mut client, &stopped, "continue");
    // From the third on it is each of them.
    assert_eq!(stop(&mut client).record, "property_set");
    assert_eq!(barked(&mut client, 0), before + 1);
}

#[test]
fn what_a_client_stopped_continues_when_it_goes() {
    let (game, mut client) = busy(1);
    set(&mut client, vec![at("enter", 3)]);
    _ = stop(&mut client);
    let mut other = game.client();
    assert_eq!(other.call(ListStops {}).unwrap().stops.len(), 1);
    let theirs = other.call(ListBreakpoints {}).unwrap().breakpoints;
    assert_eq!((theirs.len(), theirs[0].own), (1, false));
    drop(client);
    loop {
        match other.next(WAIT).unwrap() {
            Some(Incoming::Event(Event::Continued(gone))) => {
                assert_eq!(gone.agent, Game::dog(0));
                break;
            }
            Some(_) => {}
            None => panic!("it continues"),
        }
    }
    let before = barked(&mut other, 0);
    game.plays_on(5);
    assert!(barked(&mut other, 0) > before);
    assert!(
        other
            .call(ListBreakpoints {})
            .unwrap()
            .breakpoints
            .is_empty()
    );
}

#[test]
fn breakpoint_can_stop_the_whole_game() {
    let (game, mut client) = busy(1);
    let breakpoints = vec![at("enter", 3)];
    let stop_all = true;
    client
        .call(SetBreakpoints {
            breakpoints,
            stop_all,
        })
        .unwrap();
    _ = stop(&mut client);
    game.plays_on(2);
    assert_eq!(game.between(|_, port| port.speed().to_bits()), 0);
}

#[test]
fn reload_waits_for_an_agent_that_is_stopped() {
    let (game, mut client) = busy(1);
    set(&mut client, vec![at("enter", 4)]);
    let stopped = stop(&mut client);
    set(&mut client, Vec::new());
    let quiet = select([sequence([action("bark").arg(1), action("howl")])]);
    let text = TreeAsset::build("busy.json", "dog", quiet).to_json();
    let trees = [("busy.json".to_owned(), text)].into();
    let checked = client.call(ReloadTrees { trees }).unwrap();
    assert!(checked.problems.is_empty());
    game.plays_on(3);
    let picture = |client: &mut Client| {
        let agent = Game::dog(0);
        client.call(GetPicture { agent, at: None }).unwrap()
    };
    let shown = picture(&mut client);
    assert_eq!(shown.stop.unwrap().waiting, ["reload"]);
    let before = barked(&mut client, 0);
    step(&mut client, &stopped, "continue");
    game.plays_on(5);
    // The second bark of the old tree, then one of the new tree.
    assert_eq!(barked(&mut client, 0), before + 2);
    assert_eq!(picture(&mut client).leaves[0].idx, 4);
}

#[test]
fn forced_node_is_not_entered() {
    let (game, mut client) = busy(1);
    let force = |idx, forced: Option<&str>| Force {
        agent: Game::dog(0),
        tree: "busy.json".to_owned(),
        idx,
        forced: forced.map(str::to_owned),
    };
    client.call(force(2, Some("failure"))).unwrap();
    game.plays_on(2);
    let before = barked(&mut client, 0);
    game.plays_on(5);
    assert_eq!(barked(&mut client, 0), before);
    let agent = Game::dog(0);
    let shown = client.call(GetPicture { agent, at: None }).unwrap();
    assert_eq!(
        (shown.forced[0].idx, &*shown.forced[0].forced),
        (2, "failure")
    );
    client.call(force(2, None)).unwrap();
    game.plays_on(5);
    assert!(barked(&mut client, 0) > before);
    let refused = client.call(force(77, Some("success"))).unwrap_err();
    assert_eq!(refused.to_string(), "tree `busy.json` has no node 77");
    let refused = client.call(force(2, Some("maybe"))).unwrap_err();
    let expected = "a node is forced to `success`, `failure` or `disabled`";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn breakpoint_or_step_that_means_nothing_is_refused() {
    let (_game, mut client) = busy(1);
    let with = |change: fn(&mut BreakpointSpec)| {
        let mut spec = at("enter", 3);
        change(&mut spec);
        spec
    };
    let cases = [
        (
            with(|it| it.on = "leave".into()),
            "a breakpoint is on `enter`, `exit`",
        ),
        (
            with(|it| it.idx = None),
            "a breakpoint on `enter` needs `tree` and `idx`",
        ),
        (
            with(|it| it.on = "key".into()),
            "a breakpoint on `key` needs a `name`",
        ),
        (named("expression", "$hp <"), "`$hp <`: column 6: expected"),
        (
            named("expression", "$hp < 3 && is_big()"),
            "a breakpoint calls nothing: `is_big` is a method of the agent",
        ),
        (
            named("expression", "1 < 2"),
            "`1 < 2` reads nothing that changes: a key is written `$name`",
        ),
        (with(|it| it.hits = Some("3".into())), "hits are `>= 3`"),
        (with(|it| it.hits = Some("% 0".into())), "hits are `>= 3`"),
        (
            with(|it| it.condition = Some("hp".into())),
            "expected a key, one of `==`",
        ),
        (
            with(|it| it.agents = Some(vec!["wolf".into()])),
            "there is no agent \"wolf\"",
        ),
    ];
    for (spec, why) in cases {
        let refused = client.call(SetBreakpoints {
            breakpoints: vec![spec],
            stop_all: false,
        });
        let refused = refused.unwrap_err().to_string();
        assert!(refused.starts_with(why), "{refused}");
    }
    let at_none = StopEntry {
        agent: Game::dog(0),
        ..StopEntry::default()
    };
    let refused = client.call(stepped(&at_none, "continue")).unwrap_err();
    assert!(refused.to_string().starts_with("the agent is not stopped"));
    let refused = client.call(stepped(&at_none, "back")).unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("a step is `continue`, `record`")
    );
    let refused = client.call(stepped(&at_none, "to")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a step `to` a node needs its `tree` and `idx`"
    );
}

#[test]
fn port_that_is_closed_lets_its_agents_go() {
    use bt_core::pool::Pool;
    use bt_live::port::{Options, PoolGame, Port, Sources};
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token.json");
    let mut port = Port::open(Options::new("dogs").token_file(&token)).unwrap();
    let sources = Sources::<crate::game::Dog>::new(crate::game::texts().into()).unwrap();
    let mut runner = bt_core::Runner::new(sources.trees(), "busy.json").unwrap();
    runner.start();
    let mut pool = Pool::new();
    let (barked, trust) = (0, 5);
    pool.spawn(crate::game::Dog { barked, trust }, runner);
    let (sender, done) = std::sync::mpsc::channel();
    let client = std::thread::spawn(move || {
        let mut client = Client::attach(token).unwrap();
        let agent = Game::dog(0);
        client
            .call(Follow {
                agent,
                recorded: false,
            })
            .unwrap();
        set(&mut client, vec![at("enter", 3)]);
        _ = stop(&mut client);
        sender.send(()).unwrap();
        // Until the port is gone.
        while client.next(WAIT).is_ok() {}
    });
    let mut now = Duration::ZERO;
    while done.try_recv().is_err() {
        now += Duration::from_millis(1);
        pool.poll(now);
        port.poll(&mut PoolGame::new(&mut pool, &mut ()));
        std::thread::sleep(Duration::from_millis(1));
    }
    let (_, dog, runner) = pool.iter().next().unwrap();
    assert!(runner.stopped().is_some());
    let before = dog.barked;
    port.close(&mut PoolGame::new(&mut pool, &mut ()));
    for _ in 0..5 {
        now += Duration::from_millis(1);
        pool.poll(now);
    }
    let (_, dog, runner) = pool.iter().next().unwrap();
    assert!(runner.stopped().is_none() && dog.barked > before);
    assert!(runner.breakpoints().is_none());
    client.join().unwrap();
}

#[test]
fn agent_that_comes_later_has_the_breakpoints_that_are_for_all() {
    let (game, mut client) = busy(1);
    set(&mut client, vec![at("enter", 4)]);
    assert_eq!(stop(&mut client).agent, Game::dog(0));
    game.between(|pool, _| {
        let (_, _, first) = pool.iter().next().unwrap();
        let mut runner = Runner::new(first.trees(), "busy.json").unwrap();
        runner.start();
        let dog = Dog {
            barked: 0,
            trust: 5,
        };
        pool.spawn(dog, runner);
    });
    assert_eq!(stop(&mut client).agent, Game::dog(1));
}

#[test]
fn hits_are_counted_on_when_another_client_sets_breakpoints() {
    let (game, mut client) = busy(1);
    let tenth = BreakpointSpec {
        hits: Some("% 1000".to_owned()),
        ..at("enter", 4)
    };
    set(&mut client, vec![tenth]);
    let mut other = game.client();
    // Each time, fewer frames pass than it takes.
    let began = barked(&mut client, 0);
    for hits in 0..5 {
        game.plays_on(100);
        let never = BreakpointSpec {
            hits: Some(format!(">= {}", 1_000_000 + hits)),
            ..at("exit", 3)
        };
        set(&mut other, vec![never]);
    }
    stop(&mut client);
    let barked = barked(&mut client, 0) - began;
    assert!(barked < 2_100, "it barks twice a frame: {barked}");
}
