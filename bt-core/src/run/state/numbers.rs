//! The numbers that active nodes read when they were entered.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use crate::kinds::NumberSlot;
use crate::run::node_ref::At;

/// A number of an active node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptNumber {
    at: At,
    /// Of one of its services: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    service: Option<u32>,
    /// The place among several that it has.
    #[serde(default, skip_serializing_if = "crate::decode::is_default")]
    which: u32,
    is: Value,
}

impl KeptNumber {
    pub(crate) fn new(at: At, slot: NumberSlot, is: Value) -> KeptNumber {
        let service = slot.as_service();
        KeptNumber {
            at,
            service,
            which: if service.is_none() { slot.0 } else { 0 },
            is,
        }
    }

    pub(crate) fn at(&self) -> At {
        self.at
    }

    /// The value that was read.
    pub(crate) fn value(&self) -> &Value {
        &self.is
    }

    pub(crate) fn slot(&self) -> NumberSlot {
        match self.service {
            Some(number) => NumberSlot::service(number),
            None => NumberSlot(self.which),
        }
    }
}

/// The numbers that active nodes have read.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    all: ThinVec<KeptNumber>,
}

impl Numbers {
    pub(crate) fn get(&self, at: At, slot: NumberSlot) -> Option<&Value> {
        let mut all = self.all.iter();
        let found = all.find(|number| number.at == at && number.slot() == slot)?;
        Some(&found.is)
    }

    pub(crate) fn set(&mut self, at: At, slot: NumberSlot, is: Value) {
        self.all
            .retain(|number| number.at != at || number.slot() != slot);
        self.all.push(KeptNumber::new(at, slot, is));
    }

    /// A node has ended.
    pub(crate) fn clear(&mut self, at: At) {
        self.all.retain(|number| number.at != at);
    }

    #[cfg(feature = "save")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &KeptNumber> {
        self.all.iter()
    }

    /// The nodes are those of changed trees now: where a number is, if it stays.
    #[cfg(feature = "save")]
    pub(crate) fn carry(&mut self, mut to: impl FnMut(At, NumberSlot) -> Option<(At, NumberSlot)>) {
        let moved = std::mem::take(&mut self.all).into_iter();
        let moved = moved.filter_map(|number| {
            let (at, slot) = to(number.at, number.slot())?;
            Some(KeptNumber::new(at, slot, number.is))
        });
        self.all = moved.collect();
    }
}
