//! A stand-in for restored agents where the feature `save` is off: there are none.

use super::core::Core;
use super::plain::Order;
use super::walk::Walker;
use crate::trace::GoesOn;

/// No agent was restored.
#[derive(Debug)]
pub(crate) enum Restored {}

impl Core {
    /// The host's clock is known from the first poll on.
    pub(crate) fn land(&mut self) {}

    /// Times are those of the host's clock.
    pub(crate) fn knows_clock(&self) -> bool {
        true
    }

    /// Begins a poll that has something to do.
    pub(crate) fn wake_up(&mut self) -> Option<Box<Restored>> {
        self.end_pause();
        None
    }

    pub(crate) fn continues(&self, _: Order) -> (Option<GoesOn<'static>>, bool) {
        (None, false)
    }
}

impl Walker<'_> {
    pub(crate) fn continue_restored(&mut self, restored: Restored) {
        match restored {}
    }
}
