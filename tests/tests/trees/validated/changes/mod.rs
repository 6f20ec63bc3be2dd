//! Tests that a change which `diff` calls breaking stops a tree, and that one which it calls compatible stops
//! none.
//!
//! `BT_CHANGES=10000 cargo test --release -p bt-tests --test trees validated::changes` tries as many changes,
//! `BT_CHANGE=7` the one of that seed.

mod change;
mod proof;
mod types;
mod users;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::registry::catalogue::{AgentEntry, Catalogue};
use bt_core::{Registry, TreeAsset};
use bt_meta::diff::{Change, Effect, diff};
use bt_meta::validate::File;

use super::mutate::Random;
use change::change;
use proof::{Verdict, changes_meaning, is_proven_elsewhere, verdicts};
use users::trees;

/// The agents of the example and [`Every`](super::every::Every): what other tests register has no trees here.
fn examined() -> Catalogue {
    let mut catalogue = Catalogue::collect();
    let of_others = |agent: &AgentEntry| {
        agent.item.package == env!("CARGO_PKG_NAME") && agent.full_name != "every"
    };
    catalogue.agents.retain(|agent| !of_others(agent));
    catalogue
}

/// The verdict of trees on a change.
struct Tried {
    is_breaking: bool,
    trees: usize,
    /// The changes on which `diff` and the trees disagree.
    wrong: Vec<String>,
}

/// Changes a catalogue; none if nothing comes of it that can be registered.
fn attempt(base: &Catalogue, seed: u64) -> Option<Tried> {
    let mut random = Random(seed);
    let mut old = base.clone();
    // Some change already, so that aliases, defaults and bounds are there to be taken away.
    for _ in 0..random.below(4) {
        let _ = change(&mut old, &mut random);
    }
    let mut new = old.clone();
    let about = change(&mut new, &mut random)?;
    let was = Registry::from_catalogue(old.clone()).ok()?;
    let is = Registry::from_catalogue(new.clone()).ok()?;
    let mut files = trees(&old, &about);
    let read = |file: &File| TreeAsset::from_slice(&file.name, &file.bytes).unwrap();
    let mut all: Vec<_> = files.iter().map(read).collect();
    let before = verdicts(&was, &all);
    let kept = |verdict: &Verdict| *verdict != Verdict::Refused;
    let sure: BTreeSet<String> = (0..all.len())
        .filter(|at| before[*at] == Verdict::Valid)
        .map(|at| all[at].name().to_owned())
        .collect();
    let mut keep = before.iter().map(kept);
    all.retain(|_| keep.next() == Some(true));
    let mut keep = before.iter().map(kept);
    files.retain(|_| keep.next() == Some(true));
    let after = verdicts(&is, &all);
    let after: BTreeMap<&str, Verdict> = all.iter().map(TreeAsset::name).zip(after).collect();
    let mut found = diff(&old, &new).unwrap();
    found.look_for_uses(&old, &new, &files);
    let mut wrong = Vec::new();
    let mut say = |what: String, tree: Option<&TreeAsset>| {
        let tree = tree.map_or_else(String::new, TreeAsset::to_json);
        let all = bt_meta::diff::print::text(&found);
        wrong.push(format!("seed {seed}: {what}\n{all}{tree}"));
    };
    let stops =
        |tree: &&TreeAsset| sure.contains(tree.name()) && after[tree.name()] == Verdict::Refused;
    if found.breaking == 0
        && let Some(tree) = all.iter().find(stops)
    {
        say(
            "nothing is breaking, and a tree stops".to_owned(),
            Some(tree),
        );
    }
    let is_breaking = |change: &&Change| change.effect == Effect::Breaking;
    for change in found.changes.iter().filter(is_breaking) {
        if change.uses.is_empty() && !is_proven_elsewhere(change, &about, &old) {
            let of = all.len();
            say(format!("no tree of {of} shows: {}", change.message), None);
        }
        let used = change.uses.iter().map(|used| {
            let mut trees = all.iter();
            trees.find(|tree| tree.name() == used.file).unwrap()
        });
        let goes_on = |tree: &&TreeAsset| {
            after[tree.name()] == Verdict::Valid && !changes_meaning(change, tree)
        };
        if let Some(tree) = used.into_iter().find(goes_on) {
            say(
                format!("a tree goes on in spite of: {}", change.message),
                Some(tree),
            );
        }
    }
    Some(Tried {
        is_breaking: found.breaking > 0,
        trees: all.len(),
        wrong,
    })
}

#[test]
fn what_is_breaking_stops_a_tree_and_what_is_compatible_stops_none() {
    let count = std::env::var("BT_CHANGES").map_or(150, |count| count.parse().unwrap());
    let one = std::env::var("BT_CHANGE").ok();
    let one: Option<u64> = one.map(|seed| seed.parse().unwrap());
    let seeds = one.map_or(0..count, |seed| seed..seed + 1);
    let base = examined();
    let (mut breaking, mut compatible, mut trees) = (0, 0, 0);
    let mut wrong = Vec::new();
    for tried in seeds.filter_map(|seed| attempt(&base, seed)) {
        match tried.is_breaking {
            true => breaking += 1,
            false => compatible += 1,
        }
        trees += tried.trees;
        wrong.extend(tried.wrong);
    }
    let lines: Vec<_> = wrong.iter().filter_map(|one| one.lines().next()).collect();
    let (number, lines) = (wrong.len(), lines.join("\n"));
    assert!(
        wrong.is_empty(),
        "{number} are wrong:\n{lines}\n\nthe first:\n{}",
        wrong[0]
    );
    println!("{breaking} breaking and {compatible} compatible changes, {trees} trees");
    assert!(
        one.is_some() || breaking > count / 4 && compatible > count / 8,
        "{breaking} and {compatible}"
    );
}
