//! Exit methods, guards and panics: what is cleaned up when, also where that takes its time.

use super::*;

#[test]
fn an_exit_method_is_called_once_before_guards_drop_and_the_parent_sees() {
    for success in [true, false] {
        let (mut stage, log) = miner();
        let exit = stage.enter("done", args([json!(success)]));
        log.note("seen");
        let end = if success {
            Exit::Success
        } else {
            Exit::Failure
        };
        assert_eq!(exit, Some(end));
        assert_eq!(
            log.take(),
            [format!("{end:?}").as_str(), "guard dropped", "seen"]
        );
    }
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("drill", args([json!(3)])), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
    assert_eq!(log.take(), ["Success", "guard dropped"]);
    // An `Err` is a failure like any other.
    assert_eq!(stage.enter("fallible_maybe", args([json!(false)])), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
}

#[test]
fn aborted_node_exits_once() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("drill", args([json!(3)])), None);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
    assert_eq!(stage.abort(), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn a_stage_that_is_dropped_drops_guards_only() {
    let (mut stage, log) = miner();
    assert_eq!(
        stage.enter("dig", args([json!(null), json!(null), json!(true)])),
        None
    );
    drop(stage);
    assert_eq!(log.take(), ["dig", "first dropped", "second dropped"]);
}

#[test]
fn a_call_that_never_began_owes_no_exit() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("take", [Source::key("unset")]), FAILURE);
    assert_eq!(stage.enter("take", args([json!("text")])), FAILURE);
    let reports = stage.take_reports();
    assert_eq!(reports.len(), 2);
    assert!(
        reports[0].contains("blackboard key `unset`, which is not set"),
        "{reports:?}"
    );
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn a_call_whose_writes_are_refused_did_begin() {
    let (mut stage, log) = miner();
    let ty = "uint8".parse().unwrap();
    let small = bt_core::blackboard::Declaration::new("small", ty).initial(7);
    stage.session.blackboard().declare(small).unwrap();
    assert_eq!(stage.enter("mark", []), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    let reports = stage.take_reports();
    assert!(
        reports[0].contains("blackboard key `small` is declared as `uint8`"),
        "{reports:?}"
    );
    assert_eq!(stage.session.blackboard().get("small"), 7);
}

#[test]
fn none_from_an_exit_method_after_an_abort_is_still_cancelling() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.abort(), None);
    assert_eq!(log.take(), ["Aborted"]);
    // Neither its timer nor another abort ends it, its completion does.
    assert_eq!(stage.poll(seconds(5.0)), None);
    assert_eq!(stage.abort(), None);
    assert!(stage.agent.completions[0].finish(true));
    assert_eq!(stage.poll(seconds(6.0)), ABORTED);
    assert_eq!(log.take(), ["guard dropped"]);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn none_from_an_exit_method_after_an_end_is_no_cancelling() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.poll(seconds(1.0)), SUCCESS);
    assert_eq!(log.take(), ["Success", "guard dropped"]);
}

#[test]
fn cancelling_may_ask_for_an_end_and_for_guards_of_its_own() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("climb", []), None);
    stage.poll(seconds(5.0));
    assert_eq!(stage.abort(), None);
    assert_eq!(
        stage.event("bell"),
        None,
        "what ended the action ends no cancelling"
    );
    assert_eq!(stage.poll(seconds(5.5)), None);
    assert_eq!(stage.poll(seconds(6.0)), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped", "second dropped"]);
}

#[test]
fn cancelling_that_nothing_can_end_is_reported_and_left() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("sink", []), None);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted"]);
    assert_eq!(stage.take_reports().len(), 1);
}

#[test]
fn a_completion_dropped_while_cancelling_ends_it() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.abort(), None);
    stage.agent.completions.clear();
    assert_eq!(stage.poll(seconds(1.0)), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
}

#[test]
fn a_panic_in_an_action_is_a_failure_that_is_cleaned_up() {
    let (mut stage, log) = miner();
    let board = stage.session.blackboard();
    board.set("words", "three words long");
    board.set("number", 1);
    let sources = || [Source::key("words"), Source::key("number")];
    assert_eq!(stage.enter("explode", sources()), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    assert_eq!(
        stage.take_reports(),
        ["`explode` panicked: too much powder"]
    );
    // What it wrote is written, what it was to answer is not, and no loan is left.
    assert_eq!(stage.session.blackboard().get("number"), 1);
    assert_eq!(stage.session.blackboard().get("words"), 16);
    stage.session.blackboard().set("words", "again");
    assert_eq!(stage.session.blackboard().get("words"), "again");
    assert_eq!(stage.enter("explode", sources()), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    assert_eq!(stage.enter("truth", args([json!(true)])), SUCCESS);
}

#[test]
fn a_panic_in_an_exit_method_still_drops_guards() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("fuse", []), SUCCESS);
    assert_eq!(log.take(), ["guard dropped"]);
    assert_eq!(stage.take_reports(), ["`fuse` panicked: too short a fuse"]);
}

#[test]
fn an_action_without_an_exit_method_is_left_at_once() {
    let actions = Registry::global().unwrap().actions::<Miner>().unwrap();
    let stuck = actions.find("stuck").unwrap();
    let mut session = Session::new(7);
    let mut miner = Miner::default();
    let cx = &mut session.context();
    assert!(!stuck.has_exit());
    assert_eq!(
        stuck.exit(&mut miner, &mut (), cx, Exit::Aborted),
        Left::Now
    );
    let blast = actions.find("blast").unwrap();
    assert!(blast.has_exit());
    assert_eq!(
        blast.exit(&mut miner, &mut (), cx, Exit::Aborted),
        Left::Later
    );
}
