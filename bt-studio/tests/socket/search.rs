//! Nodes looked into, names found and changed.

use std::fs;

use serde_json::{Value, json};

use super::Studio;
use super::client::spliced;

#[test]
fn node_info_says_what_is_called_with_which_arguments() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let cards = doc["view"]["cards"].as_array().unwrap();
    let mut seen = 0;
    for card in cards {
        let info = client
            .call("node.info", json!({"doc": doc["doc"], "node": card["idx"]}))
            .unwrap();
        let Some(call) = info.get("call") else {
            continue;
        };
        assert_eq!(call["name"], card["title"]);
        assert_eq!(call["known"], true, "{call}");
        assert!(call["origin"].as_str().unwrap().contains(".rs:"));
        for argument in call["arguments"].as_array().unwrap() {
            if argument["mode"] == "key" {
                let keys = info["keys"].as_array().unwrap();
                assert!(
                    keys.iter().any(|key| key["name"] == argument["key"]),
                    "{argument}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 0);
    let keys = client
        .call("node.info", json!({"doc": doc["doc"], "node": 1}))
        .unwrap()["keys"]
        .take();
    let prey = keys
        .as_array()
        .unwrap()
        .iter()
        .find(|key| key["name"] == "prey")
        .unwrap()
        .clone();
    assert!(!prey["read_by"].as_array().unwrap().is_empty(), "{prey}");
    let none = client
        .call("node.info", json!({"doc": doc["doc"], "node": 999}))
        .unwrap_err();
    assert_eq!(none["code"], 3);
}

#[test]
fn node_info_says_what_expressions_stand_in_place_of_calls_and_values() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let guard = r#"{"if": "$prey != null", "abort": "self"}"#;
    let edits = json!([
        {"do": "insert", "parent": 1, "at": 0, "kind": "action", "name": "wait_for_seconds"},
        {"do": "set", "node": 1, "at": "/extra/guards/-", "value": guard},
    ]);
    let changed = client.edit(&doc, 0, edits).unwrap();
    let waits = changed["created"][0].clone();
    let args = r#"[{"arg_type": "expression", "arg_value": "1 + 1"}]"#;
    let edits = json!([{"do": "set", "node": waits, "at": "/extra/action_args", "value": args}]);
    client.edit(&doc, 1, edits).unwrap();
    let mut info = |node: &Value| {
        client
            .call("node.info", json!({"doc": doc["doc"], "node": node}))
            .unwrap()
    };
    let guarded = info(&json!(1));
    let guard = guarded["attached"].as_array().unwrap().last().unwrap();
    assert_eq!(guard["caller"], "guard");
    assert_eq!(guard["expression"], "$prey != null");
    assert_eq!(guard["name"], "");
    let argument = &info(&waits)["call"]["arguments"][0];
    assert_eq!(argument["mode"], "expression");
    assert_eq!(argument["expression"], "1 + 1");
    assert_eq!(argument.get("value"), None);
}

fn paths(places: &Value) -> Vec<&str> {
    let places = places["places"].as_array().unwrap();
    let mut paths: Vec<_> = places
        .iter()
        .map(|place| place["path"].as_str().unwrap())
        .collect();
    paths.dedup();
    paths
}

#[test]
fn usages_of_trees_actions_keys_and_events_are_found() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let mut usages = |kind: &str, name: &str| {
        let of = json!({"of": {"kind": kind, "name": name}});
        client.call("usages", of).unwrap()
    };
    let flee = usages("tree", "flee.json");
    assert!(paths(&flee).contains(&"hunt.json"), "{flee}");
    let prey = usages("key", "prey");
    assert!(paths(&prey).len() > 1, "{prey}");
    let place = &prey["places"][0];
    assert!(place["line"].as_u64().unwrap() > 1 && !place["shown"].as_str().unwrap().is_empty());
    assert_eq!(usages("key", "no such key")["places"], json!([]));
    assert_eq!(paths(&usages("agent", "account_agent")), ["account.json"]);
}

#[test]
fn a_key_is_renamed_in_open_documents_and_on_the_disk() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let before = studio.text("flee.json");
    let of = json!({"kind": "key", "name": "prey"});
    let preview = client
        .call("rename", json!({"of": of, "to": "victim", "preview": true}))
        .unwrap();
    assert_eq!(studio.text("flee.json"), before);
    let done = client
        .call(
            "rename",
            json!({"of": of, "to": "victim", "preview": false}),
        )
        .unwrap();
    let files = done["files"].as_array().unwrap();
    assert_eq!(files.len(), preview["files"].as_array().unwrap().len());
    for file in files {
        match file["path"].as_str().unwrap() {
            "hunt.json" => {
                assert_eq!(file["doc"], doc["doc"]);
                assert_eq!(file["changed"]["revision"], 1);
                let after = spliced(doc["text"].as_str().unwrap(), &file["splices"]);
                assert!(!after.contains("\"prey\""), "{after}");
                assert!(
                    studio.text("hunt.json").contains("\"prey\""),
                    "it is not saved"
                );
            }
            path => assert!(!studio.text(path).contains("\"prey\""), "{path}"),
        }
    }
    assert_eq!(
        studio.text("flee.json"),
        before.replace("\"prey\"", "\"victim\"")
    );
}

#[test]
fn a_key_is_renamed_in_templates() {
    let studio = Studio::of_monsters();
    let text = r#"{"nodes": [
      {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster_agent"}},
      {"idx": 1, "type": "action", "parent": 0, "children": [], "extra": {"action_name": "string_format", "action_args": [
        {"arg_type": "plain", "arg_value": "{prey}, {{prey}} and {prey} of {preys}"},
        {"arg_type": "plain", "arg_value": "prey"}]}}]}"#;
    fs::write(studio.path("says.json"), text).unwrap();
    let mut client = studio.client();
    client.event("trees", |trees| trees["changed"][0]["path"] == "says.json");
    let of = json!({"kind": "key", "name": "prey", "path": "says.json"});
    let found = client.call("usages", json!({"of": of})).unwrap();
    assert_eq!(found["places"].as_array().unwrap().len(), 3, "{found}");
    let braces = json!({"of": of, "to": "vic}tim", "preview": false});
    let refused = client.call("rename", braces).unwrap_err();
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("without braces"),
        "{refused}"
    );
    assert_eq!(studio.text("says.json"), text);
    let rename = json!({"of": of, "to": "victim", "preview": false});
    client.call("rename", rename).unwrap();
    let after = text
        .replace(
            "{prey}, {{prey}} and {prey} of {preys}",
            "{victim}, {{prey}} and {victim} of {preys}",
        )
        .replace(r#""prey""#, r#""victim""#);
    assert_eq!(studio.text("says.json"), after);
}

#[test]
fn key_is_renamed_in_expressions_and_where_it_is_written() {
    let studio = Studio::of_monsters();
    let text = r#"{"nodes": [
      {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster_agent"}},
      {"idx": 1, "type": "set", "parent": 0, "children": [], "extra": {
        "set": {"$prey": "$prey + len('$prey')", "$other": "[$'prey', @entity]"},
        "effects": {"enter": [{"set": {"$'prey'": "null"}}]}}}]}"#;
    fs::write(studio.path("says.json"), text).unwrap();
    let mut client = studio.client();
    client.event("trees", |trees| trees["changed"][0]["path"] == "says.json");
    let of = json!({"kind": "key", "name": "prey", "path": "says.json"});
    let rename = json!({"of": of, "to": "the victim", "preview": false});
    client.call("rename", rename).unwrap();
    let after = text
        .replace(
            r#""$prey": "$prey + "#,
            r#""$'the victim'": "$'the victim' + "#,
        )
        .replace("[$'prey',", "[$'the victim',")
        .replace(r#"{"$'prey'": "null"}"#, r#"{"$'the victim'": "null"}"#);
    assert_eq!(studio.text("says.json"), after);
}

#[test]
fn a_tree_is_renamed_with_all_that_call_it() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("flee.json");
    let of = json!({"kind": "tree", "name": "flee.json"});
    let to = |to: &str| json!({"of": of, "to": to, "preview": false});
    assert!(client.call("rename", to("hunt.json")).is_err());
    let done = client.call("rename", to("calm/run.json")).unwrap();
    assert_eq!(done["path"], "calm/run.json");
    assert!(!studio.path("flee.json").exists() && studio.path("calm/run.json").exists());
    let hunt = studio.text("hunt.json");
    assert!(
        hunt.contains("calm/run") && !hunt.contains("\"flee"),
        "{hunt}"
    );
    client
        .edit(&doc, 0, json!([{"do": "duplicate", "nodes": [2]}]))
        .unwrap();
    let saved = client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 1}))
        .unwrap();
    assert_eq!(saved["path"], "calm/run.json");
}

#[test]
fn texts_are_found_and_replaced_where_they_are_looked_for() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let find = json!({"text": "MONSTER", "in": ["comment"]});
    let found = client.call("find", find).unwrap();
    assert!(!found["places"].as_array().unwrap().is_empty());
    let case = json!({"text": "MONSTER", "in": ["comment"], "case": true});
    assert_eq!(client.call("find", case).unwrap()["places"], json!([]));
    let wrong = client
        .call("find", json!({"text": "(", "regex": true}))
        .unwrap_err();
    assert!(
        wrong["message"]
            .as_str()
            .unwrap()
            .contains("regular expression")
    );
    let before = studio.text("hunt.json");
    let replace = json!({"text": "(m)onster", "regex": true, "in": ["comment"], "with": "${1}ouse", "preview": false});
    client.call("replace", replace).unwrap();
    let after = studio.text("hunt.json");
    assert_ne!(before, after);
    assert!(after.contains("mouse") && after.contains("monster_agent"));
    let broken = json!({"text": "root", "in": ["name"], "with": "rood", "preview": false});
    let refused = client.call("replace", broken).unwrap_err();
    assert!(
        refused["message"].as_str().unwrap().contains("no tree"),
        "{refused}"
    );
    assert_eq!(studio.text("hunt.json"), after);
}

#[test]
fn a_file_that_changed_a_moment_ago_is_not_replaced_in() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    client.call("project.get", json!({})).unwrap();
    let text = studio.text("flee.json") + "\n";
    fs::write(studio.path("flee.json"), &text).unwrap();
    let rename = json!({"of": {"kind": "key", "name": "prey"}, "to": "victim", "preview": false});
    let done = client.call("rename", rename);
    let after = studio.text("flee.json");
    // Either the change was seen in time, or nothing is renamed: it is never lost.
    match done {
        Ok(_) => assert_eq!(after, text.replace("\"prey\"", "\"victim\"")),
        Err(error) => {
            assert!(
                error["message"].as_str().unwrap().contains("a moment ago"),
                "{error}"
            );
            assert_eq!(after, text);
        }
    }
}
