//! Tests of the clients' view.

use bt_live::protocol::types::*;

use crate::game::Game;

#[test]
fn hello_names_the_game_its_crates_and_its_trees() {
    let game = Game::of(1);
    let client = game.client();
    let welcome = client.welcome();
    assert_eq!(welcome.game, "dogs");
    assert_eq!(welcome.version, bt_live::protocol::VERSION);
    assert!(welcome.crates.contains(&"bt-live".to_owned()));
    let names: Vec<_> = welcome.trees.keys().collect();
    assert_eq!(names, ["busy.json", "guard.json"]);
    assert!(!welcome.read_only && !welcome.recording);
}

#[test]
fn agents_are_listed_in_pages_and_by_a_filter() {
    let game = Game::of(250);
    let mut client = game.client();
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let page = client
            .call(ListAgents {
                after,
                ..ListAgents::default()
            })
            .unwrap();
        assert!(page.agents.len() <= 100);
        found.extend(page.agents);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found.len(), 250);
    let first = &found[0];
    assert_eq!(first.id, Game::dog(0));
    assert_eq!(first.tree, "guard.json");
    assert!(first.agent_type.ends_with("dog"), "{}", first.agent_type);
    assert!(first.running && !first.paused);
    let filter = Some("17v1".to_owned());
    let page = client.call(ListAgents {
        filter,
        ..ListAgents::default()
    });
    let names = page.unwrap().agents.into_iter().map(|agent| agent.name);
    assert_eq!(names.collect::<Vec<_>>(), ["17v1", "117v1", "217v1"]);
}

#[test]
fn picture_shows_active_nodes_waiting_leaves_keys_and_properties() {
    let game = Game::of(1);
    let mut client = game.client();
    game.between(|pool, _| {
        let id = pool.iter().next().unwrap().0;
        pool.get_mut(id).unwrap().1.blackboard().set("hp", 7);
    });
    let agent = Game::dog(0);
    let picture = client.call(GetPicture { agent, at: None }).unwrap();
    let active: Vec<_> = picture.active.iter().map(|node| &*node.kind).collect();
    assert_eq!(active, ["root", "sequence", "wait_event"]);
    assert_eq!(picture.active[2].name, "stick");
    assert_eq!(picture.leaves.len(), 1);
    assert_eq!(picture.blackboard["hp"], 7);
    assert_eq!(picture.properties["trust"], 5);
}

#[test]
fn explain_says_what_the_runner_says() {
    let game = Game::of(1);
    let mut client = game.client();
    game.plays_on(2);
    let agent = Game::dog(0);
    let explained = client.call(Explain { agent, at: None }).unwrap();
    assert!(
        explained.text.contains("until event `stick` comes"),
        "{}",
        explained.text
    );
    assert_eq!(explained.explanation["tree"], "guard.json");
}

#[test]
fn tree_is_shown_with_its_hash_and_the_places_of_its_nodes() {
    let game = Game::of(1);
    let mut client = game.client();
    let name = "guard.json".to_owned();
    let tree = client.tree(&name).unwrap();
    assert_eq!(tree.hash, client.welcome().trees["guard.json"]);
    let place = tree.nodes.iter().find(|node| node.kind == "wait_event");
    let place = place.unwrap();
    let lines: Vec<_> = tree.text.lines().collect();
    let near = lines[place.line as usize - 1..].join("\n");
    let node = near.split_once("\n    }").unwrap().0;
    assert!(
        node.starts_with("    {") && node.contains("\"wait_event\""),
        "{node}"
    );
    assert_eq!(place.column, 5);
}

#[test]
fn catalogue_has_the_agents_actions_and_events() {
    let game = Game::of(1);
    let mut client = game.client();
    let catalogue = client.call(GetCatalogue {}).unwrap();
    assert_eq!(catalogue.hash, client.welcome().catalogue);
    let text = catalogue.catalogue.to_string();
    assert!(text.contains("\"bark\"") && text.contains("\"stick\""));
}

#[test]
fn unknown_names_are_refused_with_what_there_is() {
    let game = Game::of(1);
    let mut client = game.client();
    let refused = client.call_by_name("agent.fly", serde_json::json!({}));
    let refused = refused.unwrap_err().to_string();
    assert!(refused.starts_with("there is no method \"agent.fly\"; there are `hello`"));
    let refused = client.call(GetTree {
        name: "gard.json".to_owned(),
        page: None,
    });
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "there is no tree \"gard.json\"");
    let agent = "99".to_owned();
    let refused = client.call(Explain { agent, at: None }).unwrap_err();
    assert_eq!(refused.to_string(), "there is no agent \"99\"");
    let refused = client.call_by_name("agent.picture", serde_json::json!({"agnt": "0"}));
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.starts_with("`agent.picture`: unknown field `agnt`"),
        "{refused}"
    );
}
