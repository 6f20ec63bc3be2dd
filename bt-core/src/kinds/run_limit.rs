//! `run_limit`: failure once its child has run a number of times.

use super::attached::Guard;
use super::read::{choices, fields};
use super::values::AtLeast;
use super::{About, Call, Caller, NodeKind, Outcome, Path, Use, outcome};

choices! {
    /// Which ends count.
    pub enum RunLimitOn {
        /// Both.
        All = "all",
        /// Success.
        Success = "success",
        /// Failure.
        Failure = "failure",
    }
}

fields! {
    /// Failure once its child has run a number of times.
    pub struct RunLimit<'t> {
        /// how many
        count: AtLeast<0>,
        /// which ends count
        on: RunLimitOn = RunLimitOn::All,
        /// starts the count afresh when it holds on entry
        reset_if: Option<Guard<'t>> = None,
    }
}

impl<'t> NodeKind<'t> for RunLimit<'t> {
    const ABOUT: About = About::decorator(
        "run_limit",
        "#",
        "fails once its child has run a number of times",
    )
    .elsewhere(&["limiter", "limit", "countlimit"], " with a `count`");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        if let Some(guard) = &self.reset_if {
            let used = Use::Call(Caller::ResetIf, &guard.condition);
            report(&path.key("reset_if"), used);
        }
    }
}
