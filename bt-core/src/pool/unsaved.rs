//! A stand-in for changed trees where the feature `save` is off: there are none.

use std::marker::PhantomData;

use super::Pool;
use crate::{Agent, Runner};

/// No agent moves.
pub(super) struct Reloads<A: Agent>(PhantomData<fn(&A)>);

impl<A: Agent> Default for Reloads<A> {
    fn default() -> Reloads<A> {
        Reloads(PhantomData)
    }
}

impl<A: Agent> Reloads<A> {
    #[inline(always)]
    pub(super) fn tell(&self, _: &mut Runner<A>) -> bool {
        false
    }
}

impl<A: Agent> Pool<A> {
    pub(super) fn wake_for_reload(&mut self) {}

    pub(super) fn has_reload(&self) -> bool {
        false
    }
}
