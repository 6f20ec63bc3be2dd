//! The type of an argument or a property that is described by hand.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::describe::catalogue::{InOut, JsonMap, TypeEntry, ValueEntry};
use crate::describe::type_name::type_name;
use crate::registry::build::narrowed;

/// The type of an argument or of a property: a JSON Schema, and what narrows it.
///
/// ```
/// use bt_core::dynamic::Type;
/// use serde_json::json;
///
/// let speed = Type::of::<f64>().min(0.0).max(9.0).default(2.0);
/// let target = Type::schema(json!({"type": "integer", "minimum": 1}));
/// # let _ = (speed, target);
/// ```
#[derive(Debug, Clone)]
pub struct Type {
    entry: TypeEntry,
    /// The aliases of what has the type.
    alias: Vec<String>,
    pub(super) defs: JsonMap,
}

impl Type {
    /// The type of a Rust type.
    pub fn of<T: JsonSchema>() -> Type {
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        let schema = generator.subschema_for::<T>().to_value();
        let defs = generator.take_definitions(true).into_iter().collect();
        let mut ty = Type::schema(schema);
        ty.defs = defs;
        ty
    }

    /// The type of a JSON Schema, in the spelling of `agents.json`.
    pub fn schema(schema: Value) -> Type {
        let type_name = type_name(&schema);
        Type {
            entry: TypeEntry {
                optional: type_name.starts_with("optional<"),
                type_name,
                schema,
                ..TypeEntry::default()
            },
            alias: Vec::new(),
            defs: JsonMap::new(),
        }
    }

    /// With a value where none is given: of an argument its default, of a property its first value.
    pub fn default(mut self, value: impl Into<Value>) -> Type {
        self.entry.default = Some(value.into());
        self.entry.optional = true;
        self
    }

    /// With a smallest value.
    pub fn min(mut self, value: impl Into<Value>) -> Type {
        self.entry.min = Some(value.into());
        self
    }

    /// With a largest value.
    pub fn max(mut self, value: impl Into<Value>) -> Type {
        self.entry.max = Some(value.into());
        self
    }

    /// With the only values that are allowed.
    pub fn choices<V: Into<Value>>(mut self, values: impl IntoIterator<Item = V>) -> Type {
        self.entry.choices = Some(values.into_iter().map(Into::into).collect());
        self
    }

    /// With a unit of measure.
    pub fn unit(mut self, unit: impl Into<String>) -> Type {
        self.entry.unit = Some(unit.into());
        self
    }

    /// With a name that old trees may still use.
    pub fn alias(mut self, name: impl Into<String>) -> Type {
        self.alias.push(name.into());
        self
    }

    /// Of an argument that is taken from a blackboard key, and written back by [`Answer::write`](super::Answer::write).
    pub fn in_out(mut self) -> Type {
        self.entry.in_out = Some(InOut::InOut);
        self
    }

    /// Of an argument that is only written to a blackboard key, by [`Answer::write`](super::Answer::write).
    pub fn out(mut self) -> Type {
        self.entry.in_out = Some(InOut::Out);
        self
    }

    /// The entry of what has the type.
    pub(super) fn entry(mut self) -> TypeEntry {
        self.entry.schema = narrowed(self.entry.schema.clone(), &self.entry, "");
        self.entry
    }

    /// The entry of an argument or a parameter.
    pub(super) fn value(self, name: &str) -> ValueEntry {
        ValueEntry {
            name: name.to_owned(),
            alias: self.alias.clone(),
            ty: self.entry(),
            ..ValueEntry::default()
        }
    }

    /// The aliases of a property.
    pub(super) fn aliases(&self) -> Vec<String> {
        self.alias.clone()
    }
}
