//! From a case to trees of the asset format, and an agent whose leaves do what the case says.

use std::collections::BTreeSet;

use bt_core::tree::asset::spec::{self, NodeSpec};
use bt_core::{Agent, Event, Mode, Runner, TreeAsset};
use serde_json::{Value, json};

use super::{
    Abort, Act, COUNTS, Case, EXPRESSED, FIRES, FLAGS, Guard, HOST_KEYS, KEYS, Kind, Node, Op, Put,
    Tree, When,
};
use crate::probe::{
    Play, Twin, frames, limits, now, of, paired, polled, slow, starts, timed, times, wait,
};

impl Case {
    /// Its trees at play, not polled yet.
    ///
    /// # Panics
    /// If the trees cannot be built.
    pub fn play(&self) -> Play {
        let names: Vec<_> = self.trees.iter().map(|tree| tree.name).collect();
        let used = self.used();
        let trees = used.iter().map(|tree| (names[*tree], self.top(*tree)));
        let play = Play::trees(trees);
        let mut play = play.with(|runner| self.set_up(runner));
        for script in self.scripts() {
            play.reply(&script.name, script.replies.iter().cloned());
            let (act, mut calls) = (script.act, 0);
            let (name, log) = (script.name.clone(), play.probe.log.clone());
            let load = match act {
                Act::Nothing => continue,
                Act::Load(tree) => names[tree],
                _ => "",
            };
            play.on_call(&script.name, move |cx| {
                calls += 1;
                match act {
                    Act::Set(key, on) => cx.set(key, on != (calls % 3 == 0)),
                    Act::Delta => {
                        let quarters = cx.delta().as_secs_f64() * 4.0;
                        cx.note("delta", quarters);
                        log.note(format!("{name} after {quarters}"));
                    }
                    Act::Fire(event) if calls <= FIRES => cx.fire(Event::new(event)),
                    Act::Fire(_) | Act::Nothing => {}
                    Act::Stop => cx.stop(),
                    Act::Reset => cx.reset(),
                    Act::Load(_) => cx.load(load),
                }
            });
        }
        play
    }

    /// The same case, played by an agent that is described at run time.
    pub fn twin(&self) -> Twin {
        let names: Vec<_> = self.trees.iter().map(|tree| tree.name).collect();
        let used = self.used();
        let trees = used.iter().map(|tree| (names[*tree], self.top(*tree)));
        let trees = trees.map(|(name, top)| TreeAsset::build(name, "probe", top));
        Twin::new(self.play(), trees, |runner| self.set_up(runner))
    }

    fn set_up<A: Agent>(&self, runner: Runner<A>) -> Runner<A> {
        let mode = if self.looping { Mode::Loop } else { Mode::Once };
        let runner = runner.mode(mode).keep_results(self.keeps_results);
        runner.budget(self.budget).seed(self.stream)
    }
}

impl Case {
    /// The same with what the tree declares.
    pub(super) fn top(&self, tree: usize) -> NodeSpec {
        let top = self.spec(tree);
        match self.trees[tree].root.declares.is_empty() {
            true => top,
            false => of("root", [top]).extra("blackboard", self.declared(tree)),
        }
    }

    /// The keys that each run of a tree has for itself, as its root declares them.
    pub(crate) fn declared(&self, tree: usize) -> Value {
        declared(&self.trees[tree].root.declares, Some("tree"))
    }

    /// The top node of a tree, the one of that number.
    pub(crate) fn spec(&self, tree: usize) -> NodeSpec {
        let names: Vec<_> = self.trees.iter().map(|tree| tree.name).collect();
        let plant = Plant {
            trees: &self.trees,
            names: &names,
            is_switched: self.is_switched(),
        };
        plant.node(tree, &self.trees[tree].root.children[0])
    }

    /// The trees that may run: to build the others takes time.
    fn used(&self) -> BTreeSet<usize> {
        let loaded = self.ops.iter().filter_map(|op| match op {
            Op::Load(tree) => Some(*tree),
            _ => None,
        });
        let mut used = BTreeSet::new();
        let mut found: Vec<usize> = loaded.chain([0]).collect();
        while let Some(tree) = found.pop() {
            if !used.insert(tree) {
                continue;
            }
            for node in self.trees[tree].root.nodes() {
                found.extend(node.takes.map(|takes| takes.tree));
                found.extend(match (&node.kind, node.kind.script()) {
                    (Kind::SubTree(tree) | Kind::Transfer(tree), _) => Some(*tree),
                    (_, Some(script)) => match script.act {
                        Act::Load(tree) => Some(tree),
                        _ => None,
                    },
                    _ => None,
                });
            }
        }
        used
    }
}

struct Plant<'c> {
    trees: &'c [Tree],
    names: &'c [&'static str],
    /// The second flag is one of the world.
    is_switched: bool,
}

impl Plant<'_> {
    fn node(&self, tree: usize, node: &Node) -> NodeSpec {
        let place = place(self.names[tree], node.idx);
        let children = node.children.iter().map(|child| self.node(tree, child));
        let mut made = self.kind(&place, &node.kind, children.collect());
        if let (Some(reads), Some(literal)) = (node.reads, node.kind.number()) {
            made = read(made, &node.kind, &reads.expression(literal));
        }
        if node.logged {
            made = paired(&place, made);
        }
        let put = |line: String, put: &Put| spec::call("put").arg(line).arg(put.key).arg(put.on);
        for made_by in node.puts.iter().filter(|put| put.when != When::Service) {
            let line = put_line(made_by, &place);
            made = made.effect(made_by.when.word(), put(line, made_by));
        }
        if let Some(every) = node.service {
            let line = format!("service {place}");
            let mut puts = node.puts.iter();
            let call = match puts.find(|put| put.when == When::Service) {
                Some(found) => put(line, found),
                None => spec::call("note").arg(line),
            };
            made = match node.serves {
                Some(reads) => made.service(
                    spec::expr(&in_quarters(&reads.expression(every as i64))),
                    call,
                ),
                None => made.service(every as f64 / 4.0, call),
            };
        }
        let own: Vec<_> = node.kind.keys().collect();
        let declares = node.declares.iter().filter(|key| !own.contains(key));
        let declares: Vec<_> = declares.copied().collect();
        if !declares.is_empty() {
            made = made.extra("blackboard", declared(&declares, None));
        }
        if let Some(takes) = &node.takes {
            let mode = if takes.comes_back {
                "return"
            } else {
                "transfer"
            };
            let tree = self.trees[takes.tree].name;
            let takes = json!([{"event": "told", "tree": tree, "mode": mode, "once": takes.once}]);
            made = made.extra("events", takes);
        }
        for [key, own] in &node.results {
            made = made.result(key, own);
        }
        if node.results_on_success && !node.results.is_empty() {
            made = made.extra("results_on", "success");
        }
        for guard in &node.guards {
            made = made.guard(self.guard_of(guard));
        }
        match node.disabled {
            true => made.extra("disabled", true),
            false => made,
        }
    }

    fn kind(&self, place: &str, kind: &Kind, mut children: Vec<NodeSpec>) -> NodeSpec {
        let mut child = || children.pop().unwrap_or_else(|| now("none"));
        let word = kind.word();
        match kind {
            Kind::Probability(weights) => of(word, children).extra("prob", json!(weights)),
            Kind::Utility {
                scores,
                reactive,
                keep,
            } => {
                let score = |(about, score): &(&str, i64)| match COUNTS.contains(about) {
                    true => format!("({}) + {score} * 0.5", self.value(about)),
                    false if score % 2 == 1 => {
                        format!("({}) ? {score} * 0.5 : null", self.value(about))
                    }
                    false => format!("({}) ? {score} * 0.5 : 0", self.value(about)),
                };
                let scores: Vec<_> = scores.iter().map(score).collect();
                of(word, children)
                    .extra("scores", scores)
                    .extra("reactive", *reactive)
                    .extra("keep", *keep as f64 / 2.0)
            }
            Kind::ForEach {
                list,
                item,
                index,
                until,
            } => {
                let element = |about: &&str| match KEYS.contains(about) || HOST_KEYS.contains(about)
                {
                    true => self.value(about),
                    false => (*about).to_owned(),
                };
                let list: Vec<_> = list.iter().map(element).collect();
                let list = format!("[{}]", list.join(", "));
                let made = spec::for_each(&list, item, child());
                let made = match index {
                    Some(index) => made.extra("index", *index),
                    None => made,
                };
                made.extra(
                    "until",
                    match until {
                        Some(false) => "failure",
                        Some(true) => "success",
                        None => "none",
                    },
                )
            }
            Kind::Switch {
                on,
                cases,
                reactive,
            } => {
                let cases = cases.iter().map(|case| match COUNTS.contains(on) {
                    true => json!(case),
                    false => json!(*case == 1),
                });
                let made = spec::switch(&self.value(on), cases, children);
                made.extra("reactive", *reactive)
            }
            Kind::Parallel {
                success,
                failure,
                rerun,
                stops,
            } => {
                let mut made = of(word, children);
                for (key, threshold) in [("success", success), ("failure", failure)] {
                    if let Some(threshold) = threshold {
                        made = made.extra(key, *threshold);
                    }
                }
                if *rerun {
                    made = made.extra("rerun", true);
                }
                if *stops {
                    made = made.extra("stop_when_decided", true);
                }
                made
            }
            Kind::Sequence { keep_place: true }
            | Kind::Select { keep_place: true }
            | Kind::MemorySequence { keep_place: true }
            | Kind::MemorySelect { keep_place: true } => {
                of(word, children).extra("keep_place", true)
            }
            Kind::Repeat(count)
            | Kind::Retry(count)
            | Kind::UntilSuccess(count)
            | Kind::UntilFailure(count)
            | Kind::Loop(count)
            | Kind::SuccessUntil(count)
            | Kind::FailureUntil(count) => times(word, *count, child()),
            Kind::Timeout(time) | Kind::Delay(time) => timed(word, quarters(*time), child()),
            Kind::Cooldown { time, on_success } => {
                let on = if *on_success { "success" } else { "all" };
                timed(word, quarters(*time), child()).extra("on", on)
            }
            Kind::RunLimit {
                count,
                on,
                reset_if,
            } => {
                let made = of(word, [child()]).extra("count", *count);
                let on = on.map_or("all", |on| if on { "success" } else { "failure" });
                let made = made.extra("on", on);
                match reset_if {
                    Some(flag) => made.extra("reset_if", asks(self.asked(flag), flag)),
                    None => made,
                }
            }
            Kind::Frames(count) => of(word, [child()]).extra("count", *count),
            Kind::Limits(most) => limits(place, *most, child()),
            Kind::Steers(known, most) => {
                let made = spec::composite("steers", children);
                made.arg(place).arg(*known).arg(*most)
            }
            Kind::Watches(flag, last) => {
                let made = spec::composite("watches", children);
                made.arg(*flag).arg(*last)
            }
            Kind::Minds(flag) => spec::decorator("minds", child()).arg(*flag),
            Kind::Now(script) => now(&script.name),
            Kind::Polled(script) => polled(&script.name),
            Kind::Starts(script) => starts(&script.name),
            Kind::Slow(script) => slow(&script.name),
            Kind::Draws => spec::action("draws"),
            Kind::More(key) => spec::action("more").arg(*key),
            Kind::Set(key) => {
                let (target, value) = (format!("${key}"), format!("(${key} ?? 0) + 1"));
                spec::set([(target.as_str(), value.as_str())])
            }
            Kind::Wait(time) => wait(quarters(*time)),
            Kind::WaitFrames(polls) => frames(*polls as u32),
            Kind::WaitEvent {
                event,
                broadcast,
                latch,
            } => {
                let made = spec::wait_event(event);
                let made = if *latch {
                    made.extra("latch", true)
                } else {
                    made
                };
                if *broadcast {
                    made.extra("broadcast", true)
                } else {
                    made
                }
            }
            Kind::Condition(about) => spec::condition(self.asked(about)).arg(*about),
            Kind::Check(about) => spec::check(&self.expression(about)),
            Kind::End { success, outside } => {
                let status = if *success { "success" } else { "failure" };
                spec::node(word)
                    .extra("status", status)
                    .extra("outside", *outside)
            }
            Kind::Reset { keep_blackboard } => {
                spec::node(word).extra("keep_blackboard", *keep_blackboard)
            }
            Kind::SubTree(tree) => spec::sub_tree(self.names[*tree]),
            Kind::Transfer(tree) => spec::sub_tree(self.names[*tree]).extra("mode", "transfer"),
            _ => of(word, children),
        }
    }
}

impl Plant<'_> {
    /// The condition that is asked: of the agent, of the world, or of a key.
    fn asked(&self, about: &str) -> &'static str {
        match about {
            _ if !FLAGS.contains(&about) => "key_true",
            about if self.is_switched && about == FLAGS[1] => "shows",
            _ => "holds",
        }
    }

    /// An expression that holds when the condition does.
    fn expression(&self, about: &str) -> String {
        match FLAGS.contains(&about) {
            true => format!("{}('{about}')", self.asked(about)),
            false => format!("${about} ?? false"),
        }
    }

    /// The same as a value: of keys that count it is a number.
    fn value(&self, about: &str) -> String {
        match COUNTS.contains(&about) {
            true => format!("${about} ?? 0"),
            false => self.expression(about),
        }
    }

    fn guard_of(&self, guard: &Guard) -> spec::Call {
        let made = match EXPRESSED.contains(&guard.about) {
            true => spec::expr(&self.expression(guard.about)).into(),
            false => spec::guard(self.asked(guard.about)).arg(guard.about),
        };
        let made = if guard.not { made.negated() } else { made };
        match guard.abort {
            Abort::None => made,
            Abort::Own => made.set("abort", "self"),
            Abort::Lower => made.set("abort", "lower"),
            Abort::Both => made.set("abort", "both"),
            Abort::Poll => made.set("mode", "poll"),
        }
    }
}

/// The name of a node in the log.
pub(crate) fn place(tree: &str, idx: u32) -> String {
    format!("{tree}.{idx}")
}

/// The line that a write of an effect logs.
pub(crate) fn put_line(put: &Put, place: &str) -> String {
    let (when, key, on) = (put.when.word(), put.key, put.on);
    format!("put {key} {on} at {place} on {when}")
}

/// Keys that begin with 0, or `false`.
fn declared(keys: &[&str], scope: Option<&str>) -> Value {
    let keys = keys.iter().map(|key| {
        let mut made = match COUNTS.contains(key) {
            true => json!({"type": "int64", "initial": 0}),
            false => json!({"type": "bool", "initial": false}),
        };
        if let Some(scope) = scope {
            made["scope"] = json!(scope);
        }
        ((*key).to_owned(), made)
    });
    Value::Object(keys.collect())
}

impl When {
    /// The file format's word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            When::Enter => "enter",
            When::Success => "success",
            When::Failure => "failure",
            When::Aborted => "aborted",
            When::Exit => "exit",
            When::Service => "service",
        }
    }
}

/// A node of a kind whose number is an expression.
fn read(made: NodeSpec, kind: &Kind, expression: &str) -> NodeSpec {
    match kind {
        Kind::Timeout(_) | Kind::Delay(_) | Kind::Cooldown { .. } => {
            made.extra("seconds", spec::expr(&in_quarters(expression)))
        }
        Kind::Probability(weights) => {
            let first = Value::from(spec::expr(expression));
            let rest = weights.iter().skip(1).map(|weight| json!(weight));
            made.extra(
                "prob",
                std::iter::once(first).chain(rest).collect::<Value>(),
            )
        }
        Kind::Parallel {
            success: Some(_), ..
        } => made.extra("success", spec::expr(expression)),
        Kind::Parallel { .. } => made.extra("failure", spec::expr(expression)),
        _ => made.extra("count", spec::expr(expression)),
    }
}

fn in_quarters(expression: &str) -> String {
    format!("({expression}) / 4")
}

fn quarters(time: u64) -> f64 {
    time as f64 / 4.0
}

fn asks(condition: &str, about: &str) -> Value {
    let arg = json!({"arg_type": "plain", "arg_value": about});
    json!({"condition_name": condition, "condition_args": [arg]})
}

impl Kind {
    /// The file format's word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Root => "root",
            Kind::Sequence { .. } => "sequence",
            Kind::Select { .. } => "select",
            Kind::MemorySequence { .. } => "memory_sequence",
            Kind::MemorySelect { .. } => "memory_select",
            Kind::ReactiveSequence => "reactive_sequence",
            Kind::ReactiveSelect => "reactive_select",
            Kind::AlwaysSeq => "always_seq",
            Kind::RandomSeq => "random_seq",
            Kind::RandomSelect => "random_select",
            Kind::Probability(_) => "probility",
            Kind::Parallel { .. } | Kind::AnyFinish => "parallel",
            Kind::Switch { .. } => "switch",
            Kind::Utility { .. } => "utility",
            Kind::IfElse => "if_else",
            Kind::WhileLoop => "while_loop",
            Kind::And => "and",
            Kind::Or => "or",
            Kind::Negative => "negative",
            Kind::AlwaysTrue => "always_true",
            Kind::AlwaysFalse => "always_false",
            Kind::Repeat(_) => "repeat",
            Kind::Retry(_) => "retry",
            Kind::UntilSuccess(_) => "until_success",
            Kind::UntilFailure(_) => "until_failure",
            Kind::Loop(_) => "loop",
            Kind::ForEach { .. } => "for_each",
            Kind::Timeout(_) => "timeout",
            Kind::Delay(_) => "delay",
            Kind::Cooldown { .. } => "cooldown",
            Kind::RunLimit { .. } => "run_limit",
            Kind::SuccessUntil(_) => "success_until",
            Kind::FailureUntil(_) => "failure_until",
            Kind::Frames(_) => "frames",
            Kind::Once => "once",
            Kind::Limits(_) | Kind::Minds(_) => "decorator",
            Kind::Steers(..) | Kind::Watches(..) => "composite",
            Kind::Now(_) | Kind::Polled(_) | Kind::Starts(_) | Kind::Slow(_) => "action",
            Kind::Draws | Kind::More(_) | Kind::Wait(_) | Kind::WaitFrames(_) => "action",
            Kind::WaitEvent { .. } => "wait_event",
            Kind::Condition(_) => "condition",
            Kind::Check(_) => "check",
            Kind::Set(_) => "set",
            Kind::AlwaysRunning => "always_running",
            Kind::End { .. } => "end",
            Kind::Reset { .. } => "reset",
            Kind::SubTree(_) | Kind::Transfer(_) => "sub_tree",
        }
    }
}
