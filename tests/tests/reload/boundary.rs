//! Tests of the time at which an agent moves, and of its behaviour where it cannot.

use bt_core::reload::{Changes, Gone, Moved};
use bt_core::tree::asset::spec::{negative, parallel, select, sequence, sub_tree};
use bt_tests::probe::*;

use super::harness::*;

#[test]
fn what_is_cancelling_ends_first() {
    let mut play = play(n(1, sequence([n(2, slow("a")), n(3, now("z"))])));
    play.poll(0.0);
    change(&mut play, n(1, sequence([n(3, now("z"))])));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(play.poll(2.0), R);
    assert!(play.runner.last_reload().is_none());
    play.end("a", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "a:gone +z z:S");
}

#[test]
fn one_that_is_gone_is_not_entered_again_while_another_is_cancelling() {
    let leaves = [n(2, slow("a")), n(3, starts("b")), n(4, starts("c"))];
    let mut play = play(n(1, parallel(3, 1, leaves)));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +b +c");
    change(&mut play, n(1, parallel(1, 1, [n(4, starts("c"))])));
    play.poll(1.0);
    play.poll(2.0);
    assert_eq!(play.brief(), "b:A a:A");
    play.end("a", true);
    assert_eq!(play.poll(3.0), R);
    assert_eq!(play.brief(), "a:gone");
    play.end("c", true);
    assert_eq!(play.poll(4.0), S);
}

#[test]
fn a_paused_agent_moves_when_it_is_resumed() {
    let mut play = play(n(1, sequence([n(2, wait(10.0)), n(3, now("a"))])));
    play.poll(0.0);
    play.runner.pause();
    change(
        &mut play,
        n(1, sequence([n(2, wait(20.0)), n(4, now("b"))])),
    );
    play.poll(5.0);
    assert!(play.runner.last_reload().is_none());
    play.runner.resume();
    play.poll(15.0);
    assert_eq!(play.wake(), Some(35.0), "15 s of it were a pause");
    assert_eq!(play.poll(35.0), S);
    assert_eq!(play.brief(), "+b b:S");
}

#[test]
fn of_several_reloads_the_newest_counts() {
    let mut play = play(n(1, sequence([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    change(
        &mut play,
        n(1, sequence([n(2, starts("a")), n(3, now("c"))])),
    );
    change(
        &mut play,
        n(1, sequence([n(2, starts("a")), n(3, now("d"))])),
    );
    play.poll(1.0);
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+a a:S +d d:S");
}

#[test]
fn an_agent_that_missed_a_reload_moves_from_the_trees_that_it_has() {
    let mut play = play(n(1, sequence([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    let second = set([tree("main", n(1, sequence([n(2, starts("a"))])))]);
    let third = set([tree(
        "main",
        n(1, sequence([n(2, starts("a")), n(3, now("d"))])),
    )]);
    play.runner.reload(&Changes::between(&second, &third));
    play.poll(1.0);
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "+a a:S +d d:S");
}

fn gone(policy: Gone) -> Play {
    let mut play = play(n(1, sequence([n(2, starts("a"))])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let new = set([tree("other", n(1, starts("b")))]);
    let changes = Changes::between(play.runner.trees(), &new).when_gone(policy);
    play.runner.reload(&changes);
    play
}

#[test]
fn a_running_tree_that_is_gone_runs_to_its_end() {
    let mut play = gone(Gone::Keep);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(*report(&play).moved(), Moved::Kept("main".into()));
    assert_eq!(play.diagnostics().len(), 1);
    assert_eq!(play.poll(2.0), R);
    assert!(play.diagnostics().is_empty(), "it is said once");
    play.end("a", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "a:S");
    play.runner.start();
    play.poll(4.0);
    assert_eq!(play.brief(), "+b", "the old tree is gone");
}

#[test]
fn a_running_tree_that_is_gone_restarts_as_another() {
    let mut play = gone(Gone::Restart("other".to_owned()));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "a:A +b");
    assert_eq!(*report(&play).moved(), Moved::Restarted("main".into()));
}

#[test]
fn a_reload_is_refused_where_a_running_tree_is_gone() {
    let mut play = gone(Gone::Refuse);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(*report(&play).moved(), Moved::Refused("main".into()));
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:S");
    assert_eq!(play.runner.tree(), "main");
}

#[test]
fn a_dry_run_says_what_would_happen_and_does_nothing() {
    let mut play = play(n(1, select([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    let new = set([tree("main", n(1, select([n(3, now("b"))])))]);
    let changes = Changes::between(play.runner.trees(), &new);
    let before = play.runner.preview_reload(&changes);
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+a");
    play.runner.reload(&changes);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A +b b:S");
    assert_eq!(*report(&play), before);
    let said = before.to_string();
    assert_eq!(
        said,
        "moved: 2 nodes stay active\naborted main: node 2 (action)\nentered main: node 3 (action)"
    );
}

#[test]
fn a_sub_tree_node_calls_its_new_target_where_the_old_one_is_gone() {
    let main = |target| n(1, sequence([n(2, sub_tree(target)), n(3, now("z"))]));
    let mut play = plays([("main", main("inner")), ("inner", n(1, starts("a")))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    changes(
        &mut play,
        [("main", main("other")), ("other", n(1, starts("b")))],
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b");
    assert_eq!(*report(&play).moved(), Moved::Moved);
}

#[test]
fn a_reset_that_waited_for_a_slow_exit_starts_the_tree_as_late_as_without_a_reload() {
    let other = |word| ("other", n(1, now(word)));
    let main = || ("main", n(1, slow("a")));
    for reloads in [false, true] {
        let mut play = plays([main(), other("x")]);
        play.poll(0.0);
        play.runner.reset();
        play.poll(1.0);
        assert_eq!(play.brief(), "+a a:A");
        if reloads {
            changes(&mut play, [main(), other("y")]);
        }
        play.end("a", true);
        play.poll(2.0);
        assert_eq!(play.brief(), "a:gone");
        play.poll(2.0);
        assert_eq!(play.brief(), "+a");
    }
}

#[test]
fn nothing_is_called_between_a_requested_load_and_the_tree_that_it_starts() {
    let other = |word| ("other", n(1, now(word)));
    let mut play = plays([("main", n(1, sequence([n(2, starts("a"))]))), other("x")]);
    play.poll(0.0);
    let wrapped = n(7, paired("w", negative(n(2, starts("a")))));
    changes(&mut play, [("main", n(1, sequence([wrapped]))), other("y")]);
    play.runner.load("other").expect("it is there");
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "+a a:A +y y:S");
}

#[test]
fn a_move_after_a_slow_exit_evaluates_guards_in_the_turn_as_without_a_reload() {
    let other = |word| ("other", n(1, now(word)));
    let main = || {
        let both = n(2, of("parallel", [n(3, holds("no")), n(4, slow("a"))]));
        let retry = times("retry", -1, both);
        let open = guard_holds("open").set("abort", "self");
        ("main", n(1, retry.guard(open)))
    };
    let mut logs = Vec::new();
    for reloads in [false, true] {
        let mut play = plays([main(), other("x")]);
        play.flag("open", true);
        play.poll(0.0);
        assert_eq!(play.brief(), "?open ?no +a a:A");
        if reloads {
            changes(&mut play, [main(), other("y")]);
        }
        play.end("a", true);
        play.poll(1.0);
        logs.push(play.brief());
    }
    assert_eq!(logs[0], logs[1]);
}

#[test]
fn what_follows_a_slow_exit_is_entered_in_the_changed_trees() {
    let main = |idx, tried| n(1, times("retry", -1, n(idx, tried)));
    let both = of("parallel", [n(3, holds("no")), n(4, slow("a"))]);
    let mut play = play(main(2, both));
    play.poll(0.0);
    assert_eq!(play.brief(), "?no +a a:A");
    change(&mut play, main(5, now("z")));
    play.poll(1.0);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:gone +z z:S");
}

#[test]
fn the_turn_is_that_of_the_old_trees_where_the_move_waits_for_another_slow_exit() {
    let open = || guard_holds("open").set("abort", "self");
    let first = || n(2, negative(n(3, slow("a").guard(open()))));
    let last = || n(5, polled("p"));
    let main = |second| {
        n(
            1,
            parallel(3, 3, [first(), n(4, sequence([second])), last()]),
        )
    };
    let mut play = play(main(n(6, slow("b"))));
    play.flag("open", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "?open +a +b +p");
    play.flag("open", false);
    play.poll(1.0);
    assert_eq!(play.brief(), "?open a:A ~p");
    change(&mut play, main(n(7, starts("c"))));
    play.poll(2.0);
    play.end("a", true);
    assert_eq!(play.brief(), "~p");
    play.poll(3.0);
    assert_eq!(play.brief(), "a:gone b:A ~p");
    play.end("b", true);
    play.poll(4.0);
    assert_eq!(play.brief(), "b:gone +c ~p");
}
