//! The names in a saved agent: of trees, runs of trees, nodes.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::older::known;
use super::problems::Result;
use crate::run::context::{DEEPEST, MOST};
use crate::run::node_ref::{At, NOWHERE};
use crate::run::save::settings::hash_text;
use crate::snapshot::RestoreError;
use crate::snapshot::format::{Described, Known, Parts};
use crate::text;
use crate::text::suggest;
use crate::tree::asset::TreeAsset;
use crate::tree::plan::Plan;

/// ": its node 3 …": the first of the nodes that are described and have changed.
fn difference(was: &[Described], is: &TreeAsset) -> String {
    let mut known = known(was).peekable();
    if known.peek().is_none() {
        return String::new();
    }
    let changed = known.find_map(|node| {
        let Some(now) = is.node(node.idx) else {
            return Some(format!("{} is not there any more", shown(node)));
        };
        if now.kind != node.kind {
            return Some(format!(
                "{} is of kind `{}` now",
                shown(node),
                text::name(&now.kind)
            ));
        }
        let mut keys = node.extra.keys().chain(now.extra.keys());
        let key = keys.find(|key| node.extra.get(*key) != now.extra.get(*key))?;
        Some(format!(
            "{} has another `{}` now",
            shown(node),
            text::name(key)
        ))
    });
    match changed {
        Some(changed) => format!(": its {changed}"),
        None => ": the nodes that were active are the same, and others are not".to_owned(),
    }
}

/// "node 3 (action)"
fn shown(node: &Known) -> String {
    format!("node {} ({})", node.idx, text::name(&node.kind))
}

/// One run of a tree.
pub(super) struct Run {
    /// The number of the tree in the plan.
    pub(super) tree: u32,
    pub(super) caller: At,
    pub(super) depth: u32,
    /// The number of trees that are suspended below it.
    pub(super) level: u32,
}

pub(super) struct Names<'a> {
    pub(super) plan: &'a Plan,
    pub(super) parts: &'a Parts,
    /// The numbers of the saved agent's trees in the plan.
    trees: Vec<u32>,
    pub(super) runs: Vec<Run>,
    /// The run of the current tree of each level.
    pub(super) bases: Vec<u32>,
    /// The nodes of trees whose numbers are not the order in which they run, by tree and `idx`.
    pub(super) by_idx: ByIdx,
}

impl<'a> Names<'a> {
    /// Looks whether the trees are those of the saved agent.
    pub(super) fn new(
        plan: &'a Plan,
        source: &[TreeAsset],
        agent: &str,
        parts: &'a Parts,
    ) -> Result<Names<'a>> {
        check_agent(agent, parts)?;
        let mut names = Names {
            plan,
            parts,
            trees: Vec::with_capacity(parts.trees.len()),
            runs: Vec::with_capacity(parts.frames.len()),
            bases: Vec::new(),
            by_idx: RefCell::default(),
        };
        for (name, _) in &parts.trees {
            let tree = names.named(name)?;
            names.trees.push(tree);
        }
        for (number, ((name, hash), tree)) in parts.trees.iter().zip(&names.trees).enumerate() {
            let now = hash_text(plan.trees[*tree as usize].hash);
            if *hash != now {
                let (name, hash) = (text::name(name), text::name(hash));
                let was = parts.nodes.get(number).map_or(&[][..], Vec::as_slice);
                let what = match source.get(*tree as usize) {
                    Some(is) => difference(was, is),
                    None => String::new(),
                };
                return Err(RestoreError::changed(format!(
                    "the tree `{name}` is not what it was{what} (it was saved with hash {hash}, and has \
                     {now} now); restore with the trees of that time, or with `restore_or_restart`, \
                     which moves the agent to the trees of now"
                ))
                .of_tree(&name));
            }
        }
        names.runs()?;
        Ok(names)
    }

    /// Makes sense of the runs: each is called by a node of an earlier one, or is the first of its
    /// level.
    fn runs(&mut self) -> Result<()> {
        let plan = self.plan;
        let found = self.parts.frames.len();
        // The outermost run of each tree that is suspended comes on top.
        if found > MOST + 1 + DEEPEST as usize {
            return Err(RestoreError::malformed(format!(
                "expected at most {MOST} trees that run at once, found {found}"
            )));
        }
        let mut callers = FxHashSet::default();
        for (number, frame) in self.parts.frames.iter().enumerate() {
            let wrong =
                |why: String| RestoreError::malformed(format!("run {number} of a tree {why}"));
            let tree = self.trees.get(frame.tree as usize).copied();
            let Some(tree) = tree else {
                return Err(wrong(format!(
                    "is of tree {}, which is not listed",
                    frame.tree
                )));
            };
            let Some(caller) = frame.caller else {
                let level = self.bases.len() as u32;
                self.bases.push(number as u32);
                self.runs.push(Run {
                    tree,
                    caller: NOWHERE,
                    depth: 0,
                    level,
                });
                continue;
            };
            // That one is there already, so no run calls itself.
            let caller = self.at(caller)?;
            let calls = plan.node(caller.node).kind.behaviour().may_call(tree);
            if !calls || !callers.insert(caller) {
                let place = plan.place(caller.node);
                return Err(wrong(format!("cannot be called by {place}")));
            }
            let above = &self.runs[caller.frame as usize];
            let (depth, level) = (above.depth + 1, above.level);
            if depth > DEEPEST {
                return Err(wrong(format!(
                    "is called {depth} deep, at most {DEEPEST} are"
                )));
            }
            self.runs.push(Run {
                tree,
                caller,
                depth,
                level,
            });
        }
        let levels = self.parts.levels.len();
        if self.bases.len() != levels || levels == 0 || levels > DEEPEST as usize + 1 {
            return Err(RestoreError::malformed(format!(
                "expected a tree for each level and no more than {DEEPEST} suspended; found {levels} \
                 levels, and {} trees that nothing calls",
                self.bases.len()
            )));
        }
        Ok(())
    }

    /// The number in the plan of the current tree.
    pub(super) fn current(&self) -> u32 {
        self.base_tree(self.bases.len() - 1)
    }

    /// The same of a level.
    pub(super) fn base_tree(&self, level: usize) -> u32 {
        self.runs[self.bases[level] as usize].tree
    }

    /// A tree by its name.
    pub(super) fn named(&self, name: &str) -> Result<u32> {
        named(self.plan, name)
    }

    /// A node of one of the listed trees.
    pub(super) fn listed(&self, tree: u32, idx: u32) -> Result<u32> {
        let Some(tree) = self.trees.get(tree as usize) else {
            return Err(RestoreError::malformed(format!(
                "tree {tree} is not listed"
            )));
        };
        self.node(*tree, idx)
    }

    /// A node of a tree of the plan.
    pub(super) fn node(&self, tree: u32, idx: u32) -> Result<u32> {
        self.find(tree, idx).ok_or_else(|| {
            let name = &self.plan.trees[tree as usize].name;
            RestoreError::malformed(format!("`{name}` has no node {idx}"))
        })
    }

    pub(super) fn find(&self, tree: u32, idx: u32) -> Option<u32> {
        find(self.plan, &self.by_idx, tree, idx)
    }

    /// A place.
    pub(super) fn at(&self, place: At) -> Result<At> {
        let Some(run) = self.runs.get(place.frame as usize) else {
            let frame = place.frame;
            return Err(RestoreError::malformed(format!(
                "there is no run {frame} of a tree"
            )));
        };
        Ok(At {
            frame: place.frame,
            node: self.node(run.tree, place.node)?,
        })
    }

    /// A child of a node.
    pub(super) fn child(&self, parent: u32, idx: u32) -> Result<u32> {
        child(self.plan, &self.by_idx, parent, idx).ok_or_else(|| {
            let place = self.plan.place(parent);
            RestoreError::malformed(format!("{place} has no child {idx}"))
        })
    }
}

pub(super) type ByIdx = RefCell<FxHashMap<u32, FxHashMap<u32, u32>>>;

/// A node of a tree by its `idx`.
pub(super) fn find(plan: &Plan, by_idx: &ByIdx, tree: u32, idx: u32) -> Option<u32> {
    let root = plan.trees[tree as usize].root;
    let end = plan.node(root).end;
    // In most files nodes are numbered in the order in which they run.
    let here = root.saturating_add(idx);
    if here < end && plan.info(here).idx == idx {
        return Some(here);
    }
    let mut by_idx = by_idx.borrow_mut();
    let nodes = by_idx.entry(tree).or_insert_with(|| {
        let nodes = (root..end).map(|node| (plan.info(node).idx, node));
        nodes.collect()
    });
    nodes.get(&idx).copied()
}

pub(super) fn child(plan: &Plan, by_idx: &ByIdx, parent: u32, idx: u32) -> Option<u32> {
    let node = find(plan, by_idx, plan.info(parent).tree, idx)?;
    (plan.parent(node) == parent).then_some(node)
}

pub(super) fn named(plan: &Plan, name: &str) -> Result<u32> {
    plan.tree_named(name).ok_or_else(|| {
        let near = suggest(name, plan.trees.iter().map(|tree| &*tree.name));
        let shown = text::name(name);
        let what = format!("it needs the tree `{shown}`, which is not in the set: add it{near}");
        RestoreError::unknown_tree(name, what)
    })
}

/// Looks whether it was an agent of that type.
pub(super) fn check_agent(agent: &str, parts: &Parts) -> Result<()> {
    if parts.format != crate::snapshot::format::FORMAT {
        let format = parts.format;
        return Err(RestoreError::malformed(format!(
            "there is no format {format}"
        )));
    }
    if parts.agent == agent {
        return Ok(());
    }
    let saved = text::name(&parts.agent);
    Err(RestoreError::other_agent(format!(
        "it is of type `{saved}`, and the trees are built for `{agent}`: restore it with trees for \
         `{saved}`"
    )))
}
