//! Tests of nodes that are not entered.

use super::*;

#[test]
fn guard_does_not_hold_and_would_take_over() {
    let near = guard("near").key("range").set("abort", "lower");
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "refused: main.json: node 2 (action `roars`)",
        "  its guard `near`(key `range` = 20.5) does not hold, last evaluated",
        "  as soon as it holds, it takes over from what runs",
    ];
    let top = select([action("roars").guard(near), wait_event("heard")]);
    reason(
        top,
        |it| {
            it.set("range", 20.5).poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn reactive_node_evaluates_an_earlier_child() {
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "  aborted when an earlier child of node 1 (reactive_select) takes over",
    ];
    let top = reactive_select([condition("angry"), wait_event("heard")]);
    reason(top, polls([1.0, 2.0]), 2.0, &says);
}

#[test]
fn cooldown_has_not_passed() {
    let says = [
        "refused: main.json: node 2 (cooldown)",
        "  it cools down for 7 s more",
    ];
    let top = select([timed("cooldown", 9.0, action("roars")), wait_event("heard")]);
    reason(top, polls([1.0, 2.0]), 3.0, &says);
}

#[test]
fn cooldown_lasts_longer_for_a_pause() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0).runner.pause();
        it.poll(8.0).runner.resume();
        it.poll(9.0);
    };
    // Of 9 s one had passed when it was paused at 2 s, and the poll at 9 s ends the pause.
    let says = ["  it cools down for 7 s more"];
    let top = select([timed("cooldown", 9.0, action("roars")), wait_event("heard")]);
    reason(top, plant, 10.0, &says);
}

#[test]
fn run_limit_is_reached() {
    let says = [
        "refused: main.json: node 2 (run_limit)",
        "  its child has run as often as it may: 2 times",
    ];
    let limit = node("run_limit").extra("count", 2).child(action("roars"));
    let plant = polls([1.0, 2.0, 3.0]);
    reason(select([limit, wait_event("heard")]), plant, 3.0, &says);
}

#[test]
fn once_failed() {
    let says = [
        "refused: main.json: node 2 (once)",
        "  it failed once, and so it does each time",
    ];
    let once = node("once").child(action("shoots"));
    let plant = polls([1.0]);
    reason(select([once, wait_event("heard")]), plant, 2.0, &says);
}

#[test]
fn guard_aborted_its_node() {
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
        it.set("range", 20.0).poll(2.0);
    };
    let near = guard("near").key("range").set("abort", "both");
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "refused: main.json: node 2 (action `rests`)",
        "  its guard `near`(key `range` = 20.0) does not hold",
    ];
    let top = select([rests("completion").guard(near), wait_event("heard")]);
    reason(top, plant, 3.0, &says);
}

#[test]
fn guard_that_runs_would_abort_it() {
    let near = guard("near").key("range").set("abort", "self");
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  aborted when guard `near`(key `range` = 1.0) of node 1 (action `rests`) no longer holds",
    ];
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
    };
    reason(rests("completion").guard(near), plant, 3.0, &says);
}
