//! Trees that grow at random.

use bt_core::tree::asset::spec::{self, NodeSpec};
use bt_tests::probe::*;
use proptest::prelude::*;

pub(super) const KEYS: [&str; 3] = ["k0", "k1", "k2"];
pub(super) const EVENTS: [&str; 2] = ["go", "told"];

const LEAVES: &[&str] = &[
    "now",
    "now",
    "now",
    "polled",
    "polled",
    "starts",
    "starts",
    "starts",
    "slow",
    "wait",
    "frames",
    "wait_event",
    "broadcast",
    "latch",
    "holds",
    "key_true",
    "always_running",
    "end",
    "end_outside",
    "reset",
    "sub_tree",
    "transfer",
];

const COMPOSITES: &[&str] = &[
    "sequence",
    "select",
    "memory_sequence",
    "memory_select",
    "reactive_sequence",
    "reactive_select",
    "always_seq",
    "random_seq",
    "random_select",
    "probility",
    "parallel",
    "rerun",
    "any",
    "if_else",
    "while_loop",
];

const DECORATORS: &[&str] = &[
    "negative",
    "always_true",
    "always_false",
    "repeat",
    "retry",
    "until_success",
    "until_failure",
    "loop",
    "timeout",
    "delay",
    "cooldown",
    "run_limit",
    "success_until",
    "failure_until",
    "frames",
    "once",
    "limits",
];

/// The act of a leaf beside its reply.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Nothing,
    Set(u8, bool),
    Fire(u8),
    Stop,
    Reset,
    Load,
}

/// The attachments of a node beside guards.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Extra {
    Nothing,
    Service,
    /// Another tree, when an event comes; what mode that is.
    Event(&'static str, bool),
}

fn extra() -> impl Strategy<Value = Extra> {
    let mode = prop::sample::select(vec!["return", "return", "transfer"]);
    prop_oneof![
        6 => Just(Extra::Nothing),
        1 => Just(Extra::Service),
        1 => (mode, any::<bool>()).prop_map(|(mode, once)| Extra::Event(mode, once)),
    ]
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    kind: &'static str,
    count: i64,
    /// A key, and how it aborts.
    guard: Option<(u8, u8)>,
    extra: Extra,
    replies: Vec<Reply>,
    act: Act,
    children: Vec<Tree>,
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        6 => any::<bool>().prop_map(Reply::End),
        4 => Just(Reply::On),
        2 => (0..4u8, any::<bool>()).prop_map(|(t, end)| Reply::After(f64::from(t) / 4.0, end)),
        2 => (0..4u32, any::<bool>()).prop_map(|(polls, end)| Reply::Polls(polls, end)),
        2 => any::<bool>().prop_map(|end| Reply::Event("go", end)),
        1 => Just(Reply::Panic),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        20 => Just(Act::Nothing),
        5 => (0..3u8, any::<bool>()).prop_map(|(key, on)| Act::Set(key, on)),
        3 => (0..2u8).prop_map(Act::Fire),
        1 => Just(Act::Stop),
        1 => Just(Act::Reset),
        1 => Just(Act::Load),
    ]
}

fn guard() -> impl Strategy<Value = Option<(u8, u8)>> {
    prop_oneof![4 => Just(None), 1 => (0..3u8, 0..5u8).prop_map(Some)]
}

fn leaf() -> impl Strategy<Value = Tree> {
    let replies = prop::collection::vec(reply(), 0..5);
    let kind = prop::sample::select(LEAVES);
    let all = (kind, -1..4i64, guard(), extra(), replies, act());
    all.prop_map(|(kind, count, guard, extra, replies, act)| Tree {
        kind,
        count,
        guard,
        extra,
        replies,
        act,
        children: Vec::new(),
    })
}

/// A tree, so deep, of about so many nodes.
pub(super) fn tree(depth: u32, size: u32) -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(depth, size, 4, |inner| {
        let composite = prop::sample::select(COMPOSITES);
        let decorator = prop::sample::select(DECORATORS);
        let children = prop::collection::vec(inner.clone(), 1..5);
        let inner_node = |(kind, count, guard, extra, mut children): (_, _, _, _, Vec<Tree>)| {
            let most = match kind {
                "if_else" => 3,
                "while_loop" => 2,
                _ => usize::MAX,
            };
            children.truncate(most);
            Tree {
                // Those need a condition and a body.
                kind: if most < usize::MAX && children.len() < 2 { "sequence" } else { kind },
                count,
                guard,
                extra,
                replies: Vec::new(),
                act: Act::Nothing,
                children,
            }
        };
        prop_oneof![
            3 => (composite, -1..4i64, guard(), extra(), children).prop_map(inner_node),
            2 => (decorator, -1..4i64, guard(), extra(), inner)
                .prop_map(move |(kind, count, guard, extra, child)| inner_node((kind, count, guard, extra, vec![child]))),
        ]
    })
}

type Setup = Box<dyn FnOnce(&mut Play)>;

/// The leaves of the tree.
#[derive(Default)]
pub(super) struct Leaves {
    /// The names of the leaves that the probe logs.
    pub(super) names: Vec<String>,
    /// The places of nodes with children.
    pub(super) inner: Vec<String>,
    /// The settings for the play.
    pub(super) setup: Vec<Setup>,
}

/// Makes nodes of a tree, each by the name `tree.idx`; the names of its leaves, and what they do.
pub(super) fn plant(name: &str, tree: &Tree, leaves: &mut Leaves, with_events: bool) -> NodeSpec {
    let mut planting = Planting {
        tree: name,
        idx: 0,
        slow: 0,
        with_events,
        found: leaves,
    };
    planting.node(tree, "root")
}

struct Planting<'p> {
    tree: &'p str,
    idx: u32,
    /// The number of slow leaves.
    slow: usize,
    with_events: bool,
    found: &'p mut Leaves,
}

impl Planting<'_> {
    fn node(&mut self, tree: &Tree, parent: &str) -> NodeSpec {
        self.idx += 1;
        let place = format!("{}.{}", self.tree, self.idx);
        let made = if tree.children.is_empty() {
            self.leaf(tree, &place)
        } else {
            self.found.inner.push(place.clone());
            let children = tree.children.iter();
            let children = children.map(|child| self.node(child, tree.kind)).collect();
            paired(&place, inner(tree, children))
        };
        let made = match tree.extra {
            Extra::Service => made.service(0.5, spec::call("note").arg(place)),
            Extra::Event(mode, once) if self.with_events => made.extra(
                "events",
                serde_json::json!([{"event": "told", "tree": "other", "mode": mode, "once": once}]),
            ),
            _ => made,
        };
        match tree.guard {
            Some((key, abort)) => made.guard(guard_of(key, abort, parent)),
            None => made,
        }
    }

    fn leaf(&mut self, tree: &Tree, place: &str) -> NodeSpec {
        let is_main = self.tree == "main";
        match tree.kind {
            "now" => self.probe(tree, place, now(place), |reply| {
                matches!(reply, Reply::End(_) | Reply::Panic)
            }),
            "polled" if is_main && !self.with_events => {
                self.probe(tree, place, polled(place), |reply| {
                    matches!(reply, Reply::End(_) | Reply::Panic | Reply::On)
                })
            }
            "slow" if is_main && self.slow < 3 => {
                let name = ["a", "b", "c"][self.slow];
                self.slow += 1;
                self.probe(tree, name, slow(name), |_| true)
            }
            "wait" => wait(tree.count.max(0) as f64 / 4.0),
            "frames" => frames(tree.count.max(0) as u32),
            "wait_event" => spec::wait_event("go"),
            "broadcast" => spec::wait_event("go").extra("broadcast", true),
            "latch" => spec::wait_event("told").extra("latch", true),
            "holds" => holds(KEYS[tree.count.max(0) as usize % 3]),
            "key_true" => key_true(KEYS[tree.count.max(0) as usize % 3]),
            "always_running" => spec::node("always_running"),
            "end" | "end_outside" => {
                let how = if tree.count > 0 { "success" } else { "failure" };
                let end = spec::node("end").extra("status", how);
                end.extra("outside", tree.kind == "end_outside")
            }
            "reset" => spec::node("reset").extra("keep_blackboard", tree.count > 0),
            "sub_tree" => spec::sub_tree("other"),
            "transfer" if is_main => spec::sub_tree("other").extra("mode", "transfer"),
            _ => self.probe(tree, place, starts(place), |_| true),
        }
    }

    /// A leaf of the probe, with those replies that it can give.
    fn probe(
        &mut self,
        tree: &Tree,
        name: &str,
        made: NodeSpec,
        can: fn(&Reply) -> bool,
    ) -> NodeSpec {
        self.found.names.push(name.to_owned());
        let replies: Vec<_> = tree
            .replies
            .iter()
            .filter(|reply| can(reply))
            .cloned()
            .collect();
        let (name, act) = (name.to_owned(), tree.act.clone());
        self.found.setup.push(Box::new(move |play| {
            play.reply(&name, replies);
            let mut times = 0;
            play.on_call(&name, move |cx| {
                times += 1;
                match act {
                    Act::Nothing => {}
                    Act::Set(key, on) => cx.set(KEYS[usize::from(key)], on != (times % 3 == 0)),
                    Act::Fire(event) if times < 20 => {
                        cx.fire(bt_core::Event::new(EVENTS[usize::from(event)]));
                    }
                    Act::Fire(_) => {}
                    Act::Stop => cx.stop(),
                    Act::Reset => cx.reset(),
                    Act::Load => cx.load("other"),
                }
            });
        }));
        made
    }
}

fn guard_of(key: u8, abort: u8, parent: &str) -> spec::Call {
    let below_select = matches!(parent, "select" | "memory_select");
    let key = KEYS[usize::from(key)];
    let made = if abort == 4 {
        guard_holds(key)
    } else {
        guard_key(key)
    };
    let abort = match abort {
        0 => "none",
        2 if below_select => "lower",
        3 if below_select => "both",
        _ => "self",
    };
    made.set("abort", abort).negated()
}

fn inner(tree: &Tree, children: Vec<NodeSpec>) -> NodeSpec {
    let number = children.len() as i64;
    let count = tree.count;
    let threshold = |count: i64| count.clamp(1, number);
    match tree.kind {
        "probility" => {
            let weights: Vec<i64> = (0..number).map(|child| (child + count).max(0)).collect();
            of("probility", children).extra("prob", weights)
        }
        "parallel" | "rerun" => of("parallel", children)
            .extra("success", threshold(count))
            .extra("failure", threshold(3 - count))
            .extra("rerun", tree.kind == "rerun"),
        "any" => of("parallel", children),
        "limits" => {
            let child = children.into_iter().next();
            limits(
                "limit",
                count.max(0) as u32,
                child.unwrap_or_else(|| now("none")),
            )
        }
        "frames" | "run_limit" => of(tree.kind, children).extra("count", count.max(0)),
        "timeout" | "cooldown" | "delay" => {
            of(tree.kind, children).extra("seconds", (count + 1) as f64 / 4.0 + 0.25)
        }
        kind => of(kind, children).extra("count", count),
    }
}
