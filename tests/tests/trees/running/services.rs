//! Services: calls at entry, and then every so often while the branch is active. (S5-02)

use bt_core::tree::asset::spec::{Call, call, parallel, select, sequence, sub_tree};
use bt_tests::probe::{Play, R, guard_key, now, of, starts, wait};

use super::takes;

fn tick() -> Call {
    call("note").arg("tick")
}

/// The number of times that it was called since this was asked last.
fn ticks(play: &mut Play) -> usize {
    play.log().iter().filter(|line| *line == "tick").count()
}

#[test]
fn a_service_runs_at_entry_and_then_every_so_often() {
    let mut play = Play::new(sequence([starts("a")]).service(2.0, tick()));
    play.poll(10.0);
    assert_eq!(play.log(), ["tick", "enter a"]);
    for (at, count) in [(11.9, 0), (12.0, 1), (13.9, 0), (14.0, 1), (16.0, 1)] {
        play.poll(at);
        assert_eq!(ticks(&mut play), count, "at {at}");
    }
}

#[test]
fn service_wakes_the_agent() {
    let mut play = Play::new(sequence([starts("a")]).service(2.0, tick()));
    play.poll(10.0);
    assert_eq!(play.wake(), Some(12.0));
    play.poll(12.5);
    assert_eq!(play.wake(), Some(14.5));
}

#[test]
fn service_skips_missed_intervals() {
    let mut play = Play::new(starts("a").service(2.0, tick()));
    play.poll(0.0);
    play.poll(9.0);
    assert_eq!(ticks(&mut play), 2);
    play.poll(10.9);
    assert_eq!(ticks(&mut play), 0);
    play.poll(11.0);
    assert_eq!(ticks(&mut play), 1);
}

#[test]
fn service_ends_with_its_branch() {
    for end in ["done", "aborted"] {
        let main = select([sequence([starts("a")]).service(1.0, tick()), starts("b")]);
        let mut play = Play::new(of("timeout", [main]).extra("seconds", 100));
        play.poll(0.0);
        if end == "done" {
            play.end("a", false);
        } else {
            play.stop();
        }
        play.poll(0.5);
        ticks(&mut play);
        play.poll(5.0);
        assert_eq!(ticks(&mut play), 0, "{end}");
    }
}

#[test]
fn a_node_entered_again_has_its_service_afresh() {
    let spec = of("repeat", [starts("a").service(2.0, tick())]).extra("count", 2);
    let mut play = Play::new(spec);
    play.poll(0.0);
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(ticks(&mut play), 2);
    // Two seconds from its second entry.
    play.poll(2.0);
    assert_eq!(ticks(&mut play), 0);
    play.poll(3.0);
    assert_eq!(ticks(&mut play), 1);
}

#[test]
fn several_have_their_own_times() {
    let spec = starts("a")
        .service(2.0, tick())
        .service(3.0, call("note").arg("tock"));
    let mut play = Play::new(spec);
    play.poll(0.0);
    play.log();
    let mut all = Vec::new();
    for second in 1..=6 {
        play.poll(second.into());
        all.push(play.log().join(" "));
    }
    assert_eq!(all, ["", "tick", "tock", "tick", "", "tock tick"]);
}

#[test]
fn service_runs_in_time_order_with_other_timers() {
    let main = parallel(
        2,
        1,
        [
            sequence([wait(2.0), now("w")]),
            starts("a").service(2.0, tick()),
        ],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.log();
    play.poll(2.0);
    // The wait was set first.
    assert_eq!(play.log(), ["enter w", "exit w success", "drop w", "tick"]);
}

#[test]
fn guard_reacts_at_once_to_what_a_service_writes() {
    let look = call("set_key_value").arg("k").arg(true);
    let guarded = starts("a").guard(super::aborts(guard_key("k"), "lower"));
    let right = starts("b")
        .service(1.0, call("has_key").arg("k"))
        .service(1.0, look);
    let mut play = Play::new(select([guarded, right]));
    // The service runs at entry, so the guard holds before the leaf is called.
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.active(), ["starts"]);
    assert!(play.brief().ends_with("+a"));
}

#[test]
fn an_action_that_may_stay_running_is_no_service() {
    for action in ["starts", "polled"] {
        let spec = starts("a").service(1.0, call(action).arg("x"));
        let tree = bt_core::TreeAsset::build("main", "probe", spec);
        let error = Play::of([tree]).unwrap_err().to_string();
        let words = ["main: node 1", action, "service"];
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn paused_it_waits_as_much_longer() {
    let mut play = Play::new(starts("a").service(2.0, tick()));
    play.poll(0.0);
    play.poll(1.0);
    play.runner.pause();
    play.poll(50.0);
    play.runner.resume();
    ticks(&mut play);
    // It goes on from the first poll after that, with the second that was left.
    play.poll(50.0);
    assert_eq!(play.wake(), Some(51.0));
    play.poll(51.0);
    assert_eq!(ticks(&mut play), 1);
}

#[test]
fn a_suspended_branch_has_no_service() {
    let main = takes(starts("a").service(1.0, tick()), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("b"))]);
    play.poll(0.0);
    play.fire("go").poll(0.5);
    ticks(&mut play);
    play.poll(5.0);
    assert_eq!(ticks(&mut play), 0);
    play.end("b", true);
    // What came due meanwhile has its time once.
    play.poll(6.0);
    assert_eq!(ticks(&mut play), 1);
    play.poll(7.0);
    assert_eq!(ticks(&mut play), 1);
}

#[test]
fn service_runs_while_a_sub_tree_is_active() {
    let main = sequence([sub_tree("sub")]).service(1.0, tick());
    let mut play = Play::trees([("main", main), ("sub", starts("a"))]);
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(ticks(&mut play), 2);
}
