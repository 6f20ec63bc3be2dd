//! Files that change underneath, and catalogues that do.

use std::fs;

use serde_json::json;

use super::Studio;

#[test]
fn files_that_change_come_and_go_are_told() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let text = studio
        .text("hunt.json")
        .replace("\"comment\": \"\"", "\"comment\": \"git\"");
    fs::write(studio.path("hunt.json"), &text).unwrap();
    let disk = client.event("disk", |params| params["doc"] == doc["doc"]);
    assert_eq!(disk["exists"], true);
    let changed = client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 0}))
        .unwrap_err();
    assert_eq!(changed["code"], 11);
    let again = client
        .call("doc.reload", json!({"doc": doc["doc"]}))
        .unwrap();
    assert_eq!(
        (again["text"].as_str().unwrap(), &again["revision"]),
        (text.as_str(), &json!(1))
    );

    fs::write(studio.path("new.json"), &text).unwrap();
    let is_new = |trees: &serde_json::Value| trees["changed"][0]["path"] == "new.json";
    assert_eq!(
        client.event("trees", is_new)["changed"][0]["agent"],
        "monster_agent"
    );
    fs::remove_file(studio.path("new.json")).unwrap();
    client.event("trees", |trees| trees["removed"] == json!(["new.json"]));
    fs::remove_file(studio.path("hunt.json")).unwrap();
    assert_eq!(
        client.event("disk", |params| params["doc"] == doc["doc"]
            && params["exists"] == false)["hash"],
        ""
    );
    let gone = client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 1}))
        .unwrap_err();
    assert_eq!(
        (&gone["code"], &gone["data"]["exists"]),
        (&json!(11), &json!(false))
    );
    client
        .call(
            "doc.save",
            json!({"doc": doc["doc"], "revision": 1, "hash": ""}),
        )
        .unwrap();
    assert_eq!(studio.text("hunt.json"), text);
}

#[test]
fn nodes_call_a_tree_once_it_is_there_and_none_when_it_is_gone() {
    let studio = Studio::of_monsters();
    let flee = studio.text("flee.json");
    let mut client = studio.client();
    client.call("project.get", json!({})).unwrap();
    fs::remove_file(studio.path("flee.json")).unwrap();
    client.event("trees", |trees| trees["removed"] == json!(["flee.json"]));
    let doc = client.open_tree("hunt.json");
    let calls = |cards: &serde_json::Value| {
        let cards = cards.as_array().unwrap().iter();
        let calls = cards.filter(|card| card["title"] == "flee.json");
        calls
            .map(|card| card.get("calls").cloned())
            .collect::<Vec<_>>()
    };
    assert_eq!(calls(&doc["view"]["cards"]), [None]);
    fs::write(studio.path("flee.json"), &flee).unwrap();
    let changed = client.event("cards", |params| params["doc"] == doc["doc"]);
    assert_eq!(calls(&changed["cards"]), [Some(json!("flee.json"))]);
    // Another name is found again as well, whoever gives it.
    let of = json!({"kind": "tree", "name": "flee.json"});
    studio
        .client()
        .call(
            "rename",
            json!({"of": of, "to": "run.json", "preview": false}),
        )
        .unwrap();
    let changed = client.event("cards", |params| params["doc"] == doc["doc"]);
    assert_eq!(calls(&changed["cards"]), [None]);
}

#[test]
fn another_catalogue_is_told_and_its_problems_are_found() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    assert_eq!(doc["findings"], json!([]));
    let file = studio.dir.path().join("agents.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"attack\"", "\"strike\"")).unwrap();
    let changed = client.event("catalogue", |_| true);
    assert!(changed["catalogue"].to_string().contains("\"strike\""));
    let problems = client.event("problems", |params| params["path"] == "hunt.json");
    assert_eq!(problems["findings"][0]["code"], "BT0034", "{problems}");
    fs::write(&file, "{").unwrap();
    let broken = client.event("catalogue", |params| params.get("problem").is_some());
    assert!(
        broken["catalogue"].to_string().contains("\"strike\""),
        "the one before stays"
    );
    fs::write(&file, &text).unwrap();
    client.call("catalogue.refresh", json!({})).unwrap();
    client.event("catalogue", |params| {
        params["catalogue"].to_string().contains("\"attack\"")
    });
}

#[test]
fn hostile_files_are_problems_and_nothing_worse() {
    let studio = Studio::of_monsters();
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let script = r#"{"nodes": [{"idx": 0, "type": "root", "children": [], "comment": "</script><img src=x onerror=alert(1)>\u202e", "extra": {"agent_name": "monster_agent"}}]}"#;
    for (name, text) in [
        ("deep.json", deep.as_str()),
        ("empty.json", ""),
        ("null.json", "null"),
        ("script.json", script),
    ] {
        fs::write(studio.path(name), text).unwrap();
    }
    fs::write(studio.path("bytes.json"), [0xff, 0xfe, 0x00]).unwrap();
    fs::File::create(studio.path("large.json"))
        .unwrap()
        .set_len(33 << 20)
        .unwrap();
    let mut client = studio.client();
    for name in ["deep.json", "empty.json", "null.json"] {
        let doc = client.open_tree(name);
        assert!(
            doc["view"].is_null() && doc["findings"][0]["level"] == "error",
            "{name}"
        );
    }
    let doc = client.open_tree("script.json");
    assert!(
        doc["view"]["cards"][0]["comment"]
            .as_str()
            .unwrap()
            .starts_with("</script>")
    );
    let bytes = client
        .call("doc.open", json!({"path": "bytes.json"}))
        .unwrap_err();
    assert!(bytes["message"].as_str().unwrap().contains("UTF-8"));
    let large = client
        .call("doc.open", json!({"path": "large.json"}))
        .unwrap_err();
    assert_eq!(large["code"], 5, "{large}");
}
