//! The bytes are an `agents.json`, and after a byte of 0 a tree that is checked against it.

use std::path::PathBuf;

use bt_meta::check::{self, File};
use bt_meta::files::render;
use bt_meta::layout::Options;
use bt_meta::{list, protocol};

/// Lists it, lays out the editor's files, and checks the tree, by each agent and by the last.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let catalogue = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let Ok(catalogue) = protocol::parse(&catalogue) else {
        return;
    };
    let file = File {
        name: "t.json".to_owned(),
        path: PathBuf::from("t.json"),
        bytes: parts.next().unwrap_or_default().to_vec(),
    };
    let _ = list::text(&catalogue, None);
    let _ = render(&catalogue, &Options::default());
    let last = catalogue.agents.last().map(|agent| agent.full_name.clone());
    let files = [file];
    for agent in [None, last.as_deref()] {
        if let Ok(found) = check::run(catalogue.clone(), agent, &files) {
            assert!(found.problems.iter().all(|line| line.len() < 100_000));
        }
    }
}
