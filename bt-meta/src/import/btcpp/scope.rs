//! The blackboards of sub-trees: which key of the one blackboard here an entry of each is.
//!
//! A call of a sub-tree has entries of its own; some are, by reference, entries of the caller. So each call is a
//! tree of its own here, and its entries are keys of the agent with names that no other has.

use std::collections::BTreeMap;

use crate::import::names::Taken;

/// A scope by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScopeId(usize);

/// The entry that a call gives to a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is the caller's entry of this name.
    Callers(String),
    /// It is the call's own, with this text at first.
    Own(String),
}

#[derive(Debug)]
struct Scope {
    name: String,
    parent: Option<ScopeId>,
    entries: BTreeMap<String, Entry>,
    /// Entries that nothing is said about are the caller's, but those that begin with `_`.
    all: bool,
    own: BTreeMap<String, String>,
    prefix: Option<String>,
}

/// All scopes.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    all: Vec<Scope>,
    prefixes: Taken,
}

impl Scopes {
    /// The scope of a tree that nothing calls: its keys have their own names.
    pub(super) fn root(&mut self, name: &str) -> ScopeId {
        self.add(name, None, BTreeMap::new(), false)
    }

    /// The scope of a call.
    pub(super) fn call(
        &mut self,
        name: &str,
        from: ScopeId,
        entries: BTreeMap<String, Entry>,
        all: bool,
    ) -> ScopeId {
        self.add(name, Some(from), entries, all)
    }

    fn add(
        &mut self,
        name: &str,
        parent: Option<ScopeId>,
        entries: BTreeMap<String, Entry>,
        all: bool,
    ) -> ScopeId {
        let name = name.to_owned();
        self.all.push(Scope {
            name,
            parent,
            entries,
            all,
            own: BTreeMap::new(),
            prefix: None,
        });
        ScopeId(self.all.len() - 1)
    }

    /// The key that a name is in a scope; with the text that it has at first, if the call gives one.
    pub(super) fn key(&mut self, scope: ScopeId, name: &str) -> (String, Option<String>) {
        let (mut at, mut name) = (scope, name.to_owned());
        if let Some(outermost) = name.strip_prefix('@') {
            name = outermost.to_owned();
            while let Some(parent) = self.all[at.0].parent {
                at = parent;
            }
        }
        loop {
            let scope = &self.all[at.0];
            let Some(parent) = scope.parent else {
                return (name, None);
            };
            match scope.entries.get(&name) {
                Some(Entry::Callers(outer)) => (at, name) = (parent, outer.clone()),
                Some(Entry::Own(text)) => {
                    let text = text.clone();
                    return (self.own(at, &name), Some(text));
                }
                None if scope.all && !name.starts_with('_') => at = parent,
                None => return (self.own(at, &name), None),
            }
        }
    }

    /// Returns true if a scope has keys that no other has.
    pub(super) fn has_own(&self, scope: ScopeId) -> bool {
        self.all[scope.0].prefix.is_some()
    }

    fn own(&mut self, at: ScopeId, name: &str) -> String {
        if let Some(key) = self.all[at.0].own.get(name) {
            return key.clone();
        }
        let prefix = match &self.all[at.0].prefix {
            Some(prefix) => prefix.clone(),
            None => self.prefixes.take(&self.all[at.0].name),
        };
        // No entry of theirs has a point in its name, so no key of a root is like this.
        let key = format!("{prefix}.{name}");
        let scope = &mut self.all[at.0];
        scope.prefix = Some(prefix);
        scope.own.insert(name.to_owned(), key.clone());
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_the_callers_where_the_call_says_so_and_else_its_own() {
        let mut scopes = Scopes::default();
        let root = scopes.root("Main");
        let mapped = BTreeMap::from([
            ("in".to_owned(), Entry::Callers("goal".to_owned())),
            ("speed".to_owned(), Entry::Own("2".to_owned())),
        ]);
        let first = scopes.call("Sub", root, mapped, false);
        let second = scopes.call("Sub", root, BTreeMap::new(), true);
        let inner = scopes.call("Deep", first, BTreeMap::new(), true);
        let mut key = |scope, name| scopes.key(scope, name).0;
        assert_eq!(key(root, "goal"), "goal");
        assert_eq!([key(first, "in"), key(inner, "in")], ["goal", "goal"]);
        assert_eq!([key(first, "x"), key(inner, "x")], ["Sub.x", "Sub.x"]);
        assert_eq!([key(second, "x"), key(second, "_x")], ["x", "Sub_2._x"]);
        assert_eq!(key(inner, "@x"), "x");
        assert_eq!(
            scopes.key(inner, "speed"),
            ("Sub.speed".to_owned(), Some("2".to_owned()))
        );
    }
}
