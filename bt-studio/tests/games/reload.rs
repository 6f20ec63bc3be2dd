//! Trees that are saved while the game runs.

use std::fs;

use bt_core::TreeAsset;
use bt_core::pool::AgentId;
use bt_core::tree::asset::spec::{action, sequence, sub_tree, wait_event};
use serde_json::{Value, json};

use super::game::Game;
use super::{Studio, attached, once, port};

/// Saves a text in place of a tree's.
fn save(page: &mut super::client::Client, path: &str, text: &str) -> Value {
    let doc = page.open_tree(path);
    let old = doc["text"].as_str().unwrap().encode_utf16().count();
    let splices = json!([{ "from": 0, "to": old, "text": text }]);
    let replace = json!({ "doc": doc["doc"], "revision": doc["revision"], "splices": splices });
    let changed = page.call("doc.replace", replace).unwrap();
    let save = json!({ "doc": doc["doc"], "revision": changed["revision"] });
    page.call("doc.save", save).unwrap();
    doc
}

#[test]
fn saved_tree_runs_when_its_agents_run_next_and_its_report_says_what_stayed() {
    let game = Game::of(3);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let text = fs::read_to_string(studio.path("guard.json")).unwrap();
    // They bark three times from now on.
    let louder = text.replace("\"arg_value\": 1\n", "\"arg_value\": 3\n");
    assert_ne!(louder, text);
    save(&mut page, "guard.json", &louder);
    // Nothing active changed: each of them moves when it runs next.
    page.event("game.reloaded", |report| report["waiting"] == 3);
    for place in 0..3 {
        let agent = AgentId::from((place, 1)).to_bits().to_string();
        let fire = json!({ "agent": agent, "event": "stick", "params": { "length": 4 } });
        port(&mut page, "agent.fire", fire).unwrap();
    }
    let report = page.event("game.reloaded", |report| report["waiting"] == 0);
    assert_eq!(report["tree"], "guard.json");
    assert_eq!(report["moved"], 3, "{report}");
    assert_eq!(report["problems"], json!([]));
    let kept = report["kept"].as_array().unwrap();
    assert!(
        kept.iter()
            .any(|node| node["type"] == "wait_event" && node["agents"] == 3)
    );
    assert_eq!(report["aborted"], json!([]));
    let session = once(&mut page, |session| {
        session["trees"]["guard.json"]["same"] == true
    });
    assert_eq!(session["state"], "attached");
    let now = port(&mut page, "tree.text", json!({ "name": "guard.json" })).unwrap();
    assert_eq!(now["text"], louder);
}

#[test]
fn reload_says_what_it_aborted_and_entered() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let howls = sequence([action("howl"), wait_event("stick")]);
    let text = TreeAsset::build("guard.json", "dog", howls).to_json();
    save(&mut page, "guard.json", &text);
    let report = page.event("game.reloaded", |report| report["waiting"] == 0);
    let aborted = report["aborted"].as_array().unwrap();
    assert!(
        aborted
            .iter()
            .any(|node| node["type"] == "wait_event" && node["agents"] == 2),
        "{report}"
    );
    assert_ne!(report["entered"], json!([]), "{report}");
}

#[test]
fn tree_that_the_game_refuses_leaves_it_alone() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let before = port(&mut page, "tree.text", json!({ "name": "guard.json" })).unwrap();
    let flies = TreeAsset::build("guard.json", "dog", action("fly")).to_json();
    save(&mut page, "guard.json", &flies);
    let report = page.event("game.reloaded", |_| true);
    assert_eq!(report["problems"][0]["code"], "BT0034", "{report}");
    assert_eq!(report["problems"][0]["node"], 1);
    let after = port(&mut page, "tree.text", json!({ "name": "guard.json" })).unwrap();
    assert_eq!(before, after);
    once(&mut page, |session| {
        session["trees"]["guard.json"]["same"] == false
    });
}

#[test]
fn called_trees_that_the_game_does_not_have_come_along() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let new = page
        .call("doc.new", json!({ "path": "nap.json", "agent": "dog" }))
        .unwrap();
    let calls = sequence([sub_tree("nap.json")]);
    let text = TreeAsset::build("guard.json", "dog", calls).to_json();
    // First the caller: the game refuses it, for the other is not there yet.
    save(&mut page, "guard.json", &text);
    let refused = page.event("game.reloaded", |_| true);
    assert_ne!(refused["problems"], json!([]));
    once(&mut page, |session| {
        session["trees"]["guard.json"]["same"] == false
    });
    let nap = TreeAsset::build("nap.json", "dog", action("howl")).to_json();
    let old = new["text"].as_str().unwrap().encode_utf16().count();
    let splices = json!([{ "from": 0, "to": old, "text": nap }]);
    let replace = json!({ "doc": new["doc"], "revision": 0, "splices": splices });
    let changed = page.call("doc.replace", replace).unwrap();
    let save = json!({ "doc": new["doc"], "revision": changed["revision"] });
    page.call("doc.save", save).unwrap();
    let report = page.event("game.reloaded", |report| report["moved"] == 1);
    assert_eq!(report["problems"], json!([]));
    let list = port(&mut page, "trees.list", json!({})).unwrap();
    assert!(list["trees"].get("nap.json").is_some());
}
