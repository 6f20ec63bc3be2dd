//! Keys of a node's and of a tree's own; writes of effects and services.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op, When};

use crate::text::harness::{
    Attach, check, check_looping, check_trees, more, node, now, parallel, pend, run, select,
    sequence, wait,
};

#[test]
fn key_of_a_node_lives_for_one_run_of_the_node() {
    let body = sequence([more("n0"), now("x", "FFF")]).declare("n0");
    check(
        node(Kind::UntilSuccess(3), [body]),
        &[(&[], Failure, "n0 1 +x x:F n0 1 +x x:F n0 1 +x x:F")],
    );
}

#[test]
fn key_of_a_node_is_kept_while_the_node_runs() {
    let body = node(Kind::Repeat(2), [more("n0")]).declare("n0");
    check(
        sequence([body, more("n0")]),
        &[(&[], Success, "n0 1 n0 2 n0 1")],
    );
}

#[test]
fn key_of_a_node_is_seen_by_what_is_below_it_in_the_same_file_only() {
    let main = sequence([more("n0"), node(Kind::SubTree(1), [])]).declare("n0");
    check_trees(
        false,
        vec![sequence([main, more("n0")]), more("n0")],
        &[(&[], Success, "n0 1 n0 1 n0 2")],
    );
}

#[test]
fn guard_does_not_see_the_key_that_its_node_declares() {
    // The agent's key holds; the node's own, which is false, does not count.
    let a = run("a", "").guard("k0", Abort::Own).declare("k0");
    check(
        select([a, pend("b")]),
        &[
            (&[Op::Key("k0", true)], Running, "+a"),
            (&[], Running, "~a"),
            (&[Op::Key("k0", false)], Running, "a:A +b"),
        ],
    );
}

#[test]
fn guard_follows_the_key_of_the_node_above_it() {
    let put = sequence([run("r", "RS"), now("put", "S").act(Act::Set("k0", true))]);
    let a = run("a", "").guard_not("k0", Abort::Own);
    let outside = run("z", "").guard_not("k0", Abort::Own);
    check(
        parallel(2, 2, [parallel(2, 1, [put, a]).declare("k0"), outside]),
        &[
            (&[], Running, "+r +a +z"),
            (&[], Running, "~r r:S +put put:S a:A ~z"),
        ],
    );
}

#[test]
fn key_of_a_tree_lives_for_one_run_of_the_tree() {
    let called = sequence([more("n0"), more("n0")]);
    let called = node(Kind::Root, [called]).declare("n0");
    let twice = sequence([node(Kind::SubTree(1), []), node(Kind::SubTree(1), [])]);
    check_trees(
        false,
        vec![sequence([twice, more("n0")]), called],
        &[(&[], Success, "n0 1 n0 2 n0 1 n0 2 n0 1")],
    );
}

#[test]
fn key_of_a_tree_begins_anew_with_each_run_of_the_agents_tree() {
    let main = node(Kind::Root, [sequence([more("n0"), run("a", "RS")])]).declare("n0");
    check_looping(
        main,
        &[(&[], Running, "n0 1 +a"), (&[], Running, "~a a:S n0 1 +a")],
    );
}

#[test]
fn key_of_a_node_is_seen_by_its_exit_effects() {
    // The exit effect writes the node's key: the guard of the sibling, on the agent's, does not react.
    let a = sequence([run("r", "RS")]);
    let a = a.put(When::Exit, "k0", true).declare("k0").logged();
    let b = run("b", "").guard_not("k0", Abort::Own);
    check(
        parallel(2, 1, [a, b]),
        &[
            (&[], Running, "+main.2 +r +b"),
            (
                &[],
                Running,
                "~r r:S -main.2 put k0 true at main.2 on exit ~b",
            ),
        ],
    );
}

#[test]
fn guards_react_to_a_key_written_by_an_enter_effect_before_the_node_continues() {
    let a = sequence([now("a", "S")]).put(When::Enter, "k0", true);
    let guarded = sequence([wait("go"), a]).guard_not("k0", Abort::Own);
    check(
        select([guarded, pend("z")]),
        &[
            (&[], Running, ""),
            (
                &[Op::Fire("go")],
                Running,
                "put k0 true at main.4 on enter +z",
            ),
        ],
    );
}

#[test]
fn guards_react_to_a_key_written_by_an_exit_effect_before_the_parent_sees_the_result() {
    let a = sequence([now("a", "S")]).put(When::Exit, "k0", true);
    let guarded = sequence([a, now("b", "S")]).guard_not("k0", Abort::Own);
    check(
        select([guarded, pend("z")]),
        &[(&[], Running, "+a a:S put k0 true at main.3 on exit +z")],
    );
}

#[test]
fn guards_react_to_a_key_written_by_an_exit_effect_when_the_abort_is_complete() {
    // Aborted by `k1`, `b` writes `k0`: the guard above reacts before `a` is entered.
    let b = sequence([pend("b")]).put(When::Exit, "k0", true).logged();
    let inner = select([run("a", "").guard("k1", Abort::Lower), b]);
    let inner = sequence([inner]).guard_not("k0", Abort::Own);
    check(
        select([inner, pend("z")]),
        &[
            (&[], Running, "+main.5 +b"),
            (
                &[Op::Key("k1", true)],
                Running,
                "b:A -main.5 put k0 true at main.5 on exit +z",
            ),
        ],
    );
}

#[test]
fn guards_react_to_a_key_written_by_a_service() {
    let a = sequence([run("a", "")])
        .service(2)
        .put(When::Service, "k0", true);
    let b = run("b", "").guard("k0", Abort::Lower);
    check(
        select([b, a]),
        &[(&[], Running, "service main.3 +b"), (&[], Running, "~b")],
    );
}
