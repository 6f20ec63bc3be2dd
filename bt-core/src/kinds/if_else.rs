//! `if_else`: a condition and two branches.

use super::read::fields;
use super::{About, Call, Children, NodeKind, Outcome};

fields! {
    /// A condition, the branch where it succeeds, and perhaps the one where it fails.
    pub struct IfElse {}
}

impl<'t> NodeKind<'t> for IfElse {
    const ABOUT: About = About::composite(
        "if_else",
        "⊢",
        "a condition, the branch where it succeeds, and the one where it fails",
    )
    .children(Children::between(2, 3))
    .original(3, 3)
    .elsewhere(&["if", "ifthenelse", "branch", "switch"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        let [condition, branches @ ..] = children else {
            return Outcome::ANY;
        };
        let mut ends = Outcome::any(branches);
        ends.waits |= condition.waits;
        ends.failure |= branches.len() < 2 && condition.failure;
        ends
    }
}
