//! Trees brought up to date on the command line.

use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::json;

/// A monster whose `chase` was called `hunt`, whose `range` was called `reach`, and which has got a
/// `speed` since.
fn sandbox() -> Sandbox {
    let double = json!({"schema": {"type": "number", "format": "double"}});
    let range = with(
        with(arg("range", "double"), double.clone()),
        json!({"alias": ["reach"]}),
    );
    let speed = with(
        with(arg("speed", "double"), double),
        json!({"optional": true, "default": 1.5}),
    );
    let target = arg("target", "string");
    let chase = with(
        method("action", "chase", "Runs.", vec![target, range, speed]),
        json!({"alias": ["hunt"]}),
    );
    let wolf = with(
        agent("ai::wolf", Some("action_agent"), vec![]),
        json!({"base": "ai::monster"}),
    );
    let monster = with(
        agent("ai::monster", Some("action_agent"), vec![chase]),
        json!({
            "alias": ["beast"],
            "events": [{
                "name": "hurt", "alias": ["hit"], "brief": "It hurts.", "crate": "my-game",
                "file": "src/lib.rs", "line": 9,
                "params": [with(arg("by", "uint64"), json!({"alias": ["who"]}))],
            }],
        }),
    );
    let base = agent("action_agent", None, vec![nop(), action("rest", "Rests.")]);
    let sandbox = Sandbox::new();
    let catalogue = catalogue(vec![base, monster, wolf]);
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    sandbox
}

const OLD: &str = r#"{
    "nodes" : [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "beast"}},
        {"type": "sequence", "idx": 1, "children": [2, 3, 4], "extra": {
            "guards": []
        }},
        {"idx": 2, "parent": 1, "type": "action", "children": [], "mine": 1.50, "extra": {
            "action_name": "hunt",
            "action_args": [
                {"arg_type": "plain", "arg_value": 3, "arg_name": "reach"},
                {"arg_type": "blackboard", "arg_value": "prey", "arg_name": "target"}
            ]
        }},
        {"idx": 3, "children": [], "type": "wait_event", "extra": {
            "event": "hit", "params": {"who": "prey"}
        }},
        {"idx": 4, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "rest"}}
    ]
}"#;

fn fix(sandbox: &Sandbox, args: &[&str]) -> Run {
    let all = ["fix", "--catalogue", "agents.json"].iter().chain(args);
    run(&mut sandbox.command(".", all))
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.path().join(path)).unwrap()
}

#[test]
fn fix_shows_a_diff_and_writes_with_write_only() {
    let sandbox = sandbox();
    sandbox.file("trees/old.json", OLD);
    let shown = fix(&sandbox, &["trees"]).says(1, &["`--write` makes them"]);
    insta::assert_snapshot!("fix_shown", shown.out + &shown.err);
    assert_eq!(read(&sandbox, "trees/old.json"), OLD);
    fix(&sandbox, &["trees", "--write"]).done();
    insta::assert_snapshot!("fix_written", read(&sandbox, "trees/old.json"));
    let again = fix(&sandbox, &["trees"]).done();
    assert_eq!(again.out, "1 tree: nothing to fix\n");
    let validated = ["validate", "--catalogue", "agents.json", "trees"];
    run(&mut sandbox.command(".", validated)).done();
}

/// The example, whose action has another name since, and the old one as an alias: what was made with
/// the old one still runs, and is brought up to date.
#[test]
fn trees_of_an_example_follow_an_action_to_its_new_name() {
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster");
    let text = std::fs::read_to_string(example.join("editor/agents.json")).unwrap();
    let sandbox = Sandbox::new();
    sandbox.file("before.json", &text);
    let now = text.replace(
        "\"name\": \"chase\"",
        "\"alias\": [\"chase\"], \"name\": \"pursue\"",
    );
    assert_ne!(text, now);
    sandbox.file("agents.json", &now);
    let mut uses = 0;
    for file in std::fs::read_dir(example.join("trees")).unwrap() {
        let file = file.unwrap();
        // Scenarios of the trees lie beside them.
        if file
            .path()
            .extension()
            .is_none_or(|ending| ending != "json")
        {
            continue;
        }
        let tree = std::fs::read_to_string(file.path()).unwrap();
        uses += tree.matches("\"chase\"").count();
        sandbox.file(
            &format!("trees/{}", file.file_name().to_str().unwrap()),
            &tree,
        );
    }
    let diff = ["diff", "before.json", "agents.json", "--trees", "trees"];
    let diff = run(&mut sandbox.command(".", diff)).done();
    assert!(
        diff.out.contains("chase") && !diff.out.contains("breaking:"),
        "{}",
        diff.out
    );
    let fixed = fix(&sandbox, &["trees", "--write", "--only", "names"]).done();
    let told = "action `chase` is now called `pursue`";
    assert!(uses > 0);
    assert_eq!(fixed.out.matches(told).count(), uses, "{}", fixed.out);
    let validated = [
        "validate",
        "--catalogue",
        "agents.json",
        "trees",
        "-D",
        "warnings",
    ];
    run(&mut sandbox.command(".", validated)).done();
}

#[test]
fn fix_can_be_limited_to_one_kind() {
    let sandbox = sandbox();
    for (kind, there, not) in [
        ("names", "\"chase\"", "\"parent\": 0"),
        ("parents", "\"idx\": 1, \"parent\": 0", "\"chase\""),
        ("normalise", "\"color\": 4294967295", "\"chase\""),
    ] {
        sandbox.file("old.json", OLD);
        fix(&sandbox, &["old.json", "--only", kind, "--write"]).done();
        let text = read(&sandbox, "old.json");
        assert!(text.contains(there), "{kind}: {text}");
        assert!(!text.contains(not), "{kind}: {text}");
    }
}

#[test]
fn fix_names_an_invalid_tree_and_keeps_the_file() {
    let sandbox = sandbox();
    sandbox.file("torn.json", "{\"nodes\": [}");
    let run = fix(&sandbox, &["torn.json", "--write"]).done();
    assert!(
        run.err
            .contains("warning: torn.json is no tree and stays as it is"),
        "{}",
        run.err
    );
    assert_eq!(read(&sandbox, "torn.json"), "{\"nodes\": [}");
    fix(&sandbox, &["nowhere.json"]).says(2, &["cannot read nowhere.json"]);
}

#[test]
fn arguments_that_are_wrong_are_left_to_validate() {
    let sandbox = sandbox();
    for args in [
        r#"[{"arg_type": "plain", "arg_value": 1, "arg_name": "rage"}]"#,
        r#"[{"arg_type": "plain", "arg_value": 1}, {"arg_type": "plain", "arg_value": 1, "arg_name": "target"}]"#,
        r#"[1, 2, 3, 4, 5]"#,
        r#"[{"arg_type": "plain", "arg_value": 1, "arg_name": 7}]"#,
        r#""none""#,
    ] {
        let tree = format!(
            r#"{{"nodes": [{{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "monster"}}}},
            {{"idx": 1, "parent": 0, "type": "action", "children": [], "extra": {{"action_name": "chase", "action_args": {args}}}}}]}}"#
        );
        sandbox.file("wrong.json", &tree);
        fix(&sandbox, &["wrong.json", "--write"]).done();
        assert_eq!(read(&sandbox, "wrong.json"), tree);
    }
}

/// `steal(amount)` has got a `from` in front and a `times` behind, both with a default.
fn stolen(sandbox: &Sandbox, value: &str) -> String {
    let string = json!({"schema": {"type": "string"}, "optional": true, "default": "purse"});
    let integer = json!({"schema": {"type": "integer", "format": "int32"}});
    let times =
        json!({"schema": {"type": "integer", "format": "int32"}, "optional": true, "default": 1});
    let args = vec![
        with(arg("from", "string"), string),
        with(arg("amount", "int32"), integer),
        with(arg("times", "int32"), times),
    ];
    let thief = agent(
        "thief",
        None,
        vec![nop(), method("action", "steal", "Steals.", args)],
    );
    let catalogue = catalogue(vec![thief]);
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    let tree = format!(
        r#"{{"nodes": [{{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "thief"}}}},
        {{"idx": 1, "parent": 0, "type": "action", "children": [], "extra": {{"action_name": "steal", "action_args": [{value}]}}}}]}}"#
    );
    sandbox.file("t.json", &tree);
    tree
}

#[test]
fn fix_adds_no_default_behind_a_value_of_uncertain_argument() {
    let sandbox = Sandbox::new();
    let tree = stolen(&sandbox, r#"{"arg_type": "plain", "arg_value": 50}"#);
    for more in [&[][..], &["--only", "defaults"]] {
        fix(&sandbox, &[&["t.json", "--write"], more].concat()).done();
        assert_eq!(read(&sandbox, "t.json"), tree);
    }
}

#[test]
fn fix_writes_defaults_only_on_request() {
    let sandbox = Sandbox::new();
    let given = r#"{"arg_type": "plain", "arg_value": 5, "arg_name": "amount"}"#;
    let tree = stolen(&sandbox, given);
    assert_eq!(
        fix(&sandbox, &["t.json"]).done().out,
        "1 tree: nothing to fix\n"
    );
    fix(&sandbox, &["t.json", "--only", "defaults"]).says(1, &["`--write` makes them"]);
    assert_eq!(read(&sandbox, "t.json"), tree);
    fix(&sandbox, &["t.json", "--only", "defaults", "--write"]).done();
    let fixed = read(&sandbox, "t.json");
    assert!(
        fixed.contains("\"purse\"") && fixed.contains("\"times\""),
        "{fixed}"
    );
    let validated = ["validate", "--catalogue", "agents.json", "t.json"];
    run(&mut sandbox.command(".", validated)).done();
}

/// Arguments between two named ones may be omitted still.
#[test]
fn arguments_come_in_their_order_without_what_is_left_out() {
    let sandbox = Sandbox::new();
    let given = r#"{"arg_type": "plain", "arg_value": 2, "arg_name": "times"}, {"arg_type": "plain", "arg_value": 5, "arg_name": "amount"}"#;
    stolen(&sandbox, given);
    fix(&sandbox, &["t.json", "--write"]).done();
    let fixed = read(&sandbox, "t.json");
    assert!(
        fixed.find("amount").unwrap() < fixed.find("\"times\"").unwrap(),
        "{fixed}"
    );
    assert!(!fixed.contains("purse"), "{fixed}");
}

#[test]
fn names_in_expressions_and_of_what_is_written_are_fixed_in_one_go() {
    let property = |name: &str, old: &str, ty: &str| {
        json!({
            "name": name, "alias": [old], "brief": "", "crate": "my-game", "file": "src/lib.rs",
            "line": 3, "type": ty, "schema": {"type": ty},
        })
    };
    let name = property("call_name", "title", "string");
    let hp = property("hit points", "hp", "number");
    let hound = with(
        agent("hound", None, vec![]),
        json!({"properties": [name, hp]}),
    );
    let sandbox = Sandbox::new();
    let text = serde_json::to_string(&catalogue(vec![hound])).unwrap();
    sandbox.file("agents.json", &text);
    let tree = |set: &str, check: &str| {
        format!(
            r#"{{"nodes": [
            {{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "hound"}}}},
            {{"idx": 1, "parent": 0, "type": "sequence", "children": [2, 3], "extra": {{}}}},
            {{"idx": 2, "parent": 1, "type": "set", "children": [], "extra": {{"set": {{{set}}}}}}},
            {{"idx": 3, "parent": 1, "type": "check", "children": [], "extra": {{"if": "{check}"}}}}
        ]}}"#
        )
    };
    let old = tree(
        r#""@title": "@title + 'x'", "@hp": "1.5""#,
        "@title == 'a' || @title == 'b' && @hp > 1",
    );
    sandbox.file("trees/a.json", &old);
    let script = "AGENT hound\nSEQUENCE\n    GUARD 'a' == @title\n    SET @title = 'c'\n    CHECK @title != @'title' # two\n";
    sandbox.file("trees/b.bt", script);
    let fixed = fix(&sandbox, &["trees", "--write"]).says(0, &[]).out;
    assert!(
        fixed.contains("node 2: property `hp` is now called `hit points`"),
        "{fixed}"
    );
    assert!(fixed.contains("10 fixes in 2 of 2 trees"), "{fixed}");
    let new = tree(
        r#""@call_name": "@call_name + 'x'", "@'hit points'": "1.5""#,
        "@call_name == 'a' || @call_name == 'b' && @'hit points' > 1",
    );
    assert_eq!(read(&sandbox, "trees/a.json"), new);
    let new = script
        .replace("@title", "@call_name")
        .replace("@'title'", "@call_name");
    assert_eq!(read(&sandbox, "trees/b.bt"), new);
}

/// A sandbox with a catalogue from before two arguments changed places and one got another name.
fn reordered() -> Sandbox {
    let sandbox = Sandbox::new();
    let double = json!({"schema": {"type": "number", "format": "double"}});
    let walk = |names: [&str; 3]| {
        let args = names.map(|name| with(arg(name, "double"), double.clone()));
        let walk = method("action", "walk", "Walks.", args.to_vec());
        let base = agent("action_agent", None, vec![nop()]);
        let dog = agent("ai::dog", Some("action_agent"), vec![walk]);
        serde_json::to_string(&catalogue(vec![base, dog])).unwrap()
    };
    sandbox.file("old.json", &walk(["x", "y", "pace"]));
    sandbox.file("agents.json", &walk(["y", "x", "speed"]));
    sandbox
}

#[test]
fn fix_with_the_old_catalogue_follows_arguments_to_their_new_places() {
    let sandbox = reordered();
    let tree = |args: serde_json::Value| {
        let root =
            json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "dog"}});
        let walk = json!({"idx": 1, "parent": 0, "type": "action", "children": [],
                          "extra": {"action_name": "walk", "action_args": args}});
        serde_json::to_string_pretty(&json!({"nodes": [root, walk]})).unwrap()
    };
    let plain = |value: f64| json!({"arg_type": "plain", "arg_value": value});
    let named =
        |value: f64, name: &str| json!({"arg_type": "plain", "arg_value": value, "arg_name": name});
    sandbox.file(
        "trees/by_place.json",
        &tree(json!([plain(1.0), plain(2.0), plain(3.0)])),
    );
    let by_name = json!([named(3.0, "pace"), named(1.0, "x"), named(2.0, "y")]);
    sandbox.file("trees/by_name.json", &tree(by_name));
    let args = ["trees", "--write", "--old", "old.json"];
    let told = fix(&sandbox, &args).done().out;
    assert!(
        told.contains(
            "`walk`: its arguments were `x`, `y` and `pace`, and are `y`, `x` and `speed` now"
        ) && told.contains("`walk`: `pace` is `speed` now"),
        "{told}"
    );
    let expected = json!([named(2.0, "y"), named(1.0, "x"), named(3.0, "speed")]);
    for path in ["trees/by_place.json", "trees/by_name.json"] {
        let json: serde_json::Value = serde_json::from_str(&read(&sandbox, path)).unwrap();
        assert_eq!(json["nodes"][1]["extra"]["action_args"], expected, "{path}");
    }
    assert_eq!(fix(&sandbox, &args).done().out, "2 trees: nothing to fix\n");
    let validated = ["validate", "--catalogue", "agents.json", "trees"];
    run(&mut sandbox.command(".", validated)).done();
}

#[test]
fn fix_with_the_old_catalogue_says_what_to_write_in_scripts() {
    let sandbox = reordered();
    sandbox.file("trees/by_place.bt", "AGENT dog\nwalk (1.0, 2.0, 3.0)\n");
    let by_name = "AGENT dog\nwalk {\"pace\": 3.0, 'x': 1.0, \"y\": 2.0}\n";
    sandbox.file("trees/by_name.bt", by_name);
    let said = fix(&sandbox, &["trees", "--write", "--old", "old.json"]).done();
    assert!(
        said.err
            .contains("by_place.bt: node 1: `walk`: its arguments were `x`, `y` and `pace`")
            && said.err.contains("write the names in a dict"),
        "{}",
        said.err
    );
    assert_eq!(
        read(&sandbox, "trees/by_place.bt"),
        "AGENT dog\nwalk (1.0, 2.0, 3.0)\n"
    );
    assert_eq!(
        read(&sandbox, "trees/by_name.bt"),
        by_name.replace("pace", "speed")
    );
}
