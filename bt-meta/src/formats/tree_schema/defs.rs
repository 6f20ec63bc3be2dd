//! The definitions of a schema.

use bt_core::registry::schema::target;
use serde_json::{Map, Value, json};

use crate::catalogue::Catalogue;
use crate::formats::ids::Ids;

/// The definitions of the schema, and the names that they have.
pub(super) struct Defs<'c> {
    pub(super) all: Map<String, Value>,
    pub(super) ids: Ids,
    /// Those of the types of arguments.
    pub(super) catalogue: &'c Catalogue,
}

impl<'c> Defs<'c> {
    /// The definition that the schema of an argument refers to.
    pub(super) fn target(&self, schema: &Value) -> Option<&'c Value> {
        target(&self.catalogue.defs, schema)
    }

    /// Adds one and says how to refer to it.
    pub(super) fn add(&mut self, name: &str, schema: Value) -> Value {
        let id = self.ids.of(name);
        let reference = json!({"$ref": format!("#/$defs/{id}")});
        self.all.insert(id, schema);
        reference
    }
}
