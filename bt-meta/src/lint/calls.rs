//! Which trees a tree runs, and which of them it runs whatever happens.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::keys::Spot;
use super::outcome::Outcome;
use bt_core::tree::asset::AssetNode;
use bt_core::tree::asset::objects;

/// The trees that a tree runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Calls {
    /// By `sub_tree`, or by an event: their names as the file says them, each with its first place.
    pub(super) all: BTreeMap<String, Spot>,
    /// Those that are called, below all others, in every run that gets so far without an abort.
    pub(super) certain: BTreeMap<String, Spot>,
    /// Some tree is named by a key.
    pub(super) any: bool,
    /// What is certain below each node, while they are gone through from the last to the first.
    below: HashMap<u32, BTreeMap<String, Spot>>,
}

impl Calls {
    pub(super) fn spots(&self) -> impl Iterator<Item = &Spot> {
        self.all.values().chain(self.certain.values())
    }

    /// Adds a node whose children have been added.
    pub(super) fn node(&mut self, node: &AssetNode, children: &[Outcome]) {
        let extra = &node.extra;
        for (at, event) in objects(extra.get("events")) {
            if let Some(name) = event.get("tree").and_then(Value::as_str) {
                let below = format!("/extra/events/{at}/tree");
                self.add(name, node, below);
            }
        }
        let mut certain = BTreeMap::new();
        if node.kind == "sub_tree" {
            self.any |= extra.contains_key("name_key");
            if let Some(name) = extra.get("sub_tree_name").and_then(Value::as_str) {
                let spot = self.add(name, node, "/extra/sub_tree_name".to_owned());
                let comes_back = extra.get("mode").is_none_or(|mode| mode != "transfer");
                // Which of the two names counts, the runtime knows.
                if comes_back && !extra.contains_key("name_key") {
                    certain.insert(name.to_owned(), spot);
                }
            }
        } else {
            certain = self.by_children(node, children);
        }
        let guards = extra.get("guards").and_then(Value::as_array);
        if guards.is_some_and(|guards| !guards.is_empty()) {
            certain.clear();
        }
        match node.parent() {
            Some(_) if certain.is_empty() => {}
            Some(_) => drop(self.below.insert(node.idx(), certain)),
            None => self.certain = certain,
        }
    }

    fn add(&mut self, name: &str, node: &AssetNode, below: String) -> Spot {
        let node = node.idx();
        let spot = Spot { node, below };
        self.all.insert(name.to_owned(), spot.clone());
        spot
    }

    fn by_children(&mut self, node: &AssetNode, outcomes: &[Outcome]) -> BTreeMap<String, Spot> {
        let idxs = node.children().iter();
        let children: Vec<_> = idxs.map(|idx| self.below.remove(idx)).collect();
        let passes: fn(&Outcome) -> bool = match node.kind.as_str() {
            "sequence" | "memory_sequence" | "reactive_sequence" => {
                |one| one.success && !one.failure
            }
            "select" | "memory_select" | "reactive_select" => |one| one.failure && !one.success,
            // It runs its first child, and what is beside that only if.
            "if_else" | "while_loop" | "and" | "or" => |_| false,
            "always_seq" => |one| one.success || one.failure,
            "parallel" => |_| true,
            "root" | "negative" | "always_true" | "always_false" | "delay" | "timeout" | "once" => {
                |_| false
            }
            "until_success" | "until_failure" => |_| false,
            _ => return BTreeMap::new(),
        };
        let mut certain = BTreeMap::new();
        for (child, outcome) in children.into_iter().zip(outcomes) {
            for (name, spot) in child.into_iter().flatten() {
                certain.entry(name).or_insert(spot);
            }
            if !passes(outcome) {
                break;
            }
        }
        certain
    }
}
