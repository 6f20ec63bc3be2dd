//! The host's own names for agents, beside a pool's ids.

use std::collections::HashMap;
use std::hash::Hash;

use super::AgentId;

/// Keys of the host, each with the id of its agent, both ways.
///
/// A key never changes, while an agent gets another id in each pool that it is in.
///
/// ```
/// use bt_core::pool::{AgentId, Keys};
///
/// let mut keys = Keys::new();
/// let id = AgentId::from((3, 1));
/// assert!(keys.insert("npc:42", id));
/// assert_eq!((keys.id("npc:42"), keys.key(id)), (Some(id), Some(&"npc:42")));
/// assert!(!keys.insert("npc:42", AgentId::from((4, 1))), "the key is another agent's");
/// assert_eq!(keys.remove(id), Some("npc:42"));
/// assert_eq!((keys.id("npc:42"), keys.len()), (None, 0));
/// ```
#[derive(Debug, Clone)]
pub struct Keys<K> {
    ids: HashMap<K, AgentId>,
    /// By place.
    keys: Vec<Option<(AgentId, K)>>,
}

impl<K> Default for Keys<K> {
    fn default() -> Keys<K> {
        Keys {
            ids: HashMap::new(),
            keys: Vec::new(),
        }
    }
}

impl<K: Hash + Eq + Clone> Keys<K> {
    /// No keys.
    pub fn new() -> Keys<K> {
        Keys::default()
    }

    /// Adds an agent; false if there is one of that key already. Whoever had its place before is forgotten.
    pub fn insert(&mut self, key: K, id: AgentId) -> bool {
        if self.ids.contains_key(&key) {
            return false;
        }
        let place = id.index() as usize;
        if self.keys.len() <= place {
            self.keys.resize_with(place + 1, || None);
        }
        if let Some((_, before)) = self.keys[place].replace((id, key.clone())) {
            self.ids.remove(&before);
        }
        self.ids.insert(key, id);
        true
    }

    /// The agent of a key.
    pub fn id<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<AgentId>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.ids.get(key).copied()
    }

    /// The key of an agent.
    pub fn key(&self, id: AgentId) -> Option<&K> {
        let (of, key) = self.keys.get(id.index() as usize)?.as_ref()?;
        (*of == id).then_some(key)
    }

    /// Forgets an agent; its key, if it was known.
    pub fn remove(&mut self, id: AgentId) -> Option<K> {
        self.key(id)?;
        let (_, key) = self.keys[id.index() as usize].take()?;
        self.ids.remove(&key);
        Some(key)
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// All ids with their keys, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (AgentId, &K)> {
        self.keys.iter().flatten().map(|(id, key)| (*id, key))
    }
}
