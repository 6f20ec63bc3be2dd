//! Times expressions beside other ways to say the same: `cargo bench -p bt-benches --bench expressions`.
//!
//! Each case runs the same leaf or guard [`LEAVES`] times a poll, and all cases run in turn, again and again: a
//! ratio is the median of the rounds'. A condition with two keys is what `$a < $b` is compared with.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use bonsai_bt::{BT, Behavior, Event, Failure, Success, UpdateArgs};
use bt_benches::{Rounds, Timed};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, check, condition, expr, node, sequence, set};
use bt_core::{Runner, TreeAsset, TreeSet};
use rhai::{Engine, Scope};

/// The leaves, or guards, of a poll.
const LEAVES: u64 = 64;

/// It compares.
#[derive(Debug, Default, Agent)]
#[agent(name = "abacus")]
struct Abacus;

#[agent]
impl Abacus {
    /// Is one less than the other?
    #[condition]
    fn less(a: f64, b: f64) -> bool {
        a < b
    }
}

/// A poll, as often as said.
struct Case {
    name: &'static str,
    run: Box<dyn FnMut(u64)>,
}

impl Timed for Case {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, times: u64) {
        (self.run)(times);
    }
}

/// A tree that is polled, with values for its keys.
fn tree(name: &'static str, top: NodeSpec) -> Result<Case, Box<dyn Error>> {
    let mut trees = TreeSet::<Abacus>::new();
    trees.add(TreeAsset::build("main", "abacus", top));
    let mut runner = Runner::new(&trees.build()?, "main")?;
    for (key, value) in [("a", 1.5), ("b", 2.5), ("n", 0.0)] {
        runner.blackboard().set(key, value);
    }
    runner.start();
    let (mut abacus, mut now) = (Abacus, Duration::ZERO);
    let run = move |times: u64| {
        for _ in 0..times {
            now += Duration::from_millis(1);
            runner.poll(&mut abacus, now);
        }
    };
    let run = Box::new(run);
    Ok(Case { name, run })
}

fn leaves(name: &'static str, leaf: fn() -> NodeSpec) -> Result<Case, Box<dyn Error>> {
    tree(name, sequence((0..LEAVES).map(|_| leaf())))
}

/// Active nodes, one in another.
fn nested(name: &'static str, around: fn(NodeSpec) -> NodeSpec) -> Result<Case, Box<dyn Error>> {
    let nest = |inner, _: u64| around(sequence([inner]));
    tree(name, (0..LEAVES).fold(node("always_running"), nest))
}

/// A closure over the values.
fn closure() -> Case {
    let values = [1.5, 2.5];
    let less: fn(&[f64; 2]) -> bool = |[a, b]| a < b;
    let run = move |times: u64| {
        for _ in 0..times * LEAVES {
            black_box(black_box(&less)(black_box(&values)));
        }
    };
    Case {
        name: "a closure",
        run: Box::new(run),
    }
}

fn rhai() -> Result<Case, Box<dyn Error>> {
    let engine = Engine::new();
    let less = engine.compile_expression("a < b")?;
    let mut scope = Scope::new();
    scope.push("a", 1.5_f64).push("b", 2.5_f64);
    let run = move |times: u64| {
        for _ in 0..times * LEAVES {
            let holds = engine.eval_ast_with_scope::<bool>(&mut scope, &less);
            black_box(holds.is_ok_and(|holds| holds));
        }
    };
    Ok(Case {
        name: "rhai's `a < b`",
        run: Box::new(run),
    })
}

/// An action of bonsai-bt, whose closure reads its blackboard.
fn bonsai() -> Case {
    let leaves = (0..LEAVES).map(|_| Behavior::Action(()));
    let board = HashMap::from([("a".to_owned(), 1.5), ("b".to_owned(), 2.5)]);
    let mut tree = BT::new(Behavior::Sequence(leaves.collect()), board);
    let run = move |times: u64| {
        for _ in 0..times {
            let event: Event = UpdateArgs { dt: 0.001 }.into();
            let _ = tree.tick(
                &event,
                &mut |args, board: &mut HashMap<String, f64>| match board.get("a") < board.get("b")
                {
                    true => (Success, args.dt),
                    false => (Failure, args.dt),
                },
            );
            tree.reset_bt();
        }
    };
    Case {
        name: "bonsai-bt, a closure over two keys",
        run: Box::new(run),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    const CONDITION: &str = "condition `less` with two keys";
    const UNGUARDED: &str = "a sequence, active";
    const ADD: &str = "`number_add` of a key";
    let add = || action("number_add").arg("n").arg(1.0);
    let mut cases = vec![
        leaves(CONDITION, || condition("less").key("a").key("b"))?,
        leaves("check `$a < $b`", || check("$a < $b"))?,
        leaves("a guard `$a < $b` on entry", || {
            action("nop").guard(expr("$a < $b"))
        })?,
        closure(),
        rhai()?,
        bonsai(),
        leaves(ADD, add)?,
        leaves("set `$n = $n + 1`", || set([("$n", "$n + 1")]))?,
        nested(UNGUARDED, |inner| inner)?,
        nested("the same below a guard whose keys do not change", |inner| {
            inner.guard(expr("$a < $b").set("abort", "self"))
        })?,
    ];
    let rounds = Rounds::measure(&mut cases);
    let beside = [(CONDITION, 0..6), (ADD, 6..8), (UNGUARDED, 8..10)];
    for (base, range) in beside {
        println!("| case | ns | beside {base} |\n|---|---|---|");
        for case in &cases[range] {
            let name = case.name();
            let ns = rounds.median(name) / LEAVES as f64;
            println!("| {name} | {ns:.1} | {:.2} |", rounds.ratio(name, base));
        }
    }
    Ok(())
}
