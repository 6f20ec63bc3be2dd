//! The content of the files, from catalogues made by hand.

use crate::common::rules::{check_actions, check_export};
use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};
use bt_core::registry::catalogue::Catalogue;
use bt_meta::files::render;
use bt_meta::layout::{Briefs, Editor, Layout, Options, TypeNames};
use bt_meta::write::write;
use serde_json::{Value, json};

/// The game of most tests: three agents in a line, one beside them.
fn game() -> Catalogue {
    let stance = json!({"name": "stance", "type": "Stance", "comment": "", "schema": {"$ref": "#/$defs/Stance"}});
    let range = with(
        arg("range", "double"),
        json!({"by_ref": false, "default": 2.0, "optional": true, "unit": "m", "min": 0.0, "max": 9.5, "step": 0.5}),
    );
    let found = with(arg("found", "int32"), json!({"in_out": "out"}));
    let chase = with(
        method(
            "action",
            "chase",
            "Walks.",
            vec![arg("target", "uint64"), range, stance, found],
        ),
        json!({"async": true, "result": "async", "category": "movement", "display": "追击", "since": "0.2.0",
               "alias": ["hunt"], "meta": {"icon": "foot"}, "deprecated": {"note": "use `walk`"}}),
    );
    let attack = with(
        method("action", "attack", "Hits hard.", vec![]),
        json!({"override": true}),
    );
    let sees = with(
        method("condition", "sees", "", vec![]),
        json!({"static": true}),
    );
    let mut catalogue = catalogue(vec![
        agent("action_agent", None, vec![nop()]),
        agent(
            "actor",
            Some("action_agent"),
            vec![action("attack", "Hits."), sees],
        ),
        agent(
            "ai::monster",
            Some("actor"),
            vec![attack, method("decorator", "calm", "Waits.", vec![]), chase],
        ),
        agent(
            "net::door",
            Some("action_agent"),
            vec![action("open", "Opens.")],
        ),
    ]);
    catalogue.defs.insert(
        "Stance".into(),
        json!({"anyOf": [{"$ref": "#/$defs/Plain"}, {"type": "null"}]}),
    );
    catalogue
        .defs
        .insert("Plain".into(), json!({"enum": ["a", "b"]}));
    catalogue.defs.insert("Unused".into(), json!({}));
    catalogue
}

fn options(options: &[&str]) -> Options {
    Options {
        agent: options
            .iter()
            .find_map(|o| o.strip_prefix("agent="))
            .map(str::to_owned),
        layout: if options.contains(&"flat") {
            Layout::Flat
        } else {
            Layout::ByAgent
        },
        type_names: if options.contains(&"cpp") {
            TypeNames::Cpp
        } else {
            TypeNames::Plain
        },
        briefs: if options.contains(&"plain") {
            Briefs::Plain
        } else {
            Briefs::Full
        },
        editor: if options.contains(&"full") {
            Editor::Full
        } else {
            Editor::Mosaic
        },
    }
}

fn file(catalogue: &Catalogue, name: &str, with: &[&str]) -> Value {
    let files = render(catalogue, &options(with)).unwrap().files;
    serde_json::from_str(&files.iter().find(|file| file.name == name).unwrap().text).unwrap()
}

fn actions(catalogue: &Catalogue, with: &[&str]) -> Value {
    file(catalogue, "action_types.json", with)
}

fn error(catalogue: &Catalogue, with: &[&str], code: u8, parts: &[&str]) {
    let error = render(catalogue, &options(with)).unwrap_err();
    assert_eq!(error.exit_code(), code);
    for part in parts {
        assert!(error.to_string().contains(part), "`{part}` in: {error}");
    }
}

#[test]
fn every_rule_of_the_files_holds() {
    let dir = tempfile::tempdir().unwrap();
    let files = render(&game(), &Options::default()).unwrap();
    assert_eq!(files.warnings, Vec::<String>::new());
    write(dir.path(), &files.files).unwrap();
    check_export(dir.path());
}

#[test]
fn an_entry_has_the_originals_keys_and_ours() {
    let actions = actions(&game(), &[]);
    let mut chase = actions["monster"]["chase"].clone();
    let args = chase["args"].take();
    assert_eq!(
        chase,
        json!({
            "name": "chase", "brief": "chase: Walks. (追击)", "return": "always true", "args": null,
            "kind": "action", "async": true, "category": "movement", "display": "追击", "since": "0.2.0",
            "alias": ["hunt"], "meta": {"icon": "foot"}, "deprecated": {"note": "use `walk`"}, "from": "monster",
        })
    );
    assert_eq!(
        args,
        json!([
            {"name": "target", "type": "uint64", "comment": "What it is. (uint64)", "schema": true},
            {"name": "range", "type": "double",
             "comment": "What it is. (double, m, default 2.0, 0.0 to 9.5)", "schema": true, "default": 2.0,
             "optional": true, "unit": "m", "min": 0.0, "max": 9.5, "step": 0.5},
            {"name": "stance", "type": "Stance", "comment": "(Stance)", "schema": {"$ref": "#/$defs/Stance", "$defs": {
                "Stance": {"anyOf": [{"$ref": "#/$defs/Plain"}, {"type": "null"}]}, "Plain": {"enum": ["a", "b"]}}}},
            {"name": "found", "type": "int32", "comment": "What it is. (key: set the type to `blackboard`, int32, written)", "schema": true, "in_out": "out"},
        ])
    );
    assert_eq!(actions["monster"]["sees"]["kind"], "condition");
    assert_eq!(actions["monster"]["sees"]["static"], true);
}

#[test]
fn actions_of_an_agent_include_inherited_ones_and_overrides() {
    let actions = actions(&game(), &[]);
    let monster = actions["monster"].as_object().unwrap();
    assert_eq!(
        monster.keys().collect::<Vec<_>>(),
        ["attack", "chase", "nop", "sees"]
    );
    assert_eq!(monster["attack"]["brief"], "attack: Hits hard.");
    assert_eq!(monster["attack"]["from"], "monster");
    assert_eq!(monster["nop"]["from"], "action_agent");
    assert_eq!(actions["actor"]["attack"]["brief"], "attack: Hits.");
}

#[test]
fn agents_that_share_a_name_go_by_their_full_names() {
    let catalogue = catalogue(vec![
        agent("a::guard", None, vec![nop()]),
        agent("b::guard", Some("a::guard"), vec![]),
        agent("c::cat", None, vec![nop()]),
    ]);
    let actions = actions(&catalogue, &[]);
    assert_eq!(
        actions.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["a::guard", "b::guard", "cat"]
    );
    assert_eq!(
        file(&catalogue, "agent_hierarchy.json", &[]),
        json!({"a::guard": "", "b::guard": "a::guard", "cat": ""})
    );
    error(
        &catalogue,
        &["agent=guard"],
        2,
        &["`a::guard` and `b::guard`"],
    );
}

#[test]
fn one_agent_is_found_by_name_full_name_or_alias() {
    let mut game = game();
    game.agents
        .iter_mut()
        .find(|agent| agent.item.name == "monster")
        .unwrap()
        .item
        .alias = vec!["ogre".into()];
    for wanted in ["agent=monster", "agent=ai::monster", "agent=ogre"] {
        let actions = actions(&game, &[wanted]);
        assert_eq!(
            actions.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["monster"]
        );
        assert_eq!(
            file(&game, "agent_hierarchy.json", &[wanted]),
            json!({"monster": ""})
        );
    }
    error(
        &game,
        &["agent=monstre"],
        2,
        &["no agent is named `monstre`", "did you mean `monster`?"],
    );
}

#[test]
fn the_flat_list_of_one_agent_is_its_actions_alone() {
    let flat = actions(&game(), &["flat", "agent=monster"]);
    check_actions("flat", flat.as_object().unwrap());
    assert_eq!(flat, actions(&game(), &["plain"])["monster"]);
}

#[test]
fn a_flat_list_refuses_names_with_two_meanings_and_lists_them_all() {
    error(
        &game(),
        &["flat"],
        1,
        &["`attack`", "in actor", "in monster", "--agent"],
    );
    let mut game = game();
    for agent in &mut game.agents {
        agent.methods.retain(|method| method.item.name != "attack");
    }
    let flat = actions(&game, &["flat"]);
    check_actions("flat", flat.as_object().unwrap());
    assert_eq!(
        flat.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["chase", "nop", "open", "sees"]
    );
}

#[test]
fn a_flat_list_takes_one_meaning_from_several_places() {
    let catalogue = catalogue(vec![
        agent("a", None, vec![nop(), action("go", "Goes.")]),
        agent(
            "b",
            None,
            vec![nop(), with(action("go", "Goes."), json!({"line": 9}))],
        ),
    ]);
    assert_eq!(actions(&catalogue, &["flat"])["go"]["brief"], "Goes.");
}

#[test]
fn briefs_are_made_distinct_within_one_agent_only() {
    let catalogue = catalogue(vec![
        agent(
            "a",
            None,
            vec![
                nop(),
                action("x", "Same."),
                action("y", "Same."),
                action("z", ""),
            ],
        ),
        agent("b", None, vec![nop(), action("x", "Same.")]),
    ]);
    let actions = actions(&catalogue, &["plain"]);
    let brief = |agent: &str, name: &str| actions[agent][name]["brief"].clone();
    assert_eq!(brief("a", "x"), "x: Same.");
    assert_eq!(brief("a", "y"), "y: Same.");
    assert_eq!(brief("a", "z"), "z");
    assert_eq!(brief("b", "x"), "Same.");
}

#[test]
fn comment_of_an_argument_says_what_the_dialog_does_not_show() {
    let mood = with(
        arg("mood", "Mood"),
        json!({"choices": ["calm", "alert"], "optional": true}),
    );
    let least = with(arg("least", "int32"), json!({"min": 0, "comment": ""}));
    let both = with(arg("both", "int32"), json!({"in_out": "in_out"}));
    let args = vec![mood, least, both];
    let set = method("action", "set", "Sets.", args);
    let catalogue = catalogue(vec![agent("a", None, vec![nop(), set])]);
    let comments = |set: &Value| -> Vec<String> {
        let args = set["args"].as_array().unwrap().iter();
        args.map(|arg| arg["comment"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        comments(&actions(&catalogue, &[])["a"]["set"]),
        [
            "What it is. (one of \"calm\", \"alert\", optional)",
            "(int32, at least 0)",
            "What it is. (key: set the type to `blackboard`, int32, read and written)",
        ]
    );
    let flat = &actions(&catalogue, &["flat"])["set"];
    assert_eq!(comments(flat), ["What it is.", "", "What it is."]);
    assert_eq!(flat["brief"], "Sets.");
}

#[test]
fn cpp_type_names_are_those_of_the_seed_document() {
    let args = vec![
        with(arg("key", "string"), json!({"by_ref": true})),
        arg("count", "int32"),
        arg("list", "array<int32>"),
    ];
    let catalogue = catalogue(vec![agent(
        "a",
        None,
        vec![nop(), method("action", "go", "Goes.", args)],
    )]);
    let types = |with: &[&str]| -> Vec<Value> {
        let args = actions(&catalogue, with)["a"]["go"]["args"].clone();
        args.as_array()
            .unwrap()
            .iter()
            .map(|arg| arg["type"].clone())
            .collect()
    };
    assert_eq!(
        types(&["cpp"]),
        ["const std::string &", "int", "array<int>"]
    );
    assert_eq!(types(&[]), ["string", "int32", "array<int32>"]);
}

#[test]
fn an_agent_without_a_usable_nop_is_warned_of() {
    let catalogue = catalogue(vec![
        agent("bare", None, vec![]),
        agent(
            "odd",
            None,
            vec![method("action", "nop", "", vec![arg("x", "bool")])],
        ),
        agent("fine", None, vec![nop()]),
    ]);
    let warnings = render(&catalogue, &Options::default()).unwrap().warnings;
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].contains("`bare` (my-game src/lib.rs:7) has no `nop`"),
        "{}",
        warnings[0]
    );
    assert!(
        warnings[1].contains("`odd`") && warnings[1].contains("takes arguments"),
        "{}",
        warnings[1]
    );
}

#[test]
fn arguments_with_one_name_are_refused_all_at_once() {
    let twice = |name: &str| method("action", name, "", vec![arg("x", "bool"), arg("x", "bool")]);
    let catalogue = catalogue(vec![agent(
        "a",
        None,
        vec![nop(), twice("go"), twice("stay")],
    )]);
    error(
        &catalogue,
        &[],
        1,
        &[
            "`go` (my-game src/lib.rs:7) has two arguments named `x`",
            "`stay`",
        ],
    );
}

#[test]
fn bases_that_are_missing_or_in_a_circle_are_refused() {
    let catalogue = catalogue(vec![
        agent("a", Some("b"), vec![nop()]),
        agent("b", Some("a"), vec![]),
        agent("c", Some("nobody"), vec![]),
        agent("d", Some("c"), vec![]),
    ]);
    let parts = [
        "agents are based on each other: a -> b -> a\n  at my-game src/lib.rs:7 (agent `a`)",
        "agent `c` is based on `nobody`",
    ];
    error(&catalogue, &[], 1, &parts);
}

#[test]
fn problems_of_the_registry_are_printed_with_their_places() {
    let mut game = game();
    let problem = json!([{"message": "action `go` is registered twice", "places": [
        {"what": "action `go` of `a`", "crate": "x", "file": "src/a.rs", "line": 1},
        {"crate": "y", "file": "src/b.rs", "line": 2}]}]);
    game.problems = serde_json::from_value(problem).unwrap();
    error(
        &game,
        &[],
        1,
        &[
            "registered twice",
            "at x src/a.rs:1 (action `go` of `a`)",
            "at y src/b.rs:2",
        ],
    );
}

#[test]
fn a_generic_agent_that_nothing_names_is_warned_of() {
    let mut game = game();
    let places =
        json!([{"what": "generic agent `Walker`", "crate": "x", "file": "src/w.rs", "line": 3}]);
    game.unnamed_generics = serde_json::from_value(places).unwrap();
    let warnings = render(&game, &Options::default()).unwrap().warnings;
    assert!(
        warnings[0].contains("`Walker`") && warnings[0].contains("register_agent!"),
        "{warnings:?}"
    );
}

#[test]
fn the_full_editor_gets_every_kind_with_the_schema_of_its_parameters() {
    let kinds = file(&game(), "node_types.json", &["full"]);
    let all = game().node_kinds;
    assert_eq!(kinds.as_object().unwrap().len(), all.len());
    for kind in all {
        let entry = &kinds[&kind.name];
        assert_eq!(entry["params"]["properties"], kind.params["properties"]);
        assert_eq!(
            entry.get("child_max").and_then(Value::as_u64),
            kind.child_max.map(u64::from)
        );
        jsonschema::draft202012::new(&entry["params"]).unwrap();
    }
}

#[test]
fn the_counts_say_what_is_in_each_file() {
    let files = render(&game(), &Options::default()).unwrap().files;
    let counts: Vec<_> = files
        .iter()
        .map(|file| (file.name, file.counts.as_str()))
        .collect();
    assert_eq!(
        counts,
        [
            ("action_types.json", "4 agents, 8 actions, 2 conditions"),
            ("agent_hierarchy.json", "4 agents"),
            (
                "agents.json",
                "4 agents, 5 actions, 1 condition, 1 decorator, 0 properties, 0 events"
            ),
            ("agents.schema.json", "for schema version 1"),
            ("node_types.json", "14 node kinds"),
        ]
    );
}

#[test]
fn two_thousand_actions_take_no_time() {
    let many = (0..2000)
        .map(|index| action(&format!("action_{index}"), "Same."))
        .chain([nop()])
        .collect();
    let catalogue = catalogue(vec![agent("big", None, many)]);
    let start = std::time::Instant::now();
    render(&catalogue, &Options::default()).unwrap();
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
