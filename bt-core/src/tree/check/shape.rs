//! The kinds' JSON Schemas taken apart, once: what each of them asks of a value.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

/// What a schema asks of a value. A keyword that no kind's schema has is not among it.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// None takes any value.
    pub(super) form: Option<Form>,
    /// The texts of which it is one, whatever its form.
    pub(super) choices: Option<Vec<String>>,
    /// It is not empty.
    pub(super) filled: bool,
    pub(super) minimum: Option<f64>,
    pub(super) more_than: Option<f64>,
    /// Each of an array.
    pub(super) items: Option<Arc<Shape>>,
    pub(super) object: Keys,
}

/// The `type` of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Flag,
    Integer,
    Number,
    Array,
    Object,
}

/// What is asked of an object's keys.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: Vec<Key>,
    pub(super) others: Others,
    pub(super) required: Vec<String>,
    /// Keys of which there is one at least.
    pub(super) one_of: Option<Vec<String>>,
    /// Keys that have one of some values, if the rest is asked.
    pub(super) when: Vec<(String, Vec<String>)>,
    pub(super) then: Option<Box<Shape>>,
}

#[derive(Debug, Clone)]
struct Key {
    name: String,
    description: Option<String>,
    shape: Arc<Shape>,
}

/// What is asked of keys that are not known.
#[derive(Debug, Default)]
pub(super) enum Others {
    #[default]
    Unsaid,
    None,
    Are(Arc<Shape>),
}

impl Keys {
    /// What a key that is known has to be.
    pub(super) fn get(&self, key: &str) -> Option<&Shape> {
        Some(&self.find(key)?.shape)
    }

    /// What the schema says of a key.
    pub(super) fn description(&self, key: &str) -> Option<&str> {
        self.find(key)?.description.as_deref()
    }

    /// The keys that are known.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|key| key.name.as_str())
    }

    fn find(&self, name: &str) -> Option<&Key> {
        self.known.iter().find(|key| key.name == name)
    }
}

/// Takes schemas apart. The definitions that they refer to, none of which refers to itself, are
/// shared.
pub(super) struct Shapes<'d> {
    defs: &'d BTreeMap<String, Value>,
    done: BTreeMap<&'d str, Arc<Shape>>,
}

impl<'d> Shapes<'d> {
    pub(super) fn new(defs: &'d BTreeMap<String, Value>) -> Shapes<'d> {
        let done = BTreeMap::new();
        Shapes { defs, done }
    }

    /// What a schema asks, or the definition that it refers to.
    pub(super) fn of(&mut self, schema: &Value) -> Arc<Shape> {
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|name| name.strip_prefix("#/$defs/"));
        let Some((name, target)) = name.and_then(|name| self.defs.get_key_value(name)) else {
            return Arc::new(self.shape(schema));
        };
        if let Some(done) = self.done.get(name.as_str()) {
            return done.clone();
        }
        let shape = Arc::new(self.shape(target));
        self.done.insert(name, shape.clone());
        shape
    }

    fn shape(&mut self, schema: &Value) -> Shape {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        Shape {
            form: schema.get("type").and_then(Value::as_str).and_then(form),
            choices: schema.get("enum").is_some().then(|| texts(schema, "enum")),
            filled: number("minLength").or_else(|| number("minItems")).is_some(),
            minimum: number("minimum"),
            more_than: number("exclusiveMinimum"),
            items: schema.get("items").map(|items| self.of(items)),
            object: self.keys(schema),
        }
    }

    fn keys(&mut self, schema: &Value) -> Keys {
        let options = schema.get("anyOf").and_then(Value::as_array);
        let then = schema.get("then");
        Keys {
            known: properties(schema)
                .map(|(name, schema)| self.key(name, schema))
                .collect(),
            others: match schema.get("additionalProperties") {
                None => Others::Unsaid,
                Some(Value::Bool(false)) => Others::None,
                Some(schema) => Others::Are(self.of(schema)),
            },
            required: texts(schema, "required"),
            one_of: options.map(|options| {
                let each = options.iter().map(|option| texts(option, "required"));
                each.flatten().collect()
            }),
            when: schema.get("if").map_or_else(Vec::new, |schema| {
                let each = properties(schema);
                each.map(|(key, schema)| (key.clone(), texts(schema, "enum")))
                    .collect()
            }),
            then: then.map(|schema| Box::new(self.shape(schema))),
        }
    }

    fn key(&mut self, name: &str, schema: &Value) -> Key {
        let description = schema.get("description").and_then(Value::as_str);
        Key {
            name: name.to_owned(),
            description: description.map(str::to_owned),
            shape: self.of(schema),
        }
    }
}

fn form(name: &str) -> Option<Form> {
    Some(match name {
        "string" => Form::Text,
        "boolean" => Form::Flag,
        "integer" => Form::Integer,
        "number" => Form::Number,
        "array" => Form::Array,
        "object" => Form::Object,
        _ => return None,
    })
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let all = schema.get("properties").and_then(Value::as_object);
    all.into_iter().flatten()
}

fn texts(schema: &Value, key: &str) -> Vec<String> {
    let list = schema.get(key).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::kinds::{node_defs, node_kinds};

    /// What is asked of values, and what is there for editors alone.
    const KEYWORDS: [&str; 16] = [
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "description",
        "enum",
        "exclusiveMinimum",
        "if",
        "items",
        "minItems",
        "minLength",
        "minimum",
        "properties",
        "required",
        "then",
        "type",
    ];

    fn check(schema: &Value) {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
            match keyword.as_str() {
                "properties" => value.as_object().unwrap().values().for_each(check),
                "items" | "additionalProperties" | "if" | "then" => check(value),
                "type" => assert!(form(value.as_str().unwrap()).is_some()),
                _ => {}
            }
        }
    }

    #[test]
    fn every_keyword_of_the_kinds_is_looked_at() {
        let kinds = node_kinds().into_iter().map(|kind| kind.params);
        for schema in kinds.chain(node_defs().into_values()) {
            check(&schema);
        }
    }

    #[test]
    fn a_definition_is_shared_by_all_that_refer_to_it() {
        let defs = node_defs();
        let mut shapes = Shapes::new(&defs);
        let guards = shapes.of(&defs["node.attachments"]);
        let guards = guards.object.get("guards").unwrap();
        let one = shapes.of(&serde_json::json!({"$ref": "#/$defs/node.guard"}));
        assert!(Arc::ptr_eq(guards.items.as_ref().unwrap(), &one));
    }
}
