//! `end`: the end of a tree.

use super::read::{choices, fields};
use super::{About, Call, Leaf, NodeKind, Outcome};

choices! {
    /// The result of a tree that is ended.
    pub enum EndStatus {
        /// It succeeds.
        Success = "success",
        /// It fails.
        Failure = "failure",
    }
}

fields! {
    /// The end of a tree.
    pub struct End {
        /// the result
        status: EndStatus,
        /// end the agent's current tree, not only this one
        outside: bool = false,
    }
}

impl<'t> NodeKind<'t> for End {
    const ABOUT: About = About::leaf(
        "end",
        "■",
        "ends the tree with a given result",
        Leaf::Control,
    )
    .elsewhere(&["return", "exit", "finish"], " with a `status`");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ENDS_ALL
    }
}
