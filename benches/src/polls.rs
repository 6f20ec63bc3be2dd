//! Trees that are polled, again and again.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, sequence};
use bt_core::{Runner, TreeAsset, TreeSet, Worldless};

use crate::Timed;

/// It compares.
#[derive(Debug, Default, Agent)]
#[agent(name = "abacus")]
pub struct Abacus;

#[agent]
impl Abacus {
    /// Is one less than the other?
    #[condition]
    fn less(a: f64, b: f64) -> bool {
        a < b
    }

    /// Does nothing.
    #[action]
    fn rest() -> bool {
        true
    }
}

/// The leaves, or guards, of a poll.
pub const LEAVES: u64 = 64;

/// Something that is done [`LEAVES`] times in each poll.
pub struct Polls {
    name: &'static str,
    run: Box<dyn FnMut(u64)>,
}

impl fmt::Debug for Polls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Polls").field(&self.name).finish()
    }
}

impl Polls {
    /// The polls that a function does: so many of them.
    pub fn new(name: &'static str, run: impl FnMut(u64) + 'static) -> Polls {
        let run = Box::new(run);
        Polls { name, run }
    }

    /// The polls of a tree, with values for its keys `a`, `b` and `n`. `trees`: none yet, for the agent `abacus`.
    ///
    /// # Errors
    /// If the tree cannot be built.
    pub fn tree<A: Worldless>(
        name: &'static str,
        mut trees: TreeSet<A>,
        mut agent: A,
        top: NodeSpec,
    ) -> Result<Polls, Box<dyn Error>> {
        trees.add(TreeAsset::build("main", "abacus", top));
        let mut runner = Runner::new(&trees.build()?, "main")?;
        for (key, value) in [("a", 1.5), ("b", 2.5), ("n", 0.0)] {
            runner.blackboard().set(key, value);
        }
        runner.start();
        let mut now = Duration::ZERO;
        Ok(Polls::new(name, move |times| {
            for _ in 0..times {
                now += Duration::from_millis(1);
                runner.poll(&mut agent, now);
            }
        }))
    }

    /// The polls of a sequence of the same leaf.
    ///
    /// # Errors
    /// As of [`Polls::tree`].
    pub fn leaves<A: Worldless>(
        name: &'static str,
        trees: TreeSet<A>,
        agent: A,
        leaf: impl Fn() -> NodeSpec,
    ) -> Result<Polls, Box<dyn Error>> {
        Polls::tree(name, trees, agent, sequence((0..LEAVES).map(|_| leaf())))
    }
}

impl Timed for Polls {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, times: u64) {
        (self.run)(times);
    }
}
