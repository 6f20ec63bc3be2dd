//! What the macros submit for each argument, parameter and property value.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::shape::{Described, less};

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// `T`
    Value,
    /// `&T`
    Shared,
    /// `&mut T`
    InOut,
    /// `#[arg(out)] &mut T`
    Out,
    /// The context: no argument of the tree.
    Context,
    /// A decorator's `ended`: no argument of the tree.
    Ended,
}

impl Passing {
    /// Whether a tree gives it.
    pub(crate) fn is_argument(self) -> bool {
        !matches!(self, Passing::Context | Passing::Ended)
    }
}

/// A parameter, or a property's value.
#[derive(Debug, Clone, Copy)]
pub struct ValueDesc {
    pub(crate) name: &'static str,
    pub(crate) docs: &'static [&'static str],
    pub(crate) keys: &'static [ValueKey],
    pub(crate) passing: Passing,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) optional: fn() -> bool,
}

/// A parameter's or property's value.
pub const fn value<X: Described>(
    name: &'static str,
    docs: &'static [&'static str],
    keys: &'static [ValueKey],
) -> ValueDesc {
    ValueDesc {
        name,
        docs,
        keys,
        passing: X::PASSING,
        schema: X::schema,
        optional: X::optional,
    }
}

/// A key of `#[arg(…)]`, or a value's key of `#[property(…)]`.
#[derive(Debug, Clone, Copy)]
pub enum ValueKey {
    /// `default = …`
    Default(fn() -> Value),
    /// `min = …`
    Min(fn() -> Value),
    /// `max = …`
    Max(fn() -> Value),
    /// `step = …`
    Step(fn() -> Value),
    /// `choices = […]`
    Choices(fn() -> Vec<Value>),
    /// `unit = "…"`
    Unit(&'static str),
    /// `display = "…"`
    Display(&'static str),
    /// `alias = […]`
    Alias(&'static [&'static str]),
    /// `deprecated`
    Deprecated,
}

impl ValueDesc {
    pub(crate) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let lists = self.keys.iter().filter_map(|key| match key {
            ValueKey::Alias(names) => Some(*names),
            _ => None,
        });
        lists.flatten().copied()
    }

    pub(crate) fn default_value(&self) -> Option<Value> {
        self.keys.iter().find_map(|key| match key {
            ValueKey::Default(make) => Some(make()),
            _ => None,
        })
    }

    /// Checks a value against the bounds and choices.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        for key in self.keys {
            match key {
                ValueKey::Min(min) if less(value, &min()) => {
                    return Err(format!("is {value}, the least allowed is {}", min()));
                }
                ValueKey::Max(max) if less(&max(), value) => {
                    return Err(format!("is {value}, the most allowed is {}", max()));
                }
                ValueKey::Choices(choices) if !value.is_null() => {
                    let choices = choices();
                    if !choices.contains(value) {
                        let list: Vec<_> = choices.iter().map(Value::to_string).collect();
                        return Err(format!("is {value}, expected one of {}", list.join(", ")));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
