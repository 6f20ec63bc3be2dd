//! The output of bt-meta in front of people: VS Code's JSON engine, Mermaid and a browser. Each test is
//! skipped where `npm ci` was not run in tests/browser, and where there is no Chromium.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use bt_core::TreeAsset;
use bt_meta::draw::{Direction, Format, draw};
use serde_json::{Value, json};

use crate::common::sandbox::{Sandbox, run};
use crate::common::schema::{attached, call, keepers, key, named, plain, schema, tree, with_root};
use crate::common::zoo::zoo;
use crate::draw::golden::{TREES, example, followed};
use crate::draw::mermaid;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");

/// Runs a script of the folder, which says that it is done; says why not where it cannot be run.
fn node(script: &str, needs: &str, args: &[&Path]) {
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !has_node || !Path::new(&format!("{FOLDER}/node_modules/{needs}")).exists() {
        eprintln!("skipped: there is no Node.js, or `npm ci` was not run in {FOLDER}");
        return;
    }
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    if script != "schema.mjs" && !Path::new(&chromium).exists() {
        eprintln!("skipped: there is no {chromium}; CHROMIUM names another");
        return;
    }
    let ran = run(Command::new("node")
        .arg(format!("{FOLDER}/{script}"))
        .args(args));
    assert_eq!((ran.code, ran.out.as_str()), (0, "done\n"), "{}", ran.err);
}

/// A case of what VS Code says of a tree.
fn case(name: &str, tree: &Value, says: &[&str]) -> Value {
    json!({"name": name, "text": serde_json::to_string_pretty(tree).unwrap(), "says": says})
}

#[test]
fn vs_codes_engine_says_what_is_wrong_and_no_more() {
    let sandbox = Sandbox::new();
    sandbox.file("schema.json", &schema(&zoo()).to_string());
    let cage = || plain(json!({"row": 3, "mood": "calm"}));
    let wait = |extra: Value| keepers(json!({"type": "wait_event", "extra": extra}));
    let feed = keepers(call("feed", json!([])));
    // The cursor stands where the list is to be.
    let empty = serde_json::to_string_pretty(&feed).unwrap();
    let empty = empty.replace(r#""action_args": []"#, r#""action_args": |"#);
    let number = named("number", plain(json!(1)));
    let cases = json!([
        case("right", &keepers(call("feed", json!([cage()]))), &[]),
        case(
            "old argument",
            &keepers(call("tally", json!([number, named("left", key("l"))]))),
            &[]
        ),
        case("event", &wait(json!({"event": "rang"})), &[]),
        case("deprecated event", &wait(json!({"event": "closed"})), &[]),
        // The one warning says what to write, and nothing says that the name is not among the others.
        case(
            "old name",
            &keepers(call("give", json!([cage()]))),
            &["Now called `feed`."]
        ),
        case(
            "old agent",
            &tree("boss", call("nop", json!([]))),
            &["Now called `head`."]
        ),
        case(
            "deprecated",
            &tree("head", call("tally", json!([]))),
            &["Deprecated since 0.4."]
        ),
        case(
            "misspelt event",
            &wait(json!({"event": "rnag"})),
            &["no agent registers an event of that name"]
        ),
        case(
            "unknown key",
            &keepers(attached(json!({"mine": 1}))),
            &["nodes of type `action` have no such key"]
        ),
        case(
            "unknown key of the root",
            &with_root(json!({"blackbord": {}})),
            &["nodes of type `root` have no such key"]
        ),
        case(
            "unknown action",
            &keepers(call("fed", json!([cage()]))),
            &[r#"Valid values: "feed", "give""#]
        ),
        case(
            "wrong argument",
            &keepers(call("feed", json!([plain(json!({"row": -1}))]))),
            &["below the minimum of 0"]
        ),
        {"name": "arguments", "text": empty, "offers": "feed(cage: Cage, amount: double = 2.0)"},
    ]);
    sandbox.file("cases.json", &cases.to_string());
    let at = |file: &str| sandbox.path().join(file);
    node(
        "schema.mjs",
        "vscode-json-languageservice",
        &[&at("schema.json"), &at("cases.json")],
    );
}

/// A picture, and where its nodes are to be.
fn picture(name: &str, trees: &[TreeAsset], direction: Direction) -> Value {
    let text = draw(trees, Format::Mermaid, direction);
    let graph = mermaid::read(&text);
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (parent, child) in &graph.edges {
        children.entry(parent).or_default().push(child);
    }
    json!({"name": name, "text": text, "nodes": graph.nodes.len(), "children": children})
}

#[test]
fn mermaid_draws_every_node_below_its_parent_and_siblings_in_their_order() {
    let mut pictures = Vec::new();
    for (direction, way) in [(Direction::Down, "down"), (Direction::Right, "right")] {
        for name in TREES {
            pictures.push(picture(
                &format!("{name}-{way}"),
                &[example(name)],
                direction,
            ));
        }
        pictures.push(picture(&format!("followed-{way}"), &followed(), direction));
    }
    let sandbox = Sandbox::new();
    sandbox.file("pictures.json", &json!(pictures).to_string());
    node("mermaid.mjs", "mermaid", &[sandbox.path()]);
}

#[test]
fn the_manual_is_read_wide_and_on_a_phone_and_in_light_and_dark() {
    let monster = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster");
    let agents = monster.join("editor/agents.json");
    let sandbox = Sandbox::new();
    let export = ["export", "--format", "html", "--out-dir", "out"];
    let of = ["--catalogue", agents.to_str().unwrap()];
    run(&mut sandbox.command(".", [&export[..], &of].concat())).done();
    let page = sandbox.out().join("agents.html");
    node("manual.mjs", "playwright-core", &[&page, sandbox.path()]);
}
