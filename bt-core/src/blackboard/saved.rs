//! The saved part of a blackboard: the values that differ from the initial ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Blackboard, KeyError, KeyId, Scope, TreeFrame};
use crate::decode::is_default;

/// The agent's keys that hold something else than at first.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedKeys {
    /// With what they hold now.
    #[serde(rename = "keys", default, skip_serializing_if = "is_default")]
    pub(crate) set: BTreeMap<String, Value>,
    /// Those that hold something at first, and nothing now.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) unset: Vec<String>,
    /// Those that are observed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) observed: Vec<String>,
}

/// The same of a running tree's own keys, by their places.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedFrame {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) set: Vec<(u32, Value)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) unset: Vec<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) observed: Vec<u32>,
}

impl Blackboard {
    /// The agent's keys to be saved, but for those that are shared with others.
    pub(crate) fn saved_keys(&self) -> SavedKeys {
        let mut saved = SavedKeys::default();
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| &own.names);
        let names: BTreeMap<_, _> = self.table.agent_keys().iter().chain(own).collect();
        for (name, id) in names {
            if self.is_observed(*id) {
                saved.observed.push(name.to_string());
            }
            if self.shared(*id).is_some() {
                continue;
            }
            let declared = self.table.agent_declared(*id);
            let initial = declared.and_then(|declared| declared.initial.as_ref());
            match (self.read(*id).as_deref(), initial) {
                (Some(value), initial) if Some(value) != initial => {
                    saved.set.insert(name.to_string(), value.clone());
                }
                (None, Some(_)) => saved.unset.push(name.to_string()),
                _ => {}
            }
        }
        saved
    }

    /// The keys of a running tree to be saved.
    pub(crate) fn saved_frame(&self, tree: Scope, frame: TreeFrame) -> SavedFrame {
        let mut saved = SavedFrame::default();
        for (at, local) in (0..).zip(self.table.locals(tree)) {
            let id = frame.key(at);
            if self.is_observed(id) {
                saved.observed.push(at);
            }
            let initial = local.declared.initial.as_ref();
            match (self.read(id).as_deref(), initial) {
                (Some(value), initial) if Some(value) != initial => {
                    saved.set.push((at, value.clone()));
                }
                (None, Some(_)) => saved.unset.push(at),
                _ => {}
            }
        }
        saved
    }

    /// The agent's keys that are observed, sorted by name.
    pub(crate) fn observed_keys(&self) -> BTreeMap<String, KeyId> {
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| &own.names);
        let names = self.table.agent_keys().iter().chain(own);
        let observed = names.filter(|(_, id)| self.is_observed(**id));
        observed.map(|(name, id)| (name.to_string(), *id)).collect()
    }

    /// The keys of a running tree that are observed, with their places.
    pub(crate) fn observed_in(
        &self,
        tree: Scope,
        frame: TreeFrame,
    ) -> impl Iterator<Item = (u32, KeyId)> + '_ {
        let places = 0..self.table.locals(tree).len() as u32;
        let keys = places.map(move |at| (at, frame.key(at)));
        keys.filter(|(_, id)| self.is_observed(*id))
    }

    fn is_observed(&self, id: KeyId) -> bool {
        let rest = self.rest.get();
        rest.is_some_and(|rest| rest.notices.borrow().observes(id))
    }

    /// A key in the frame of a running tree, by its place there; none if it has no such place.
    pub(crate) fn frame_key(&self, tree: Scope, frame: TreeFrame, at: u32) -> Option<KeyId> {
        let is_there = (at as usize) < self.table.locals(tree).len();
        is_there.then(|| frame.key(at))
    }

    /// Writes a key, or unsets it.
    ///
    /// # Errors
    /// [`KeyError`] if the value is not of the key's declared type.
    pub(crate) fn restore_key(&self, id: KeyId, value: Option<Value>) -> Result<(), KeyError> {
        if let Some(value) = &value {
            self.check(id, value)?;
        }
        self.store(id, value);
        Ok(())
    }
}
