//! Problems come after each edit of a large tree; how soon is printed.
//! `cargo test --release -p bt-studio --test socket speed -- --nocapture` measures it.

use std::fs;
use std::time::Instant;

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{action, node};
use serde_json::json;

use super::Studio;

/// A tree of so many nodes.
pub(crate) fn tree_of(nodes: usize) -> String {
    let leaf = || action("wait_for_seconds").arg(1.5);
    let branches = (0..nodes / 10).map(|_| {
        let leaves = (0..9).map(|_| leaf());
        leaves.fold(
            node("sequence"),
            |branch, leaf: bt_core::tree::asset::spec::NodeSpec| branch.child(leaf),
        )
    });
    let top = branches.fold(node("sequence"), |top, branch| top.child(branch));
    TreeAsset::build("big.json", "monster_agent", top).to_json()
}

#[test]
fn problems_of_a_tree_of_a_thousand_nodes_come_after_each_edit() {
    let studio = Studio::of_monsters();
    fs::write(studio.path("big.json"), tree_of(1_000)).unwrap();
    let mut client = studio.client();
    let doc = client.open_tree("big.json");
    let mut times = Vec::new();
    let before = cpu_seconds();
    for revision in 0..12_u64 {
        let value = format!("{revision}");
        let begun = Instant::now();
        client.edit(&doc, revision, json!([{"do": "set", "node": 7, "at": "/extra/action_args/0/arg_value", "value": value}])).unwrap();
        let answered = begun.elapsed();
        client.event("problems", |params| params["revision"] == revision + 1);
        times.push((begun.elapsed(), answered));
    }
    let cpu = (cpu_seconds() - before) * 1_000.0 / times.len() as f64;
    times.sort();
    let (problems, answer) = times[times.len() / 2];
    let (best, _) = times[0];
    println!(
        "1,000 nodes: answer {answer:?}, problems {problems:?}, at best {best:?}; {cpu:.1} ms of a core"
    );
}

#[test]
fn large_tree_is_shown_before_its_problems_which_come_by_themselves() {
    let studio = Studio::of_monsters();
    let text = tree_of(3_000).replacen("wait_for_seconds", "no_such_action", 1);
    fs::write(studio.path("big.json"), text).unwrap();
    let mut client = studio.client();
    let opened = client.open_tree("big.json");
    assert!(opened["view"].is_object(), "{opened}");
    let problems = client.event("problems", |params| {
        params["path"] == "big.json" && params["revision"] == 0
    });
    let found = problems["findings"].as_array().unwrap();
    let is_found = found
        .iter()
        .any(|finding| finding["message"].to_string().contains("no_such_action"));
    assert!(is_found, "{problems}");
}

/// The time that the studio's threads have had a core, where the system reports it: other programs do not
/// count.
fn cpu_seconds() -> f64 {
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let of_studio = tasks.filter(|task| {
        let name = fs::read_to_string(task.path().join("comm"));
        name.is_ok_and(|name| name.trim() == "studio")
    });
    let nanoseconds = of_studio.map(|task| {
        let said = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        let first = said
            .split(' ')
            .next()
            .and_then(|first| first.parse::<f64>().ok());
        first.unwrap_or(0.0)
    });
    nanoseconds.sum::<f64>() / 1e9
}
