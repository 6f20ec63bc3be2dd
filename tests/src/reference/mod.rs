//! What trees mean, written down a second time: recursive, slow and plain.
//!
//! An active node owns the active nodes below it. Whatever happens is handed down from the root, and
//! each node that ends tells the one above it on the way back. Rules that are quoted (“…”) are those of
//! the documentation of what each node means. Where they leave a choice, the runner's was taken, and the
//! comment quotes nothing: that each turn is a pass, and that a parallel without thresholds ends before
//! the pass does if no other child of it is active.
//!
//! `poll` is the order of things in a poll, `walk` how what happens is handed down and up, `kinds` what
//! each kind of node does, with `parallel` and `leaves`, `guards` the conditions that are attached to
//! nodes. Not here, because each would make the rest hard to read: actions that take their time to be
//! aborted, events that switch trees, guards whose keys change in the middle of a poll, and keys of a
//! tree's or a node's own.

mod guards;
mod kinds;
mod leaves;
mod parallel;
mod poll;
mod walk;

use std::collections::{BTreeMap, VecDeque};

use bt_core::{LeafState, Random};

use crate::cases::{Case, Node, Tree};
use crate::probe::Reply;
use guards::{Fired, Lower, Own};

/// A case as it should go.
pub struct Reference<'t> {
    trees: &'t [Tree],
    looping: bool,
    max_budget: u32,
    random: Random,
    /// What scripted leaves reply next.
    replies: BTreeMap<&'t str, VecDeque<Reply>>,
    /// How often each was called, and the last one that waits, for its completion.
    calls: BTreeMap<&'t str, u32>,
    waiting: BTreeMap<&'t str, u64>,
    /// How often the child of each of the agent's own decorators has run.
    runs: BTreeMap<String, u32>,
    flags: BTreeMap<&'t str, bool>,
    keys: BTreeMap<&'t str, bool>,
    /// “One per agent, tree file and node … cleared by `reset`.”
    kept: BTreeMap<(usize, u32), u64>,
    latched: Vec<&'t str>,
    arrived: VecDeque<Arrival<'t>>,
    wish: Option<Interrupt>,
    /// The current tree.
    tree: usize,
    phase: Phase,
    root: Option<Active<'t>>,
    interrupt: Option<Interrupt>,
    /// One delivery ends several leaves, in one pass.
    many_end: bool,
    /// A parallel is to decide when the pass is over.
    undecided: bool,
    /// The time without the time for which it was paused.
    now: u64,
    paused: bool,
    was_paused: bool,
    poll: u64,
    began: u64,
    budget: u32,
    spent: bool,
    last: Option<bool>,
    /// Grows from one active node, or timer, to the next.
    order: u64,
    log: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Idle,
    /// The root is entered in the next poll.
    Due,
    Active,
    Ended(bool),
}

/// What ends the walk through a tree, wherever it is.
#[derive(Debug, Clone, Copy)]
enum Interrupt {
    /// `end`: of its own tree, or of the current one.
    End {
        success: bool,
        outside: bool,
    },
    Stop,
    Reset {
        clear: bool,
    },
    /// Another tree starts in place of this one.
    Load(usize),
}

/// “Queued events and completions in the order they arrived.”
#[derive(Debug, Clone, Copy)]
enum Arrival<'t> {
    Event(&'t str),
    Finished(u64, bool),
}

/// What wakes active nodes.
#[derive(Debug)]
enum Wake {
    /// Leaves end, each so.
    Ends(Vec<(u64, bool)>),
    /// The timer of that order.
    Timer(u64),
    Guard(Fired),
    /// “Polled leaves, reactive nodes … have their turn, once.”
    Turn,
    /// “A polled child runs once more.”
    Polled,
    /// What there was no budget for.
    Due,
    PassOver,
}

/// What has happened to a node.
#[derive(Debug, Clone, Copy)]
enum News {
    Entered,
    /// A child has ended, and was left.
    Ended(usize, bool),
    /// A child was entered, and waits.
    Waits(usize),
    /// Its own time has come.
    Timer,
    Turn,
    /// All below it has had its turn.
    TurnOver,
    /// The pass is over.
    PassOver,
}

/// What a node does then.
enum Next {
    Enter(usize),
    Done(bool),
    Wait,
}

/// A node that was entered and not left yet.
struct Active<'t> {
    node: &'t Node,
    tree: usize,
    /// How many `sub_tree` nodes there are above it.
    depth: u32,
    /// Who was entered first has the lower one.
    order: u64,
    /// The poll in which it was entered, or had its turn last.
    stamp: u64,
    /// There was no budget for it: it was not entered yet.
    is_due: bool,
    /// When what wakes it: the time, the order, and for a service its interval.
    timers: Vec<(u64, u64, Option<u64>)>,
    below: BTreeMap<usize, Active<'t>>,
    own: State,
    own_guards: Own,
    lower: Lower,
}

/// What an active node remembers; each kind uses some of it.
#[derive(Default)]
struct State {
    /// Children, or iterations, that have ended.
    done: i64,
    /// The poll in which the iteration began, or in which the child ended.
    began: u64,
    /// The poll in which it was entered.
    first: u64,
    /// It goes on in its next turn.
    again: bool,
    order: Vec<usize>,
    running: Option<usize>,
    /// Of a parallel: its ends, whether its children are being entered, and were once, which ran in this poll, and
    /// the last that ended in this pass.
    succeeded: u32,
    failed: u32,
    decided: Option<bool>,
    entering: bool,
    entered: bool,
    ran: Vec<usize>,
    ended: Option<(usize, bool)>,
    /// Of a leaf: what it waits for, how it ends, in which poll, and by which event.
    waits: Option<LeafState>,
    success: bool,
    until: Option<u64>,
    event: Option<&'static str>,
}

impl<'t> Reference<'t> {
    /// A case before anything has happened.
    pub fn new(case: &'t Case) -> Reference<'t> {
        let scripts = case.scripts().into_iter();
        let replies =
            scripts.map(|script| (&*script.name, script.replies.iter().cloned().collect()));
        Reference {
            trees: &case.trees,
            looping: case.looping,
            max_budget: case.budget,
            random: Random::new(case.stream),
            replies: replies.collect(),
            calls: BTreeMap::new(),
            waiting: BTreeMap::new(),
            runs: BTreeMap::new(),
            flags: BTreeMap::new(),
            keys: BTreeMap::new(),
            kept: BTreeMap::new(),
            latched: Vec::new(),
            arrived: VecDeque::new(),
            wish: None,
            tree: 0,
            phase: Phase::Due,
            root: None,
            interrupt: None,
            many_end: false,
            undecided: false,
            now: 0,
            paused: false,
            was_paused: false,
            poll: 0,
            began: 0,
            budget: 0,
            spent: false,
            last: None,
            order: 0,
            log: Vec::new(),
        }
    }

    /// The lines since this was asked last.
    pub fn log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// The active nodes, each before what is below it, by the names of their trees and their numbers.
    pub fn active_nodes(&self) -> Vec<(&'static str, u32)> {
        let all = self.all().into_iter().filter(|active| !active.is_due);
        all.map(|active| (self.trees[active.tree].name, active.node.idx))
            .collect()
    }

    /// The leaves that are active, or nodes that wait in place of one, and what they wait for.
    pub fn active_leaves(&self) -> Vec<(&'static str, u32, LeafState)> {
        let all = self.all().into_iter();
        let leaves = all.filter(|active| active.below.is_empty());
        leaves
            .map(|leaf| (self.trees[leaf.tree].name, leaf.node.idx, leaf.state()))
            .collect()
    }

    /// All that is active, in preorder.
    fn all(&self) -> Vec<&Active<'t>> {
        fn collect<'a, 't>(active: &'a Active<'t>, all: &mut Vec<&'a Active<'t>>) {
            all.push(active);
            active.below.values().for_each(|child| collect(child, all));
        }
        let mut all = Vec::new();
        if let Some(root) = &self.root {
            collect(root, &mut all);
        }
        all
    }
}
