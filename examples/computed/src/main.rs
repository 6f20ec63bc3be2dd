//! Ten behaviours that other engines document or test, rebuilt with expressions.
//!
//! Run it with `cargo run -p computed`. The trees are in `trees/`, each a few lines; the output is in `output.txt`, and
//! is what those engines' tests ask for.

use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};
use std::time::Duration;

/// An agent that notes what is called.
#[derive(Debug, Default, Agent)]
struct Tester {
    /// Successes that were counted.
    #[property]
    successes: i64,
    /// Failures that were counted.
    #[property]
    failures: i64,
    /// All that were counted.
    #[property]
    both: i64,
    called: Vec<String>,
}

#[agent]
impl Tester {
    /// Note the name, and succeed.
    #[action]
    fn call(&mut self, name: String) {
        self.called.push(name);
    }

    /// Note the name, and fail.
    #[action]
    fn fail(&mut self, name: String) -> bool {
        self.called.push(name);
        false
    }

    /// Run until it is aborted.
    #[action]
    fn keep_running(&mut self) -> Option<bool> {
        None
    }

    /// The next number.
    #[query]
    fn next(&self, number: i64) -> i64 {
        number + 1
    }

    /// A text several times.
    #[query]
    fn repeated(text: String, times: usize) -> Vec<String> {
        vec![text; times]
    }
}

/// Keys that the game writes before a poll, as JSON.
type Writes = &'static [(&'static str, i64)];

/// A behaviour: its tree, what the game writes before each poll, and the keys to look at afterwards.
struct Behaviour {
    source: &'static str,
    file: &'static str,
    script: &'static str,
    polls: &'static [Writes],
    keys: &'static [&'static str],
}

macro_rules! behaviour {
    ($source:literal, $file:literal, $polls:expr, $keys:expr) => {
        Behaviour {
            source: $source,
            file: $file,
            script: include_str!(concat!("../trees/", $file)),
            polls: &$polls,
            keys: &$keys,
        }
    };
}

const BEHAVIOURS: [Behaviour; 10] = [
    behaviour!(
        "BehaviorTree.CPP, test Preconditions.Basic",
        "precondition.bt",
        [&[]],
        ["a"]
    ),
    behaviour!(
        "BehaviorTree.CPP, test Preconditions.Issue533",
        "skip.bt",
        [&[("a", 3)], &[], &[]],
        ["a"]
    ),
    behaviour!(
        "BehaviorTree.CPP, pre- and postconditions of the tutorial",
        "while.bt",
        [&[("ready", 1)], &[], &[("ready", 0)]],
        []
    ),
    behaviour!(
        "BehaviorTree.CPP, test PostConditions.BasicTest",
        "postcondition.bt",
        [&[]],
        ["b", "c", "d"]
    ),
    behaviour!(
        "BehaviorTree.CPP, test PostConditions.Issue539",
        "retry.bt",
        [&[]],
        ["x", "y"]
    ),
    behaviour!(
        "BehaviorTree.CPP, test PostConditions.Issue601",
        "halted.bt",
        [&[]],
        ["state"]
    ),
    behaviour!(
        "behaviac, test PreconditionEffectorTest_0",
        "effector.bt",
        [&[]],
        []
    ),
    behaviour!(
        "behaviac, test property_as_left_value_and_param",
        "assignment.bt",
        [&[]],
        ["list", "text", "sum", "double"]
    ),
    behaviour!(
        "LimboAI, test of BTSetVar",
        "set_var.bt",
        [&[]],
        ["var", "sum", "difference", "product", "quotient", "rest"]
    ),
    behaviour!(
        "LimboAI, tests of BTCheckVar and BTCheckAgentProperty",
        "check_var.bt",
        [&[("var", 5), ("limit", 9)]],
        ["var"]
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for behaviour in &BEHAVIOURS {
        println!("{}: {}", behaviour.file, behaviour.source);
        play(behaviour)?;
    }
    Ok(())
}

/// Plays a behaviour, each poll from the beginning of the tree unless that runs on.
fn play(behaviour: &Behaviour) -> Result<(), Box<dyn std::error::Error>> {
    let mut trees = TreeSet::<Tester>::new();
    trees.add(TreeAsset::from_script(behaviour.file, behaviour.script)?);
    let trees = trees.build()?;
    let mut runner = Runner::new(&trees, behaviour.file)?;
    let mut tester = Tester::default();
    for (at, writes) in behaviour.polls.iter().enumerate() {
        for (key, value) in *writes {
            runner.blackboard().set(key, *value);
        }
        if !runner.is_running() {
            runner.start();
        }
        let poll = runner.poll(&mut tester, Duration::from_secs(at as u64));
        let called = std::mem::take(&mut tester.called);
        let called = called.iter().map(|name| format!("; {name} is called"));
        let called: String = called.collect();
        println!("  poll {}: {:?}{called}", at + 1, poll.status);
    }
    for key in behaviour.keys {
        println!("  ${key} = {}", runner.blackboard().get(key));
    }
    let Tester {
        successes,
        failures,
        both,
        ..
    } = tester;
    if (successes, failures, both) != (0, 0, 0) {
        println!("  @successes = {successes}, @failures = {failures}, @both = {both}");
    }
    Ok(())
}
