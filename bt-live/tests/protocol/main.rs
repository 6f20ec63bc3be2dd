//! The documents that are made from the table of methods are as committed. With `BT_META=overwrite` in the
//! environment they are written anew.

mod openrpc;
mod page;
mod typescript;

use std::fs;
use std::path::Path;

use bt_live::protocol::{EVENTS, METHODS, VERSION};
use typescript::Protocol;

/// The port's.
fn port() -> Protocol<'static> {
    Protocol {
        head: format!(
            "// What a port of bt-live and its clients say to each other, version {VERSION}.\n\
             // Made from the table of methods: `cargo xtask bless` writes it anew.\n"
        ),
        methods: METHODS,
        events: EVENTS,
        others: |_| {},
    }
}

fn compare(file: &str, expected: &str) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(file);
    if std::env::var_os("BT_META").is_some_and(|value| value == "overwrite") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{file} is out of date: run the test with BT_META=overwrite"
    );
}

#[test]
fn openrpc_document_is_as_committed() {
    compare("bt-live/protocol/openrpc.json", &openrpc::document());
}

#[test]
fn typescript_types_are_as_committed() {
    compare("bt-live/protocol/protocol.ts", &typescript::types(&port()));
}

#[test]
fn page_of_the_book_is_as_committed() {
    compare("docs/src/live-protocol.md", &page::page());
}

#[test]
fn every_method_and_event_is_described_and_named_once() {
    use bt_live::protocol::{EVENTS, METHODS, Request};
    let methods = METHODS.iter().map(|method| (method.name, method.docs));
    let events = EVENTS.iter().map(|event| (event.name, event.docs));
    let mut names = std::collections::BTreeSet::new();
    for (name, docs) in methods.chain(events) {
        assert!(docs.trim().ends_with('.'), "{name}");
        assert!(names.insert(name), "{name}");
    }
    for method in METHODS {
        let read = Request::read(method.name, serde_json::json!({"nobody": 1}));
        let refused = read.unwrap_err();
        assert_eq!(refused.code, -32602, "{}", method.name);
    }
}
