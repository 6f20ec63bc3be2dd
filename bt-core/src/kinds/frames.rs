//! `frames`: a number of polls.

use super::read::fields;
use super::values::AtLeast;
use super::{About, Call, NodeKind, Outcome};

fields! {
    /// Its child for a number of polls.
    pub struct Frames {
        /// how many
        count: AtLeast<0>,
    }
}

impl<'t> NodeKind<'t> for Frames {
    const ABOUT: About = About::decorator(
        "frames",
        "#",
        "runs its child for a number of polls, then succeeds",
    );

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::new(true, false, true)
    }
}
