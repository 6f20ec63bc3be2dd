//! The meaning of a tree as one number, by which a saved agent knows its tree.
//!
//! Nodes are taken in the order in which they run, each as its `idx`, its kind, how many children it
//! has, and what its file says in `extra`, keys sorted and numbers by value. Comments, colours, the order
//! of the nodes in the file and keys that no kind knows do not count, and neither does the tree's name.
//! The same file gives the same number on every platform and in every version that reads the format of
//! [`Saved`](crate::Saved) of today: a change here is a change of that format.

use std::hash::Hasher;

use fnv::FnvHasher;
use serde_json::{Map, Number, Value};

use crate::kinds::Params;
use crate::tree::asset::AssetNode;

/// The hash of a tree, node by node.
#[derive(Default)]
pub(super) struct TreeHash(FnvHasher);

impl TreeHash {
    pub(super) fn node(&mut self, params: &Params<'_>, node: &AssetNode) {
        self.number(node.idx().into());
        self.text(params.kind().name());
        self.number(node.children().len() as u64);
        self.said(params, node);
    }

    /// Hashes the content of a node in its file, without what need not be written.
    fn said(&mut self, params: &Params<'_>, node: &AssetNode) {
        let extra = &node.data().extra;
        match params.implied(node.children().len()) {
            Some((key, value)) => {
                let mut extra = extra.clone();
                extra.insert(key.to_owned(), value);
                self.object(&extra);
            }
            None => self.object(extra),
        }
    }

    /// The meaning of the node itself, without its `idx` and its children.
    pub(super) fn meaning(params: &Params<'_>, node: &AssetNode) -> u64 {
        let mut hash = TreeHash::default();
        hash.text(params.kind().name());
        hash.said(params, node);
        hash.finish()
    }

    /// Adds a node of that meaning without its `idx`.
    pub(super) fn shape(&mut self, meaning: u64, node: &AssetNode) {
        self.0.write(&meaning.to_le_bytes());
        self.number(node.children().len() as u64);
    }

    pub(super) fn finish(&self) -> u64 {
        self.0.finish()
    }

    fn tag(&mut self, tag: u8) {
        self.0.write(&[tag]);
    }

    fn number(&mut self, number: u64) {
        // Short ones in few bytes: a byte is a step of the hash.
        match u8::try_from(number) {
            Ok(short) if short < 0xff => self.tag(short),
            _ => {
                self.tag(0xff);
                self.0.write(&number.to_le_bytes());
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.write(text.as_bytes());
    }

    fn object(&mut self, map: &Map<String, Value>) {
        self.number(map.len() as u64);
        // They are sorted, unless some crate of the program turns on serde_json's `preserve_order`.
        if map.keys().is_sorted() {
            for (key, value) in map {
                self.text(key);
                self.value(value);
            }
            return;
        }
        let mut sorted: Vec<_> = map.iter().collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        for (key, value) in sorted {
            self.text(key);
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.tag(0),
            Value::Bool(truth) => self.tag(1 + u8::from(*truth)),
            Value::Number(number) => self.json_number(number),
            Value::String(text) => {
                self.tag(7);
                self.text(text);
            }
            Value::Array(items) => {
                self.tag(8);
                self.number(items.len() as u64);
                for item in items {
                    self.value(item);
                }
            }
            Value::Object(map) => {
                self.tag(9);
                self.object(map);
            }
        }
    }

    /// By value: `1.0` is `1`.
    fn json_number(&mut self, number: &Number) {
        if let Some(whole) = number.as_u64() {
            self.tag(3);
            return self.number(whole);
        }
        if let Some(whole) = number.as_i64() {
            self.tag(4);
            return self.number(whole.unsigned_abs());
        }
        let Some(float) = number.as_f64() else {
            self.tag(5);
            return self.text(&number.to_string());
        };
        // Up to there every whole number is a float, and the other way round.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if float.fract() == 0.0 && float.abs() <= EXACT {
            self.tag(if float < 0.0 { 4 } else { 3 });
            return self.number(float.abs() as u64);
        }
        self.tag(6);
        self.0.write(&float.to_bits().to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::asset::TreeAsset;

    fn hash(text: &str) -> u64 {
        let tree = TreeAsset::from_json("t.json", text).unwrap();
        let mut hash = TreeHash::default();
        for node in tree.preorder() {
            hash.node(&node.typed().params.unwrap(), node);
        }
        hash.finish()
    }

    const PLAIN: &str = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "a", "mode": "once"}},
        {"idx": 1, "type": "sequence", "children": [2, 3], "extra": {}},
        {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "x", "n": [1, -2, 0.5]}},
        {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "y"}}]}"#;

    #[test]
    fn the_hash_is_what_it_was() {
        assert_eq!(format!("{:016x}", hash(PLAIN)), "006158619b14d7b7");
    }

    #[test]
    fn layout_does_not_count() {
        let other = r#"{"name": "other", "tree_type": "x", "mine": 1, "nodes": [
            {"extra": {"n": [1.0, -2.0, 5e-1], "action_name": "x"}, "idx": 2, "type": "action",
             "children": [], "comment": "why", "color": 7, "is_collapsed": true, "x": 7, "parent": 1},
            {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "y"}},
            {"idx": 1, "type": "sequence", "children": [2, 3]},
            {"idx": 0, "type": "root", "children": [1], "extra": {"mode": "once", "agent_name": "a"}}]}"#;
        assert_eq!(hash(PLAIN), hash(other));
    }

    #[test]
    fn hash_changes_with_the_meaning_of_a_tree() {
        let changes = [
            (r#""idx": 3"#, r#""idx": 4"#),
            ("[2, 3]", "[3, 2]"),
            (r#""sequence""#, r#""select""#),
            (r#""y""#, r#""z""#),
            ("-2", "2"),
            ("0.5", "0.25"),
            ("[1, -2, 0.5]", "[[1, -2], 0.5]"),
            (r#""n":"#, r#""m":"#),
            (r#""once""#, r#""loop""#),
        ];
        let mut seen = vec![hash(PLAIN)];
        for (from, to) in changes {
            let mut text = PLAIN.replace(from, to);
            if to.ends_with('4') {
                text = text.replace("[2, 3]", "[2, 4]");
            }
            let changed = hash(&text);
            assert!(!seen.contains(&changed), "{from} {to}");
            seen.push(changed);
        }
    }

    #[test]
    fn a_threshold_that_is_written_out_is_the_same() {
        let tree = |extra: &str| {
            hash(&format!(
                r#"{{"nodes": [
                {{"idx": 0, "type": "root", "children": [1], "extra": {{}}}},
                {{"idx": 1, "type": "parallel", "children": [2, 3], "extra": {extra}}},
                {{"idx": 2, "type": "action", "children": [], "extra": {{}}}},
                {{"idx": 3, "type": "action", "children": [], "extra": {{}}}}]}}"#
            ))
        };
        assert_eq!(
            tree(r#"{"success": 2}"#),
            tree(r#"{"failure": 1, "success": 2}"#)
        );
        assert_ne!(tree("{}"), tree(r#"{"success": 2}"#));
    }
}
