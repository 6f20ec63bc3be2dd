//! Random trees at random play: nothing panics, and all that is entered is left once.

mod grow;

use std::collections::BTreeMap;

use bt_core::Mode;
use bt_tests::probe::*;
use proptest::prelude::*;

use grow::{Leaves, Tree, plant, tree};

/// What happens to the agent.
#[derive(Debug, Clone)]
enum Op {
    Poll(u8),
    Fire(u8),
    End(u8, bool),
    Finish(u8, bool),
    Key(u8, bool),
    Flag(u8, bool),
    Pause,
    Resume,
    Stop,
    Start,
    Reset,
    Load(bool),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        12 => (0..4u8).prop_map(Op::Poll),
        3 => (0..2u8).prop_map(Op::Fire),
        6 => (any::<u8>(), any::<bool>()).prop_map(|(leaf, success)| Op::End(leaf, success)),
        3 => (any::<u8>(), any::<bool>()).prop_map(|(leaf, success)| Op::Finish(leaf, success)),
        3 => (0..3u8, any::<bool>()).prop_map(|(key, on)| Op::Key(key, on)),
        2 => (0..3u8, any::<bool>()).prop_map(|(flag, on)| Op::Flag(flag, on)),
        1 => Just(Op::Pause),
        2 => Just(Op::Resume),
        1 => Just(Op::Stop),
        2 => Just(Op::Start),
        1 => Just(Op::Reset),
        1 => any::<bool>().prop_map(Op::Load),
    ]
}

/// How trees are run.
#[derive(Debug, Clone)]
struct How {
    looping: bool,
    budget: u32,
    seed: u64,
    /// Events switch trees.
    with_events: bool,
}

fn how(with_events: bool) -> impl Strategy<Value = How> {
    let budget = prop_oneof![Just(10_000u32), 1..40u32];
    (any::<bool>(), budget, any::<u64>()).prop_map(move |(looping, budget, seed)| How {
        looping,
        budget,
        seed,
        with_events,
    })
}

/// A tree at play, and the names of its leaves.
struct Game {
    play: Play,
    leaves: Leaves,
    time: u32,
}

impl Game {
    fn new(main: &Tree, other: &Tree, how: &How) -> Game {
        let mut leaves = Leaves::default();
        let trees = [("main", main), ("other", other)];
        let trees =
            trees.map(|(name, tree)| (name, plant(name, tree, &mut leaves, how.with_events)));
        let mode = if how.looping { Mode::Loop } else { Mode::Once };
        let mut play =
            Play::trees(trees).with(|runner| runner.mode(mode).budget(how.budget).seed(how.seed));
        for act in std::mem::take(&mut leaves.setup) {
            act(&mut play);
        }
        Game {
            play,
            leaves,
            time: 0,
        }
    }

    fn act(&mut self, op: &Op) {
        let play = &mut self.play;
        let names = &self.leaves.names;
        let leaf = |number: &u8| &names[usize::from(*number) % names.len()];
        match op {
            Op::Poll(quarters) => {
                self.time += u32::from(*quarters);
                play.poll(f64::from(self.time) / 4.0);
            }
            Op::Fire(event) => {
                play.fire(grow::EVENTS[usize::from(*event)]);
            }
            Op::End(number, success) if !names.is_empty() => {
                let name = leaf(number).clone();
                play.end_if_any(&name, *success);
            }
            Op::End(..) => {}
            Op::Finish(number, success) => {
                let active = play.runner.active_leaves();
                if !active.is_empty() {
                    let leaf = active[usize::from(*number) % active.len()].id;
                    play.runner.finish(leaf, *success);
                }
            }
            Op::Key(key, on) => {
                play.set(grow::KEYS[usize::from(*key)], *on);
            }
            Op::Flag(flag, on) => {
                play.flag(grow::KEYS[usize::from(*flag)], *on);
            }
            Op::Pause => play.runner.pause(),
            Op::Resume => play.runner.resume(),
            Op::Stop => {
                play.stop();
            }
            Op::Start => play.runner.start(),
            Op::Reset => play.runner.reset(),
            Op::Load(other) => {
                let name = if *other { "other" } else { "main" };
                play.runner.load(name).unwrap();
            }
        }
    }

    /// What is active is what was entered and not left.
    fn check(&self) {
        let play = &self.play;
        play.check_balance();
        let mut active: BTreeMap<String, i64> = BTreeMap::new();
        for node in play.runner.active_nodes() {
            *active
                .entry(format!("{}.{}", node.tree, node.idx))
                .or_default() += 1;
        }
        let open = play.probe.log.open_counts();
        for (name, count) in &open {
            let place = name.strip_prefix("node ").unwrap_or(name);
            let place = match place {
                "a" | "b" | "c" => continue,
                place => place,
            };
            assert_eq!(
                active.get(place),
                Some(count),
                "{name} is open, active: {active:?}"
            );
        }
        let known = |place: &String| self.leaves.names.contains(place);
        for (place, count) in &active {
            let name = if known(place) {
                place.clone()
            } else {
                format!("node {place}")
            };
            if known(place) || self.leaves.inner.contains(place) {
                assert_eq!(
                    open.get(&name),
                    Some(count),
                    "{name} is active, open: {open:?}"
                );
            }
        }
        let leaves = play.runner.active_leaves();
        assert!(active.is_empty() || !leaves.is_empty(), "{active:?}");
        for leaf in leaves {
            let place = format!("{}.{}", leaf.tree, leaf.idx);
            if leaf.state != bt_core::LeafState::Due {
                assert!(
                    active.contains_key(&place),
                    "{place} waits, but is not active"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn all_that_is_entered_is_left_once_whatever_happens(
        main in tree(5, 30),
        other in tree(2, 6),
        how in how(false),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut game = Game::new(&main, &other, &how);
        for op in &ops {
            game.act(op);
            game.check();
        }
        game.play.finish();
    }

    #[test]
    fn the_same_holds_where_events_switch_trees(
        main in tree(4, 20),
        other in tree(2, 6),
        how in how(true),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut game = Game::new(&main, &other, &how);
        for op in &ops {
            game.act(op);
            // What is suspended is open, and not active.
            game.play.check_balance();
        }
        game.play.finish();
    }

    #[test]
    fn the_same_seed_and_the_same_events_give_the_same_log(
        main in tree(4, 20),
        other in tree(2, 4),
        how in how(true),
        ops in prop::collection::vec(op(), 1..40),
    ) {
        let logs = [0, 1].map(|_| {
            let mut game = Game::new(&main, &other, &how);
            for op in &ops {
                game.act(op);
            }
            let log = game.play.log();
            game.play.finish();
            log
        });
        prop_assert_eq!(&logs[0], &logs[1]);
    }
}
