//! `bt-meta draw` on the command line.

use std::fs;

use serde_json::json;

use crate::common::sandbox::{Run, Sandbox, run};

/// A tree of one node that calls another, by its name and by an event.
fn calling(tree: &str, event: &str) -> String {
    json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster"}},
        {"idx": 1, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": tree,
            "events": [{"event": "hurt", "tree": event, "mode": "return"}]}},
    ]})
    .to_string()
}

fn bt_meta(sandbox: &Sandbox, args: &[&str]) -> Run {
    run(&mut sandbox.command(".", ["draw"].iter().chain(args)))
}

#[test]
fn file_name_chooses_the_format_unless_an_option_does() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", &calling("b", "c"));
    let begins = [
        ("a.svg", "<svg "),
        ("a.dot", "digraph "),
        ("a.gv", "digraph "),
        ("a.mmd", "%%{init: "),
        ("a.txt", "a.json\n"),
        ("a", "a.json\n"),
    ];
    for (file, begin) in begins {
        let run = bt_meta(&sandbox, &["a.json", "--out", file]).done();
        assert_eq!(run.out, format!("wrote {file} (1 tree, 2 nodes)\n"));
        let text = fs::read_to_string(sandbox.path().join(file)).unwrap();
        assert!(text.starts_with(begin), "{text}");
        let again = bt_meta(&sandbox, &["a.json", "--out", file]).done();
        assert!(again.out.starts_with("unchanged "), "{}", again.out);
    }
    bt_meta(
        &sandbox,
        &["a.json", "--out", "b.svg", "--format", "dot", "-q"],
    )
    .done();
    assert!(
        fs::read_to_string(sandbox.path().join("b.svg"))
            .unwrap()
            .starts_with("digraph ")
    );
    bt_meta(&sandbox, &["a.json", "--out", "nowhere/a.svg"])
        .says(2, &["cannot write `nowhere/a.svg`"]);
}

#[test]
fn called_trees_follow_from_files_beside_and_from_nowhere_else() {
    let sandbox = Sandbox::new();
    sandbox.file("outside.json", &calling("b", "b"));
    sandbox.file("trees/a.json", &calling("b", "more/c.json"));
    sandbox.file("trees/b.json", &calling("a.json", "lost"));
    sandbox.file("trees/more/c.json", &calling("../outside", "a"));
    let alone = bt_meta(&sandbox, &["trees/a.json"]).done();
    assert_eq!((alone.out.lines().count(), alone.err.as_str()), (4, ""));
    let run = bt_meta(&sandbox, &["trees/a.json", "--follow"]).done();
    let names: Vec<_> = run
        .out
        .lines()
        .filter(|line| line.ends_with(".json") && !line.starts_with(" "))
        .collect();
    assert_eq!(names, ["a.json", "b.json", "more/c.json"]);
    assert_eq!(
        run.err,
        "warning: b.json: node 1: `lost` is not drawn: there is no file of that name beside trees/a.json\n\
         warning: more/c.json: node 1: `../outside` is not drawn: there is no file of that name beside trees/a.json\n"
    );
}

#[test]
fn drawing_an_invalid_tree_exits_1_and_a_missing_file_exits_2() {
    let sandbox = Sandbox::new();
    sandbox.file("torn.json", "{\"nodes\": [}");
    bt_meta(&sandbox, &["torn.json"]).says(1, &["error: torn.json:1:12: "]);
    bt_meta(&sandbox, &["nowhere.json"]).says(2, &["cannot read nowhere.json"]);
    // A tree that another one calls counts as the one that was named.
    sandbox.file("a.json", &calling("torn", "torn"));
    bt_meta(&sandbox, &["a.json", "--follow"]).says(1, &["error: torn.json:1:12: "]);
}

#[test]
fn a_picture_is_shown_no_wider_than_the_page() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", &calling("b", "c"));
    let picture = |args: &[&str]| {
        let all = [&["a.json", "--format", "svg"], args].concat();
        bt_meta(&sandbox, &all).done().out
    };
    let attribute = |text: &str, name: &str| -> String {
        let document = roxmltree::Document::parse(text).unwrap();
        document.root_element().attribute(name).unwrap().to_owned()
    };
    let whole = picture(&[]);
    let narrow = picture(&["--max-width", "100"]);
    assert_eq!(attribute(&narrow, "width"), "100");
    assert_eq!(attribute(&narrow, "viewBox"), attribute(&whole, "viewBox"));
    assert_eq!(picture(&["--max-width", "10000"]), whole);
    bt_meta(&sandbox, &["a.json", "--max-width", "100"]).says(
        2,
        &["`--max-width` is for an SVG: write `--format svg` too"],
    );
}
