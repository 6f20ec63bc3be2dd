//! The guards whose last answer was no: noted where results are kept or traced.

use serde_json::Value;
use thin_vec::ThinVec;

use crate::run::node_ref::At;
use crate::run::plain::Refused;

/// The guards whose last answer was no.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// Sorted by node.
    all: ThinVec<Refused>,
    /// Lists for what guards saw, to be used again.
    spare: ThinVec<Vec<Value>>,
}

impl Refusals {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Refused> {
        self.all.iter()
    }

    fn position(&self, at: At, guard: u32) -> Result<usize, usize> {
        let key = |refused: &Refused| (refused.at.node, refused.guard);
        self.all.binary_search_by_key(&(at.node, guard), key)
    }

    /// A guard holds.
    pub(crate) fn forget(&mut self, at: At, guard: u32) {
        if let Ok(found) = self.position(at, guard) {
            let mut gone = self.all.remove(found);
            gone.saw.clear();
            self.spare.push(gone.saw);
        }
    }

    /// The values that a guard read last, or an empty list.
    pub(crate) fn take_seen(&mut self, at: At, guard: u32) -> Vec<Value> {
        match self.position(at, guard) {
            Ok(found) => std::mem::take(&mut self.all[found].saw),
            Err(_) => self.spare.pop().unwrap_or_default(),
        }
    }

    pub(crate) fn note(&mut self, refused: Refused) {
        match self.position(refused.at, refused.guard) {
            Ok(found) => self.all[found] = refused,
            Err(position) => self.all.insert(position, refused),
        }
    }
}
