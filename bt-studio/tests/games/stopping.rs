//! Stopping is safe: a breakpoint stops whom it is for, and nobody stays stopped when the studio goes.

use serde_json::{Value, json};

use super::game::Game;
use super::{Studio, attached, followed, once, port};

/// The breakpoints at which agents of these names stop when they bark.
fn at_bark(agents: Option<&str>) -> Value {
    let mut point = json!({ "enabled": true, "spec": { "on": "call", "name": "bark" } });
    if let Some(agents) = agents {
        point["agents"] = agents.into();
    }
    json!({ "breakpoints": [point] })
}

fn stopped(page: &mut super::client::Client) -> Vec<String> {
    let list = port(page, "agents.stopped", json!({})).unwrap();
    let stops = list["stops"].as_array().unwrap().iter();
    stops
        .map(|stop| stop["agent"].as_str().unwrap().to_owned())
        .collect()
}

fn throw(page: &mut super::client::Client, dog: &str) {
    let fire = json!({ "agent": dog, "event": "stick", "params": { "length": 4 } });
    port(page, "agent.fire", fire).unwrap();
}

fn name_of(page: &mut super::client::Client, dog: &str) -> String {
    let list = port(page, "agents.list", json!({})).unwrap();
    let mut all = list["agents"].as_array().unwrap().iter();
    let one = all.find(|one| one["id"] == dog).unwrap();
    one["name"].as_str().unwrap().to_owned()
}

#[test]
fn breakpoint_of_one_agent_stops_no_other() {
    let game = Game::of(3);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dogs: Vec<String> = (0..3).map(Game::dog).collect();
    let name = name_of(&mut page, &dogs[1]);
    page.call("breakpoints.put", at_bark(Some(&name))).unwrap();
    // It is set once the game has said which agent that is.
    while port(&mut page, "breakpoints.list", json!({})).unwrap()["breakpoints"] == json!([]) {
        game.plays_on(1);
    }
    for dog in &dogs {
        throw(&mut page, dog);
    }
    once(&mut page, |session| session["stops"] != json!([]));
    game.plays_on(20);
    assert_eq!(stopped(&mut page), [dogs[1].clone()]);
}

#[test]
fn agent_that_dies_while_it_is_stopped_leaves_the_list() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    page.call("breakpoints.put", at_bark(None)).unwrap();
    throw(&mut page, &Game::dog(0));
    throw(&mut page, &Game::dog(1));
    once(&mut page, |session| {
        session["stops"].as_array().map(Vec::len) == Some(2)
    });
    game.between(|pool, _| {
        pool.despawn(bt_core::pool::AgentId::from((0, 1)));
    });
    let session = once(&mut page, |session| {
        session["stops"].as_array().map(Vec::len) == Some(1)
    });
    assert_eq!(session["stops"][0]["agent"], Game::dog(1));
}

#[test]
fn detaching_lets_everybody_continue_also_where_the_breakpoint_is_gone() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    followed(&mut page, &Game::dog(0), 1);
    page.call("breakpoints.put", at_bark(None)).unwrap();
    throw(&mut page, &Game::dog(0));
    throw(&mut page, &Game::dog(1));
    once(&mut page, |session| {
        session["stops"].as_array().map(Vec::len) == Some(2)
    });
    // The breakpoint goes, and those that stand at it stay.
    page.call("breakpoints.put", json!({ "breakpoints": [] }))
        .unwrap();
    game.plays_on(5);
    assert_eq!(stopped(&mut page).len(), 2);
    page.call("game.detach", json!({ "session": 1 })).unwrap();
    let mut client = game.client();
    for _ in 0..200 {
        let list = client.call_by_name("agents.stopped", json!({})).unwrap();
        if list["stops"] == json!([]) {
            return;
        }
        game.plays_on(1);
    }
    panic!("somebody is still stopped");
}
