//! Reactive sequences and selects.

use bt_core::tree::asset::spec::{node, reactive_select, reactive_sequence, sequence};
use bt_tests::probe::*;

use super::{above, table};

#[test]
fn in_one_poll_they_are_a_sequence_and_a_select() {
    table(
        &node("reactive_sequence"),
        &[
            ("SSS", S, "+a a:S +b b:S +c c:S"),
            ("SFS", F, "+a a:S +b b:F"),
            ("SRS", R, "+a a:S +b"),
        ],
    );
    table(
        &node("reactive_select"),
        &[
            ("FFF", F, "+a a:F +b b:F +c c:F"),
            ("FSF", S, "+a a:F +b b:S"),
            ("FRF", R, "+a a:F +b"),
        ],
    );
}

#[test]
fn reactive_node_runs_earlier_children_every_poll_and_keeps_the_running_one() {
    for (kind, on) in [("reactive_sequence", true), ("reactive_select", false)] {
        let mut play = Play::new(of(kind, [now("a"), now("b"), starts("c"), now("d")]));
        play.always("a", on).always("b", on).always("d", on);
        let letter = if on { 'S' } else { 'F' };
        let earlier = format!("+a a:{letter} +b b:{letter}");
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), format!("{earlier} +c"));
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), earlier);
        play.end("c", on);
        assert_ne!(play.again(), R);
        assert_eq!(play.brief(), format!("c:{letter} +d d:{letter}"));
    }
}

#[test]
fn an_earlier_child_that_decides_aborts_the_running_one_at_once() {
    for (kind, on, end) in [
        ("reactive_sequence", true, F),
        ("reactive_select", false, S),
    ] {
        let (go, stop) = if on { ("S", "F") } else { ("F", "S") };
        let mut play = Play::new(paired("n", of(kind, [now("a"), now("b"), starts("c")])));
        play.reply("a", [on, on]).reply("b", [on, !on]);
        play.poll(0.0);
        assert_eq!(play.again(), end);
        let first = format!("+n +a a:{go} +b b:{go} +c");
        let second = format!("+a a:{go} +b b:{stop} c:A -n");
        assert_eq!(play.brief(), format!("{first} {second}"));
    }
}

#[test]
fn an_earlier_child_that_stays_running_aborts_the_running_one_at_once() {
    for (kind, on) in [("reactive_sequence", true), ("reactive_select", false)] {
        let letter = if on { 'S' } else { 'F' };
        let mut play = Play::new(of(kind, [starts("a"), starts("b"), starts("c")]));
        play.reply("a", [on]).reply("b", [on]);
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), format!("+a a:{letter} +b b:{letter} +c"));
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "+a c:A");
        // Only what is before the running one is asked.
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "");
        // Several asynchronous children are legal.
        play.end("a", on);
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), format!("a:{letter} +b +a b:A"));
    }
}

#[test]
fn a_winner_deep_below_aborts_before_anything_else_is_entered() {
    let first = sequence([now("a"), starts("b")]);
    let mut play = Play::new(reactive_select([first, starts("c"), now("d")]));
    play.reply("a", [false, true]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:F +c");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b c:A");
    // What it won with goes on as it is.
    play.end("b", false);
    play.reply("a", [false]);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "b:F +c +a a:F");
}

#[test]
fn a_reactive_node_that_a_delivery_moved_on_still_evaluates() {
    let mut play = Play::new(reactive_sequence([now("a"), starts("b"), starts("c")]));
    play.reply("a", [true, true, false]);
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+a a:S +b +a a:S");
    play.end("b", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "b:S +c +a a:F c:A");
}

#[test]
fn a_reactive_node_that_a_delivery_entered_has_had_its_turn() {
    let inner = reactive_sequence([now("a"), starts("b")]);
    let mut play = Play::new(sequence([starts("x"), inner]));
    play.poll(0.0);
    play.end("x", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+x x:S +a a:S +b");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn reactive_node_runs_earlier_children_before_its_polled_child() {
    let mut play = Play::new(reactive_sequence([now("a"), polled("b")]));
    play.reply("a", [true, true, false]);
    play.poll(0.0);
    assert_eq!(play.polls(), [R, F]);
    assert_eq!(play.brief(), "+a a:S +b +a a:S ~b +a a:F b:A");
}

#[test]
fn reactive_select_holds_what_arrives_while_a_child_is_cancelling() {
    let mut play = Play::new(reactive_select([starts("x"), slow("a")]));
    play.reply("x", [F, R]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+x x:F +a");
    play.again();
    assert_eq!(play.brief(), "+x a:A");
    play.end("x", false);
    play.always("x", false);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "a:gone x:F +a +x x:F");
    // It is watched as before.
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+x x:F");
    play.reply("x", [S]);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+x x:S a:A");
}

#[test]
fn a_reactive_node_that_decides_waits_for_what_is_cancelling() {
    let mut play = Play::new(sequence([
        of("always_true", [reactive_sequence([now("x"), slow("a")])]),
        now("y"),
    ]));
    play.reply("x", [true, false]);
    play.poll(0.0);
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+x x:S +a +x x:F a:A");
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:gone +y y:S");
}

#[test]
fn nested_reactive_nodes_ask_from_the_outside_in() {
    let inner = reactive_select([now("b"), starts("c")]);
    let mut play = Play::new(reactive_sequence([now("a"), inner]));
    play.always("b", false);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +b b:F +c");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b b:F");
    play.reply("a", [false]);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:F c:A");
}

#[test]
fn reactive_nodes_in_a_parallel_evaluate_each_once_a_poll() {
    let one = |x: &str, y: &str| reactive_sequence([now(x), starts(y)]);
    let mut play = Play::new(of("parallel", [one("a", "b"), one("c", "d")]));
    play.poll(0.0);
    play.brief();
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+a a:S +c c:S +a a:S +c c:S");
    let mut play = above(node("reactive_sequence"), "SR");
    play.poll(0.0);
}
