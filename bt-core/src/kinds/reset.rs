//! `reset`: the tree from its root again.

use super::read::fields;
use super::{About, Call, Leaf, NodeKind, Outcome};

fields! {
    /// The tree from its root again.
    pub struct Reset {
        /// leave the blackboard as it is
        keep_blackboard: bool = false,
    }
}

impl<'t> NodeKind<'t> for Reset {
    const ABOUT: About = About::leaf(
        "reset",
        "⟲",
        "aborts everything, clears the blackboard and starts the root again",
        Leaf::Control,
    )
    .original(0, 0);

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ENDS_ALL
    }
}
