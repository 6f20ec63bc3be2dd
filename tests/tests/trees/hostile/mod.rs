//! Files and values that mean harm: an error that names its place, or a run whose steps are counted.
//! Never a panic, and never more than a small stack.
//!
//! What a single reader refuses is tested beside it (`tree/asset/tests/hostile.rs`,
//! `tree/check/tests/hostile.rs`); here a file goes the whole way, or comes from outside the process.

mod attached;
mod calls;
mod catalogue;
mod clock;
mod growth;
mod many;
mod nesting;
mod numbers;
mod structure;
mod text;
mod values;

use std::time::Duration;

use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{Mode, Runner, TreeAsset, TreeSet, Trees};
use bt_tests::probe::Probe;

/// Runs on a stack of 256 kB.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    thread.spawn(run).unwrap().join().unwrap();
}

/// A file of nodes.
fn file(nodes: impl IntoIterator<Item = String>) -> String {
    let nodes: Vec<_> = nodes.into_iter().collect();
    format!("{{\"nodes\":[\n{}\n]}}", nodes.join(",\n"))
}

/// One node of a file, its `idx`, children and `extra` as they are written.
fn node(idx: &str, kind: &str, children: &str, extra: &str) -> String {
    format!(r#"{{"idx":{idx},"type":"{kind}","children":[{children}],"extra":{{{extra}}}}}"#)
}

/// A file whose root has one node, of that kind, above so many leaves that do nothing.
fn one(kind: &str, leaves: usize, extra: &str) -> String {
    let children: Vec<_> = (2..2 + leaves).map(|idx| idx.to_string()).collect();
    let leaf = |idx: &String| node(idx, "action", "", r#""action_name":"nop""#);
    let mut nodes = vec![
        node("0", "root", "1", r#""agent_name":"probe""#),
        node("1", kind, &children.join(","), extra),
    ];
    nodes.extend(children.iter().map(leaf));
    file(nodes)
}

/// Reads and builds a file.
fn built(text: &str) -> Result<Trees<Probe>, String> {
    let tree = TreeAsset::from_json("t.json", text).map_err(|error| error.to_string())?;
    let built = TreeSet::new().add(tree).build();
    built.map_err(|error| error.to_string())
}

/// The fault of a file, in a text of the usual size.
fn wrong(text: &str) -> String {
    let why = built(text).map(|_| String::new()).unwrap_or_else(|why| why);
    assert!(why.len() < 1_000_000);
    why
}

/// Trees that were made in code and go through their files; the first is the one to run.
fn trees(trees: impl IntoIterator<Item = (String, NodeSpec)>) -> Trees<Probe> {
    let mut set = TreeSet::new();
    for (name, top) in trees {
        let text = TreeAsset::build(&*name, "probe", top).to_json();
        set.add(TreeAsset::from_json(&name, &text).unwrap());
    }
    set.build().unwrap_or_else(|error| panic!("{error}"))
}

/// One tree.
fn tree(top: NodeSpec) -> Trees<Probe> {
    trees([("t.json".to_owned(), top)])
}

/// A runner of the first tree, and its agent.
struct Run {
    runner: Runner<Probe>,
    probe: Probe,
}

impl Run {
    fn new(trees: &Trees<Probe>) -> Run {
        let first = trees.names().next().unwrap();
        let mut runner = Runner::new(trees, first).unwrap().mode(Mode::Once);
        runner.start();
        Run {
            runner,
            probe: Probe::default(),
        }
    }

    fn poll(&mut self, now: Duration) -> bt_core::Poll {
        self.runner.poll(&mut self.probe, now)
    }

    /// Polls once a second, so often.
    fn polls(&mut self, polls: u64) {
        for second in 0..polls {
            self.poll(Duration::from_secs(second));
        }
    }

    /// The number of calls that were begun since this was asked last.
    fn calls(&mut self) -> usize {
        let log = self.probe.log.take();
        log.iter().filter(|line| line.starts_with("enter")).count()
    }

    /// The diagnostics, a line for each.
    fn diagnostics(&mut self) -> String {
        let all = self.runner.take_diagnostics();
        let lines: Vec<_> = all.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    /// Stops it, and nothing is left.
    fn stop(mut self, now: Duration) {
        self.runner.stop(&mut self.probe, now);
        assert_eq!(self.runner.active_nodes(), []);
    }
}
