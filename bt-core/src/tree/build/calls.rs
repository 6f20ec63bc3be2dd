//! Calls, expressions and what is written, bound to the agent: a plan knows them by their numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Arguments;

use serde_json::Value;

use super::Build;
use crate::blackboard::{KeyId, Keys};
use crate::call::Source;
use crate::describe::catalogue::EventEntry;
use crate::error::CallError;
use crate::expression::{Expr, parse};
use crate::kinds::Caller;
use crate::kinds::attached::{Guard, GuardMode};
use crate::kinds::call::{self, Call};
use crate::kinds::set::Writes;
use crate::kinds::values::Formula;
use crate::registry::EventInfo;
use crate::tree::plan::{self, Arg, Ask, Computed, Given};

/// The agent's calls, which a plan knows by their numbers.
pub(crate) trait Calls {
    /// Binds a call.
    fn bind(
        &mut self,
        name: &str,
        args: &call::Arguments<'_>,
        keys: &mut dyn Keys,
    ) -> Result<Bound, CallError>;

    /// Binds a call that writes keys and properties.
    fn writes(&mut self, writes: &Writes<'_>, keys: &mut dyn Keys) -> Result<Bound, CallError>;

    /// The number of a property.
    fn property(&mut self, name: &str) -> Result<u32, CallError>;

    /// Binds an expression that is evaluated as a condition.
    fn expression(&mut self, text: &str, keys: &mut dyn Keys) -> Result<Bound, CallError>;

    /// The number of an expression whose value a node takes.
    fn value(&mut self, text: &str, keys: &mut dyn Keys) -> Result<u32, CallError>;

    /// Returns true if an expression reads no agent and no world.
    fn is_by_keys(&self, expr: &Expr) -> bool;

    /// The agent's events, by the names that they have and once had.
    fn events(&self) -> BTreeMap<Box<str>, EventInfo>;

    /// The agent's event of a name or alias.
    fn event(&self, name: &str) -> Option<&EventEntry>;
}

/// A call that was bound.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) callee: Callee,
    /// The present name of its callee.
    pub(crate) name: Cow<'static, str>,
    /// The sources of its arguments, in the order of the signature.
    pub(crate) sources: Vec<Source>,
    /// The slots of those that are properties or expressions, in their order.
    pub(crate) properties: Vec<KeyId>,
    /// True if the name is the text of an expression.
    pub(crate) is_expression: bool,
}

/// The number of a call, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callee {
    /// The number of calls that were bound before it.
    pub(crate) call: u32,
    /// It reads no agent and no world, so its answer changes with keys only.
    pub(crate) by_keys: bool,
    pub(crate) has_exit: bool,
    /// True if that takes arguments.
    pub(crate) exit_takes: bool,
    /// It is asked in every turn what runs next.
    pub(crate) asks_running: bool,
}

impl Callee {
    /// The absent callee: a problem was found.
    const NONE: Callee = Callee::without_exit(0, true);

    pub(crate) const fn without_exit(call: u32, by_keys: bool) -> Callee {
        Callee {
            call,
            by_keys,
            has_exit: false,
            exit_takes: false,
            asks_running: false,
        }
    }
}

impl Build<'_> {
    /// The number of a call, and what is known of it.
    pub(super) fn call(&mut self, call: &Call<'_>, caller: Caller, below: Arguments<'_>) -> Callee {
        if call.name.is_empty() {
            return Callee::NONE;
        }
        let mut seen = self.table.seen_from(self.scope);
        let bound = self.calls.bind(call.name, &call.args, &mut seen);
        drop(seen);
        let (_, args) = caller.keys();
        self.bound_or_none(bound, format_args!("{below}/{args}"))
    }

    /// Adds a call, or the problem with it.
    fn bound_or_none(&mut self, bound: Result<Bound, CallError>, below: Arguments<'_>) -> Callee {
        match bound {
            Ok(bound) => self.bound_call(bound),
            Err(error) => {
                self.problem(below, error.to_string());
                Callee::NONE
            }
        }
    }

    pub(super) fn bound_call(&mut self, bound: Bound) -> Callee {
        let sources = bound.sources.into_iter();
        let mut properties = bound.properties.into_iter();
        let mut args = Vec::new();
        for source in sources {
            args.push(match source {
                Source::Literal(value) => Arg::Literal(value),
                Source::Key(key) => {
                    let id = self.table.seen_from(self.scope).intern(&key);
                    Arg::Key(key.into(), id)
                }
                Source::Property(name) => match properties.next() {
                    Some(slot) => Arg::Property(name.into(), slot),
                    None => continue,
                },
                Source::Expression(text) => match properties.next() {
                    Some(slot) => self.computed(text, slot),
                    None => continue,
                },
            });
        }
        let args = args.into();
        let name = bound.name;
        let Callee {
            has_exit,
            exit_takes,
            asks_running,
            ..
        } = bound.callee;
        self.bound.push(plan::Call {
            name,
            args,
            exit_takes,
            has_exit,
            asks_running,
            is_expression: bound.is_expression,
        });
        bound.callee
    }

    /// An argument that is an expression, into a slot.
    fn computed(&mut self, text: String, slot: KeyId) -> Arg {
        let mut computed = Computed {
            text: text.into(),
            slot,
            keys: Box::default(),
            by_keys: false,
        };
        if let Ok(expr) = parse(&computed.text) {
            computed.by_keys = self.calls.is_by_keys(&expr);
            let mut seen = self.table.seen_from(self.scope);
            let keys = expr.keys().into_iter().map(|key| seen.intern(key));
            computed.keys = keys.collect();
        }
        Arg::Expression(Box::new(computed))
    }

    /// The number of an expression that is evaluated as a condition, and what is known of it.
    pub(super) fn expression(&mut self, formula: Formula<'_>, below: Arguments<'_>) -> Callee {
        if formula.0.is_empty() {
            return Callee::NONE;
        }
        let mut seen = self.table.seen_from(self.scope);
        let bound = self.calls.expression(formula.0, &mut seen);
        drop(seen);
        self.bound_or_none(bound, below)
    }

    /// The number of a call that writes.
    pub(super) fn writes(&mut self, writes: &Writes<'_>, below: Arguments<'_>) -> u32 {
        let mut seen = self.table.seen_from(self.scope);
        let bound = self.calls.writes(writes, &mut seen);
        drop(seen);
        self.bound_or_none(bound, format_args!("{below}/set")).call
    }

    /// A condition to ask.
    pub(super) fn ask(&mut self, guard: &Guard<'_>, caller: Caller, below: Arguments<'_>) -> Ask {
        let bound = match guard.formula {
            Some(formula) => self.expression(formula, format_args!("{below}/if")),
            None => self.call(&guard.condition, caller, below),
        };
        let mut slots = Vec::new();
        let mut by_property = false;
        let call = self.bound.get(bound.call as usize);
        for arg in call.iter().flat_map(|call| &call.args) {
            match arg {
                Arg::Key(_, id) => slots.push(*id),
                Arg::Property(..) => by_property = true,
                Arg::Expression(computed) => {
                    slots.extend(&computed.keys);
                    by_property |= !computed.by_keys;
                }
                Arg::Literal(_) => {}
            }
        }
        let always = guard.mode == Some(GuardMode::Poll);
        Ask {
            call: bound.call,
            not: guard.not,
            every: always || by_property || !bound.by_keys,
            always,
            keys: slots.into(),
        }
    }

    /// The slot of a key, as the node sees it.
    pub(super) fn key(&mut self, key: &str) -> KeyId {
        self.table.seen_from(self.scope).intern(key)
    }

    fn fetched(&mut self, number: Result<u32, CallError>, below: Arguments<'_>) -> Given {
        match number {
            Ok(number) => Given::Fetched(number),
            Err(error) => {
                self.problem(below, error.to_string());
                Given::Literal(Value::Null)
            }
        }
    }

    /// The source of a value, as the node sees it.
    pub(super) fn given(&mut self, source: Source, below: Arguments<'_>) -> Given {
        match source {
            Source::Literal(value) => Given::Literal(value),
            Source::Key(key) => Given::Key(self.key(&key)),
            Source::Property(name) => {
                let fetched = self.calls.property(&name);
                self.fetched(fetched, below)
            }
            Source::Expression(text) => {
                let mut seen = self.table.seen_from(self.scope);
                let fetched = self.calls.value(&text, &mut seen);
                drop(seen);
                self.fetched(fetched, below)
            }
        }
    }
}
