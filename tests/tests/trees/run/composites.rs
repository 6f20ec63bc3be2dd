//! Composites, but for the parallel and the reactive ones.

use bt_core::tree::asset::spec::{node, select, sequence};
use bt_tests::probe::*;

use super::{above, replies, table};

#[test]
fn sequence_continues_while_its_children_succeed() {
    table(
        &node("sequence"),
        &[
            ("SSS", S, "+a a:S +b b:S +c c:S"),
            ("SFS", F, "+a a:S +b b:F"),
            ("FSS", F, "+a a:F"),
            ("SRS", R, "+a a:S +b"),
            ("SSF", F, "+a a:S +b b:S +c c:F"),
        ],
    );
}

#[test]
fn select_continues_while_its_children_fail() {
    table(
        &node("select"),
        &[
            ("FFF", F, "+a a:F +b b:F +c c:F"),
            ("FSF", S, "+a a:F +b b:S"),
            ("SFF", S, "+a a:S"),
            ("FRF", R, "+a a:F +b"),
            ("FFS", S, "+a a:F +b b:F +c c:S"),
        ],
    );
}

#[test]
fn a_running_child_is_resumed_alone() {
    for (kind, on, end) in [("sequence", true, "S"), ("select", false, "F")] {
        let mut play = Play::new(of(kind, [now("a"), starts("b"), polled("c"), now("d")]));
        play.always("a", on).always("d", on);
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), format!("+a a:{end} +b"));
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "");
        play.end("b", on);
        play.reply("c", [R, R, if on { S } else { F }]);
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), format!("b:{end} +c"));
        assert_eq!(play.again(), R);
        assert_eq!(play.again(), if on { S } else { F });
        assert_eq!(play.brief(), format!("~c ~c c:{end} +d d:{end}"));
    }
}

#[test]
fn a_sequence_that_failed_and_a_select_that_succeeded_start_at_their_first_child() {
    for (kind, replies) in [("sequence", [S, F, S, S]), ("select", [F, S, F, F])] {
        let mut play = Play::new(of(kind, [now("a"), now("b")])).looping();
        let [first, second, ..] = replies;
        play.reply("a", [first, first]).reply("b", [second, first]);
        assert_eq!(play.poll(0.0), second);
        assert_eq!(play.again(), first);
        let ends = ["S", "F"].map(|end| end.to_owned());
        let (x, y) = if first == S {
            (&ends[0], &ends[1])
        } else {
            (&ends[1], &ends[0])
        };
        assert_eq!(play.brief(), format!("+a a:{x} +b b:{y} +a a:{x} +b b:{x}"));
    }
}

#[test]
fn a_memory_sequence_keeps_its_place_over_its_own_failure() {
    let mut play = above(node("memory_sequence"), "SFS").looping();
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.brief(), "+a a:S +b b:F");
    play.reply("b", [F]);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+b b:F");
    play.reply("b", [S]);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:S +c c:S");
    // It ended with success: from the start again.
    replies(&mut play, "SSS");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +b b:S +c c:S");
}

#[test]
fn a_memory_select_keeps_its_place_over_its_own_success() {
    let mut play = above(node("memory_select"), "FSF").looping();
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:F +b b:S");
    play.reply("b", [F]);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+b b:F +c c:F");
    // It ended with failure: from the start again.
    replies(&mut play, "FFF");
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:F +b b:F +c c:F");
}

#[test]
fn a_memory_is_cleared_when_its_node_is_aborted() {
    for (kind, on) in [("memory_sequence", true), ("memory_select", false)] {
        let mut play = Play::new(of(kind, [starts("a"), starts("b")])).looping();
        play.always("a", on).reply("b", [!on]);
        play.poll(0.0);
        assert_eq!(play.again(), R, "at b, where it had ended");
        play.brief();
        play.stop().runner.start();
        play.poll(0.0);
        let letter = if on { "S" } else { "F" };
        assert_eq!(play.brief(), format!("b:A +a a:{letter} +b"), "{kind}");
    }
}

#[test]
fn a_memory_outlives_a_stop_while_its_node_is_not_active() {
    let mut play = Play::new(sequence([
        of("always_true", [of("memory_sequence", [now("a"), now("b")])]),
        starts("c"),
    ]));
    play.reply("b", [false]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +b b:F +c");
    play.stop().runner.start();
    play.poll(0.0);
    assert_eq!(play.brief(), "c:A +b b:S +c");
}

#[test]
fn always_seq_runs_all_children_whatever_they_return() {
    table(
        &node("always_seq"),
        &[
            ("SFS", S, "+a a:S +b b:F +c c:S"),
            ("FFF", S, "+a a:F +b b:F +c c:F"),
            ("FRS", R, "+a a:F +b"),
        ],
    );
    let mut play = above(node("always_seq"), "FRF");
    play.poll(0.0);
    play.end("b", false);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:F +b b:F +c c:F");
}

#[test]
fn if_else_evaluates_once_and_keeps_its_branch() {
    table(
        &node("if_else"),
        &[
            ("SSF", S, "+a a:S +b b:S"),
            ("SFS", F, "+a a:S +b b:F"),
            ("FSS", S, "+a a:F +c c:S"),
            ("FSF", F, "+a a:F +c c:F"),
            ("SRS", R, "+a a:S +b"),
            ("FSR", R, "+a a:F +c"),
            ("SS", S, "+a a:S +b b:S"),
            ("SF", F, "+a a:S +b b:F"),
            // No else.
            ("FS", F, "+a a:F"),
        ],
    );
    let mut play = above(node("if_else"), "SRS");
    play.poll(0.0);
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+a a:S +b");
}

#[test]
fn the_condition_of_if_else_may_run() {
    for (answer, brief) in [(true, "a:S +b b:S"), (false, "a:F +c c:S")] {
        let mut play = above(node("if_else"), "RSS");
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), "+a");
        play.end("a", answer);
        assert_eq!(play.again(), S);
        assert_eq!(play.brief(), brief);
    }
}

#[test]
fn while_loop_evaluates_its_condition_before_each_run_and_ignores_results() {
    let mut play = Play::new(of("while_loop", [now("a"), starts("b")]));
    play.reply("a", [true, true, true, false]);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b");
    play.end("b", false);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "b:F +a a:S +b");
    play.end("b", true);
    assert_eq!(play.again(), R);
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "b:S +a a:S +b b:S +a a:F");
}

#[test]
fn a_while_loop_whose_condition_fails_succeeds() {
    table(
        &node("while_loop"),
        &[("FS", S, "+a a:F"), ("RS", R, "+a"), ("SR", R, "+a a:S +b")],
    );
}

#[test]
fn an_instant_body_of_a_while_loop_is_run_once_a_poll() {
    let mut play = Play::new(of("while_loop", [now("a"), now("b")]));
    play.reply("a", [true, true, true, false]);
    for _ in 0..3 {
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), "+a a:S +b b:S");
    }
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:F");
}

#[test]
fn and_or_ask_conditions_in_order_and_cut_short() {
    for (kind, answers, status, brief) in [
        ("and", [true, true, true], S, "?a ?b ?c"),
        ("and", [true, false, true], F, "?a ?b"),
        ("and", [false, true, true], F, "?a"),
        ("or", [false, false, false], F, "?a ?b ?c"),
        ("or", [false, true, false], S, "?a ?b"),
        ("or", [true, false, false], S, "?a"),
    ] {
        let mut play = Play::new(of(kind, ["a", "b", "c"].map(holds)));
        for (name, answer) in ["a", "b", "c"].iter().zip(answers) {
            play.flag(name, answer);
        }
        assert_eq!(play.poll(0.0), status);
        assert_eq!(play.brief(), brief);
    }
}

#[test]
fn a_sequence_of_no_children_succeeds_and_a_select_fails() {
    for (kind, status) in [
        ("sequence", S),
        ("memory_sequence", S),
        ("reactive_sequence", S),
        ("random_seq", S),
        ("always_seq", S),
        ("select", F),
        ("memory_select", F),
        ("reactive_select", F),
        ("random_select", F),
    ] {
        assert_eq!(Play::new(of(kind, [])).poll(0.0), status, "{kind}");
    }
}

#[test]
fn a_chain_of_instant_nodes_finishes_in_one_poll() {
    let mut deep = now("leaf");
    for number in 0..200 {
        deep = match number % 3 {
            0 => sequence([now("first"), deep]),
            1 => select([deep]),
            _ => of("negative", [of("negative", [deep])]),
        };
    }
    assert_eq!(Play::new(deep).poll(0.0), S);
}
