//! The rows of the original's debugger, as records: `[tree_idx, node_idx, ts_ms, cmd, detail]`.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::tree::by_either_name;
use bt_live::recording::message;
use serde::Deserialize;
use serde_json::{Value, json};

use super::listen::Taken;

/// So many records become one message.
const PART: usize = 500;

/// The number of runs of trees that are distinguished since the last snapshot.
const RUNS: usize = 100_000;

/// Names of entities and trees have so many characters, at most: what is behind them is not kept.
const LONGEST: usize = 200;

/// A row: the number of the run, the node's `idx`, the time in milliseconds, what happened, and to what.
#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "a row: `[tree_idx, node_idx, ts, cmd, detail]`")]
pub(crate) struct LogRow(u32, u32, f64, String, #[serde(default)] Value);

/// Rows that were posted.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(super) entity: String,
    pub(super) rows: Vec<LogRow>,
    /// Until it is dropped, its bytes count as such that wait.
    pub(super) waiting: Option<Taken>,
}

/// The kind and the name of each node of the project's trees, by tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nodes(BTreeMap<String, BTreeMap<u32, (String, String)>>);

impl Nodes {
    pub(crate) fn add(&mut self, tree: &TreeAsset) {
        let nodes = tree.nodes().iter().map(|node| {
            let called = bt_meta::draw::card(node).title;
            let name = if called == node.kind {
                String::new()
            } else {
                called
            };
            (node.idx(), (node.kind.clone(), name))
        });
        self.0.insert(tree.name().to_owned(), nodes.collect());
    }

    fn of(&self, tree: &str, idx: u32) -> (&str, &str) {
        let found = by_either_name(tree, |name| self.0.get(name)?.get(&idx));
        found.map_or(("", ""), |(kind, name)| (kind, name))
    }
}

/// Makes records of rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The trees by the numbers of their runs.
    pub(super) trees: Vec<String>,
    poll: u32,
    /// True if the poll has rows.
    has_rows: bool,
    /// The nodes that were entered and have not exited, as run and `idx`.
    active: BTreeSet<(u32, u32)>,
    start: Option<f64>,
    ns: u64,
    records: Vec<Value>,
    sent: u64,
}

impl Rows {
    pub(super) fn add(&mut self, row: LogRow, nodes: &Nodes) {
        let LogRow(run, idx, ms, cmd, detail) = row;
        let begins = matches!(cmd.as_str(), "poll_begin" | "group_begin")
            || cmd == "snapshot" && (self.has_rows || self.poll == 0);
        if begins {
            self.poll += 1;
            self.has_rows = false;
        }
        self.has_rows |= !matches!(cmd.as_str(), "poll_begin" | "group_begin");
        let start = *self.start.get_or_insert(ms);
        // A clock that goes back stands.
        self.ns = self.ns.max(((ms - start).max(0.0) * 1e6) as u64);
        let mut record = json!({ "ns": self.ns, "poll": self.poll });
        for (key, value) in self.what(&cmd, detail, nodes) {
            record[key] = value;
        }
        let is_placed = !matches!(
            record["cmd"].as_str().unwrap_or_default(),
            "snapshot" | "push_tree" | "poll_begin" | "reset" | "bb_clear"
        );
        match record["cmd"].as_str().unwrap_or_default() {
            "node_enter" if self.active.len() < RUNS => _ = self.active.insert((run, idx)),
            "node_leave" => _ = self.active.remove(&(run, idx)),
            _ => {}
        }
        if is_placed && let Some(tree) = self.trees.get(run as usize) {
            let (kind, name) = nodes.of(tree, idx);
            record["at"] = json!([run, idx]);
            record["tree"] = tree.as_str().into();
            record["type"] = kind.into();
            if !name.is_empty() {
                record["name"] = name.into();
            }
        }
        self.records.push(record);
    }

    /// Returns true if nodes were entered that have not exited.
    pub(super) fn runs(&self) -> bool {
        !self.active.is_empty()
    }

    /// Reads the sort of a row, and its content.
    fn what(&mut self, cmd: &str, detail: Value, nodes: &Nodes) -> Vec<(&'static str, Value)> {
        let at = |path: &str| detail.pointer(path).cloned().unwrap_or_default();
        let of = |cmd: &str| ("cmd", Value::from(cmd));
        let called = |from: &str| {
            let args = at(&format!("{from}/1"));
            let args = if args.is_array() { args } else { json!([args]) };
            vec![
                of("node_action"),
                ("call", text(&at(&format!("{from}/0"))).into()),
                ("args", args),
                ("role", "action".into()),
            ]
        };
        let set = |cmd: &str, name: &'static str, from: &str| {
            let key = text(&at(&format!("{from}/0")));
            let mut all = vec![of(cmd), (name, key.into())];
            if cmd != "bb_remove" {
                all.push(("value", at(&format!("{from}/1"))));
            }
            all
        };
        match (cmd, detail[0].as_str()) {
            ("snapshot", _) => self.snapshot(&detail, nodes),
            ("push_tree", _) if self.trees.len() >= RUNS => {
                let message =
                    format!("more than {RUNS} runs since the last snapshot: this one has no place");
                vec![of("diagnostic"), ("message", message.into())]
            }
            ("push_tree", _) => {
                let file = name(&detail[0]);
                self.trees.push(file.clone());
                let run = self.trees.len() - 1;
                vec![
                    of("push_tree"),
                    ("file", file.clone().into()),
                    ("at", json!([run, 0])),
                    ("tree", file.into()),
                    ("type", "root".into()),
                ]
            }
            ("poll_begin" | "group_begin", _) => vec![of("poll_begin")],
            ("enter" | "node_enter", _) => vec![of("node_enter")],
            ("leave" | "node_leave", _) => left(&detail),
            ("reset", _) => vec![of("reset")],
            ("node_action", _) => called(""),
            ("mutate", Some("node_action")) => called("/1"),
            ("mutate", Some("guard")) => vec![
                of("guard"),
                ("call", text(&at("/1/0")).into()),
                (
                    "args",
                    if at("/1/1").is_array() {
                        at("/1/1")
                    } else {
                        json!([])
                    },
                ),
                ("holds", (at("/1/2") == true).into()),
            ],
            ("mutate", Some("property")) => set("property_set", "property", "/1/1"),
            ("mutate", Some("variable")) => match text(&at("/1/0")).as_str() {
                "remove" => set("bb_remove", "key", "/1/1"),
                "clear" => vec![of("bb_clear")],
                _ => set("bb_set", "key", "/1/1"),
            },
            ("bb_set", _) => set("bb_set", "key", ""),
            ("bb_remove", _) => set("bb_remove", "key", ""),
            ("bb_clear", _) => vec![of("bb_clear")],
            _ => vec![of("note"), ("note", cmd.into()), ("value", detail)],
        }
    }

    fn snapshot(&mut self, detail: &Value, nodes: &Nodes) -> Vec<(&'static str, Value)> {
        let trees = detail[0].as_array().map(Vec::as_slice).unwrap_or_default();
        self.trees = trees.iter().take(RUNS).map(name).collect();
        self.active.clear();
        let active = detail[2].as_array().map(Vec::as_slice).unwrap_or_default();
        let active = active.iter().filter_map(|place| {
            let run = u32::try_from(place[0].as_u64()?).ok()?;
            let idx = u32::try_from(place[1].as_u64()?).ok()?;
            let (kind, name) = nodes.of(self.trees.get(run as usize)?, idx);
            self.active.insert((run, idx));
            Some(json!([run, idx, kind, name]))
        });
        let active: Vec<Value> = active.collect();
        let board = if detail[1].is_object() {
            detail[1].clone()
        } else {
            json!({})
        };
        vec![
            ("cmd", "snapshot".into()),
            ("trees", self.trees.clone().into()),
            ("blackboard", board),
            ("active", active.into()),
        ]
    }

    /// The messages that there are; all of it, or what fills one.
    pub(super) fn take(&mut self, all: bool) -> Option<Vec<u8>> {
        if self.records.is_empty() || !all && self.records.len() < PART {
            return None;
        }
        let records = std::mem::take(&mut self.records);
        let bytes = message("", self.sent, &records).ok();
        self.sent += records.len() as u64;
        bytes
    }
}

/// The result of a node that exited; the original does not always write it.
fn left(detail: &Value) -> Vec<(&'static str, Value)> {
    let result = match (detail[0].as_str(), detail[0].as_bool()) {
        (Some(word @ ("success" | "failure" | "aborted")), _) => Some(word),
        (_, Some(true)) => Some("success"),
        (_, Some(false)) => Some("failure"),
        _ => None,
    };
    let mut all = vec![
        ("cmd", "node_leave".into()),
        ("result", result.unwrap_or("aborted").into()),
    ];
    if result.is_none() {
        all.push(("unknown", true.into()));
    }
    all
}

/// A name, of which only so much is kept.
pub(super) fn name(value: &Value) -> String {
    text(value).chars().take(LONGEST).collect()
}

/// A text, or what is written for another value.
fn text(value: &Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_names_have_limits() {
        let nodes = Nodes::default();
        let mut rows = Rows::default();
        let long = "x".repeat(LONGEST + 50);
        for number in 0..RUNS + 10 {
            let detail = json!([if number == 0 { &long } else { "walk" }]);
            rows.add(LogRow(0, 0, 0.0, "push_tree".to_owned(), detail), &nodes);
        }
        assert_eq!(rows.trees.len(), RUNS);
        assert_eq!(rows.trees[0].len(), LONGEST);
        let last = rows.records.last().unwrap();
        assert_eq!(last["cmd"], "diagnostic");
        let snapshot = json!([["walk"], {}, []]);
        rows.add(LogRow(0, 0, 0.0, "snapshot".to_owned(), snapshot), &nodes);
        assert_eq!(rows.trees, ["walk"]);
        let body = json!({ "entity_id": long, "cmds": [] }).to_string();
        let posted = crate::games::log::read_all(body.as_bytes()).unwrap();
        assert_eq!(posted.entity.len(), LONGEST);
    }
}
