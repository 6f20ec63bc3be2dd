//! Tests of clients' changes, and of the refused ones.

use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Event, Random, TreeAsset};
use bt_live::client::Client;
use bt_live::protocol::METHODS;
use bt_live::protocol::types::*;
use serde_json::json;

use crate::game::Game;
use crate::generator::Generator;

fn picture(client: &mut Client) -> AgentPicture {
    let agent = Game::dog(0);
    client.call(GetPicture { agent, at: None }).unwrap()
}

#[test]
fn key_is_written() {
    let game = Game::of(1);
    let mut client = game.client();
    let (agent, key) = (Game::dog(0), "hp".to_owned());
    let value = json!({"now": 3});
    client.call(SetKey { agent, key, value }).unwrap();
    assert_eq!(picture(&mut client).blackboard["hp"], json!({"now": 3}));
}

#[test]
fn property_is_written_within_its_bounds() {
    let game = Game::of(1);
    let mut client = game.client();
    let set = |value| SetProperty {
        agent: Game::dog(0),
        property: "trust".to_owned(),
        value,
    };
    client.call(set(json!(9))).unwrap();
    assert_eq!(picture(&mut client).properties["trust"], 9);
    let refused = client.call(set(json!(11))).unwrap_err().to_string();
    assert!(refused.contains("trust"), "{refused}");
    let refused = client.call(set(json!("much"))).unwrap_err().to_string();
    assert!(refused.contains("trust"), "{refused}");
    assert_eq!(picture(&mut client).properties["trust"], 9);
}

#[test]
fn event_is_fired_with_checked_parameters() {
    let game = Game::of(1);
    let mut client = game.client();
    let fire = |params: serde_json::Value| Fire {
        agent: Game::dog(0),
        event: "stick".to_owned(),
        params: serde_json::from_value(params).unwrap(),
    };
    let refused = client.call(fire(json!({"length": "long"}))).unwrap_err();
    assert!(refused.to_string().contains("length"), "{refused}");
    client.call(fire(json!({"length": 3}))).unwrap();
    game.plays_on(3);
    assert_eq!(picture(&mut client).properties["barked"], 1);
}

#[test]
fn action_is_called_and_its_outcome_told() {
    let game = Game::of(1);
    let mut client = game.client();
    let call = |action: &str, args| CallAction {
        agent: Game::dog(0),
        action: action.to_owned(),
        args,
    };
    let done = client.call(call("bark", json!([4]))).unwrap();
    assert_eq!(done.outcome, "success");
    let shown = picture(&mut client);
    assert_eq!(shown.properties["barked"], 4);
    assert_eq!(shown.blackboard["loud"], true);
    let pending = client.call(call("howl", json!(null))).unwrap();
    assert_eq!(pending.outcome, "pending");
    let refused = client.call(call("bark", json!(["loud"]))).unwrap_err();
    assert!(refused.to_string().contains("times"), "{refused}");
    let refused = client.call(call("brk", json!([]))).unwrap_err();
    assert!(
        refused.to_string().contains("did you mean `bark`"),
        "{refused}"
    );
}

#[test]
fn panic_of_the_game_is_an_error() {
    let game = Game::of(1);
    let mut client = game.client();
    let refused = client.call(CallAction {
        agent: Game::dog(0),
        action: "trip".to_owned(),
        args: json!([]),
    });
    let refused = refused.unwrap_err().to_string();
    assert_eq!(
        refused,
        "code of the game panicked; the message is in its log"
    );
    game.plays_on(2);
}

#[test]
fn waiting_leaf_is_finished_from_outside() {
    let game = Game::of(1);
    let mut client = game.client();
    game.between(|pool, _| pool.fire_all(&Event::new("stick").with("length", 1)));
    game.plays_on(2);
    let leaf = picture(&mut client).leaves.remove(0);
    let finish = |idx| Finish {
        agent: Game::dog(0),
        tree: leaf.tree.clone(),
        idx,
        success: true,
    };
    client.call(finish(leaf.idx)).unwrap();
    game.plays_on(2);
    let next = picture(&mut client);
    assert_eq!(next.active.last().unwrap().kind, "wait_event", "{next:?}");
    let refused = client.call(finish(leaf.idx)).unwrap_err();
    let expected = format!("node {} of `guard.json` is no leaf that waits", leaf.idx);
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn agent_is_stopped_started_loaded_reset_paused_and_resumed() {
    let game = Game::of(1);
    let mut client = game.client();
    let agent = || Game::dog(0);
    client.call(Stop { agent: agent() }).unwrap();
    assert!(!picture(&mut client).agent.running);
    client.call(Start { agent: agent() }).unwrap();
    assert!(picture(&mut client).agent.running);
    let load = |tree: &str| Load {
        agent: agent(),
        tree: tree.to_owned(),
    };
    let refused = client.call(load("guardd.json")).unwrap_err();
    let expected = "there is no tree `guardd.json`; did you mean `guard.json`?";
    assert_eq!(refused.to_string(), expected);
    client.call(load("busy.json")).unwrap();
    game.plays_on(3);
    assert_eq!(picture(&mut client).agent.tree, "busy.json");
    let (held, keep) = (agent(), false);
    client.call(Pause { agent: held, keep }).unwrap();
    let paused = picture(&mut client);
    assert!(paused.agent.paused);
    game.plays_on(3);
    let later = picture(&mut client);
    assert_eq!(later.properties["barked"], paused.properties["barked"]);
    client.call(Resume { agent: agent() }).unwrap();
    client.call(Reset { agent: agent() }).unwrap();
    game.plays_on(3);
    assert!(
        picture(&mut client).properties["barked"].as_u64() > paused.properties["barked"].as_u64()
    );
}

#[test]
fn time_passes_at_the_speed_that_is_asked_for() {
    let game = Game::of(1);
    let mut client = game.client();
    let speed = |speed| SetSpeed { speed, keep: false };
    client.call(speed(0.5)).unwrap();
    assert_eq!(
        game.between(|_, port| port.speed().to_bits()),
        0.5_f64.to_bits()
    );
    let refused = client.call(speed(-1.0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a speed is a number from 0 to 16, not -1"
    );
}

#[test]
fn reload_that_changes_nothing_leaves_nobody_waiting() {
    let game = Game::of(3);
    let mut client = game.client();
    let text = client.tree("guard.json").unwrap().text;
    for text in [text.clone(), text + "\n"] {
        let trees = [("guard.json".to_owned(), text)].into();
        let checked = client.call(ReloadTrees { trees }).unwrap();
        assert_eq!((checked.problems.len(), checked.moved), (0, 0));
        let report = client.call(GetReloadReport {}).unwrap();
        assert_eq!(report, ReloadReport::default());
    }
}

#[test]
fn trees_are_replaced_under_running_agents() {
    let game = Game::of(3);
    let mut client = game.client();
    let mut other = game.client();
    game.plays_on(2);
    let quiet = sequence([wait_event("whistle")]);
    let text = TreeAsset::build("guard.json", "dog", quiet).to_json();
    let trees = [("guard.json".to_owned(), text)];
    let checked = client
        .call(ReloadTrees {
            trees: trees.into(),
        })
        .unwrap();
    assert_eq!((checked.problems.len(), checked.moved), (0, 3));
    game.plays_on(3);
    let shown = picture(&mut client);
    assert_eq!(shown.active.last().unwrap().name, "whistle");
    // The other client hears of it.
    let heard = other.next(std::time::Duration::from_secs(60)).unwrap();
    assert!(format!("{heard:?}").contains("Reloaded"), "{heard:?}");
}

#[test]
fn trees_with_problems_change_nothing() {
    let game = Game::of(1);
    let mut client = game.client();
    let before = client.call(ListTrees {}).unwrap();
    let wrong = sequence([action("brk").arg(1)]);
    let text = TreeAsset::build("guard.json", "dog", wrong).to_json();
    let trees = || [("guard.json".to_owned(), text.clone())].into();
    let checked = client.call(CheckTrees { trees: trees() }).unwrap();
    let problem = &checked.problems[0];
    assert_eq!((&*problem.code, &*problem.file), ("BT0034", "guard.json"));
    assert!(problem.line.is_some() && problem.column.is_some());
    assert!(problem.help.as_deref().unwrap().contains("`bark`"));
    let reloaded = client.call(ReloadTrees { trees: trees() }).unwrap();
    assert_eq!((reloaded.problems, reloaded.moved), (checked.problems, 0));
    let garbage = [("guard.json".to_owned(), "{\"nodes\": 3".to_owned())];
    let reloaded = client
        .call(ReloadTrees {
            trees: garbage.into(),
        })
        .unwrap();
    assert_eq!(reloaded.problems.len(), 1);
    assert_eq!(client.call(ListTrees {}).unwrap(), before);
}

#[test]
fn read_only_port_refuses_every_change() {
    let game = Game::with(1, "guard.json", |options| options.read_only());
    let mut client = game.client();
    assert!(client.welcome().read_only);
    let agent = Game::dog(0);
    let refused = client.call(Stop { agent }).unwrap_err().to_string();
    let expected = "the port is read-only: `agent.stop` changes the game";
    assert_eq!(refused, expected);
    assert!(picture(&mut client).agent.running);
    let generator = Generator::new(Game::dog(0), &["guard.json", "bark", "trust"]);
    let mut random = Random::new(5);
    for (at, method) in METHODS.iter().enumerate().filter(|(_, it)| it.changes) {
        // Some of the parameters are not those of the method.
        let refused = (0..40).map(|_| {
            let params = generator.params(at, &mut random);
            let refused = client.call_by_name(method.name, params).unwrap_err();
            refused.to_string()
        });
        let expected = format!("the port is read-only: `{}` changes the game", method.name);
        let refused: Vec<_> = refused.collect();
        assert!(refused.contains(&expected), "{}: {refused:?}", method.name);
    }
}
