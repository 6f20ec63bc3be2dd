//! From what a file says of a node to what the runner walks through.

use super::Build;
use crate::kinds::cooldown::CooldownOn;
use crate::kinds::end::EndStatus;
use crate::kinds::run_limit::RunLimitOn;
use crate::kinds::sub_tree::SubTreeMode;
use crate::kinds::values::{AtLeast, Name, Weight};
use crate::kinds::{self, Caller, Params};
use crate::run::kinds::Kind;
use crate::run::kinds::{
    always_running, always_seq, cooldown, decorator, delay, end, frames, if_else, in_order,
    keep_place, leaves, loops, memory, once, parallel, probability, random, reactive, repeat,
    reset, run_limit, sub_tree, success_until, timeout, until, wait_event, while_loop,
};

/// What a node does, the name of what it calls, and whether that has an exit method.
pub(super) fn kind(
    build: &mut Build<'_>,
    params: Params<'_>,
    children: u32,
) -> (Kind, Box<str>, bool) {
    let kind = match params {
        Params::Action(params) => {
            let bound = build.call(&params.action, Caller::Action, format_args!("/extra"));
            let name = params.action.name.into();
            return (
                Kind::Action(leaves::Action(bound.call)),
                name,
                bound.has_exit,
            );
        }
        Params::Condition(params) => {
            let bound = build.call(&params.action, Caller::Condition, format_args!("/extra"));
            let name = params.action.name.into();
            return (
                Kind::Condition(leaves::Condition(bound.call)),
                name,
                bound.has_exit,
            );
        }
        Params::Decorator(params) => {
            let below = format_args!("/extra");
            let call = build.call(&params.decorator, Caller::Decorator, below).call;
            let kind = Kind::Decorator(decorator::Decorator { call });
            return (kind, params.decorator.name.into(), false);
        }
        Params::WaitEvent(params) => {
            let Name(event) = params.event;
            let wait = wait_event::WaitEvent {
                event: build.event(event, params.latch),
                broadcast: params.broadcast,
                latch: params.latch,
                params: build.params(event, &params.params),
            };
            return (Kind::WaitEvent(Box::new(wait)), event.into(), false);
        }
        Params::SubTree(params) => {
            let Name(name) = params.sub_tree_name.unwrap_or_default();
            let tree = sub_tree(build, params);
            return (Kind::SubTree(Box::new(tree)), name.into(), false);
        }
        Params::Root(_) => Kind::Root,
        Params::Sequence(params) if params.keep_place => {
            Kind::KeepPlace(keep_place::KeepPlace { on: true })
        }
        Params::Select(params) if params.keep_place => {
            Kind::KeepPlace(keep_place::KeepPlace { on: false })
        }
        Params::Sequence(_) => Kind::Sequence,
        Params::Select(_) => Kind::Select,
        Params::MemorySequence(_) => Kind::Memory(memory::Memory { on: true }),
        Params::MemorySelect(_) => Kind::Memory(memory::Memory { on: false }),
        Params::ReactiveSequence(_) => Kind::Reactive(reactive::Reactive { on: true }),
        Params::ReactiveSelect(_) => Kind::Reactive(reactive::Reactive { on: false }),
        Params::AlwaysSeq(_) => Kind::AlwaysSeq(always_seq::AlwaysSeq),
        Params::RandomSeq(_) => Kind::Random(random::RandomOrder { on: true }),
        Params::RandomSelect(_) => Kind::Random(random::RandomOrder { on: false }),
        Params::Probability(params) => Kind::Probability(Box::new(probability(&params))),
        Params::Parallel(params) => Kind::Parallel(parallel(&params, children)),
        Params::IfElse(_) => Kind::IfElse(if_else::IfElse),
        Params::WhileLoop(_) => Kind::WhileLoop(while_loop::WhileLoop),
        Params::And(_) => Kind::Conditions(in_order::InOrder { on: true }),
        Params::Or(_) => Kind::Conditions(in_order::InOrder { on: false }),
        Params::Negative(_) => Kind::Negative,
        Params::AlwaysTrue(_) => Kind::Always(true),
        Params::AlwaysFalse(_) => Kind::Always(false),
        Params::Repeat(params) => Kind::Repeat(repeat::Repeat {
            count: params.count.0,
            until: false,
        }),
        Params::Retry(params) => Kind::Repeat(repeat::Repeat {
            count: params.count.0,
            until: true,
        }),
        Params::UntilSuccess(params) => Kind::Until(until::Until {
            count: params.count.0,
            result: true,
        }),
        Params::UntilFailure(params) => Kind::Until(until::Until {
            count: params.count.0,
            result: false,
        }),
        Params::Loop(params) => Kind::Loop(loops::Loop {
            count: params.count.0,
        }),
        Params::Timeout(params) => Kind::Timeout(timeout::Timeout {
            nanos: params.seconds.0.nanos(),
        }),
        Params::Delay(params) => Kind::Delay(delay::Delay {
            nanos: params.seconds.nanos(),
        }),
        Params::Cooldown(params) => Kind::Cooldown(cooldown::Cooldown {
            nanos: params.seconds.nanos(),
            on_success: params.on == CooldownOn::Success,
        }),
        Params::RunLimit(params) => Kind::RunLimit(Box::new(run_limit(build, &params))),
        Params::SuccessUntil(params) => Kind::SuccessUntil(success_until::SuccessUntil {
            count: params.count.0,
            before: true,
        }),
        Params::FailureUntil(params) => Kind::SuccessUntil(success_until::SuccessUntil {
            count: params.count.0,
            before: false,
        }),
        Params::Frames(params) => Kind::Frames(frames::Frames {
            count: u32::try_from(params.count.0).unwrap_or(u32::MAX),
        }),
        Params::Once(_) => Kind::Once(once::Once),
        Params::Reset(params) => Kind::Reset(reset::Reset {
            keep_blackboard: params.keep_blackboard,
        }),
        Params::End(params) => Kind::End(end::End {
            status: params.status == EndStatus::Success,
            outside: params.outside,
        }),
        Params::AlwaysRunning(_) => Kind::AlwaysRunning(always_running::AlwaysRunning),
    };
    (kind, Box::default(), false)
}

fn probability(params: &kinds::probability::Probability) -> probability::Probability {
    let weights = params.prob.0.iter().map(|Weight(weight)| *weight);
    let mut weights: Box<[f64]> = weights.collect();
    // Each is a number, and their sum may be none.
    if weights.iter().sum::<f64>().is_infinite() {
        let count = weights.len() as f64;
        weights.iter_mut().for_each(|weight| *weight /= count);
    }
    probability::Probability { weights }
}

fn parallel(params: &kinds::parallel::Parallel, children: u32) -> parallel::Parallel {
    // No more than there are children.
    let of = |count: Option<AtLeast<1>>| count.and_then(|AtLeast(count)| u32::try_from(count).ok());
    let (success, failure) = (of(params.success), of(params.failure));
    let most = success.unwrap_or(children);
    parallel::Parallel {
        success: most,
        failure: failure.unwrap_or((children + 1).saturating_sub(most).max(1)),
        rerun: params.rerun,
        any: success.is_none() && failure.is_none(),
    }
}

fn run_limit(
    build: &mut Build<'_>,
    params: &kinds::run_limit::RunLimit<'_>,
) -> run_limit::RunLimit {
    let below = format_args!("/extra/reset_if");
    let reset_if = params.reset_if.as_ref();
    run_limit::RunLimit {
        count: params.count.0,
        on: match params.on {
            RunLimitOn::All => None,
            RunLimitOn::Success => Some(true),
            RunLimitOn::Failure => Some(false),
        },
        reset_if: reset_if.map(|guard| build.ask(guard, Caller::ResetIf, below)),
    }
}

fn sub_tree(build: &mut Build<'_>, params: kinds::sub_tree::SubTree<'_>) -> sub_tree::SubTree {
    let target = match (params.name_key, params.sub_tree_name) {
        (Some(Name(key)), _) => sub_tree::Target::Key(key.into(), build.key(key)),
        (None, name) => {
            let Name(name) = name.unwrap_or_default();
            sub_tree::Target::Tree(build.tree_number(name, format_args!("/extra/sub_tree_name")))
        }
    };
    let args = params.args.0.into_iter().filter_map(|(key, argument)| {
        let below = format_args!("/extra/args/{key}/arg_value");
        Some((key.into(), build.given(argument?.source, below)))
    });
    sub_tree::SubTree {
        target,
        transfer: params.mode == SubTreeMode::Transfer,
        args: args.collect(),
    }
}
