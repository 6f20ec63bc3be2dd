//! Numbers of nodes that are expressions, keys or properties, in trees that run.

use serde_json::{Value, json};

#[cfg(feature = "save")]
use super::super::expressions::Walker;
use super::super::expressions::{Game, built};
use crate::tree::asset::spec::{
    NodeSpec, action, expr, node, parallel, select, sequence, set, writes,
};

fn take(what: impl Into<Value>) -> NodeSpec {
    action("take").arg(what)
}

/// A node of a kind over an action, with one number.
fn counted(kind: &str, key: &str, number: impl Into<Value>) -> NodeSpec {
    node(kind).extra(key, number).child(take("in"))
}

/// The values that the agent took in the first poll of a tree, and what was said.
fn played(top: NodeSpec, keys: &[(&str, Value)]) -> (Vec<Value>, Vec<String>) {
    let mut game = Game::new(select([top, take("F")]), keys);
    let said = game.said();
    (game.walker.got, said)
}

#[test]
fn a_number_may_be_an_expression_a_key_or_a_property() {
    let source = |ty: &str, name: &str| json!({"arg_type": ty, "arg_value": name});
    for number in [
        json!(2),
        expr("$n").into(),
        expr("$n / 1 + 0 * @max_hp").into(),
        expr("1 + 1").into(),
        source("blackboard", "n"),
        source("property", "strength"),
        json!({"arg_type": "plain", "arg_value": 2}),
    ] {
        let mut game = Game::new(
            sequence([
                set([("@strength", "2")]),
                counted("repeat", "count", number.clone()),
                node("always_running"),
            ]),
            &[("n", json!(2))],
        );
        assert_eq!(game.walker.got, ["in", "in"], "{number}");
        assert_eq!(game.said(), [""; 0], "{number}");
    }
}

#[test]
fn a_number_is_read_on_entry_after_the_effects_and_kept() {
    let counts = node("repeat")
        .extra("count", expr("$n"))
        .effect("enter", writes([("$n", "$n + 2")]))
        .child(sequence([set([("$n", "9")]), take("in")]));
    let (got, said) = played(
        sequence([counts, node("always_running")]),
        &[("n", json!(1))],
    );
    assert_eq!((got.len(), said.len()), (3, 0), "{said:?}");
}

#[test]
fn a_number_of_an_end_is_read_at_each_end() {
    let ends = node("success_until")
        .extra("count", expr("$n"))
        .child(sequence([set([("$n", "$n + 1")]), take("in")]));
    let top = node("until_failure").extra("count", 5).child(ends);
    let (got, _) = played(top, &[("n", json!(1))]);
    // It is 2 at the first end, 3 at the second: no end is the last one.
    assert_eq!(got, ["in", "in", "in", "in", "in", "F"]);
    let cools = counted("cooldown", "seconds", expr("$t"));
    let top = node("until_failure").extra("count", 5).child(cools);
    let (got, said) = played(top, &[("t", json!(0.5))]);
    assert_eq!((got, said.len()), (vec![json!("in")], 0));
}

#[test]
fn a_number_that_is_none_fails_its_node_with_the_reason() {
    let cases: [(NodeSpec, &str); 14] = [
        (
            counted("repeat", "count", expr("$none")),
            "`count`: `$none`: it is unset",
        ),
        (
            counted("retry", "count", expr("$half")),
            "`count`: `$half`: expected an integer, found 0.5",
        ),
        (
            counted("until_success", "count", expr("$name")),
            "`count`: `$name`: expected an integer, found \"Al\"",
        ),
        (
            counted(
                "loop",
                "count",
                json!({"arg_type": "blackboard", "arg_value": "none"}),
            ),
            "`count`: `$none` is not set",
        ),
        (
            counted("frames", "count", expr("-$one")),
            "`count`: `-$one`: expected 0 at least, found -1",
        ),
        (
            counted("timeout", "seconds", expr("$one - 1")),
            "`seconds`: `$one - 1`: expected more than 0, found 0",
        ),
        (
            counted("delay", "seconds", expr("-$half")),
            "`seconds`: `-$half`: expected 0 at least, found -0.5",
        ),
        (
            counted("cooldown", "seconds", expr("-$half")),
            "`seconds`: `-$half`: expected 0 at least, found -0.5",
        ),
        (
            counted("run_limit", "count", expr("-$one")),
            "`count`: `-$one`: expected 0 at least, found -1",
        ),
        (
            counted("success_until", "count", expr("$half")),
            "`count`: `$half`: expected an integer, found 0.5",
        ),
        (
            parallel(expr("$one - 1"), 1, [take("in")]),
            "`success`: `$one - 1`: expected 1 at least, found 0",
        ),
        (
            parallel(1, expr("$one + 1"), [take("in")]),
            "`failure`: `$one + 1`: expected no more than its 1 child, found 2",
        ),
        (
            node("probility")
                .extra("prob", json!([Value::from(expr("-$one"))]))
                .child(take("in")),
            "`prob`: `-$one`: expected 0 at least, found -1",
        ),
        (
            node("always_running").service(expr("$one - 1"), writes([("$served", "1")])),
            "`seconds`: `$one - 1`: expected more than 0, found 0",
        ),
    ];
    let keys = [
        ("one", json!(1)),
        ("half", json!(0.5)),
        ("name", json!("Al")),
    ];
    for (top, expected) in cases {
        let (got, said) = played(top, &keys);
        assert_eq!(got.last(), Some(&json!("F")), "{expected}: {got:?}");
        assert_eq!(said.len(), 1, "{expected}: {said:?}");
        assert!(said[0].contains(expected), "{said:?}");
    }
}

#[test]
fn a_number_that_is_none_is_said_once_until_it_is_right() {
    let mut game = Game::new(
        sequence([node("always_true").child(counted("repeat", "count", expr("$n")))]),
        &[],
    );
    (0..3).for_each(|_| game.poll());
    assert_eq!(game.said().len(), 1);
    game.set("n", 1);
    assert_eq!((game.walker.got.len(), game.said().len()), (1, 0));
    game.set("n", "no");
    assert_eq!(game.said().len(), 1);
}

#[test]
fn times_and_weights_are_read_when_they_are_needed() {
    let wait = counted("delay", "seconds", expr("$t / 1000"));
    let top = sequence([
        node("timeout").extra("seconds", expr("$t")).child(wait),
        node("probility")
            .extra("prob", json!([0, Value::from(expr("$t"))]))
            .children([take("never"), take("drawn")]),
        node("always_running"),
    ]);
    let mut game = Game::new(top, &[("t", json!(25))]);
    game.poll();
    game.poll();
    assert_eq!(game.walker.got, [""; 0]);
    game.poll();
    assert_eq!(game.walker.got, ["in", "drawn"]);
}

#[test]
fn a_service_runs_at_the_interval_that_it_had_on_entry() {
    let top =
        node("always_running").service(expr("$t"), writes([("$n", "($n ?? 0) + 1"), ("$t", "9")]));
    let mut game = Game::new(top, &[("t", json!(0.02))]);
    (0..4).for_each(|_| game.poll());
    assert_eq!(game.runner.blackboard().get("n"), json!(3));
}

#[test]
fn thresholds_may_be_expressions() {
    let top = |success: &str| {
        sequence([
            parallel(expr(success), 3, [take(1), take(2), node("always_running")]),
            take("over"),
            node("always_running"),
        ])
    };
    let over = |success: &str| {
        let game = Game::new(top(success), &[("n", json!(2))]);
        game.walker.got.contains(&json!("over"))
    };
    assert!(over("$n") && !over("$n + 1"));
    // One that is not stated follows from the other.
    let stated = node("parallel").extra("success", expr("$n"));
    let fails = stated.children([node("always_running"), counted("negative", "x", 0)]);
    let (got, _) = played(fails, &[("n", json!(2))]);
    assert_eq!(got, ["in", "F"]);
}

#[cfg(feature = "save")]
mod moved {
    use super::*;
    use crate::reload::Changes;
    use crate::snapshot::Saved;
    use crate::{Runner, TreeAsset, TreeSet, Trees};

    fn loops(count: impl Into<Value>) -> NodeSpec {
        let counts = node("loop").extra("count", count).child(take("in"));
        let either = select([sequence([counts, take("S")]), take("F")]);
        sequence([either, node("always_running")])
    }

    fn move_to(game: &mut Game, new: NodeSpec) {
        let new: Trees<_> = built(new);
        let changes = Changes::between(game.runner.trees(), &new);
        game.runner.reload(&changes);
        game.poll();
    }

    #[test]
    fn a_saved_agent_has_the_numbers_that_its_nodes_read() {
        let top = sequence([
            counted("repeat", "count", 1),
            node("loop").extra("count", expr("$n")).child(take("in")),
            node("always_running").service(expr("$t"), writes([("$s", "($s ?? 0) + 1")])),
        ]);
        let mut game = Game::new(top, &[("n", json!(3)), ("t", json!(0.02))]);
        let restore = |game: &mut Game| {
            let saved = Saved::from_json(&game.runner.save().to_json()).unwrap();
            game.runner = Runner::restore(game.runner.trees(), &saved).unwrap();
        };
        game.set("n", 9);
        restore(&mut game);
        game.poll();
        game.poll();
        assert_eq!(game.walker.got.len(), 4);
        restore(&mut game);
        game.set("t", 9);
        (0..5).for_each(|_| game.poll());
        assert_eq!(game.runner.blackboard().get("s"), json!(4));
    }

    #[test]
    fn a_saved_number_that_is_none_is_refused() {
        let mut game = Game::new(loops(expr("$n")), &[("n", json!(3))]);
        let text = game.runner.save().to_json();
        assert!(text.contains(r#""numbers":[{"at":4,"is":3}]"#), "{text}");
        for (from, to, expected) in [
            (r#""is":3}"#, r#""is":"x"}"#, "none that it takes"),
            (
                r#"{"at":4,"is":3}"#,
                "",
                "a number that it read is not there",
            ),
            (
                r#"{"at":4,"is":3}"#,
                r#"{"at":4,"is":3},{"at":4,"is":3}"#,
                "twice",
            ),
            (
                r#"{"at":4,"is":3}"#,
                r#"{"at":3,"is":3}"#,
                "it has no such number",
            ),
        ] {
            let saved = Saved::from_json(&text.replace(from, to)).unwrap();
            let error = Runner::restore(game.runner.trees(), &saved)
                .map(|_| ())
                .unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
        game.poll();
    }

    #[test]
    fn a_reload_keeps_a_number_that_means_the_same_and_reads_another() {
        let mut game = Game::new(loops(expr("$n")), &[("n", json!(3))]);
        game.runner.blackboard().set("n", 1);
        move_to(&mut game, loops(expr(" $n # as before")));
        assert_eq!(game.walker.got.len(), 2);
        // It is 2 now, and two runs are over.
        move_to(&mut game, loops(expr("$n + 1")));
        assert_eq!(game.walker.got, ["in", "in", "S"]);
        assert_eq!(game.said(), [""; 0]);
    }

    #[test]
    fn a_number_that_cannot_be_read_when_the_agent_moves_fails_its_node() {
        let mut game = Game::new(loops(9), &[]);
        move_to(&mut game, loops(expr("$n")));
        assert_eq!(game.walker.got, ["in", "F"]);
        let said = game.said();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("`count`: `$n`: it is unset"), "{said:?}");
    }

    #[test]
    fn deadlines_and_services_count_from_the_entry_with_the_number_of_the_changed_tree() {
        let top = |seconds: Value, every: Value| {
            let waits = node("always_running").service(every, writes([("$s", "($s ?? 0) + 1")]));
            let timed = node("timeout").extra("seconds", seconds).child(waits);
            select([timed, take("F"), node("always_running")])
        };
        let new = top(expr("$t").into(), expr("$t / 2").into());
        let mut game = Game::new(top(json!(9), json!(9)), &[("t", json!(0.04))]);
        // Polled at 10, 20, 30, …: it began at 10, so its service is due at 30 and its time is over at 50.
        move_to(&mut game, new);
        game.poll();
        assert_eq!(game.runner.blackboard().get("s"), json!(2));
        game.poll();
        assert_eq!(game.walker.got, [""; 0]);
        game.poll();
        assert_eq!(game.walker.got, ["F"]);
    }

    /// A tree whose leaf has the number that it has in all of them.
    fn around(kind: &str) -> Trees<Walker> {
        let leaf = r#"{"idx": 1, "type": "always_running", "children": []}"#;
        let (first, loops) = match kind {
            "" => (1, String::new()),
            count => {
                let count = Value::from(expr(count));
                let nodes = r#", {"idx": 2, "type": "select", "children": [3, 4]},
                    {"idx": 4, "type": "action", "children": [], "extra": {"action_name": "take",
                     "action_args": [{"arg_type": "plain", "arg_value": "F"}]}}"#;
                let around = format!(
                    r#", {{"idx": 3, "type": "loop", "children": [1], "extra": {{"count": {count}}}}}"#
                );
                (2, format!("{nodes}{around}"))
            }
        };
        let text = format!(
            r#"{{"nodes": [{{"idx": 0, "type": "root", "children": [{first}],
                "extra": {{"agent_name": "expressive"}}}}, {leaf}{loops}]}}"#
        );
        let mut set = TreeSet::new();
        set.add(TreeAsset::from_json("main", &text).unwrap());
        set.build().unwrap()
    }

    #[test]
    fn an_adopted_node_reads_its_numbers_then() {
        let adopt = |count: &str| {
            let mut game = Game::of(&around(""), &[("n", json!(2))]);
            let changes = Changes::between(game.runner.trees(), &around(count));
            game.runner.reload(&changes);
            game.poll();
            let text = game.runner.save().to_json();
            let reads = text.contains(r#""numbers":[{"at":3,"is":2}]"#);
            (reads, game.walker.got.clone(), game.said().len())
        };
        assert_eq!(adopt("$n"), (true, vec![], 0));
        let (reads, got, said) = adopt("$none");
        assert_eq!((reads, got.first(), said), (false, Some(&json!("F")), 1));
    }
}
