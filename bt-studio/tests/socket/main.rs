//! The server as a browser sees it.

#[cfg(unix)]
#[path = "../../../bt-meta/tests/common/hostile_repository.rs"]
mod hostile_repository;

mod client;
mod disk;
mod documents;
mod review;
mod search;
mod security;
mod snippets;
mod speed;
mod trees;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use bt_studio::http::Server;
use bt_studio::project::agents::Source;
use bt_studio::project::folders::Folders;
use bt_studio::studio::{self, Options};
use tempfile::TempDir;

use client::Client;

/// A studio on trees of its own.
pub(crate) struct Studio {
    pub(crate) dir: TempDir,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Studio {
    /// On the trees of the monsters.
    pub(crate) fn of_monsters() -> Studio {
        Studio::of("examples/monster/trees", false)
    }

    pub(crate) fn of(folder: &str, read_only: bool) -> Studio {
        let dir = tempfile::tempdir().unwrap();
        let trees = dir.path().join("trees");
        fs::create_dir(&trees).unwrap();
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for entry in fs::read_dir(repository.join(folder)).unwrap() {
            let from = entry.unwrap().path();
            if from.is_file() {
                fs::copy(&from, trees.join(from.file_name().unwrap())).unwrap();
            }
        }
        let catalogue = dir.path().join("agents.json");
        fs::copy(
            repository.join("examples/monster/editor/agents.json"),
            &catalogue,
        )
        .unwrap();
        Studio::on(dir, read_only)
    }

    /// On the folder `trees` in another, with the `agents.json` that is in there.
    pub(crate) fn on(dir: TempDir, read_only: bool) -> Studio {
        let studio = studio::start(Options {
            folders: Folders::open(&[dir.path().join("trees")]).unwrap(),
            source: Source::File(dir.path().join("agents.json")),
            read_only,
            levels: bt_meta::validate::levels::Levels::default(),
            starts: Vec::new(),
            games: Vec::new(),
            state: Some(dir.path().join("state")),
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

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("trees").join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A client that has shown the token.
    pub(crate) fn client(&self) -> Client {
        let mut client = Client::open(self.port, &[]).unwrap();
        client
            .call(
                "hello",
                serde_json::json!({"token": self.token, "protocol": 1}),
            )
            .unwrap();
        client
    }
}
