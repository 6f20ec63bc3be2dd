//! The traces of agents, written as the options say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bt_core::trace::{Replay, read_lines};
use serde_json::Value;

use super::program::{run, told};

/// A folder for one test's files, which is empty.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    // It may be there from another run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Plays with a trace of some ending; what is in it.
fn traced(test: &str, ending: &str, args: &[&str]) -> String {
    let file = folder(test).join(format!("trace.{ending}"));
    let args: Vec<&str> = args
        .iter()
        .copied()
        .chain(["--trace", file.to_str().unwrap()])
        .collect();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        output.stdout,
        run(&args[..args.len() - 2]).stdout,
        "the same story"
    );
    std::fs::read_to_string(file).unwrap()
}

const TINY: [&str; 3] = ["--agents=2", "--seconds=1", "--seed=3"];

#[test]
fn json_lines_are_of_all_agents() {
    insta::assert_snapshot!(traced("json_lines", "jsonl", &TINY));
}

#[test]
fn behaviac_lines_are_of_all_agents() {
    insta::assert_snapshot!(traced("behaviac", "log", &TINY));
}

#[test]
fn debug_log_contains_only_the_chosen_agent() {
    let file = folder("debug_log").join("trace.json");
    let mut args = TINY.to_vec();
    args.extend(["--trace", file.to_str().unwrap(), "--of", "goblin-3"]);
    told(&args);
    insta::assert_snapshot!(std::fs::read_to_string(file).unwrap());
}

#[test]
fn a_debug_log_of_nobody_in_particular_is_of_the_first_who_is_named() {
    let file = folder("first").join("trace.json");
    let file = file.to_str().unwrap();
    let output = run(&["--agents=2", "--seconds=1", "--trace", file]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        format!("`{file}` is of wolf#2; `--of` takes another agent\n")
    );
    let log: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(log["entity_id"], "wolf#2");
    assert_eq!(log["debug_cmds"][0][3], "snapshot");
}

#[test]
fn trace_of_one_agent_stands_between_the_lines_of_the_story() {
    insta::assert_snapshot!(told(&[
        "--agents=2",
        "--seconds=1",
        "--seed=3",
        "--watch=wolf#2"
    ]));
    // A meeting: what is told comes right after what it is told from.
    let args = ["--agents=12", "--seconds=40", "--seed=7"];
    let story = told(&args);
    let watched = told(&[args.as_slice(), &["--watch=wolf-2"]].concat());
    let is_watched = |line: &&str| line.starts_with("  ") && line.contains(" s  ");
    let rest: Vec<&str> = watched.lines().filter(|line| !is_watched(line)).collect();
    assert_eq!(rest, story.lines().collect::<Vec<_>>());
}

#[test]
fn trace_of_a_late_creature_begins_with_a_snapshot() {
    let args = ["--agents=16", "--seconds=150", "--seed=5"];
    let lines = traced("joins", "jsonl", &args);
    let mut replays: BTreeMap<String, Replay> = BTreeMap::new();
    for line in read_lines(lines.as_bytes()) {
        let (agent, record) = line.unwrap();
        let replay = replays.entry(agent.unwrap()).or_default();
        replay
            .apply(&record)
            .unwrap_or_else(|error| panic!("{record:?}: {error}"));
    }
    let there = told(&args);
    let told_of: BTreeSet<&str> = there
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    let told_of: Vec<&str> = told_of
        .into_iter()
        .filter(|name| name.contains('#'))
        .collect();
    assert!(told_of.len() > 12, "{told_of:?}");
    for name in &told_of {
        assert!(replays.contains_key(*name), "{name}");
    }
    let first_ids = |name: &&String| name.split('#').nth(1).unwrap().parse::<u64>().unwrap() <= 13;
    let latecomers = replays.keys().filter(|name| !first_ids(name)).count();
    assert!(
        latecomers > 4,
        "players, and monsters in the lairs of others"
    );
}

#[test]
fn trace_of_one_late_creature_can_be_requested() {
    let args = ["--agents=16", "--seconds=60", "--seed=5"];
    let story = told(&args);
    let enters = story
        .lines()
        .find_map(|line| line.split_once(" enters the world as "));
    let (_, player) = enters.unwrap();
    let of = [&args[..], &["--of", player]].concat();
    let lines = traced("of_a_latecomer", "jsonl", &args);
    let file = folder("of_a_latecomer_only").join("trace.jsonl");
    told(&[&of[..], &["--trace", file.to_str().unwrap()]].concat());
    let own = format!("{{\"agent\":\"{player}\",");
    let expected: Vec<&str> = lines
        .lines()
        .filter(|line| line.starts_with(&own))
        .collect();
    assert!(!expected.is_empty());
    let found = std::fs::read_to_string(file).unwrap();
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

/// The exit code and the message, where something cannot be done.
fn complaint(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args);
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn names_that_nobody_has_are_answered_with_those_that_exist() {
    let trace = folder("nobody").join("trace.jsonl");
    for option in ["--watch", "--of"] {
        let args = [
            "--agents=4",
            "--trace",
            trace.to_str().unwrap(),
            option,
            "wulf-2",
        ];
        let (code, said) = complaint(&args);
        assert_eq!(code, Some(2));
        assert_eq!(
            said,
            format!(
                "error: `{option}`: nobody is called `wulf-2`; did you mean `wolf#2`?\n\
                 there are wolf#2, goblin#3, ada#4\n\nFor more information, try `--help`.\n"
            )
        );
    }
    assert!(!trace.exists(), "nothing is written before that is clear");
    let (code, said) = complaint(&["--agents=4", "--seconds=1", "--watch=eve-99"]);
    assert_eq!(code, Some(2));
    assert!(said.starts_with("error: `--watch`: nobody called `eve#99` has come by the end\n"));
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error() {
    let missing = folder("missing").join("none").join("trace.jsonl");
    let missing = missing.to_str().unwrap();
    let (code, said) = complaint(&["--trace", missing]);
    assert_eq!(code, Some(1));
    assert!(
        said.starts_with(&format!("error: cannot write `{missing}`: ")),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_scene() {
    let full = folder("full");
    for ending in ["jsonl", "log", "json"] {
        let file = full.join(format!("trace.{ending}"));
        std::os::unix::fs::symlink("/dev/full", &file).unwrap();
        let file = file.to_str().unwrap();
        let (code, said) = complaint(&["--agents=4", "--of=wolf-2", "--trace", file]);
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.starts_with(&format!("error: cannot write `{file}`: ")),
            "{said}"
        );
    }
}
