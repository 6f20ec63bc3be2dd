//! Times the same trees in several engines: `cargo bench -p bt-benches --bench trees`.
//!
//! As with the calls, criterion takes the statistics of each by itself, and after that the engines
//! take turns at each task, again and again, for the ratios; `-- ratios` goes straight to them.
//! What agents take of memory is counted by the bench `memory`, whose allocator costs time.

#![forbid(unsafe_code)]

mod bonsai;
mod fields;
mod lite;
mod rs;
#[path = "../statistics.rs"]
mod statistics;

use std::error::Error;

use bonsai::{Bonsai, Named};
use bt_benches::trees::{Engine, Leaf, Ours, Shape, Trial};
use bt_benches::{Rounds, Timed};
use fields::Fields;
use lite::Lite;
use rs::Rs;
use statistics::Statistics;

/// Engines at the same task, or what one of them says of it.
type Trials = Result<Vec<Trial>, Box<dyn Error>>;

/// One line of figures for all engines.
struct Line {
    what: &'static str,
    /// The number of units in one run.
    each: f64,
    trials: fn(&str) -> Trials,
}

const LINES: &[Line] = &[
    Line {
        what: "leaf without arguments, of 8 in a sequence",
        each: 8.0,
        trials: |name| one::<()>(name, &Shape::eight(Leaf::Nop)),
    },
    Line {
        what: "leaf with two literals, of 8",
        each: 8.0,
        trials: |name| one::<()>(name, &Shape::eight(Leaf::Literals)),
    },
    Line {
        what: "leaf with two blackboard keys, of 8",
        each: 8.0,
        trials: |name| one::<Named>(name, &Shape::eight(Leaf::Keys)),
    },
    Line {
        what: "leaf with two fields of the agent, of 8",
        each: 8.0,
        trials: |name| {
            let shape = Shape::eight(Leaf::Fields);
            Ok(vec![
                Trial::one::<Ours>(name, &shape)?,
                Trial::one::<Bonsai<Fields>>(name, &shape)?,
            ])
        },
    },
    Line {
        what: "round of 32 nodes",
        each: 1.0,
        trials: |name| one::<()>(name, &Shape::of_32(Leaf::Nop)),
    },
    Line {
        what: "poll of one of 10,000 agents that wait for a time",
        each: 1.0,
        trials: |name| crowd(name, &Shape::of_32(Leaf::Timer)),
    },
    Line {
        what: "poll of one of 10,000 agents that wait for an answer",
        each: 1.0,
        trials: |name| crowd(name, &Shape::of_32(Leaf::Answer)),
    },
    Line {
        what: "32 nodes from text to an agent about to run",
        each: 1.0,
        trials: |name| {
            let shape = Shape::of_32(Leaf::Nop);
            Ok(vec![
                Trial::loading::<Ours>(name, &shape)?,
                Trial::loading::<Bonsai<()>>(name, &shape)?,
                Trial::loading::<Lite>(name, &shape)?,
                Trial::loading::<Rs>(name, &shape)?,
            ])
        },
    },
];

fn one<B: bonsai::Board>(name: &str, shape: &Shape) -> Trials {
    Ok(vec![
        Trial::one::<Ours>(name, shape)?,
        Trial::one::<Bonsai<B>>(name, shape)?,
        Trial::one::<Lite>(name, shape)?,
        Trial::one::<Rs>(name, shape)?,
    ])
}

fn crowd(name: &str, shape: &Shape) -> Trials {
    Ok(vec![
        Trial::crowd::<Ours>(name, shape, Trial::CROWD)?,
        Trial::crowd::<Bonsai<()>>(name, shape, Trial::CROWD)?,
        Trial::crowd::<Lite>(name, shape, Trial::CROWD)?,
        Trial::crowd::<Rs>(name, shape, Trial::CROWD)?,
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let peers = [Bonsai::<()>::NAME, Lite::NAME, Rs::NAME];
    let mut statistics = Statistics::new();
    let (ours, columns) = (Ours::NAME, peers.join(" | "));
    let mut table = format!("| ns | {ours} | {columns} | ahead of the best by |\n");
    table += "|---|---|---|---|---|---|\n";
    for line in LINES {
        let mut trials = (line.trials)(line.what)?;
        if let Some(why) = Trial::disagreement(&mut trials) {
            return Err(why.into());
        }
        statistics.take(&mut trials);
        table += &row(line, &peers, &mut trials);
    }
    let mut sizes = "| ns of a poll, in a tree of | 32 | 1,000 | 100,000 nodes |\n".to_owned();
    sizes += "|---|---|---|---|\n";
    for (what, shape) in ACTIVE {
        sizes += &format!("| {what} |");
        let of = |nodes| Trial::one::<Ours>(&format!("{what}, {nodes} nodes"), &shape(nodes));
        let mut trials = vec![of(32)?, of(1_000)?, of(100_000)?];
        statistics.take(&mut trials);
        let rounds = Rounds::measure(&mut trials);
        for trial in &trials {
            sizes += &format!(" {:.1} |", rounds.median(trial.name()));
        }
        sizes += "\n";
    }
    if statistics.finish() {
        println!("medians of rounds of all engines in turn");
        println!("{table}\n{sizes}");
    }
    Ok(())
}

/// The same work in a tree of so many nodes.
type OfSize = (&'static str, fn(usize) -> Shape);

const ACTIVE: [OfSize; 2] = [
    ("8 leaves, the others not entered", |nodes| {
        Shape::Select(vec![Shape::eight(Leaf::Nop), Shape::bulk(nodes - 10)])
    }),
    ("1 leaf that keeps running, the others done", |nodes| {
        Shape::Sequence(vec![Shape::bulk(nodes - 2), Leaf::KeepCounting.into()])
    }),
];

fn row(line: &Line, peers: &[&str], trials: &mut [Trial]) -> String {
    let rounds = Rounds::measure(trials);
    let of = |engine| trials.iter().find(|trial| trial.engine() == engine);
    let Some(ours) = of(Ours::NAME) else {
        return String::new();
    };
    let mut row = format!(
        "| {} | {:.1} |",
        line.what,
        rounds.median(ours.name()) / line.each
    );
    let mut best = f64::INFINITY;
    for peer in peers {
        row += &match of(peer) {
            Some(peer) => {
                best = best.min(rounds.ratio(peer.name(), ours.name()));
                format!(" {:.1} |", rounds.median(peer.name()) / line.each)
            }
            None => " |".to_owned(),
        };
    }
    format!("{row} {best:.2} |\n")
}
