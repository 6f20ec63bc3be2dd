//! The tools that look into a game, and those that change it.

use serde_json::json;

use super::{Client, Monster};
use crate::game::{Game, tree};

fn attached(game: &Game, args: &[&str]) -> Client {
    let folder = game.folder.path().join("trees");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("wait.json"), tree()).unwrap();
    let token = game.folder.path().join("token.json");
    let agents = Monster::new();
    let catalogue = agents.trees().join("../editor/agents.json");
    let all = [
        &[
            "--attach",
            token.to_str().unwrap(),
            "--catalogue",
            catalogue.to_str().unwrap(),
        ],
        args,
    ]
    .concat();
    let mut client = Client::start(&folder, &all);
    // The catalogue is read by then.
    client.done("agents", json!({}));
    client
}

#[test]
fn agents_of_a_game_are_listed_explained_followed_and_changed() {
    let game = Game::new();
    let mut client = attached(&game, &["--control"]);
    let tools = client.request("tools/list", json!({}));
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 18);
    let agents = client.done("live_agents", json!({}));
    let name = agents["data"]["agents"][0]["agent"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        agents["data"]["agents"][0]["waits_at"]
            .as_str()
            .unwrap()
            .contains("bell"),
        "{agents:#}"
    );
    let why = client.done("live_explain", json!({ "agent": name }));
    assert!(why["data"]["why"].to_string().contains("bell"), "{why:#}");
    let fired = client.done("live_fire", json!({"agent": name, "event": "bell"}));
    assert_eq!(fired["data"]["fired"], "bell");
    let trace = client.done("live_trace", json!({"agent": name, "seconds": 0.5}));
    assert!(
        trace["data"]["records"]
            .as_array()
            .is_some_and(|records| !records.is_empty()),
        "{trace:#}"
    );
    let set = client.done("live_set", json!({"agent": name, "values": {"rung": 40}}));
    assert_eq!(set["data"]["set"], json!(["rung"]));
    let stopped = client.done("live_step", json!({"agent": name, "step": "stop"}));
    assert!(stopped["note"].is_string() || stopped["data"]["stopped"].is_string());
    client.done("live_fire", json!({"agent": name, "event": "bell"}));
    let reloaded = client.done(
        "live_reload",
        json!({"trees": ["wait.json"], "check": true}),
    );
    assert_eq!(reloaded["note"], "nothing is wrong");
    client.tool("live_step", json!({"agent": name, "step": "continue"}));
    client.done("live_reload", json!({"trees": ["wait"]}));
    std::fs::write(
        game.folder.path().join("trees/wait.json"),
        tree().replace("number_add", "nmber_add"),
    )
    .unwrap();
    let answer = client.tool("live_reload", json!({"trees": ["wait.json"]}));
    assert_eq!(answer["error"]["code"], "invalid");
    assert!(
        answer["data"]["problems"][0]["message"]
            .as_str()
            .unwrap()
            .contains("nmber_add"),
        "{answer:#}"
    );
    for (tool, arguments, words) in [
        (
            "live_explain",
            json!({"agent": "nobody"}),
            "there is no agent `nobody`",
        ),
        (
            "live_fire",
            json!({"agent": "nobody", "event": "bell"}),
            "there is no agent `nobody`",
        ),
        (
            "live_step",
            json!({"agent": name, "step": "sideways"}),
            "not stopped",
        ),
        (
            "live_set",
            json!({"agent": name, "values": {"@no": 1}}),
            "no",
        ),
    ] {
        let (_, said) = client.refused(tool, arguments);
        assert!(said.contains(words), "{tool}: {said}");
    }
}

#[test]
fn game_is_not_changed_without_control_and_may_come_later() {
    let game = Game::new();
    for args in [&[][..], &["--control", "--read-only"]] {
        let mut client = attached(&game, args);
        let tools = client.request("tools/list", json!({}));
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 14);
        let answer = client.request("tools/call", json!({"name": "live_fire", "arguments": {}}));
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("`--control`")
        );
    }
    let monster = Monster::new();
    let missing = monster.trees().join("../token.json");
    let mut client = monster.client(&["--attach", missing.to_str().unwrap()]);
    let (_, said) = client.refused("live_agents", json!({}));
    assert!(said.contains("start the game with its port open"), "{said}");
}
