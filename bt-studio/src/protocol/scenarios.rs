//! Scenarios that are played, and what they show of trees.

use std::collections::BTreeMap;

use super::{types, words};

types! {
    /// Nothing.
    RunScenarios {}
    /// The outcomes of all scenarios below the opened folders.
    ScenarioReport {
        /// The scenarios, by their paths.
        scenarios: Vec<ScenarioResult>,
        /// The outcomes of nodes and guards that were seen.
        seen: u32,
        /// Those that there can be.
        all: u32,
        /// The trees, by their names.
        trees: BTreeMap<String, TreeCovered>,
    }
    /// The outcome of a scenario.
    ScenarioResult {
        /// Its path.
        path: String,
        /// The name of its tree; empty if the file says none.
        tree: String,
        /// True if everything was as expected.
        passed: bool,
        /// The failed expectations, each with what happened instead and why, for people.
        text: String,
    }
    /// The outcomes of a tree that were seen.
    TreeCovered {
        /// Their number.
        seen: u32,
        /// The number of those that there can be.
        all: u32,
        /// The nodes, by their numbers.
        nodes: BTreeMap<u32, NodeCovered>,
    }
    /// The outcomes of a node that were seen.
    NodeCovered {
        /// The part of them.
        covered: Covered,
        /// Those that were not: `entry`, `success`, `failure`, `guard true`, …
        missing: Vec<String>,
    }
}

words! {
    /// The part of the outcomes of a node that was seen.
    #[derive(Default)]
    Covered {
        /// Everything.
        All,
        /// A part.
        Some,
        /// It was never entered.
        #[default]
        None,
    }
}
