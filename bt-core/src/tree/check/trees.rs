//! The check of trees, agents and events that a node names.

use super::board::{Declared, Forms, Owner, declared};
use super::report::{At, one_of, suggest};
use super::schema::forms;
use super::set::{Named, is_or_is_below};
use super::walk::{Node, Walk};
use crate::call::Source;
use crate::describe::catalogue::{EventEntry, ItemEntry, ValueEntry};
use crate::kinds::Kind;
use crate::kinds::attached::Abort;
use crate::kinds::call::Argument;
use crate::kinds::sub_tree::SubTree;
use crate::kinds::values::{Name, Parameters};
use crate::text;
use crate::tree::Code;
use crate::tree::asset::{Fix, TreeAsset, VIEW_MARK};

impl<'c> Walk<'c, '_> {
    /// That the file is the tree itself.
    pub(super) fn view(&mut self) {
        if self.tree.view_mark().is_none() {
            return;
        }
        let (place, key) = match self.tree.tree_type().starts_with(VIEW_MARK) {
            true => (At::file(self.tree), "tree_type"),
            false => (At::node(self.tree, self.tree.root().idx()), "comment"),
        };
        let at = place.own(key);
        self.report.tell(
            Code::ViewCopy,
            &at,
            || "this is a copy for the original editor, which does something else than its tree".to_owned(),
            || {
                "run the tree that `bt-meta export --view-trees` made it from; `bt-meta merge-view` brings edits of the \
                 copy back to that tree"
                    .to_owned()
            },
        );
    }

    /// The agent that the tree is for.
    pub(super) fn root(&mut self) {
        let tree = self.tree;
        let Some(agent) = self.set.named_agent(tree) else {
            return;
        };
        let root = At::node(tree, tree.root().idx());
        let extra = root.own("extra");
        let at = extra.key("agent_name");
        let named = match agent {
            Named::Known(named) => named,
            // Empty, which its schema says.
            Named::Unknown(_) if tree.agent() == Some("") => return,
            Named::Unknown(error) => {
                let message = error.to_string();
                let (message, near) = message.split_once("; ").unwrap_or((&message, ""));
                self.report.tell(
                    Code::UnknownAgent,
                    &at,
                    || message.to_owned(),
                    || near.to_owned(),
                );
                return;
            }
        };
        if let Some(runner) = self.set.runner()
            && !is_or_is_below(runner, named)
        {
            self.report.tell(
                Code::OtherAgent,
                &at,
                || {
                    let (named, runner) = (named.name(), runner.name());
                    format!("the tree is for agent `{named}`, which is no base of `{runner}`")
                },
                || {
                    let lineage = runner.agent.lineage().map(|agent| agent.full_name());
                    format!("expected {}", one_of(lineage, "or"))
                },
            );
        }
        let entry = &named.agent.entry().item;
        let is_alias = entry
            .alias
            .iter()
            .any(|alias| Some(alias.as_str()) == tree.agent());
        self.outdated(
            &at,
            "agent",
            tree.agent().unwrap_or_default(),
            entry,
            is_alias,
        );
    }

    /// Tells of a name that is an alias, or of something that is deprecated.
    pub(super) fn outdated(
        &mut self,
        at: &At<'_>,
        what: &str,
        name: &str,
        entry: &ItemEntry,
        is_alias: bool,
    ) {
        if is_alias {
            let now = &entry.name;
            self.report.renamed(
                at,
                || format!("{what} `{name}` is now called `{now}`"),
                || Fix::Value(now.as_str().into()),
            );
        }
        if let Some(deprecated) = &entry.deprecated {
            self.report.tell(
                Code::Deprecated,
                at,
                || match deprecated.since.as_str() {
                    "" => format!("{what} `{name}` is deprecated"),
                    since => format!("{what} `{name}` is deprecated since {since}"),
                },
                || deprecated.note.clone(),
            );
        }
    }

    /// Another tree, and what is handed to its keys.
    pub(super) fn tree(&mut self, at: &At<'_>, tree: &SubTree<'_>) {
        let Name(name) = tree.sub_tree_name.unwrap_or_default();
        let callee = self.callee(&at.key("sub_tree_name"), name);
        for (key, argument) in &tree.args.0 {
            let at = at.key("args");
            let source = argument.as_ref().map(Argument::source);
            self.handed(&at.key(key), callee, key, source.as_ref());
        }
        for (key, Name(own)) in &tree.results.0 {
            let at = at.key("results");
            if let Some(callee) = callee {
                self.result(&at.key(key), callee, key, own);
            }
        }
    }

    /// A key of another tree whose value a key takes.
    fn result(&mut self, at: &At<'_>, callee: &TreeAsset, key: &str, own: &str) {
        let names = || (text::name(key), text::name(callee.name()));
        let ofs = |declared: &Declared<'_>| declared.owner == Owner::OneTree;
        let mut keys = declared(callee.root());
        let Some(declares) = keys.find(|declared| declared.key == key) else {
            let message = || {
                let (key, callee) = names();
                format!("tree `{callee}` declares no key `{key}`")
            };
            let runs = || declared(callee.root()).filter(ofs);
            let near = || suggest(key, runs().map(|declared| declared.key));
            return self.report.tell(Code::UnknownResult, at, message, near);
        };
        if !ofs(&declares) {
            let message = || {
                let (key, callee) = names();
                format!(
                    "result `{key}`: expected a key that each run of tree `{callee}` has for itself, found one of the agent"
                )
            };
            let help = || "give it `\"scope\": \"tree\"` there, or read the key itself".to_owned();
            return self.report.tell(Code::UnknownResult, at, message, help);
        }
        if let Some(ty) = self.key(own).cloned()
            && Forms::of(&declares.ty).exclude(Forms::of(&ty))
        {
            let message = || {
                let (own, of) = (text::name(own), &declares.ty);
                let (key, callee) = names();
                format!(
                    "key `{own}` is declared as `{ty}`, key `{key}` of tree `{callee}` is `{of}`"
                )
            };
            let code = Code::NeverFits;
            self.report.tell(code, at, message, String::new);
        }
    }

    /// The tree of that name, which an agent of this tree can run.
    pub(super) fn callee(&mut self, at: &At<'_>, name: &str) -> Option<&'c TreeAsset> {
        if name.is_empty() {
            return None;
        }
        let Some(callee) = self.set.tree(name) else {
            let set = self.set;
            self.report.tell(
                Code::UnknownTree,
                at,
                || format!("there is no tree `{}`", text::name(name)),
                || set.instead_of_tree(name),
            );
            return None;
        };
        // With one agent that runs all trees, each of them is looked at by itself.
        if self.set.runner().is_none()
            && let Some(agent) = self.agent
            && let Some(Named::Known(other)) = self.set.named_agent(callee)
            && !is_or_is_below(agent, other)
        {
            self.report.tell(
                Code::OtherAgent,
                at,
                || {
                    let (name, other) = (text::name(name), other.name());
                    format!(
                        "tree `{name}` is for agent `{other}`, which is no base of `{}`",
                        agent.name()
                    )
                },
                || "a tree runs trees of its own agent and of that one's bases".to_owned(),
            );
        }
        Some(callee)
    }

    /// A value that is handed to a key of another tree.
    fn handed(
        &mut self,
        at: &At<'_>,
        callee: Option<&'c TreeAsset>,
        key: &str,
        source: Option<&Source>,
    ) {
        let at_value = at.key("arg_value");
        let checked = match source {
            Some(Source::Expression(text)) => match self.expression(&at_value, text) {
                Some(checked) => Some(checked),
                None => return,
            },
            Some(source) => {
                self.property_of(&at_value, source);
                None
            }
            None => None,
        };
        let value = checked.as_ref().and_then(|checked| checked.value.clone());
        let folded = value.map(Source::Literal);
        let source = folded.as_ref().or(source);
        let Some(callee) = callee else { return };
        let mut keys = declared(callee.root());
        let own = keys
            .find(|declared| declared.key == key)
            .map(|declared| declared.ty);
        let Some(ty) = own.or_else(|| self.set.key(key).cloned()) else {
            self.report.tell(
                Code::UndeclaredKey,
                at,
                || {
                    let (key, callee) = (text::name(key), text::name(callee.name()));
                    format!("tree `{callee}` declares no key `{key}`")
                },
                || suggest(key, declared(callee.root()).map(|declared| declared.key)),
            );
            return;
        };
        match source {
            Some(Source::Literal(value)) => {
                if let Err(why) = ty.check(value) {
                    self.report.tell(
                        Code::WrongArgument,
                        &at_value,
                        || format!("{}{why}", at_value.words()),
                        String::new,
                    );
                }
            }
            Some(Source::Expression(written)) => {
                if let Some(checked) = &checked
                    && Forms::of_type(&checked.ty).exclude(Forms::of(&ty))
                {
                    let message = || {
                        let (key, text) = (text::name(key), text::name(written));
                        format!(
                            "key `{key}` is declared as `{ty}`, `{text}` is {}",
                            checked.ty
                        )
                    };
                    let code = Code::NeverFits;
                    self.report.tell(code, &at_value, message, String::new);
                }
            }
            Some(source) => {
                let wanted = || Forms::of(&ty);
                let takes = || format!("key `{}` is declared as `{ty}`", text::name(key));
                self.never(&at_value, source, wanted, takes, "");
            }
            None => {}
        }
    }

    /// An event, and the keys that take its parameters: those of the tree that it starts, or as the
    /// node sees them.
    pub(super) fn event(
        &mut self,
        at: &At<'_>,
        Name(name): Name<'_>,
        params: &Parameters<'_>,
        starts: Option<&TreeAsset>,
    ) {
        if name.is_empty() {
            return;
        }
        let Some(event) = self.known_event(&at.key("event"), name) else {
            return;
        };
        let at = at.key("params");
        for (param, Name(key)) in &params.0 {
            let at = at.key(param);
            if let Some(entry) = self.parameter(&at, event, param) {
                let defs = self.set.defs();
                let wanted = || forms(defs, &entry.ty.schema);
                let (name, ty) = (&entry.name, &entry.ty.type_name);
                let takes = || format!("parameter `{name}` is `{ty}`");
                let mut own = starts.into_iter().flat_map(|tree| declared(tree.root()));
                match own.find(|own| own.key == *key && own.owner == Owner::OneTree) {
                    Some(own) => self.never_of(&at, key, &own.ty, wanted, takes, ""),
                    None => self.never(&at, &Source::key(*key), wanted, takes, ""),
                }
            }
        }
    }

    /// The agent's event of that name. One that no agent registers is reported; so that a tree of a
    /// base may wait for what a derived agent fires, any agent's will do.
    pub(super) fn known_event(&mut self, at: &At<'_>, name: &str) -> Option<&'c EventEntry> {
        let agent = self.agent?;
        if let Some(event) = agent.event(name) {
            let item = &event.entry.item;
            self.outdated(at, "event", name, item, event.is_alias);
            return Some(event.entry);
        }
        let registry = self.set.knows.registry();
        let elsewhere = |name: &str| {
            let mut events = registry.agents().flat_map(|agent| &agent.entry().events);
            events.any(|event| event.item.name == name)
        };
        if !elsewhere(name) {
            self.report.tell(
                Code::UnknownEvent,
                at,
                || format!("no agent registers an event `{}`", text::name(name)),
                || suggest(name, agent.event_names()),
            );
        }
        None
    }

    /// An event's parameter of that name or alias; one that does not exist is reported.
    pub(super) fn parameter<'e>(
        &mut self,
        at: &At<'_>,
        event: &'e EventEntry,
        name: &str,
    ) -> Option<&'e ValueEntry> {
        if let Some(param) = event.params.iter().find(|param| param.name == name) {
            return Some(param);
        }
        let is_alias = |param: &&ValueEntry| param.alias.iter().any(|alias| alias == name);
        if let Some(param) = event.params.iter().find(is_alias) {
            let now = &param.name;
            self.report.renamed(
                at,
                || format!("parameter `{name}` is now called `{now}`"),
                || Fix::Key(now.clone()),
            );
            return Some(param);
        }
        let names = || event.params.iter().map(|param| param.name.as_str());
        self.report.tell(
            Code::UnknownParameter,
            at,
            || {
                let (event, name) = (&event.item.name, text::name(name));
                format!("event `{event}` has no parameter `{name}`")
            },
            || match suggest(name, names()) {
                none if none.is_empty() => match event.params.is_empty() {
                    true => "it has none".to_owned(),
                    false => format!("it has {}", one_of(names(), "and")),
                },
                near => near,
            },
        );
        None
    }

    /// Siblings to the right are aborted only where the first that succeeds decides.
    pub(super) fn abort(&mut self, at: &At<'_>, abort: Abort, node: &Node<'_>) {
        let decides = |parent: Kind| parent.about().has_lower_guards;
        if abort.is_lower() && !node.parent.is_some_and(decides) {
            self.report.tell(
                Code::MisplacedAbort,
                at,
                || {
                    let below = match node.parent {
                        Some(parent) => format!("this one is below a `{}`", parent.name()),
                        None => "this one is not".to_owned(),
                    };
                    format!(
                        "{}`{}` is for children of a `select` or a `memory_select`, {below}",
                        at.words(),
                        abort.word()
                    )
                },
                || {
                    let reactive = node.parent.filter(|parent| *parent == Kind::ReactiveSelect);
                    let Some(parent) = reactive else {
                        return "`self` aborts the node itself".to_owned();
                    };
                    format!(
                        "leave it out: a `{}` aborts what runs as soon as an earlier child succeeds or waits",
                        parent.name()
                    )
                },
            );
        }
    }
}
