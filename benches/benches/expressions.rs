//! Times expressions beside other ways to say the same: `cargo bench -p bt-benches --bench expressions`.
//!
//! Each case runs the same leaf or guard [`LEAVES`] times a poll, and all cases run in turn, again and again: a
//! ratio is the median of the rounds'. A condition with two keys is what `$a < $b` is compared with.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;

use bonsai_bt::{BT, Behavior, Event, Failure, Success, UpdateArgs};
use bt_benches::{Abacus, LEAVES, Polls, Rounds, Timed as _};
use bt_core::TreeSet;
use bt_core::tree::asset::spec::{NodeSpec, action, check, condition, expr, node, sequence, set};
use rhai::{Engine, Scope};

fn tree(name: &'static str, top: NodeSpec) -> Result<Polls, Box<dyn Error>> {
    Polls::tree(name, TreeSet::new(), Abacus, top)
}

fn leaves(name: &'static str, leaf: fn() -> NodeSpec) -> Result<Polls, Box<dyn Error>> {
    Polls::leaves(name, TreeSet::new(), Abacus, leaf)
}

/// Active nodes, one in another.
fn nested(name: &'static str, around: fn(NodeSpec) -> NodeSpec) -> Result<Polls, Box<dyn Error>> {
    let nest = |inner, _: u64| around(sequence([inner]));
    tree(name, (0..LEAVES).fold(node("always_running"), nest))
}

/// A closure over the values.
fn closure() -> Polls {
    let values = [1.5, 2.5];
    let less: fn(&[f64; 2]) -> bool = |[a, b]| a < b;
    let run = move |times: u64| {
        for _ in 0..times * LEAVES {
            black_box(black_box(&less)(black_box(&values)));
        }
    };
    Polls::new("a closure", run)
}

fn rhai() -> Result<Polls, Box<dyn Error>> {
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
    Ok(Polls::new("rhai's `a < b`", run))
}

/// An action of bonsai-bt, whose closure reads its blackboard.
fn bonsai() -> Polls {
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
    Polls::new("bonsai-bt, a closure over two keys", run)
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
