//! The worked examples of the documents that this library follows: each with an agent of its own, the
//! tree as the document gives it, and what the document says becomes of it.

mod cocos;
mod doors;
mod fire_event;
mod halt;
mod mistakes;
mod monster;
mod patrol;
mod robot;
mod tree_stack;
mod waits;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};

/// The events, in order.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// Notes what happens.
    pub fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    /// Takes the events since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Notes that it is dropped: what the first document calls a node's closure.
pub struct Closure(pub &'static str, pub Log);

impl Drop for Closure {
    fn drop(&mut self) {
        self.1.note(self.0);
    }
}

/// A script's tree.
pub fn script(name: &str, agent: &str, text: &str) -> TreeAsset {
    let tree = TreeAsset::from_script(name, text);
    tree.unwrap_or_else(|error| panic!("{error}"))
        .with_agent(agent)
}

/// A file's tree.
pub fn json(name: &str, text: &str) -> TreeAsset {
    TreeAsset::from_json(name, text).unwrap_or_else(|error| panic!("{error}"))
}

/// A runner of the first of some trees, started.
pub fn start<A: Agent>(trees: impl IntoIterator<Item = TreeAsset>) -> Runner<A> {
    let mut set = TreeSet::<A>::new();
    for tree in trees {
        set.add(tree);
    }
    let first = set.trees()[0].name().to_owned();
    let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Runner::new(&trees, &first).unwrap();
    runner.start();
    runner
}

/// A time.
pub fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// The diagnostics.
pub fn troubles<A: Agent>(runner: &mut Runner<A>) -> Vec<String> {
    let troubles = runner.take_diagnostics();
    troubles.iter().map(ToString::to_string).collect()
}
