//! Reloads in the middle of random play.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_core::reload::Changes;
use bt_core::{Runner, Trees};
use bt_tests::cases::{
    Act, Case, Driven, Kind, Node, Op, Profile, Script, Tree, drive, drive_from, for_seeds,
};
use bt_tests::compare::compare_edited;
use bt_tests::probe::{Probe, Reply};
use bt_tests::properties::moves_to;

/// The number of cases.
const RUNS: u64 = 400;

fn reload(driven: &mut Driven, to: &Trees<Probe>) {
    let changes = Changes::between(driven.play.runner.trees(), to);
    driven.play.runner.reload(&changes);
}

/// The view of an agent after each operation.
fn seen(driven: &Driven) -> String {
    let leaves = driven.play.runner.active_leaves();
    let nodes = driven.play.runner.active_nodes();
    format!(
        "{:?} {:?} {:?} {nodes:?} {leaves:?}",
        driven.op, driven.status, driven.log
    )
}

#[test]
fn a_reload_of_the_same_trees_changes_nothing_later() {
    for_seeds(RUNS, Profile::All, |case| {
        let Ok(same) = [case.build(false), case.build(true)]
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
        else {
            return Ok(());
        };
        let mut straight = Vec::new();
        drive(case, |driven| {
            straight.push(seen(driven));
            Ok::<(), String>(())
        })?;
        let mut number = 0;
        drive(case, |driven| {
            let now = seen(driven);
            if now != straight[number] {
                return Err(format!("{now}\nand not\n{}", straight[number]));
            }
            number += 1;
            reload(driven, &same[number % 2]);
            Ok(())
        })
    });
}

/// Nobody is stuck, and what is saved now is something that can be.
fn is_sound(driven: &Driven) -> Result<(), String> {
    let runner = &driven.play.runner;
    let (active, leaves) = (runner.active_nodes(), runner.active_leaves());
    if leaves.is_empty() && !active.is_empty() {
        return Err(format!("no leaf is active, but {active:?}"));
    }
    let saved = runner.save();
    match Runner::restore(runner.trees(), &saved) {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("after {:?}: {why}: {}", driven.op, saved.to_json())),
    }
}

/// Plays a case, and edits its trees every so many operations.
fn play_edited(case: &Case, every: usize, edits: u32) -> Result<(), String> {
    let mut number = 0;
    let mut now = case.clone();
    let mut play = case.play();
    if let Ok(all) = case.build(false) {
        // All trees are there, so that edits may name any.
        let changes = Changes::between(play.runner.trees(), &all);
        play.runner.reload(&changes);
    }
    drive_from(play, case, |driven| {
        driven.play.check_balance();
        if matches!(driven.op, Op::Poll(_)) {
            is_sound(driven)?;
        }
        number += 1;
        if number % every == 0 {
            let edited = now.edited(
                case.seed.wrapping_mul(31) + number as u64,
                edits,
                Profile::All,
            );
            if let Ok(trees) = edited.build(number % 2 == 0) {
                now = edited;
                reload(driven, &trees);
            }
        }
        Ok(())
    })
}

#[test]
fn an_agent_whose_trees_are_edited_at_random_exits_what_it_entered() {
    for_seeds(RUNS, Profile::All, |case| play_edited(case, 2, 2));
}

#[test]
fn an_agent_whose_trees_are_rewritten_at_random_exits_what_it_entered() {
    for_seeds(RUNS, Profile::All, |case| play_edited(case, 3, 8));
}

#[test]
fn a_saved_agent_that_is_restored_with_edited_trees_goes_on_as_one_that_is_reloaded() {
    for_seeds(RUNS, Profile::All, bt_tests::properties::moves);
}

#[test]
fn the_runner_and_the_reference_agree_on_trees_that_are_edited_while_they_run() {
    let compare = || for_seeds(RUNS, Profile::Covered, bt_tests::compare::agree_edited);
    let thread = std::thread::Builder::new().stack_size(bt_tests::reference::STACK);
    let thread = thread.spawn(compare).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn wait(quarters: u64) -> Node {
    Node::new(Kind::Wait(quarters), [])
}

fn case<const N: usize>(trees: [(&'static str, Node); N], ops: &[Op]) -> Case {
    let trees = trees.map(|(name, top)| {
        let root = Node::new(Kind::Root, [top]);
        Tree { name, root }
    });
    let mut case = Case {
        seed: 0,
        stream: 0,
        looping: true,
        keeps_results: false,
        budget: 300,
        trees: trees.into(),
        ops: ops.into(),
    };
    case.number();
    case
}

#[test]
fn a_parallel_without_children_in_the_place_of_a_leaf_is_entered_before_it_ends() {
    let before = case(
        [(
            "main",
            Node::new(Kind::MemorySelect { keep_place: false }, [wait(5)]),
        )],
        &[Op::Poll(0), Op::Poll(1)],
    );
    let mut edited = before.clone();
    let select = &mut edited.trees[0].root.children[0];
    let mut off = select.children.remove(0);
    (off.idx, off.disabled) = (4, true);
    select.children.push(Node {
        idx: 3,
        logged: true,
        ..Node::new(Kind::AnyFinish, [off])
    });
    let agree = compare_edited(&before, &[(0, edited)]);
    agree.unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn an_agent_in_which_something_cancels_keeps_the_events_that_the_old_trees_say() {
    let slow = Kind::Slow(Script {
        name: "a".to_owned(),
        replies: vec![Reply::On],
        act: Act::Nothing,
    });
    let parallel = Kind::Parallel {
        success: Some(1),
        failure: Some(2),
        rerun: false,
        stops: false,
    };
    let main = Node::new(parallel, [Node::new(slow, []), wait(1)]);
    let go = Kind::WaitEvent {
        event: "go",
        broadcast: false,
        latch: true,
    };
    // The second event comes after the move.
    let fired = [Op::Fire("go"), Op::Poll(0)];
    let ops = [0, 1].map(Op::Poll).into_iter().chain(fired);
    let ops: Vec<Op> = ops.chain([Op::Poll(1)]).chain(fired).collect();
    let case = case([("main", main), ("single", Node::new(go, []))], &ops);
    let all = case.build(false).expect("it can be built");
    moves_to(&case, 1, &all).unwrap_or_else(|why| panic!("{why}"));
}

/// The active nodes, and the time at which the tree wants to be polled.
fn stands(driven: &Driven) -> String {
    let runner = &driven.play.runner;
    format!("{:?} {:?}", runner.active_nodes(), runner.next_wake())
}

#[test]
fn an_agent_that_a_reload_does_not_wake_has_nothing_to_do_in_a_poll() {
    static SLEPT: AtomicU64 = AtomicU64::new(0);
    for_seeds(8 * RUNS, Profile::All, |case| {
        let mut number = 0;
        drive(case, |driven| {
            number += 1;
            let seed = case.seed.wrapping_mul(31) + number;
            let runner = &driven.play.runner;
            let now = Duration::from_millis(driven.now * 250);
            let sleeps = runner.next_wake().is_none_or(|wake| wake > now);
            let is_polled = matches!(driven.op, Op::Poll(_)) && runner.is_running();
            if !sleeps || !is_polled {
                return Ok(());
            }
            let Ok(trees) = case.edited(seed, 1, Profile::All).build(false) else {
                return Ok(());
            };
            let before = stands(driven);
            reload(driven, &trees);
            if stands(driven) != before {
                return Ok(());
            }
            SLEPT.fetch_add(1, Ordering::Relaxed);
            driven.play.poll(driven.now as f64 / 4.0);
            let (log, after) = (driven.play.log(), stands(driven));
            match log.is_empty() && after == before {
                true => Ok(()),
                false => Err(format!("{log:?} {after}\nand not\n{before}")),
            }
        })
    });
    if std::env::var_os("BT_SEED").is_none() {
        assert!(SLEPT.load(Ordering::Relaxed) > RUNS / 20, "{SLEPT:?}");
    }
}

#[test]
fn an_edit_beside_the_active_path_changes_nothing_until_the_walk_comes_to_it() {
    for_seeds(RUNS, Profile::All, bt_tests::properties::is_beside);
}

#[test]
fn a_reload_does_what_its_preview_says() {
    for_seeds(RUNS, Profile::All, bt_tests::properties::previews);
}
