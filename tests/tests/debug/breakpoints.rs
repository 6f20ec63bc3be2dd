//! Each kind of breakpoint, conditions, hit counts and logpoints.

use bt_core::debug::{Breakpoint, Compare, Condition, Hits, On, Why};
use bt_core::tree::asset::spec::{reactive_select, select, sequence};
use bt_tests::probe::*;

use super::harness::*;

fn main() -> String {
    "main".to_owned()
}

#[test]
fn enter_stops_before_anything_of_the_node_is_called() {
    let top = sequence([
        now("a"),
        paired("b", now("b")).guard(guard_holds("g")),
        now("c"),
    ]);
    let mut play = Play::new(top);
    play.flag("g", true);
    break_on(&mut play, [enter(3)]);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a a:S ?g");
    assert_eq!(place(&play), ("node_enter", Some(3)));
    assert_eq!(stop(&play).why, Why::Breakpoint(1));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "", "it stays there");
    go(&mut play);
    assert_eq!(play.brief(), "+b +b b:S -b +c c:S");
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn node_that_its_guard_refuses_is_not_entered() {
    let mut play = Play::new(select([now("a").guard(guard_holds("g")), now("b")]));
    break_on(&mut play, [enter(2)]);
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn exit_success_and_failure_stop_before_the_parent_learns_of_it() {
    let (tree, idx) = (main(), 2);
    let on = [
        On::Exit {
            tree: tree.clone(),
            idx,
        },
        On::Success {
            tree: tree.clone(),
            idx,
        },
        On::Failure { tree, idx },
    ];
    for (success, stops) in [(true, [true, true, false]), (false, [true, false, true])] {
        for (on, stops) in on.clone().into_iter().zip(stops) {
            let mut play = Play::new(sequence([now("a"), now("b")]));
            play.reply("a", [success]);
            break_on(&mut play, [on]);
            play.poll(0.0);
            assert_eq!(play.runner.stopped().is_some(), stops);
            if stops {
                assert_eq!(place(&play), ("node_leave", Some(2)));
                assert_eq!(play.brief(), if success { "+a a:S" } else { "+a a:F" });
                go(&mut play);
            }
            assert_eq!(play.runner.result(), Some(success));
        }
    }
}

#[test]
fn abort_stops_once_the_abort_is_done_and_before_anything_is_entered() {
    let mut play = Play::new(reactive_select([holds("g"), starts("a")]));
    let (tree, idx) = (main(), 3);
    break_on(&mut play, [On::Abort { tree, idx }]);
    play.poll(0.0);
    play.flag("g", true);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(place(&play), ("node_leave", Some(3)));
    assert!(play.brief().ends_with("a:A"));
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn abort_of_several_nodes_is_one_stop_that_names_the_first_exit() {
    let mut play = Play::new(reactive_select([holds("g"), sequence([starts("a")])]));
    let abort = |idx| {
        let tree = main();
        On::Abort { tree, idx }
    };
    break_on(&mut play, [abort(3), abort(4)]);
    play.poll(0.0);
    play.flag("g", true);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(place(&play), ("node_leave", Some(4)));
    assert_eq!(stop(&play).why, Why::Breakpoint(2));
    let active = play.runner.active_nodes();
    assert!(active.iter().all(|node| node.idx < 3), "3 is exited, too");
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn call_stops_after_a_method_of_that_name() {
    let mut play = Play::new(sequence([now("a"), holds("g"), now("b")]));
    play.flag("g", true);
    let name = "holds".to_owned();
    break_on(&mut play, [On::Call { name }]);
    play.poll(0.0);
    assert_eq!(stop(&play).idx, Some(3));
    assert_eq!(play.brief(), "+a a:S ?g");
    go(&mut play);
    assert_eq!(play.brief(), "+b b:S");
}

#[test]
fn guard_stops_on_its_answer_before_the_entry() {
    for (holds, answer, stops) in [
        (None, true, true),
        (Some(true), true, true),
        (Some(false), true, false),
        (Some(false), false, true),
    ] {
        let mut play = Play::new(select([now("a").guard(guard_holds("g")), now("b")]));
        play.flag("g", answer);
        let (tree, idx) = (main(), 2);
        break_on(&mut play, [On::Guard { tree, idx, holds }]);
        play.poll(0.0);
        assert_eq!(play.runner.stopped().is_some(), stops);
        if stops {
            assert_eq!(place(&play), ("guard", Some(2)));
            assert_eq!(play.brief(), "?g");
            assert!(!play.runner.active_nodes().iter().any(|node| node.idx == 2));
            go(&mut play);
        }
        assert_eq!(play.runner.result(), Some(true));
    }
}

#[test]
fn key_stops_after_the_call_that_wrote_it() {
    let mut play = Play::new(sequence([now("a"), paired("b", now("b")), now("c")]));
    play.on_call("b", |cx| cx.set("hp", 3));
    let name = "hp".to_owned();
    break_on(&mut play, [On::Key { name }]);
    play.poll(0.0);
    assert_eq!(place(&play), ("bb_set", Some(3)));
    // The effects of its exit come later.
    assert_eq!(play.brief(), "+a a:S +b +b b:S");
    go(&mut play);
    assert_eq!(play.brief(), "-b +c c:S");
}

#[test]
fn key_that_the_host_wrote_stops_at_the_next_poll() {
    let mut play = Play::new(now("a"));
    let name = "hp".to_owned();
    break_on(&mut play, [On::Key { name }]);
    play.set("hp", 1);
    play.poll(0.0);
    assert_eq!(place(&play), ("bb_set", None));
    assert_eq!(play.brief(), "");
    go(&mut play);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn expression_stops_when_it_turns_true_and_not_while_it_stays_true() {
    let steps = [3, 4, 30, 5].map(|hp| {
        let action = bt_core::tree::asset::spec::action("set_key_value");
        action.arg("hp").arg(hp)
    });
    let mut play = Play::new(sequence(steps));
    let text = "$hp < $limit".to_owned();
    break_on(&mut play, [On::Expression { text }]);
    play.set("limit", 10);
    play.poll(0.0);
    // `$hp` was unset, which is not true.
    assert_eq!(place(&play), ("bb_set", Some(2)));
    // 4 is no change; 30 is, and 5 is true again.
    go(&mut play);
    assert_eq!(place(&play), ("bb_set", Some(5)));
    go(&mut play);
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn expression_that_is_true_when_its_breakpoint_is_set_stops_when_it_turns_true_anew() {
    let mut play = Play::new(sequence([starts("a"), starts("b"), starts("c")]));
    play.set("hp", 3);
    play.poll(0.0);
    let text = "$hp < 10".to_owned();
    break_on(&mut play, [On::Expression { text }]);
    for (hp, stops) in [(4, false), (10, false), (9, true)] {
        play.set("hp", hp);
        play.again();
        assert_eq!(play.runner.stopped().is_some(), stops, "{hp}");
    }
    go(&mut play);
    // All keys are cleared.
    let text = "!has($hp)".to_owned();
    break_on(&mut play, [On::Expression { text }]);
    play.runner.reset();
    play.again();
    assert_eq!(place(&play).0, "bb_clear");
}

#[test]
fn event_stops_when_it_is_fired_and_when_it_is_taken() {
    let wait = bt_core::tree::asset::spec::wait_event("go");
    let mut play = Play::new(sequence([wait, now("a")]));
    let name = "go".to_owned();
    break_on(&mut play, [On::Event { name }]);
    play.poll(0.0);
    play.fire("go");
    play.poll(1.0);
    assert_eq!(place(&play), ("event_fired", None));
    go(&mut play);
    assert_eq!(place(&play), ("event_consumed", Some(2)));
    assert_eq!(play.brief(), "");
    go(&mut play);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn condition_decides_whether_a_breakpoint_counts() {
    let low = Condition::new("hp", Compare::Less, 10);
    for (hp, stops) in [(Some(3), true), (Some(30), false), (None, false)] {
        let mut play = Play::new(now("a"));
        set(&mut play, [Breakpoint::new(1, enter(1)).when(low.clone())]);
        if let Some(hp) = hp {
            play.set("hp", hp);
        }
        play.poll(0.0);
        assert_eq!(play.runner.stopped().is_some(), stops, "{hp:?}");
    }
}

#[test]
fn comparisons_of_unlike_values_do_not_hold() {
    for (text, of_three, of_none) in [
        ("hp == 3.0", true, false),
        ("hp != 3", false, true),
        ("hp < 4", true, false),
        ("hp <= 3", true, false),
        ("hp > 3", false, false),
        ("hp >= 3", true, false),
        ("hp < \"4\"", false, false),
        ("hp == null", false, false),
    ] {
        let condition: Condition = text.parse().expect("it is one");
        for (hp, holds) in [(Some(3), of_three), (None, of_none)] {
            let mut play = Play::new(now("a"));
            set(
                &mut play,
                [Breakpoint::new(1, enter(1)).when(condition.clone())],
            );
            if let Some(hp) = hp {
                play.set("hp", hp);
            }
            play.poll(0.0);
            assert_eq!(play.runner.stopped().is_some(), holds, "{text}, {hp:?}");
        }
    }
}

#[test]
fn hits_count_some_of_the_times() {
    let stops = |hits: Hits| {
        let mut play = Play::new(now("a")).looping();
        set(&mut play, [Breakpoint::new(1, enter(1)).hits(hits)]);
        let mut found = Vec::new();
        for number in 1..=9 {
            play.poll(f64::from(number));
            if play.runner.stopped().is_some() {
                found.push(number);
                go(&mut play);
            }
        }
        found
    };
    assert_eq!(stops(Hits::AtLeast(7)), [7, 8, 9]);
    assert_eq!(stops(Hits::Every(4)), [4, 8]);
    assert_eq!(stops(Hits::Every(0)).len(), 9);
}

#[test]
fn logpoint_writes_a_record_and_does_not_stop() {
    let mut play = Play::new(sequence([now("a"), now("b")]));
    let trace = Trace::of(&mut play);
    set(&mut play, [Breakpoint::new(1, exit(2)).log("a is over")]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(trace.notes("log"), [(2, "a is over".to_owned())]);
}

#[test]
fn agent_without_breakpoints_is_not_traced_any_more() {
    let mut play = Play::new(now("a")).looping();
    break_on(&mut play, [enter(1)]);
    assert_eq!(play.runner.breakpoints().map(|all| all.len()), Some(1));
    play.poll(0.0);
    play.runner.set_breakpoints(None);
    assert!(play.runner.stopped().is_some(), "what is stopped stays so");
    go(&mut play);
    assert!(play.runner.breakpoints().is_none());
    play.poll(1.0);
    assert!(play.runner.stopped().is_none());
}
