//! Nodes to suspect where scenarios fail: which ones, why, and what each could say instead.
//!
//! A node is the more suspect the more of the scenarios that fail enter it, and the fewer of those that pass (Ochiai's
//! coefficient of spectrum-based fault localisation); so is one that a failure names. The choices of a node are values that
//! its kind and its calls take: those that the failures speak of come first, then those of other nodes.

mod choices;
mod clues;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::scenario::{Seen, Verdict};
use bt_core::tree::asset::AssetNode;
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
    /// What it could say instead: each `{what, at, now, try}`, or `{what, edits}`.
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
    let verdicts = played.iter().filter_map(|played| match &played.outcome {
        Outcome::Verdict(verdict) => Some((&**verdict, verdict.passed())),
        Outcome::Refused(_) => None,
    });
    let (passed, failed): (Vec<_>, Vec<_>) = verdicts.partition(|(_, passed)| *passed);
    let (passed, failed) = (of(passed), of(failed));
    if failed.is_empty() {
        return Vec::new();
    }
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
            // What is below a node that was entered may be missing.
            let above = node.parent().map_or(0, |above| by_node[&above].0);
            if in_failed == 0 && above == 0 && !named {
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
            let cause = cause(in_failed, failed.len(), in_passed, passed.len(), named);
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

fn of<'v>(verdicts: Vec<(&'v Verdict, bool)>) -> Vec<&'v Verdict> {
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

/// The nodes that a text names: `hunt.json#5`, `hunt.json: node 5`.
fn named_nodes(text: &str) -> BTreeSet<(String, u32)> {
    let mut named = BTreeSet::new();
    for sign in ["#", ": node "] {
        let mut from = 0;
        while let Some(at) = text[from..].find(sign) {
            let (before, behind) = (&text[..from + at], &text[from + at + sign.len()..]);
            let digits = behind.len()
                - behind
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let name = before
                .rsplit([' ', '`', '"', '\'', '(', '['])
                .next()
                .unwrap_or_default();
            if let Ok(idx) = behind[..digits].parse() {
                named.insert((name.to_owned(), idx));
            }
            from += at + sign.len();
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_in_the_words_of_a_failure() {
        let text = "hunt.json: node 5 `until_failure` was not entered: [a/b.json#7] waits #x";
        let named = named_nodes(text);
        let all: Vec<_> = named
            .iter()
            .map(|(tree, idx)| (tree.as_str(), *idx))
            .collect();
        assert_eq!(all, [("a/b.json", 7), ("hunt.json", 5)]);
    }
}
