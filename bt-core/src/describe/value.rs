//! Everything that the macros submit for each argument, parameter and property value.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::docs::Text;
use super::shape::{Described, Passing};
use crate::decode::DecodeError;

/// The description of a parameter, or of a property's value.
#[derive(Debug, Clone, Copy)]
pub struct ParamDesc {
    pub(crate) name: &'static str,
    pub(crate) docs: Text,
    pub(crate) keys: &'static [ValueKey],
}

/// A parameter of a method; its type is known to the call.
pub const fn param(name: &'static str, docs: &'static str) -> ParamDesc {
    ParamDesc {
        name,
        docs: Text::lines(docs),
        keys: &[],
    }
}

/// The facts that a type gives about a parameter, or about a property's value.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub(crate) passing: Passing,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) optional: fn() -> bool,
    pub(crate) decodes: fn(&Value) -> Result<(), DecodeError>,
}

/// The shape of a type.
pub(crate) const fn shape<X: Described>() -> Shape {
    Shape {
        passing: X::PASSING,
        schema: X::schema,
        optional: X::optional,
        decodes: X::decodes,
    }
}

/// A parameter of an event, or a property's value.
#[derive(Debug, Clone, Copy)]
pub struct ValueDesc {
    pub(crate) param: ParamDesc,
    pub(crate) shape: Shape,
}

/// A parameter of an event, or a property's value.
pub const fn value<X: Described>(param: ParamDesc) -> ValueDesc {
    ValueDesc {
        param,
        shape: shape::<X>(),
    }
}

/// The arguments of a call, each with its shape.
pub(crate) fn arguments(
    params: &'static [ParamDesc],
    shapes: &'static [Shape],
) -> impl Iterator<Item = ValueDesc> {
    let all = params.iter().zip(shapes);
    all.map(|(&param, &shape)| ValueDesc { param, shape })
        .filter(|value| value.shape.passing.is_argument())
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

/// The value of a key of a parameter, if it is there.
macro_rules! said {
    ($self:ident, $key:ident) => {
        $self.keys.iter().find_map(|key| {
            if let ValueKey::$key(said) = key {
                Some(said)
            } else {
                None
            }
        })
    };
}

impl ParamDesc {
    /// With the keys of its attribute.
    pub const fn keys(mut self, keys: &'static [ValueKey]) -> Self {
        self.keys = keys;
        self
    }

    /// With a doc comment of other parts than lines.
    pub const fn docs(mut self, parts: &'static [&'static str]) -> Self {
        self.docs.parts = parts;
        self
    }

    pub(crate) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        said!(self, Alias)
            .copied()
            .unwrap_or_default()
            .iter()
            .copied()
    }

    pub(crate) fn default_value(&self) -> Option<Value> {
        said!(self, Default).map(|make| make())
    }

    pub(crate) fn min_value(&self) -> Option<Value> {
        said!(self, Min).map(|make| make())
    }

    pub(crate) fn max_value(&self) -> Option<Value> {
        said!(self, Max).map(|make| make())
    }

    pub(crate) fn choice_values(&self) -> Option<Vec<Value>> {
        said!(self, Choices).map(|make| make())
    }
}
