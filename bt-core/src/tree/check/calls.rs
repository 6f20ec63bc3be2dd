//! What a node calls: the name, what it stands for, and the arguments.

use crate::tree::Code;
use serde_json::Value;

use super::arguments::{Placed, arranged, for_fallback, given};
use super::index::{Index, Named};
use super::report::{At, suggest};
use super::walk::{Node, Walk};
use crate::registry::catalogue::{MethodEntry, MethodKind};
use crate::text;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calling {
    Action,
    Condition,
    Decorator,
    /// An `action` below an `and` or an `or`.
    Asked(&'static str),
    Guard,
    ResetIf,
    Effect,
    Service,
}

impl Calling {
    /// What the keys of the call begin with.
    fn prefix(self) -> &'static str {
        match self {
            Calling::Guard | Calling::ResetIf => "condition",
            Calling::Decorator => "decorator",
            _ => "action",
        }
    }

    /// What kind of method it wants.
    fn wants(self) -> MethodKind {
        match self {
            Calling::Action | Calling::Effect | Calling::Service => MethodKind::Action,
            Calling::Decorator => MethodKind::Decorator,
            _ => MethodKind::Condition,
        }
    }

    fn takes(self, kind: MethodKind) -> bool {
        kind == self.wants() || self.wants() == MethodKind::Action && kind == MethodKind::Condition
    }

    /// What to do with a method that it does not take.
    fn instead(self, found: MethodKind) -> String {
        match (self, found) {
            (Calling::Asked(by), MethodKind::Action) => {
                let runs = if by == "and" { "sequence" } else { "select" };
                format!("below `{by}` are conditions; a `{runs}` runs actions too")
            }
            (Calling::Action | Calling::Asked(_) | Calling::Condition, MethodKind::Decorator) => {
                "a node of type `decorator` asks it".to_owned()
            }
            (Calling::Condition, MethodKind::Action) => {
                "a node of type `action` calls it".to_owned()
            }
            (Calling::Decorator, MethodKind::Condition) => {
                "a node of type `condition` asks it, and so do `guards`".to_owned()
            }
            (Calling::Decorator, _) => "a node of type `action` calls it".to_owned(),
            (Calling::Guard | Calling::ResetIf, _) => "only a condition is asked here".to_owned(),
            _ => "only an action or a condition is called here".to_owned(),
        }
    }
}

fn kind_word(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Action => "action",
        MethodKind::Condition => "condition",
        MethodKind::Decorator => "decorator",
    }
}

fn article(kind: MethodKind) -> &'static str {
    super::report::article(kind_word(kind))
}

/// One call: where it is and what it calls.
pub(super) struct Call<'v> {
    /// Where the list of arguments is, or the call itself.
    pub(super) at: At<'v>,
    /// The method, or what the fallback answers to.
    pub(super) name: &'v str,
}

impl Walk<'_, '_> {
    /// What a node's own kind calls.
    pub(super) fn called(&mut self, at: &At<'_>, node: &Node<'_>) {
        let extra = &node.data.extra;
        let (name, args) = match node.kind.name.as_str() {
            "decorator" => ("decorator_name", "decorator_args"),
            _ => ("action_name", "action_args"),
        };
        let (name, args) = (extra.get(name), extra.get(args));
        match (node.kind.name.as_str(), node.asked_by) {
            ("action", Some(by)) => self.call_of(at, name, args, Calling::Asked(by)),
            ("action", None) => self.call_of(at, name, args, Calling::Action),
            ("condition", _) => self.call_of(at, name, args, Calling::Condition),
            ("decorator", _) => self.call_of(at, name, args, Calling::Decorator),
            ("run_limit", _) => {
                if let Some(guard) = extra.get("reset_if") {
                    self.call(&at.key("reset_if"), guard, Calling::ResetIf);
                }
            }
            _ => {}
        }
    }

    /// The call that an object describes.
    pub(super) fn call(&mut self, at: &At<'_>, object: &Value, calling: Calling) {
        let (name, args) = match calling.prefix() {
            "condition" => ("condition_name", "condition_args"),
            _ => ("action_name", "action_args"),
        };
        self.call_of(at, object.get(name), object.get(args), calling);
    }

    fn call_of(
        &mut self,
        at: &At<'_>,
        name: Option<&Value>,
        args: Option<&Value>,
        calling: Calling,
    ) {
        // What is no name, or no list of arguments, its schema has told of.
        let name = name.and_then(Value::as_str).filter(|name| !name.is_empty());
        let (Some(name), Some(agent)) = (name, self.agent) else {
            return;
        };
        let (name_key, args_key) = match calling.prefix() {
            "condition" => ("condition_name", "condition_args"),
            "decorator" => ("decorator_name", "decorator_args"),
            _ => ("action_name", "action_args"),
        };
        let at_name = at.key(name_key);
        let method = agent.method(name);
        match method {
            Some(method) => self.method(&at_name, name, method, calling),
            None if agent.has_fallback && calling != Calling::Decorator => {}
            None => return self.no_method(&at_name, agent, name, calling),
        }
        let Some(list) = given(args) else { return };
        let named: Vec<_> = list.iter().map(|given| given.name).collect();
        let at_args = at.key(args_key);
        let call = Call {
            at: if args.is_some() { at_args } else { *at },
            name: method.map_or(name, |method| &method.entry.item.name),
        };
        match method {
            Some(Named { entry, .. }) => {
                let (placed, misplaced) = arranged(&entry.args, list);
                self.misplaced(&call, &entry.args, misplaced, &named);
                self.arguments(&call, entry, &placed, &named);
                if entry.item.name == "fire_event" && entry.item.package == env!("CARGO_PKG_NAME") {
                    self.fired(&call, &placed);
                }
            }
            None => {
                let (placed, misplaced) = for_fallback(list);
                self.misplaced(&call, &[], misplaced, &named);
                for Placed { source, from } in placed.into_iter().flatten() {
                    let item = call.at.item(from.unwrap_or_default());
                    self.property_of(&item.key("arg_value"), &source);
                }
            }
        }
    }

    fn no_method(&mut self, at: &At<'_>, agent: &Index<'_>, name: &str, calling: Calling) {
        let wanted = calling.wants();
        let other = match (agent.property(name), agent.event(name)) {
            (Some(_), _) => Some("a property"),
            (_, Some(_)) => Some("an event"),
            _ => None,
        };
        self.report.tell(
            Code::UnknownAction,
            at,
            || {
                let word = kind_word(wanted);
                let name = text::name(name);
                match other {
                    Some(other) => {
                        let an = article(wanted);
                        format!(
                            "`{name}` is {other} of agent `{}`, not {an} {word}",
                            agent.name()
                        )
                    }
                    None => format!("agent `{}` has no {word} `{name}`", agent.name()),
                }
            },
            || match other {
                Some("a property") => "an argument may take its value from it".to_owned(),
                Some(_) => "`fire_event` fires it, a `wait_event` waits for it".to_owned(),
                None => suggest(
                    name,
                    agent.methods_that(|method| calling.takes(method.kind)),
                ),
            },
        );
    }

    fn method(
        &mut self,
        at: &At<'_>,
        name: &str,
        method: Named<'_, MethodEntry>,
        calling: Calling,
    ) {
        let entry = method.entry;
        let kind = entry.kind;
        self.outdated(at, kind_word(kind), name, &entry.item, method.is_alias);
        if !calling.takes(kind) {
            let wanted = calling.wants();
            self.report.tell(
                Code::WrongKind,
                at,
                || {
                    let (is, not) = (kind_word(kind), kind_word(wanted));
                    format!(
                        "`{name}` is {} {is}, not {} {not}",
                        article(kind),
                        article(wanted)
                    )
                },
                || calling.instead(kind),
            );
        } else if entry.is_async && calling == Calling::Service {
            self.report.tell(
                Code::RunningService,
                at,
                || format!("action `{name}` can stay running, which a service cannot wait for"),
                || "a service calls what is done at once".to_owned(),
            );
        } else if entry.is_async && calling == Calling::Effect {
            self.report.tell(
                Code::RunningEffect,
                at,
                || format!("action `{name}` can stay running, which an effect does not wait for"),
                String::new,
            );
        }
    }
}
