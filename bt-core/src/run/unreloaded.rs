//! A stand-in for changed trees where the feature `reload` is off: there are none.

use super::runner::Runner;
use crate::Agent;

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
