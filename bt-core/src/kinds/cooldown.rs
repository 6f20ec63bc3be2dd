//! `cooldown`: failure for a while after a run.

use super::read::{choices, fields};
use super::values::Seconds;
use super::{About, Call, NodeKind, Outcome, outcome};

choices! {
    /// Which ends start a cooldown.
    pub enum CooldownOn {
        /// Both.
        All = "all",
        /// Success.
        Success = "success",
    }
}

fields! {
    /// Failure for a while after its child has ended.
    pub struct Cooldown {
        /// how long it fails after its child has ended
        seconds: Seconds,
        /// which ends start it
        on: CooldownOn = CooldownOn::All,
    }
}

impl<'t> NodeKind<'t> for Cooldown {
    const ABOUT: About = About::decorator(
        "cooldown",
        "◷",
        "fails for a while after its child has ended",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }
}
