//! Nodes that are disabled, by their file and by a debugger: “as if they were not there”.

use std::time::Duration;

use bt_core::debug::Forced;
use bt_core::kinds::{Group, Kind, Logic};
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{
    NodeSpec, node, parallel, reactive_select, reactive_sequence, select, sequence, sub_tree,
};
use bt_core::{Runner, Saved, TreeAsset, TreeSet};
use bt_tests::probe::*;
use serde_json::json;

/// A child that is disabled.
fn off(child: NodeSpec) -> NodeSpec {
    child.extra("disabled", true)
}

/// A tree and the nodes that it disables.
fn numbered(top: &NodeSpec) -> (TreeAsset, Vec<u32>) {
    let mut tree = TreeAsset::build("main", "probe", top.clone());
    let nodes = tree
        .preorder()
        .filter(|node| node.extra.contains_key("disabled"));
    let off: Vec<u32> = nodes.map(|node| node.idx()).collect();
    for idx in &off {
        tree.node_mut(*idx).unwrap().extra.remove("disabled");
    }
    (tree, off)
}

/// The tree twice: its nodes are disabled by the file, and by a debugger.
fn twice(top: &NodeSpec, mut test: impl FnMut(&mut Play, &str)) {
    let mut play = Play::new(top.clone());
    test(&mut play, "by the file");
    let (tree, off) = numbered(top);
    let mut play = Play::of([tree]).unwrap();
    for idx in off {
        play.runner
            .force("main", idx, Some(Forced::Disabled))
            .unwrap();
    }
    test(&mut play, "by a debugger");
}

/// Polls once: the result, and what happened.
fn once(top: NodeSpec, status: bt_core::Status, log: &str) {
    twice(&top, |play, how| {
        assert_eq!((play.poll(0.0), &*play.brief()), (status, log), "{how}");
    });
}

#[test]
fn disabled_child_is_passed_over() {
    once(
        sequence([now("a"), off(now("b")), now("c")]),
        S,
        "+a a:S +c c:S",
    );
    once(sequence([off(now("a")), now("b")]), S, "+b b:S");
    once(sequence([now("a"), off(sequence([now("b")]))]), S, "+a a:S");
    once(select([off(now("a")), now("b"), now("c")]), S, "+b b:S");
    once(
        of("always_seq", [now("a"), off(now("b")), now("c")]),
        S,
        "+a a:S +c c:S",
    );
    once(
        of("memory_sequence", [off(now("a")), now("b")]),
        S,
        "+b b:S",
    );
    once(of("memory_select", [off(now("a")), now("b")]), S, "+b b:S");
    once(of("random_seq", [off(now("a")), now("b")]), S, "+b b:S");
    once(of("random_select", [off(now("a")), now("b")]), S, "+b b:S");
    once(reactive_sequence([off(now("a")), now("b")]), S, "+b b:S");
    once(reactive_select([off(now("a")), now("b")]), S, "+b b:S");
    once(of("and", [off(holds("no")), holds("x")]), F, "?x");
    once(of("or", [off(holds("no")), holds("x")]), F, "?x");
}

#[test]
fn decorator_whose_child_is_disabled_is_not_there() {
    for kind in ["negative", "always_false", "once", "always_true"] {
        once(sequence([of(kind, [off(now("a"))]), now("b")]), S, "+b b:S");
        once(select([of(kind, [off(now("a"))]), now("b")]), S, "+b b:S");
    }
    let two = of("negative", [limits("l", 2, off(now("a")))]);
    once(sequence([two, now("b")]), S, "+b b:S");
    let attached = paired("d", of("negative", [off(now("a"))])).guard(guard_holds("no"));
    once(sequence([attached, now("b")]), S, "+b b:S");
}

#[test]
fn composite_with_no_child_left_has_the_result_of_its_kind() {
    let kinds = Kind::ALL.iter().map(|kind| kind.about());
    for about in kinds.filter(|about| about.group == Group::Composite) {
        let status = if about.succeeds_empty { S } else { F };
        for thresholds in [false, true] {
            let child = || match about.logic {
                Logic::Asks(_) => holds("a"),
                _ => now("a"),
            };
            let empty = of(about.name, [off(child()), off(child())]);
            let empty = match about.name {
                "probility" => empty.extra("prob", json!([1, 1])),
                "parallel" if thresholds => empty.extra("success", 2),
                "switch" => empty.extra("on", "1").extra("cases", json!([1, 2])),
                "utility" => empty.extra("scores", json!(["1", "2"])),
                "composite" => empty
                    .extra("composite_name", "watches")
                    .extra("composite_args", json!([{"arg_type": "plain", "arg_value": "f"}, {"arg_type": "plain", "arg_value": 1}])),
                _ => empty,
            };
            twice(&sequence([now("z"), empty]), |play, how| {
                let ended = (play.poll(0.0), play.brief());
                assert_eq!(ended, (status, "+z z:S".to_owned()), "{} {how}", about.name);
            });
        }
    }
}

#[test]
fn tree_with_nothing_left_succeeds_at_once() {
    once(off(now("a")), S, "");
    once(
        of(
            "negative",
            [of("repeat", [off(now("a"))]).extra("count", 2)],
        ),
        S,
        "",
    );
    let mut play = Play::new(of("root", [now("a")]).extra("disabled", true));
    assert_eq!(play.poll(0.0), S);
    let trees = [
        ("main", sequence([sub_tree("t"), now("b")])),
        ("t", off(now("a"))),
    ];
    let mut play = Play::trees(trees);
    assert_eq!((play.poll(0.0), &*play.brief()), (S, "+b b:S"));
    // It begins again in each poll.
    let mut play = Play::new(off(now("a"))).looping();
    assert_eq!([play.poll(0.0), play.poll(1.0)], [S, S]);
}

#[test]
fn parallel_counts_the_children_that_are_there() {
    let of = |success, failure, children: [NodeSpec; 3]| parallel(success, failure, children);
    let three = || [starts("a"), off(starts("b")), starts("c")];
    for (top, ends, status) in [
        // 2 of 2, or 1 of 1: no more can succeed than there are.
        (
            parallel(2, 1, [starts("a"), off(starts("b"))]),
            &["aS"][..],
            S,
        ),
        (parallel(2, 1, [starts("a"), off(starts("b"))]), &["aF"], F),
        (of(3, 1, three()), &["aS", "cS"], S),
        (of(2, 2, three()), &["aS", "cS"], S),
        (of(2, 2, three()), &["aF", "cF"], F),
        (of(1, 3, three()), &["aF", "cF"], F),
        // A threshold that is not stated follows from those that are there.
        (
            node("parallel").extra("success", 2).children(three()),
            &["aF"],
            F,
        ),
        (
            node("parallel").extra("failure", 1).children(three()),
            &["aS", "cS"],
            S,
        ),
        (node("parallel").children(three()), &["cS"], S),
        (node("parallel").children(three()), &["aF"], F),
        // All have ended, and neither is reached.
        (of(2, 2, three()), &["aS", "cF"], F),
        (of(2, 2, three()).extra("rerun", true), &["aS", "cS"], S),
    ] {
        twice(&top, |play, how| {
            assert_eq!(play.poll(0.0), R);
            for end in ends {
                play.end(&end[..1], end.ends_with('S'));
            }
            assert_eq!(play.again(), status, "{ends:?} {how}");
        });
    }
}

#[test]
fn weight_of_a_disabled_child_goes_with_it() {
    let children = [off(now("a")), now("b"), now("c"), off(now("d"))];
    let drawn = of("probility", children).extra("prob", json!([9, 0, 1, 9]));
    once(drawn, S, "+c c:S");
    let none = of("probility", [off(now("a")), now("b")]).extra("prob", json!([1, 0]));
    once(none, F, "");
}

#[test]
fn children_after_a_disabled_one_stand_in_its_place() {
    let if_else = |all: [NodeSpec; 3]| of("if_else", all);
    once(
        if_else([now("a"), now("b"), off(now("c"))]),
        S,
        "+a a:S +b b:S",
    );
    once(
        if_else([now("a"), off(now("b")), now("c")]),
        S,
        "+a a:S +c c:S",
    );
    once(
        if_else([off(now("a")), now("b"), now("c")]),
        S,
        "+b b:S +c c:S",
    );
}

#[test]
fn what_is_attached_to_a_disabled_node_does_nothing() {
    let child = paired("p", starts("a"))
        .guard(guard_holds("g"))
        .service(1.0, bt_core::tree::asset::spec::call("note").arg("service"));
    once(sequence([off(child), starts("b")]), R, "+b");
}

#[test]
fn disabled_child_does_not_take_over() {
    let lower = || now("a").guard(guard_key("k").set("abort", "lower"));
    twice(&select([off(lower()), starts("b")]), |play, how| {
        assert_eq!(play.poll(0.0), R);
        play.set("k", true);
        assert_eq!((play.poll(1.0), &*play.brief()), (R, "+b"), "{how}");
    });
    // One that a debugger disables while it is observed does not, either.
    let mut play = Play::new(select([lower(), starts("b"), starts("c")]));
    assert_eq!(play.poll(0.0), R);
    play.runner
        .force("main", 2, Some(Forced::Disabled))
        .unwrap();
    play.set("k", true);
    assert_eq!((play.poll(1.0), &*play.brief()), (R, "+b"));
    play.runner.force("main", 2, None).unwrap();
    play.set("k", false);
    assert_eq!(play.poll(2.0), R);
    play.set("k", true);
    assert_eq!((play.poll(3.0), &*play.brief()), (S, "b:A +a a:S"));
}

#[test]
fn reactive_node_evaluates_the_children_that_are_there() {
    for (top, log) in [
        (
            reactive_sequence([off(holds("f")), now("a"), starts("b")]),
            "+a a:S +b / +a a:S",
        ),
        (
            reactive_select([off(holds("f")), now("a"), starts("b")]),
            "+a a:F +b / +a a:F",
        ),
    ] {
        twice(&top, |play, how| {
            let success = log.starts_with("+a a:S");
            play.reply("a", [success; 4]);
            assert_eq!(play.poll(0.0), R);
            let first = play.brief();
            assert_eq!(play.poll(1.0), R);
            assert_eq!(format!("{first} / {}", play.brief()), log, "{how}");
        });
    }
}

#[test]
fn child_that_a_debugger_disables_while_it_runs_goes_on_and_is_not_entered_again() {
    let mut play = Play::new(sequence([starts("a"), now("b")])).looping();
    assert_eq!(play.poll(0.0), R);
    play.runner
        .force("main", 2, Some(Forced::Disabled))
        .unwrap();
    play.end("a", true);
    play.poll(1.0);
    assert_eq!(play.brief(), "+a a:S +b b:S +b b:S");
}

#[test]
fn reactive_node_leaves_the_running_child_that_a_debugger_disables() {
    for (children, log) in [
        ([starts("a"), starts("b")], "+a / +b a:A"),
        ([now("b"), starts("a")], "+b b:S +a / +b b:S a:A"),
    ] {
        let idx = if log.starts_with("+a") { 2 } else { 3 };
        let mut play = Play::new(reactive_sequence(children));
        assert_eq!(play.poll(0.0), R);
        let before = play.brief();
        play.runner
            .force("main", idx, Some(Forced::Disabled))
            .unwrap();
        play.poll(1.0);
        assert_eq!(format!("{before} / {}", play.brief()), log);
    }
}

#[test]
fn decorator_whose_child_a_debugger_disables_is_left_when_it_comes_to_it_again() {
    let again = paired("r", times("repeat", 3, starts("a")));
    let mut play = Play::new(sequence([of("negative", [again]), now("b")]));
    assert_eq!(play.poll(0.0), R);
    play.runner
        .force("main", 4, Some(Forced::Disabled))
        .unwrap();
    play.end("a", true);
    assert_eq!((play.again(), &*play.brief()), (S, "+r +a a:S -r +b b:S"));
}

#[test]
fn parallel_does_not_count_what_a_debugger_disables_while_it_runs() {
    let two = || parallel(2, 2, [starts("a"), starts("b")]);
    let mut play = Play::new(two());
    assert_eq!(play.poll(0.0), R);
    play.runner
        .force("main", 3, Some(Forced::Disabled))
        .unwrap();
    play.end("b", false);
    assert_eq!(play.again(), R);
    play.end("a", true);
    assert_eq!(play.again(), S);
    // Nothing is left that could have ended otherwise.
    let mut play = Play::new(of("parallel", [starts("a"), starts("b")]));
    assert_eq!(play.poll(0.0), R);
    for idx in [2, 3] {
        play.runner
            .force("main", idx, Some(Forced::Disabled))
            .unwrap();
    }
    play.end("a", false);
    assert_eq!(play.again(), R);
    play.end("b", false);
    assert_eq!(play.again(), S);
}

#[test]
fn node_whose_children_differ_fails_if_a_debugger_leaves_it_one() {
    for kind in ["if_else", "while_loop"] {
        let mut play = Play::new(of(kind, [now("a"), now("b")]));
        play.runner
            .force("main", 3, Some(Forced::Disabled))
            .unwrap();
        assert_eq!((play.poll(0.0), &*play.brief()), (F, ""));
        let says = play.diagnostics().remove(0);
        let expected = "all its children but one are disabled, and it needs two: it fails";
        assert!(says.contains(expected), "{says}");
    }
}

#[test]
fn debugger_says_that_a_node_is_disabled_in_its_file() {
    let mut play = Play::new(sequence([off(of("negative", [now("a")])), now("b")]));
    let error = play
        .runner
        .force("main", 3, Some(Forced::Success))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "node 3 of tree `main` is not there: it is disabled in its file, or below such a node"
    );
}

/// Moves to another version of a tree.
fn reload(play: &mut Play, top: NodeSpec) {
    let mut set = TreeSet::new();
    set.add(TreeAsset::build("main", "probe", top));
    let trees = set.build().unwrap();
    let changes = Changes::between(play.runner.trees(), &trees);
    play.runner.reload(&changes);
}

#[test]
fn reload_that_disables_an_active_node_removes_it() {
    let tree = |disabled: bool| {
        let a = starts("a").extra("disabled", disabled);
        sequence([a, starts("b")])
    };
    let mut play = Play::new(tree(false));
    assert_eq!(play.poll(0.0), R);
    reload(&mut play, tree(true));
    assert_eq!((play.poll(1.0), &*play.brief()), (R, "+a a:A +b"));
    // Switched on, it is there for the next run.
    let mut play = Play::new(tree(true)).looping();
    assert_eq!(play.poll(0.0), R);
    reload(&mut play, tree(false));
    assert_eq!(play.poll(1.0), R);
    play.end("b", true);
    assert_eq!((play.poll(2.0), &*play.brief()), (R, "+b b:S +a"));
}

#[test]
fn reload_that_disables_all_that_runs_leaves_the_result_of_nothing() {
    for (kind, disabled, status) in [("sequence", [2, 3], S), ("select", [2, 3], F)] {
        let tree = |all: &[u32]| {
            let mut tree = TreeAsset::build("main", "probe", of(kind, [starts("a"), starts("b")]));
            for idx in all {
                let node = tree.node_mut(*idx).unwrap();
                node.extra.insert("disabled".to_owned(), true.into());
            }
            tree
        };
        let mut play = Play::of([tree(&[])]).unwrap();
        assert_eq!(play.poll(0.0), R);
        let mut set = TreeSet::new();
        set.add(tree(&disabled));
        let changes = Changes::between(play.runner.trees(), &set.build().unwrap());
        play.runner.reload(&changes);
        assert_eq!(
            (play.poll(1.0), &*play.brief()),
            (status, "+a a:A"),
            "{kind}"
        );
    }
    let mut play = Play::new(starts("a"));
    assert_eq!(play.poll(0.0), R);
    reload(&mut play, off(starts("a")));
    assert_eq!((play.poll(1.0), &*play.brief()), (S, "+a a:A"));
    // The parallel decides by the children that it has.
    let two = |off_b: bool| {
        let b = starts("b").extra("disabled", off_b);
        parallel(2, 1, [starts("a"), b])
    };
    let mut play = Play::new(two(false));
    assert_eq!(play.poll(0.0), R);
    play.end("a", true);
    assert_eq!(play.poll(1.0), R);
    reload(&mut play, two(true));
    assert_eq!((play.poll(2.0), &*play.brief()), (S, "+a +b a:S b:A"));
}

#[test]
fn saved_agent_is_restored_where_a_node_is_disabled_since() {
    let tree = |disabled: bool| {
        let mut set = TreeSet::<Probe>::new();
        let a = starts("a").extra("disabled", disabled);
        set.add(TreeAsset::build(
            "main",
            "probe",
            parallel(2, 1, [a, starts("b")]),
        ));
        set.build().unwrap()
    };
    for (was, is, active) in [
        (false, true, vec![3]),
        (true, false, vec![2, 3]),
        (true, true, vec![3]),
    ] {
        let mut probe = Probe::default();
        probe.plain = true;
        let mut runner = Runner::new(&tree(was), "main").unwrap();
        runner.start();
        runner.poll(&mut probe, Duration::ZERO);
        let saved = Saved::from_json(&runner.save().to_json()).unwrap();
        let mut runner = Runner::restore_or_restart(&tree(is), &saved).unwrap();
        runner.poll(&mut probe, Duration::ZERO);
        let leaves = runner.active_leaves();
        let places: Vec<u32> = leaves.iter().map(|leaf| leaf.idx).collect();
        assert_eq!(places, active, "{was} {is}");
    }
}
