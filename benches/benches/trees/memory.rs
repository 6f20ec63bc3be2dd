//! Counts what one more agent takes of memory: `cargo bench -p bt-benches --bench memory`.
//!
//! The tree has 32 nodes and no keys, so that there is nothing on a blackboard. What the engine
//! holds for an agent is counted, the agent itself is not. The counting allocator makes allocations
//! slower, and so this is a program of its own.

#![forbid(unsafe_code)]

mod bonsai;
mod lite;
mod rs;

use std::error::Error;
use std::time::Duration;

use allocation_counter::measure;
use bonsai::Bonsai;
use bt_benches::trees::{Engine, Leaf, Ours, Shape};
use lite::Lite;
use rs::Rs;

const AGENTS: usize = 100;

/// The memory of one agent.
struct Memory {
    /// In the engine's own struct, wherever the host keeps that.
    inline: usize,
    heap: i64,
    blocks: i64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = |rounds| (Shape::of_32(Leaf::Nop), rounds);
    let timer = (Shape::of_32(Leaf::Timer), 3);
    let answer = (Shape::of_32(Leaf::Answer), 3);
    println!("bytes of one more agent on a tree of 32 nodes, and blocks of the heap among them");
    println!("| | bt | bonsai-bt | behavior-tree-lite | behaviortree-rs |");
    println!("|---|---|---|---|---|");
    line("not begun", &rounds(0))?;
    line("waits for a time", &timer)?;
    line("waits for an answer", &answer)?;
    let either = of::<Ours>(&(Shape::of_32(Leaf::Either), 3))?;
    println!(
        "| waits for either, holds a guard | {} | | | |",
        either.cell()
    );
    line("after 100 rounds", &rounds(100))
}

fn line(what: &str, task: &(Shape, u32)) -> Result<(), Box<dyn Error>> {
    let ours = of::<Ours>(task)?.cell();
    let bonsai = of::<Bonsai<()>>(task)?.cell();
    let (lite, rs) = (of::<Lite>(task)?.cell(), of::<Rs>(task)?.cell());
    println!("| {what} | {ours} | {bonsai} | {lite} | {rs} |");
    Ok(())
}

/// Measures the memory of an agent after so many polls.
fn of<E: Engine>((shape, polls): &(Shape, u32)) -> Result<Memory, Box<dyn Error>> {
    let mut trees = E::trees(shape)?;
    let agent = |trees: &mut E::Trees, body: &mut E::Body| {
        let mut runner = E::runner(trees, body)?;
        for poll in 1..=*polls {
            E::poll(&mut runner, body, Duration::from_millis(poll.into()));
        }
        Ok::<_, Box<dyn Error>>(runner)
    };
    let mut bodies: Vec<_> = (0..=AGENTS).map(|_| E::Body::default()).collect();
    let mut runners = Vec::with_capacity(bodies.len());
    // The first may be the one that looks something up for all.
    let last = bodies.pop().unwrap_or_default();
    let mut bodies_of = |bodies: &mut [E::Body]| {
        for body in bodies {
            runners.push(agent(&mut trees, body)?);
        }
        Ok::<_, Box<dyn Error>>(())
    };
    bodies_of(&mut [last])?;
    let mut result = Ok(());
    let counted = measure(|| result = bodies_of(&mut bodies));
    result?;
    Ok(Memory {
        inline: size_of::<E::Runner>(),
        heap: counted.bytes_current / AGENTS as i64,
        blocks: counted.count_current / AGENTS as i64,
    })
}

impl Memory {
    fn cell(&self) -> String {
        let bytes = self.inline as i64 + self.heap;
        format!("{bytes} ({}; {} blocks)", self.inline, self.blocks)
    }
}
