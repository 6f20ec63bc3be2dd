//! Random cases: trees, what their leaves reply, and what happens to the agent. One seed is one
//! case.
//!
//! ```
//! use bt_tests::cases::{Case, Profile};
//!
//! let case = Case::of(7, Profile::All);
//! assert_eq!(case.to_string(), Case::of(7, Profile::All).to_string());
//! ```

mod disabled;
mod drive;
mod edit;
mod grow;
mod numbers;
mod ops;
mod plant;
mod seeds;
mod show;
mod shrink;

pub(crate) use drive::ends;
pub use drive::{Driven, drive, drive_from};
pub use grow::Profile;
pub(crate) use plant::{place, put_line};
pub use seeds::{Property, explain, fault, for_seeds};
pub use shrink::shrink;

use bt_core::Random;

use crate::probe::Reply;

/// Keys that leaves write, and the host.
pub const KEYS: [&str; 3] = ["k0", "k1", "k2"];
/// Keys that the host alone writes.
pub const HOST_KEYS: [&str; 2] = ["h0", "h1"];
/// The flags that conditions ask for: the agent's; in some cases the second is one of the
/// [world](Case::is_switched).
pub const FLAGS: [&str; 2] = ["f0", "f1"];
/// The flag and the key that guards and some leaves look at by an expression.
pub const EXPRESSED: [&str; 2] = [FLAGS[0], KEYS[0]];

/// Keys that count: [`Kind::More`] and [`Kind::Set`] add to them.
pub const COUNTS: [&str; 2] = ["n0", "n1"];
/// The events that are fired and waited for.
pub const EVENTS: [&str; 2] = ["go", "told"];

/// Trees at play.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name: the same seed of the same profile is the same case.
    pub seed: u64,
    /// The seed of the agent's random stream.
    pub stream: u64,
    /// The tree begins again when it has ended.
    pub looping: bool,
    /// Each node's last result is kept: the runner enters nodes one at a time.
    pub keeps_results: bool,
    /// The number of nodes that may be entered in a poll.
    pub budget: u32,
    /// The first is the one that is started.
    pub trees: Vec<Tree>,
    /// The operations, in order.
    pub ops: Vec<Op>,
}

/// A tree.
#[derive(Debug, Clone)]
pub struct Tree {
    /// Its name.
    pub name: &'static str,
    /// Its root, which has one child.
    pub root: Node,
}

/// A node, with what is attached to it.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its number in its tree: nodes are numbered in preorder, the root is 0.
    pub idx: u32,
    /// The kind.
    pub kind: Kind,
    /// Effects log its entry and its exit.
    pub logged: bool,
    /// The guards.
    pub guards: Vec<Guard>,
    /// A service writes a line every so many quarters of a second.
    pub service: Option<u64>,
    /// The keys that its effects, and its service, write.
    pub puts: Vec<Put>,
    /// Keys that each of its runs has for itself: of a root, each run of the tree.
    pub declares: Vec<&'static str>,
    /// Of a call of a tree: keys of that, and which keys take them.
    pub results: Vec<[&'static str; 2]>,
    /// Results are written after a success only.
    pub results_on_success: bool,
    /// It takes the event `told`.
    pub takes: Option<Takes>,
    /// Its number is an expression: what is added to the literal.
    pub reads: Option<Reads>,
    /// The same of its service's interval.
    pub serves: Option<Reads>,
    /// It is disabled.
    pub disabled: bool,
    /// In order.
    pub children: Vec<Node>,
}

/// A key whose value is added to a number of a node, or taken from it: as a count, or 1 where it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reads {
    /// The key.
    pub key: &'static str,
    /// It is taken away.
    pub minus: bool,
}

/// A guard.
#[derive(Debug, Clone)]
pub struct Guard {
    /// The subject: one of [`FLAGS`], or a key.
    pub about: &'static str,
    /// It must not hold instead.
    pub not: bool,
    /// The nodes that are aborted when its answer changes.
    pub abort: Abort,
}

/// The nodes that a guard aborts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the file format")]
pub enum Abort {
    None,
    Own,
    Lower,
    Both,
    /// Its own node; it is asked every poll, whatever it looks at.
    Poll,
}

impl Abort {
    /// Returns true if its own node is aborted.
    pub fn is_own(self) -> bool {
        matches!(self, Abort::Own | Abort::Both | Abort::Poll)
    }

    /// Returns true if siblings to the right are aborted.
    pub fn is_lower(self) -> bool {
        matches!(self, Abort::Lower | Abort::Both)
    }
}

/// A write of an effect or a service.
#[derive(Debug, Clone, Copy)]
pub struct Put {
    /// The time of the write.
    pub when: When,
    /// The key.
    pub key: &'static str,
    /// The new value.
    pub on: bool,
}

/// The time at which an effect is called, or the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the file format")]
pub enum When {
    Enter,
    Success,
    Failure,
    Aborted,
    Exit,
    Service,
}

/// An event's tree.
#[derive(Debug, Clone, Copy)]
pub struct Takes {
    /// The number of the tree.
    pub tree: usize,
    /// The current tree is suspended, and goes on afterwards.
    pub comes_back: bool,
    /// Once for each activation.
    pub once: bool,
}

/// The script of a leaf.
#[derive(Debug, Clone)]
pub struct Script {
    /// Its name in the log.
    pub name: String,
    /// The replies of its calls; after them it ends with success, or waits, or is polled.
    pub replies: Vec<Reply>,
    /// The act of each call beside its reply.
    pub act: Act,
}

/// The act of a call beside its reply.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "each is a method of the context")]
pub enum Act {
    Nothing,
    /// Every third call sets it the other way round.
    Set(&'static str, bool),
    /// Writes a line of the time since the call before.
    Delta,
    /// In the first [`FIRES`] calls.
    Fire(&'static str),
    Stop,
    Reset,
    /// The number of the tree.
    Load(usize),
}

/// The number of times that a leaf fires its event.
pub const FIRES: u32 = 5;

/// The kind of a node: the kinds of the file format, and the probe's leaves. Times are in quarters of a
/// second.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "docs/src/node-kinds.md has them")]
pub enum Kind {
    Root,
    Sequence {
        keep_place: bool,
    },
    Select {
        keep_place: bool,
    },
    MemorySequence {
        keep_place: bool,
    },
    MemorySelect {
        keep_place: bool,
    },
    ReactiveSequence,
    ReactiveSelect,
    AlwaysSeq,
    RandomSeq,
    RandomSelect,
    Probability(Vec<u32>),
    /// At least one of the thresholds is written.
    Parallel {
        success: Option<u32>,
        failure: Option<u32>,
        rerun: bool,
        /// Children right of the one that decides are not entered.
        stops: bool,
    },
    /// A parallel without thresholds.
    AnyFinish,
    /// The cases of a flag or a key, whose values are numbers; 1 is also true. A last child without one is the default.
    Switch {
        on: &'static str,
        cases: Vec<i64>,
        reactive: bool,
    },
    /// The scores of flags or keys, one for each child, in halves: an even one where it holds, or the number of a key that
    /// counts; an odd one is null where it does not hold.
    Utility {
        scores: Vec<(&'static str, i64)>,
        reactive: bool,
        keep: i64,
    },
    IfElse,
    WhileLoop,
    And,
    Or,
    Negative,
    AlwaysTrue,
    AlwaysFalse,
    Repeat(i64),
    Retry(i64),
    UntilSuccess(i64),
    UntilFailure(i64),
    Loop(i64),
    /// A list of keys, `true` and `false`.
    ForEach {
        list: Vec<&'static str>,
        item: &'static str,
        index: Option<&'static str>,
        until: Option<bool>,
    },
    Timeout(u64),
    Delay(u64),
    Cooldown {
        time: u64,
        on_success: bool,
    },
    RunLimit {
        count: u64,
        on: Option<bool>,
        reset_if: Option<&'static str>,
    },
    SuccessUntil(i64),
    FailureUntil(i64),
    Frames(u64),
    Once,
    /// The probe's own decorator.
    Limits(u32),
    /// The probe's own composite, which knows of so many children, and runs them so many times.
    Steers(usize, u32),
    /// The probe's own composite, which runs its first child or that one, and its own decorator: asked in every turn
    /// what a flag says.
    Watches(&'static str, usize),
    Minds(&'static str),
    /// An action that ends at once.
    Now(Script),
    /// An action that is called every poll.
    Polled(Script),
    /// An action that waits.
    Starts(Script),
    /// An action that waits, and takes its time to be aborted.
    Slow(Script),
    /// An action that draws a number.
    Draws,
    /// An action that adds 1 to a key.
    More(&'static str),
    /// A `set` that adds 1 to a key.
    Set(&'static str),
    Wait(u64),
    WaitFrames(u64),
    WaitEvent {
        event: &'static str,
        broadcast: bool,
        latch: bool,
    },
    /// A condition: one of [`FLAGS`], or a key.
    Condition(&'static str),
    /// The same as an expression.
    Check(&'static str),
    AlwaysRunning,
    End {
        success: bool,
        outside: bool,
    },
    Reset {
        keep_blackboard: bool,
    },
    SubTree(usize),
    Transfer(usize),
}

/// An operation of the host.
#[derive(Debug, Clone, Copy)]
pub enum Op {
    /// So many quarters of a second after the last poll; below zero, the clock goes back.
    Poll(i8),
    /// One of [`EVENTS`].
    Fire(&'static str),
    /// Finishes the last call of one of the scripted leaves, by its number.
    End(usize, bool),
    /// Finishes one of the active leaves, by its place among them.
    Finish(usize, bool),
    /// Sets a key.
    Key(&'static str, bool),
    /// Sets a flag.
    Flag(&'static str, bool),
    /// [`Runner::pause`](bt_core::Runner::pause), and so on.
    Pause,
    #[expect(missing_docs, reason = "as above")]
    Resume,
    #[expect(missing_docs, reason = "as above")]
    Stop,
    #[expect(missing_docs, reason = "as above")]
    Start,
    #[expect(missing_docs, reason = "as above")]
    Reset,
    /// By the number of the tree.
    Load(usize),
}

impl Node {
    /// A node to which nothing is attached.
    pub fn new(kind: Kind, children: impl Into<Vec<Node>>) -> Node {
        Node {
            idx: 0,
            kind,
            logged: false,
            guards: Vec::new(),
            service: None,
            puts: Vec::new(),
            declares: Vec::new(),
            results: Vec::new(),
            results_on_success: false,
            takes: None,
            reads: None,
            serves: None,
            disabled: false,
            children: children.into(),
        }
    }
}

impl Case {
    /// All nodes of all trees, in preorder.
    pub fn nodes(&self) -> Vec<&Node> {
        let mut all = Vec::new();
        for tree in &self.trees {
            tree.root.collect(&mut all);
        }
        all
    }

    /// The leaves that do what a script says.
    pub fn scripts(&self) -> Vec<&Script> {
        let nodes = self.nodes().into_iter();
        nodes.filter_map(|node| node.kind.script()).collect()
    }

    /// Lets calls of trees give results: of keys that each run of the called tree has for itself.
    pub(super) fn give_results(&mut self, seed: u64) {
        let mut random = Random::new(seed ^ 0x6769_7665);
        for tree in 1..self.trees.len() {
            let root = &mut self.trees[tree].root;
            if random.int(0..=5) == 0 && root.declares.is_empty() {
                let key = random.int(0..=3) as usize;
                root.declares
                    .push([COUNTS[0], KEYS[0], KEYS[1], COUNTS[1]][key]);
            }
        }
        let all: Vec<_> = self
            .trees
            .iter()
            .map(|tree| tree.root.declares.clone())
            .collect();
        for tree in &mut self.trees {
            tree.root.change(&mut |node| {
                let Kind::SubTree(called) = node.kind else {
                    return;
                };
                for key in &all[called] {
                    let of: &[&'static str] = if COUNTS.contains(key) { &COUNTS } else { &KEYS };
                    let own = of[random.int(0..=of.len() as i64 - 1) as usize];
                    if random.int(0..=3) > 0 && !node.results.iter().any(|[_, known]| *known == own)
                    {
                        node.results.push([key, own]);
                    }
                }
                node.results_on_success = random.int(0..=2) == 0;
            });
        }
    }

    /// Takes away the results whose keys the called trees do not declare any more.
    pub(super) fn settle_results(&mut self) {
        let all: Vec<_> = self
            .trees
            .iter()
            .map(|tree| tree.root.declares.clone())
            .collect();
        for tree in &mut self.trees {
            tree.root.change(&mut |node| match node.kind {
                Kind::SubTree(called) => {
                    node.results.retain(|[key, _]| all[called].contains(key));
                }
                _ => node.results.clear(),
            });
        }
    }

    /// Numbers the nodes of each tree in preorder.
    pub fn number(&mut self) {
        fn number(node: &mut Node, next: &mut u32) {
            node.idx = *next;
            *next += 1;
            for child in &mut node.children {
                number(child, next);
            }
        }
        for tree in &mut self.trees {
            number(&mut tree.root, &mut 0);
        }
    }
}

impl Node {
    /// The keys that each of its runs has for itself.
    pub fn keys(&self) -> Vec<&'static str> {
        let mut keys = self.declares.clone();
        keys.extend(self.kind.keys());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The node and all below it, in preorder.
    pub fn nodes(&self) -> Vec<&Node> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all
    }

    /// Changes the node and all below it, in preorder.
    fn change(&mut self, how: &mut dyn FnMut(&mut Node)) {
        how(self);
        for child in &mut self.children {
            child.change(how);
        }
    }

    fn collect<'t>(&'t self, all: &mut Vec<&'t Node>) {
        all.push(self);
        for child in &self.children {
            child.collect(all);
        }
    }
}

impl Kind {
    /// The script of a leaf.
    pub fn script(&self) -> Option<&Script> {
        match self {
            Kind::Now(script)
            | Kind::Polled(script)
            | Kind::Starts(script)
            | Kind::Slow(script) => Some(script),
            _ => None,
        }
    }

    /// The keys that its kind declares.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        let keys = match self {
            Kind::ForEach { item, index, .. } => [Some(*item), *index],
            _ => [None, None],
        };
        keys.into_iter().flatten()
    }

    /// Gives what has an entry for each child so many of them.
    pub(crate) fn fit_entries(&mut self, children: usize) {
        match self {
            Kind::Probability(weights) => weights.resize(children, 1),
            Kind::Utility { scores, .. } => scores.resize(children, (FLAGS[0], 1)),
            Kind::Switch { on, cases, .. } => {
                if children > 3 && !COUNTS.contains(on) {
                    *on = COUNTS[0];
                }
                if !COUNTS.contains(on) {
                    cases.retain(|case| *case < 2);
                }
                cases.truncate(children);
                let mut others = 0..;
                while cases.len() + 1 < children {
                    let other = others.find(|other| !cases.contains(other));
                    cases.extend(other);
                }
            }
            _ => {}
        }
    }

    /// Takes away the entries of children.
    pub(crate) fn retain_entries(&mut self, stays: impl Fn(usize) -> bool) {
        fn retain<T>(all: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
            let mut at = 0..;
            all.retain(|_| at.next().is_none_or(&stays));
        }
        match self {
            Kind::Probability(weights) => retain(weights, stays),
            Kind::Switch { cases, .. } => retain(cases, stays),
            Kind::Utility { scores, .. } => retain(scores, stays),
            _ => {}
        }
    }

    /// Returns true if a node of this kind may have so many children.
    pub fn may_have(&self, children: usize) -> bool {
        match self {
            Kind::Root
            | Kind::Negative
            | Kind::AlwaysTrue
            | Kind::AlwaysFalse
            | Kind::Repeat(_)
            | Kind::Retry(_)
            | Kind::UntilSuccess(_)
            | Kind::UntilFailure(_)
            | Kind::Loop(_)
            | Kind::ForEach { .. }
            | Kind::Timeout(_)
            | Kind::Delay(_)
            | Kind::Cooldown { .. }
            | Kind::RunLimit { .. }
            | Kind::SuccessUntil(_)
            | Kind::FailureUntil(_)
            | Kind::Frames(_)
            | Kind::Once
            | Kind::Limits(_)
            | Kind::Minds(_) => children == 1,
            Kind::IfElse => matches!(children, 2 | 3),
            Kind::WhileLoop => children == 2,
            Kind::Probability(weights) => children > 0 && children == weights.len(),
            Kind::Utility { scores, .. } => children > 0 && children == scores.len(),
            Kind::Switch { cases, .. } => {
                children > 0 && (cases.len() == children || cases.len() + 1 == children)
            }
            Kind::Parallel {
                success, failure, ..
            } => {
                let mut counts = [success, failure].into_iter().flatten();
                children > 0 && counts.all(|count| *count as usize <= children)
            }
            Kind::Steers(..)
            | Kind::Watches(..)
            | Kind::Sequence { .. }
            | Kind::Select { .. }
            | Kind::MemorySequence { .. }
            | Kind::MemorySelect { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelect
            | Kind::AlwaysSeq
            | Kind::RandomSeq
            | Kind::RandomSelect
            | Kind::AnyFinish
            | Kind::And
            | Kind::Or => children > 0,
            _ => children == 0,
        }
    }
}
