//! S1-R27, U06: what becomes of actions that wait, in the first poll.

use std::time::Duration;

use bt_core::tree::asset::spec::{NodeSpec, action, node, parallel, sequence};
use bt_core::{Event, Status};
use serde_json::json;

use crate::snapshot::keeper::{Shift, trees};

const S: Status = Status::Success;
const F: Status = Status::Failure;
const R: Status = Status::Running;

fn carry(what: &str) -> NodeSpec {
    action("carry").arg(what)
}

#[test]
fn s1_r27_a_resume_method_gets_what_the_action_kept() {
    let mut shift = Shift::new(sequence([carry("wood"), action("say").arg("done")]));
    assert_eq!(shift.poll(0), R);
    assert_eq!(shift.restored().poll(0), R);
    assert_eq!(shift.keeper.take(), ["carry on with 7"]);
    assert!(shift.told().is_empty());
    // It has a completion of its own.
    assert!(shift.keeper.completions[0].finish(true));
    assert_eq!(shift.poll(1), S);
    assert_eq!(shift.keeper.take(), ["Success", "done"]);
}

#[test]
fn s1_r27_what_kept_nothing_is_resumed_with_null() {
    let mut shift = Shift::new(sequence([action("drag")]));
    shift.poll(0);
    shift.restored().poll(0);
    assert_eq!(shift.keeper.take(), ["drag on with None"]);
}

#[test]
fn s1_r27_a_resume_method_may_end_the_action_at_once() {
    for (how, status, exit) in [("S", S, "Success"), ("F", F, "Failure")] {
        let mut shift = Shift::new(sequence([carry("wood")]));
        shift.poll(0);
        shift.keeper.resumes = vec![how];
        assert_eq!(shift.restored().poll(0), status);
        assert_eq!(shift.keeper.take(), ["carry on with 7", exit]);
    }
}

#[test]
fn s1_r27_all_are_resumed_in_the_order_of_their_nodes() {
    let tops = ["a", "b", "c"].map(carry);
    let mut shift = Shift::new(parallel(3, 1, tops));
    shift.poll(0);
    shift.keeper.resumes = vec!["on", "S", "on"];
    assert_eq!(shift.restored().poll(0), R);
    let on = "carry on with 7";
    assert_eq!(shift.keeper.take(), [on, on, "Success", on]);
}

#[test]
fn s1_r27_what_is_aborted_by_the_end_of_another_is_not_resumed() {
    let mut shift = Shift::new(parallel(1, 3, ["a", "b", "c"].map(carry)));
    shift.poll(0);
    shift.keeper.resumes = vec!["S"];
    assert_eq!(shift.restored().poll(0), S);
    assert_eq!(
        shift.keeper.take(),
        ["carry on with 7", "Success", "Aborted", "Aborted"]
    );
}

#[test]
fn s1_r27_it_is_resumed_before_anything_is_delivered() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.restored();
    shift.keeper.resumes = vec!["event"];
    shift.runner.fire(Event::new("call"));
    assert_eq!(shift.poll(0), S);
    assert_eq!(shift.keeper.take(), ["carry on with 7", "Success"]);
}

#[test]
fn s1_r27_what_it_fires_is_delivered_in_the_same_poll() {
    let waits = node("wait_event").extra("event", "call");
    let mut shift = Shift::new(parallel(1, 2, [carry("wood"), waits]));
    shift.poll(0);
    shift.keeper.resumes = vec!["fire"];
    assert_eq!(shift.restored().poll(0), S);
}

#[test]
fn s1_r27_a_time_that_it_asks_for_replaces_the_one_that_was_left() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.keeper.resumes = vec!["on"];
    shift.restored().poll(50);
    // 100 seconds were left.
    assert_eq!(shift.runner.next_wake(), Some(Duration::from_secs(150)));
    assert!(shift.told().is_empty());
    shift.keeper.resumes = vec!["2s"];
    shift.restored().poll(60);
    assert_eq!(shift.runner.next_wake(), Some(Duration::from_secs(62)));
    assert_eq!(shift.poll(62), S);
}

#[test]
fn s1_r27_what_was_kept_stays_until_it_is_replaced() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    for _ in 0..3 {
        shift.restored().poll(0);
        assert_eq!(shift.keeper.take(), ["carry on with 7"]);
    }
}

#[test]
fn s1_r27_what_does_not_decode_is_told_and_the_action_called_anew() {
    let mut shift = Shift::new(carry("wood"));
    shift.keeper.keeps = Some(json!("seven"));
    shift.poll(0);
    let leaf = shift.runner.active_leaves()[0].id;
    assert_eq!(shift.restored().poll(0), R);
    assert_eq!(shift.keeper.take(), ["carry wood"]);
    let told = shift.told();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("\"seven\"") && told[0].ends_with("it is called anew"),
        "{told:?}"
    );
    assert_eq!(shift.runner.active_leaves()[0].id, leaf);
}

#[test]
fn s1_r27_a_resume_method_that_panics_fails() {
    let mut shift = Shift::new(sequence([carry("wood")]));
    shift.poll(0);
    shift.keeper.resumes = vec!["panic"];
    assert_eq!(shift.restored().poll(0), F);
    assert_eq!(shift.keeper.take(), ["carry on with 7", "Failure"]);
    assert_eq!(shift.told(), ["its resume method panicked: it slipped"]);
}

#[test]
fn s1_r27_an_action_without_a_resume_method_is_called_anew() {
    let mut shift = Shift::new(sequence([action("hold").arg("rope")]));
    shift.poll(0);
    shift.poll(4);
    let leaf = shift.runner.active_leaves()[0].id;
    assert_eq!(shift.restored().poll(20), R);
    // No exit: it stays entered. Its time is a new one.
    assert_eq!(shift.keeper.take(), ["hold rope"]);
    assert_eq!(shift.runner.next_wake(), Some(Duration::from_secs(30)));
    assert_eq!(shift.runner.active_leaves()[0].id, leaf);
    assert_eq!(shift.poll(30), S);
    assert_eq!(shift.keeper.take(), ["Success"]);
}

#[test]
fn s1_r27_one_that_is_called_every_poll_and_has_a_guard_is_called_once() {
    let mut shift = Shift::new(action("clutch"));
    shift.poll(0);
    shift.restored().poll(0);
    assert_eq!(shift.keeper.take(), ["clutch"]);
    shift.poll(0);
    assert_eq!(shift.keeper.take(), ["clutch"]);
}

#[test]
fn s1_r27_what_waits_for_a_time_alone_goes_on_without_a_call() {
    let mut shift = Shift::new(action("rest"));
    shift.poll(0);
    shift.poll(4);
    let trees = shift.trees.clone();
    let saved = shift.runner.save();
    shift.runner = bt_core::Runner::restore(&trees, &saved)
        .unwrap()
        .at(Duration::from_secs(50));
    assert_eq!(shift.runner.next_wake(), Some(Duration::from_secs(56)));
    shift.keeper.take();
    assert_eq!(shift.poll(56), S);
    assert_eq!(shift.keeper.take(), ["Success"]);
}

#[test]
fn s1_r27_a_polled_action_is_resumed_in_place_of_a_call() {
    let mut shift = Shift::new(action("plod"));
    shift.poll(0);
    shift.keeper.resumes = vec!["on"];
    shift.restored().poll(0);
    assert_eq!(shift.keeper.take(), ["plod on"]);
    shift.poll(0);
    assert_eq!(shift.keeper.take(), ["plod"]);
    assert!(shift.told().is_empty());
    shift.keeper.resumes = vec!["2s"];
    shift.restored().poll(10);
    assert_eq!(shift.poll(11), R);
    assert_eq!(shift.keeper.take(), ["plod on"]);
    assert_eq!(shift.poll(12), S);
}

#[test]
fn s1_r27_what_has_ended_already_is_neither_resumed_nor_called() {
    for arrives in [true, false] {
        let tops = || [carry("wood"), action("hold").arg("rope")];
        let mut shift = Shift::new(parallel(2, 1, tops()));
        shift.poll(0);
        for completion in std::mem::take(&mut shift.keeper.completions) {
            completion.finish(arrives);
        }
        if arrives {
            // Taken in, and not delivered yet.
            shift.runner.fire(Event::new("call"));
        }
        let status = shift.restored().poll(0);
        match arrives {
            true => assert_eq!(
                (status, shift.keeper.take()),
                (S, vec!["Success".to_owned(); 2])
            ),
            false => assert_eq!(shift.keeper.take(), ["Failure", "Aborted"]),
        }
        assert!(shift.told().is_empty());
    }
}

#[test]
fn s1_r27_a_completion_that_was_dropped_unused_is_told_of() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.keeper.completions.clear();
    assert_eq!(shift.restored().poll(0), F);
    let told = shift.told();
    assert_eq!(
        told,
        ["it failed: the last `Completion` of its call was dropped unused"]
    );
    assert_eq!(shift.keeper.take(), ["Failure"]);
}

#[test]
fn s1_r27_the_host_may_end_it_before_the_first_poll() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.restored();
    let leaf = shift.runner.active_leaves()[0].id;
    shift.runner.finish(leaf, true);
    assert_eq!(shift.poll(0), S);
    assert_eq!(shift.keeper.take(), ["Success"]);
}

#[test]
fn s1_r27_a_stop_before_the_first_poll_aborts_what_was_not_resumed() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.restored();
    shift.runner.stop(&mut shift.keeper, Duration::ZERO);
    assert_eq!(shift.keeper.take(), ["Aborted"]);
    shift.poll(1);
    assert!(shift.keeper.take().is_empty());
}

#[test]
fn s1_r27_actions_of_suspended_trees_are_resumed_too_and_their_ends_held() {
    let events = json!([{"event": "call", "tree": "other", "mode": "return"}]);
    let main = sequence([
        parallel(
            3,
            1,
            [carry("wood"), action("hold").arg("rope"), action("drag")],
        ),
        action("say").arg("end"),
    ]);
    let trees = trees([
        ("main", main.extra("events", events)),
        (
            "other",
            sequence([action("rest"), action("say").arg("back")]),
        ),
    ]);
    let mut shift = Shift::of(trees);
    shift.poll(0);
    shift.runner.fire(Event::new("call"));
    shift.poll(0);
    assert_eq!(shift.runner.tree(), "other");
    shift.keeper.resumes = vec!["S", "S"];
    assert_eq!(shift.restored().poll(0), R);
    let resumed = ["carry on with 7", "hold rope", "drag on with None"];
    assert_eq!(shift.keeper.take(), resumed);
    assert_eq!(shift.runner.tree(), "other");
    shift.keeper.completions[0].finish(true);
    assert_eq!(shift.poll(1), R);
    assert!(shift.keeper.take().is_empty());
    assert_eq!(shift.poll(10), S);
    let ends = ["Success", "back", "Success", "Success", "Success", "end"];
    assert_eq!(shift.keeper.take(), ends);
}

#[test]
fn s1_r27_a_paused_agent_resumes_nothing() {
    let mut shift = Shift::new(carry("wood"));
    shift.poll(0);
    shift.runner.pause();
    shift.restored().poll(1);
    assert!(shift.keeper.take().is_empty());
    // Saved again, it still knows what it is to resume.
    shift.restored();
    shift.runner.resume();
    shift.poll(2);
    assert_eq!(shift.keeper.take(), ["carry on with 7"]);
}

#[test]
fn s1_r27_in_the_trace_it_is_a_call_and_no_second_entry() {
    use bt_core::trace::Ring;
    let mut shift = Shift::new(sequence([carry("wood"), action("hold").arg("rope")]));
    shift.poll(0);
    shift.restored();
    shift
        .runner
        .set_tracer(Some(Box::new(Ring::new(&shift.trees, 100))));
    shift.poll(0);
    let records = shift.runner.tracer::<Ring>().unwrap();
    let lines: Vec<String> = records
        .records()
        .map(|record| serde_json::to_string(&record).unwrap())
        .collect();
    let resumed = lines
        .iter()
        .filter(|line| line.contains(r#""role":"resume""#));
    assert_eq!(resumed.count(), 1, "{lines:#?}");
    assert!(
        !lines.iter().any(|line| line.contains("node_enter")),
        "{lines:#?}"
    );
}
