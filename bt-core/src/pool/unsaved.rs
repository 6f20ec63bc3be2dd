//! A stand-in where the feature `save` is off: there are no changed trees, and nobody follows which agents change.

use std::marker::PhantomData;

use super::{AgentId, Pool};
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

/// Nobody is marked.
#[derive(Debug, Default)]
pub(super) struct Changes(());

impl Changes {
    #[inline(always)]
    pub(super) fn mark(&mut self, _: AgentId) {}

    #[inline(always)]
    pub(super) fn mark_gone(&mut self, _: AgentId) {}
}
