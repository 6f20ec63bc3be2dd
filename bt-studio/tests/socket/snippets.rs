//! Snippets in the project's settings.

use std::fs;

use serde_json::{Value, json};

use super::Studio;

#[test]
fn a_snippet_is_kept_offered_to_all_and_removed() {
    let studio = Studio::of_monsters();
    let (mut client, mut other) = (studio.client(), studio.client());
    let file = studio.path(".bt-studio.json");
    fs::write(&file, "{\"breakpoints\": [ ]}").unwrap();
    let doc = client.open_tree("hunt.json");
    let save = |nodes: Value, name: &str| json!({"doc": doc["doc"], "nodes": nodes, "name": name});
    client
        .call("snippet.save", save(json!([2]), " chase "))
        .unwrap();
    let event = other.event("snippets", |params| params["snippets"] != json!([]));
    let snippet = &event["snippets"][0];
    assert_eq!(snippet["name"], "chase");
    assert!(snippet["nodes"].as_u64().unwrap() > 1);
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("{\"breakpoints\": [ ], \"snippets\": {\"chase\""),
        "{text}"
    );
    // What is kept can be inserted, also after a restart.
    let project = other.call("project.get", json!({})).unwrap();
    assert_eq!(project["snippets"], event["snippets"]);
    let patrol = other.open_tree("patrol.json");
    let paste = json!([{"do": "paste", "parent": 1, "text": snippet["text"]}]);
    let pasted = other.edit(&patrol, 0, paste).unwrap();
    let cards = pasted["cards"].as_array().unwrap().len() as u64;
    assert!(cards >= snippet["nodes"].as_u64().unwrap(), "{pasted}");

    for (nodes, name) in [
        (json!([2]), ""),
        (json!([2]), "a\nb"),
        (json!([0]), "root"),
        (json!([999]), "none"),
    ] {
        client.call("snippet.save", save(nodes, name)).unwrap_err();
    }
    let unknown = client
        .call("snippet.remove", json!({"name": "hunt"}))
        .unwrap_err();
    assert_eq!(unknown["code"], 3);
    client
        .call("snippet.remove", json!({"name": "chase"}))
        .unwrap();
    other.event("snippets", |params| params["snippets"] == json!([]));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "{\"breakpoints\": [ ], \"snippets\": {}}"
    );
}

#[test]
fn settings_that_cannot_be_read_are_said_and_left_alone() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let file = studio.path(".bt-studio.json");
    client.call("project.get", json!({})).unwrap();
    fs::write(&file, "{\"snippets\": ").unwrap();
    let notice = client.event("notice", |params| params["level"] == "error");
    assert!(
        notice["text"].as_str().unwrap().contains(".bt-studio.json"),
        "{notice}"
    );
    let doc = client.open_tree("hunt.json");
    let save = json!({"doc": doc["doc"], "nodes": [2], "name": "chase"});
    let refused = client.call("snippet.save", save).unwrap_err();
    assert!(
        refused["message"].as_str().unwrap().contains("no JSON"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"snippets\": ");
    // Who comes later hears of it as well. It is no tree.
    let mut client = studio.client();
    let project = client.call("project.get", json!({})).unwrap();
    client.event("notice", |params| params["text"] == notice["text"]);
    let trees = project["trees"].as_array().unwrap();
    assert!(trees.iter().all(|tree| tree["path"] != ".bt-studio.json"));
}
