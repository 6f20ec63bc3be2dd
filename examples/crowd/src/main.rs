//! A crowd crosses a street: a pool of many agents, polled on all cores when they have something to do.
//!
//! Run it with `cargo run -p crowd`. The tree is `trees/crossing.json`; the output is in `output.txt`.

use bt_core::pool::{Chunk, Pool};
use bt_core::prelude::*;
use bt_core::{Mode, Runner, SharedBoard, TreeAsset, TreeSet};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::time::Duration;

const PEDESTRIANS: u64 = 20_000;

/// Walks to the crossing, and crosses when the light is green.
#[derive(Agent, Default)]
struct Pedestrian {
    crossed: bool,
}

#[agent]
impl Pedestrian {
    /// Walk to the crossing.
    #[action]
    fn walk(&mut self, cx: &mut Context) -> Option<bool> {
        let seconds = cx.random().int(1..=60).unsigned_abs();
        cx.finish_after(Duration::from_secs(seconds), true);
        None
    }

    /// Stand at the crossing until something else happens.
    #[action]
    fn stand(&mut self) -> Option<bool> {
        None
    }

    /// Cross the street.
    #[action]
    fn cross(&mut self) {
        self.crossed = true;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut trees = TreeSet::<Pedestrian>::new();
    let file = include_str!("../trees/crossing.json");
    trees.add(TreeAsset::from_json("crossing.json", file)?);
    let trees = trees.build()?;

    let street = SharedBoard::new(); // has the key `light`, which the tree declares global
    let mut crowd = Pool::new();
    for seed in 0..PEDESTRIANS {
        let mut runner = Runner::new(&trees, "crossing.json")?
            .mode(Mode::Once)
            .seed(seed);
        runner.share(&street);
        runner.start();
        crowd.spawn(Pedestrian::default(), runner);
    }

    println!("{PEDESTRIANS} pedestrians walk to a crossing.");
    let mut polled = 0;
    for second in 0..80 {
        if second % 20 == 0 {
            let light = if second % 40 == 0 { "red" } else { "green" };
            street.set("light", light); // wakes everybody who declares the key
            println!("{second:2} s: the light turns {light}");
        }
        // The pool has no threads: rayon polls its chunks. The result is the same for any number of them.
        let now = Duration::from_secs(second);
        polled += crowd.round(now, rayon::current_num_threads(), |chunks| {
            let due: usize = chunks.iter().map(Chunk::len).sum();
            chunks.into_par_iter().for_each(Chunk::poll);
            due
        });
        if second % 10 == 9 {
            let crossed = crowd.iter().filter(|(_, who, _)| who.crossed).count();
            println!("{second:2} s: {crossed:5} have crossed; {polled} polls so far");
        }
    }
    Ok(())
}
