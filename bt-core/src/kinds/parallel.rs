//! `parallel`: all children at once.

use super::read::fields;
use super::values::AtLeast;
use super::{About, Call, Children, KeyProblem, NodeKind, Outcome, Path, Problems};

fields! {
    /// All children at once.
    pub struct Parallel {
        /// how many successes decide
        success: Option<AtLeast<1>> = None,
        /// how many failures decide
        failure: Option<AtLeast<1>> = None,
        /// run finished children again every poll
        rerun: bool = false,
    }
}

impl<'t> NodeKind<'t> for Parallel {
    const ABOUT: About = About::composite(
        "parallel",
        "⇉",
        "runs all its children at once until enough succeed or fail",
    )
    .children(Children::SOME)
    .original(1, 10)
    .elsewhere(
        &["parallelall", "parallelany", "race", "join"],
        " with `success` and `failure`",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: Outcome::any(children).waits,
            ..Outcome::INSTANT
        }
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        for (key, threshold) in [("success", self.success), ("failure", self.failure)] {
            let beyond = threshold.filter(|AtLeast(count)| *count > children as u64);
            if let Some(AtLeast(count)) = beyond.filter(|_| children > 0) {
                let s = if children == 1 { "child" } else { "children" };
                let expected = &format_args!("no more than its {children} {s}");
                let found = &count;
                problems(&path.key(key), KeyProblem::OutOfRange { expected, found });
            }
        }
        // Without thresholds the first child that ends decides, and none is left to run again.
        if self.rerun && self.success.is_none() && self.failure.is_none() {
            let problem = KeyProblem::MissingOneOf {
                keys: &["success", "failure"],
                description: "it says how many of the same poll's ends decide",
            };
            problems(&path.key("rerun"), problem);
        }
    }
}
