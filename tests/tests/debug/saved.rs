//! Agents that are saved while they are stopped.

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
