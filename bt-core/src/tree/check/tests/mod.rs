//! Tests of the problems of trees, and of their words: a table for each subject.

mod agents;
mod attached;
mod board;
mod calls;
mod disabled;
mod expressions;
mod extra;
mod hostile;
mod kinds;
mod named;
mod same;
mod trees;

use agents::Hound;
use serde_json::json;

use super::*;
use crate::tree::asset::spec::{NodeSpec, action, node};

/// A tree of the hound's.
fn tree(top: NodeSpec) -> TreeAsset {
    TreeAsset::build("t", "hound", top)
}

fn hound() -> Typed<Hound> {
    Typed::new().unwrap()
}

/// The problems, a line for each: the node, the place in it, the message; warnings after a `~`.
fn lines(checked: &Checked) -> Vec<String> {
    let line = |mark: &str, problem: &Problem| {
        let place = problem.pointer().splitn(4, '/').nth(3).unwrap_or("");
        let place = place.strip_prefix("extra/").unwrap_or(place);
        let node = problem.node().map_or("-".to_owned(), |idx| idx.to_string());
        let help = problem.help().map(|help| format!("; {help}"));
        let help = help.unwrap_or_default();
        format!("{mark}{node} {place}: {}{help}", problem.message())
    };
    let problems = checked.problems.iter().map(|problem| line("", problem));
    let warnings = checked.warnings.iter().map(|problem| line("~", problem));
    problems.chain(warnings).collect()
}

/// The problems of a tree of the hound's.
fn found(top: NodeSpec) -> Vec<String> {
    lines(&check(&[tree(top)], &hound(), &Rules::default()))
}

/// Each tree and what is found in it.
fn table<const N: usize>(cases: [(NodeSpec, &[&str]); N]) {
    for (top, expected) in cases {
        let shown = tree(top.clone()).to_json();
        assert_eq!(found(top), expected, "{shown}");
    }
}

/// An action that is known and takes nothing.
fn bark() -> NodeSpec {
    action("bark")
}

/// A node of a kind over one that barks.
fn over(kind: &str) -> NodeSpec {
    node(kind).child(bark())
}
