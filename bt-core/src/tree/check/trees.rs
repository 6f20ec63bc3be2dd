//! What a node says of trees, agents and events.

use crate::tree::Code;
use serde_json::Value;

use super::board::{Forms, Owner, declared};
use super::calls::Calling;
use super::report::{At, one_of, suggest};
use super::schema::forms;
use super::set::{Named, is_or_is_below};
use super::walk::{Node, Walk};
use crate::call::Source;
use crate::registry::catalogue::{EventEntry, ItemEntry, ValueEntry};
use crate::text;
use crate::tree::asset::{Fix, TreeAsset};

impl<'c> Walk<'c, '_> {
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

    /// What `sub_tree` and `wait_event` name.
    pub(super) fn trees(&mut self, at: &At<'_>, node: &Node<'_>) {
        let extra = &node.data.extra;
        match node.kind.name.as_str() {
            "sub_tree" => {
                let name = extra.get("sub_tree_name").and_then(Value::as_str);
                let callee = name.and_then(|name| self.callee(&at.key("sub_tree_name"), name));
                let args = extra.get("args").and_then(Value::as_object);
                for (key, value) in args.into_iter().flatten() {
                    let at = at.key("args");
                    self.handed(&at.key(key), callee, key, value);
                }
            }
            "wait_event" => self.event(at, extra.get("event"), extra.get("params"), None),
            _ => {}
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
    fn handed(&mut self, at: &At<'_>, callee: Option<&'c TreeAsset>, key: &str, value: &Value) {
        let at_value = at.key("arg_value");
        let source = super::arguments::source(value);
        if let Some(source) = &source {
            self.property_of(&at_value, source);
        }
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
                if let Err(why) = ty.check(&value) {
                    self.report.tell(
                        Code::WrongArgument,
                        &at_value,
                        || format!("{}{why}", at_value.words()),
                        String::new,
                    );
                }
            }
            Some(source) => {
                let wanted = || Forms::of(&ty);
                let takes = || format!("key `{}` is declared as `{ty}`", text::name(key));
                self.never(&at_value, &source, wanted, takes);
            }
            None => {}
        }
    }

    /// An event, and the keys that take its parameters: those of the tree that it starts, or as the
    /// node sees them.
    pub(super) fn event(
        &mut self,
        at: &At<'_>,
        name: Option<&Value>,
        params: Option<&Value>,
        starts: Option<&TreeAsset>,
    ) {
        let Some(name) = name.and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            return;
        };
        let Some(event) = self.known_event(&at.key("event"), name) else {
            return;
        };
        let at = at.key("params");
        for (param, key) in params.and_then(Value::as_object).into_iter().flatten() {
            let at = at.key(param);
            if let Some(entry) = self.parameter(&at, event, param)
                && let Some(key) = key.as_str()
            {
                let defs = self.set.defs();
                let wanted = || forms(defs, &entry.ty.schema);
                let (name, ty) = (&entry.name, &entry.ty.type_name);
                let takes = || format!("parameter `{name}` is `{ty}`");
                let mut own = starts.into_iter().flat_map(|tree| declared(tree.root()));
                match own.find(|own| own.key == key && own.owner == Owner::OneTree) {
                    Some(own) => self.never_of(&at, key, &own.ty, wanted, takes),
                    None => self.never(&at, &Source::key(key), wanted, takes),
                }
            }
        }
    }

    /// The agent's event of that name. One that no agent registers is told of; so that a tree of a
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

    /// An event's parameter of that name or alias; what there is none of is told.
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

    /// What is attached to a node, whatever its kind.
    pub(super) fn attachments(&mut self, at: &At<'_>, node: &Node<'_>) {
        let extra = &node.data.extra;
        let list = |key: &str| {
            let list = extra.get(key).and_then(Value::as_array);
            list.into_iter().flatten().enumerate()
        };
        let hidden = self.hide_own_keys(node);
        for (i, guard) in list("guards") {
            let at = at.key("guards");
            let at = at.item(i);
            self.call(&at, guard, Calling::Guard);
            self.abort(&at.key("abort"), guard, node);
        }
        self.show_keys(hidden);
        let effects = extra.get("effects").and_then(Value::as_object);
        for (when, calls) in effects.into_iter().flatten() {
            for (i, call) in calls.as_array().into_iter().flatten().enumerate() {
                let at = at.key("effects");
                self.call(&at.key(when).item(i), call, Calling::Effect);
            }
        }
        for (i, service) in list("services") {
            let at = at.key("services");
            let at = at.item(i);
            self.call(&at, service, Calling::Service);
            if let Some(service) = service.as_object() {
                self.seconds(&at, service);
            }
        }
        for (i, event) in list("events") {
            let at = at.key("events");
            let at = at.item(i);
            let name = event.get("tree").and_then(Value::as_str);
            let starts = name.and_then(|name| self.callee(&at.key("tree"), name));
            self.event(&at, event.get("event"), event.get("params"), starts);
        }
    }

    /// Siblings to the right are aborted only where the first that succeeds decides.
    fn abort(&mut self, at: &At<'_>, guard: &Value, node: &Node<'_>) {
        let Some(abort @ ("lower" | "both")) = guard.get("abort").and_then(Value::as_str) else {
            return;
        };
        let parent = node.parent.map(|kind| kind.name.as_str());
        if !matches!(parent, Some("select" | "memory_select")) {
            self.report.tell(
                Code::MisplacedAbort,
                at,
                || {
                    let below = match parent {
                        Some(parent) => format!("this one is below a `{parent}`"),
                        None => "this one is not".to_owned(),
                    };
                    format!(
                        "{}`{abort}` is for children of a `select` or a `memory_select`, {below}",
                        at.words()
                    )
                },
                || "`self` aborts the node itself".to_owned(),
            );
        }
    }
}
