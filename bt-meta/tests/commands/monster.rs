//! The main job on a real world: `bt-meta export --package monster`, checked rule by rule and against
//! golden files, the same from every profile.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::json;
use crate::common::rules::{FILES, check_export};
use crate::common::sandbox::{Run, Sandbox, run, target_dir};
use serde_json::{Map, Value};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The README's command, in the workspace, into `out` of the sandbox.
fn export(sandbox: &Sandbox, args: &[&str]) -> Run {
    let manifest = workspace().join("Cargo.toml");
    let mut all = vec!["--package", "monster", "--locked", "--manifest-path"];
    all.push(manifest.to_str().unwrap());
    all.extend(args);
    sandbox.export(".", &all).done()
}

fn files(dir: &Path) -> [Vec<u8>; FILES.len()] {
    FILES.map(|file| fs::read(dir.join(file)).unwrap())
}

/// Says which file differs, not only that one does.
fn assert_same(expect: &[Vec<u8>; FILES.len()], dir: &Path, what: &str) {
    for ((expect, found), name) in expect.iter().zip(files(dir)).zip(FILES) {
        assert!(*expect == found, "{name} differs: {what}");
    }
}

/// `action listen(far: double = 5.0, out who: uint64) async` and so on, below the agent that defines it.
fn signatures(actions: &Value) -> String {
    let mut text = String::new();
    for (agent, entries) in actions.as_object().unwrap() {
        let own = |entry: &&Value| entry["from"] == agent.as_str();
        let all = entries.as_object().unwrap();
        let inherited = all.len() - all.values().filter(own).count();
        let _ = writeln!(
            text,
            "{agent}: {} of its own, {inherited} inherited",
            all.len() - inherited
        );
        for entry in all.values().filter(own) {
            let args = entry["args"].as_array().unwrap().iter().map(|arg| {
                let default = arg.get("default").map(|value| format!(" = {value}"));
                let way = arg.get("in_out").and_then(Value::as_str);
                let way = way.map(|way| format!("{way} ")).unwrap_or_default();
                let name = arg["name"].as_str().unwrap();
                let spelled = arg["type"].as_str().unwrap();
                format!("{way}{name}: {spelled}{}", default.unwrap_or_default())
            });
            let args = args.collect::<Vec<_>>().join(", ");
            let kind = entry["kind"].as_str().unwrap();
            let name = entry["name"].as_str().unwrap();
            let ends = if entry["async"] == true { " async" } else { "" };
            let _ = writeln!(text, "  {kind} {name}({args}){ends}");
        }
    }
    text
}

#[test]
fn the_monsters_export_obeys_every_rule_and_is_as_it_was() {
    let sandbox = Sandbox::new();
    let first = export(&sandbox, &[]);
    assert_eq!(
        first.out.matches("wrote ").count(),
        FILES.len(),
        "{}",
        first.out
    );
    assert!(
        !first.err.contains("warning: "),
        "nothing is missed: {}",
        first.err
    );
    check_export(&sandbox.out());

    let actions = json(&sandbox.out(), "action_types.json");
    insta::assert_json_snapshot!(
        "agent_hierarchy",
        json(&sandbox.out(), "agent_hierarchy.json")
    );
    insta::assert_snapshot!("signatures", signatures(&actions));
    let own: Map<String, Value> = actions["monster_agent"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, entry)| entry["from"] == "monster_agent")
        .map(|(name, entry)| (name.clone(), entry.clone()))
        .collect();
    insta::assert_json_snapshot!("monster_agent", own);
    insta::assert_json_snapshot!("node_types", json(&sandbox.out(), "node_types.json"));

    let before = files(&sandbox.out());
    fs::remove_dir_all(sandbox.out()).unwrap();
    let again = export(&sandbox, &[]);
    assert_eq!(
        again.out.matches("wrote ").count(),
        FILES.len(),
        "{}",
        again.out
    );
    assert_same(&before, &sandbox.out(), "a second run");
}

/// `bt-meta` links the program that it asks by itself, so a program that cargo links with fat LTO is
/// asked here, and not one of its own.
#[test]
fn debug_release_and_fat_lto_know_the_same_monsters() {
    let sandbox = Sandbox::new();
    export(&sandbox, &[]);
    let debug = files(&sandbox.out());
    let release = export(&sandbox, &["--profile", "release"]);
    assert_same(&debug, &sandbox.out(), "the release profile");
    assert_eq!(release.out.matches("unchanged ").count(), FILES.len());

    let monster = workspace().join("examples/monster");
    let dependencies = format!("monster = {{ path = {monster:?} }}\n");
    let main = "use monster as _;\nfn main() {\n    bt_core::export_if_asked();\n}\n";
    sandbox
        .package("p", "fat-monster", &dependencies, "")
        .file("p/src/main.rs", main);
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--offline", "--release", "--verbose"])
        .current_dir(sandbox.path().join("p"))
        .env("CARGO_TARGET_DIR", target_dir())
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env_remove("RUSTFLAGS");
    let program = target_dir().join("release").join("fat-monster");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let built = run(&mut cargo).done();
    let linked = built.err.lines().find(|line| {
        line.contains("--crate-name fat_monster") && line.contains("--crate-type bin")
    });
    assert!(
        linked.is_some_and(|line| line.contains("-C lto=fat") || line.contains("-C lto ")),
        "{linked:?}"
    );
    sandbox
        .export(".", &["--executable", program.to_str().unwrap()])
        .done();
    assert_same(&debug, &sandbox.out(), "a program with fat LTO");
}
