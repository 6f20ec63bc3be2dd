//! Tree files in the list: their forms, copies and removals; the keys of a tree.

use std::fs;

use serde_json::{Value, json};

use super::Studio;

fn entry<'p>(trees: &'p Value, path: &str) -> Option<&'p Value> {
    trees.as_array()?.iter().find(|tree| tree["path"] == path)
}

#[test]
fn an_entry_has_the_form_of_its_tree() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let project = client.call("project.get", json!({})).unwrap();
    let shape = |path: &str| entry(&project["trees"], path).unwrap()["shape"].clone();
    assert_eq!(
        shape("hunt.json"),
        "r(c(d(c(td(c(c(qc(ad(a)))c(qd(a))))))aat))",
        "{project}"
    );
}

#[test]
fn the_form_of_a_large_tree_has_its_first_nodes_level_by_level() {
    let studio = Studio::of_monsters();
    let node = |idx: usize, kind: &str, parent: usize, children: Vec<usize>| json!({"idx": idx, "type": kind, "parent": parent, "children": children, "extra": {}});
    let mut nodes = vec![
        json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster_agent"}}),
        node(1, "sequence", 0, (2..102).collect()),
    ];
    nodes.extend((2..102).map(|idx| node(idx, "always_running", 1, Vec::new())));
    let tree = json!({"nodes": nodes}).to_string();
    fs::write(studio.path("large.json"), tree).unwrap();
    let mut client = studio.client();
    let event = client.event("trees", |params| {
        entry(&params["changed"], "large.json").is_some()
    });
    let shape = entry(&event["changed"], "large.json").unwrap()["shape"].clone();
    assert_eq!(shape, format!("r(c({}))", "x".repeat(58)));
}

#[test]
fn a_tree_file_is_copied_and_removed_but_over_nothing() {
    let studio = Studio::of_monsters();
    let (mut client, mut other) = (studio.client(), studio.client());
    let doc = other.open_tree("flee.json");
    let copy = |to: &str| json!({"path": "flee.json", "to": to});
    client.call("tree.copy", copy("town/away.json")).unwrap();
    let event = other.event("trees", |params| {
        entry(&params["changed"], "town/away.json").is_some()
    });
    assert_ne!(event["changed"][0]["shape"], "");
    let read = |path: &str| fs::read(studio.path(path)).unwrap();
    assert_eq!(read("town/away.json"), read("flee.json"));
    for to in ["hunt.json", "../out.json", "away.bt", "con.json"] {
        client.call("tree.copy", copy(to)).unwrap_err();
    }
    let missing = json!({"path": "nobody.json", "to": "a.json"});
    assert_eq!(client.call("tree.copy", missing).unwrap_err()["code"], 3);

    client
        .call("tree.remove", json!({"path": "flee.json"}))
        .unwrap();
    assert!(!studio.path("flee.json").exists());
    other.event("trees", |params| params["removed"] == json!(["flee.json"]));
    let gone = client
        .call("tree.remove", json!({"path": "flee.json"}))
        .unwrap_err();
    assert_eq!(gone["code"], 3);
    // What is open of it can be saved again.
    let save = json!({"doc": doc["doc"], "revision": 0, "hash": ""});
    other.call("doc.save", save).unwrap();
    assert_eq!(read("town/away.json"), read("flee.json"));
}

#[test]
fn the_keys_of_a_tree_have_their_initial_values_and_uses() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let found = client
        .call("tree.keys", json!({"doc": doc["doc"]}))
        .unwrap();
    let keys = found["keys"].as_array().unwrap();
    let prey = keys.iter().find(|key| key["name"] == "prey").unwrap();
    assert_eq!(
        (
            &prey["type_shown"],
            &prey["scope"],
            &prey["initial"],
            &prey["declared_by"]
        ),
        (&json!("uint64"), &json!("agent"), &json!("0"), &json!(0)),
        "{found}"
    );
    assert_ne!(prey["read_by"], json!([]), "{found}");
    assert_ne!(prey["written_by"], json!([]), "{found}");

    // A node that runs a tree says which keys that tree takes.
    let call = client
        .call("node.info", json!({"doc": doc["doc"], "node": 4}))
        .unwrap();
    let takes = call["takes"].as_array().unwrap();
    assert!(takes.iter().any(|key| key["name"] == "threat"), "{call}");
    let plain = client
        .call("node.info", json!({"doc": doc["doc"], "node": 3}))
        .unwrap();
    assert_eq!(plain["takes"], json!([]));
}
