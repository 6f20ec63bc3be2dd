//! Times a round of many agents of which few are due: `cargo bench -p bt-benches --bench pool`.
//!
//! Each agent runs the tree of 32 nodes, and waits in its middle. In each round the wait of as many
//! agents ends as are due. The same load runs in other crates, and in a plain loop over runners: these
//! must poll everybody.

#![forbid(unsafe_code)]

#[path = "trees/bonsai.rs"]
mod bonsai;
#[path = "trees/lite.rs"]
mod lite;

use std::error::Error;
use std::time::{Duration, Instant};

use bonsai::Bonsai;
use bt_benches::trees::{Body, Engine, Leaf, Ours, Shape};
use bt_core::pool::{Chunk, Pool};
use lite::Lite;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The number of rounds that are timed, at least.
const ROUNDS: u32 = 101;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// So many agents, and how many of them are due in each round.
#[derive(Clone, Copy)]
struct Load {
    agents: u32,
    due: u32,
}

impl Load {
    /// Agents that are due in the same rounds are a group.
    fn groups(self) -> u32 {
        self.agents / self.due
    }

    /// The time of a round: after as many as there are groups, the first one has waited long enough.
    fn time(self, round: u32) -> Duration {
        let wait = Duration::from_secs_f64(Body::WAIT).as_nanos();
        // A wait is exactly so many rounds, whatever is rounded.
        let nanos = wait * u128::from(round) / u128::from(self.groups());
        Duration::from_nanos(nanos as u64)
    }

    /// The group that is due in a round, and its place among all agents.
    fn group(self, round: u32) -> std::ops::Range<usize> {
        let first = (round % self.groups() * self.due) as usize;
        first..first + self.due as usize
    }

    /// Milliseconds of the median round. All agents have begun: those of each group in a round of their
    /// own.
    fn median(self, mut round: impl FnMut(u32)) -> f64 {
        let timed = self.groups()..self.groups() + ROUNDS;
        let time = |number| {
            let start = Instant::now();
            round(number);
            start.elapsed().as_secs_f64() * 1e3
        };
        let mut times: Vec<_> = timed.map(time).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

/// A pool, and in how many seconds its agents were spawned.
fn pool(load: Load) -> Result<(Pool<Body>, f64)> {
    let mut trees = Ours::trees(&Shape::of_32(Leaf::Timer))?;
    let mut pool = Pool::new();
    let start = Instant::now();
    pool.reserve(load.agents as usize);
    let mut spent = start.elapsed();
    for group in 0..load.groups() {
        let start = Instant::now();
        for _ in 0..load.due {
            let body = Body::default();
            let runner = Ours::runner(&mut trees, &body)?;
            pool.spawn(body, runner);
        }
        spent += start.elapsed();
        pool.poll(load.time(group));
    }
    Ok((pool, spent.as_secs_f64()))
}

/// Agents in a list, all of which have begun.
fn list<E: Engine>(load: Load) -> Result<Vec<(E::Body, E::Runner)>> {
    let mut trees = E::trees(&Shape::of_32(Leaf::Timer))?;
    let agent = |number| {
        let mut body = E::Body::default();
        let mut runner = E::runner(&mut trees, &body)?;
        E::poll(&mut runner, &mut body, load.time(number / load.due));
        Ok((body, runner))
    };
    (0..load.agents).map(agent).collect()
}

/// Milliseconds of a round in which everybody is polled.
fn everybody<E: Engine>(load: Load) -> Result<f64> {
    let mut all = list::<E>(load)?;
    Ok(load.median(|round| {
        for (body, runner) in &mut all {
            E::poll(runner, body, load.time(round));
        }
    }))
}

/// Milliseconds of the polls alone, by somebody who knows who is due.
fn polls(load: Load) -> Result<f64> {
    let mut all = list::<Ours>(load)?;
    Ok(load.median(|round| {
        for (body, runner) in &mut all[load.group(round)] {
            Ours::poll(runner, body, load.time(round));
        }
    }))
}

/// Polls chunks on threads of their own, one on this one.
fn on_new_threads(chunks: Vec<Chunk<'_, Body>>) {
    std::thread::scope(|scope| {
        let mut chunks = chunks.into_iter();
        let own = chunks.next();
        for chunk in chunks {
            scope.spawn(|| chunk.poll());
        }
        own.into_iter().for_each(Chunk::poll);
    });
}

/// Polls chunks on the threads that rayon keeps.
fn on_rayon(chunks: Vec<Chunk<'_, Body>>) {
    chunks.into_par_iter().for_each(Chunk::poll);
}

/// A round in so many chunks, all of whose agents are due.
fn chunked(load: Load, chunks: usize, run: fn(Vec<Chunk<'_, Body>>)) -> Result<f64> {
    let (mut pool, _) = pool(load)?;
    Ok(load.median(|round| pool.round(load.time(round), chunks, run)))
}

fn main() -> Result<()> {
    println!("milliseconds of the median round");
    println!(
        "| agents | due | pool | their polls alone | in 2 chunks on new threads | on rayon's \
         | a loop over all runners | seconds to spawn |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (agents, due) in [
        (100_000, 1_000),
        (100_000, 10_000),
        (1_000_000, 10_000),
        (3_000_000, 10_000),
    ] {
        let load = Load { agents, due };
        let (mut all, spawn) = pool(load)?;
        let pooled = load.median(|round| {
            let polled = all.poll(load.time(round));
            assert_eq!(polled, load.due as usize);
        });
        drop(all);
        let alone = polls(load)?;
        let threads = chunked(load, 2, on_new_threads)?;
        let rayon = chunked(load, 2, on_rayon)?;
        let looped = everybody::<Ours>(load)?;
        println!(
            "| {agents} | {due} | {pooled:.3} | {alone:.3} | {threads:.3} | {rayon:.3} | {looped:.2} \
             | {spawn:.2} |"
        );
    }
    let load = Load {
        agents: 100_000,
        due: 1_000,
    };
    let bonsai = everybody::<Bonsai<()>>(load)?;
    let lite = everybody::<Lite>(load)?;
    println!(
        "\n100,000 agents, all of them polled: bonsai-bt {bonsai:.1} ms, behavior-tree-lite {lite:.1} ms"
    );
    Ok(())
}
