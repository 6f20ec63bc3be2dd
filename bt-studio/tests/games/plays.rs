//! Trees played without their game.

use std::fs;

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{action, check, condition, select, sequence, wait_event};
use bt_live::port::Texts;
use serde_json::{Value, json};

use super::client::Client;
use super::{Studio, port};

/// A dog that howls while something is near, and else waits for a stick.
fn night() -> TreeAsset {
    let howls = sequence([
        condition("near").arg(3.0),
        action("howl"),
        check("@barked < 3"),
    ]);
    let top = select([
        howls,
        sequence([wait_event("stick"), action("bark").arg(2)]),
    ]);
    TreeAsset::build("night.json", "dog", top)
}

/// A studio without any game, and a page that plays the tree.
fn playing() -> (Studio, Client, Value) {
    let texts: Texts = [("night.json".to_owned(), night().to_json())].into();
    let studio = Studio::of(&texts, Vec::new(), false);
    let mut page = studio.page();
    let doc = page
        .call("doc.open", json!({ "path": "night.json" }))
        .unwrap()["doc"]
        .clone();
    let session = page.call("play.start", json!({ "doc": doc })).unwrap();
    (studio, page, session)
}

fn play(page: &mut Client, method: &str, mut params: Value) -> Value {
    params["session"] = 1.into();
    page.call(method, params.clone())
        .unwrap_or_else(|error| panic!("{method} {params}: {error}"))
}

/// The play, once it is as it is to be.
fn once(page: &mut Client, is_it: impl Fn(&Value) -> bool) -> Value {
    let now = play(page, "play.get", json!({}));
    if is_it(&now) {
        return now;
    }
    page.event("play", is_it)
}

#[test]
fn actions_wait_as_cards_and_switches_and_events_decide_the_rest() {
    let (_studio, mut page, session) = playing();
    assert_eq!(session["kind"], "game");
    assert_eq!(
        (&session["play"], &session["title"]),
        (&json!(true), &json!("night.json"))
    );
    // Nothing is near, so it waits for the stick.
    let now = once(&mut page, |play| play["waits"] == true);
    assert_eq!((&now["waits"], &now["cards"]), (&json!(true), &json!([])));
    assert_eq!(
        now["properties"][0],
        json!({"name": "barked", "value": null, "type": "uint32"})
    );
    let methods: Vec<_> = now["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| {
            (
                method["name"].as_str().unwrap(),
                method["answer"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        methods,
        [("bark", "success"), ("howl", "wait"), ("near", "failure")]
    );
    assert_eq!(
        now["events"],
        json!([{"name": "stick", "params": [{"name": "length", "value": 0, "type": "uint32"}]}])
    );
    play(
        &mut page,
        "play.answer",
        json!({"method": "near", "answer": "success"}),
    );
    play(&mut page, "play.again", json!({}));
    let now = once(&mut page, |play| play["cards"] != json!([]));
    assert_eq!(now["agent"], "2", "what begins anew is another agent");
    let card = &now["cards"][0];
    assert_eq!(
        (&card["name"], &card["tree"], &card["idx"]),
        (&json!("howl"), &json!("night.json"), &json!(4))
    );
    play(
        &mut page,
        "play.finish",
        json!({"card": card["card"], "success": true}),
    );
    play(&mut page, "play.pace", json!({"pace": "step"}));
    let now = once(&mut page, |play| play["over"] == "success");
    assert_eq!(now["now"], 0.1);
    assert_eq!(
        now["properties"][0]["value"], 0,
        "what is read has its first value"
    );
    // Its panels are those of a game.
    let agents = page
        .call(
            "game.agents",
            json!({"session": 1, "from": 0, "count": 10, "descending": false}),
        )
        .unwrap();
    assert_eq!(agents["rows"][0]["id"], "2");
    let refused = page
        .call(
            "play.finish",
            json!({"session": 1, "card": 77, "success": true}),
        )
        .unwrap_err();
    assert_eq!(
        refused["message"],
        "no action waits there any more: it has ended, or something aborted it"
    );
    let refused = page
        .call(
            "play.answer",
            json!({"session": 1, "method": "near", "answer": "later"}),
        )
        .unwrap_err();
    assert_eq!(
        refused["message"],
        "expected `success` or `failure`, found `later`"
    );
    let refused = page
        .call(
            "play.pace",
            json!({"session": 1, "pace": "run", "speed": 0.0}),
        )
        .unwrap_err();
    assert_eq!(
        refused["message"],
        "expected a speed above 0 and up to 1000, found 0"
    );
}

#[test]
fn time_passes_at_a_speed_or_as_fast_as_it_can_until_somebody_has_to_act() {
    let (_studio, mut page, _) = playing();
    play(
        &mut page,
        "play.pace",
        json!({"pace": "run", "speed": 1000.0}),
    );
    once(&mut page, |play| play["now"].as_f64().unwrap() > 5.0);
    play(&mut page, "play.pace", json!({"pace": "fast"}));
    play(
        &mut page,
        "play.fire",
        json!({"event": "stick", "params": {"length": 3}}),
    );
    once(&mut page, |play| play["over"] == "success");
    let refused = page
        .call("play.fire", json!({"session": 1, "event": "stone"}))
        .unwrap_err();
    assert!(
        refused["message"].as_str().unwrap().contains("stone"),
        "{refused}"
    );
}

/// A breakpoint stops it as it stops a game; the time stands still meanwhile.
#[test]
fn breakpoint_stops_a_play() {
    let (_studio, mut page, _) = playing();
    let point = json!({"breakpoints": [{"spec": {"on": "enter", "tree": "night.json", "idx": 8}, "enabled": true}], "stop_all": false});
    page.call("breakpoints.put", point).unwrap();
    // The play has it once its port has answered what was asked later.
    port(&mut page, "breakpoints.list", json!({})).unwrap();
    play(
        &mut page,
        "play.fire",
        json!({"event": "stick", "params": {"length": 3}}),
    );
    play(&mut page, "play.pace", json!({"pace": "fast"}));
    let stop = page.event("game", |session| session["stops"] != json!([]));
    let number = stop["stops"][0]["number"].clone();
    assert_eq!(play(&mut page, "play.get", json!({}))["over"], Value::Null);
    let step = json!({"agent": "1", "number": number, "step": "continue"});
    port(&mut page, "agent.step", step).unwrap();
    once(&mut page, |play| play["over"] == "success");
}

/// A node that is entered in the first poll can have a breakpoint, also when it begins anew.
#[test]
fn breakpoint_stops_a_play_in_its_first_poll() {
    let texts: Texts = [("night.json".to_owned(), night().to_json())].into();
    let studio = Studio::of(&texts, Vec::new(), false);
    let mut page = studio.page();
    let spec = json!({"on": "enter", "tree": "night.json", "idx": 2});
    let point = json!({"breakpoints": [{"spec": spec, "enabled": true}], "stop_all": false});
    page.call("breakpoints.put", point).unwrap();
    let doc = page.call("doc.open", json!({ "path": "night.json" }));
    let doc = doc.unwrap()["doc"].clone();
    page.call("play.start", json!({ "doc": doc })).unwrap();
    for agent in ["1", "2"] {
        page.event("game", |session| session["stops"][0]["agent"] == agent);
        play(&mut page, "play.again", json!({}));
    }
}

/// A scenario names the trees from its own folder, so it can be tested from there and from above.
#[test]
fn play_of_a_tree_in_a_folder_is_saved_beside_it() {
    let studio = Studio::of(&Texts::new(), Vec::new(), false);
    fs::create_dir(studio.path("ai")).unwrap();
    let text = night().with_name("ai/night.json").to_json();
    fs::write(studio.path("ai/night.json"), text).unwrap();
    let mut page = studio.page();
    let doc = page.call("doc.open", json!({ "path": "ai/night.json" }));
    let doc = doc.unwrap()["doc"].clone();
    page.call("play.start", json!({ "doc": doc })).unwrap();
    once(&mut page, |play| play["waits"] == true);
    for (path, tree) in [
        ("ai/night.scenario.toml", "tree = \"night.json\""),
        ("night.scenario.toml", "tree = \"ai/night.json\""),
    ] {
        let saved = play(&mut page, "play.save", json!({ "path": path }));
        let text = saved["text"].as_str().unwrap();
        assert!(text.starts_with(tree), "{text}");
        assert!(text.contains("active = [\"night.json#7\"]"), "{text}");
    }
    let report = page.call("scenarios.run", json!({})).unwrap();
    assert_eq!(report["scenarios"].as_array().unwrap().len(), 2);
    for scenario in report["scenarios"].as_array().unwrap() {
        assert_eq!(scenario["passed"], true, "{scenario}");
    }
}

#[test]
fn edits_are_played_at_once_and_what_is_wrong_in_between_is_said() {
    let (_studio, mut page, _) = playing();
    let doc = page
        .call("doc.open", json!({ "path": "night.json" }))
        .unwrap();
    let edit = json!({"doc": doc["doc"], "revision": 0, "edits": [{"do": "set", "node": 8, "at": "/extra/action_name", "value": "\"bork\""}]});
    let edited = page.call("doc.edit", edit);
    edited.unwrap();
    let now = once(&mut page, |play| play["wrong"] != Value::Null);
    assert!(now["wrong"].as_str().unwrap().contains("bork"), "{now}");
    let edit = json!({"doc": doc["doc"], "revision": 1, "edits": [{"do": "set", "node": 8, "at": "/extra/action_name", "value": "\"fetch\""}]});
    page.call("doc.edit", edit).unwrap();
    let now = once(&mut page, |play| play["wrong"] == Value::Null);
    assert!(now["methods"].to_string().contains("fetch"), "{now}");
}

#[test]
fn play_is_saved_as_a_scenario_beside_its_tree_and_over_nothing() {
    let (studio, mut page, _) = playing();
    play(
        &mut page,
        "play.fire",
        json!({"event": "stick", "params": {"length": 3}}),
    );
    play(&mut page, "play.pace", json!({"pace": "step"}));
    let text = play(&mut page, "play.scenario", json!({}))["text"].clone();
    let saved = play(
        &mut page,
        "play.save",
        json!({"path": "night.scenario.toml"}),
    );
    assert_eq!(saved["text"], text);
    let file = fs::read_to_string(studio.path("night.scenario.toml")).unwrap();
    assert_eq!(file, text.as_str().unwrap());
    assert!(
        file.contains("fire = { event = \"stick\", params = { \"length\" = 3 } }"),
        "{file}"
    );
    for (path, why) in [
        (
            "night.scenario.toml",
            "`night.scenario.toml` is there already: choose another name",
        ),
        ("night.toml", "it does not end with `.scenario.toml`"),
        ("../night.scenario.toml", "is no path of"),
        (
            "other/night.scenario.toml",
            "is neither in the folder of `night.json` nor above it",
        ),
    ] {
        let refused = page
            .call("play.save", json!({"session": 1, "path": path}))
            .unwrap_err();
        assert!(
            refused["message"].as_str().unwrap().contains(why),
            "{refused}"
        );
    }
}

#[test]
fn play_ends_with_its_session_and_what_is_none_is_refused() {
    let (studio, mut page, _) = playing();
    page.call("game.detach", json!({"session": 1})).unwrap();
    page.event("game.detached", |_| true);
    let refused = page.call("play.get", json!({"session": 1})).unwrap_err();
    assert_eq!(
        refused["message"],
        "there is no session 1: attach with `game.attach`"
    );
    for (text, why) in [
        ("{", "the text is no tree: put it right first"),
        (
            r#"{"nodes": [{"idx": 0, "type": "root", "children": [], "extra": {}}]}"#,
            "`b.json` names no agent: choose one at its root",
        ),
        (
            r#"{"nodes": [{"idx": 0, "type": "root", "children": [], "extra": {"agent_name": "action_agent"}}]}"#,
            "`b.json` is for `action_agent`, whose methods are built in: choose an agent of the game at its root",
        ),
    ] {
        fs::write(studio.path("b.json"), text).unwrap();
        let doc = page.call("doc.open", json!({ "path": "b.json" })).unwrap()["doc"].clone();
        let refused = page.call("play.start", json!({ "doc": doc })).unwrap_err();
        assert_eq!(refused["message"], why);
        page.call("doc.close", json!({ "doc": doc, "discard": true }))
            .unwrap();
    }
}
