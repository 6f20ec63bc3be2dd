//! Times leaves of agents that are described at run time beside those of annotated ones:
//! `cargo bench -p bt-benches --features dynamic --bench described`.

#![forbid(unsafe_code)]

use std::error::Error;

use bt_benches::{Abacus, LEAVES, Polls, Rounds};
use bt_core::TreeSet;
use bt_core::dynamic::{Describe, DynAgent};
use bt_core::registry::Registry;
use bt_core::tree::asset::spec::{NodeSpec, action, condition};

/// The names of the typed case and of the described one, and their leaf.
type Leaf = (&'static str, &'static str, fn() -> NodeSpec);

fn main() -> Result<(), Box<dyn Error>> {
    let catalogue = Registry::global()?.catalogue().clone();
    let described = Describe::from_catalogue(catalogue, "abacus")?
        .on("less", |_, args, _| args[0].as_f64() < args[1].as_f64())
        .on("rest", |_, _, _| true)
        .build()?;
    let leaves: [Leaf; 3] = [
        ("an action", "an action, described", || action("rest")),
        ("two literals", "two literals, described", || {
            condition("less").arg(1.5).arg(2.5)
        }),
        ("two keys", "two keys, described", || {
            condition("less").key("a").key("b")
        }),
    ];
    let mut cases = Vec::new();
    for (typed, dynamic, leaf) in leaves {
        cases.push(Polls::leaves(typed, TreeSet::new(), Abacus, leaf)?);
        let agent = DynAgent::new(&described);
        cases.push(Polls::leaves(dynamic, described.trees(), agent, leaf)?);
    }
    let rounds = Rounds::measure(&mut cases);
    println!("| leaf | ns | described, ns | times |\n|---|---|---|---|");
    for (typed, dynamic, _) in leaves {
        let ns = |name| rounds.median(name) / LEAVES as f64;
        let ratio = rounds.ratio(dynamic, typed);
        println!(
            "| {typed} | {:.1} | {:.1} | {ratio:.2} |",
            ns(typed),
            ns(dynamic)
        );
    }
    Ok(())
}
