//! Nodes to suspect where scenarios fail: which ones, why, and what each could say instead.
//!
//! A node is the more suspect the more of the scenarios that fail enter it, and the fewer of those that pass (Ochiai's
//! coefficient of spectrum-based fault localisation); so is one that a failure names. The choices of a node are values that
//! its kind and its calls take: those that the failures speak of come first, then those of other nodes.

mod choices;
mod clues;

use std::collections::BTreeMap;

use bt_core::scenario::{ScenarioProblem, Seen, Verdict};
use bt_core::tree::asset::AssetNode;
use bt_core::tree::by_either_name;
use bt_core::{Registry, TreeAsset};
use serde_json::Value;

use super::{Outcome, Played};
use crate::draw::heading;
use clues::Clues;

/// A node to suspect.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// Its tree.
    pub tree: String,
    /// Its `idx`.
    pub node: u32,
    /// The node in words.
    pub shown: String,
    /// The reason why it is suspect.
    pub cause: String,
    /// Other values that it could have: each `{at, now, try}`, or `{what, edits}`.
    pub choices: Vec<Value>,
}

/// A failure names it: as much as being in each failed scenario, and in none that passed.
const NAMED: f64 = 1.0;

/// The nodes to suspect of scenarios that failed, the most suspect first; the first `most` of them with their choices.
pub fn suspects(
    registry: &Registry,
    trees: &[TreeAsset],
    played: &[Played],
    most: usize,
) -> Vec<Suspect> {
    let refused = played.iter().filter_map(|played| match &played.outcome {
        Outcome::Verdict(_) => None,
        Outcome::Refused(problems) => Some((played, problems)),
    });
    let refused: Vec<_> = refused
        .flat_map(|(played, problems)| gone(trees, played, problems))
        .collect();
    let verdicts = played.iter().filter_map(|played| match &played.outcome {
        Outcome::Verdict(verdict) => Some((&**verdict, verdict.passed())),
        Outcome::Refused(_) => None,
    });
    let (passed, failed): (Vec<_>, Vec<_>) = verdicts.partition(|(_, passed)| *passed);
    let (passed, failed) = (of(passed), of(failed));
    let clues = Clues::of(&failed);
    let mut found: Vec<(f64, Suspect, (&TreeAsset, &AssetNode))> = Vec::new();
    for tree in trees {
        let by_node: BTreeMap<u32, (usize, usize)> = tree
            .preorder()
            .map(|node| {
                let in_those = |all: &[&Verdict]| {
                    let entered = all.iter();
                    entered
                        .filter(|one| is_seen(&one.seen, tree.name(), node))
                        .count()
                };
                (node.idx(), (in_those(&failed), in_those(&passed)))
            })
            .collect();
        for node in tree.preorder() {
            let (in_failed, in_passed) = by_node[&node.idx()];
            let named = clues.names(tree.name(), node.idx());
            let lost = refused
                .iter()
                .find(|(of, at, _)| *of == tree.name() && *at == node.idx());
            // What is below a node that was entered may be missing.
            let above = node.parent().map_or(0, |above| by_node[&above].0);
            if in_failed == 0 && above == 0 && !named && lost.is_none() {
                continue;
            }
            let all = (failed.len() * (in_failed + in_passed)) as f64;
            let mut score = if all > 0.0 {
                in_failed as f64 / all.sqrt()
            } else {
                0.0
            };
            if named {
                score += NAMED;
            }
            let cause = match lost {
                Some((.., why)) => why.clone(),
                None => cause(in_failed, failed.len(), in_passed, passed.len(), named),
            };
            if lost.is_some() {
                // The nearest before it comes first.
                score += NAMED + f64::from(node.idx()) * 1e-6;
            }
            let suspect = Suspect {
                tree: tree.name().to_owned(),
                node: node.idx(),
                shown: heading(node),
                cause,
                choices: Vec::new(),
            };
            found.push((score, suspect, (tree, node)));
        }
    }
    found.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    for (_, suspect, (tree, node)) in found.iter_mut().take(most) {
        suspect.choices = choices::choices(registry, trees, tree, node, &clues);
    }
    found.into_iter().map(|(_, suspect, _)| suspect).collect()
}

/// The nodes below which one may be missing that a scenario names, and its tree does not have: a tree's name, the node's `idx` and
/// the cause. Numbers go up in the order of a tree, as a rule, so it is a node before the missing one.
fn gone(
    trees: &[TreeAsset],
    played: &Played,
    problems: &[ScenarioProblem],
) -> Vec<(String, u32, String)> {
    let mut found = Vec::new();
    let texts = problems.iter().map(|problem| &problem.message);
    for (name, missing) in texts.flat_map(|text| clues::named_nodes(text)) {
        let named = by_either_name(&name, |name| trees.iter().find(|tree| tree.name() == name));
        let Some(tree) = named.filter(|tree| tree.node(missing).is_none()) else {
            continue;
        };
        let before = tree.nodes().iter().filter(|node| node.idx() < missing);
        let mut before: Vec<_> = before.filter(|node| !node.children().is_empty()).collect();
        before.sort_by_key(|node| std::cmp::Reverse(node.idx()));
        found.extend(
            before
                .into_iter()
                .filter(|node| node.parent().is_some())
                .map(|node| {
                    let why = format!(
                        "{} names {}#{missing}, which is missing: it may have been below this node",
                        played.file,
                        tree.name()
                    );
                    (tree.name().to_owned(), node.idx(), why)
                }),
        );
    }
    found
}

fn of(verdicts: Vec<(&Verdict, bool)>) -> Vec<&Verdict> {
    verdicts.into_iter().map(|(verdict, _)| verdict).collect()
}

/// Returns true if a node was entered, or one of its guards evaluated; the root with its child.
fn is_seen(seen: &Seen, tree: &str, node: &AssetNode) -> bool {
    let idx = match (node.parent(), node.children().first()) {
        (None, Some(child)) => *child,
        _ => node.idx(),
    };
    let seen = seen.node(tree, idx);
    seen.is_some_and(|seen| seen.entered > 0 || !seen.guards.is_empty())
}

fn cause(in_failed: usize, failed: usize, in_passed: usize, passed: usize, named: bool) -> String {
    let entered = match in_failed {
        0 => "not entered in those that failed".to_owned(),
        _ => format!(
            "entered in {in_failed} of {failed} that failed, {in_passed} of {passed} that passed"
        ),
    };
    match named {
        true => format!("a failure names it; {entered}"),
        false => entered,
    }
}
