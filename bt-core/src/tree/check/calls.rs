//! The call of a node: the name, its meaning, and the arguments.

use super::arguments::{Placed, arranged, for_fallback};
use super::index::{Index, Named};
use super::report::{At, suggest};
use super::walk::{Node, Walk, any_instead_of};
use crate::describe::catalogue::{MethodEntry, MethodKind};
use crate::expression::{Checked, builtin_names};
use crate::kinds::call::{Arguments, Call};
use crate::kinds::{Caller, Kind, Use};
use crate::text;
use crate::tree::Code;

/// The caller of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Calling<'c> {
    caller: Caller,
    /// The `and` or the `or` that an `action` is below.
    asked_by: Option<Kind>,
    /// The arguments that were checked, if the call is a part of an expression.
    operands: Option<&'c [Option<Checked>]>,
}

impl<'c> Calling<'c> {
    /// Of an expression's part, whose arguments were checked.
    pub(super) fn operand(operands: &'c [Option<Checked>]) -> Calling<'c> {
        Calling {
            caller: Caller::Guard,
            asked_by: None,
            operands: Some(operands),
        }
    }

    /// The kind of method that it needs.
    fn wants(self) -> MethodKind {
        match self.caller {
            _ if self.operands.is_some() => MethodKind::Query,
            Caller::Action if self.asked_by.is_some() => MethodKind::Condition,
            Caller::Action | Caller::Effect | Caller::Service => MethodKind::Action,
            Caller::Decorator => MethodKind::Decorator,
            Caller::Composite => MethodKind::Composite,
            Caller::Condition | Caller::Guard | Caller::ResetIf => MethodKind::Condition,
        }
    }

    fn takes(self, method: &MethodEntry) -> bool {
        match self.wants() {
            MethodKind::Action => method.is_leaf(),
            MethodKind::Condition => method.is_condition(),
            MethodKind::Query => method.has_answer(),
            MethodKind::Decorator | MethodKind::Composite => method.kind == self.wants(),
        }
    }

    /// The advice about a method that it does not take.
    fn instead(self, name: &str, found: MethodKind) -> String {
        match (self.caller, found) {
            _ if self.operands.is_some() => "an expression calls conditions and queries".to_owned(),
            (Caller::Guard | Caller::ResetIf, MethodKind::Query) => {
                format!("compare it in an expression: `\"if\": \"{name}(…) == …\"`")
            }
            (_, MethodKind::Query) => {
                format!("an expression calls it, such as `\"if\": \"{name}(…) == …\"` of a `check`")
            }
            (Caller::Action, MethodKind::Action) if let Some(by) = self.asked_by => {
                let (by, runs) = (by.name(), any_instead_of(by));
                format!("below `{by}` are conditions; a `{runs}` runs actions too")
            }
            (Caller::Action | Caller::Condition | Caller::Composite, MethodKind::Decorator) => {
                "a node of type `decorator` calls it".to_owned()
            }
            (Caller::Action | Caller::Condition | Caller::Decorator, MethodKind::Composite) => {
                "a node of type `composite` calls it".to_owned()
            }
            (Caller::Condition, MethodKind::Action) => {
                "a node of type `action` calls it".to_owned()
            }
            (Caller::Decorator | Caller::Composite, MethodKind::Condition) => {
                "a node of type `condition` evaluates it, and so do `guards`".to_owned()
            }
            (Caller::Decorator | Caller::Composite, _) => {
                "a node of type `action` calls it".to_owned()
            }
            (Caller::Guard | Caller::ResetIf, _) => {
                "only a condition can be evaluated here".to_owned()
            }
            (Caller::Action | Caller::Condition | Caller::Effect | Caller::Service, _) => {
                "only an action or a condition is called here".to_owned()
            }
        }
    }
}

fn article(kind: MethodKind) -> &'static str {
    super::report::article(kind.word())
}

/// One call: where it is and what it calls.
pub(super) struct Place<'v> {
    /// The place of the list of arguments, or the call itself.
    pub(super) at: At<'v>,
    /// The method, or what the fallback answers to.
    pub(super) name: &'v str,
    /// The arguments that were checked, if the call is a part of an expression.
    pub(super) operands: Option<&'v [Option<Checked>]>,
}

impl Walk<'_, '_> {
    /// Checks a name that a node uses.
    pub(super) fn used(&mut self, at: &At<'_>, used: Use<'_, '_>, node: &Node<'_>) {
        let asked_by = node.asked_by;
        let calling = |caller| Calling {
            caller,
            asked_by,
            operands: None,
        };
        match used {
            Use::Call(caller, call) => {
                self.call(at, call, calling(caller));
                if caller == Caller::Composite {
                    self.composites_children(call.name, node);
                }
            }
            Use::Guard(Caller::Guard, guard) => {
                let hidden = self.hide_own_keys(node);
                self.call(at, &guard.condition, calling(Caller::Guard));
                if let Some(formula) = guard.formula {
                    self.condition(&at.key("if"), formula.0);
                }
                self.abort(&at.key("abort"), guard.abort, node);
                self.show_keys(hidden);
            }
            Use::Guard(caller, guard) => self.call(at, &guard.condition, calling(caller)),
            // With the guard, which does not see the keys of its own node.
            Use::Expression(caller, formula) => {
                if caller != Caller::Guard {
                    self.condition(at, formula.0);
                }
            }
            Use::Value(wanted, formula) => self.wanted(at, wanted, formula.0),
            Use::Writes(_, writes) => self.writes(at, writes),
            Use::Number(argument, wanted) => self.number(at, argument, &wanted),
            Use::Tree(tree) => self.tree(at, tree),
            Use::Event(name, params) => self.event(at, name, params, None),
            Use::Starts(event) => {
                let starts = self.callee(&at.key("tree"), event.tree.0);
                self.event(at, event.event, &event.params, starts);
            }
        }
    }

    /// A call.
    pub(super) fn call(&mut self, at: &At<'_>, call: &Call<'_>, calling: Calling<'_>) {
        // Of a name that is empty there is a problem already.
        let name = call.name;
        let Some(agent) = self.agent.filter(|_| !name.is_empty()) else {
            return;
        };
        let (name_key, args_key) = calling.caller.keys();
        let at_name = at.key(name_key);
        let method = agent.method(name);
        match method {
            Some(method) => self.method(&at_name, name, method, calling),
            None if agent.has_fallback
                && !matches!(calling.caller, Caller::Decorator | Caller::Composite) => {}
            None => return self.no_method(&at_name, agent, name, calling),
        }
        let Some(list) = call.args.all() else { return };
        let at_args = at.key(args_key);
        let place = Place {
            at: match call.args {
                Arguments::LeftOut => *at,
                Arguments::Listed(_) | Arguments::Unreadable(_) => at_args,
            },
            name: method.map_or(name, |method| &method.entry.item.name),
            operands: calling.operands,
        };
        match method {
            Some(Named { entry, .. }) => {
                let (placed, misplaced) = arranged(&entry.args, list);
                self.misplaced(&place, &entry.args, misplaced, list);
                self.arguments(&place, entry, &placed, list);
                if entry.item.name == "fire_event" && is_built_in(entry) {
                    self.fired(&place, &placed);
                }
            }
            None => {
                let (placed, misplaced) = for_fallback(list);
                self.misplaced(&place, &[], misplaced, list);
                for Placed { source, from } in placed.into_iter().flatten() {
                    let item = place.at.item(from.unwrap_or_default());
                    self.property_of(&item.key("arg_value"), &source);
                }
            }
        }
    }

    fn no_method(&mut self, at: &At<'_>, agent: &Index<'_>, name: &str, calling: Calling<'_>) {
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
                let word = wanted.word();
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
                #[cfg(not(feature = "builtin"))]
                None if crate::builtin::NAMES.contains(&name)
                    && agent.method("nop").is_some_and(|nop| is_built_in(nop.entry)) =>
                {
                    "it is built in with bt-core's cargo feature `builtin`, which is off in this build".to_owned()
                }
                None if builtin_names().any(|builtin| builtin == name) => format!(
                    "`{name}` is a function of expressions: `\"if\": \"{name}(…)\"`, in a script `({name}(…))`"
                ),
                None => suggest(
                    name,
                    agent.methods_that(|method| calling.takes(method)),
                ),
            },
        );
    }

    fn method(
        &mut self,
        at: &At<'_>,
        name: &str,
        method: Named<'_, MethodEntry>,
        calling: Calling<'_>,
    ) {
        let entry = method.entry;
        let kind = entry.kind;
        self.outdated(at, kind.word(), name, &entry.item, method.is_alias);
        if !calling.takes(entry) {
            let wanted = calling.wants();
            let answer = match self.answer(entry) {
                Some(ty) => format!(" that answers with {ty}"),
                None => String::new(),
            };
            self.report.tell(
                Code::WrongKind,
                at,
                || {
                    let (is, not) = (kind.word(), wanted.word());
                    format!(
                        "`{name}` is {} {is}{answer}, not {} {not}",
                        article(kind),
                        article(wanted)
                    )
                },
                || calling.instead(name, kind),
            );
        } else if entry.is_async && calling.caller == Caller::Service {
            self.report.tell(
                Code::RunningService,
                at,
                || format!("action `{name}` can stay running, which a service cannot wait for"),
                || "a service calls what is done at once".to_owned(),
            );
        } else if entry.is_async && calling.caller == Caller::Effect {
            self.report.tell(
                Code::RunningEffect,
                at,
                || format!("action `{name}` can stay running, which an effect does not wait for"),
                String::new,
            );
        }
    }
}

/// Returns true if a method is one of this crate's own.
pub(super) fn is_built_in(method: &MethodEntry) -> bool {
    method.item.package == env!("CARGO_PKG_NAME")
}
