//! Writes, and the guards that follow them at once.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Op, When};

use crate::text::harness::{
    Attach, check, holds, now, parallel, pend, reactive_select, reactive_sequence, run, select,
    sequence, wait,
};

/// Calls 1 and 2 set the key; the third would clear it.
const PUT: Act = Act::Set("k0", true);

#[test]
fn lower_takes_over_before_the_sequence_sees_the_success_of_what_wrote() {
    let put = now("put", "S").act(PUT);
    check(
        select([
            run("a", "").guard("k0", Abort::Lower),
            sequence([run("r", "RS"), put, pend("c")]),
        ]),
        &[(&[], Running, "+r"), (&[], Running, "~r r:S +put put:S +a")],
    );
}

#[test]
fn lower_takes_over_before_the_select_sees_the_success_of_what_wrote() {
    let put = now("put", "S").act(PUT);
    check(
        select([run("a", "").guard("k0", Abort::Lower), put]),
        &[(&[], Running, "+put put:S +a")],
    );
}

#[test]
fn reactive_select_whose_turn_is_to_come_takes_it_before_a_guard_below_it_reacts() {
    let children = [
        run("a", "").guard("k0", Abort::Own),
        run("b", "").guard_not("k0", Abort::Own),
    ];
    let put = sequence([run("put", "RS").act(Act::Set("k0", true)), pend("c")]);
    check(
        parallel(
            2,
            1,
            [sequence([wait("go"), put]), reactive_select(children)],
        ),
        &[
            (&[], Running, "+b"),
            (&[Op::Fire("go")], Running, "+put +a b:A"),
        ],
    );
}

#[test]
fn reactive_select_takes_its_turn_in_the_turn_in_which_an_earlier_sibling_writes() {
    let children = [
        run("a", "").guard("k0", Abort::Own),
        run("b", "").guard_not("k0", Abort::Own),
    ];
    let put = now("put", "S").act(PUT);
    check(
        parallel(
            2,
            1,
            [
                sequence([run("r", "RS"), put, pend("c")]),
                reactive_select(children),
            ],
        ),
        &[
            (&[], Running, "+r +b"),
            (&[], Running, "~r r:S +put put:S +a b:A +c"),
        ],
    );
}

#[test]
fn self_guard_reacts_before_anything_else_is_entered() {
    let put = now("put", "S").act(PUT);
    let guarded = sequence([wait("go"), put, pend("c")]).guard_not("k0", Abort::Own);
    check(
        select([guarded, pend("z")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+put put:S +z"),
        ],
    );
}

#[test]
fn leaf_that_wrote_and_waits_is_aborted_by_the_guard_above_it() {
    let put = pend("put").act(PUT);
    let guarded = sequence([wait("go"), put]).guard_not("k0", Abort::Own);
    check(
        select([guarded, pend("z")]),
        &[
            (&[], Running, ""),
            (&[Op::Fire("go")], Running, "+put put:A +z"),
        ],
    );
}

#[test]
fn guards_react_to_the_host_before_the_first_delivery() {
    let guarded = sequence([wait("go"), now("a", "S")]).guard_not("k0", Abort::Own);
    check(
        select([guarded, pend("z")]),
        &[
            (&[], Running, ""),
            (&[Op::Key("k0", true), Op::Fire("go")], Running, "+z"),
        ],
    );
}

#[test]
fn guards_react_in_index_order_and_a_parallel_that_decides_ends_the_reaction() {
    let put = now("put", "S").act(PUT);
    let a = run("a", "").guard_not("k0", Abort::Own);
    let b = run("b", "").guard_not("k0", Abort::Own);
    check(
        parallel(3, 1, [a, b, sequence([run("r", "RS"), put])]),
        &[
            (&[], Running, "+a +b +r"),
            (&[], Failure, "~a ~b ~r r:S +put put:S a:A b:A"),
        ],
    );
}

#[test]
fn parallel_enters_its_other_children_after_the_reaction_of_the_first() {
    let put = now("put", "S").act(PUT);
    let a = run("a", "").guard_not("k0", Abort::Own);
    check(
        parallel(3, 3, [a, put, run("b", "")]),
        &[(&[], Running, "+a +put put:S a:A +b")],
    );
}

#[test]
fn reactive_sequence_evaluates_on_when_its_running_child_is_aborted_meanwhile() {
    let put = now("put", "SS").act(Act::Set("k0", true));
    let b = run("b", "").guard_not("k0", Abort::Own);
    check(
        select([
            reactive_sequence([run("a", "SS").act(Act::Nothing), sequence([put]), b]),
            pend("z"),
        ]),
        &[(&[], Running, "+a a:S +put put:S +z")],
    );
}

#[test]
fn leaf_that_wrote_and_ended_is_not_aborted_by_its_own_guard() {
    let put = now("put", "S").act(PUT).guard_not("k0", Abort::Own);
    check(select([put, pend("z")]), &[(&[], Success, "+put put:S")]);
}

#[test]
fn ancestor_takes_over_when_a_takeover_below_it_writes_its_key() {
    let refused = holds("k1").guard_not("k0", Abort::Lower);
    let put = run("put", "RS").act(PUT).put(When::Exit, "k0", false);
    check(
        select([refused, select([pend("w").guard("k0", Abort::Lower), put])]),
        &[(
            &[],
            Success,
            "+put put:A put k0 false at main.5 on exit \
              +put put:S put k0 false at main.5 on exit",
        )],
    );
}

#[test]
fn consequences_of_a_guard_come_before_guards_to_its_right() {
    let x = pend("x")
        .guard_not("k0", Abort::Own)
        .put(When::Exit, "k1", true);
    check(
        parallel(
            3,
            3,
            [
                select([x, pend("y")]),
                pend("z").guard_not("k0", Abort::Own),
                pend("v").guard_not("k1", Abort::Own),
            ],
        ),
        &[
            (&[], Running, "+x +z +v"),
            (
                &[Op::Key("k0", true)],
                Running,
                "x:A put k1 true at main.3 on exit v:A +y z:A",
            ),
        ],
    );
}
