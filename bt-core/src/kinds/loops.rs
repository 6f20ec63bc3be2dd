//! `loop`: one run a poll.

use super::read::fields;
use super::{About, Call, NodeKind, Outcome};

fields! {
    /// One run a poll.
    pub struct Loop {
        /// how many; below zero: for ever
        count: i64,
    }
}

impl<'t> NodeKind<'t> for Loop {
    const ABOUT: About = About::decorator(
        "loop",
        "∞",
        "runs its child once a poll whatever it returns, a number of times",
    );

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        match self.count {
            0 => Outcome::SUCCESS,
            1.. => Outcome::new(true, false, true),
            _ => Outcome::NEVER,
        }
    }
}
