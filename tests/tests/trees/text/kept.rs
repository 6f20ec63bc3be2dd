//! `keep_place`.

use bt_core::Status::{Failure, Running, Success};
use bt_tests::cases::{Abort, Act, Kind, Op};

use crate::text::harness::{Attach, check, check_looping, node, now, pend, run, select, sequence};

#[test]
fn keep_place_continues_at_the_child_that_was_running() {
    let patrol = sequence([now("a", ""), run("b", ""), now("c", "")]).keep_place();
    let chase = run("x", "RS").guard("k", Abort::Both);
    check_looping(
        select([chase, patrol]),
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Key("k", true)], Running, "b:A +x"),
            (&[Op::Key("k", false)], Running, "x:A +b"),
        ],
    );
}

#[test]
fn keep_place_begins_at_the_first_child_after_its_own_end() {
    let patrol = sequence([now("a", ""), run("b", "RF")]).keep_place();
    check_looping(
        patrol,
        &[
            (&[], Running, "+a a:S +b"),
            (&[], Running, "~b b:F +a a:S +b"),
        ],
    );
}

#[test]
fn sequence_without_keep_place_begins_at_the_first_child_after_an_abort() {
    let patrol = sequence([now("a", ""), run("b", "")]);
    let chase = run("x", "RS").guard("k", Abort::Both);
    check_looping(
        select([chase, patrol]),
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Key("k", true)], Running, "b:A +x"),
            (&[Op::Key("k", false)], Running, "x:A +a a:S +b"),
        ],
    );
}

#[test]
fn keep_place_of_a_select_continues_at_the_child_that_was_running() {
    let kept = select([now("a", "FF"), run("b", "RRF"), now("c", "F")]).keep_place();
    check(
        select([run("x", "RF").guard("k", Abort::Both), kept]),
        &[
            (&[], Running, "+a a:F +b"),
            (&[Op::Key("k", true)], Running, "b:A +x"),
            (&[Op::Key("k", false)], Running, "x:A +b"),
            (&[], Failure, "~b b:F +c c:F"),
        ],
    );
}

#[test]
fn keep_place_outlives_a_restart() {
    check(
        sequence([now("a", ""), run("b", "")]).keep_place(),
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Stop, Op::Start], Running, "+b"),
        ],
    );
}

#[test]
fn reset_clears_a_kept_place() {
    check(
        sequence([now("a", ""), run("b", "")]).keep_place(),
        &[
            (&[], Running, "+a a:S +b"),
            (&[Op::Reset], Running, "b:A +a a:S +b"),
        ],
    );
}

#[test]
fn memory_select_evaluates_no_guard_of_the_children_it_skips_on_entry() {
    let a = run("a", "F").guard("f0", Abort::Lower);
    let twice = node(
        Kind::MemorySelect { keep_place: false },
        [a, run("b", "SR")],
    );
    check_looping(
        twice,
        &[
            (&[Op::Flag("f0", true)], Success, "?f0 +a a:F +b b:S"),
            (&[], Running, "+b"),
            // It is learnt in the turn, and was not false before.
            (&[], Running, "?f0 ~b"),
            (&[Op::Flag("f0", false)], Running, "?f0 ~b"),
            (&[Op::Flag("f0", true)], Running, "?f0 b:A +a"),
        ],
    );
}

#[test]
fn memory_sequence_begins_at_the_child_that_failed() {
    check_looping(
        node(
            Kind::MemorySequence { keep_place: false },
            [now("a", ""), now("b", "FS")],
        ),
        &[
            (&[], Failure, "+a a:S +b b:F"),
            (&[], Success, "+b b:S"),
            (&[], Success, "+a a:S +b b:S"),
        ],
    );
}

#[test]
fn memory_sequence_forgets_its_place_when_it_is_aborted() {
    let memory = node(
        Kind::MemorySequence { keep_place: false },
        [now("a", ""), run("b", "F")],
    );
    check_looping(
        sequence([select([memory, pend("z")])]),
        &[
            (&[], Running, "+a a:S +b b:F +z"),
            (&[Op::Stop, Op::Start], Running, "+b"),
            (&[Op::Stop, Op::Start], Running, "+a a:S +b"),
        ],
    );
}

#[test]
fn guard_of_a_child_that_is_skipped_on_entry_follows_its_key_in_that_poll() {
    // The third call sets the key.
    let put = now("put", "").act(Act::Set("k0", false));
    let a = now("a", "").guard("k0", Abort::Lower);
    check_looping(
        node(Kind::MemorySelect { keep_place: false }, [a, put]),
        &[
            (&[], Success, "+put put:S"),
            (&[], Success, "+put put:S"),
            (&[], Success, "+put put:S +a a:S"),
        ],
    );
}

#[test]
fn guard_of_a_child_that_is_skipped_on_entry_follows_the_key_of_that_run_of_the_tree() {
    let put = now("put", "").act(Act::Set("k0", false));
    let a = now("a", "").guard("k0", Abort::Lower);
    let top = node(Kind::MemorySelect { keep_place: false }, [a, put]);
    check_looping(
        node(Kind::Root, [top]).declare("k0"),
        &[
            (&[], Success, "+put put:S"),
            (&[], Success, "+put put:S"),
            (&[], Success, "+put put:S +a a:S"),
        ],
    );
}
