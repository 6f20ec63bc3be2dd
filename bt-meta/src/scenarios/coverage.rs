//! The coverage of trees by scenarios: of each node that is built whether it was entered, the results that its kind and
//! its children allow, and each guard true and false.

use std::collections::BTreeMap;

use bt_core::kinds::Outcome as Possible;
use bt_core::scenario::{NodeSeen, Seen};
use bt_core::tree::asset::AssetNode;
use bt_core::tree::check::{Checker, Rules};
use bt_core::{Registry, TreeAsset};
use serde::{Deserialize, Serialize};

use super::input::Found;
use super::{Outcome, Played};
use crate::draw::Mark;
use crate::error::did_you_mean;
use crate::lint::outcomes;

/// The outcomes of trees that were seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The number of outcomes that were seen.
    pub seen: usize,
    /// The number of those that there can be.
    pub all: usize,
    /// The trees, by their names.
    pub trees: BTreeMap<String, TreeCoverage>,
}

/// The outcomes of a tree that were seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TreeCoverage {
    /// The number of outcomes that were seen.
    pub seen: usize,
    /// The number of those that there can be.
    pub all: usize,
    /// The nodes that are built, by their numbers in the file.
    pub nodes: BTreeMap<u32, NodeCoverage>,
}

/// The outcomes of a node that were seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeCoverage {
    /// The node's kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of times that it was entered.
    pub entered: u64,
    /// The number of times that it succeeded; none if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<u64>,
    /// The number of times that it failed; none if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<u64>,
    /// The number of times that it was aborted, which is shown and not counted.
    pub aborted: u64,
    /// The number of times that each of its guards held, and did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<(u64, u64)>,
}

/// The part of the outcomes of a node that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    /// Everything.
    All,
    /// A part.
    Some,
    /// It was never entered.
    None,
}

impl NodeCoverage {
    fn of(node: &AssetNode, can: Possible, seen: Option<&NodeSeen>) -> NodeCoverage {
        let none = NodeSeen::default();
        let seen = seen.unwrap_or(&none);
        let guards = node.typed().attachments.guards.len();
        let guards = (0..guards as u32).map(|number| {
            let guard = seen.guards.get(&number).copied().unwrap_or_default();
            (guard.held, guard.failed)
        });
        NodeCoverage {
            kind: node.kind.clone(),
            entered: seen.entered,
            success: can.success.then_some(seen.successes),
            failure: can.failure.then_some(seen.failures),
            aborted: seen.aborts,
            guards: guards.collect(),
        }
    }

    /// The names of what there is to see of it, and whether it was seen.
    fn points(&self) -> Vec<(String, bool)> {
        let mut points = vec![("entry".to_owned(), self.entered > 0)];
        points.extend(self.success.map(|times| ("success".to_owned(), times > 0)));
        points.extend(self.failure.map(|times| ("failure".to_owned(), times > 0)));
        for (number, (held, failed)) in self.guards.iter().enumerate() {
            let name = match self.guards.len() {
                1 => "guard".to_owned(),
                _ => format!("guard {number}"),
            };
            points.push((format!("{name} true"), *held > 0));
            points.push((format!("{name} false"), *failed > 0));
        }
        points
    }

    /// The outcomes that were not seen.
    pub fn missing(&self) -> Vec<String> {
        let points = self.points().into_iter();
        points
            .filter(|(_, seen)| !seen)
            .map(|(name, _)| name)
            .collect()
    }

    /// The part of its outcomes that was seen.
    pub fn covered(&self) -> Covered {
        match (self.entered, self.missing().is_empty()) {
            (_, true) => Covered::All,
            (0, false) => Covered::None,
            (_, false) => Covered::Some,
        }
    }
}

/// The coverage of all trees whose agents are known.
pub(super) fn of(registry: &Registry, found: &Found, played: &[Played]) -> Coverage {
    let mut seen = Seen::default();
    for played in played {
        match &played.outcome {
            Outcome::Verdict(verdict) => seen.add(&verdict.seen),
            Outcome::Refused(_) => {}
        }
    }
    covered(registry, &found.trees, &seen)
}

/// The coverage of trees: what was seen, of all that there is to see.
pub fn covered(registry: &Registry, trees: &[TreeAsset], seen: &Seen) -> Coverage {
    let rules = Rules::default();
    let checker = Checker::new(trees, registry, &rules);
    let mut coverage = Coverage::default();
    for tree in trees {
        let can = outcomes(&checker, tree);
        let mut of = TreeCoverage::default();
        for node in tree.preorder() {
            // One that is disabled is not built.
            let Some(can) = can.get(&node.idx()) else {
                continue;
            };
            let node_seen = seen.node(tree.name(), node.idx());
            let node_coverage = NodeCoverage::of(node, *can, node_seen);
            let points = node_coverage.points();
            of.all += points.len();
            of.seen += points.iter().filter(|(_, seen)| *seen).count();
            of.nodes.insert(node.idx(), node_coverage);
        }
        coverage.all += of.all;
        coverage.seen += of.seen;
        coverage.trees.insert(tree.name().to_owned(), of);
    }
    coverage
}

/// The marks of a tree's nodes, from what `bt-meta test --coverage --format json` wrote. The tree is found by its name,
/// or by the end of its path.
///
/// # Errors
/// What is wrong with the text, and the trees that there are if this one is not among them.
pub fn marks(text: &str, tree: &str) -> Result<BTreeMap<u32, Mark>, String> {
    #[derive(Deserialize)]
    struct Tested {
        coverage: Coverage,
    }
    let tested: Tested = serde_json::from_str(text).map_err(|error| {
        format!("{error}: it is no output of `bt-meta test --coverage --format json`")
    })?;
    let trees = &tested.coverage.trees;
    let ends = |name: &str| name == tree || name.ends_with(&format!("/{tree}"));
    let found: Vec<_> = trees.iter().filter(|(name, _)| ends(name)).collect();
    let [(_, found)] = found[..] else {
        let near = did_you_mean(tree, trees.keys().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; {near}"));
        return Err(format!("it covers no one tree `{tree}`{near}"));
    };
    let marks = found.nodes.iter().map(|(idx, node)| {
        let mark = match node.covered() {
            Covered::All => Mark::Covered,
            Covered::Some => Mark::PartlyCovered,
            Covered::None => Mark::NotCovered,
        };
        (*idx, mark)
    });
    Ok(marks.collect())
}

impl Coverage {
    /// For people: each tree with its share, below it the nodes of which something was not seen.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, tree) in &self.trees {
            text += &format!("{name}: {}\n", share(tree.seen, tree.all));
            for (idx, node) in &tree.nodes {
                let missing = node.missing();
                if !missing.is_empty() {
                    let missing = missing.join(", ");
                    text += &format!("  #{idx} {}: not seen: {missing}\n", node.kind);
                }
            }
        }
        text + &format!("coverage: {}\n", share(self.seen, self.all))
    }
}

/// `9 of 10 outcomes (90.0 %)`
fn share(seen: usize, all: usize) -> String {
    let percent = match all {
        0 => 100.0,
        all => seen as f64 * 100.0 / all as f64,
    };
    format!("{seen} of {all} outcomes ({percent:.1} %)")
}
