//! `while_loop`: a body again as long as a condition succeeds.

use super::read::fields;
use super::{About, Call, Children, NodeKind, Outcome};

fields! {
    /// A body again as long as a condition succeeds.
    pub struct WhileLoop {}
}

impl<'t> NodeKind<'t> for WhileLoop {
    const ABOUT: About = About::composite(
        "while_loop",
        "↻",
        "runs its second child again as long as the first succeeds",
    )
    .children(Children::between(2, 2))
    .original(2, 2)
    .elsewhere(&["while", "whiledo", "whiledoelse"], "");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::new(true, false, true)
    }
}
