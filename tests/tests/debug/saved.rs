//! Agents that are saved while they are stopped.

use bt_core::debug::Forced;
use bt_core::tree::asset::spec::sequence;
use bt_core::{Runner, Saved};
use bt_tests::probe::*;

use super::harness::*;

#[test]
fn agent_that_is_saved_at_a_stop_goes_on_there() {
    for idx in [1, 2, 3, 4] {
        for on in [enter(idx), exit(idx)] {
            let mut play = Play::new(sequence([now("a"), now("b"), now("c")]));
            play.probe.plain = true;
            break_on(&mut play, [on]);
            play.poll(0.0);
            let before = play.brief();
            let saved = Saved::from_json(&play.runner.save().to_json()).expect("it is one");
            let restored = Runner::restore(play.runner.trees(), &saved);
            let restored = restored.unwrap_or_else(|error| panic!("{error}"));
            play.runner = restored.at(std::time::Duration::ZERO);
            assert!(!play.runner.is_paused());
            assert!(play.runner.stopped().is_none());
            play.again();
            assert_eq!(play.runner.result(), Some(true), "node {idx}");
            assert!(!before.contains("c:S") || idx == 4 || idx == 1);
        }
    }
}

/// The play goes on with what was saved of it, which may be changed before.
fn restored(play: &mut Play, change: impl FnOnce(String) -> String) -> Result<(), String> {
    let text = change(play.runner.save().to_json());
    let saved = Saved::from_json(&text).map_err(|error| error.to_string())?;
    let restored = Runner::restore(play.runner.trees(), &saved);
    let restored = restored.map_err(|error| error.to_string())?;
    play.runner = restored.at(std::time::Duration::ZERO);
    Ok(())
}

#[test]
fn forced_results_are_saved() {
    let mut play = Play::new(sequence([now("a"), now("b"), now("c"), now("d")]));
    play.probe.plain = true;
    for (idx, forced) in [(2, Forced::Success), (3, Forced::Disabled)] {
        play.runner
            .force("main", idx, Some(forced))
            .expect("it is there");
    }
    let before = play.runner.forced();
    restored(&mut play, |text| text).expect("it is sound");
    assert_eq!(play.runner.forced(), before);
    play.poll(0.0);
    assert_eq!(play.brief(), "call c left: Success call d left: Success");
}

#[test]
fn forced_result_of_another_word_is_refused() {
    let mut play = Play::new(now("a"));
    play.runner
        .force("main", 1, Some(Forced::Success))
        .expect("it is there");
    let change = |text: String| text.replace("success", "victory");
    let error = restored(&mut play, change).unwrap_err();
    let expected = "`forced`: expected `success`, `failure` or `disabled`, found `victory`";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn load_that_waits_for_the_end_of_the_poll_is_saved() {
    let mut play = Play::new(sequence([now("a"), now("b")]));
    play.probe.plain = true;
    break_on(&mut play, [enter(3)]);
    play.poll(0.0);
    play.runner.load("main").expect("it is there");
    restored(&mut play, |text| text).expect("it is sound");
    play.log();
    play.again();
    assert_eq!(play.runner.result(), Some(true));
    let log = play.log();
    assert!(
        log.iter().any(|line| line.ends_with(" a")),
        "it began again: {log:?}"
    );
}
