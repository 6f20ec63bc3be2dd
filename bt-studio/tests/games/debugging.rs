//! Breakpoints of the project, stops, forced nodes, two pages.

use std::fs;

use serde_json::{Value, json};

use super::game::Game;
use super::{Studio, attached, followed, of, once, port};

fn stored(on: &str, name: &str, enabled: bool) -> Value {
    json!({ "enabled": enabled, "spec": { "on": on, "name": name }, "note": "why?" })
}

#[test]
fn breakpoints_are_kept_in_the_projects_file_and_set_on_the_game() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let file = studio.path(".bt-studio.json");
    fs::write(&file, "{\n  \"theirs\": [1,  2]\n}\n").unwrap();
    let (mut page, mut other) = (studio.page(), studio.page());
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    let all = json!([stored("call", "bark", true), stored("call", "howl", false)]);
    let put = json!({ "breakpoints": all });
    let answer = page.call("breakpoints.put", put).unwrap();
    assert_eq!(answer["breakpoints"], all);
    assert_eq!(answer["saved"], true);
    let event = other.event("breakpoints", |_| true);
    assert_eq!(event["breakpoints"], all);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"theirs\": [1,  2]"), "{text}");
    assert!(text.contains("\"bark\""), "{text}");
    let list = port(&mut page, "breakpoints.list", json!({})).unwrap();
    assert_eq!(
        list["breakpoints"].as_array().unwrap().len(),
        1,
        "one is disabled"
    );

    let fire = json!({ "agent": dog, "event": "stick", "params": { "length": 4 } });
    port(&mut page, "agent.fire", fire).unwrap();
    let stop = page.event("game.event", |event| event["event"] == "stopped");
    assert_eq!(stop["params"]["record"], "node_action");
    let session = once(&mut other, |session| session["stops"] != json!([]));
    assert_eq!(session["stops"][0]["agent"], dog);
    let moment = of(&mut page, "game.moment", &dog, json!({}));
    assert_eq!(
        moment["picture"]["stop"]["number"],
        stop["params"]["number"]
    );
    let line = of(&mut page, "game.timeline", &dog, json!({ "buckets": 100 }));
    let stops = line["buckets"].as_array().unwrap().iter();
    assert_eq!(
        stops
            .map(|part| part["stops"].as_u64().unwrap())
            .sum::<u64>(),
        1
    );
    let step = json!({ "agent": dog, "number": stop["params"]["number"], "step": "continue" });
    port(&mut page, "agent.step", step).unwrap();
    once(&mut other, |session| session["stops"] == json!([]));
}

#[test]
fn breakpoints_of_the_file_are_there_after_a_change_on_the_disk() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let text = json!({ "breakpoints": { "all": [stored("call", "bark", true)] } }).to_string();
    fs::write(studio.path(".bt-studio.json"), text).unwrap();
    let event = page.event("breakpoints", |event| event["breakpoints"] != json!([]));
    assert_eq!(event["breakpoints"][0]["spec"]["name"], "bark");
    let mut set = 0;
    while set == 0 {
        let list = port(&mut page, "breakpoints.list", json!({})).unwrap();
        set = list["breakpoints"].as_array().unwrap().len();
    }
    fs::write(studio.path(".bt-studio.json"), "{").unwrap();
    let event = page.event("breakpoints", |event| event.get("problem").is_some());
    assert!(
        event["problem"]
            .as_str()
            .unwrap()
            .contains(".bt-studio.json")
    );
}

#[test]
fn breakpoints_that_cannot_be_are_refused_or_told() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let mut of_one = stored("call", "bark", true);
    of_one["spec"]["agents"] = json!(["7"]);
    let put = json!({ "breakpoints": [of_one] });
    let refused = page.call("breakpoints.put", put).unwrap_err();
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("names no agents by id")
    );
    let mut odd = stored("call", "bark", true);
    odd["spec"]["condition"] = "health ~ 3".into();
    page.call("breakpoints.put", json!({ "breakpoints": [odd] }))
        .unwrap();
    let event = page.event("breakpoints", |event| event.get("problem").is_some());
    let why = event["problem"].as_str().unwrap();
    assert!(
        why.starts_with("`token` refuses the breakpoints: "),
        "{why}"
    );
}

#[test]
fn read_only_studio_keeps_breakpoints_in_memory() {
    let game = Game::of(1);
    let studio = Studio::with(
        vec![bt_studio::games::Source::Game(game.token_file.clone())],
        true,
    );
    let mut page = studio.page();
    attached(&mut page);
    let put = json!({ "breakpoints": [stored("call", "bark", true)] });
    let all = page.call("breakpoints.put", put).unwrap();
    assert_eq!(all["saved"], false);
    let all = page.call("breakpoints.get", json!({})).unwrap();
    assert_eq!(all["breakpoints"].as_array().unwrap().len(), 1);
    assert!(!studio.path(".bt-studio.json").exists());
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    let record = json!({ "session": 1, "path": "fight.btrec" });
    let refused = page.call("game.record", record).unwrap_err();
    assert_eq!(refused["code"], 2);
}

#[test]
fn forced_nodes_are_listed_for_all_pages() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let (mut page, mut other) = (studio.page(), studio.page());
    attached(&mut page);
    let dog = Game::dog(1);
    let force = json!({ "agent": dog, "tree": "guard.json", "idx": 3, "forced": "disabled" });
    port(&mut page, "agent.force", force).unwrap();
    let session = once(&mut other, |session| session["forced"] != json!([]));
    let node = json!({ "agent": dog, "tree": "guard.json", "idx": 3, "forced": "disabled" });
    assert_eq!(session["forced"], json!([node]));
    let force = json!({ "agent": dog, "tree": "guard.json", "idx": 3 });
    port(&mut page, "agent.force", force).unwrap();
    once(&mut other, |session| session["forced"] == json!([]));
}

#[test]
fn pages_share_what_is_followed() {
    let game = Game::with(1, "busy.json", |options| options);
    let studio = Studio::at(&game);
    let (mut page, mut other) = (studio.page(), studio.page());
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 500);
    let history = followed(&mut other, &dog, 1);
    assert!(history["records"].as_u64().unwrap() >= 500, "{history}");
    drop(page);
    let before = history["records"].as_u64().unwrap();
    other.event("game.progress", |history| {
        history["records"].as_u64().unwrap() > before + 100
    });
    let params = json!({ "session": 1, "agent": dog });
    other.call("game.unfollow", params).unwrap();
    once(&mut other, |session| session["followed"] == json!([]));
    game.plays_on(10);
    assert_eq!(game.between(|_, port| port.statistics().followed), 0);
}
