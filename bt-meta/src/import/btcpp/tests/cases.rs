//! Cases of the engine's own tests as facts: a tree, what its leaves answer, what the ticks give.
//!
//! `cases.txt` is the table: below `==` and its name a case has its tree, then lines: `leaves A=RS` are the answers of
//! leaves in order, the last one stays; `set 2 key=value` is what the host writes before the second tick, `#P` being
//! what the condition `P` answers; `ticks RRS` are the results; `calls A | A A!` are the leaves called in each tick, `!`
//! for a halt; `keys key=value` is what the blackboard holds at the end; `ms 10 20` when the ticks are, in
//! milliseconds (else one apart); `differs` says what is otherwise there, and the lines are what happens here.

use std::time::Duration;

use bt_core::{Mode, Runner};
use bt_core::{TreeAsset, TreeSet, Trees};
use serde_json::Value;

use super::agent::Scripted;
use super::{losses, of_body};

#[derive(Debug, Default)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) tree: String,
    leaves: Vec<(String, String)>,
    set: Vec<(usize, String, Value)>,
    ticks: String,
    calls: Option<Vec<String>>,
    keys: Vec<(String, Value)>,
    ms: Vec<u64>,
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn pair(text: &str) -> (String, String) {
    let (name, value) = text
        .split_once('=')
        .unwrap_or_else(|| panic!("`{text}` has no `=`"));
    (name.to_owned(), value.to_owned())
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("== ") {
            cases.push(Case {
                name: name.to_owned(),
                ..Case::default()
            });
            continue;
        }
        let case = cases.last_mut().expect("a case begins with `==`");
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "leaves" => case.leaves.extend(rest.split(' ').map(pair)),
            "set" => {
                let (tick, all) = rest.split_once(' ').unwrap();
                for (key, text) in all.split(' ').map(pair) {
                    case.set.push((tick.parse().unwrap(), key, value(&text)));
                }
            }
            "ticks" => case.ticks = rest.to_owned(),
            "calls" => {
                case.calls = Some(
                    rest.split('|')
                        .map(|calls| calls.trim().to_owned())
                        .collect(),
                )
            }
            "keys" => case.keys.extend(
                rest.split(' ')
                    .map(pair)
                    .map(|(key, text)| (key, value(&text))),
            ),
            "differs" => {}
            "ms" => case.ms = rest.split(' ').map(|ms| ms.parse().unwrap()).collect(),
            _ => case.tree.push_str(line.trim()),
        }
    }
    cases
}

/// Runs a case; the ticks, the calls and the keys as they were.
fn run(case: &Case) -> (String, Vec<String>, Vec<(String, Value)>) {
    let imported = of_body(&case.tree);
    let lost = losses(&imported);
    assert!(lost.is_empty(), "{}: {lost:?}", case.name);
    run_trees(case, imported.trees)
}

/// Runs the trees of a case.
fn run_trees(case: &Case, imported: Vec<TreeAsset>) -> (String, Vec<String>, Vec<(String, Value)>) {
    let mut set = TreeSet::<Scripted>::new();
    let names: Vec<String> = imported.iter().map(|tree| tree.name().to_owned()).collect();
    for tree in imported {
        set.add(tree);
    }
    let trees: Trees<Scripted> = set
        .build()
        .unwrap_or_else(|error| panic!("{}: {error}", case.name));
    let main = if names.iter().any(|name| name == "Main.json") {
        "Main.json"
    } else {
        names[0].as_str()
    };
    let mut runner = Runner::new(&trees, main).unwrap().mode(Mode::Once);
    let mut agent = Scripted {
        answers: case.leaves.iter().cloned().collect(),
        ..Scripted::default()
    };
    let (mut ticks, mut calls) = (String::new(), Vec::new());
    for tick in 1..=case.ticks.len() {
        for (_, key, value) in case.set.iter().filter(|(at, ..)| *at == tick) {
            runner.blackboard().set(key, value.clone());
        }
        if !runner.is_running() {
            runner.start();
        }
        let at = case.ms.get(tick - 1).copied().unwrap_or(tick as u64);
        runner.poll(&mut agent, Duration::from_millis(at));
        ticks.push(match (runner.is_running(), runner.result()) {
            (true, _) | (false, None) => 'R',
            (false, Some(true)) => 'S',
            (false, Some(false)) => 'F',
        });
        calls.push(std::mem::take(&mut agent.calls).join(" "));
    }
    let keys = case
        .keys
        .iter()
        .map(|(key, _)| (key.clone(), runner.blackboard().get(key)))
        .collect();
    (ticks, calls, keys)
}

/// All cases of the table.
pub(super) fn all() -> Vec<Case> {
    let table = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/import/btcpp/tests/cases.txt"
    ));
    cases(&table.unwrap())
}

/// The ticks and the calls of trees whose leaves answer so.
pub(super) fn played(
    leaves: &[(String, String)],
    ticks: usize,
    trees: Vec<TreeAsset>,
) -> (String, Vec<String>) {
    let case = Case {
        name: "played".to_owned(),
        leaves: leaves.to_vec(),
        ticks: "R".repeat(ticks),
        ..Case::default()
    };
    let (ticks, calls, _) = run_trees(&case, trees);
    (ticks, calls)
}

/// The difference between a case and a run of trees; none if there is none.
pub(super) fn differs(case: &Case, trees: Vec<TreeAsset>) -> Option<String> {
    otherwise(case, run_trees(case, trees))
}

fn otherwise(
    case: &Case,
    (ticks, calls, keys): (String, Vec<String>, Vec<(String, Value)>),
) -> Option<String> {
    let expected = case.calls.clone().unwrap_or_else(|| calls.clone());
    let is_same = (&ticks, &calls, &keys) == (&case.ticks, &expected, &case.keys);
    (!is_same).then(|| {
        format!(
            "{}:\n  ticks {ticks}, not {}\n  calls {calls:?}, not {expected:?}\n  keys {keys:?}, not {:?}",
            case.name, case.ticks, case.keys
        )
    })
}

#[test]
fn an_imported_tree_does_what_the_engines_own_tests_say() {
    let cases = all();
    let mut wrong = Vec::new();
    for case in &cases {
        match std::panic::catch_unwind(|| run(case)) {
            Ok(result) => wrong.extend(otherwise(case, result)),
            Err(_) => wrong.push(case.name.clone()),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    assert!(cases.len() >= 100, "there are {} cases", cases.len());
}
