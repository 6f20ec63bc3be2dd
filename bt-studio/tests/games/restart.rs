//! Games that end, come back, are others, or do not answer.

use std::fs;
use std::sync::mpsc;
use std::thread;

use bt_live::port::Options;
use serde_json::json;
use tempfile::TempDir;

use super::game::Game;
use super::{Studio, attached, followed, of, once, port};

/// A game whose token file stays at its place when it is started anew.
fn game_at(folder: &TempDir, dogs: usize, tree: &str) -> Game {
    let file = folder.path().join("kennel-1.json");
    let mut game = Game::with(dogs, tree, |options: Options| options.token_file(&file));
    game.token_file = file;
    game
}

#[test]
fn lost_game_is_found_again_and_what_was_followed_is_followed_again() {
    let folder = tempfile::tempdir().unwrap();
    let game = game_at(&folder, 2, "busy.json");
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let spec = json!({ "on": "call", "name": "howl" });
    let put = json!({ "breakpoints": [{ "enabled": true, "spec": spec }] });
    page.call("breakpoints.put", put).unwrap();
    let dog = Game::dog(1);
    let before = followed(&mut page, &dog, 300);
    drop(game);
    let lost = once(&mut page, |session| session["state"] == "lost");
    assert_eq!(lost["why"], "it has ended, or closed its port");
    let refused = port(&mut page, "agents.list", json!({})).unwrap_err();
    assert_eq!(refused["code"], 12, "{refused}");
    // What is known of it stays.
    let last = before["records"].as_u64().unwrap() - 1;
    let moment = of(&mut page, "game.moment", &dog, json!({ "at": last }));
    assert_eq!(moment["at"], last);

    let _game = game_at(&folder, 2, "busy.json");
    let back = once(&mut page, |session| session["state"] == "attached");
    assert_eq!(back["restarts"], 1);
    let old = format!("{dog}~1");
    let session = once(&mut page, |session| {
        session["followed"].as_array().unwrap().len() == 2
    });
    assert_eq!(session["followed"][0]["agent"], dog);
    assert_eq!(session["followed"][0]["live"], true);
    assert_eq!(session["followed"][1]["agent"], old.as_str());
    assert_eq!(session["followed"][1]["live"], false);
    page.event("game.progress", |history| {
        history["agent"] == dog.as_str() && history["records"].as_u64().unwrap() > 100
    });
    let moment = of(&mut page, "game.moment", &old, json!({ "at": last }));
    assert_eq!(moment["at"], last, "what was before the restart stays");
    let list = port(&mut page, "breakpoints.list", json!({})).unwrap();
    assert_eq!(list["breakpoints"][0]["spec"], spec, "they are set again");
}

#[test]
fn game_of_other_trees_and_agents_takes_the_place_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let game = game_at(&folder, 3, "guard.json");
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(2);
    followed(&mut page, &dog, 1);
    drop(game);
    once(&mut page, |session| session["state"] == "lost");
    // There is no third dog any more.
    let _game = game_at(&folder, 1, "busy.json");
    once(&mut page, |session| {
        session["state"] == "attached" && session["restarts"] == 1
    });
    let session = once(&mut page, |session| session["followed"][0]["live"] == false);
    assert_eq!(session["followed"][0]["agent"], dog);
    let table = json!({ "session": 1, "from": 0, "count": 10 });
    let table = page.call("game.agents", table).unwrap();
    assert_eq!(table["total"], 1);
    assert_eq!(table["rows"][0]["tree"], "busy.json");
}

#[test]
fn game_that_dies_in_the_middle_of_a_poll_is_lost_with_its_last_records_kept() {
    let folder = tempfile::tempdir().unwrap();
    let game = game_at(&folder, 1, "busy.json");
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 100);
    // Its thread stands still in the middle of a frame, and the port with it: as a process that is being killed.
    let (ends, ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        game.between(move |_, _| _ = ended.recv());
        drop(game);
    });
    let lost = once(&mut page, |session| session["state"] == "lost");
    let why = "it may stand in a debugger, or not poll its port";
    assert_eq!(lost["why"], why);
    let rows = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "from": 0, "count": 100 }),
    );
    assert_eq!(rows["rows"].as_array().unwrap().len(), 100);
    ends.send(()).unwrap();
    once(&mut page, |session| {
        session["why"] == "it has ended, or closed its port"
    });
    let history = followed(&mut page, &dog, 100);
    assert_eq!(history["live"], true, "it is looked for by its name");
}

#[test]
fn stalled_game_keeps_nobody_from_editing() {
    let folder = tempfile::tempdir().unwrap();
    let game = game_at(&folder, 1, "guard.json");
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let doc = page.open_tree("guard.json");
    let (ends, ended) = mpsc::channel::<()>();
    let stalled = thread::spawn(move || {
        game.between(move |_, _| _ = ended.recv());
        game
    });
    // A request that nobody answers, then edits.
    let call = json!({ "session": 1, "method": "agents.list", "params": {} });
    let request = json!({ "jsonrpc": "2.0", "id": "later", "method": "game.call", "params": call });
    page.send(&request.to_string()).unwrap();
    for revision in 0..20 {
        let edits = json!([{ "do": "insert", "parent": 1, "kind": "sequence" }]);
        page.edit(&doc, revision, edits).unwrap();
    }
    let save = json!({ "doc": doc["doc"], "revision": 20 });
    page.call("doc.save", save).unwrap();
    once(&mut page, |session| session["state"] == "lost");
    ends.send(()).unwrap();
    let _game = stalled.join().unwrap();
    let report = page.event("game.reloaded", |_| true);
    assert_eq!(report["tree"], "guard.json");
    once(&mut page, |session| session["state"] == "attached");
}

#[test]
fn game_whose_token_file_others_can_read_is_not_attached_to() {
    let folder = tempfile::tempdir().unwrap();
    let game = game_at(&folder, 1, "guard.json");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let open = fs::Permissions::from_mode(0o644);
        fs::set_permissions(&game.token_file, open).unwrap();
        let studio = Studio::at(&game);
        let mut page = studio.page();
        let refused = page
            .call("game.attach", json!({ "game": "kennel-1" }))
            .unwrap_err();
        let said = refused["message"].as_str().unwrap();
        assert!(said.contains("other users can read it"), "{said}");
    }
    game.plays_on(1);
}
