//! The runner and the [reference](crate::reference), side by side on the same case.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::reload::Changes;
use bt_core::{LeafState, Random, Status};

use crate::cases::{Case, Op, Profile, drive_from};
use crate::probe::Play;
use crate::reference::Reference;

/// The result of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// The number of cases.
    pub runs: u64,
    /// The number of times that they were polled.
    pub polls: u64,
    /// The number of compared entries of nodes, and calls of leaves.
    pub entered: u64,
    /// The number of times that what occurred in the reference.
    pub occurred: BTreeMap<&'static str, u64>,
}

impl Compared {
    /// Adds what else was compared.
    pub fn add(&mut self, other: Compared) {
        self.runs += other.runs;
        self.polls += other.polls;
        self.entered += other.entered;
        for (what, times) in other.occurred {
            *self.occurred.entry(what).or_default() += times;
        }
    }
}

/// The state of a tree after a poll or a stop, and its log.
#[derive(Debug, PartialEq)]
struct Seen {
    status: Option<Status>,
    log: Vec<String>,
    nodes: Vec<(String, u32)>,
    leaves: Vec<(String, u32, LeafState)>,
}

/// Plays a case twice, and compares after every poll and every stop: how the tree stands, which calls
/// were made and in which order, what is active and what it waits for. The random streams are compared
/// by what is drawn.
///
/// # Errors
/// The first difference.
pub fn compare(case: &Case) -> Result<Compared, String> {
    compare_from(case, case.play(), &[])
}

/// The trees of a case are edited at some moments: before which operations, and as what. One seed is one list.
pub fn edits(case: &Case) -> Vec<(usize, Case)> {
    let mut random = Random::new(case.seed ^ 0xed17);
    let (mut now, mut all) = (case.clone(), Vec::new());
    let every = random.int(1..=6);
    for number in 0..case.ops.len() {
        if random.int(1..=every) > 1 {
            continue;
        }
        let edits = random.int(1..=4) as u32;
        now = now.edited(random.int(0..=i64::MAX) as u64, edits, Profile::Covered);
        all.push((number, now.clone()));
    }
    all
}

/// Plays a case twice whose trees are edited meanwhile, and compares as [`compare`] does.
///
/// # Errors
/// The first difference.
pub fn compare_edited(case: &Case, edits: &[(usize, Case)]) -> Result<Compared, String> {
    let mut play = case.play();
    if let Ok(all) = case.build(false) {
        // All trees are there, so that edits may name any.
        let changes = Changes::between(play.runner.trees(), &all);
        play.runner.reload(&changes);
    }
    compare_from(case, play, edits)
}

fn compare_from(case: &Case, play: Play, edits: &[(usize, Case)]) -> Result<Compared, String> {
    let scripts = case.scripts();
    let names: Vec<_> = scripts.iter().map(|script| &*script.name).collect();
    // What is disabled is not there.
    let built = case.as_built();
    let edited_as_built: Vec<Case> = edits.iter().map(|(_, case)| case.as_built()).collect();
    let mut reference = Reference::new(&built);
    reference.learn_replies(case);
    let (mut compared, mut number) = (Compared::default(), 0);
    drive_from(play, case, |driven| {
        number += 1;
        if reference.was_cut() {
            return Ok(());
        }
        let status = reference.act(driven.op, &names);
        // The trees change after an operation: before the next one.
        let mut edited = edits.iter().zip(&edited_as_built);
        let edited = edited.find(|((at, _), _)| *at + 1 == number);
        if let Some(((_, edited), as_built)) = edited
            && let Ok(trees) = edited.build(number % 2 == 0)
        {
            let changes = Changes::between(driven.play.runner.trees(), &trees);
            driven.play.runner.reload(&changes);
            reference.reload(&as_built.trees);
        }
        if !matches!(driven.op, Op::Poll(_) | Op::Stop) {
            return Ok(());
        }
        let runner = &driven.play.runner;
        let nodes = runner.active_nodes().into_iter();
        let leaves = runner.active_leaves().into_iter();
        let mut log = std::mem::take(&mut driven.log);
        log.retain(|line| !line.starts_with("drop "));
        let seen = Seen {
            status: status.is_some().then_some(driven.status),
            log,
            nodes: nodes.map(|node| (node.tree, node.idx)).collect(),
            leaves: leaves
                .map(|leaf| (leaf.tree, leaf.idx, leaf.state))
                .collect(),
        };
        let nodes = reference.active_nodes().into_iter();
        let leaves = reference.active_leaves().into_iter();
        let expected = Seen {
            status,
            log: reference.log(),
            nodes: nodes.map(|(tree, idx)| (tree.to_owned(), idx)).collect(),
            leaves: leaves
                .map(|(tree, idx, state)| (tree.to_owned(), idx, state))
                .collect(),
        };
        compared.polls += u64::from(status.is_some());
        let entered = seen.log.iter().filter(|line| line.starts_with("enter "));
        compared.entered += entered.count() as u64;
        if seen == expected {
            return Ok(());
        }
        Err(format!(
            "after operation {number}, {:?}:\nrunner    {seen:?}\nreference {expected:?}",
            driven.op
        ))
    })?;
    compared.runs = 1;
    compared.occurred = reference.occurred().clone();
    Ok(compared)
}

/// Plays a case in the reference alone.
pub fn refer(case: &Case) -> Compared {
    let scripts = case.scripts();
    let names: Vec<_> = scripts.iter().map(|script| &*script.name).collect();
    let built = case.as_built();
    let mut reference = Reference::new(&built);
    let polls = case.ops.iter().filter_map(|op| reference.act(*op, &names));
    let polls = polls.count() as u64;
    let log = reference.log();
    Compared {
        runs: 1,
        polls,
        entered: log.iter().filter(|line| line.starts_with("enter ")).count() as u64,
        occurred: reference.occurred().clone(),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic")
        .to_owned()
}

/// The runner and the reference agree on a case whose trees are edited.
///
/// # Errors
/// The first difference, with as few of the edits as show one.
pub fn agree_edited(case: &Case) -> Result<(), String> {
    let differs = |edits: &[(usize, Case)]| {
        let compared = catch_unwind(AssertUnwindSafe(|| compare_edited(case, edits)));
        compared.map_or_else(|panic| Some(panic_text(&*panic)), Result::err)
    };
    let mut edits = edits(case);
    let Some(mut why) = differs(&edits) else {
        return Ok(());
    };
    for number in (0..edits.len()).rev() {
        let edit = edits.remove(number);
        match differs(&edits) {
            Some(other) => why = other,
            None => edits.insert(number, edit),
        }
    }
    let edits = edits
        .iter()
        .map(|(at, case)| format!("after operation {}:\n{case}", at + 1));
    Err(format!("{why}\n{}", edits.collect::<String>()))
}

/// The runner and the reference agree on a case.
///
/// # Errors
/// The first difference.
pub fn agree(case: &Case) -> Result<(), String> {
    compare(case).map(|_| ())
}
