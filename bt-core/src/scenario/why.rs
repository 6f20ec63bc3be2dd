//! The words of an expectation that was not met: what was expected, what happened, and what kept it from happening.

use super::read::{Expected, When};
use super::script::Made;
use super::seen::Seen;
use super::values::seconds;
use crate::kinds::Use;
use crate::tree::asset::AssetNode;
use crate::{Agent, Runner, TreeAsset};

/// The number of nodes that are looked at for a call.
const NODES: usize = 3;

/// The number of calls that are shown.
const CALLS: usize = 3;

/// An expectation in words.
pub(super) fn expected(one: &Expected) -> String {
    let mut parts = Vec::new();
    if let Some((_, pattern, times)) = &one.called {
        parts.push(match times {
            Some(1) => format!("`{pattern}` called once"),
            Some(times) => format!("`{pattern}` called {times} times"),
            None => format!("`{pattern}` called"),
        });
    }
    for (_, node) in &one.active {
        parts.push(format!("node {node} active"));
    }
    if let Some(success) = one.result {
        let result = if success { "success" } else { "failure" };
        parts.push(format!("the tree to end with {result}"));
    }
    let parts = parts.join(" and ");
    match one.when {
        When::By(by) => format!("{parts} by {}", seconds(by)),
        When::At(at) => format!("{parts} at {}", seconds(at)),
        When::End => format!("{parts} at the end"),
        When::Never(0, None) => format!("never {parts}"),
        When::Never(from, None) => format!("never {parts} from {} on", seconds(from)),
        When::Never(from, Some(until)) => {
            format!("never {parts} from {} to {}", seconds(from), seconds(until))
        }
    }
}

/// A description of what happened instead.
pub(super) fn happened<A: Agent>(
    one: &Expected,
    count: u64,
    made: &[Made],
    runner: &Runner<A>,
    now: u64,
) -> String {
    let mut parts = Vec::new();
    if let Some((_, pattern, times)) = &one.called {
        let of = made.iter().filter(|made| *made.method == *pattern.method);
        let of: Vec<_> = of.collect();
        let met: Vec<_> = of
            .iter()
            .filter(|made| made.is_of(pattern))
            .copied()
            .collect();
        match (of.is_empty(), count, times, one.when) {
            (_, 1.., _, When::Never(..)) => parts.push(calls("it was called", &met)),
            (true, ..) => parts.push(format!("`{}` was never called", pattern.method)),
            (false, 0, ..) => parts.push(calls("it was called otherwise", &of)),
            (false, _, Some(times), _) if count != *times => {
                parts.push(calls(&format!("it was called {count} times"), &met));
            }
            (false, ..) => {}
        }
    }
    let active = runner.active_nodes();
    let is_active = |tree: &str, idx| active.iter().any(|a| a.idx == idx && a.tree == tree);
    for (_, node) in &one.active {
        let is_active = is_active(&node.tree, node.idx);
        match (is_active, one.when) {
            (true, When::Never(..)) => parts.push(format!("node {node} is active")),
            (false, When::By(_) | When::At(_) | When::End) => {
                parts.push(format!("node {node} is not active"));
            }
            (true, When::By(_) | When::At(_) | When::End) | (false, When::Never(..)) => {}
        }
    }
    if let Some(wanted) = one.result {
        match runner.result() {
            None => parts.push("the tree has not ended".to_owned()),
            Some(result) if result != wanted => {
                let result = if result { "success" } else { "failure" };
                parts.push(format!("the tree ended with {result}"));
            }
            Some(_) => {}
        }
    }
    format!("{} (at {})", parts.join(", and "), seconds(now))
}

fn calls(intro: &str, made: &[&Made]) -> String {
    let last = &made[made.len().saturating_sub(CALLS)..];
    let last = last.iter().map(|made| {
        let (node, time) = (&made.node, seconds(made.time));
        format!("`{made}` at {time} by {node}")
    });
    let last: Vec<_> = last.collect();
    let more = match made.len() > CALLS {
        true => format!("; {} more before", made.len() - CALLS),
        false => String::new(),
    };
    format!("{intro}: {}{more}", last.join(", "))
}

/// The causes that kept the expected nodes from running: for each the node on the way to it that stopped it.
pub(super) fn causes(
    one: &Expected,
    trees: &[TreeAsset],
    seen: &Seen,
    words: &dyn Fn(&str, u32) -> String,
) -> Vec<String> {
    if matches!(one.when, When::Never(..)) {
        return Vec::new();
    }
    let mut wanted = Vec::new();
    for tree in trees {
        let disabled = tree.disabled();
        for node in tree
            .preorder()
            .filter(|node| !disabled.contains(&node.idx()))
        {
            let named = one.active.iter();
            let mut named = named.map(|(_, node)| (node.tree.as_str(), node.idx));
            let is_named = named.any(|named| named == (tree.name(), node.idx()));
            let calls = one.called.as_ref().is_some_and(|(_, pattern, _)| {
                let mut calls = false;
                node.uses(&mut |_, used| calls |= calls_method(used, &pattern.method));
                calls
            });
            if is_named || calls {
                wanted.push((tree, node));
            }
        }
    }
    let causes = wanted.iter().take(NODES);
    causes
        .map(|(tree, node)| cause(tree, node, seen, words))
        .collect()
}

fn calls_method(used: Use<'_, '_>, method: &str) -> bool {
    used.call().is_some_and(|(_, call)| call.name == method)
}

/// The first node on the way from the root to a node that was not entered, and the reason; else what became of it.
fn cause(
    tree: &TreeAsset,
    node: &AssetNode,
    seen: &Seen,
    words: &dyn Fn(&str, u32) -> String,
) -> String {
    let name = tree.name();
    let said = |node: &AssetNode| words(name, node.idx());
    let above = std::iter::successors(Some(node), |node| tree.node(node.parent()?));
    let mut way: Vec<_> = above.collect();
    way.reverse();
    let entered = |node: &AssetNode| seen.node(name, node.idx()).is_some_and(|n| n.entered > 0);
    let Some(stopped) = way.iter().position(|node| !entered(node)) else {
        let last = seen
            .node(name, node.idx())
            .and_then(super::seen::NodeSeen::last);
        return last.unwrap_or_else(|| said(node));
    };
    let stuck = way[stopped];
    let what = match std::ptr::eq(stuck, node) {
        true => format!("{} was not entered", said(node)),
        false => format!(
            "{} was not entered, because {} was not",
            said(node),
            said(stuck)
        ),
    };
    if let Some(refused) = seen
        .node(name, stuck.idx())
        .and_then(super::seen::NodeSeen::refused)
    {
        return format!("{what}: {refused}");
    }
    let Some(parent) = stopped.checked_sub(1).map(|above| way[above]) else {
        return format!("{what}: nothing runs this tree");
    };
    let siblings = parent
        .children()
        .iter()
        .take_while(|idx| **idx != stuck.idx());
    let before = siblings
        .filter_map(|idx| seen.node(name, *idx)?.last())
        .last();
    let before = before.or_else(|| seen.node(name, parent.idx())?.last());
    match before {
        Some(before) => format!("{what}: {before}"),
        None => what,
    }
}
