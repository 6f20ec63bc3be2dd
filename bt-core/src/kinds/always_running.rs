//! `always_running`: no end.

use super::read::fields;
use super::{About, Call, Leaf, NodeKind, Outcome};

fields! {
    /// No end but by an abort.
    pub struct AlwaysRunning {}
}

impl<'t> NodeKind<'t> for AlwaysRunning {
    const ABOUT: About = About::leaf(
        "always_running",
        "…",
        "stays running until it is aborted",
        Leaf::Control,
    )
    .elsewhere(&["running", "idle", "forever", "alwaysrun"], "");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::NEVER
    }
}
