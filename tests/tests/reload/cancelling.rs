//! Tests of what was decided and not entered when the trees change: something was still cancelling. It is
//! entered as the changed trees have it.

use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{
    NodeSpec, call, negative, node, parallel, reactive_sequence, select, sequence, sub_tree,
};
use bt_tests::probe::*;
use serde_json::json;

use super::harness::*;

fn lower(node: NodeSpec, key: &str) -> NodeSpec {
    node.guard(guard_key(key).set("abort", "lower"))
}

fn own(node: NodeSpec, key: &str) -> NodeSpec {
    node.guard(guard_key(key).set("abort", "self"))
}

fn takes(node: NodeSpec, tree: &str, mode: &str) -> NodeSpec {
    let taken = json!({"event": "go", "tree": tree, "mode": mode});
    node.extra("events", json!([taken]))
}

/// `b` is cancelling when the trees change, and gone in the next poll: what happens then.
fn gone_in<const N: usize>(play: &mut Play, new: [(&str, NodeSpec); N]) -> String {
    assert!(play.brief().ends_with("b:A"), "it is cancelling");
    changes(play, new);
    play.poll(2.0);
    assert_eq!(play.brief(), "", "it is cancelling still");
    play.end("b", true);
    play.poll(3.0);
    play.brief()
}

/// A winner, and the loser that is cancelling.
fn won(kind: &str, winner: NodeSpec) -> Play {
    let mut play = play(n(1, of(kind, [lower(n(2, winner), "k"), n(3, slow("b"))])));
    play.poll(0.0);
    play.set("k", true).poll(1.0);
    play
}

#[test]
fn winner_is_entered_as_the_changed_trees_have_it() {
    for kind in ["select", "memory_select"] {
        let b = || n(3, slow("b"));
        let became = |children: Vec<NodeSpec>| {
            let mut play = won(kind, starts("old"));
            play.set("h", true);
            gone_in(&mut play, [("main", n(1, of(kind, children)))])
        };
        let winner = |idx, key| lower(n(idx, starts("new")), key);
        for (what, children, expected) in [
            ("another call", vec![winner(2, "k"), b()], "b:gone +new"),
            ("another node", vec![winner(9, "k"), b()], "b:gone +new"),
            ("nothing", vec![b()], "b:gone +b"),
            ("no guard", vec![n(2, starts("new")), b()], "b:gone +new"),
            (
                "a guard that does not hold",
                vec![winner(2, "no"), b()],
                "b:gone +b",
            ),
            (
                "a child further left whose guard holds",
                vec![lower(n(9, starts("x")), "h"), winner(2, "k"), b()],
                "b:gone +x",
            ),
            (
                "a child further right",
                vec![b(), winner(2, "k")],
                "b:gone +new",
            ),
            (
                "another kind",
                vec![lower(n(2, sequence([n(8, starts("new"))])), "k"), b()],
                "b:gone +new",
            ),
            (
                "a loser that is gone",
                vec![winner(2, "k"), n(9, starts("c"))],
                "b:gone +new",
            ),
        ] {
            assert_eq!(became(children), expected, "{kind}: {what}");
        }
    }
}

#[test]
fn winner_of_a_loser_that_cancels_in_the_poll_of_the_reload_is_that_of_the_changed_trees() {
    let main = |word| n(1, select([lower(n(2, starts(word)), "k"), n(3, slow("b"))]));
    let other = |word| ("other", n(1, now(word)));
    let mut play = plays([("main", main("old")), other("x")]);
    play.cancels("b", Reply::After(0.0, true));
    play.poll(0.0);
    play.set("k", true);
    // Something else is cancelling in the poll of the reload, no longer than this.
    changes(&mut play, [("main", main("new")), other("y")]);
    play.poll(1.0);
    assert_eq!(play.brief(), "+b b:A b:gone +new");
}

#[test]
fn winner_with_effects_is_entered_in_the_changed_trees_alone() {
    let noted = |word: &str| paired(word, starts(word));
    let main = |word| n(1, select([lower(n(2, noted(word)), "k"), n(3, slow("b"))]));
    let mut play = play(main("old"));
    play.poll(0.0);
    play.set("k", true).poll(1.0);
    assert_eq!(
        gone_in(&mut play, [("main", main("new"))]),
        "b:gone +new +new"
    );
}

#[test]
fn next_child_is_entered_as_the_changed_trees_have_it() {
    type Made = fn(NodeSpec) -> NodeSpec;
    let cases: [(&str, Made); 8] = [
        ("own guard", |next| {
            n(1, select([own(n(2, slow("b")), "k"), next]))
        }),
        ("timeout", |next| {
            let b = n(2, timed("timeout", 1.0, n(3, slow("b"))));
            n(1, select([b, next]))
        }),
        ("frames", |next| {
            n(
                1,
                sequence([n(2, times("frames", 2, n(3, slow("b")))), next]),
            )
        }),
        ("reactive", |next| {
            let b = n(2, reactive_sequence([n(4, key_true("k")), n(3, slow("b"))]));
            n(1, select([b, next]))
        }),
        ("parallel", |next| {
            let b = n(
                2,
                parallel(2, 1, [n(3, slow("b")), own(n(4, starts("w")), "k")]),
            );
            n(1, select([b, next]))
        }),
        ("repeat", |next| {
            let b = own(n(3, slow("b")), "k");
            n(1, times("retry", 3, n(2, select([b, next]))))
        }),
        ("negative", |next| {
            n(
                1,
                sequence([n(2, negative(own(n(3, slow("b")), "k"))), next]),
            )
        }),
        ("called tree", |next| {
            n(1, select([n(2, sub_tree("sub")), next]))
        }),
    ];
    for (name, main) in cases {
        for new in [n(5, starts("new")), n(6, starts("new"))] {
            let sub = || ("sub", own(n(1, slow("b")), "k"));
            let mut play = plays([("main", main(n(5, starts("old")))), sub()]);
            play.set("k", true).poll(0.0);
            play.set("k", false).poll(1.0);
            let log = gone_in(&mut play, [("main", main(new)), sub()]);
            assert_eq!(log.rsplit(" ").next(), Some("+new"), "{name}: {log}");
            assert!(!log.contains("+old"), "{name}: {log}");
        }
    }
}

#[test]
fn tree_that_starts_is_entered_as_the_changed_trees_have_it() {
    type Act = fn(&mut Play);
    let beside = |rest: NodeSpec| {
        let rest = n(3, sequence([n(4, starts("w")), n(5, rest)]));
        n(1, parallel(2, 1, [n(2, slow("b")), rest]))
    };
    let transfer = || sub_tree("other").extra("mode", "transfer");
    let end_w: Act = |play| assert!(play.end("w", true));
    let fires: Act = |play| {
        play.fire("go");
    };
    let loads: Act = |play| play.runner.load("other").expect("it is there");
    let cases: [(&str, NodeSpec, Act); 3] = [
        ("transfer", beside(transfer()), end_w),
        ("event", takes(n(1, slow("b")), "other", "transfer"), fires),
        ("load", n(1, slow("b")), loads),
    ];
    for (name, main, act) in cases {
        for idx in [1, 2] {
            let other = |idx, word| ("other", n(idx, starts(word)));
            let mut play = plays([("main", main.clone()), other(1, "old")]);
            play.poll(0.0);
            act(&mut play);
            play.poll(1.0);
            let log = gone_in(&mut play, [("main", main.clone()), other(idx, "new")]);
            assert_eq!(log, "b:gone +new", "{name}");
        }
    }
}

#[test]
fn tree_that_restarts_is_entered_as_the_changed_trees_have_it() {
    let main = |word| n(1, sequence([n(2, now(word)), n(3, slow("b"))]));
    let mut play = play(main("old"));
    play.poll(0.0);
    play.runner.reset();
    play.poll(1.0);
    assert_eq!(gone_in(&mut play, [("main", main("new"))]), "b:gone");
    play.again();
    assert_eq!(play.brief(), "+new new:S +b");
}

/// A winner, and a loser that is cancelling in a tree that an event has suspended: what happens when that continues.
fn suspended(children: Vec<NodeSpec>) -> String {
    let main = |children: Vec<NodeSpec>| {
        let both = parallel(2, 1, [n(7, starts("x")), n(8, of("select", children))]);
        n(1, takes(both, "other", "return"))
    };
    let old = vec![lower(n(2, starts("old")), "k"), n(3, slow("b"))];
    let other = || ("other", n(1, starts("o")));
    let mut play = plays([("main", main(old)), other()]);
    play.poll(0.0);
    play.set("k", true).poll(1.0);
    play.fire("go").poll(1.0);
    assert_eq!(play.brief(), "+x +b b:A +o");
    changes(&mut play, [("main", main(children)), other()]);
    play.poll(2.0);
    let mut log = play.brief();
    play.end("b", true);
    play.end("o", true);
    play.poll(3.0);
    log = format!("{log} {}", play.brief());
    assert_eq!(play.active().len(), 2, "{log}");
    log.trim().to_owned()
}

#[test]
fn winner_in_a_suspended_tree_is_entered_as_the_changed_trees_have_it() {
    let b = || n(3, slow("b"));
    let winner = |idx, key| lower(n(idx, starts("new")), key);
    for (what, children, expected) in [
        ("another call", vec![winner(2, "k"), b()], "o:S b:gone +new"),
        ("another node", vec![winner(9, "k"), b()], "b:gone o:S +new"),
        ("nothing", vec![b()], "b:gone o:S +b"),
        (
            "a guard that does not hold",
            vec![winner(2, "no"), b()],
            "o:S b:gone +b",
        ),
        (
            "a loser that is gone",
            vec![winner(2, "k"), n(9, starts("c"))],
            "b:gone o:S +new",
        ),
    ] {
        assert_eq!(suspended(children), expected, "{what}");
    }
}

#[test]
fn winner_is_entered_in_the_old_trees_where_an_agent_stays_with_them() {
    let main = |word| n(1, select([lower(n(2, starts(word)), "k"), n(3, slow("b"))]));
    let mut play = play(main("old"));
    play.poll(0.0);
    play.set("k", true).poll(1.0);
    assert_eq!(
        gone_in(&mut play, [("other", n(1, now("x")))]),
        "b:gone +old"
    );
}

#[test]
fn guards_that_react_to_the_last_exit_let_the_changed_trees_enter_the_winner() {
    let body = |word| {
        let b = own(n(4, slow("b")), "k");
        let b = b.effect("exit", call("put").arg("").arg("h").arg(true));
        n(
            1,
            select([lower(n(2, starts(word)), "h"), n(3, sequence([b]))]),
        )
    };
    let mut play = play(body("old"));
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(1.0);
    let log = gone_in(&mut play, [("main", body("new"))]);
    assert!(log.ends_with("+new") && !log.contains("+old"), "{log}");
}

#[test]
fn node_whose_entry_was_interrupted_is_called_as_the_changed_trees_have_it() {
    let main = |word| {
        let b = own(n(2, slow("b")), "k");
        let writes = call("put").arg("written").arg("k").arg(false);
        let x = n(3, starts(word)).effect("enter", writes);
        n(1, parallel(2, 2, [b, x]))
    };
    let mut play = play(main("old"));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "+b written b:A");
    changes(&mut play, [("main", main("new"))]);
    play.poll(1.0);
    play.end("b", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "b:gone +new");
}

#[test]
fn end_of_a_tree_reaches_its_caller_and_the_next_child_is_that_of_the_changed_trees() {
    let sub = || {
        let end = n(4, node("end").extra("status", "success"));
        let rest = n(3, sequence([n(5, starts("w")), end]));
        ("sub", n(1, parallel(2, 1, [n(2, slow("b")), rest])))
    };
    let main = |word| {
        (
            "main",
            n(1, sequence([n(2, sub_tree("sub")), n(3, starts(word))])),
        )
    };
    let mut play = plays([main("old"), sub()]);
    play.poll(0.0);
    play.end("w", true);
    play.poll(1.0);
    assert_eq!(gone_in(&mut play, [main("new"), sub()]), "b:gone +new");
}

#[test]
fn preview_and_report_name_entered_nodes_in_the_order_in_which_nodes_run() {
    let main = |a, b: Vec<NodeSpec>| {
        let children = [n(2, a)].into_iter().chain(b).chain([n(4, starts("c"))]);
        let all = of("parallel", children.collect::<Vec<_>>());
        n(1, all.extra("success", 2).extra("failure", 1))
    };
    let mut play = play(main(starts("a"), Vec::new()));
    play.poll(0.0);
    let new = set([tree("main", main(polled("a"), vec![n(3, starts("b"))]))]);
    let changes = Changes::between(play.runner.trees(), &new);
    let preview = play.runner.preview_reload(&changes);
    play.runner.reload(&changes);
    play.poll(1.0);
    assert_eq!(numbers(preview.entered()), [2, 3]);
    assert_eq!(*report(&play), preview);
}
