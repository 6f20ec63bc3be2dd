//! A stand-in for restored agents, and for changed trees, where the feature `save` is off: there are none.

use super::core::Core;
use super::plain::Order;
use super::runner::Runner;
use super::walk::Walker;
use crate::Agent;
use crate::trace::Resumption;

/// No agent was restored.
#[derive(Debug)]
pub(crate) enum Restored {}

impl Core {
    /// The host's clock is known from the first poll on.
    pub(crate) fn sync_clock(&mut self) {}

    /// Times are those of the host's clock.
    pub(crate) fn knows_clock(&self) -> bool {
        true
    }

    /// Begins a poll that has something to do.
    pub(crate) fn wake_up(&mut self) -> Option<Box<Restored>> {
        self.end_pause();
        None
    }

    pub(crate) fn continues(&self, _: Order) -> (Option<Resumption<'static>>, bool) {
        (None, false)
    }
}

impl Walker<'_> {
    pub(crate) fn continue_restored(&mut self, restored: Restored) {
        match restored {}
    }
}

impl<A: Agent> Runner<A> {
    #[inline(always)]
    pub(super) fn may_move(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(super) fn move_to_changed<'w, 's>(&mut self, _: &mut A, _: &mut A::World<'w, 's>) -> bool {
        false
    }
}
