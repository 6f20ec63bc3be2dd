//! The bytes are an `agents.json`, and after a byte of 0 a tree that is checked against it.

use std::sync::Arc;

use bt_meta::files::render;
use bt_meta::layout::Options;
use bt_meta::validate::input::Input;
use bt_meta::{list, protocol, validate};

/// Lists it, lays out the editor's files, and checks the tree, by each agent and by the last.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let catalogue = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let Ok(catalogue) = protocol::parse(&catalogue) else {
        return;
    };
    let text = Arc::new(parts.next().unwrap_or_default().to_vec());
    let inputs = [Input::of_text("t.json", "t.json", text)];
    let _ = list::text(&catalogue, None);
    let _ = render(&catalogue, &Options::default());
    let last = catalogue.agents.last().map(|agent| agent.full_name.clone());
    for agent in [None, last] {
        let options = validate::Options {
            agent,
            ..validate::Options::default()
        };
        if let Ok(found) = validate::run(catalogue.clone(), &options, &inputs, &|| {}) {
            let messages = found.findings.iter().map(|one| one.message.len());
            assert!(messages.max().unwrap_or(0) < 100_000);
        }
    }
}
