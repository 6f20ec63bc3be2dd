//! Recordings: opened, looked into, saved.

use std::fs;

use bt_live::client::Client;
use bt_live::protocol::types::{ListAgents, StartRecording, StopRecording};
use serde_json::{Value, json};

use super::game::Game;
use super::{Studio, attached, followed, of, port};

/// A recording of two dogs that never rest, in a folder of trees.
fn recorded(records: u64) -> (Game, Studio) {
    let game = Game::with(2, "busy.json", |options| options);
    let mut client: Client = game.client();
    let start = StartRecording {
        name: "fight.btrec".to_owned(),
        agents: vec![Game::dog(0), Game::dog(1)],
        keep: false,
    };
    client.call(start).unwrap();
    game.plays_on(records / 10);
    let name = "fight.btrec".to_owned();
    client.call(StopRecording { name }).unwrap();
    let studio = Studio::with(Vec::new(), false);
    let from = game.folder.path().join("recordings").join("fight.btrec");
    fs::copy(from, studio.path("fight.btrec")).unwrap();
    (game, studio)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn recording_opens_with_all_that_its_agents_did() {
    let (_game, studio) = recorded(5_000);
    let mut page = studio.page();
    let files = page.call("games.list", json!({})).unwrap();
    assert_eq!(files["files"][0]["path"], "fight.btrec");
    assert_eq!(files["files"][0]["kind"], "recording");
    let session = page
        .call("game.attach", json!({ "recording": "fight.btrec" }))
        .unwrap();
    assert_eq!(session["kind"], "recording");
    assert_eq!(session["read_only"], true);
    assert_eq!(session["agents"], 2);
    assert_eq!(session["trees"]["busy.json"]["same"], true);
    let dog = Game::dog(1);
    let history = followed(&mut page, &dog, 2_000);
    assert_eq!(history["live"], false);
    let end = number(&history["records"]);
    for at in [0, 1, end / 3, end / 2, end - 1] {
        let moment = of(&mut page, "game.moment", &dog, json!({ "at": at }));
        assert_eq!(moment["at"], at);
        assert_eq!(moment["unknown"], false);
        let asked = json!({ "agent": dog, "at": moment["ns"] });
        if at == end - 1 {
            let picture = port(&mut page, "agent.picture", asked).unwrap();
            assert_eq!(picture["properties"], moment["picture"]["properties"]);
        }
    }
    let table = json!({ "session": 1, "from": 0, "count": 10 });
    let table = page.call("game.agents", table).unwrap();
    assert_eq!(table["total"], 2);
    assert_eq!(table["rows"][0]["state"], "unknown");
    let refused = port(&mut page, "agent.stop", json!({ "agent": dog })).unwrap_err();
    assert_eq!(
        refused["message"],
        "this is a recording: it has no `agent.stop`"
    );
    let tree = json!({ "session": 1, "name": "guard.json" });
    let tree = page.call("game.tree", tree).unwrap();
    assert_eq!(tree["same"], true);
}

#[test]
fn comments_on_a_recording_are_kept_beside_it() {
    let (_game, studio) = recorded(500);
    let mut page = studio.page();
    page.call("game.attach", json!({ "recording": "fight.btrec" }))
        .unwrap();
    let dog = Game::dog(0);
    followed(&mut page, &dog, 100);
    let comment = json!({ "no": 7, "text": "too loud" });
    let all = of(&mut page, "game.comment", &dog, comment);
    assert!(
        all["file"]
            .as_str()
            .unwrap()
            .ends_with("fight.btrec.notes.json")
    );
    page.call("game.detach", json!({ "session": 1 })).unwrap();
    page.event("game.detached", |_| true);
    let session = page
        .call("game.attach", json!({ "recording": "fight.btrec" }))
        .unwrap();
    let follow = json!({ "session": session["id"], "agent": dog });
    page.call("game.follow", follow).unwrap();
    page.event("game.progress", |history| history["complete"] == true);
    let rows = json!({ "session": session["id"], "agent": dog, "from": 7, "count": 1 });
    let rows = page.call("game.rows", rows).unwrap();
    assert_eq!(rows["rows"][0]["comment"], "too loud");
}

#[test]
fn history_of_a_running_game_is_saved_and_opens_again() {
    let game = Game::with(2, "busy.json", |options| options);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(1);
    followed(&mut page, &dog, 3_000);
    let before = of(&mut page, "game.moment", &dog, json!({ "at": 2_500 }));
    let record = json!({ "session": 1, "path": "saved.btrec" });
    let saved = page.call("game.record", record.clone()).unwrap();
    assert!(number(&saved["records"]) >= 3_000, "{saved}");
    assert_eq!(
        number(&saved["bytes"]),
        fs::metadata(studio.path("saved.btrec")).unwrap().len()
    );
    let refused = page.call("game.record", record).unwrap_err();
    assert_eq!(
        refused["message"],
        "`saved.btrec` is there already: choose another name"
    );
    let outside = json!({ "session": 1, "path": "../saved.btrec" });
    assert!(page.call("game.record", outside).is_err());

    let session = page
        .call("game.attach", json!({ "recording": "saved.btrec" }))
        .unwrap();
    assert_eq!(session["trees"].as_object().unwrap().len(), 2);
    let id = session["id"].clone();
    let follow = json!({ "session": id, "agent": dog });
    page.call("game.follow", follow).unwrap();
    page.event("game.progress", |history| {
        history["session"] == id && history["complete"] == true
    });
    let moment = json!({ "session": id, "agent": dog, "at": 2_500 });
    let after = page.call("game.moment", moment).unwrap();
    assert_eq!(
        before["picture"]["properties"],
        after["picture"]["properties"]
    );
    assert_eq!(before["active"], after["active"]);
    assert_eq!(before["explain"], after["explain"]);

    // By other tools, too.
    let mut client = Client::open(studio.path("saved.btrec")).unwrap();
    let agents = client.call(ListAgents::default()).unwrap().agents;
    assert_eq!(agents[0].name, after["picture"]["agent"]["name"]);
}

#[test]
fn recording_that_is_named_on_the_command_line_may_be_anywhere() {
    let (_game, studio) = recorded(100);
    let file = studio.path("fight.btrec");
    let other = Studio::with(
        vec![bt_studio::games::Source::Recording(file.clone())],
        false,
    );
    let mut page = other.page();
    let session = attached(&mut page);
    assert_eq!(session["title"], "fight.btrec");
    let again = page
        .call("game.attach", json!({ "recording": file }))
        .unwrap();
    assert_eq!(again["id"], session["id"]);
}

#[test]
fn hostile_recordings_are_refused_or_end_early() {
    let (_game, studio) = recorded(500);
    let whole = fs::read(studio.path("fight.btrec")).unwrap();
    let mut page = studio.page();
    fs::write(studio.path("letter.btrec"), "Dear Ann").unwrap();
    let refused = page
        .call("game.attach", json!({ "recording": "letter.btrec" }))
        .unwrap_err();
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("no recording of a bt-live port")
    );
    // Bytes of the records are others: what is no record is passed over.
    let mut broken = whole.clone();
    let half = broken.len() / 2;
    for byte in &mut broken[half..half + 200] {
        *byte = 0xc1;
    }
    for (name, bytes) in [
        ("cut.btrec", &whole[..whole.len() / 2]),
        ("odd.btrec", &broken),
    ] {
        fs::write(studio.path(name), bytes).unwrap();
        let Ok(session) = page.call("game.attach", json!({ "recording": name })) else {
            continue;
        };
        let follow = json!({ "session": session["id"], "agent": Game::dog(0) });
        page.call("game.follow", follow).unwrap();
        let id = session["id"].clone();
        page.event("game.progress", |it| {
            it["session"] == id && it["complete"] == true
        });
        let moment = json!({ "session": id, "agent": Game::dog(0) });
        page.call("game.moment", moment).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn comments_and_recordings_are_written_over_no_link() {
    use std::os::unix::fs::symlink;
    let (_game, studio) = recorded(500);
    let secret = studio.path("..").join("secret.json");
    let notes = studio.path("fight.btrec.notes.json");
    let mut page = studio.page();
    page.call("game.attach", json!({ "recording": "fight.btrec" }))
        .unwrap();
    let dog = Game::dog(0);
    followed(&mut page, &dog, 100);
    let comment = json!({ "session": 1, "agent": dog, "no": 7, "text": "too loud" });
    let make_pipe = || {
        let pipe = std::process::Command::new("mkfifo").arg(&notes).status();
        assert!(pipe.unwrap().success());
    };
    let make_link = || {
        fs::write(&secret, "{\"agents\": {}}").unwrap();
        symlink(&secret, &notes).unwrap();
    };
    let makes: [(&str, &dyn Fn()); 2] = [("is a link", &make_link), ("it is a pipe", &make_pipe)];
    for (why, make) in makes {
        make();
        let refused = page.call("game.comment", comment.clone()).unwrap_err();
        assert!(
            refused["message"].as_str().unwrap().contains(why),
            "{refused}"
        );
        fs::remove_file(&notes).unwrap();
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "{\"agents\": {}}");

    let nowhere = studio.path("..").join("nowhere");
    symlink(&nowhere, studio.path("saved.btrec")).unwrap();
    symlink(studio.path("fight.btrec"), studio.path("link.btrec")).unwrap();
    for record in ["saved.btrec", "link.btrec"] {
        let asked = json!({ "session": 1, "path": record });
        assert!(page.call("game.record", asked).is_err(), "{record}");
        assert!(
            fs::symlink_metadata(studio.path(record))
                .unwrap()
                .is_symlink()
        );
        let open = json!({ "recording": record });
        let refused = page.call("game.attach", open).unwrap_err();
        assert!(
            refused["message"].as_str().unwrap().contains("is a link"),
            "{refused}"
        );
    }
    assert!(!nowhere.exists());
}
