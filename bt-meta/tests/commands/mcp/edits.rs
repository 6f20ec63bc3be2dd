//! Trees that are edited: as scripts and by steps, whole or not at all, and over nothing that somebody else wrote.

use std::fs;

use bt_core::TreeAsset;
use serde_json::{Value, json};

use super::Monster;

#[test]
fn script_that_comes_back_changes_only_what_it_says() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let before = monster.text("hunt.json");
    let answer = client.done("tree", json!({"tree": "hunt"}));
    let script = answer["data"]["text"].as_str().unwrap();
    let revision = &answer["data"]["revision"];
    let same = client.done(
        "edit",
        json!({"tree": "hunt.json", "revision": revision, "script": script}),
    );
    assert_eq!(same["note"], "nothing changes");
    assert_eq!(monster.text("hunt.json"), before);
    let asked = json!({"tree": "hunt.json", "revision": revision, "script": script.replace("45", "50"), "dry_run": true});
    let dry = client.done("edit", asked.clone());
    assert!(
        dry["data"]["diff"]
            .as_str()
            .unwrap()
            .contains("+        \"seconds\": 50"),
        "{dry:#}"
    );
    assert_eq!(monster.text("hunt.json"), before);
    let mut asked = asked;
    asked["dry_run"] = false.into();
    let done = client.done("edit", asked);
    assert_eq!(
        monster.text("hunt.json"),
        before.replace("\"seconds\": 45", "\"seconds\": 50")
    );
    // The answer's revision is the next one's.
    let revision = &done["data"]["revision"];
    let edits = json!([
        {"do": "wrap", "nodes": [17], "kind": "timeout", "extra": {"seconds": 2}},
        {"do": "move", "nodes": [18], "parent": 1, "at": 0},
        {"do": "remove", "nodes": [4]},
    ]);
    let done = client.done(
        "edit",
        json!({"tree": "hunt.json", "revision": revision, "edits": edits}),
    );
    assert_eq!(done["data"]["created"], json!([20]));
    let tree = TreeAsset::from_json("hunt.json", &monster.text("hunt.json")).unwrap();
    assert_eq!(tree.node(1).unwrap().children(), [18, 2, 20, 19]);
    // Comments that the script does not show are there still.
    assert!(tree.node(2).unwrap().comment.contains("for ever"));
}

#[test]
fn edit_that_is_not_valid_is_not_written() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let before = monster.text("flee.json");
    let revision = client.revision("flee");
    let edit = |edits: Value| json!({"tree": "flee.json", "revision": revision, "edits": edits});
    let wrong =
        edit(json!([{"do": "set", "node": 9, "at": "/extra/action_name", "value": "\"flea\""}]));
    let answer = client.tool("edit", wrong);
    assert_eq!(answer["error"]["code"], "invalid");
    assert_eq!(answer["data"]["problems"][0]["name"], "unknown-action");
    assert!(
        answer["data"]["problems"][0]["help"]
            .as_str()
            .unwrap()
            .contains("flee"),
        "{answer:#}"
    );
    for (edits, code, words) in [
        (
            json!([{"do": "remove", "nodes": [99]}]),
            "refused",
            "there is no node 99",
        ),
        (
            json!([{"do": "remove", "nodes": [0]}]),
            "refused",
            "is the root",
        ),
        (
            json!([{"do": "jump"}]),
            "arguments",
            "unknown variant `jump`",
        ),
        (json!([]), "arguments", "nothing is to be changed"),
        (
            json!([{"do": "kind", "node": 1, "kind": "timeout"}]),
            "invalid",
            "it would have",
        ),
    ] {
        let (found, said) = client.refused("edit", edit(edits));
        assert_eq!(found, code, "{said}");
        assert!(said.contains(words), "{said}");
    }
    for (script, words) in [
        ("AGENT monster_agent\nflee(\n", "cannot be read"),
        (
            "AGENT monster_agent\nflee  # [77]\n",
            "[77], and the tree has none",
        ),
        ("AGENT monster_agent\nfly\n", "it would have"),
    ] {
        let (_, said) = client.refused(
            "edit",
            json!({"tree": "flee.json", "revision": revision, "script": script}),
        );
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(monster.text("flee.json"), before);
}

#[test]
fn new_trees_are_made_and_things_renamed_everywhere() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let script = "AGENT monster_agent\nSEQUENCE {}\n  say \"Hello\"\n  linger 1, 2\n";
    let new = json!({"tree": "town/greet.json", "script": script});
    let made = client.done("edit", new.clone());
    assert_eq!(made["note"], "written");
    let tree = TreeAsset::from_json("x", &monster.text("town/greet.json")).unwrap();
    assert_eq!(
        (tree.agent(), tree.nodes().len()),
        (Some("monster_agent"), 4)
    );
    let (code, words) = client.refused("edit", new);
    assert_eq!(code, "arguments", "{words}");
    let text = json!({"tree": "greet.bt", "script": script});
    client.done("edit", text);
    assert_eq!(monster.text("greet.bt"), script);
    let revision = client.revision("greet.bt");
    let edits = json!([{"do": "remove", "nodes": [1]}]);
    let (_, words) = client.refused(
        "edit",
        json!({"tree": "greet.bt", "revision": revision, "edits": edits}),
    );
    assert!(words.contains("whole tree as `script`"), "{words}");
    let key = json!({"rename": {"of": {"kind": "key", "name": "prey"}, "to": "quarry"}});
    let renamed = client.done("edit", key);
    let files = renamed["data"]["files"].as_array().unwrap();
    assert!(
        files.contains(&json!("hunt.json")) && files.contains(&json!("patrol.json")),
        "{files:?}"
    );
    assert!(!monster.text("hunt.json").contains("\"prey\""));
    fs::remove_file(monster.file("greet.bt")).unwrap();
    let tree =
        json!({"rename": {"of": {"kind": "tree", "name": "flee.json"}, "to": "run/away.json"}});
    let renamed = client.done("edit", tree);
    assert_eq!(renamed["data"]["path"], "run/away.json");
    assert!(
        !monster.file("flee.json").exists() && monster.text("hunt.json").contains("run/away.json")
    );
    let action = json!({"rename": {"of": {"kind": "action", "name": "chase"}, "to": "pursue"}});
    let (_, words) = client.refused("edit", action);
    assert!(words.contains("has its name in code"), "{words}");
}

#[test]
fn edit_of_what_changed_meanwhile_is_a_conflict_and_nothing_is_lost() {
    let monster = Monster::new();
    let (mut one, mut other) = (monster.client(&[]), monster.client(&[]));
    let (first, second) = (one.revision("flee"), other.revision("flee"));
    let edit = |revision: &str, seconds: u32| {
        let edits =
            json!([{"do": "set", "node": 8, "at": "/extra/seconds", "value": seconds.to_string()}]);
        json!({"tree": "flee.json", "revision": revision, "edits": edits})
    };
    one.done("edit", edit(&first, 7));
    let theirs = monster.text("flee.json");
    let answer = other.tool("edit", edit(&second, 8));
    assert_eq!(answer["error"]["code"], "conflict");
    assert_eq!(monster.text("flee.json"), theirs);
    let revision = answer["data"]["revision"].as_str().unwrap();
    other.done("edit", edit(revision, 8));
    assert!(monster.text("flee.json").contains("\"seconds\": 8"));
    fs::remove_file(monster.file("flee.json")).unwrap();
    assert_eq!(other.refused("edit", edit(revision, 9)).0, "conflict");
    assert!(!monster.file("flee.json").exists());
    let missing = json!({"tree": "hunt.json", "edits": [{"do": "renumber"}]});
    assert!(
        other
            .refused("edit", missing)
            .1
            .contains("read it with `tree`")
    );
}

#[test]
fn read_only_server_writes_nothing() {
    let monster = Monster::new();
    let mut client = monster.client(&["--read-only"]);
    let revision = client.revision("flee");
    let edits = json!([{"do": "set", "node": 8, "at": "/extra/seconds", "value": "7"}]);
    let mut asked = json!({"tree": "flee.json", "revision": revision, "edits": edits});
    let before = monster.text("flee.json");
    assert_eq!(client.refused("edit", asked.clone()).0, "read_only");
    assert_eq!(client.refused("fix", json!({"write": true})).0, "read_only");
    asked["dry_run"] = true.into();
    client.done("edit", asked);
    assert_eq!(monster.text("flee.json"), before);
}
