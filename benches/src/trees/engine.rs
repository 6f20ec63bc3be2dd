//! An engine in the benches.

use std::error::Error;
use std::time::Duration;

use super::Shape;

/// Something that runs trees.
pub trait Engine: 'static {
    /// The name of its crate.
    const NAME: &'static str;
    /// The body that leaves act upon.
    type Body: Default + 'static;
    /// Everything that all agents on a tree share, and that one more agent is made from.
    type Trees: 'static;
    /// The state of each agent, beside its body.
    type Runner: 'static;

    /// Gets a tree ready for agents.
    ///
    /// # Errors
    /// If the engine refuses it.
    fn trees(shape: &Shape) -> Result<Self::Trees, Box<dyn Error>>;

    /// One more agent, about to run the tree from the start whenever it has ended.
    ///
    /// # Errors
    /// If the engine refuses it.
    fn runner(trees: &mut Self::Trees, body: &Self::Body) -> Result<Self::Runner, Box<dyn Error>>;

    /// Lets an agent run until it waits or has come to its tree's end.
    fn poll(runner: &mut Self::Runner, body: &mut Self::Body, now: Duration);

    /// The sum of all leaves that were called: [`Body::tally_of`](super::Body::tally_of).
    fn tally(body: &Self::Body) -> u64;
}

/// An engine that reads trees from text.
pub trait Loads: Engine {
    /// A tree in the engine's own format.
    ///
    /// # Errors
    /// If it has no words for a node.
    fn text(shape: &Shape) -> Result<String, Box<dyn Error>>;

    /// From a text to an agent that is about to run it.
    ///
    /// # Errors
    /// If the engine refuses it.
    fn load(
        trees: &mut Self::Trees,
        text: &str,
        body: &Self::Body,
    ) -> Result<Self::Runner, Box<dyn Error>>;
}
