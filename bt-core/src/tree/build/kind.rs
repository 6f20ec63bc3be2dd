//! From a file's word for a kind, and what it says of the node, to what the runner walks through.

use serde_json::{Map, Value};

use super::{ACTION, Build, DECORATOR, flag, nanos, text, whole};
use crate::call::Source;
use crate::run::kinds::Kind;
use crate::run::kinds::{
    always_running, always_seq, conditions, cooldown, decorator, delay, end, frames, if_else,
    keep_place, leaves, loops, memory, once, parallel, probability, random, reactive, repeat,
    reset, run_limit, sub_tree, success_until, timeout, until, wait_event, while_loop,
};
use crate::tree::check;

/// What a node is, the name of what it calls, and whether that has an exit method.
pub(super) fn kind(
    build: &mut Build<'_>,
    word: &str,
    extra: &Map<String, Value>,
    children: u32,
) -> (Kind, Box<str>, bool) {
    match word {
        "action" | "condition" => {
            let bound = build.call(extra, ACTION, format_args!("/extra"));
            let kind = match word {
                "action" => Kind::Action(leaves::Action(bound.call)),
                _ => Kind::Condition(leaves::Condition(bound.call)),
            };
            (kind, text(extra, "action_name").into(), bound.has_exit)
        }
        "decorator" => {
            let call = build.call(extra, DECORATOR, format_args!("/extra")).call;
            let kind = Kind::Decorator(decorator::Decorator { call });
            (kind, text(extra, "decorator_name").into(), false)
        }
        "wait_event" => {
            let event = text(extra, "event");
            let wait = wait_event(build, extra);
            (Kind::WaitEvent(Box::new(wait)), event.into(), false)
        }
        "sub_tree" => {
            let tree = sub_tree(build, extra);
            let name = text(extra, "sub_tree_name").into();
            (Kind::SubTree(Box::new(tree)), name, false)
        }
        _ => (plain(build, word, extra, children), Box::default(), false),
    }
}

fn plain(build: &mut Build<'_>, word: &str, extra: &Map<String, Value>, children: u32) -> Kind {
    let count = whole(extra, "count").unwrap_or(-1);
    match word {
        "root" => Kind::Root,
        "sequence" | "select" if flag(extra, "keep_place") => {
            let on = word == "sequence";
            Kind::KeepPlace(keep_place::KeepPlace { on })
        }
        "sequence" => Kind::Sequence,
        "select" => Kind::Select,
        "memory_sequence" => Kind::Memory(memory::Memory { on: true }),
        "memory_select" => Kind::Memory(memory::Memory { on: false }),
        "reactive_sequence" => Kind::Reactive(reactive::Reactive { on: true }),
        "reactive_select" => Kind::Reactive(reactive::Reactive { on: false }),
        "always_seq" => Kind::AlwaysSeq(always_seq::AlwaysSeq),
        "random_seq" => Kind::Random(random::RandomOrder { on: true }),
        "random_select" => Kind::Random(random::RandomOrder { on: false }),
        "probility" => Kind::Probability(Box::new(probability(extra))),
        "parallel" => Kind::Parallel(parallel(extra, children)),
        "if_else" => Kind::IfElse(if_else::IfElse),
        "while_loop" => Kind::WhileLoop(while_loop::WhileLoop),
        "and" => Kind::Conditions(conditions::Conditions { on: true }),
        "or" => Kind::Conditions(conditions::Conditions { on: false }),
        "negative" => Kind::Negative,
        "always_true" => Kind::Always(true),
        "always_false" => Kind::Always(false),
        "repeat" => Kind::Repeat(repeat::Repeat {
            count,
            until: false,
        }),
        "retry" => Kind::Repeat(repeat::Repeat { count, until: true }),
        "until_success" => Kind::Until(until::Until {
            count,
            result: true,
        }),
        "until_failure" => Kind::Until(until::Until {
            count,
            result: false,
        }),
        "loop" => Kind::Loop(loops::Loop { count }),
        "timeout" => Kind::Timeout(timeout::Timeout {
            nanos: nanos(extra),
        }),
        "delay" => Kind::Delay(delay::Delay {
            nanos: nanos(extra),
        }),
        "cooldown" => Kind::Cooldown(cooldown::Cooldown {
            nanos: nanos(extra),
            on_success: text(extra, "on") == "success",
        }),
        "run_limit" => Kind::RunLimit(Box::new(run_limit(build, extra))),
        "success_until" => Kind::SuccessUntil(success_until::SuccessUntil {
            count,
            before: true,
        }),
        "failure_until" => Kind::SuccessUntil(success_until::SuccessUntil {
            count,
            before: false,
        }),
        "frames" => Kind::Frames(frames::Frames {
            count: u32::try_from(count).unwrap_or(u32::MAX),
        }),
        "once" => Kind::Once(once::Once),
        "reset" => Kind::Reset(reset::Reset {
            keep_blackboard: flag(extra, "keep_blackboard"),
        }),
        "end" => Kind::End(end::End {
            status: text(extra, "status") == "success",
            outside: flag(extra, "outside"),
        }),
        "always_running" => Kind::AlwaysRunning(always_running::AlwaysRunning),
        other => {
            build.problem("/type", format!("there is no node type `{other}`"));
            Kind::Sequence
        }
    }
}

fn probability(extra: &Map<String, Value>) -> probability::Probability {
    let weights = extra.get("prob").and_then(Value::as_array);
    let weights = weights.into_iter().flatten();
    let weights = weights.map(|weight| weight.as_f64().unwrap_or(0.0));
    let mut weights: Box<[f64]> = weights.collect();
    // Each is a number, and their sum may be none.
    if weights.iter().sum::<f64>().is_infinite() {
        let count = weights.len() as f64;
        weights.iter_mut().for_each(|weight| *weight /= count);
    }
    probability::Probability { weights }
}

fn parallel(extra: &Map<String, Value>, children: u32) -> parallel::Parallel {
    let of = |key| whole(extra, key).and_then(|count| u32::try_from(count).ok());
    let (success, failure) = (of("success"), of("failure"));
    let most = success.unwrap_or(children);
    parallel::Parallel {
        success: most,
        failure: failure.unwrap_or((children + 1).saturating_sub(most).max(1)),
        rerun: flag(extra, "rerun"),
        any: success.is_none() && failure.is_none(),
    }
}

fn run_limit(build: &mut Build<'_>, extra: &Map<String, Value>) -> run_limit::RunLimit {
    let reset_if = extra.get("reset_if").and_then(Value::as_object);
    run_limit::RunLimit {
        count: whole(extra, "count").map_or(0, |count| count.max(0).unsigned_abs()),
        on: match text(extra, "on") {
            "success" => Some(true),
            "failure" => Some(false),
            _ => None,
        },
        reset_if: reset_if.map(|ask| build.ask(ask, format_args!("/extra/reset_if"))),
    }
}

fn wait_event(build: &mut Build<'_>, extra: &Map<String, Value>) -> wait_event::WaitEvent {
    let latch = flag(extra, "latch");
    wait_event::WaitEvent {
        event: build.event(text(extra, "event"), latch),
        broadcast: flag(extra, "broadcast"),
        latch,
        params: build.params(extra),
    }
}

fn sub_tree(build: &mut Build<'_>, extra: &Map<String, Value>) -> sub_tree::SubTree {
    let target = match extra.get("name_key").and_then(Value::as_str) {
        Some(key) => sub_tree::Target::Key(key.into(), build.key(key)),
        None => {
            let name = text(extra, "sub_tree_name");
            sub_tree::Target::Tree(build.tree_number(name, format_args!("/extra/sub_tree_name")))
        }
    };
    let args = extra.get("args").and_then(Value::as_object);
    let args = args.into_iter().flatten().map(|(key, given)| {
        let source = check::source(given).unwrap_or(Source::Literal(Value::Null));
        let below = format_args!("/extra/args/{key}/arg_value");
        (key.as_str().into(), build.given(source, below))
    });
    sub_tree::SubTree {
        target,
        transfer: text(extra, "mode") == "transfer",
        args: args.collect(),
    }
}
