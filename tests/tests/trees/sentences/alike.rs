//! Tests of equal spellings: random trees behave alike with a called tree written out, with actions that wait
//! in place of waits, and with leaves that request what actions request.

use bt_tests::cases::{Act, Case, Kind, Node, Op, Profile, Script, drive, for_seeds};
use bt_tests::probe::Reply;

use crate::sentences::{Seen, runs};
use crate::text::harness::node;

/// The tree that one node calls.
const SINGLE: usize = 2;

/// The tree's status after each poll, and its log; leaves of that name add nothing.
fn seen(case: &Case, without: &[String]) -> Result<Seen, String> {
    let mut all = Vec::new();
    drive(case, |driven| {
        let mut log = std::mem::take(&mut driven.log);
        log.retain(|line| {
            let name = line.split(' ').nth(1);
            !line.starts_with("drop ") && !without.iter().any(|other| Some(&**other) == name)
        });
        let status = matches!(driven.op, Op::Poll(_)).then_some(driven.status);
        all.push((status, log));
        Ok::<(), String>(())
    })?;
    Ok(all)
}

fn same(plain: &Case, other: &Case, without: &[String]) -> Result<(), String> {
    let (before, after) = (seen(plain, without)?, seen(other, without)?);
    if before.iter().any(|(_, log)| log.len() > 200) {
        return Ok(());
    }
    for (number, pair) in before.iter().zip(&after).enumerate() {
        if pair.0 != pair.1 {
            return Err(format!(
                "operation {number}\nplain {:?}\nother {:?}\n{other}",
                pair.0, pair.1
            ));
        }
    }
    Ok(())
}

fn each(node: &mut Node, change: &mut dyn FnMut(&mut Node)) {
    change(node);
    for child in &mut node.children {
        each(child, change);
    }
}

/// With a budget that nothing exceeds, and without what logs the numbers of nodes.
fn prepared(case: &Case) -> Case {
    let mut case = case.clone();
    case.budget = 5000;
    for tree in &mut case.trees {
        each(&mut tree.root, &mut |node| {
            node.logged = false;
            node.puts.clear();
            node.service = None;
        });
    }
    case.ops.retain(|op| !matches!(op, Op::Finish(..)));
    case
}

/// The node that calls a tree is that tree.
fn written_out(case: &Case) -> Result<(), String> {
    let mut plain = prepared(case);
    plain.ops.retain(|op| !matches!(op, Op::Load(SINGLE)));
    let mut calls = 0;
    let mut others = false;
    for tree in &mut plain.trees {
        each(&mut tree.root, &mut |node| {
            let is_move = match &node.kind {
                Kind::Transfer(SINGLE) => true,
                Kind::End { .. } => true,
                kind => kind
                    .script()
                    .is_some_and(|script| matches!(script.act, Act::Load(SINGLE))),
            };
            let taken = node
                .takes
                .as_ref()
                .is_some_and(|takes| takes.tree == SINGLE);
            others |= is_move || taken || !node.declares.is_empty();
            calls += usize::from(matches!(node.kind, Kind::SubTree(SINGLE)));
        });
    }
    let takes = plain
        .nodes()
        .iter()
        .filter(|node| node.takes.is_some())
        .count();
    if calls != 1 || others || takes > 1 {
        return Ok(());
    }
    let mut other = plain.clone();
    let body = other.trees[SINGLE].root.children[0].clone();
    for tree in &mut other.trees {
        each(&mut tree.root, &mut |at| {
            if matches!(at.kind, Kind::SubTree(SINGLE)) {
                at.kind = Kind::Sequence { keep_place: false };
                at.children = vec![body.clone()];
            }
        });
    }
    // Its own copy is called by nobody.
    other.trees[SINGLE].root.children = vec![node(Kind::AlwaysRunning, [])];
    renumber(&mut plain, &mut other);
    other.number();
    same(&plain, &other, &[])
}

/// The host finishes the leaves of the same names in both, if both have them all.
fn renumber(plain: &mut Case, other: &mut Case) {
    let names: Vec<_> = other
        .scripts()
        .iter()
        .map(|script| script.name.clone())
        .collect();
    let scripts = plain.scripts().into_iter();
    let place = |name: &String| names.iter().position(|other| other == name);
    let places: Option<Vec<_>> = scripts.map(|script| place(&script.name)).collect();
    let Some(places) = places.filter(|places| !places.is_empty()) else {
        for case in [plain, other] {
            case.ops.retain(|op| !matches!(op, Op::End(..)));
        }
        return;
    };
    for op in &mut other.ops {
        if let Op::End(number, _) = op {
            *number = places[*number % places.len()];
        }
    }
}

/// Waits are actions that finish themselves.
fn waits_as_actions(case: &Case) -> Result<(), String> {
    let mut plain = prepared(case);
    let mut other = plain.clone();
    let mut names = Vec::new();
    for tree in &mut other.trees {
        each(&mut tree.root, &mut |node| {
            let reply = match &node.kind {
                Kind::Wait(quarters @ 1..) => Reply::After(*quarters as f64 / 4.0, true),
                Kind::WaitFrames(polls @ 1..) => Reply::Polls(*polls as u32, true),
                Kind::WaitEvent {
                    event,
                    broadcast: false,
                    latch: false,
                } => Reply::Event(event, true),
                _ => return,
            };
            let name = format!("wait{}", names.len());
            names.push(name.clone());
            let replies = vec![reply; 400];
            let act = Act::Nothing;
            node.kind = Kind::Starts(Script { name, replies, act });
        });
    }
    renumber(&mut plain, &mut other);
    same(&plain, &other, &names)
}

/// Actions that ask for a load or a reset are leaves that do.
fn requests_as_leaves(case: &Case) -> Result<(), String> {
    let mut plain = prepared(case);
    let mut names = Vec::new();
    for tree in &mut plain.trees {
        each(&mut tree.root, &mut |node| node.takes = None);
    }
    let mut other = plain.clone();
    for tree in &mut other.trees {
        each(&mut tree.root, &mut |node| {
            let Kind::Now(script) = &node.kind else {
                return;
            };
            let kind = match script.act {
                Act::Load(tree) => Kind::Transfer(tree),
                Act::Reset => Kind::Reset {
                    keep_blackboard: false,
                },
                _ => return,
            };
            names.push(script.name.clone());
            node.kind = kind;
        });
    }
    renumber(&mut plain, &mut other);
    same(&plain, &other, &names)
}

#[test]
fn called_tree_does_what_it_does_when_written_out() {
    for_seeds(runs("BT_ALIKE", 600), Profile::All, written_out);
}

#[test]
fn actions_that_finish_themselves_do_what_waits_do() {
    for_seeds(runs("BT_ALIKE", 200), Profile::All, waits_as_actions);
}

#[test]
fn leaves_that_load_and_reset_do_what_actions_do_that_ask_for_it() {
    for_seeds(runs("BT_ALIKE", 200), Profile::All, requests_as_leaves);
}
