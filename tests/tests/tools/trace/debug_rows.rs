//! The rows of a debug log: what the design says of them, checked, and played again row by row.
//! Written from the document, and without anything of `bt_core::trace` but what it is compared with. The trees that
//! they are played against are those that the original's debugger opens: the copies of `bt-meta export --view-trees`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bt_core::registry::catalogue::Catalogue;
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{Runner, TreeAsset};
use bt_live::logs::DebugFeed;
use bt_meta::view_trees;
use bt_tests::probe::{Play, Probe};
use serde_json::{Map, Value};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::collect);

/// The trees of a log: the parent of each node, by tree and `idx`.
#[derive(Debug, PartialEq)]
pub(crate) struct Forest(BTreeMap<String, BTreeMap<u64, Option<u64>>>);

impl Forest {
    /// The trees of the copies that the original opens.
    pub(crate) fn of(trees: &[TreeAsset]) -> Forest {
        let copy = |tree: &TreeAsset| {
            let text = view_trees::copy(&CATALOGUE, tree).unwrap();
            let said: Value = serde_json::from_str(&text).unwrap();
            let name = said["name"].as_str().unwrap();
            TreeAsset::from_json(name, &text).unwrap_or_else(|error| panic!("{error}"))
        };
        let copies: Vec<_> = trees.iter().map(copy).collect();
        let forest = Forest::shape(&copies);
        assert_eq!(forest, Forest::shape(trees));
        forest
    }

    fn shape(trees: &[TreeAsset]) -> Forest {
        let tree = |tree: &TreeAsset| {
            let nodes = tree.nodes().iter();
            let parent = |parent: Option<u32>| parent.map(u64::from);
            let nodes = nodes.map(|node| (u64::from(node.idx()), parent(node.parent())));
            (tree.name().to_owned(), nodes.collect())
        };
        Forest(trees.iter().map(tree).collect())
    }
}

/// The debugger's view after some rows.
#[derive(Default)]
pub(crate) struct Replay {
    files: Vec<String>,
    board: Map<String, Value>,
    active: BTreeSet<(u64, u64)>,
    began: bool,
    time: u64,
    /// The number of times that each command was seen.
    pub(crate) seen: BTreeMap<String, u32>,
}

impl Replay {
    /// Checks a row and goes on by it.
    pub(crate) fn row(&mut self, row: &Value, forest: &Forest) {
        let fields = row.as_array().expect("a row is a list");
        let [tree, node, ms, cmd, detail] = &fields[..] else {
            panic!("{row} has not five fields");
        };
        let tree = tree.as_u64().expect("tree_idx is a number");
        let node = node.as_u64().expect("node_idx is a number");
        let ms = ms.as_u64().expect("ts_ms is a number");
        let cmd = cmd.as_str().expect("cmd is a string");
        let detail = detail.as_array().expect("detail is a list");
        assert!(ms >= self.time, "{row} goes back in time");
        self.time = ms;
        assert!(
            self.began || cmd == "snapshot",
            "{row} comes before a snapshot"
        );
        *self.seen.entry(cmd.to_owned()).or_default() += 1;
        if cmd == "snapshot" {
            self.snapshot(detail, forest);
        }
        let file = self.files.get(tree as usize);
        let file =
            file.unwrap_or_else(|| panic!("the tree of {row} is not among {:?}", self.files));
        let nodes = &forest.0[file];
        let parent = nodes
            .get(&node)
            .unwrap_or_else(|| panic!("{row}: {file} has no such node"));
        let none: &[Value] = &[];
        match cmd {
            "snapshot" => {}
            "push_tree" => {
                let [file] = &detail[..] else {
                    panic!("{row} names not one file");
                };
                let file = file.as_str().expect("a file is a string");
                assert!(
                    forest.0.contains_key(file),
                    "{row} names a tree that is not"
                );
                self.files.push(file.to_owned());
            }
            "enter" => {
                assert_eq!(detail, none, "{row}");
                if let Some(parent) = parent {
                    assert!(
                        self.active.contains(&(tree, *parent)),
                        "{row}: its parent is not active"
                    );
                }
                assert!(self.active.insert((tree, node)), "{row} is active already");
            }
            "leave" => {
                let [Value::String(result)] = &detail[..] else {
                    panic!("{row} bears no result");
                };
                let results = ["success", "failure", "aborted"];
                assert!(results.contains(&&**result), "{row}");
                assert!(self.active.remove(&(tree, node)), "{row} is not active");
                let below = |idx: &u64| nodes[idx] == Some(node);
                let mut below = nodes.keys().filter(|idx| below(idx));
                assert!(
                    !below.any(|idx| self.active.contains(&(tree, *idx))),
                    "{row} is left before what is below it"
                );
            }
            "reset" => assert_eq!(detail, none, "{row}"),
            "mutate" => self.mutate(row, detail),
            _ => panic!("{row}: the debugger knows no such command"),
        }
    }

    fn snapshot(&mut self, detail: &[Value], forest: &Forest) {
        let [files, board, active] = detail else {
            panic!("a snapshot of {} parts", detail.len());
        };
        let files = files.as_array().expect("files are a list").iter();
        let files: Vec<_> = files
            .map(|file| file.as_str().unwrap().to_owned())
            .collect();
        assert!(
            files.iter().all(|file| forest.0.contains_key(file)),
            "{files:?}"
        );
        let list: Vec<(u64, u64)> = serde_json::from_value(active.clone()).expect("pairs");
        assert!(list.is_sorted_by(|a, b| a < b), "{list:?} is not sorted");
        for (tree, node) in &list {
            let nodes = &forest.0[&files[*tree as usize]];
            if let Some(parent) = nodes[node] {
                assert!(
                    list.contains(&(*tree, parent)),
                    "{list:?} lacks an ancestor of {node}"
                );
            }
        }
        let active = list.into_iter().collect();
        if self.began {
            let (before, now) = (
                self.names(&self.files, &self.active),
                self.names(&files, &active),
            );
            assert_eq!(before, now, "what was active before a snapshot, and in it");
        }
        self.board = board
            .as_object()
            .expect("a blackboard is an object")
            .clone();
        self.active = active;
        self.files = files;
        self.began = true;
    }

    /// The active nodes whatever the numbers of their trees.
    fn names(&self, files: &[String], active: &BTreeSet<(u64, u64)>) -> Vec<(String, u64)> {
        let name = |(tree, node): &(u64, u64)| (files[*tree as usize].clone(), *node);
        let mut names: Vec<_> = active.iter().map(name).collect();
        names.sort();
        names
    }

    fn mutate(&mut self, row: &Value, detail: &[Value]) {
        let [what, Value::Array(detail)] = detail else {
            panic!("{row}: not two parts");
        };
        match (what.as_str(), &detail[..]) {
            (Some("node_action"), [Value::String(_), Value::Array(_)]) => {}
            (Some("guard"), [Value::String(_), Value::Array(_), Value::Bool(_)]) => {}
            (Some("variable"), [Value::String(how), Value::Array(detail)]) => {
                match (&**how, &detail[..]) {
                    ("set", [Value::String(key), value]) => {
                        self.board.insert(key.clone(), value.clone());
                    }
                    ("remove", [Value::String(key)]) => {
                        self.board.remove(key);
                    }
                    ("clear", []) => self.board.clear(),
                    _ => panic!("{row} changes nothing"),
                }
            }
            _ => panic!("{row} is no change"),
        }
    }

    /// Checks that it shows what the runner does.
    fn compare(&self, runner: &Runner<Probe>) {
        let now = runner.picture();
        assert_eq!(self.files, now.trees);
        let board: Map<_, _> = now.blackboard.into_iter().collect();
        assert_eq!(self.board, board);
        let active = now.active.keys();
        let active: BTreeSet<_> = active
            .map(|(run, idx)| (u64::from(*run), u64::from(*idx)))
            .collect();
        assert_eq!(self.active, active);
        let nodes = runner.active_nodes().into_iter();
        let mut nodes: Vec<_> = nodes.map(|node| (node.tree, u64::from(node.idx))).collect();
        nodes.sort();
        assert_eq!(self.names(&self.files, &self.active), nodes);
        let own = self.board.iter().filter(|(key, _)| !key.contains('@'));
        let own: BTreeMap<_, _> = own
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        assert_eq!(own, runner.blackboard().to_map());
    }
}

/// A tree at play whose debug log is checked after every poll.
pub(crate) struct Logged {
    pub(crate) play: Play,
    feed: DebugFeed,
    forest: Forest,
    pub(crate) replay: Replay,
    pub(crate) rows: Vec<Value>,
}

impl Logged {
    /// Some trees; the first is run, once.
    pub(crate) fn trees<'a>(trees: impl IntoIterator<Item = (&'a str, NodeSpec)>) -> Logged {
        let trees = trees.into_iter();
        let trees: Vec<_> = trees
            .map(|(name, top)| TreeAsset::build(name, "probe", top))
            .collect();
        Logged::of(trees, |play| play)
    }

    pub(crate) fn of(trees: Vec<TreeAsset>, with: impl FnOnce(Play) -> Play) -> Logged {
        let forest = Forest::of(&trees);
        let play = Play::of(trees).unwrap_or_else(|error| panic!("{error}"));
        let mut logged = Logged {
            play: with(play),
            feed: DebugFeed::new("probe"),
            forest,
            replay: Replay::default(),
            rows: Vec::new(),
        };
        logged.switch_on();
        logged
    }

    /// The log begins here, for another debugger.
    pub(crate) fn switch_on(&mut self) {
        self.feed = DebugFeed::new("probe").starting_at(1_700_000_000_000);
        self.replay = Replay::default();
        self.rows.clear();
        let feed = Box::new(self.feed.clone());
        self.play.runner.set_tracer(Some(feed));
        assert_eq!(self.take(), ["snapshot"]);
    }

    /// Checks the rows that there are, and says what they are.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let Some(body) = self.feed.take() else {
            return Vec::new();
        };
        let mut body: Map<String, Value> = serde_json::from_str(&body).unwrap();
        assert_eq!(body.remove("entity_id").unwrap(), "probe");
        let Some(Value::Array(rows)) = body.remove("cmds") else {
            panic!("no rows");
        };
        assert!(body.is_empty());
        let command = |row: &Value| row[3].as_str().unwrap_or_default().to_owned();
        let commands = rows.iter().map(command).collect();
        for row in &rows {
            self.replay.row(row, &self.forest);
        }
        self.rows.extend(rows);
        commands
    }

    pub(crate) fn poll(&mut self, seconds: f64) {
        self.between();
        // The first poll does not repeat the snapshot with which the log begins.
        let begins = self.rows.len() == 1;
        self.play.poll(seconds);
        let mut commands = self.take();
        if begins
            && !self.play.runner.is_paused()
            && commands.first().is_some_and(|first| first != "snapshot")
        {
            commands.insert(0, "snapshot".to_owned());
        }
        if self.play.runner.is_paused() {
            // It does nothing, and tells of what the host wrote.
            assert!(
                commands.iter().all(|command| command == "mutate"),
                "{commands:?}"
            );
            return self.replay.compare(&self.play.runner);
        }
        let snapshots = commands.iter().filter(|command| *command == "snapshot");
        let snapshots = snapshots.count();
        assert_eq!(snapshots, usize::from(!commands.is_empty()), "{commands:?}");
        if let Some(first) = commands.first() {
            assert_eq!(first, "snapshot", "{commands:?}");
        }
        self.replay.compare(&self.play.runner);
    }

    /// Checks what was told between two polls.
    pub(crate) fn between(&mut self) {
        let commands = self.take();
        assert!(!commands.contains(&"snapshot".to_owned()), "{commands:?}");
    }

    /// Stops the tree: all that was entered is left.
    pub(crate) fn stop(&mut self) {
        self.play.runner.resume();
        self.play.stop();
        self.between();
        for _ in 0..100 {
            if !self.play.runner.is_running() {
                break;
            }
            for name in ["a", "b", "c"] {
                self.play.end_if_any(name, true);
            }
            self.play.again();
            self.take();
            self.play.stop();
            self.take();
        }
        assert!(!self.play.runner.is_running());
        assert_eq!(
            self.replay.active,
            BTreeSet::new(),
            "entered and never left"
        );
    }
}
