//! Counts the instructions of a call, and of what a tree of ours does:
//! `cargo run --release -p bt-benches --bin instructions` (needs valgrind), and with `--features debug` where agents
//! can be debugged and nobody does.
//!
//! Runs itself under callgrind, once for few calls and once for many: the difference is what the
//! calls took, whatever it took to start. What the loop around them takes is taken off as well.

#![forbid(unsafe_code)]

use std::error::Error;
use std::io::ErrorKind;
use std::process::Command;

use bt_benches::trees::{Leaf, Ours, Shape, Trial};
use bt_benches::{self as benches, Timed};

/// The answer of this many calls more is divided by as many.
const CALLS: u64 = 200_000;

const COUNTED: &[&str] = &[
    benches::DIRECT_NO_ARGUMENT,
    benches::DIRECT,
    benches::LEAF_NO_ARGUMENT,
    benches::LEAF,
    benches::LEAF_TEXT,
    benches::BOUND_NO_ARGUMENT,
    benches::BOUND,
    benches::BOUND_INHERITED,
    benches::BOUND_KEYS,
    benches::BOUND_TEXT_KEY,
    benches::ERASED,
    benches::ERASED_BY_NAME,
    benches::REGISTRY,
    benches::NAIVE_CLONED,
    benches::NAIVE_BORROWED,
];

/// One agent on a tree of ours: how many of what is counted a poll is, and the tree.
type Tree = (&'static str, u64, fn() -> Shape);

const TREES: &[Tree] = &[
    ("leaf without arguments", 8, || Shape::eight(Leaf::Nop)),
    ("leaf with two literals", 8, || Shape::eight(Leaf::Literals)),
    ("leaf with two keys", 8, || Shape::eight(Leaf::Keys)),
    ("leaf with two properties", 8, || Shape::eight(Leaf::Fields)),
    ("round of 32 nodes", 1, || Shape::of_32(Leaf::Nop)),
    ("leaf that keeps running", 1, || {
        Shape::Sequence(vec![Leaf::KeepCounting.into()])
    }),
    ("poll while waiting for a time", 1, || {
        Shape::of_32(Leaf::Timer)
    }),
    ("poll while waiting for an answer", 1, || {
        Shape::of_32(Leaf::Answer)
    }),
];

/// From a text of ours to an agent that is about to run.
const LOAD: &str = "32 nodes from text";
/// It takes as much as thousands of polls.
const LOADS: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [] => table(),
        [case, calls] => run(case, calls.parse()?),
        _ => Err("takes no arguments".into()),
    }
}

/// Runs the program that is counted: this one with a case's name and a number of calls.
fn run(name: &str, calls: u64) -> Result<(), Box<dyn Error>> {
    if name == LOAD {
        Trial::loading::<Ours>(name, &Shape::of_32(Leaf::Nop))?.run(calls);
        return Ok(());
    }
    if let Some((_, _, shape)) = TREES.iter().find(|(tree, ..)| *tree == name) {
        Trial::one::<Ours>(name, &shape())?.run(calls);
        return Ok(());
    }
    let mut cases = benches::cases()?;
    let case = cases.iter_mut().find(|case| case.name() == name);
    let case = case.ok_or_else(|| format!("no case `{name}`"))?;
    case.run(calls);
    Ok(())
}

fn table() -> Result<(), Box<dyn Error>> {
    if let Some(why) = benches::disagreement(&mut benches::cases()?) {
        return Err(why.into());
    }
    let around = each(benches::LOOP, CALLS)?;
    let mut counted = Vec::new();
    for name in COUNTED {
        counted.push((*name, each(name, CALLS)? - around));
    }
    println!("instructions of a call, without the {around:.1} of the loop around it");
    println!("| call | instructions |");
    println!("|---|---|");
    for (name, instructions) in counted {
        println!("| `{name}` | {instructions:.1} |");
    }
    println!("\nof a tree, with the loop around its polls");
    println!("| what | instructions |");
    println!("|---|---|");
    for (name, times, _) in TREES {
        println!("| {name} | {:.1} |", each(name, CALLS)? / *times as f64);
    }
    println!("| {LOAD} | {:.0} |", each(LOAD, LOADS)?);
    Ok(())
}

/// The instructions of each of so many calls.
fn each(name: &str, calls: u64) -> Result<f64, Box<dyn Error>> {
    let few = calls / 200;
    let (less, more) = (count(name, few)?, count(name, few + calls)?);
    Ok(more.saturating_sub(less) as f64 / calls as f64)
}

fn count(name: &str, calls: u64) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([name, &calls.to_string()])
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => "valgrind is not installed, and it is what counts".to_owned(),
            _ => format!("valgrind does not start: {error}"),
        })?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("valgrind failed on `{name}`:\n{said}").into());
    }
    // `==1234== Collected : 5678`
    let total = said.lines().find_map(|line| {
        let (before, total) = line.split_once(':')?;
        let is_total = before.trim_end().ends_with("Collected");
        is_total.then(|| total.trim().parse().ok())?
    });
    total.ok_or_else(|| format!("valgrind named no total for `{name}`:\n{said}").into())
}
