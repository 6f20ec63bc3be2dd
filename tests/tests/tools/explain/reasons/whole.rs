//! The tree as a whole: it was never started, is paused, has ended.

use super::*;

#[test]
fn never_started() {
    let top = [("main.json", rests("time"))];
    let poll = polls([1.0]);
    trees(&top, poll, 1.0, &["main.json never ran: call `start()`"]);
}

#[test]
fn never_polled() {
    let says = "main.json begins in the next poll: poll it; it was not polled yet";
    reason(rests("time"), |_| {}, 9.0, &[says]);
}

#[test]
fn nobody_polls_it() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "overdue: poll it: the last poll was at 1 s, and it wanted to be woken at 3.5 s",
        "  until 3.5 s, 5.5 s ago",
    ];
    reason(rests("time"), polls([1.0]), 9.0, &says);
}

#[test]
fn nobody_polls_it_for_its_timeout() {
    let says = "overdue: poll it: the last poll was at 1 s, and it wanted to be woken at 4 s";
    let top = timed("timeout", 3.0, rests("heard"));
    reason(top, polls([1.0]), 9.0, &[says]);
}

#[test]
fn paused() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0).runner.pause();
        it.poll(9.0);
    };
    let says = [
        "main.json is paused since 2 s: call `resume()`",
        "  until 1.5 s after it is resumed",
    ];
    reason(rests("time"), plant, 9.0, &says);
}

#[test]
fn paused_before_its_first_poll() {
    let plant = |it: &mut Planted| {
        it.runner.pause();
        it.poll(1.0);
    };
    let says = "main.json begins in the first poll after it is resumed";
    reason(rests("time"), plant, 2.0, &[says]);
}

#[test]
fn resumed_and_not_polled_since() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.pause();
        it.poll(9.0).runner.resume();
    };
    // It was paused with 2.5 s left, and the next poll ends the pause.
    let says = ["  until 14.5 s, in 2.5 s", "overdue: poll it"];
    reason(rests("time"), plant, 12.0, &says);
}

#[test]
fn waits_longer_for_a_pause() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.pause();
        it.poll(9.0).runner.resume();
        it.poll(10.0);
    };
    let top = timed("timeout", 8.0, rests("time"));
    let says = [
        "waiting: main.json: node 2 (action `rests`)",
        "  until 12.5 s, in 0.5 s",
        "  aborted by node 1 (timeout) at 18 s, in 6 s",
    ];
    reason(top, plant, 12.0, &says);
}

#[test]
fn stopped() {
    let plant = |it: &mut Planted| it.poll(1.0).stop(2.0);
    let says = "main.json was stopped: call `start()`";
    reason(rests("time"), plant, 2.0, &[says]);
}

#[test]
fn stopped_and_cancelling() {
    let plant = |it: &mut Planted| it.poll(1.0).stop(2.0);
    let says = [
        "main.json was stopped, and is still cancelling",
        "cancelling: main.json: node 1 (action `digs`)",
        "  until its `Completion` is finished, by whoever holds it",
        "  it was aborted, and its clean-up has not ended",
    ];
    reason(action("digs"), plant, 3.0, &says);
}

#[test]
fn ended_with_success() {
    let plant = |it: &mut Planted| {
        it.runner.set_mode(Mode::Once);
        it.poll(1.0);
    };
    let says = "main.json ended with success, and does not begin again: call `start()`";
    reason(action("roars"), plant, 1.0, &[says]);
}

#[test]
fn ended_with_failure() {
    let plant = |it: &mut Planted| {
        it.runner.set_mode(Mode::Once);
        it.poll(1.0);
    };
    let says = [
        "main.json ended with failure, and does not begin again: call `start()`",
        "failed: main.json: node 2 (action `shoots`): no ammo",
        "  in main.json: 0 root > 1 sequence",
    ];
    reason(sequence([action("shoots")]), plant, 1.0, &says);
}

#[test]
fn clock_went_back() {
    let says = "polled at 3 s, after 10 s: the clock went back, so no time passes";
    let plant = polls([10.0, 3.0]);
    reason(rests("time"), plant, 3.0, &[says]);
}

#[test]
fn budget_exceeded() {
    let plant = |it: &mut Planted| {
        it.runner.set_budget(4);
        it.poll(1.0);
    };
    let busy = sequence([action("roars"), action("roars"), action("roars")]);
    let says = [
        "budget exceeded: the last poll entered as many nodes as its budget allows",
        "waiting: main.json: node 4 (action `roars`)",
    ];
    reason(
        node("repeat").extra("count", -1).child(busy),
        plant,
        1.0,
        &says,
    );
}
