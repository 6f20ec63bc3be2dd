//! The types for the page are as committed. With `BT_META=overwrite` in the environment they are written anew.

#[path = "../../../bt-live/tests/protocol/typescript.rs"]
mod typescript;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bt_studio::protocol::{EVENTS, Failure, METHODS, Request, VERSION};
use typescript::Protocol;

/// The page's and the server's.
fn studio() -> Protocol<'static> {
    Protocol {
        head: format!(
            "// What the page and the server of bt-studio say to each other, version {VERSION}.\n\
             // Made from the table of methods: `cargo xtask bless` writes it anew.\n\n\
             /** The version of the protocol. */\nexport const VERSION = {VERSION};\n"
        ),
        methods: METHODS,
        events: EVENTS,
        others: |generator| drop(generator.subschema_for::<Failure>()),
    }
}

#[test]
fn typescript_types_are_as_committed() {
    let expected = typescript::types(&studio());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/net/protocol.ts");
    if std::env::var_os("BT_META").is_some_and(|value| value == "overwrite") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "protocol.ts is out of date: run the test with BT_META=overwrite"
    );
}

#[test]
fn every_method_and_event_is_described_and_named_once() {
    let methods = METHODS.iter().map(|method| (method.name, method.docs));
    let events = EVENTS.iter().map(|event| (event.name, event.docs));
    let mut names = BTreeSet::new();
    for (name, docs) in methods.chain(events) {
        assert!(docs.trim().ends_with('.'), "{name}");
        assert!(names.insert(name), "{name}");
    }
    for method in METHODS {
        let read = Request::read(method.name, serde_json::json!({"nobody": 1}));
        assert_eq!(read.unwrap_err().code, -32602, "{}", method.name);
    }
}
