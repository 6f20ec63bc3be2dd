//! Leaves as a programmer writes them without this workspace: a trait object for each.

use bt_core::Context;

use crate::{Wolf, World};

/// A leaf of a tree that somebody wrote by hand.
pub(crate) trait Leaf<A> {
    /// Does it.
    fn run(&self, agent: &mut A, world: &mut World, cx: &mut Context<'_>) -> Option<bool>;
}

/// Takes nothing.
pub(crate) struct Look;

impl<const COPY: u64> Leaf<Wolf<COPY>> for Look {
    fn run(&self, wolf: &mut Wolf<COPY>, _: &mut World, _: &mut Context<'_>) -> Option<bool> {
        wolf.look()
    }
}

/// Takes two numbers.
pub(crate) struct Chase {
    pub(crate) target: u64,
    pub(crate) range: f64,
}

impl<const COPY: u64> Leaf<Wolf<COPY>> for Chase {
    fn run(&self, wolf: &mut Wolf<COPY>, _: &mut World, _: &mut Context<'_>) -> Option<bool> {
        wolf.chase(self.target, self.range)
    }
}

/// Takes a text, a number and the context.
pub(crate) struct Howl {
    pub(crate) text: String,
    pub(crate) volume: f64,
}

impl<const COPY: u64> Leaf<Wolf<COPY>> for Howl {
    fn run(&self, wolf: &mut Wolf<COPY>, _: &mut World, cx: &mut Context<'_>) -> Option<bool> {
        wolf.howl(cx, &self.text, self.volume)
    }
}
