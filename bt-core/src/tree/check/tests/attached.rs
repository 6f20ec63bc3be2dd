//! Guards, effects and services.

use super::*;
use crate::tree::asset::spec::{call, guard, select, sequence};

#[test]
fn a_guard_is_a_condition() {
    table([
        (
            bark().guard(guard("smells").arg("cat").negated().set("abort", "self")),
            &[],
        ),
        (
            bark().guard(guard("smells")),
            &["1 guards/0/condition_args: `smells`: argument `what` is missing"],
        ),
        (
            bark().guard(guard("smels").arg("cat")),
            &[
                "1 guards/0/condition_name: agent `hound` has no condition `smels`; did you mean `smells`?",
            ],
        ),
        (
            bark().guard(guard("bark")),
            &[
                "1 guards/0/condition_name: `bark` is an action, not a condition; only a condition can be evaluated here",
            ],
        ),
        (
            bark().guard(
                guard("is_tired")
                    .set("not", 1)
                    .set("abort", "all")
                    .set("mode", "event"),
            ),
            &[
                "1 guards/0/abort: `guards[0].abort`: expected `none`, `self`, `lower` or `both`, found `all`",
                "1 guards/0/mode: `guards[0].mode`: expected `poll`, found `event`",
                "1 guards/0/not: `guards[0].not`: expected `true` or `false`, found 1",
            ],
        ),
        (
            over("run_limit")
                .extra("count", 1)
                .extra("reset_if", json!({"condition_name": "bark"})),
            &[
                "1 reset_if/condition_name: `bark` is an action, not a condition; only a condition can be evaluated here",
            ],
        ),
    ]);
}

#[test]
fn siblings_are_aborted_only_below_a_select() {
    let guarded = |abort: &str| bark().guard(guard("is_tired").set("abort", abort));
    table([
        (select([guarded("lower"), bark()]), &[]),
        (node("memory_select").child(guarded("both")), &[]),
        (sequence([guarded("self"), guarded("none")]), &[]),
        (
            sequence([guarded("lower")]),
            &[
                "2 guards/0/abort: `guards[0].abort`: `lower` is for children of a `select` or a `memory_select`, this one is below a `sequence`; `self` aborts the node itself",
            ],
        ),
        (
            node("reactive_select").child(guarded("lower")),
            &[
                "2 guards/0/abort: `guards[0].abort`: `lower` is for children of a `select` or a `memory_select`, this one is below a `reactive_select`; leave it out: a `reactive_select` aborts what runs as soon as an earlier child succeeds or waits",
            ],
        ),
        (
            guarded("both"),
            &[
                "1 guards/0/abort: `guards[0].abort`: `both` is for children of a `select` or a `memory_select`, this one is below a `root`; `self` aborts the node itself",
            ],
        ),
    ]);
}

#[test]
fn effects_and_services_call_what_is_done_at_once() {
    table([
        (
            bark()
                .effect("enter", call("bark"))
                .effect("exit", call("is_tired"))
                .service(0.5, call("bark")),
            &[],
        ),
        (
            bark().effect("enter", call("sleep").arg(1)),
            &[
                "~1 effects/enter/0/action_name: action `sleep` can stay running, which an effect does not wait for",
            ],
        ),
        (
            bark().effect("enter", call("patiently")),
            &[
                "1 effects/enter/0/action_name: `patiently` is a decorator, not an action; only an action or a condition is called here",
            ],
        ),
        (
            bark().effect("enter", call("chase").key("x").arg(-1)),
            &[
                "1 effects/enter/0/action_args/1/arg_value: `chase`: argument `range` is -1, expected 0.0 to 50.0",
                "~1 effects/enter/0/action_name: action `chase` can stay running, which an effect does not wait for",
            ],
        ),
        (
            bark().service(1.0, call("chase").arg(1)),
            &[
                "1 services/0/action_name: action `chase` can stay running, which a service cannot wait for; a service calls what is done at once",
            ],
        ),
        (
            bark().service(-1.0, call("bark")),
            &["1 services/0/seconds: `services[0].seconds`: expected more than 0, found -1.0"],
        ),
        (
            bark().service(0.0, call("bark")),
            &["1 services/0/seconds: `services[0].seconds`: expected more than 0, found 0.0"],
        ),
        (
            bark().service(1e300, call("bark")),
            &[
                "1 services/0/seconds: `services[0].seconds`: expected a time that a clock can say, found 1e+300",
            ],
        ),
    ]);
}
