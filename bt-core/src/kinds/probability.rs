//! `probility`: one child, drawn by weight.

use super::read::fields;
use super::values::Weights;
use super::{About, Call, Children, KeyProblem, NodeKind, Outcome, Path, Problems};

fields! {
    /// One child, drawn by weight.
    pub struct Probability {
        /// one weight for each child
        prob: Weights,
    }
}

impl<'t> NodeKind<'t> for Probability {
    const ABOUT: About = About::composite(
        "probility",
        "%",
        "runs one child, drawn by weight, and takes its result",
    )
    .children(Children::SOME)
    .original(1, 20)
    .elsewhere(
        &[
            "probability",
            "weighted",
            "weightedrandom",
            "probabilityselector",
            "selectorprobability",
        ],
        ", as files spell it",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        let weights = self.prob.0.len();
        if weights != children && weights > 0 {
            let expected = &format_args!("a weight for each of its {children} children");
            let found = &weights;
            problems(
                &path.key("prob"),
                KeyProblem::OutOfRange { expected, found },
            );
        }
    }
}
