//! Documents: opened, edited, saved.

use std::fs;

use serde_json::{Value, json};

use super::Studio;
use super::client::spliced;

#[test]
fn project_lists_trees_kinds_and_agents() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let project = client.call("project.get", json!({})).unwrap();
    let paths: Vec<_> = project["trees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tree| tree["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "account.json",
            "auto_play.json",
            "flee.json",
            "hunt.json",
            "patrol.json"
        ]
    );
    assert_eq!(project["trees"][0]["agent"], "account_agent");
    assert!(
        project["trees"][0]["comment"]
            .as_str()
            .unwrap()
            .starts_with("One person")
    );
    let kinds = project["kinds"].as_array().unwrap();
    let action = kinds.iter().find(|kind| kind["name"] == "action").unwrap();
    assert_eq!(
        (&action["group"], &action["leaf"], &action["max_children"]),
        (&json!("action"), &json!(true), &json!(0))
    );
    assert!(
        project["agents"]
            .as_array()
            .unwrap()
            .contains(&json!("monster_agent"))
    );
    assert!(project["catalogue"]["$defs"].is_object());
}

#[test]
fn open_and_save_without_an_edit_changes_no_byte() {
    for folder in [
        "examples/monster/trees",
        "examples/squad/trees",
        "tests/data/mosaic/btree",
    ] {
        let studio = Studio::of(folder, false);
        let mut client = studio.client();
        let project = client.call("project.get", json!({})).unwrap();
        for tree in project["trees"].as_array().unwrap() {
            let path = tree["path"].as_str().unwrap();
            let before = fs::read(studio.path(path)).unwrap();
            let doc = client.open_tree(path);
            assert!(doc["view"].is_object(), "{path}");
            client
                .call("doc.save", json!({"doc": doc["doc"], "revision": 0}))
                .unwrap();
            assert_eq!(fs::read(studio.path(path)).unwrap(), before, "{path}");
        }
    }
}

#[test]
fn an_edit_changes_the_text_its_cards_and_its_problems() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let text = doc["text"].as_str().unwrap();
    let edits =
        json!([{"do": "insert", "parent": 1, "at": 0, "kind": "action", "name": "atack_😀"}]);
    let changed = client.edit(&doc, 0, edits).unwrap();
    let created = &changed["created"][0];
    let cards = changed["cards"].as_array().unwrap();
    let titles: Vec<_> = cards
        .iter()
        .map(|card| (&card["idx"], card["title"].as_str().unwrap()))
        .collect();
    assert_eq!(titles, [(&json!(1), "always_seq"), (created, "atack_😀")]);
    let problems = client.event("problems", |params| params["revision"] == 1);
    let findings = problems["findings"].as_array().unwrap();
    let found = findings
        .iter()
        .find(|finding| finding["node"] == *created)
        .unwrap();
    assert_eq!(
        (&found["code"], &found["level"]),
        (&json!("BT0034"), &json!("error"))
    );
    let after = spliced(text, &changed["splices"]);
    client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 1}))
        .unwrap();
    assert_eq!(studio.text("hunt.json"), after);

    // Undo is a replacement.
    let splice = &changed["splices"][0];
    assert!(splice["from"].as_u64() <= splice["to"].as_u64());
    let all = json!([{"from": 0, "to": after.encode_utf16().count(), "text": text}]);
    let undone = client
        .call(
            "doc.replace",
            json!({"doc": doc["doc"], "revision": 1, "splices": all}),
        )
        .unwrap();
    assert_eq!(undone["removed"], json!([created]));
    client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 2}))
        .unwrap();
    assert_eq!(studio.text("hunt.json"), text);
}

#[test]
fn a_disabled_node_and_all_below_it_are_left_out_and_have_no_problems() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let branch = json!([{"do": "insert", "parent": 1, "at": 0, "kind": "sequence"}]);
    let created = client.edit(&doc, 0, branch).unwrap()["created"][0].clone();
    let broken =
        json!([{"do": "insert", "parent": created, "at": 0, "kind": "action", "name": "atack"}]);
    let below = client.edit(&doc, 1, broken).unwrap()["created"][0].clone();
    client.event("problems", |params| params["revision"] == 2);
    for (revision, is_off) in [(2, true), (3, false)] {
        let edit = match is_off {
            true => json!({"do": "set", "node": created, "at": "/extra/disabled", "value": "true"}),
            false => json!({"do": "unset", "node": created, "at": "/extra/disabled"}),
        };
        let changed = client.edit(&doc, revision, json!([edit])).unwrap();
        let cards = changed["cards"].as_array().unwrap();
        let cards: Vec<_> = cards
            .iter()
            .map(|card| (&card["idx"], &card["disabled"], &card["left_out"]))
            .collect();
        let (off, no) = (json!(is_off), json!(false));
        assert_eq!(cards, [(&created, &off, &off), (&below, &no, &off)]);
        let problems = client.event("problems", |params| params["revision"] == revision + 1);
        let findings = problems["findings"].as_array().unwrap();
        let is_found = findings.iter().any(|finding| finding["node"] == below);
        assert_eq!(is_found, !is_off, "{findings:#?}");
    }
}

#[test]
fn a_text_that_is_no_tree_has_problems_and_becomes_one_again() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let replace = |revision: u64, from: u64, to: u64, text: &str| json!({"doc": doc["doc"], "revision": revision, "splices": [{"from": from, "to": to, "text": text}]});
    let broken = client.call("doc.replace", replace(0, 0, 1, "[")).unwrap();
    assert_eq!(broken["is_tree"], false);
    let problems = client.event("problems", |params| params["revision"] == 1);
    assert_eq!(problems["findings"][0]["level"], "error");
    let refused = client
        .edit(&doc, 1, json!([{"do": "renumber"}]))
        .unwrap_err();
    assert!(
        refused["message"].as_str().unwrap().contains("no tree"),
        "{refused}"
    );
    let whole = client.call("doc.replace", replace(1, 0, 1, "{")).unwrap();
    assert_eq!(
        whole["cards"].as_array().unwrap().len(),
        doc["view"]["cards"].as_array().unwrap().len()
    );
    let outside = client
        .call("doc.replace", replace(2, 0, 1 << 30, ""))
        .unwrap_err();
    assert_eq!(outside["code"], 4);
}

#[test]
fn another_revision_is_refused_with_the_text() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let edits = json!([{"do": "set", "node": 1, "at": "/comment", "value": "\"x\""}]);
    let changed = client.edit(&doc, 0, edits.clone()).unwrap();
    let stale = client.edit(&doc, 0, edits).unwrap_err();
    assert_eq!(
        (&stale["code"], &stale["data"]["revision"]),
        (&json!(10), &json!(1))
    );
    assert_eq!(
        stale["data"]["text"],
        spliced(doc["text"].as_str().unwrap(), &changed["splices"])
    );
}

#[test]
fn of_two_clients_that_save_one_file_the_second_is_refused() {
    let studio = Studio::of_monsters();
    let (mut one, mut two) = (studio.client(), studio.client());
    let (first, second) = (one.open_tree("hunt.json"), two.open_tree("hunt.json"));
    let edit = |comment: &str| json!([{"do": "set", "node": 1, "at": "/comment", "value": format!("\"{comment}\"")}]);
    one.edit(&first, 0, edit("one")).unwrap();
    two.edit(&second, 0, edit("two")).unwrap();
    one.call("doc.save", json!({"doc": first["doc"], "revision": 1}))
        .unwrap();
    let conflict = two
        .call("doc.save", json!({"doc": second["doc"], "revision": 1}))
        .unwrap_err();
    assert_eq!(
        (&conflict["code"], &conflict["data"]["exists"]),
        (&json!(11), &json!(true))
    );
    assert!(
        conflict["data"]["text"]
            .as_str()
            .unwrap()
            .contains("\"one\"")
    );
    assert!(studio.text("hunt.json").contains("\"one\""));
    let hash = &conflict["data"]["hash"];
    two.call(
        "doc.save",
        json!({"doc": second["doc"], "revision": 1, "hash": hash}),
    )
    .unwrap();
    assert!(studio.text("hunt.json").contains("\"two\""));
}

#[test]
fn a_new_tree_is_saved_under_its_name_and_pictures_beside_it() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let new = json!({"path": "town/smith.json", "agent": "monster_agent", "comment": "Works."});
    let doc = client.call("doc.new", new).unwrap();
    assert_eq!(
        (&doc["hash"], &doc["view"]["agent"]),
        (&json!(""), &json!("monster_agent"))
    );
    assert!(!studio.path("town/smith.json").exists());
    client
        .edit(
            &doc,
            0,
            json!([{"do": "insert", "parent": 0, "kind": "action", "name": "nop"}]),
        )
        .unwrap();
    let png = "iVBORw0KGgo=";
    let save = json!({"doc": doc["doc"], "revision": 1, "picture": {"png": png, "svg": true}});
    let saved = client.call("doc.save", save).unwrap();
    assert_eq!(
        saved["pictures"],
        json!(["town/smith.png", "town/smith.svg"])
    );
    assert!(studio.text("town/smith.svg").starts_with("<svg"));
    let again = client
        .call("doc.new", json!({"path": "town/smith.json", "agent": "a"}))
        .unwrap_err();
    assert!(again["message"].as_str().unwrap().contains("there already"));
    let wrong = json!({"doc": doc["doc"], "revision": 1, "picture": {"png": "aGVsbG8="}});
    assert!(client.call("doc.save", wrong).is_err());
    let elsewhere = json!({"doc": doc["doc"], "revision": 1, "path": "hunt.json"});
    assert_eq!(client.call("doc.save", elsewhere).unwrap_err()["code"], 11);
}

#[test]
fn copied_nodes_are_pasted_into_another_tree() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let (hunt, flee) = (client.open_tree("hunt.json"), client.open_tree("flee.json"));
    let text = client
        .call("doc.fragment", json!({"doc": hunt["doc"], "nodes": [2]}))
        .unwrap();
    let changed = client
        .edit(
            &flee,
            0,
            json!([{"do": "paste", "parent": 1, "text": text["text"]}]),
        )
        .unwrap();
    let of = |idx: &Value, cards: &Value| {
        let cards = cards.as_array().unwrap();
        cards
            .iter()
            .find(|card| card["idx"] == *idx)
            .cloned()
            .unwrap()
    };
    let (old, new) = (
        of(&json!(2), &hunt["view"]["cards"]),
        of(&changed["created"][0], &changed["cards"]),
    );
    assert_eq!(
        (&old["title"], &old["arguments"]),
        (&new["title"], &new["arguments"])
    );
}

#[test]
fn a_script_opens_and_is_saved_as_a_tree() {
    let studio = Studio::of_monsters();
    fs::write(
        studio.path("rounds.bt"),
        "AGENT monster_agent\nSEQUENCE\n    nop\n",
    )
    .unwrap();
    let mut client = studio.client();
    let doc = client.open_tree("rounds.bt");
    assert_eq!(
        (
            &doc["script"],
            doc["view"]["cards"].as_array().unwrap().len()
        ),
        (&json!(true), 3)
    );
    let refused = client
        .edit(&doc, 0, json!([{"do": "renumber"}]))
        .unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("script"));
    let save = json!({"doc": doc["doc"], "revision": 0, "path": "rounds.json"});
    client.call("doc.save", save).unwrap();
    assert!(studio.text("rounds.json").contains("\"nop\""));
    let again = client
        .call("doc.reload", json!({"doc": doc["doc"]}))
        .unwrap();
    assert_eq!(
        (&again["path"], &again["script"]),
        (&json!("rounds.json"), &json!(false))
    );
}

#[test]
fn what_was_not_saved_is_offered_again() {
    let studio = Studio::of_monsters();
    let edit = json!([{"do": "set", "node": 1, "at": "/comment", "value": "\"draft\""}]);
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let changed = client.edit(&doc, 0, edit).unwrap();
    let new = client
        .call(
            "doc.new",
            json!({"path": "new.json", "agent": "monster_agent"}),
        )
        .unwrap();
    client
        .edit(
            &new,
            0,
            json!([{"do": "insert", "parent": 0, "kind": "action", "name": "nop"}]),
        )
        .unwrap();
    // The tab is closed.
    drop(client);
    let mut client = studio.client();
    let doc = loop {
        let doc = client.open_tree("hunt.json");
        if doc.get("draft").is_some() {
            break doc;
        }
        client
            .call("doc.close", json!({"doc": doc["doc"], "discard": false}))
            .unwrap();
    };
    assert_eq!(
        doc["draft"]["text"],
        spliced(doc["text"].as_str().unwrap(), &changed["splices"])
    );
    let project = client.call("project.get", json!({})).unwrap();
    let unsaved = project["unsaved"].as_array().unwrap();
    assert_eq!(unsaved.len(), 1, "{unsaved:?}");
    assert_eq!(unsaved[0]["path"], "new.json");
    assert!(unsaved[0]["when"].as_u64().unwrap() > 0);
    let new = client.open_tree("new.json");
    assert_eq!(new["hash"], "");
    client
        .call(
            "doc.save",
            json!({"doc": new["doc"], "revision": 0, "hash": ""}),
        )
        .unwrap();
    let project = client.call("project.get", json!({})).unwrap();
    assert_eq!(project["unsaved"], json!([]));
    client
        .call("doc.close", json!({"doc": doc["doc"], "discard": true}))
        .unwrap();
    assert!(client.open_tree("hunt.json").get("draft").is_none());
}

#[test]
fn a_fix_is_made_where_its_problem_is() {
    let studio = Studio::of_monsters();
    let text = studio.text("hunt.json");
    // The old name of an action.
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    let insert = json!([{"do": "insert", "parent": 1, "kind": "action", "name": "search_target"}]);
    let changed = client.edit(&doc, 0, insert).unwrap();
    let problems = client.event("problems", |params| params["revision"] == 1);
    let findings = problems["findings"].as_array().unwrap();
    let finding = findings
        .iter()
        .find(|finding| finding.get("fix").is_some())
        .unwrap();
    assert_eq!(finding["node"], changed["created"][0], "{finding}");
    let fix = json!({"do": "fix", "pointer": finding["pointer"], "code": finding["code"]});
    let fixed = client.edit(&doc, 1, json!([fix])).unwrap();
    assert_ne!(fixed["cards"][0]["title"], "search_target");
    let again = client.edit(&doc, 2, json!([fix])).unwrap_err();
    assert!(
        again["message"]
            .as_str()
            .unwrap()
            .contains("nothing is certain"),
        "{again}"
    );
    assert_eq!(studio.text("hunt.json"), text);
}
