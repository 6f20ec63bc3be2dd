//! Leaves and the agent's own nodes: elements with a port for each argument.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::expression::{Argument, Expr, Form, Operator, Spelled};
use bt_core::kinds::call::{self, Call};
use serde_json::Value;

use super::super::xml::{Element, is_readable};
use super::fault::{Fault, refuse};
use super::script::{self, script};
use crate::catalogue::{MethodEntry, MethodKind};
use crate::import::is_built_in;
use crate::import::types::Type;

/// The methods that a tree's agent has, and those that are called.
pub(super) struct Calls<'a> {
    pub(super) methods: BTreeMap<&'a str, &'a MethodEntry>,
    pub(super) called: BTreeSet<&'a str>,
}

/// Names of elements that mean something else in a file of the engine's.
const TAKEN: [&str; 9] = [
    "Action",
    "BehaviorTree",
    "Condition",
    "Control",
    "Decorator",
    "SubTree",
    "SubTreePlus",
    "TreeNodesModel",
    "include",
];

/// The tag of the engine's for a kind of methods.
pub(super) fn tag(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Action => "Action",
        MethodKind::Condition | MethodKind::Query => "Condition",
        MethodKind::Decorator => "Decorator",
        MethodKind::Composite => "Control",
    }
}

/// A name that a node of the engine's may be registered by.
pub(super) fn id(name: &str) -> Result<&str, Fault> {
    if is_built_in(name) || TAKEN.contains(&name) {
        return refuse(
            format!("BehaviorTree.CPP has a node of its own that is called `{name}`"),
            "give the method another name",
        );
    }
    match is_readable(name) {
        true => Ok(name),
        false => refuse("XML has no place for a character of its name", "rename it"),
    }
}

/// A name that a port may have.
pub(super) fn port(name: &str) -> Result<&str, Fault> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_name = starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_name && !["ID", "name"].contains(&name) {
        true => Ok(name),
        false => refuse(
            format!("no port of BehaviorTree.CPP can be called `{name}`"),
            "rename the argument to letters, digits and `_`, and not to `name` or `ID`",
        ),
    }
}

/// A key as a port refers to it.
pub(super) fn entry(key: &str) -> Result<String, Fault> {
    let plain = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    match key.starts_with(char::is_alphabetic) && key.chars().all(plain) {
        true => Ok(format!("{{{key}}}")),
        false => refuse(
            format!(
                "no entry of BehaviorTree.CPP's blackboard can be called `{key}`, or it would not be shared with sub-trees"
            ),
            "rename the key to letters, digits, `_`, `-` and `.`, a letter first",
        ),
    }
}

/// A value as a port has it; as a text where its type is one.
fn text(value: &Value, is_text: bool) -> Result<String, Fault> {
    match value {
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::String(text) => {
            let trimmed = text.trim();
            let is_key = trimmed.starts_with('{') && trimmed.ends_with('}');
            let is_other = !is_text && Type::of(text) != Type::Text;
            if is_key || is_other || !is_readable(text) {
                return refuse(
                    format!(
                        "the text `{}` would be read as something else in a port",
                        text.escape_debug()
                    ),
                    "write it to a key in an action, and hand over the key",
                );
            }
            Ok(text.clone())
        }
        Value::Null | Value::Array(_) | Value::Object(_) => refuse(
            format!("the value `{value}` has no form in a port"),
            "write it to a key in an action, and hand over the key",
        ),
    }
}

impl<'a> Calls<'a> {
    fn method(&mut self, name: &str) -> Result<&'a MethodEntry, Fault> {
        match self.methods.get_key_value(name) {
            Some((_, method)) => {
                self.called.insert(&method.item.name);
                Ok(*method)
            }
            None => refuse(
                format!("the agent has no method `{name}`"),
                "correct the name, or export with the catalogue that has it",
            ),
        }
    }

    /// A call of a method. Those of every agent that the engine has as nodes become these.
    pub(super) fn call(&mut self, call: &Call<'_>) -> Result<Element, Fault> {
        let Some(args) = call.args.all() else {
            return refuse(
                "its arguments cannot be read",
                "correct them: `bt-meta validate` names the mistake",
            );
        };
        if let Some(element) = self.common(call.name, args)? {
            return Ok(element);
        }
        let method = self.method(call.name)?;
        let mut element = named(method)?;
        for (at, arg) in args.iter().enumerate() {
            let by_place = method.args.get(at).map(|value| value.name.as_str());
            let Some(name) = arg.name().or(by_place) else {
                return refuse(
                    format!("`{}` takes {} arguments", call.name, method.args.len()),
                    "take out what is too much",
                );
            };
            let value = argument(arg, is_text(method, name))?;
            element = given(element, name, &value)?;
        }
        Ok(element)
    }

    /// Methods of every agent that are nodes of the engine's.
    fn common(&self, name: &str, args: &[call::Argument<'_>]) -> Result<Option<Element>, Fault> {
        let own = self.methods.get(name);
        if own.is_some_and(|method| method.item.package != BUILT_IN) {
            return Ok(None);
        }
        Ok(match (name, args) {
            ("nop", []) => Some(Element::new("AlwaysSuccess")),
            ("wait_for_seconds", [arg]) => {
                let msec = match arg.plain().and_then(Value::as_f64) {
                    Some(seconds) => milliseconds(seconds)?,
                    None => of_thousandth(arg)?,
                };
                Some(Element::new("Sleep").with("msec", &msec))
            }
            ("remove_key", [arg]) => {
                let Some(key) = arg.plain().and_then(Value::as_str) else {
                    return refuse(
                        "the key that is removed is not written in the tree",
                        "write it",
                    );
                };
                entry(key)?;
                Some(Element::new("UnsetBlackboard").with("key", key))
            }
            (_, _) => None,
        })
    }

    /// A question as a node: a script, conditions, or several of them.
    pub(super) fn question(&mut self, expr: &Expr) -> Result<Element, Fault> {
        let unwritable = match script(expr) {
            Ok(code) => return Ok(Element::new("ScriptCondition").with("code", &code)),
            Err(fault) => fault,
        };
        match &expr.form {
            Form::Not(inside) => Ok(Element::new("Inverter").holding([self.question(inside)?])),
            Form::Binary(Operator::And, left, right) => {
                let both = [self.question(left)?, self.question(right)?];
                Ok(Element::new("Sequence").holding(both))
            }
            Form::Binary(Operator::Or, left, right) => {
                let both = [self.question(left)?, self.question(right)?];
                Ok(Element::new("Fallback").holding(both))
            }
            Form::Call(method, arguments) => self.asked(method, arguments),
            Form::Binary(..)
            | Form::Literal(_)
            | Form::List(_)
            | Form::Key(_)
            | Form::Property(_)
            | Form::Field(..)
            | Form::Item(..)
            | Form::Builtin(..)
            | Form::Minus(_)
            | Form::Otherwise(..)
            | Form::Choose(_) => Err(unwritable),
        }
    }

    fn asked(&mut self, name: &Spelled, arguments: &[Argument]) -> Result<Element, Fault> {
        let method = self.method(&name.name)?;
        let mut element = named(method)?;
        for (at, argument) in arguments.iter().enumerate() {
            let by_place = method.args.get(at).map(|value| value.name.as_str());
            let by_name = argument.name.as_ref().map(|name| &*name.name);
            let Some(name) = by_name.or(by_place) else {
                return refuse(
                    format!("`{}` takes fewer arguments", name.name),
                    "take out what is too much",
                );
            };
            let value = if let Form::Key(key) = &argument.value.form {
                entry(&key.name)?
            } else if let Form::Literal(value) = &argument.value.form {
                text(value, is_text(method, name))?
            } else {
                return computed();
            };
            element = given(element, name, &value)?;
        }
        Ok(element)
    }
}

/// The package of what every agent has.
const BUILT_IN: &str = "bt-core";

fn named(method: &MethodEntry) -> Result<Element, Fault> {
    let name = id(&method.item.name)?;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_name = starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Ok(match is_name && !name.to_lowercase().starts_with("xml") {
        true => Element::new(name.to_owned()),
        false => Element::new(tag(method.kind)).with("ID", name),
    })
}

/// An element with one more port.
fn given(element: Element, name: &str, value: &str) -> Result<Element, Fault> {
    let name = port(name)?;
    match element.has(name) {
        true => refuse(format!("`{name}` is given twice"), "take one of them out"),
        false => Ok(element.with(name, value)),
    }
}

fn is_text(method: &MethodEntry, name: &str) -> bool {
    let mut args = method.args.iter();
    args.any(|value| value.name == name && value.ty.type_name == "string")
}

/// An argument as a port has it.
pub(super) fn argument(arg: &call::Argument<'_>, is_text: bool) -> Result<String, Fault> {
    if let Some(value) = arg.plain() {
        return text(value, is_text);
    }
    if let Some(key) = arg.key() {
        return entry(key);
    }
    if let Some(property) = arg.property() {
        return refuse(
            format!("BehaviorTree.CPP has no properties, such as `{property}`"),
            "write it to a key in an action, and hand over the key",
        );
    }
    let alone = arg.expression().map(script::read).transpose()?;
    if let Some(Form::Key(key)) = alone.map(|expr| expr.form) {
        return entry(&key.name);
    }
    computed()
}

fn computed<T>() -> Result<T, Fault> {
    refuse(
        "a port takes a value or a key, and no expression",
        "write the value to a key in a `set` before, and hand over the key",
    )
}

/// Seconds as whole milliseconds.
pub(super) fn milliseconds(seconds: f64) -> Result<String, Fault> {
    let milliseconds = (seconds * 1000.0).round();
    let is_whole = (milliseconds - seconds * 1000.0).abs() < 1e-6;
    match is_whole && (1.0..=f64::from(u32::MAX)).contains(&milliseconds) {
        true => Ok(format!("{milliseconds}")),
        false => refuse(
            format!(
                "BehaviorTree.CPP counts whole milliseconds, from 1 to {}, and this is {seconds} s",
                u32::MAX
            ),
            "write such a time, or take the node out",
        ),
    }
}

/// The key of `$key / 1000`, which is a number of milliseconds.
pub(super) fn of_thousandth(arg: &call::Argument<'_>) -> Result<String, Fault> {
    let expr = arg.expression().map(script::read).transpose()?;
    if let Some(Form::Binary(Operator::Over, left, right)) = expr.map(|expr| expr.form)
        && let (Form::Key(key), Form::Literal(value)) = (&left.form, &right.form)
        && value.as_f64() == Some(1000.0)
    {
        return entry(&key.name);
    }
    refuse(
        "a time of BehaviorTree.CPP is a number of milliseconds, or a key with one",
        "write the seconds themselves, or `$key / 1000`",
    )
}
