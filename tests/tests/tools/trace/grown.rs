//! The debug log of random trees at random play.

use bt_core::{Mode, TreeAsset};
use proptest::prelude::*;

use super::debug_rows::Logged;
use crate::grow::{self, Leaves, plant, tree};

/// An operation on the agent.
#[derive(Debug, Clone)]
enum Op {
    Poll(u8),
    Fire(u8),
    End(u8, bool),
    Finish(u8, bool),
    Key(u8, Option<bool>),
    Flag(u8, bool),
    Pause(bool),
    Stop,
    Start,
    Reset,
    Load(bool),
    SwitchOn,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        12 => (0..4u8).prop_map(Op::Poll),
        3 => (0..2u8).prop_map(Op::Fire),
        6 => (any::<u8>(), any::<bool>()).prop_map(|(leaf, success)| Op::End(leaf, success)),
        3 => (any::<u8>(), any::<bool>()).prop_map(|(leaf, success)| Op::Finish(leaf, success)),
        3 => (0..3u8, any::<Option<bool>>()).prop_map(|(key, on)| Op::Key(key, on)),
        2 => (0..3u8, any::<bool>()).prop_map(|(flag, on)| Op::Flag(flag, on)),
        3 => prop::bool::weighted(0.3).prop_map(Op::Pause),
        1 => Just(Op::Stop),
        2 => Just(Op::Start),
        1 => Just(Op::Reset),
        1 => any::<bool>().prop_map(Op::Load),
        1 => Just(Op::SwitchOn),
    ]
}

struct Game {
    logged: Logged,
    names: Vec<String>,
    quarters: u32,
}

impl Game {
    fn act(&mut self, op: &Op) {
        let logged = &mut self.logged;
        let play = &mut logged.play;
        let key = |key: u8| grow::KEYS[usize::from(key)];
        match op {
            Op::Poll(quarters) => {
                self.quarters += u32::from(*quarters);
                return logged.poll(f64::from(self.quarters) / 4.0);
            }
            Op::Fire(event) => {
                play.fire(grow::EVENTS[usize::from(*event)]);
            }
            Op::End(number, success) if !self.names.is_empty() => {
                let name = &self.names[usize::from(*number) % self.names.len()];
                play.end_if_any(name, *success);
            }
            Op::End(..) => {}
            Op::Finish(number, success) => {
                let active = play.runner.active_leaves();
                if !active.is_empty() {
                    let leaf = active[usize::from(*number) % active.len()].id;
                    play.runner.finish(leaf, *success);
                }
            }
            Op::Key(number, Some(on)) => {
                play.set(key(*number), *on);
            }
            Op::Key(number, None) => {
                play.runner.blackboard().remove(key(*number));
            }
            Op::Flag(flag, on) => {
                play.flag(key(*flag), *on);
            }
            Op::Pause(true) => play.runner.pause(),
            Op::Pause(false) => play.runner.resume(),
            Op::Stop => {
                play.stop();
            }
            Op::Start => play.runner.start(),
            Op::Reset => play.runner.reset(),
            Op::Load(other) => {
                let name = if *other { "other" } else { "main" };
                play.runner.load(name).unwrap();
            }
            Op::SwitchOn => return logged.switch_on(),
        }
        logged.between();
    }
}

proptest! {
    #[test]
    fn every_row_follows_from_those_before_it_and_leads_to_what_the_runner_shows(
        main in tree(5, 30),
        other in tree(2, 6),
        with_events in any::<bool>(),
        looping in any::<bool>(),
        budget in prop_oneof![Just(10_000u32), 1..40u32],
        seed in any::<u64>(),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut leaves = Leaves::default();
        let trees = [("main", &main), ("other", &other)];
        let trees = trees.map(|(name, tree)| {
            let top = plant(name, tree, &mut leaves, with_events);
            TreeAsset::build(name, "probe", top)
        });
        let setup = std::mem::take(&mut leaves.setup);
        let logged = Logged::of(trees.into(), |play| {
            let mode = if looping { Mode::Loop } else { Mode::Once };
            let mut play = play.with(|runner| runner.mode(mode).budget(budget).seed(seed));
            for act in setup {
                act(&mut play);
            }
            play
        });
        let mut game = Game { logged, names: leaves.names, quarters: 0 };
        for op in &ops {
            game.act(op);
        }
        game.logged.stop();
    }
}
