//! Steps.

use bt_core::debug::{Step, Why};
use bt_core::tree::asset::spec::{sequence, sub_tree};
use bt_tests::probe::*;

use super::harness::*;

/// The root 0, a sequence 1 of a sequence 2 of `a` 3 and `b` 4, and `c` 5; stopped as 2 is entered.
fn stopped_at_2() -> Play {
    let mut play = Play::new(sequence([sequence([now("a"), now("b")]), now("c")]));
    break_on(&mut play, [enter(2)]);
    play.poll(0.0);
    play
}

#[test]
fn into_goes_to_the_next_node() {
    let mut play = stopped_at_2();
    let mut places = Vec::new();
    for _ in 0..3 {
        step(&mut play, Step::Into);
        assert_eq!(stop(&play).why, Why::Step);
        let (record, idx) = place(&play);
        places.push((record.to_owned(), idx));
    }
    let enter = "node_enter".to_owned();
    let leave = "node_leave".to_owned();
    assert_eq!(
        places,
        [(enter.clone(), Some(3)), (leave, Some(3)), (enter, Some(4))]
    );
}

#[test]
fn over_does_not_stop_below_the_node() {
    let mut play = stopped_at_2();
    step(&mut play, Step::Over);
    assert_eq!(place(&play), ("node_leave", Some(2)));
    assert_eq!(play.brief(), "+a a:S +b b:S");
    step(&mut play, Step::Over);
    assert_eq!(place(&play), ("node_enter", Some(5)));
}

#[test]
fn over_does_not_stop_in_a_tree_that_the_node_calls() {
    let main = sequence([sub_tree("other"), now("c")]);
    let mut play = Play::trees([("main", main), ("other", sequence([now("a"), now("b")]))]);
    break_on(&mut play, [enter(2)]);
    play.poll(0.0);
    step(&mut play, Step::Over);
    assert_eq!(place(&play), ("node_leave", Some(2)));
    assert_eq!(play.brief(), "+a a:S +b b:S");
}

#[test]
fn out_goes_to_the_exit_of_the_node_above() {
    let mut play = stopped_at_2();
    step(&mut play, Step::Into);
    step(&mut play, Step::Out);
    assert_eq!(place(&play), ("node_leave", Some(2)));
    step(&mut play, Step::Out);
    assert_eq!(place(&play), ("node_leave", Some(1)));
    assert_eq!(play.brief(), "+a a:S +b b:S +c c:S");
}

#[test]
fn poll_goes_to_the_next_poll_that_has_something_to_do() {
    let mut play = Play::new(sequence([wait(5.0), now("a")]));
    break_on(&mut play, [enter(2)]);
    play.poll(0.0);
    step(&mut play, Step::Poll);
    assert!(play.runner.stopped().is_none());
    play.poll(1.0);
    assert!(play.runner.stopped().is_none(), "nothing is due");
    play.poll(5.0);
    assert_eq!(place(&play), ("poll_begin", None));
    assert_eq!(play.brief(), "");
    go(&mut play);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn to_runs_to_a_node() {
    let mut play = stopped_at_2();
    let tree = "main".to_owned();
    step(&mut play, Step::To { tree, idx: 5 });
    assert_eq!(place(&play), ("node_enter", Some(5)));
    assert_eq!(play.brief(), "+a a:S +b b:S");
}

#[test]
fn to_a_node_that_does_not_exist_is_refused() {
    let mut play = stopped_at_2();
    let number = stop(&play).number;
    let mut to = |tree: &str, idx| {
        let tree = tree.to_owned();
        let refused = play.runner.step(number, Step::To { tree, idx });
        refused.unwrap_err().to_string()
    };
    assert_eq!(to("main", 9), "tree `main` has no node 9");
    assert_eq!(
        to("mian", 5),
        "there is no tree `mian`; did you mean `main`?"
    );
}

#[test]
fn host_stops_an_agent_as_soon_as_something_happens() {
    let mut play = Play::new(sequence([starts("a"), now("b")]));
    play.poll(0.0);
    play.runner.stop_next();
    play.poll(1.0);
    assert!(play.runner.stopped().is_none(), "nothing happens");
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(stop(&play).why, Why::Asked);
    let why = play.runner.explain().to_string();
    let says = "main is stopped by a debugger since 2 s: let it continue; ";
    assert!(why.starts_with(says), "{why}");
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn request_or_step_that_is_taken_back_stops_nobody() {
    let mut play = Play::new(sequence([starts("a"), now("b")]));
    play.poll(0.0);
    play.runner.stop_next();
    play.runner.end_steps();
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(play.runner.result(), Some(true));
    for taken in [Step::Record, Step::Over, Step::Out, Step::Poll] {
        let mut play = stopped_at_2();
        let number = stop(&play).number;
        play.runner.step(number, taken).expect("it is stopped");
        play.runner.end_steps();
        play.again();
        assert!(play.runner.stopped().is_none());
        assert_eq!(play.runner.result(), Some(true));
    }
    // Where it stands, it stands.
    let mut play = stopped_at_2();
    play.runner.end_steps();
    play.again();
    assert_eq!(place(&play), ("node_enter", Some(2)));
}

#[test]
fn stop_that_is_over_is_refused_by_its_number() {
    let mut play = stopped_at_2();
    let first = stop(&play).number;
    step(&mut play, Step::Into);
    let second = stop(&play).number;
    assert!(second > first);
    let refused = play.runner.step(first, Step::Continue).unwrap_err();
    let expected = format!("stop {first} is over: the agent is at stop {second}");
    assert_eq!(refused.to_string(), expected);
    play.runner
        .step(second, Step::Continue)
        .expect("it is that stop");
    let not_stopped = "the agent is not stopped: it has met no breakpoint, or continues already";
    let again = play.runner.step(second, Step::Continue).unwrap_err();
    assert_eq!(again.to_string(), not_stopped);
    play.again();
    let over = play.runner.step(second, Step::Continue).unwrap_err();
    assert_eq!(over.to_string(), not_stopped);
}
