//! Tests of a call's ends: its result, a time, polls, events, a completion.

use super::*;

#[test]
fn every_return_type_means_what_the_table_says() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("truth", args([json!(true)])), SUCCESS);
    assert_eq!(stage.enter("truth", args([json!(false)])), FAILURE);
    assert_eq!(stage.enter("unit", []), SUCCESS);
    assert_eq!(stage.enter("maybe", args([json!(true)])), SUCCESS);
    assert_eq!(stage.enter("maybe", args([json!(false)])), FAILURE);
    assert_eq!(stage.enter("maybe", []), None);
    assert_eq!(stage.event("bell"), SUCCESS);
    assert_eq!(stage.enter("is_deep", args([json!(0)])), SUCCESS);
    assert_eq!(stage.enter("is_deep", args([json!(1)])), FAILURE);
    let fallible = ["fallible", "fallible_unit", "fallible_maybe"];
    for name in fallible.iter().chain(&["fallible_status", "is_safe"]) {
        assert_eq!(stage.enter(name, args([json!(false)])), FAILURE);
        let why = stage.session.take_failure();
        assert_eq!(why.as_deref(), Some("no"), "{name}");
    }
    for name in ["fallible", "fallible_unit", "is_safe"] {
        assert_eq!(stage.enter(name, args([json!(true)])), SUCCESS);
        assert_eq!(stage.session.take_failure(), None);
    }
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn pending_action_is_called_once_and_running_action_each_poll() {
    let (mut stage, log) = miner();
    assert_eq!(
        stage.enter("dig", args([json!(9), json!(null), json!(false)])),
        None
    );
    for second in 1..5 {
        assert_eq!(stage.poll(seconds(second.into())), None);
    }
    assert_eq!(log.take(), ["dig"]);
    stage.abort();

    assert_eq!(stage.enter("status", args([json!(3), json!(false)])), None);
    assert_eq!(stage.poll(seconds(5.0)), None);
    assert_eq!(stage.poll(seconds(6.0)), FAILURE);
    assert_eq!(stage.agent.calls, 3);
    assert!(!stage.is_running());
    assert_eq!(stage.enter("fallible_status", args([json!(true)])), None);
    assert_eq!(stage.abort(), ABORTED);
}

#[test]
fn a_timer_ends_a_call_when_its_time_has_come() {
    let (mut stage, _) = miner();
    stage.poll(seconds(10.0));
    assert_eq!(
        stage.enter("dig", args([json!(1.5), json!(null), json!(false)])),
        None
    );
    assert_eq!(stage.poll(seconds(11.0)), None);
    assert_eq!(stage.poll(seconds(11.5)), SUCCESS);
    // No time at all ends in the poll that it began in.
    assert_eq!(
        stage.enter("dig", args([json!(0), json!(null), json!(false)])),
        SUCCESS
    );
}

#[test]
fn a_count_of_polls_counts_the_one_that_the_call_began_in() {
    let (mut stage, _) = miner();
    let dig = |polls: u32| args([json!(null), json!(polls), json!(false)]);
    assert_eq!(stage.enter("dig", dig(1)), FAILURE);
    assert_eq!(stage.enter("dig", dig(3)), None);
    assert_eq!(stage.poll(Duration::ZERO), None);
    assert_eq!(stage.poll(Duration::ZERO), FAILURE);
    assert_eq!(stage.enter("wait_frames", args([json!(2)])), None);
    assert_eq!(stage.poll(Duration::ZERO), SUCCESS);
}

#[test]
fn an_event_ends_a_call_with_the_result_that_goes_with_it() {
    for (event, exit) in [("struck", SUCCESS), ("caved_in", FAILURE), ("rained", None)] {
        let (mut stage, _) = miner();
        assert_eq!(
            stage.enter("dig", args([json!(null), json!(null), json!(false)])),
            None
        );
        assert_eq!(stage.event(event), exit);
        assert_eq!(stage.is_running(), exit.is_none());
    }
}

#[test]
fn the_first_of_all_ends_is_the_end() {
    let all = || args([json!(5.0), json!(8), json!(true)]);
    for first in ["timer", "polls", "event", "completion"] {
        let (mut stage, log) = miner();
        assert_eq!(stage.enter("dig", all()), None);
        assert_eq!(stage.poll(seconds(1.0)), None);
        let exit = match first {
            "timer" => stage.poll(seconds(5.0)),
            "polls" => (0..6).find_map(|_| stage.poll(seconds(1.0))),
            "event" => stage.event("struck"),
            _ => {
                stage.agent.completions[0].finish(false);
                stage.poll(seconds(1.0))
            }
        };
        let success = matches!(first, "timer" | "event");
        let expect = if success {
            Exit::Success
        } else {
            Exit::Failure
        };
        assert_eq!(exit, Some(expect), "{first}");
        let end = format!("{expect:?}");
        assert_eq!(log.take(), ["dig", &end, "first dropped", "second dropped"]);
        // The others come late.
        stage.agent.completions[0].finish(true);
        stage.agent.completions.clear();
        assert_eq!(stage.event("caved_in"), None);
        assert_eq!(stage.poll(seconds(100.0)), None);
        assert_eq!(log.take(), [""; 0]);
        assert_eq!(stage.take_reports(), [""; 0]);
    }
}

#[test]
fn a_completion_ends_a_call_from_another_thread() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    let completion = stage.agent.completions.remove(0);
    let finish = std::thread::spawn(move || completion.finish(true));
    assert!(finish.join().unwrap());
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn of_all_clones_of_a_completion_the_first_answer_counts() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let completion = stage.agent.completions.remove(0);
    let threads = (0..8).map(|at| {
        let completion = completion.clone();
        std::thread::spawn(move || (completion.finish(at % 2 == 0), at % 2 == 0))
    });
    let threads: Vec<_> = threads.collect();
    let answers = threads.into_iter().map(|thread| thread.join().unwrap());
    let first: Vec<bool> = answers
        .filter_map(|(first, success)| first.then_some(success))
        .collect();
    assert_eq!(first.len(), 1);
    let expect = if first[0] { SUCCESS } else { FAILURE };
    assert_eq!(stage.poll(seconds(1.0)), expect);
    assert!(!completion.finish(!first[0]), "a second answer");
    assert_eq!(stage.poll(seconds(2.0)), None);
}

#[test]
fn a_completion_that_is_finished_within_the_call_ends_it_at_once() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("call", []), SUCCESS);
    assert_eq!(log.take(), ["Success"]);
}

#[test]
fn an_answer_to_a_call_that_was_left_ends_no_other() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let late = stage.agent.completions.remove(0);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
    assert_eq!(stage.enter("ask", []), None);
    assert!(late.finish(false), "nobody answered before");
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert!(stage.agent.completions[0].finish(true));
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
}

#[test]
fn the_last_completion_dropped_unused_is_a_failure_that_is_reported() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let clone = stage.agent.completions[0].clone();
    stage.agent.completions.clear();
    assert_eq!(stage.poll(seconds(1.0)), None);
    drop(clone);
    assert_eq!(stage.poll(seconds(2.0)), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    let reports = stage.take_reports();
    assert_eq!(
        reports,
        ["`ask` failed: its last `Completion` was dropped unused"]
    );
    // Dropped after the node was left: nobody's matter.
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.abort(), ABORTED);
    stage.agent.completions.clear();
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.poll(seconds(3.0)), None);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn a_none_that_nothing_can_finish_is_reported_once_with_its_place() {
    let (mut stage, _) = miner();
    for _ in 0..3 {
        assert_eq!(stage.enter("stuck", []), None);
        assert_eq!(stage.poll(seconds(1.0)), None);
        assert_eq!(stage.abort(), ABORTED);
    }
    let reports = stage.take_reports();
    let [report] = reports.as_slice() else {
        panic!("{reports:?}");
    };
    let text = include_str!("mod.rs");
    let line = text
        .lines()
        .position(|line| line.contains("fn stuck"))
        .unwrap()
        + 1;
    let lines =
        [line, line - 1].map(|line| format!("(bt-tests/tests/calls/leaving/mod.rs:{line})"));
    assert!(
        report.starts_with("`stuck` returned `None`, and nothing can finish it ")
            && lines.iter().any(|place| report.ends_with(place)),
        "{report}"
    );
}
