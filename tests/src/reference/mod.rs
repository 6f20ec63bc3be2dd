//! The meaning of trees, written down a second time: recursive, slow and plain.
//!
//! All active nodes stand in one map, each with the numbers of those below it. Whatever happens is handed
//! down from the root. A node that ends, or begins to wait, calls the one above it. Any call may lead to
//! the end of nodes that are at work: who calls looks afterwards whether its node is still there. Rules
//! that are quoted (“…”) are those of the documentation of what each node means. Where they leave a
//! choice, the comment says *chosen*.
//!
//! `poll` is the order of things in a poll, `walk` how what happens is handed down and up, `kinds` what
//! each kind of node does, with `parallel` and `leaves`, `guards` the conditions that are attached to
//! nodes, `keys` where keys are, `reload` trees that change. Not here: actions that cancel over several polls, and events that switch trees.

mod guards;
mod keys;
mod kinds;
mod leaves;
mod numbers;
mod parallel;
mod poll;
mod reload;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bt_core::{LeafState, Random};

use crate::cases::{Case, Node, Tree};
use crate::probe::Reply;
use guards::{Known, Lower};

/// The stack of a thread that runs the reference, which calls itself from one node to the next.
pub const STACK: usize = 256 << 20;

/// A case as it should go.
pub struct Reference<'t> {
    trees: &'t [Tree],
    /// Those that it moves to; of those that are equal but for their numbers, the numbers that nodes have there.
    newest: Option<&'t [Tree]>,
    renumbered: Vec<BTreeMap<u32, u32>>,
    looping: bool,
    max_budget: u32,
    random: Random,
    /// The next replies of scripted leaves.
    replies: BTreeMap<&'t str, VecDeque<Reply>>,
    /// The number of times that each was called, and the last one that waits, for its completion.
    calls: BTreeMap<&'t str, u32>,
    waiting: BTreeMap<&'t str, u64>,
    /// The number of times that the child of each of the agent's own decorators has run.
    runs: BTreeMap<String, u32>,
    flags: BTreeMap<&'t str, bool>,
    keys: Keys<'t>,
    /// “One per agent, tree file and node … cleared by `reset`.”
    kept: BTreeMap<(usize, u32), u64>,
    /// The last answers of guards of children that take over.
    last_known: BTreeMap<(usize, u32), Known>,
    latched: Vec<&'t str>,
    arrived: VecDeque<Arrival<'t>>,
    /// The request of the host.
    request: Option<Request>,
    /// The request of the leaf that runs.
    own_request: Option<Request>,
    /// The keys that were written, and whose guards have yet to react.
    wrote: Wrote<'t>,
    host_wrote: Wrote<'t>,
    /// The current tree.
    tree: usize,
    phase: Phase,
    root: Option<Id>,
    active: BTreeMap<Id, Active<'t>>,
    /// The turn has begun in this poll.
    in_turn: bool,
    /// The time without the time for which it was paused.
    now: u64,
    paused: bool,
    was_paused: bool,
    poll: u64,
    began: u64,
    budget: u32,
    spent: bool,
    was_cut: bool,
    last: Option<bool>,
    /// Grows from one active node, or timer, to the next.
    order: Id,
    log: Vec<String>,
    /// The number of times that what occurred.
    occurred: BTreeMap<&'static str, u64>,
}

/// The number of an active node: who was entered first has the lower one.
type Id = u64;

/// The values of keys: a condition holds at 1.
type Keys<'t> = BTreeMap<&'t str, i64>;

/// Keys, and whose they are: none is the agent.
type Wrote<'t> = BTreeSet<(Option<Id>, &'t str)>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Idle,
    /// The root is entered in the next poll.
    Due,
    Active,
    Ended(bool),
}

/// A request that acts when the leaf returns, or a request of the host.
#[derive(Debug, Clone, Copy)]
enum Request {
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

/// The effect of a delivery on an active node.
#[derive(Debug, Clone, Copy)]
enum Wake {
    /// A leaf ends so.
    Ends(bool),
    /// The timer of that order.
    Timer(u64),
    /// Enters the nodes that there was no budget for.
    Due,
    /// A node has lost its child, and nothing stands in its place.
    Over(bool),
}

/// An event at a node.
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
}

/// The next step of a node.
#[derive(PartialEq)]
enum Next {
    Enter(usize),
    Done(bool),
    Wait,
    /// It is at work on another child, and goes on when that has ended or waits.
    Busy,
    /// A child is aborted; then it waits.
    Abort(usize),
    /// A child is aborted; then another one is entered.
    Instead(usize, usize),
}

/// A node that was entered and not left yet.
struct Active<'t> {
    node: &'t Node,
    tree: usize,
    /// The number of `sub_tree` nodes above it.
    depth: u32,
    /// The active node above it, and which child of that it is.
    above: Option<(Id, usize)>,
    /// The poll in which it was entered.
    entered: u64,
    /// The poll in which it was entered, or had its turn last.
    stamp: u64,
    /// The walk of the turn came by in that poll, or need not.
    visited: u64,
    /// The node above it does not know yet that it waits.
    entering: bool,
    /// It has ended and was left; the node above it does not know yet.
    ended: bool,
    /// There was no budget for it: it was not entered yet.
    is_due: bool,
    /// The number of walks that go through the nodes below it.
    walks: u32,
    /// The timers that wake it: the time, the order, and for a service its interval.
    timers: Vec<(u64, u64, Option<u64>)>,
    below: BTreeMap<usize, Id>,
    /// The keys that this run has for itself.
    keys: Keys<'t>,
    own: State,
    /// In which poll each of its guards was evaluated last.
    evaluated: Vec<u64>,
    lower: Lower,
    /// Changed trees say something else of it, and its next turn checks that.
    recheck: bool,
    /// They gave it a number that it cannot read.
    fails: bool,
    /// It ends so in the poll that begins.
    over: Option<bool>,
    /// The children that it had when its trees changed; those of them whose guards had a say.
    was: Vec<u32>,
    heard: Vec<u32>,
}

/// The state of an active node; each kind uses some of it.
#[derive(Default)]
struct State {
    /// Children, or iterations, that have ended.
    done: i64,
    /// The poll in which the iteration began, or in which the child ended.
    began: u64,
    /// It goes on in its next turn.
    again: bool,
    /// Of a composite those that have run.
    order: Vec<usize>,
    /// Of a composite: the place of the child that a reload took.
    lost: Option<usize>,
    /// The number that it read on entry.
    number: Option<i64>,
    /// The elements of a list.
    list: Vec<i64>,
    /// Of a sequence or select: the child it is at.
    at: Option<usize>,
    /// Of a reactive node: the child that runs.
    running: Option<usize>,
    /// Of a node that enters children one after the other, or evaluates them: the one it is at.
    working: Option<usize>,
    /// Of a parallel: its ends, which ran in this poll, and the last that ended in this pass.
    succeeded: u32,
    failed: u32,
    results: Vec<(usize, bool)>,
    decided: Option<bool>,
    reruns: bool,
    ran: Vec<usize>,
    last: Option<(usize, bool)>,
    /// Of a leaf: whether its action was called, what it waits for, how it ends, in which poll, and by which event.
    called: bool,
    /// Of a leaf: the time of its last call.
    last_call: Option<u64>,
    waits: Option<LeafState>,
    success: bool,
    until: Option<u64>,
    event: Option<&'static str>,
}

impl<'t> Reference<'t> {
    /// A case before anything has happened.
    pub fn new(case: &'t Case) -> Reference<'t> {
        let mut reference = Reference {
            trees: &case.trees,
            newest: None,
            renumbered: Vec::new(),
            looping: case.looping,
            max_budget: case.budget,
            random: Random::new(case.stream),
            replies: BTreeMap::new(),
            calls: BTreeMap::new(),
            waiting: BTreeMap::new(),
            runs: BTreeMap::new(),
            flags: BTreeMap::new(),
            keys: BTreeMap::new(),
            kept: BTreeMap::new(),
            last_known: BTreeMap::new(),
            latched: Vec::new(),
            arrived: VecDeque::new(),
            request: None,
            own_request: None,
            wrote: BTreeSet::new(),
            host_wrote: BTreeSet::new(),
            tree: 0,
            phase: Phase::Due,
            root: None,
            active: BTreeMap::new(),
            in_turn: false,
            now: 0,
            paused: false,
            was_paused: false,
            poll: 0,
            began: 0,
            budget: 0,
            spent: false,
            was_cut: false,
            last: None,
            order: 0,
            log: Vec::new(),
            occurred: BTreeMap::new(),
        };
        reference.learn_replies(case);
        reference
    }

    /// Learns what the leaves of a case reply, those too that are not there yet.
    pub fn learn_replies(&mut self, case: &'t Case) {
        let scripts = case.scripts().into_iter();
        let replies =
            scripts.map(|script| (&*script.name, script.replies.iter().cloned().collect()));
        self.replies = replies.collect();
    }

    /// The number of times that what occurred: for who wants to know whether it was looked at.
    pub fn occurred(&self) -> &BTreeMap<&'static str, u64> {
        &self.occurred
    }

    fn count(&mut self, what: &'static str) {
        *self.occurred.entry(what).or_default() += 1;
    }

    /// Returns true if the budget of a poll was spent, now or before.
    pub fn was_cut(&self) -> bool {
        self.was_cut
    }

    /// The lines since this was asked last.
    pub fn log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// The active nodes, each before what is below it, by the names of their trees and their numbers.
    pub fn active_nodes(&self) -> Vec<(&'static str, u32)> {
        let all = self.all().into_iter().filter(|(_, active)| !active.is_due);
        all.map(|(_, active)| (self.trees[active.tree].name, active.node.idx))
            .collect()
    }

    /// The leaves that are active, or nodes that wait in place of one, and what they wait for.
    pub fn active_leaves(&self) -> Vec<(&'static str, u32, LeafState)> {
        let leaves = self.leaves().into_iter();
        leaves
            .map(|(_, leaf)| (self.trees[leaf.tree].name, leaf.node.idx, leaf.state()))
            .collect()
    }

    fn leaves(&self) -> Vec<(Id, &Active<'t>)> {
        let all = self.all().into_iter();
        all.filter(|(_, active)| active.below.is_empty()).collect()
    }

    /// All that is active, in preorder.
    fn all(&self) -> Vec<(Id, &Active<'t>)> {
        let mut all = Vec::new();
        if let Some(root) = self.root {
            self.collect(root, &mut all);
        }
        all
    }

    /// An active node and all below it, in preorder.
    fn collect<'a>(&'a self, id: Id, all: &mut Vec<(Id, &'a Active<'t>)>) {
        if let Some(active) = self.active.get(&id) {
            all.push((id, active));
            for child in active.below.values() {
                self.collect(*child, all);
            }
        }
    }
}
