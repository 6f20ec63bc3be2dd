//! Tests of waits.

use super::*;

#[test]
fn waits_for_a_time() {
    let says = [
        "waiting: main.json: node 2 (action `wait_for_seconds`)",
        "  in main.json: 0 root > 1 sequence",
        "  since 1 s, for 2 s",
        "  until 11 s, in 8 s",
    ];
    let top = sequence([action("wait_for_seconds").arg(10.0)]);
    reason(top, polls([1.0]), 3.0, &says);
}

#[test]
fn waits_for_polls() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  until poll 5",
    ];
    reason(rests("polls"), polls([1.0, 2.0]), 2.0, &says);
}

#[test]
fn waits_for_an_event() {
    let says = [
        "waiting: main.json: node 1 (wait_event `heard`)",
        "  until event `heard` comes: fire it at its runner",
    ];
    reason(wait_event("heard"), polls([1.0]), 3.0, &says);
}

#[test]
fn waits_for_a_misspelt_event() {
    let says = [
        "waiting: main.json: node 1 (wait_event `heart`)",
        "  the agent registers no event `heart`; did you mean `heard`?",
    ];
    reason(wait_event("heart"), polls([1.0]), 3.0, &says);
}

#[test]
fn action_waits_for_a_misspelt_event() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  the agent registers no event `haerd`; did you mean `heard`?",
        "wrong: main.json: node 1 (action `rests`): it waits for event `haerd`, which the agent does not \
         register; did you mean `heard`?",
    ];
    reason(rests("haerd"), polls([1.0]), 3.0, &says);
}

#[test]
fn action_waits_for_an_event_like_no_other() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  the agent registers no event `nevr`",
    ];
    reason(rests("nevr"), polls([1.0]), 3.0, &says);
}

#[test]
fn event_is_not_delivered_yet() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.fire(Event::new("heard"));
    };
    let says = [
        "queued: `heard`, not delivered yet",
        "overdue: poll it: the last poll was at 1 s, and it wanted another as soon as there is one",
    ];
    reason(wait_event("heard"), plant, 3.0, &says);
}

#[test]
fn event_is_refused() {
    let plant = |it: &mut Planted| {
        it.poll(1.0)
            .runner
            .fire(Event::new("hit").with("hard", "very"));
        it.poll(2.0);
    };
    let says = [
        "waiting: main.json: node 1 (wait_event `hit`)",
        "event `hit` is not delivered: parameter `hard`",
    ];
    reason(wait_event("hit"), plant, 2.0, &says);
}

#[test]
fn another_event_was_fired() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.fire(Event::new("heart"));
        it.poll(2.0);
    };
    let says = [
        "waiting: main.json: node 1 (wait_event `heard`)",
        "event `heart` was fired, which nothing waits for and no agent registers; did you mean `heard`?",
    ];
    reason(wait_event("heard"), plant, 2.0, &says);
}

#[test]
fn nobody_finishes_its_completion() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  until its `Completion` is finished, by whoever holds it",
    ];
    reason(rests("completion"), polls([1.0]), 3.0, &says);
}

#[test]
fn nothing_can_finish_it() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  it returned `None`, and nothing can finish it",
    ];
    reason(rests("nothing"), polls([1.0]), 3.0, &says);
}

#[test]
fn is_called_every_poll_and_does_not_end() {
    let says = [
        "waiting: main.json: node 1 (action `chases`)",
        "  with key `prey` = 7",
        "  it is called again in each poll, and has not ended",
    ];
    let plant = |it: &mut Planted| {
        it.set("prey", 7).poll(1.0).poll(2.0);
    };
    reason(action("chases").key("prey"), plant, 2.0, &says);
}

#[test]
fn always_running() {
    let says = [
        "waiting: main.json: node 1 (always_running)",
        "  nothing can end it",
    ];
    reason(node("always_running"), polls([1.0]), 3.0, &says);
}

#[test]
fn delay_has_not_passed() {
    let says = ["waiting: main.json: node 1 (delay)", "  until 4 s, in 2 s"];
    reason(
        timed("delay", 3.0, action("roars")),
        polls([1.0]),
        2.0,
        &says,
    );
}

#[test]
fn frames_have_not_passed() {
    let says = [
        "waiting: main.json: node 2 (action `rests`)",
        "  aborted by node 1 (frames) in poll 9",
    ];
    let top = node("frames").extra("count", 9).child(rests("heard"));
    reason(top, polls([1.0]), 2.0, &says);
}

#[test]
fn one_child_of_a_parallel_does_not_end() {
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "  in main.json: 0 root > 1 parallel",
    ];
    let top = parallel(2, 2, [action("roars"), wait_event("heard")]);
    reason(top, polls([1.0]), 2.0, &says);
}

#[test]
fn called_tree_waits() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0);
    };
    let says = [
        "waiting: nap.json: node 1 (wait_event `heard`)",
        "  in main.json: 0 root > 1 sub_tree `nap.json` > nap.json: 0 root",
    ];
    let all = [
        ("main.json", sub_tree("nap.json")),
        ("nap.json", wait_event("heard")),
    ];
    trees(&all, plant, 2.0, &says);
}

#[test]
fn tree_is_suspended_by_an_event() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0).runner.fire(Event::new("heard"));
        it.poll(2.0);
    };
    let says = [
        "suspended: main.json at 2 s by event `heard`, which main.json: node 1 (action `rests`) took: it \
         resumes when nap.json has ended",
        "waiting, suspended: main.json: node 1 (action `rests`)",
        "waiting: nap.json: node 1 (action `rests`)",
    ];
    let taken = json!([{"event": "heard", "tree": "nap.json", "mode": "return"}]);
    let all = [
        ("main.json", rests("polls").extra("events", taken)),
        ("nap.json", rests("completion")),
    ];
    trees(&all, plant, 3.0, &says);
}

#[test]
fn aborted_node_is_cancelling() {
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
        it.set("range", 20.0).poll(2.0);
    };
    let near = guard("near").key("range").set("abort", "self");
    let top = select([action("digs").guard(near), wait_event("heard")]);
    let says = [
        "cancelling: main.json: node 2 (action `digs`)",
        "  it was aborted, and its clean-up has not ended",
    ];
    reason(top, plant, 3.0, &says);
}

#[test]
fn restored_and_polled_once_since() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
        let tracer = it.runner.set_tracer(None);
        let saved = it.runner.save();
        let restored = Runner::restore(it.runner.trees(), &saved).unwrap();
        it.runner = restored.at(Duration::from_secs(50));
        it.runner.set_tracer(tracer.map(|_| {
            let lines: Box<dyn bt_core::trace::Tracer> = Box::new(JsonLines::new(Vec::new()));
            lines
        }));
        it.poll(51.0);
    };
    // 1.5 s were left of it when it was saved at 2 s.
    let says = [
        "waiting: main.json: node 1 (action `wait_for_seconds`)",
        "  until 51.5 s, in 0.5 s",
    ];
    reason(action("wait_for_seconds").arg(2.5), plant, 51.0, &says);
}
