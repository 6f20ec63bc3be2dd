//! Tests of operations that change nothing: random trees behave alike when they are suspended for a while, or
//! paused, in which nothing else happens. This needs no reference, and so covers actions that cancel.

use bt_core::Status;
use bt_tests::cases::{Act, Case, Kind, Node, Op, Profile, Script, Takes, Tree, drive, for_seeds};
use bt_tests::probe::Reply;

use crate::sentences::{Seen, Step, runs};
use crate::text::harness::node;

/// The tree that an event starts, which does one thing.
const VISIT: usize = 3;

fn seen(case: &Case) -> Result<Seen, String> {
    let mut all = Vec::new();
    drive(case, |driven| {
        let mut log = std::mem::take(&mut driven.log);
        log.retain(|line| !line.starts_with("drop "));
        let status = matches!(driven.op, Op::Poll(_)).then_some(driven.status);
        all.push((status, log));
        Ok::<(), String>(())
    })?;
    Ok(all)
}

fn is_of_visit(line: &str) -> bool {
    line.contains(" visit")
}

/// Nothing in the tree has to do with the event `told`, and nothing counts polls.
fn without_told(node: &mut Node) -> bool {
    node.takes = None;
    match &mut node.kind {
        Kind::WaitEvent { event, .. } => *event = "go",
        Kind::WaitFrames(1..) => return false,
        Kind::Now(script) | Kind::Polled(script) | Kind::Starts(script) | Kind::Slow(script) => {
            if let Act::Fire(event) = &mut script.act {
                *event = "go";
            }
            if script.replies.iter().any(is_of_polls_or_told) {
                return false;
            }
        }
        _ => {}
    }
    node.children.iter_mut().all(without_told)
}

fn is_of_polls_or_told(reply: &Reply) -> bool {
    matches!(reply, Reply::Polls(..) | Reply::Event("told", _))
}

/// The case with a tree that any of its trees visits at `told`.
fn with_visits(case: &Case, leaf: fn(Script) -> Kind, comes_back: Option<usize>) -> Option<Case> {
    let mut case = case.clone();
    case.budget = 5000;
    let scripts = case.scripts().len();
    for tree in &mut case.trees {
        if !without_told(&mut tree.root) {
            return None;
        }
        let top = tree.root.children.first_mut()?;
        top.takes = Some(Takes {
            tree: comes_back.unwrap_or(VISIT),
            comes_back: comes_back.is_none(),
            once: false,
        });
    }
    case.ops
        .retain(|op| !matches!(op, Op::Fire("told") | Op::Finish(..) | Op::Flag(..)));
    for op in &mut case.ops {
        if let Op::End(number, _) = op {
            *number %= scripts.max(1);
        }
    }
    let visit = Script {
        name: "visit".to_owned(),
        replies: Vec::new(),
        act: Act::Nothing,
    };
    let top = node(leaf(visit), []);
    case.trees.push(Tree {
        name: "visit",
        root: node(Kind::Root, [top]),
    });
    case.number();
    Some(case)
}

fn polls(case: &Case) -> Vec<usize> {
    let ops = case.ops.iter().enumerate();
    ops.filter(|(_, op)| matches!(op, Op::Poll(_)))
        .map(|(at, _)| at)
        .collect()
}

/// The case with some operations behind one of its own.
fn inserted(case: &Case, at: usize, ops: &[Op]) -> Case {
    let mut case = case.clone();
    case.ops.splice(at + 1..at + 1, ops.iter().copied());
    case
}

/// That nothing but the visits differs from some operation on.
fn same(what: &str, plain: &[Step], other: &[Step], case: &Case) -> Result<(), String> {
    // Guards that rested are evaluated when the tree is back.
    let asks_too = what == "visit";
    for (number, (plain, other)) in plain.iter().zip(other).enumerate() {
        let (mut log, mut otherwise) = (plain.1.clone(), other.1.clone());
        log.retain(|line| !(asks_too && line.starts_with("ask ")));
        otherwise.retain(|line| !(is_of_visit(line) || asks_too && line.starts_with("ask ")));
        if (plain.0, &log) != (other.0, &otherwise) {
            return Err(format!(
                "{what}, operation {number} after it\nplain {plain:?}\nother {other:?}\n{case}"
            ));
        }
    }
    Ok(())
}

/// An event's tree that ends at once, and one that ends before anything else happens.
fn visited(case: &Case) -> Result<(), String> {
    let Some(plain) = with_visits(case, Kind::Starts, None) else {
        return Ok(());
    };
    // Guards that rested are evaluated when the tree is back, and a reactive node above one takes its
    // turn before.
    let is_reactive =
        |node: &&Node| matches!(node.kind, Kind::ReactiveSelect | Kind::ReactiveSequence);
    let nodes = plain.nodes();
    if nodes.iter().any(is_reactive) && nodes.iter().any(|node| !node.guards.is_empty()) {
        return Ok(());
    }
    let before = seen(&plain)?;
    if before.iter().any(|(_, log)| log.len() > 200) {
        return Ok(());
    }
    let visit = plain.scripts().len() - 1;
    for at in polls(&plain) {
        let ops = [Op::Fire("told"), Op::Poll(0), Op::End(visit, true)];
        let other = inserted(&plain, at, &ops);
        let after = seen(&other)?;
        // It was taken, and nothing else happened.
        let (status, log) = &after[at + 2];
        let taken = log.len() == 1 && is_of_visit(&log[0]);
        if !taken || *status != Some(Status::Running) {
            continue;
        }
        same("visit", &before[at + 1..], &after[at + 4..], &other)?;
    }
    Ok(())
}

/// A transfer to another tree, and a load of it.
fn transferred(case: &Case) -> Result<(), String> {
    let Some(visits) = with_visits(case, Kind::Starts, None) else {
        return Ok(());
    };
    let moves = with_visits(case, Kind::Starts, Some(1)).ok_or("as before")?;
    let before = seen(&visits)?;
    if before.iter().any(|(_, log)| log.len() > 200) {
        return Ok(());
    }
    for at in polls(&visits) {
        let told = [Op::Fire("told"), Op::Poll(0)];
        let tried = seen(&inserted(&visits, at, &told))?;
        let (_, log) = &tried[at + 2];
        if log.len() != 1 || !is_of_visit(&log[0]) {
            continue;
        }
        let other = inserted(&moves, at, &told);
        let transferred = seen(&other)?;
        let loaded = seen(&inserted(&moves, at, &[Op::Load(1), Op::Poll(0)]))?;
        same(
            "transfer",
            &loaded[at + 2..],
            &transferred[at + 2..],
            &other,
        )?;
    }
    Ok(())
}

/// A pause in which time goes by.
fn paused(case: &Case) -> Result<(), String> {
    let mut plain = case.clone();
    plain.budget = 5000;
    let ops = plain.ops.iter();
    plain.ops = ops
        .filter(|op| !matches!(op, Op::Pause | Op::Resume))
        .copied()
        .collect();
    let before = seen(&plain)?;
    if before.iter().any(|(_, log)| log.len() > 200) {
        return Ok(());
    }
    let all = polls(&plain);
    for pair in all.windows(2) {
        // The pause ends with the next poll, whose time is not the agent's.
        let (at, next) = (pair[0], plain.ops[pair[1]]);
        if !matches!(next, Op::Poll(0)) {
            continue;
        }
        let ops = [Op::Pause, Op::Poll(3), Op::Poll(0), Op::Resume];
        let other = inserted(&plain, at, &ops);
        let after = seen(&other)?;
        let silent = after[at + 2].1.is_empty() && after[at + 3].1.is_empty();
        if !silent {
            return Err(format!("something happens in a pause\n{other}"));
        }
        same("pause", &before[at + 1..], &after[at + 5..], &other)?;
    }
    Ok(())
}

#[test]
fn tree_that_is_suspended_while_nothing_happens_goes_on_as_if_it_were_not() {
    for_seeds(runs("BT_ALIKE", 200), Profile::All, visited);
}

#[test]
fn transfer_by_an_event_does_what_a_load_does() {
    for_seeds(runs("BT_ALIKE", 200), Profile::All, transferred);
}

#[test]
fn agent_that_is_paused_while_time_goes_by_goes_on_as_if_it_were_not() {
    for_seeds(runs("BT_ALIKE", 200), Profile::All, paused);
}
