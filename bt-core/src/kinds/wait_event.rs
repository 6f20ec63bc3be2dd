//! `wait_event`: a wait for an event.

use super::read::fields;
use super::values::{Name, Parameters};
use super::{About, Call, Leaf, NodeKind, Outcome, Path, Use};

fields! {
    /// A wait for an event.
    pub struct WaitEvent<'t> {
        /// the event to wait for
        event: Name<'t>,
        /// leave the event to other waiters too
        broadcast: bool = false,
        /// take an event that came before
        latch: bool = false,
        /// which key takes which parameter
        params: Parameters<'t> = Parameters::default(),
    }
}

impl<'t> NodeKind<'t> for WaitEvent<'t> {
    const ABOUT: About = About::leaf(
        "wait_event",
        "↯",
        "waits until an event arrives",
        Leaf::Event,
    )
    .original(0, 0)
    .elsewhere(&["waitforevent", "waitforsignal", "onevent"], "");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::new(true, false, true)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Event(self.event, &self.params));
    }
}
