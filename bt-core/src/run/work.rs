//! What the walker goes on with when what it entered blocks.

use super::at::At;
use super::core::Core;
use crate::tree::plan::{NONE, Plan};

/// Something to do once what was entered before blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// A composite that has more to do, or a node at which the walk was parked;
    /// [`NOWHERE`](super::at::NOWHERE) for the guards that are still to react.
    pub(crate) at: At,
    /// The child that was entered; [`NONE`](crate::tree::plan::NONE) where the walk was parked.
    pub(crate) child: u32,
}

impl Core {
    pub(crate) fn push_work(&mut self, at: At, child: u32) {
        self.cold().work.push(Work { at, child });
    }

    pub(crate) fn work_len(&self) -> usize {
        self.cold.as_ref().map_or(0, |cold| cold.work.len())
    }

    /// The child that a composite has entered, and of which it has not heard yet.
    pub(crate) fn entering(&self, at: At) -> Option<u32> {
        let work = &self.cold.as_ref()?.work;
        let own = work.iter().rfind(|work| work.at == at)?;
        (own.child != NONE).then_some(own.child)
    }

    /// Takes a composite's own work off, if it has any.
    pub(crate) fn drop_work(&mut self, at: At) {
        if let Some(cold) = &mut self.cold {
            cold.work.retain(|work| work.at != at);
        }
    }

    /// Takes off the work of a place and of all that is below it, and what was to decide there.
    pub(crate) fn drop_work_within(&mut self, plan: &Plan, top: At) {
        if self
            .cold
            .as_ref()
            .is_some_and(|cold| !cold.deciding.is_empty())
        {
            let mut deciding = std::mem::take(&mut self.cold().deciding);
            deciding.retain(|at| !self.is_within(plan, *at, top));
            self.cold().deciding = deciding;
        }
        if self.work_len() == 0 {
            return;
        }
        let mut work = std::mem::take(&mut self.cold().work);
        work.retain(|work| !self.is_within(plan, work.at, top));
        self.cold().work = work;
    }
}
