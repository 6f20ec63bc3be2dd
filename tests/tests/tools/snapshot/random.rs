//! Random trees at random play, one of two agents saved and restored all the time.

use bt_core::{Event, Mode};
use bt_tests::probe::*;
use proptest::prelude::*;

use crate::grow::{self, Leaves, Tree, plant, tree};
use crate::snapshot::twins::Twins;

/// An operation on the agents.
#[derive(Debug, Clone)]
enum Op {
    Poll(u8),
    Fire(u8),
    Finish(u8, bool),
    Key(u8, bool),
    Flag(u8, bool),
    Pause,
    Resume,
    Stop,
    Start,
    Reset,
    Load(bool),
    /// Nothing: it is saved twice in a row.
    Nothing,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        12 => (0..4u8).prop_map(Op::Poll),
        3 => (0..2u8).prop_map(Op::Fire),
        6 => (any::<u8>(), any::<bool>()).prop_map(|(leaf, success)| Op::Finish(leaf, success)),
        3 => (0..3u8, any::<bool>()).prop_map(|(key, on)| Op::Key(key, on)),
        2 => (0..3u8, any::<bool>()).prop_map(|(flag, on)| Op::Flag(flag, on)),
        1 => Just(Op::Pause),
        2 => Just(Op::Resume),
        1 => Just(Op::Stop),
        2 => Just(Op::Start),
        1 => Just(Op::Reset),
        1 => any::<bool>().prop_map(Op::Load),
        1 => Just(Op::Nothing),
    ]
}

/// The settings of a run.
#[derive(Debug, Clone)]
struct How {
    looping: bool,
    budget: u32,
    seed: u64,
    /// Events switch trees.
    with_events: bool,
    keeps_results: bool,
}

fn how(with_events: bool) -> impl Strategy<Value = How> {
    let budget = prop_oneof![Just(10_000u32), 1..40u32];
    (any::<bool>(), budget, any::<u64>(), any::<bool>()).prop_map(
        move |(looping, budget, seed, keeps_results)| How {
            looping,
            budget,
            seed,
            with_events,
            keeps_results,
        },
    )
}

fn play(main: &Tree, other: &Tree, how: &How) -> Play {
    let mut leaves = Leaves::default();
    let trees = [("main", main), ("other", other)];
    let trees = trees.map(|(name, tree)| (name, plant(name, tree, &mut leaves, how.with_events)));
    let mode = if how.looping { Mode::Loop } else { Mode::Once };
    let mut play = Play::trees(trees).with(|runner| {
        let runner = runner.mode(mode).budget(how.budget).seed(how.seed);
        runner.keep_results(how.keeps_results)
    });
    for act in std::mem::take(&mut leaves.setup) {
        act(&mut play);
    }
    play
}

struct Game {
    twins: Twins,
    quarters: u32,
}

impl Game {
    fn act(&mut self, op: &Op) {
        let twins = &mut self.twins;
        match op {
            Op::Poll(quarters) => {
                self.quarters += u32::from(*quarters);
                twins.poll(f64::from(self.quarters) / 4.0);
            }
            Op::Fire(event) => {
                twins.fire(Event::new(grow::EVENTS[usize::from(*event)]));
            }
            Op::Finish(number, success) => {
                let active = twins.straight.runner.active_leaves();
                if !active.is_empty() {
                    let leaf = active[usize::from(*number) % active.len()].id;
                    twins.finish(leaf, *success);
                }
            }
            Op::Key(key, on) => {
                twins.both(|play| {
                    play.set(grow::KEYS[usize::from(*key)], *on);
                });
            }
            Op::Flag(flag, on) => {
                twins.both(|play| {
                    play.flag(grow::KEYS[usize::from(*flag)], *on);
                });
            }
            Op::Pause => drop(twins.both(|play| play.runner.pause())),
            Op::Resume => drop(twins.both(|play| play.runner.resume())),
            Op::Stop => drop(twins.both(|play| {
                play.stop();
            })),
            Op::Start => drop(twins.both(|play| play.runner.start())),
            Op::Reset => drop(twins.both(|play| play.runner.reset())),
            Op::Load(other) => {
                let name = if *other { "other" } else { "main" };
                twins.both(|play| play.runner.load(name).unwrap());
            }
            Op::Nothing => {}
        }
    }
}

fn check(main: &Tree, other: &Tree, how: &How, ops: &[Op]) {
    let mut game = Game {
        twins: Twins::of(|| play(main, other, how)),
        quarters: 0,
    };
    for op in ops {
        game.act(op);
        game.twins.save();
    }
}

/// Each step is saved and compared in many ways: fewer runs than elsewhere, unless more are asked for.
pub(crate) fn cases(few: u32) -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(few),
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn an_agent_that_is_saved_after_each_step_is_the_same_agent(
        main in tree(5, 30),
        other in tree(2, 6),
        how in how(false),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        check(&main, &other, &how, &ops);
    }

    #[test]
    fn the_same_holds_where_events_switch_trees(
        main in tree(4, 20),
        other in tree(2, 6),
        how in how(true),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        check(&main, &other, &how, &ops);
    }
}
