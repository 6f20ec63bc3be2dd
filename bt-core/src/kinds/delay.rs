//! `delay`: a wait before its child runs.

use super::read::fields;
use super::values::Seconds;
use super::{About, Call, NodeKind, Outcome, outcome};

fields! {
    /// A wait before its child runs.
    pub struct Delay {
        /// how long to wait
        seconds: Seconds,
    }
}

impl<'t> NodeKind<'t> for Delay {
    const ABOUT: About = About::decorator("delay", "◷", "waits before it runs its child");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_wait()
    }
}
