//! `bt-meta diff`: a real catalogue changed on purpose, its trees, git, and hostile files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::samples::{action, agent, catalogue};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::{Value, json};

fn monster() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster")
}

/// The export of monster.
pub(crate) fn exported() -> Value {
    crate::common::json(&monster().join("editor"), "agents.json")
}

/// The list's entry of a name.
fn entry<'v>(list: &'v mut Value, name: &str) -> &'v mut Value {
    let list = list.as_array_mut().unwrap();
    list.iter_mut().find(|one| one["name"] == name).unwrap()
}

fn agent_of<'v>(catalogue: &'v mut Value, name: &str) -> &'v mut Value {
    entry(&mut catalogue["agents"], name)
}

/// A change of its code by programmers who do not think of its trees.
pub(crate) fn changed(mut new: Value) -> Value {
    let monster = agent_of(&mut new, "monster_agent");
    entry(&mut monster["actions"], "chase")["name"] = "pursue".into();
    let actor = agent_of(&mut new, "actor_agent");
    let linger = entry(&mut actor["actions"], "linger");
    let most = entry(&mut linger["args"], "most");
    most["type"] = "string".into();
    most["schema"] = json!({"type": "string"});
    let radius = entry(
        &mut entry(&mut actor["actions"], "find_nearest")["args"],
        "radius",
    );
    radius["max"] = 5.into();
    radius["schema"]["maximum"] = 5.into();
    radius["default"] = 5.into();
    let variants = new["$defs"]["Emote"]["oneOf"].as_array_mut().unwrap();
    variants.retain(|variant| variant["const"] != "bow");
    let names = new["$defs"]["Emote"]["x-decoder"]["names"].as_array_mut();
    names.unwrap().retain(|name| name != "bow");
    let player = agent_of(&mut new, "player_agent");
    let emote = entry(&mut entry(&mut player["actions"], "emote")["args"], "emote");
    emote["choices"]
        .as_array_mut()
        .unwrap()
        .retain(|choice| choice != "bow");
    entry(&mut player["actions"], "drink_potion")["category"] = "drinks".into();
    new
}

/// A sandbox with monster's trees and these catalogues in `old` and `new`.
pub(crate) fn sandbox(old: &Value, new: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("old/agents.json", &old.to_string());
    sandbox.file("new/agents.json", &new.to_string());
    for tree in fs::read_dir(monster().join("trees")).unwrap() {
        let path = tree.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        sandbox.file(&format!("trees/{name}"), &fs::read_to_string(path).unwrap());
    }
    sandbox
}

pub(crate) fn diff(sandbox: &Sandbox, args: &[&str]) -> Run {
    run(&mut sandbox.command(".", ["diff"].iter().chain(args)))
}

#[test]
fn diff_lists_the_trees_that_a_change_breaks() {
    let sandbox = sandbox(&exported(), &changed(exported()));
    let run = diff(&sandbox, &["old", "new/agents.json", "--trees", "trees"]);
    let run = run.says(
        1,
        &["error: 4 breaking changes, 1 change of behaviour, 2 compatible ones"],
    );
    insta::assert_snapshot!("monster_changed", run.out);
    let run = diff(
        &sandbox,
        &["old", "new", "--format", "json", "--trees", "trees"],
    );
    insta::assert_snapshot!(
        "monster_changed_json",
        run.says(1, &["4 breaking changes"]).out
    );
}

#[test]
fn with_an_alias_and_more_than_before_nothing_breaks() {
    let mut new = exported();
    let monster = agent_of(&mut new, "monster_agent");
    let chase = entry(&mut monster["actions"], "chase");
    chase["name"] = "pursue".into();
    chase["alias"] = json!(["chase"]);
    let player = agent_of(&mut new, "player_agent");
    let emote = entry(&mut entry(&mut player["actions"], "emote")["args"], "emote");
    emote["choices"]
        .as_array_mut()
        .unwrap()
        .push("dance".into());
    let variants = new["$defs"]["Emote"]["oneOf"].as_array_mut().unwrap();
    variants.push(json!({"const": "dance", "type": "string"}));
    let sandbox = sandbox(&exported(), &new);
    let run = diff(&sandbox, &["old", "new", "--trees", "trees"]).done();
    assert_eq!(
        run.out,
        "monster_agent\n  \
           action `pursue` was `chase`, which it is known by too  [monster src/agents/monster/hunting.rs:136]\n\
         \n\
         player_agent\n  \
           argument `emote` of action `emote`: in type `Emote` variant `dance` is new  [monster src/agents/player/mod.rs:95]\n\
         \n\
         2 changes, none of them breaking\n"
    );
    let quiet = diff(&sandbox, &["old", "new", "--quiet"]).done();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn every_way_to_use_something_is_found() {
    let old = catalogue(vec![agent("base", None, vec![action("nop", "Nothing.")])]);
    let method = |kind: &str, name: &str| {
        crate::common::samples::method(
            kind,
            name,
            "It.",
            vec![crate::common::samples::arg("a", "int32")],
        )
    };
    let item = |name: &str, more: Value| {
        let item = json!({"name": name, "crate": "my-game", "file": "src/lib.rs", "line": 1});
        crate::common::samples::with(item, more)
    };
    let property = item("hp", json!({"type": "int32", "schema": {}}));
    let event = item(
        "hit",
        json!({"params": [crate::common::samples::arg("by", "int32")]}),
    );
    let methods = vec![
        method("action", "act"),
        method("condition", "ask"),
        method("decorator", "wrap"),
    ];
    let guard = agent("guard", Some("base"), methods);
    let guard =
        crate::common::samples::with(guard, json!({"properties": [property], "events": [event]}));
    let mut agents = serde_json::to_value(&old).unwrap();
    let with_guard = {
        agents["agents"].as_array_mut().unwrap().push(guard);
        agents
    };
    let mut bare = with_guard.clone();
    bare["agents"][1] = agent("guard", Some("base"), vec![]);
    let sandbox = Sandbox::new();
    sandbox.file("old.json", &with_guard.to_string());
    sandbox.file("new.json", &bare.to_string());
    let plain = json!([{"arg_type": "plain", "arg_value": 1}]);
    let read = json!([{"arg_type": "property", "arg_value": "hp"}]);
    let nodes = json!([
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
        {"idx": 1, "type": "sequence", "children": [2, 3, 4, 6, 7], "extra": {
            "guards": [{"condition_name": "ask", "condition_args": plain}],
            "services": [{"seconds": 1, "action_name": "act", "action_args": plain}],
            "effects": {"enter": [{"action_name": "act", "action_args": plain}]},
            "events": [{"event": "hit", "tree": "t.json", "params": {"by": "k"}}],
        }},
        {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "act", "action_args": read}},
        {"idx": 3, "type": "condition", "children": [], "extra": {"action_name": "ask", "action_args": plain}},
        {"idx": 4, "type": "decorator", "children": [5], "extra": {"decorator_name": "wrap", "decorator_args": plain}},
        {"idx": 5, "type": "wait_event", "children": [], "extra": {"event": "hit"}},
        {"idx": 6, "type": "run_limit", "children": [8], "extra": {"count": 1, "reset_if": {"condition_name": "ask", "condition_args": plain}}},
        {"idx": 7, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": "t.json", "args": {"k": read[0]}}},
        {"idx": 8, "type": "action", "children": [], "extra": {"action_name": "nop", "action_args": []}},
    ]);
    sandbox.file("t.json", &json!({ "nodes": nodes }).to_string());
    let run = diff(
        &sandbox,
        &[
            "old.json", "new.json", "--format", "json", "--trees", "t.json",
        ],
    );
    let found: Value = serde_json::from_str(&run.says(1, &["5 breaking"]).out).unwrap();
    let uses = |name: &str| -> Vec<u64> {
        let changes = found["changes"].as_array().unwrap();
        let change = changes
            .iter()
            .find(|change| change["name"] == name)
            .unwrap();
        change["uses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|used| used["node"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(uses("act"), [1, 1, 2]);
    assert_eq!(uses("ask"), [1, 3, 6]);
    assert_eq!(uses("wrap"), [4]);
    assert_eq!(uses("hit"), [1, 5]);
    assert_eq!(uses("hp"), [2, 7]);
}

#[test]
fn diff_warns_of_trees_that_it_cannot_read() {
    let sandbox = sandbox(&exported(), &changed(exported()));
    sandbox.file("trees/torn.json", "{\"nodes\": [}");
    sandbox.file(
        "trees/stray.json",
        r#"{"nodes": [{"idx": 0, "type": "root", "children": [], "extra": {"agent_name": "no_agent"}}]}"#,
    );
    diff(&sandbox, &["old", "new", "--trees", "trees"]).says(
        1,
        &[
            "warning: trees/torn.json is not a tree, so it was not searched",
            "warning: trees/stray.json: its calls were not searched: the old catalogue has no agent `no_agent`",
        ],
    );
    diff(&sandbox, &["old", "new", "--trees", "nowhere"]).says(2, &["cannot read nowhere"]);
}

#[test]
fn change_of_behaviour_has_a_level_and_an_exit_code_of_its_own() {
    let sandbox = Sandbox::new();
    let mut new = exported();
    sandbox.file("old.json", &new.to_string());
    let actor = agent_of(&mut new, "actor_agent");
    let args = &mut entry(&mut actor["actions"], "find_nearest")["args"];
    entry(args, "radius")["default"] = json!(3.5);
    sandbox.file("new.json", &new.to_string());
    let diff = |args: &[&str]| {
        let all = ["diff", "old.json", "new.json"].iter().chain(args);
        run(&mut sandbox.command(".", all))
    };
    let said = diff(&[]).done().out;
    assert!(
        said.contains("behaviour: argument `radius` of action `find_nearest`: the default was"),
        "{said}"
    );
    assert!(said.ends_with("1 change of behaviour\n"), "{said}");
    diff(&["--fail-on", "behaviour"]).says(1, &["error: 1 change of behaviour"]);
    diff(&["--fail-on", "never"]).done();
    assert_eq!(diff(&["--quiet"]).done().out, "");
    let json = diff(&["--format", "json"]).done().out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["behaviour"], 1);
    assert_eq!(json["changes"][0]["effect"], "behaviour");
    let github = diff(&["--format", "github"]).done().out;
    assert!(github.starts_with("::warning"), "{github}");
}

#[test]
fn two_catalogues_are_named_and_no_third() {
    let sandbox = sandbox(&exported(), &exported());
    let same = diff(&sandbox, &["old", "new"]).done();
    assert_eq!(same.out, "nothing changed\n");
    diff(&sandbox, &["old", "--catalogue", "new/agents.json"]).done();
    diff(&sandbox, &["old"]).says(2, &["two catalogues are compared"]);
    diff(&sandbox, &[]).says(2, &["two catalogues are compared"]);
    diff(&sandbox, &["old", "new", "--catalogue", "old/agents.json"]).says(2, &["named twice"]);
    diff(&sandbox, &["old", "new", "--since", "HEAD"]).says(2, &["`--since` compares one file"]);
    diff(&sandbox, &["old", "new", "--package", "x"]).says(2, &["named twice"]);
}

pub(crate) fn git(folder: &Path, args: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(args)
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn a_git_revision_is_compared_with_what_is_there_now() {
    let sandbox = sandbox(&exported(), &exported());
    let folder = sandbox.path();
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "first"]);
    diff(&sandbox, &["--since", "HEAD", "new"]).done();
    sandbox.file("new/agents.json", &changed(exported()).to_string());
    diff(&sandbox, &["--since", "HEAD", "new/agents.json"]).says(1, &["4 breaking changes"]);
    diff(
        &sandbox,
        &["--since", "HEAD", "old", "--catalogue", "new/agents.json"],
    )
    .says(1, &["4 breaking changes"]);
    diff(&sandbox, &["--since", "no-such", "new"]).says(2, &["git knows no revision `no-such`"]);
    diff(&sandbox, &["--since=--all", "new"]).says(2, &["`--all` is no git revision"]);
    diff(&sandbox, &["--since", "HEAD"]).says(2, &["there was no `agents.json` at `HEAD`"]);
    diff(&sandbox, &["--since", "HEAD", "gone/agents.json"])
        .says(2, &["there is no folder `gone`"]);
    sandbox.file("broken/agents.json", "{");
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "second"]);
    diff(&sandbox, &["--since", "HEAD", "broken"])
        .says(2, &["`broken/agents.json` at `HEAD`: this is no catalogue"]);
    let mut command = sandbox.command(".", ["diff", "--since", "HEAD", "new"]);
    run(command.env("PATH", "")).says(2, &["there is no program `git`"]);
}

#[test]
fn outside_of_a_repository_git_says_so() {
    let sandbox = sandbox(&exported(), &exported());
    let mut command = sandbox.command(".", ["diff", "--since", "HEAD", "new"]);
    command.env("GIT_CEILING_DIRECTORIES", sandbox.path());
    run(&mut command).says(2, &["`new` is in no git repository (git says: "]);
}

#[test]
fn a_file_that_is_no_catalogue_is_refused() {
    let sandbox = sandbox(&exported(), &exported());
    sandbox.file(
        "newer.json",
        r#"{"schema_version": 99, "bt_core": "9.1.0"}"#,
    );
    sandbox.file("broken.json", "{\"schema_version\": 1, \"agents\": [}");
    sandbox.file("deep.json", &("[".repeat(100_000) + &"]".repeat(100_000)));
    let deep = json!({"schema_version": 1})
        .to_string()
        .replace('}', ",\"$defs\":{\"A\":")
        + &"[".repeat(100_000);
    sandbox.file("deeper.json", &deep);
    diff(&sandbox, &["old", "newer.json"])
        .says(2, &["`newer.json`", "schema version 99", "use the bt-meta"]);
    diff(&sandbox, &["broken.json", "new"]).says(2, &["`broken.json`"]);
    for file in ["deep.json", "deeper.json"] {
        diff(&sandbox, &["old", file]).says(2, &[file, "no catalogue"]);
    }
    diff(&sandbox, &["old", "trees"]).says(2, &["cannot read the catalogue `trees/agents.json`"]);
}

#[test]
fn a_catalogue_that_contradicts_itself_is_a_finding_that_says_which() {
    let twice = catalogue(vec![agent(
        "a",
        None,
        vec![action("go", "Goes."), action("go", "Goes.")],
    )]);
    let sandbox = sandbox(&exported(), &serde_json::to_value(twice).unwrap());
    diff(&sandbox, &["old", "new"]).says(
        1,
        &["the new catalogue: agent `a` registers the action `go` twice"],
    );
    diff(&sandbox, &["new", "old"]).says(1, &["the old catalogue: "]);
}

#[test]
fn a_huge_catalogue_is_compared_in_time() {
    let many = |prefix: &str| -> Value {
        let methods = (0..5_000).map(|n| action(&format!("{prefix}_{n:05}"), "Does."));
        let base = agent("base", None, methods.collect());
        let below = (0..200).map(|n| agent(&format!("a{n:03}"), Some("base"), vec![]));
        let agents = below.chain([base]).collect();
        serde_json::to_value(catalogue(agents)).unwrap()
    };
    let sandbox = Sandbox::new();
    sandbox.file("old.json", &many("go").to_string());
    sandbox.file("new.json", &many("act").to_string());
    let begun = Instant::now();
    diff(&sandbox, &["old.json", "new.json"])
        .says(1, &["5000 breaking changes, 5000 compatible ones"]);
    assert!(
        begun.elapsed() < Duration::from_secs(120),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn names_cannot_forge_lines() {
    let new = catalogue(vec![agent(
        "a\n  breaking: nothing\u{1b}[31m",
        None,
        vec![],
    )]);
    let sandbox = sandbox(
        &serde_json::to_value(catalogue(vec![])).unwrap(),
        &serde_json::to_value(new).unwrap(),
    );
    let run = diff(&sandbox, &["old", "new"]).done();
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
}
