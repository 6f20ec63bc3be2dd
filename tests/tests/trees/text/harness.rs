//! Small trees, what happens to them, and the log that is expected: of the runner and of the
//! reference.

use bt_core::Status;
use bt_tests::cases::{Abort, Act, Case, Guard, Kind, Node, Op, Put, Script, Tree, When, drive};
use bt_tests::probe::{Reply, in_short};
use bt_tests::reference::Reference;

/// A node of a kind.
pub(crate) fn node<const N: usize>(kind: Kind, children: [Node; N]) -> Node {
    Node::new(kind, children)
}

pub(crate) fn sequence<const N: usize>(children: [Node; N]) -> Node {
    node(Kind::Sequence { keep_place: false }, children)
}

pub(crate) fn select<const N: usize>(children: [Node; N]) -> Node {
    node(Kind::Select { keep_place: false }, children)
}

pub(crate) fn reactive_sequence<const N: usize>(children: [Node; N]) -> Node {
    node(Kind::ReactiveSequence, children)
}

pub(crate) fn reactive_select<const N: usize>(children: [Node; N]) -> Node {
    node(Kind::ReactiveSelect, children)
}

pub(crate) fn parallel<const N: usize>(success: u32, failure: u32, children: [Node; N]) -> Node {
    let (success, failure, rerun) = (Some(success), Some(failure), false);
    let kind = Kind::Parallel {
        success,
        failure,
        rerun,
        stops: false,
    };
    node(kind, children)
}

pub(crate) fn rerun<const N: usize>(success: u32, failure: u32, children: [Node; N]) -> Node {
    let (success, failure, rerun) = (Some(success), Some(failure), true);
    let kind = Kind::Parallel {
        success,
        failure,
        rerun,
        stops: false,
    };
    node(kind, children)
}

pub(crate) fn any_finish<const N: usize>(children: [Node; N]) -> Node {
    node(Kind::AnyFinish, children)
}

pub(crate) fn more(key: &'static str) -> Node {
    node(Kind::More(key), [])
}

pub(crate) fn timeout(quarters: u64, child: Node) -> Node {
    node(Kind::Timeout(quarters), [child])
}

fn script(name: &str, replies: &str) -> Script {
    let replies = replies.chars().map(|reply| match reply {
        'S' => Reply::End(true),
        'F' => Reply::End(false),
        'R' => Reply::On,
        other => panic!("{other} is no reply"),
    });
    Script {
        name: name.to_owned(),
        replies: replies.collect(),
        act: Act::Nothing,
    }
}

/// An action that ends at once; each letter is what a call comes to.
pub(crate) fn now(name: &str, replies: &str) -> Node {
    node(Kind::Now(script(name, replies)), [])
}

/// An action that is called every poll, and runs on when its script has run out.
pub(crate) fn run(name: &str, replies: &str) -> Node {
    node(Kind::Polled(script(name, replies)), [])
}

/// An action that waits until it is finished.
pub(crate) fn pend(name: &str) -> Node {
    node(Kind::Starts(script(name, "")), [])
}

/// A condition: a flag, which the agent answers, or a key.
pub(crate) fn holds(about: &'static str) -> Node {
    node(Kind::Condition(about), [])
}

/// A wait for the event.
pub(crate) fn wait(event: &'static str) -> Node {
    let (broadcast, latch) = (false, false);
    let kind = Kind::WaitEvent {
        event,
        broadcast,
        latch,
    };
    node(kind, [])
}

/// The attachments of a node.
pub(crate) trait Attach {
    /// A guard.
    fn guard(self, about: &'static str, abort: Abort) -> Node;
    /// A guard that must not hold.
    fn guard_not(self, about: &'static str, abort: Abort) -> Node;
    /// Its calls do something.
    fn act(self, act: Act) -> Node;
    /// Its entry and exit are logged.
    fn logged(self) -> Node;
    /// Of a sequence or select: it keeps its place.
    fn keep_place(self) -> Node;
    /// An effect, or the service, writes.
    fn put(self, when: When, key: &'static str, on: bool) -> Node;
    /// A service, every so many quarters of a second.
    fn service(self, every: u64) -> Node;
    /// Each of its runs has a key of its own.
    fn declare(self, key: &'static str) -> Node;
}

impl Attach for Node {
    fn guard(mut self, about: &'static str, abort: Abort) -> Node {
        let not = false;
        self.guards.push(Guard { about, not, abort });
        self
    }

    fn guard_not(mut self, about: &'static str, abort: Abort) -> Node {
        let not = true;
        self.guards.push(Guard { about, not, abort });
        self
    }

    fn act(mut self, act: Act) -> Node {
        match &mut self.kind {
            Kind::Now(script) | Kind::Polled(script) | Kind::Starts(script) => script.act = act,
            other => panic!("{other:?} does nothing"),
        }
        self
    }

    fn logged(mut self) -> Node {
        self.logged = true;
        self
    }

    fn put(mut self, when: When, key: &'static str, on: bool) -> Node {
        self.puts.push(Put { when, key, on });
        self
    }

    fn service(mut self, every: u64) -> Node {
        self.service = Some(every);
        self
    }

    fn declare(mut self, key: &'static str) -> Node {
        self.declares.push(key);
        self
    }

    fn keep_place(mut self) -> Node {
        match &mut self.kind {
            Kind::Sequence { keep_place } | Kind::Select { keep_place } => *keep_place = true,
            other => panic!("{other:?} has no place"),
        }
        self
    }
}

/// The operations before a poll, the tree's status after it, and its log in short.
pub(crate) type Step<'a> = (&'a [Op], Status, &'a str);

/// Runs a tree once.
#[track_caller]
pub(crate) fn check(tree: Node, steps: &[Step<'_>]) {
    check_trees(false, vec![tree], steps);
}

/// Runs a tree in mode `loop`.
#[track_caller]
pub(crate) fn check_looping(tree: Node, steps: &[Step<'_>]) {
    check_trees(true, vec![tree], steps);
}

/// The same, with other trees that it may call or switch to.
#[track_caller]
pub(crate) fn check_trees(looping: bool, trees: Vec<Node>, steps: &[Step<'_>]) {
    let (polled, ops) = polled(steps);
    let trees = trees.into_iter().zip(["main", "other", "single"]);
    let trees = trees.map(|(top, name)| Tree {
        name,
        root: match top.kind {
            Kind::Root => top,
            _ => node(Kind::Root, [top]),
        },
    });
    let mut case = Case {
        seed: 0,
        stream: 0,
        looping,
        keeps_results: false,
        budget: 300,
        trees: trees.collect(),
        ops,
    };
    case.number();
    let expected: Vec<_> = steps
        .iter()
        .map(|(_, status, log)| format!("{status:?}: {log}"))
        .collect();
    let mut wrong = String::new();
    for (who, seen) in [("reference", referred(&case)), ("runner", ran(&case))] {
        let seen: Vec<_> = polled.iter().map(|at| seen[*at].clone()).collect();
        if seen != expected {
            wrong += &format!("\nexpected  {expected:#?}\n{who} {seen:#?}");
        }
    }
    assert!(wrong.is_empty(), "{case}{wrong}");
}

/// All that happens, and which of it are the polls that are looked at.
fn polled(steps: &[Step<'_>]) -> (Vec<usize>, Vec<Op>) {
    let (mut polled, mut ops) = (Vec::new(), Vec::new());
    for (before, ..) in steps {
        ops.extend_from_slice(before);
        if !matches!(before.last(), Some(Op::Poll(_))) {
            ops.push(Op::Poll(0));
        }
        polled.push(ops.len() - 1);
    }
    (polled, ops)
}

fn ran(case: &Case) -> Vec<String> {
    let mut seen = Vec::new();
    let driven = drive(case, |driven| {
        seen.push(format!("{:?}: {}", driven.status, in_short(&driven.log)));
        Ok::<(), String>(())
    });
    driven.unwrap_or_else(|error| panic!("{error}"));
    seen
}

fn referred(case: &Case) -> Vec<String> {
    let scripts = case.scripts();
    let names: Vec<_> = scripts.iter().map(|script| &*script.name).collect();
    let mut reference = Reference::new(case);
    let mut status = Status::Failure;
    let ops = case.ops.iter();
    let seen = ops.map(|op| {
        status = reference.act(*op, &names).unwrap_or(status);
        format!("{status:?}: {}", in_short(&reference.log()))
    });
    seen.collect()
}
