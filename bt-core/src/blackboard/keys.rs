//! Keys by name: interned to slots, declared with types and initial values, seen from scopes.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use serde_json::Value;
use smallvec::SmallVec;

use super::{KeyError, ValueType};
use crate::node::Nodes;

/// The place of a key's value: the number of its slot on a [`Blackboard`](super::Blackboard), or of its place
/// in the frame of the tree that declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub(super) u32);

impl KeyId {
    /// The key of a number, where that means something else than a blackboard.
    pub(crate) fn numbered(number: u32) -> KeyId {
        KeyId(number)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Marks a place in a frame.
pub(super) const LOCAL: u32 = 1 << 31;

/// Gives keys their slots: what a call is bound with.
///
/// For one agent that is its blackboard (`&mut session.blackboard()`), for a tree that many agents
/// run a table, [`KeyTable::seen_from`].
pub trait Keys {
    /// The slot of a key.
    fn intern(&mut self, key: &str) -> KeyId;

    /// A slot of its own, which no name reaches.
    fn anonymous(&mut self) -> KeyId;
}

/// From where a name is looked up: the agent, a tree, or a node of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(hidden)]
pub struct Scope(pub(super) u32);

impl Scope {
    /// The agent's keys, which every tree of the agent sees.
    pub const AGENT: Scope = Scope(0);
}

/// A key that is declared: its type, and what it holds at first.
///
/// A value is kept as it was written: a key of an integer type that is set to `2.0` holds the float
/// `2.0`, which reads as the integer 2.
///
/// ```
/// use bt_core::Blackboard;
/// use bt_core::blackboard::{Declaration, KeyTable, Scope, ValueType};
///
/// let mut keys = KeyTable::new();
/// let score = Declaration::new("score", ValueType::Integer { signed: true, bits: 32 }).initial(10);
/// keys.declare(Scope::AGENT, score)?;
/// let mut board = Blackboard::with_keys(keys.into());
/// assert_eq!(board.get("score"), 10);
/// assert!(board.try_set("score", "many").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Declaration {
    pub(super) key: String,
    pub(super) ty: ValueType,
    pub(super) initial: Option<Value>,
    pub(super) global: bool,
}

impl Declaration {
    /// A key of a type, unset at first.
    pub fn new(key: impl Into<String>, ty: ValueType) -> Declaration {
        Declaration {
            key: key.into(),
            ty,
            initial: None,
            global: false,
        }
    }

    /// With a value to begin with.
    pub fn initial(mut self, value: impl Into<Value>) -> Declaration {
        self.initial = Some(value.into());
        self
    }

    /// Shared by all agents whose blackboards have the same [`SharedBoard`](super::SharedBoard).
    pub fn global(mut self) -> Declaration {
        self.global = true;
        self
    }
}

/// The keys that trees name and declare: made once, shared by the blackboards of all agents that
/// run them.
///
/// ```
/// use bt_core::Blackboard;
/// use bt_core::blackboard::{Declaration, KeyTable, Scope, ValueType};
///
/// let mut table = KeyTable::new();
/// let hp = Declaration::new("hp", "int32".parse()?).initial(100);
/// table.declare(Scope::AGENT, hp)?;
///
/// let board = Blackboard::with_keys(table.into());
/// assert_eq!(board.get("hp"), 100);
/// assert!(board.try_set("hp", "many").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct KeyTable {
    scopes: SmallVec<[Names; 1]>,
    /// The agent's keys in the order of their slots.
    agent: Vec<AgentKey>,
    /// True if one of them is declared.
    declares: bool,
    /// The trees that name them.
    nodes: Option<Weak<dyn Nodes>>,
}

#[derive(Debug, Clone)]
struct AgentKey {
    name: Arc<str>,
    declared: Option<Declared>,
}

#[derive(Debug, Clone)]
struct Names {
    parent: Scope,
    /// The scope whose frame holds the keys.
    tree: Scope,
    /// The keys of each tree's own scope.
    locals: Vec<Local>,
    keys: BTreeMap<Arc<str>, KeyId>,
}

/// A key in a tree's frame.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: Arc<str>,
    pub(super) declared: Declared,
}

/// The declaration of a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Declared {
    pub(super) ty: ValueType,
    pub(super) initial: Option<Value>,
    pub(super) global: bool,
}

impl Declared {
    pub(super) fn check(&self, key: &str, value: &Value) -> Result<(), KeyError> {
        let checked = self.ty.check(value);
        checked.map_err(|why| KeyError::declared(key, &self.ty, value, &why))
    }
}

impl Default for KeyTable {
    fn default() -> KeyTable {
        KeyTable::new()
    }
}

impl KeyTable {
    /// No keys.
    pub fn new() -> KeyTable {
        let agent = Names {
            parent: Scope::AGENT,
            tree: Scope::AGENT,
            locals: Vec::new(),
            keys: BTreeMap::new(),
        };
        KeyTable {
            scopes: SmallVec::from([agent]),
            agent: Vec::new(),
            declares: false,
            nodes: None,
        }
    }

    /// They are the keys of these trees.
    pub(crate) fn set_nodes(&mut self, nodes: Weak<dyn Nodes>) {
        self.nodes = Some(nodes);
    }

    pub(super) fn nodes(&self) -> Option<Arc<dyn Nodes>> {
        self.nodes.as_ref()?.upgrade()
    }

    fn scope(&mut self, parent: Scope, own_frame: bool) -> Scope {
        let scope = Scope(self.scopes.len() as u32);
        let tree = if own_frame {
            scope
        } else {
            self.names_of(parent).tree
        };
        self.scopes.push(Names {
            parent,
            tree,
            locals: Vec::new(),
            keys: BTreeMap::new(),
        });
        scope
    }

    /// A new tree's scope. Each time the tree begins it gets a frame of its own, so a tree that
    /// calls itself does not overwrite its caller's keys.
    pub fn tree(&mut self) -> Scope {
        self.scope(Scope::AGENT, true)
    }

    /// A new node's scope, which sees the keys of `parent`: a node of the same tree, or the tree.
    pub fn node(&mut self, parent: Scope) -> Scope {
        self.scope(parent, parent == Scope::AGENT)
    }

    fn names_of(&self, scope: Scope) -> &Names {
        self.scopes.get(scope.0 as usize).unwrap_or(&self.scopes[0])
    }

    /// Declares a key in a scope; it hides one of the same name further out.
    ///
    /// # Errors
    /// [`KeyError`] if the key has no name, if the initial value is not of the type, or if the key
    /// is declared otherwise in the same scope.
    pub fn declare(&mut self, scope: Scope, key: Declaration) -> Result<KeyId, KeyError> {
        let Declaration {
            key,
            ty,
            initial,
            global,
        } = key;
        let declared = Declared {
            ty,
            initial,
            global,
        };
        if key.is_empty() {
            return Err(KeyError::nameless());
        }
        if let Some(value) = &declared.initial {
            declared.check(&key, value)?;
        }
        if let Some(id) = self.names_of(scope).keys.get(&*key).copied() {
            match self.declared(id, scope) {
                Some(before) if *before == declared => return Ok(id),
                Some(before) => return Err(KeyError::twice(&key, &before.ty, &declared.ty)),
                None => {}
            }
        }
        if scope == Scope::AGENT || global {
            let id = self.agent_key(&key);
            let place = &mut self.agent[id.0 as usize].declared;
            if let Some(before) = place.as_ref().filter(|before| **before != declared) {
                return Err(KeyError::twice(&key, &before.ty, &declared.ty));
            }
            *place = Some(declared);
            self.declares = true;
            return Ok(id);
        }
        let name: Arc<str> = key.into();
        let tree = self.names_of(scope).tree.0 as usize;
        let locals = &mut self.scopes[tree].locals;
        let id = KeyId(locals.len() as u32 | LOCAL);
        locals.push(Local {
            name: name.clone(),
            declared,
        });
        self.scopes[scope.0 as usize].keys.insert(name, id);
        Ok(id)
    }

    fn agent_key(&mut self, key: &str) -> KeyId {
        if let Some(id) = self.scopes[0].keys.get(key) {
            return *id;
        }
        let name: Arc<str> = key.into();
        let id = self.add(name.clone());
        self.scopes[0].keys.insert(name, id);
        id
    }

    fn add(&mut self, name: Arc<str>) -> KeyId {
        let id = KeyId(self.agent.len() as u32);
        let declared = None;
        self.agent.push(AgentKey { name, declared });
        id
    }

    /// The key that a name means in a scope: of the scope itself, of one further out, or of the
    /// agent.
    pub fn find(&self, scope: Scope, key: &str) -> Option<KeyId> {
        let mut at = scope;
        loop {
            let names = self.names_of(at);
            if let Some(id) = names.keys.get(key) {
                return Some(*id);
            }
            if at == Scope::AGENT {
                return None;
            }
            at = names.parent;
        }
    }

    /// The names of the agent's keys, sorted.
    #[cfg(feature = "dynamic")]
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.names_of(Scope::AGENT).keys.keys();
        let mut names: Vec<_> = names.map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    /// Returns true if a tree declares a key of tree scope by that name.
    pub(crate) fn is_own(&self, tree: Scope, key: &str) -> bool {
        tree != Scope::AGENT && self.names_of(tree).keys.contains_key(key)
    }

    /// The names for binding a tree's arguments, as they are seen from `scope`. A name that nothing declares
    /// is the agent's.
    pub fn seen_from(&mut self, scope: Scope) -> impl Keys + '_ {
        Seen { table: self, scope }
    }

    /// The declared type of a key, as it is seen from `scope`.
    pub fn declared_type(&self, scope: Scope, key: &str) -> Option<&ValueType> {
        let id = self.find(scope, key)?;
        Some(&self.declared(id, scope)?.ty)
    }

    pub(super) fn declared(&self, id: KeyId, scope: Scope) -> Option<&Declared> {
        if id.0 & LOCAL == 0 {
            return self.agent_declared(id);
        }
        let local = self.locals(scope).get((id.0 & !LOCAL) as usize)?;
        Some(&local.declared)
    }

    /// The keys in the frame of the tree that a scope is in.
    pub(super) fn locals(&self, scope: Scope) -> &[Local] {
        let tree = self.names_of(scope).tree;
        &self.names_of(tree).locals
    }

    /// The places in its tree's frame of the keys that a scope itself declares.
    pub(super) fn own_locals(&self, scope: Scope) -> impl Iterator<Item = u32> + '_ {
        let keys = self.names_of(scope).keys.values();
        let is_local = |id: &&KeyId| id.0 & LOCAL != 0;
        keys.filter(is_local).map(|id| id.0 & !LOCAL)
    }

    /// The place in its tree's frame of a key that a scope itself declares.
    pub(super) fn own_local(&self, scope: Scope, key: &str) -> Option<u32> {
        let id = self.names_of(scope).keys.get(key)?;
        (id.0 & LOCAL != 0).then_some(id.0 & !LOCAL)
    }

    /// The places of the keys that a scope itself declares, with those of the same names that one of another table
    /// does.
    pub(crate) fn same_locals<'t>(
        &'t self,
        before: Scope,
        other: &'t KeyTable,
        now: Scope,
    ) -> impl Iterator<Item = (u32, u32)> + 't {
        let names = self.names_of(before).keys.keys();
        names.filter_map(move |name| {
            let place = self.own_local(before, name)?;
            Some((place, other.own_local(now, name)?))
        })
    }

    /// The greatest number of keys that a tree has in its frame.
    pub(crate) fn most_locals(&self) -> usize {
        let all = self.scopes.iter().map(|names| names.locals.len());
        all.max().unwrap_or(0)
    }

    /// The number of the agent's keys.
    pub(super) fn len(&self) -> u32 {
        self.agent.len() as u32
    }

    /// The name of one of the agent's keys; empty for one that no name reaches.
    pub(super) fn name(&self, id: KeyId) -> Option<&Arc<str>> {
        Some(&self.agent.get(id.0 as usize)?.name)
    }

    /// The agent's keys by name.
    pub(super) fn agent_keys(&self) -> &BTreeMap<Arc<str>, KeyId> {
        &self.scopes[0].keys
    }

    /// Returns true if one of the agent's keys is declared.
    pub(super) fn declares(&self) -> bool {
        self.declares
    }

    /// The declaration of one of the agent's keys.
    #[inline]
    pub(super) fn agent_declared(&self, id: KeyId) -> Option<&Declared> {
        self.agent.get(id.0 as usize)?.declared.as_ref()
    }

    /// One of the agent's keys by its name, if it is declared.
    pub(super) fn declared_of_agent(&self, key: &str) -> Option<KeyId> {
        let id = *self.agent_keys().get(key)?;
        self.agent_declared(id).map(|_| id)
    }

    /// The agent's keys that are declared.
    pub(super) fn all_declared(&self) -> impl Iterator<Item = (KeyId, &Declared)> {
        let keys = (0..).map(KeyId).zip(&self.agent);
        keys.filter_map(|(id, key)| Some((id, key.declared.as_ref()?)))
    }

    /// The names of the keys in frames that a scope sees.
    pub(crate) fn locals_seen(&self, scope: Scope) -> Vec<&str> {
        let mut seen = Vec::new();
        let mut at = scope;
        while at != Scope::AGENT {
            let names = self.names_of(at);
            seen.extend(names.keys.keys().map(|name| &**name));
            at = names.parent;
        }
        seen
    }
}

struct Seen<'t> {
    table: &'t mut KeyTable,
    scope: Scope,
}

impl Keys for Seen<'_> {
    fn intern(&mut self, key: &str) -> KeyId {
        match self.table.find(self.scope, key) {
            Some(id) => id,
            None => self.table.agent_key(key),
        }
    }

    fn anonymous(&mut self) -> KeyId {
        self.table.add("".into())
    }
}
