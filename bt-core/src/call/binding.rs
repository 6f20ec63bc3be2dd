//! The target of a call's binding: the slots of its keys, and the stand-in for the agent.

#[cfg(feature = "dynamic")]
use std::sync::Arc;

#[cfg(feature = "dynamic")]
use super::stand_in::StandIn;
use crate::blackboard::{KeyId, Keys};

/// The target of a call's binding.
pub(crate) struct Binding<'k> {
    pub(crate) keys: &'k mut dyn Keys,
    /// The stand-in that may answer in place of the agent, and sees each call first.
    #[cfg(feature = "dynamic")]
    pub(crate) stand_in: Option<Arc<dyn StandIn>>,
}

impl<'k> Binding<'k> {
    /// Calls go to the agent.
    pub(crate) fn new(keys: &'k mut dyn Keys) -> Binding<'k> {
        Binding {
            keys,
            #[cfg(feature = "dynamic")]
            stand_in: None,
        }
    }
}

impl Keys for Binding<'_> {
    fn intern(&mut self, key: &str) -> KeyId {
        self.keys.intern(key)
    }

    fn anonymous(&mut self) -> KeyId {
        self.keys.anonymous()
    }
}
