//! Tests of the lints' findings, and of similar trees without any.

mod agents;
mod disabled;
mod due;
mod flow;
mod guards;
mod keys;
mod lost;
mod original;
mod parallel;
mod reactive;
mod trees;

use super::*;
use bt_core::Registry;
use bt_core::tree::Level;
use bt_core::tree::asset::spec::{NodeSpec, action, node};
use bt_core::tree::check::{Rules, check};

/// A sentry's tree.
fn tree(name: &str, top: NodeSpec) -> TreeAsset {
    TreeAsset::build(name, "sentry", top)
}

/// The findings in trees that are right otherwise.
fn all(trees: &[TreeAsset], starts: &[&str]) -> Vec<Problem> {
    let registry = Registry::global().unwrap();
    let rules = Rules::default();
    assert_eq!(check(trees, registry, &rules).problems, []);
    look(trees, starts)
}

/// The findings in trees, whatever else is wrong with them.
fn look(trees: &[TreeAsset], starts: &[&str]) -> Vec<Problem> {
    let registry = Registry::global().unwrap();
    let rules = Rules::default();
    let checker = Checker::new(trees, registry, &rules);
    let linted: Vec<Linted> = trees.iter().map(|tree| lint(&checker, tree)).collect();
    let each = linted.iter().flat_map(|tree| tree.problems.clone());
    let starts: Vec<String> = starts.iter().map(|name| (*name).to_owned()).collect();
    let problems: Vec<_> = each.chain(together(&linted, &starts)).collect();
    for problem in &problems {
        // A tree that always calls itself fails in every run.
        let is_error = problem.code() == Code::EndlessRecursion;
        assert_eq!(problem.code().level() == Level::Error, is_error);
        let later = together(&linted, &starts).contains(problem);
        assert_eq!(SHOWN_BY_ALL.contains(&problem.code()), later, "{problem}");
    }
    problems
}

/// The places of what has one code: the tree, the node, and where in it.
fn places(code: Code, problems: &[Problem]) -> Vec<String> {
    let of = problems.iter().filter(|problem| problem.code() == code);
    let line = |problem: &Problem| {
        let place = problem.pointer().splitn(4, '/').nth(3).unwrap_or("");
        let place = place.strip_prefix("extra/").unwrap_or(place);
        let node = problem.node().unwrap();
        format!("{} {node} {place}", problem.file())
            .trim_end()
            .to_owned()
    };
    of.map(line).collect()
}

/// The places of a code in trees.
fn told(code: Code, trees: &[TreeAsset]) -> Vec<String> {
    places(code, &all(trees, &[]))
}

/// Each tree, and the places of a code in it.
fn table<const N: usize>(code: Code, cases: [(NodeSpec, &[&str]); N]) {
    for (top, expected) in cases {
        let tree = tree("t", top);
        let shown = tree.to_json();
        assert_eq!(told(code, &[tree]), expected, "{shown}");
    }
}

/// Done at once, and never fails.
fn shout() -> NodeSpec {
    action("shout")
}

/// Takes a while.
fn go_to() -> NodeSpec {
    action("go_to").arg("gate")
}

/// A node of a kind over others.
fn over(kind: &str, children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    node(kind).children(children)
}
