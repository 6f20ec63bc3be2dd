//! What stands for changed trees where the feature `reload` is off: there are none.

use std::marker::PhantomData;

use super::runner::Runner;
use crate::Agent;

/// No agent moves.
pub(crate) struct Pending<A: Agent>(PhantomData<fn(&A)>);

impl<A: Agent> Default for Pending<A> {
    fn default() -> Pending<A> {
        Pending(PhantomData)
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
