//! A baker waits for the oven: an action that another thread completes, and its clean-up.
//!
//! Run it with `cargo run -p async-cleanup`. The tree is `trees/bakery.json`; the output is in
//! `output.txt`.

use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};
use std::thread;
use std::time::Duration;

/// Bakes, or buys if the oven takes too long.
#[derive(Agent)]
struct Baker {
    /// Finishes `bake`. In a game, a server or a loader would hold it.
    oven: Option<Completion>,
}

#[agent]
impl Baker {
    /// Bake until the oven is done.
    #[action(exit = "leave_oven")]
    fn bake(&mut self, cx: &mut Context, what: &str) -> Option<bool> {
        println!("  The baker puts {what} into the oven.");
        self.oven = Some(cx.completion());
        None // The action has started and is not finished.
    }

    /// Runs exactly once for each call of `bake`, however that ends.
    fn leave_oven(&mut self, _cx: &mut Context, exit: Exit, what: &str) {
        match exit {
            Exit::Success => println!("  The baker takes out the {what}."),
            Exit::Failure => println!("  The baker throws away the {what}."),
            Exit::Aborted => println!("  The baker stops waiting and turns off the oven."),
        }
    }

    /// Buy it at the market.
    #[action]
    fn buy(&mut self, what: &str) {
        println!("  The baker buys {what} at the market.");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut trees = TreeSet::<Baker>::new();
    let file = include_str!("../trees/bakery.json");
    trees.add(TreeAsset::from_json("bakery.json", file)?);
    let trees = trees.build()?;

    for (day, seconds) in [("Monday", 3), ("Tuesday", 60)] {
        println!("{day}: the oven needs {seconds} s.");
        let mut baker = Baker { oven: None };
        let mut runner = Runner::new(&trees, "bakery.json")?;
        runner.start();
        for now in 0..10 {
            if now == seconds
                && let Some(done) = baker.oven.take()
            {
                // Any thread may finish an action. The result counts in the next poll.
                thread::spawn(move || done.finish(true)).join().unwrap();
            }
            runner.poll(&mut baker, Duration::from_secs(now));
        }
        println!("  Result: {:?}", runner.result());
    }
    Ok(())
}
