//! Two sets of trees, compared once for all agents.

use std::fmt;
use std::sync::Arc;

use super::{Map, Renamed};
use crate::Agent;
use crate::tree::set::Trees;

/// The policy for an agent that runs a tree which changed trees do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gone {
    /// It runs the trees that it has until its outermost tree ends, and moves then.
    #[default]
    Keep,
    /// Everything is aborted, and the tree of that name starts.
    Restart(String),
    /// It runs the trees that it has, and does not move.
    Refuse,
}

/// The comparison of two sets of trees: made once, and shared by all agents that
/// [move](crate::Runner::reload) from one to the other.
///
/// A node is the same if its tree has the same name, and it has the same `idx` and kind. A tree that is equal
/// but for its numbers is matched by place; [`Renamed`] says what else has other names and numbers now.
pub struct Changes<A: Agent> {
    pub(crate) old: Trees<A>,
    pub(crate) new: Trees<A>,
    pub(crate) renamed: Arc<Renamed>,
    pub(crate) map: Arc<Map>,
    pub(crate) gone: Arc<Gone>,
}

impl<A: Agent> Changes<A> {
    /// Compares two sets of trees.
    pub fn between(old: &Trees<A>, new: &Trees<A>) -> Changes<A> {
        Changes::renamed(old, new, Renamed::default())
    }

    /// The same, where trees or nodes have other names and numbers.
    pub fn renamed(old: &Trees<A>, new: &Trees<A>, renamed: Renamed) -> Changes<A> {
        Changes::compare(old, new, Arc::new(renamed), Arc::default())
    }

    fn compare(
        old: &Trees<A>,
        new: &Trees<A>,
        renamed: Arc<Renamed>,
        gone: Arc<Gone>,
    ) -> Changes<A> {
        Changes {
            map: Arc::new(Map::new(&old.0.plan, &new.0.plan, &renamed)),
            old: old.clone(),
            new: new.clone(),
            renamed,
            gone,
        }
    }

    /// Sets what becomes of an agent whose running tree is gone; [`Gone::Keep`] by default.
    #[must_use]
    pub fn when_gone(mut self, gone: Gone) -> Changes<A> {
        self.gone = Arc::new(gone);
        self
    }

    /// Returns true if no tree means anything else than before.
    pub fn is_empty(&self) -> bool {
        self.map.is_same
    }

    /// Returns true if they are the changes of agents that run those trees.
    pub fn is_from(&self, trees: &Trees<A>) -> bool {
        Arc::ptr_eq(&self.old.0, &trees.0)
    }

    /// The trees that agents move to.
    pub fn trees(&self) -> &Trees<A> {
        &self.new
    }

    /// The same changes for an agent that runs those trees: an agent may have missed a reload.
    pub(crate) fn from(&self, trees: &Trees<A>) -> Changes<A> {
        match Arc::ptr_eq(&trees.0, &self.old.0) {
            true => self.clone(),
            false => Changes::compare(trees, &self.new, self.renamed.clone(), self.gone.clone()),
        }
    }
}

// Not derived: an agent need not be `Clone`.
impl<A: Agent> Clone for Changes<A> {
    fn clone(&self) -> Self {
        Changes {
            old: self.old.clone(),
            new: self.new.clone(),
            renamed: self.renamed.clone(),
            map: self.map.clone(),
            gone: self.gone.clone(),
        }
    }
}

impl<A: Agent> fmt::Debug for Changes<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes")
            .field("old", &self.old)
            .field("new", &self.new)
            .field("gone", &self.gone)
            .finish_non_exhaustive()
    }
}
