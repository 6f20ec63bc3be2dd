//! Running games, recordings and logs, as a page sees them: each test has a game of its own on a thread of its own.

#[path = "../socket/client.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod client;
#[expect(dead_code, reason = "the port's own tests use more of it")]
#[path = "../../../bt-live/tests/port/game.rs"]
mod game;

mod attach;
mod debugging;
mod files;
mod history;
mod logs;
#[expect(dead_code, reason = "the page's tests ask for all of them")]
mod planted;
mod plays;
mod reasons;
mod reload;
mod restart;
mod stopping;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use bt_core::Registry;
use bt_live::port::Texts;
use bt_studio::games::Source;
use bt_studio::http::Server;
use bt_studio::project::agents;
use bt_studio::project::folders::Folders;
use bt_studio::studio::{self, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

use client::Client;
use game::Game;

/// A studio on the trees of dogs.
pub(crate) struct Studio {
    pub(crate) dir: TempDir,
    port: u16,
    token: String,
}

impl Studio {
    /// That may attach to these.
    pub(crate) fn with(games: Vec<Source>, read_only: bool) -> Studio {
        Studio::of(&game::texts().into(), games, read_only)
    }

    /// On other trees.
    pub(crate) fn of(texts: &Texts, games: Vec<Source>, read_only: bool) -> Studio {
        let dir = tempfile::tempdir().unwrap();
        let trees = dir.path().join("trees");
        fs::create_dir(&trees).unwrap();
        for (name, text) in texts {
            fs::write(trees.join(name), text).unwrap();
        }
        let catalogue = serde_json::to_string(Registry::global().unwrap().catalogue()).unwrap();
        fs::write(dir.path().join("agents.json"), catalogue).unwrap();
        Studio::on(dir, games, read_only)
    }

    pub(crate) fn on(dir: TempDir, games: Vec<Source>, read_only: bool) -> Studio {
        let studio = studio::start(Options {
            folders: Folders::open(&[dir.path().join("trees")]).unwrap(),
            source: agents::Source::File(dir.path().join("agents.json")),
            read_only,
            levels: bt_meta::validate::levels::Levels::default(),
            starts: Vec::new(),
            state: Some(dir.path().join("state")),
            games,
        });
        let server = Server::bind(0, studio).unwrap();
        let url = server.url();
        thread::spawn(move || server.serve());
        let (address, token) = url.split_once("/#").unwrap();
        Studio {
            dir,
            port: address.rsplit(':').next().unwrap().parse().unwrap(),
            token: token.to_owned(),
        }
    }

    /// Attached to a game from the start.
    pub(crate) fn at(game: &Game) -> Studio {
        Studio::with(vec![Source::Game(game.token_file.clone())], false)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("trees").join(name)
    }

    /// A page that has shown the token.
    pub(crate) fn page(&self) -> Client {
        let mut page = Client::open(self.port, &[]).unwrap();
        let hello = json!({ "token": self.token, "protocol": 1 });
        page.call("hello", hello).unwrap();
        page
    }
}

/// The only session, once it is attached.
pub(crate) fn attached(page: &mut Client) -> Value {
    once(page, |session| session["state"] == "attached")
}

/// The only session, once it is as it is to be.
pub(crate) fn once(page: &mut Client, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let games = page.call("games.list", json!({})).unwrap();
        let sessions = games["sessions"].as_array().unwrap();
        match sessions.iter().find(|session| is_it(session)) {
            Some(session) => return session.clone(),
            None => drop(page.event("game", |_| true)),
        }
    }
}

/// The history of an agent, once it has so many records.
pub(crate) fn followed(page: &mut Client, agent: &str, records: u64) -> Value {
    let params = json!({ "session": 1, "agent": agent });
    let history = page.call("game.follow", params).unwrap();
    if history["records"].as_u64().unwrap() >= records && history["complete"] == true {
        return history;
    }
    page.event("game.progress", |history| {
        history["agent"] == agent
            && history["records"].as_u64().unwrap() >= records
            && history["complete"] == true
    })
}

/// The result of a method of the port.
pub(crate) fn port(page: &mut Client, method: &str, params: Value) -> Result<Value, Value> {
    let params = json!({ "session": 1, "method": method, "params": params });
    page.call("game.call", params)
        .map(|called| called["result"].clone())
}

/// Asks for something about an agent.
pub(crate) fn of(page: &mut Client, method: &str, agent: &str, more: Value) -> Value {
    let mut params = json!({ "session": 1, "agent": agent });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    page.call(method, params).unwrap()
}

/// The repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
