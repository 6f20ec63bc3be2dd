//! The blackboard: named JSON values that the leaves of a tree share.

mod declared;
mod error;
mod flags;
mod frames;
mod journal;
mod keys;
#[cfg(feature = "save")]
mod moved;
mod notices;
mod reads;
mod saved;
mod shared;
mod sharing;
mod slots;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod writes;

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde_json::Value;

pub use error::KeyError;
use flags::Flags;
use frames::Frames;
#[doc(hidden)]
pub use frames::TreeFrame;
#[doc(hidden)]
pub use keys::Keys;
pub use keys::{Declaration, KeyId, KeyTable, Scope};
use keys::{Declared, LOCAL};
#[cfg(feature = "save")]
pub(crate) use moved::{Moved, Run};
pub use notices::KeyChange;
use notices::Notices;
#[cfg(feature = "save")]
pub(crate) use saved::{SavedFrame, SavedKeys};
pub use shared::SharedBoard;
use sharing::Sharing;
use slots::{Added, Slots};
pub(crate) use slots::{Held, Slot, decoded};
pub use types::{TypeError, ValueType};
use writes::Writes;

use crate::node::Nodes;

/// An agent's memory: string keys, JSON values.
///
/// A key is interned to a slot once. A slot never moves, so an action can hold a value on loan and
/// the [`Context`](crate::Context) at once; a write to a slot that is on loan takes effect when
/// the call that holds the loan returns.
///
/// ```
/// use bt_core::Blackboard;
///
/// let board = Blackboard::new();
/// board.set("hp", 7);
/// assert_eq!(board.get("hp"), 7);
/// assert_eq!(board.get_as::<u8>("hp").unwrap(), 7);
/// assert_eq!(board.get("mana"), serde_json::Value::Null);
/// assert!(board.get_as::<u8>("mana").is_err());
/// ```
///
/// Keys may be [declared](Blackboard::declare) with a type. A write of another type is refused:
/// [`try_set`](Blackboard::try_set) says so at once; after [`set`](Blackboard::set) the call that
/// made it ends as an error.
pub struct Blackboard {
    slots: Slots,
    /// The keys of the trees, which all agents' blackboards share.
    table: Arc<KeyTable>,
    rest: OnceCell<Box<Rest>>,
    /// The scope in which names are looked up, and the frame of that tree.
    scope: Cell<Scope>,
    frame: Cell<u32>,
    /// Flags of the rest that has to be checked.
    flags: Flags,
}

/// The parts of a blackboard that needs more than the keys of its table: made then.
struct Rest {
    added: Added,
    own: RefCell<Own>,
    frames: RefCell<Frames>,
    sharing: Sharing,
    notices: RefCell<Notices>,
    reads: RefCell<Vec<KeyId>>,
    journal: RefCell<Vec<KeyId>>,
    writes: Writes,
}

/// The agent's keys that are not in the table, and what is declared of keys there is nothing of in
/// the table.
#[derive(Default)]
struct Own {
    names: BTreeMap<Arc<str>, KeyId>,
    by_slot: BTreeMap<KeyId, Arc<str>>,
    declared: BTreeMap<KeyId, Declared>,
}

impl Default for Blackboard {
    fn default() -> Blackboard {
        static NO_KEYS: LazyLock<Arc<KeyTable>> = LazyLock::new(Arc::default);
        Blackboard::with_slots(NO_KEYS.clone())
    }
}

impl Blackboard {
    /// An empty blackboard.
    pub fn new() -> Blackboard {
        Blackboard::default()
    }

    /// A blackboard with the keys of a table; those that are declared with an initial value hold
    /// it.
    pub fn with_keys(table: Arc<KeyTable>) -> Blackboard {
        let board = Blackboard::with_slots(table);
        if board.table.declares() {
            board.flags.set(Flags::DECLARED);
            board.set_initial();
        }
        board
    }

    fn with_slots(table: Arc<KeyTable>) -> Blackboard {
        Blackboard {
            slots: Slots::with(table.len()),
            table,
            rest: OnceCell::new(),
            scope: Cell::new(Scope::AGENT),
            frame: Cell::new(0),
            flags: Flags::default(),
        }
    }

    fn rest(&self) -> &Rest {
        self.rest.get_or_init(|| {
            Box::new(Rest {
                added: Added::after(self.table.len()),
                own: RefCell::default(),
                frames: RefCell::default(),
                sharing: Sharing::default(),
                notices: RefCell::default(),
                reads: RefCell::default(),
                journal: RefCell::default(),
                writes: Writes::default(),
            })
        })
    }

    /// The nodes of the trees whose keys it has.
    pub(crate) fn nodes(&self) -> Option<Arc<dyn Nodes>> {
        self.table.nodes()
    }

    /// The slot of `key`, made if there is none yet; the key stays unset until it is written.
    ///
    /// # Panics
    /// With more than 2^27 keys on one blackboard.
    pub fn intern(&self, key: &str) -> KeyId {
        match self.find(key) {
            Some(id) => id,
            None => self.agent_key(key),
        }
    }

    fn agent_key(&self, key: &str) -> KeyId {
        if let Some(id) = self.table.agent_keys().get(key) {
            return *id;
        }
        let mut own = self.rest().own.borrow_mut();
        if let Some(id) = own.names.get(key) {
            return *id;
        }
        let id = KeyId(self.add_slots(1));
        let name: Arc<str> = key.into();
        own.names.insert(name.clone(), id);
        own.by_slot.insert(id, name);
        id
    }

    /// The number of the first of so many new slots.
    fn add_slots(&self, more: u32) -> u32 {
        self.rest().added.add(&self.slots, more)
    }

    fn find(&self, key: &str) -> Option<KeyId> {
        if let Some(id) = self.table.find(self.scope.get(), key) {
            return Some(self.absolute_id(id));
        }
        self.rest.get()?.own.borrow().names.get(key).copied()
    }

    fn name(&self, id: KeyId) -> Option<Arc<str>> {
        if let Some(name) = self.table.name(id) {
            return Some(name.clone());
        }
        let rest = self.rest.get()?;
        let own = rest.own.borrow().by_slot.get(&id).cloned();
        own.or_else(|| Some(self.local(rest, id)?.name.clone()))
    }

    /// The key itself, of one that may be a place in the frame that is entered.
    #[inline]
    pub(crate) fn absolute_id(&self, id: KeyId) -> KeyId {
        if id.0 & LOCAL == 0 {
            id
        } else {
            KeyId((id.0 & !LOCAL) + self.frame.get())
        }
    }

    /// A copy of a key's value; none if it is unset.
    pub(crate) fn value(&self, id: KeyId) -> Option<Value> {
        self.read(self.absolute_id(id)).map(|value| value.clone())
    }

    pub(crate) fn slot(&self, id: KeyId) -> Option<&Slot> {
        self.absolute_slot(self.absolute_id(id))
    }

    /// The slot of a key that is one of the first, as nearly all are; one in a frame is none.
    #[inline]
    pub(crate) fn near_slot(&self, id: KeyId) -> Option<&Slot> {
        self.slots.near(id.0)
    }

    #[inline]
    fn absolute_slot(&self, id: KeyId) -> Option<&Slot> {
        match self.slots.near(id.0) {
            Some(slot) => Some(slot),
            None => self.rest.get()?.added.get(&self.slots, id.0),
        }
    }

    #[inline]
    fn read(&self, id: KeyId) -> Option<Ref<'_, Value>> {
        Ref::filter_map(self.slot(id)?.borrow(), Held::value).ok()
    }

    fn agent_ids(&self) -> Vec<KeyId> {
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| own.names.values());
        let table = self.table.agent_keys().values();
        table.chain(own).copied().collect()
    }
}

impl Keys for &Blackboard {
    fn intern(&mut self, key: &str) -> KeyId {
        Blackboard::intern(self, key)
    }

    fn anonymous(&mut self) -> KeyId {
        KeyId(self.add_slots(1))
    }
}

impl Serialize for Blackboard {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(serializer)
    }
}

impl fmt::Debug for Blackboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.to_map()).finish()
    }
}
