//! The rooms of bt-core import each other one way: ARCHITECTURE.md has the map.

use std::fs;
use std::path::Path;

/// The rooms of bt-core from the ground up: a room imports only from lines above its own, and from the
/// rooms that stand in the same line.
const ORDER: &[&[&str]] = &[
    &["text"],
    &["compare"],
    &["random"],
    &["contained"],
    &["sync"],
    &["clock"],
    &["deferred"],
    &["decode"],
    &["error"],
    &["node"],
    &["event"],
    &["describe"],
    &["blackboard"],
    &["agent"],
    &["expression"],
    &["call"],
    &["kinds"],
    &["registry"],
    &["builtin"],
    &["tree"],
    // What a runner reports: it makes these values, and they know no runner.
    &["trace"],
    &["debug"],
    &["explain"],
    &["reload"],
    // What a runner is, and what it saves, are one.
    &["run", "snapshot"],
    &["pool"],
    &["dynamic"],
    // Tests of trees, which run them.
    &["scenario"],
];

/// The room of what the root of the crate exports.
const EXPORTS: &[(&str, &[&str])] = &[
    ("agent", &["Agent", "NoBase"]),
    (
        "blackboard",
        &["Blackboard", "KeyError", "KeyId", "SharedBoard"],
    ),
    ("event", &["Event"]),
    ("random", &["Random"]),
    ("node", &["NodeRef"]),
    ("error", &["ArgumentError", "CallError"]),
    ("decode", &["DecodeError"]),
    (
        "call",
        &[
            "Action",
            "ActionSet",
            "BoundCall",
            "Change",
            "Completion",
            "Context",
            "Exit",
            "Left",
            "Next",
            "Outcome",
            "Property",
            "PropertySet",
            "PropertyWatch",
            "Session",
            "Snapshot",
            "Source",
            "Status",
        ],
    ),
    ("registry", &["Registry", "RegistryError"]),
    (
        "run",
        &[
            "ActiveLeaf",
            "ActiveNode",
            "Diagnostic",
            "LeafId",
            "LeafState",
            "Mode",
            "NodeStatus",
            "Poll",
            "Runner",
            "TreeError",
        ],
    ),
    ("explain", &["Explanation"]),
    ("snapshot", &["RestoreError", "Saved"]),
    (
        "tree",
        &["AssetError", "Problem", "TreeAsset", "TreeSet", "Trees"],
    ),
];

/// The code of a file or a folder, without comments and tests, by file.
pub(crate) fn code(path: &Path, into: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("the sources are there");
        for entry in entries {
            let path = entry.expect("it can be listed").path();
            if !path.ends_with("tests") && !path.ends_with("tests.rs") {
                code(&path, into);
            }
        }
        return;
    }
    let text = fs::read_to_string(path).expect("it is text");
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let lines: Vec<_> = lines.collect();
    into.push((path.display().to_string(), lines.join("\n")));
}

/// Returns true if code imports a room: as `crate::room`, or as one of `crate::{…}`.
fn imports(code: &str, room: &str) -> bool {
    let is_room = |text: &str| {
        text.strip_prefix(room).is_some_and(|rest| {
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
    };
    code.split("crate::")
        .skip(1)
        .any(|path| match path.strip_prefix('{') {
            Some(list) => {
                let list = list.split(';').next().unwrap_or_default();
                let words = list.split(['{', ',', '}']).map(str::trim);
                list.contains("::")
                    && words
                        .clone()
                        .any(|word| is_room(word) && word.contains("::"))
                    || words.into_iter().any(|word| word == room)
            }
            None => is_room(path),
        })
}

/// Returns true if code imports from a room, by its path or as the root exports it.
fn imports_from(code: &str, room: &str) -> bool {
    let exported = EXPORTS.iter().filter(|(of, _)| *of == room);
    let mut names = exported.flat_map(|(_, names)| names.iter());
    imports(code, room) || names.any(|name| imports(code, name))
}

#[test]
fn rooms_import_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/src");
    let mut found = Vec::new();
    for (line, rooms) in ORDER.iter().enumerate() {
        let above: Vec<_> = ORDER[line + 1..].iter().copied().flatten().collect();
        for room in *rooms {
            let mut all = Vec::new();
            for path in [src.join(room), src.join(room).with_extension("rs")] {
                if path.exists() {
                    code(&path, &mut all);
                }
            }
            assert!(!all.is_empty(), "there is no room {room}");
            for (file, code) in all {
                let known = above.iter().filter(|other| imports_from(&code, other));
                found.extend(known.map(|other| format!("{file} imports from {other}")));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_room_has_its_place() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/src");
    // The root, and what the macros name: neither is imported by a room.
    let mut placed: Vec<_> = ORDER.iter().copied().flatten().copied().collect();
    placed.extend(["lib", "private"]);
    let mut missing = Vec::new();
    for entry in fs::read_dir(src).expect("the sources are there") {
        let path = entry.expect("it can be listed").path();
        let room = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !placed.contains(&room.as_str()) {
            missing.push(room);
        }
    }
    assert!(missing.is_empty(), "{missing:?} have no line in ORDER");
}

#[test]
fn an_import_is_found_in_every_form() {
    assert!(imports("use crate::run::Runner;", "run"));
    assert!(imports("use crate::{Agent, run::Runner};", "run"));
    assert!(imports("use crate::{Agent, run};", "run"));
    assert!(!imports("use crate::{Agent, Runner};", "run"));
    assert!(!imports("use crate::runner;", "run"));
}
