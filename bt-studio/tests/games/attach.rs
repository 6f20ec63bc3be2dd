//! Attaching, asking, detaching.

use bt_live::port::Options;
use bt_studio::games::Source;
use serde_json::{Value, json};

use super::game::{Dog, Game};
use super::{Studio, attached, once, port};
use bt_core::pool::AgentId;

#[test]
fn page_attaches_to_a_running_game_by_its_id() {
    let game = Game::of(3);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    let session = page
        .call("game.attach", json!({ "game": "token" }))
        .unwrap();
    assert_eq!(session["kind"], "game");
    assert_eq!(session["state"], "attached");
    assert_eq!(session["game"]["game"], "dogs");
    assert_eq!(session["trees"]["guard.json"]["path"], "guard.json");
    assert_eq!(session["trees"]["guard.json"]["same"], true);
    let again = page
        .call("game.attach", json!({ "game": "token" }))
        .unwrap();
    assert_eq!(again["id"], session["id"], "two pages share a session");
    let list = page.call("games.list", json!({})).unwrap();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_attached_to_is_refused_with_the_reason() {
    let game = Game::of(1);
    let studio = Studio::with(vec![Source::Recording("/no/such.btrec".into())], false);
    drop(game);
    let mut page = studio.page();
    for (params, why) in [
        (json!({}), "expected exactly one of"),
        (
            json!({ "game": "token", "listen": 0 }),
            "expected exactly one of",
        ),
        (
            json!({ "game": "nobody-1" }),
            "no game \"nobody-1\" runs with a port",
        ),
        (
            json!({ "recording": "../secret.btrec" }),
            "is no path of a recording",
        ),
        (
            json!({ "recording": "guard.json" }),
            "it does not end with `.btrec`",
        ),
        (
            json!({ "recording": "none.btrec" }),
            "cannot read `none.btrec`: there is no such file",
        ),
        (json!({ "log": "/etc/passwd" }), "is no path of a tree"),
        (
            json!({ "log": "guard.json" }),
            "is no log of the original's debugger",
        ),
        (
            json!({ "recording": "/no/such.btrec" }),
            "cannot read `/no/such.btrec`: there is no such file",
        ),
    ] {
        let refused = page.call("game.attach", params.clone()).unwrap_err();
        let said = refused["message"].as_str().unwrap();
        assert!(said.contains(why), "{params}: {said}");
    }
    let list = page.call("games.list", json!({})).unwrap();
    assert_eq!(list["sessions"], json!([]));
    let refused = page
        .call("game.detach", json!({ "session": 7 }))
        .unwrap_err();
    assert_eq!(
        refused["message"],
        "there is no session 7: attach with `game.attach`"
    );
}

#[test]
fn game_answers_what_its_port_can() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let agents = port(&mut page, "agents.list", json!({})).unwrap();
    assert_eq!(agents["agents"].as_array().unwrap().len(), 2);
    let dog = Game::dog(0);
    let set = json!({ "agent": dog, "key": "hungry", "value": 3 });
    port(&mut page, "agent.set_key", set).unwrap();
    let picture = port(&mut page, "agent.picture", json!({ "agent": dog })).unwrap();
    assert_eq!(picture["blackboard"]["hungry"], 3);
    let refused = port(&mut page, "agent.fly", json!({})).unwrap_err();
    assert_eq!(refused["code"], -32601);
    for own in ["hello", "agent.follow", "agent.unfollow", "breakpoints.set"] {
        let refused = port(&mut page, own, json!({})).unwrap_err();
        let said = refused["message"].as_str().unwrap();
        assert!(said.contains("the studio's own to say"), "{said}");
    }
}

#[test]
fn trees_of_the_game_are_shown_with_their_cards() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    std::fs::remove_file(studio.path("busy.json")).unwrap();
    once(&mut page, |session| {
        session["trees"]["busy.json"]["path"].is_null()
    });
    let params = json!({ "session": 1, "name": "busy.json" });
    let tree = page.call("game.tree", params).unwrap();
    assert!(tree["text"].as_str().unwrap().contains("bark"));
    assert_eq!(tree["view"]["cards"][0]["kind"], "root");
    assert!(tree.get("same").is_none());
    let params = json!({ "session": 1, "name": "none.json" });
    let refused = page.call("game.tree", params).unwrap_err();
    assert_eq!(refused["message"], "there is no tree \"none.json\"");
}

#[test]
fn table_of_agents_is_filtered_and_sorted() {
    let game = Game::with(40, "guard.json", |options| options);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    game.between(|pool, _| {
        for (place, name) in [(3, "busy.json"), (4, "busy.json")] {
            let id = AgentId::from((place, 1));
            pool.get_mut(id).unwrap().1.load(name).unwrap();
        }
        pool.get_mut(AgentId::from((5, 1))).unwrap().1.pause();
    });
    game.plays_on(10);
    let mut table = |more: Value| {
        let mut params = json!({ "session": 1, "from": 0, "count": 100 });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        page.call("game.agents", params).unwrap()
    };
    let all = table(json!({}));
    assert_eq!(all["total"], 40);
    assert_eq!(all["rows"].as_array().unwrap().len(), 40);
    assert_eq!(all["rows"][0]["leaf"]["name"], "stick");
    assert_eq!(all["rows"][0]["state"], "runs");
    assert_eq!(all["rows"][5]["state"], "paused");
    let busy = table(json!({ "filter": "BUSY" }));
    assert_eq!(busy["total"], 2);
    let last = table(json!({ "sort": "tree", "count": 1 }));
    assert_eq!(last["rows"][0]["tree"], "busy.json");
    let last = table(json!({ "sort": "waits", "descending": true, "from": 38 }));
    assert_eq!(last["rows"].as_array().unwrap().len(), 2);
    assert!(
        last["rows"][1].get("leaf").is_none(),
        "who waits for nothing comes last"
    );
    assert_eq!(
        table(json!({ "filter": "nobody" }))["rows"],
        json!([]),
        "an empty filter result is no error"
    );
    let _: Option<Dog> = None;
}

#[test]
fn read_only_game_is_looked_at_and_not_changed() {
    let game = Game::with(1, "guard.json", Options::read_only);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    let session = attached(&mut page);
    assert_eq!(session["read_only"], true);
    let refused = port(&mut page, "agent.stop", json!({ "agent": Game::dog(0) })).unwrap_err();
    assert_eq!(refused["code"], 2);
    let doc = page.open_tree("guard.json");
    let save = json!({ "doc": doc["doc"], "revision": 0 });
    page.call("doc.save", save).unwrap();
    let report = page.event("game.reloaded", |_| true);
    assert!(report["why"].as_str().unwrap().contains("read-only"));
}

#[test]
fn detached_session_is_gone_for_all_pages() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let (mut page, mut other) = (studio.page(), studio.page());
    attached(&mut page);
    attached(&mut other);
    page.call("game.detach", json!({ "session": 1 })).unwrap();
    for page in [&mut page, &mut other] {
        page.event("game.detached", |gone| gone["session"] == 1);
    }
    let refused = port(&mut page, "agents.list", json!({})).unwrap_err();
    assert_eq!(
        refused["message"],
        "there is no session 1: attach with `game.attach`"
    );
    assert_eq!(game.between(|_, port| port.statistics().clients), 0);
}
