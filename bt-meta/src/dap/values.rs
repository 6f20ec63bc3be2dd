//! Values as an editor's variables: what has parts is opened by a number.

use serde_json::{Value, json};

/// The numbers of what is always there.
pub(super) const BLACKBOARD: usize = 1;
pub(super) const PROPERTIES: usize = 2;

/// Values that were shown with parts, by their numbers. They hold until the agent continues.
#[derive(Debug, Default)]
pub(super) struct Shown(Vec<Value>);

impl Shown {
    const FIRST: usize = 3;

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of a value with parts; 0 of one without.
    pub(super) fn number(&mut self, value: &Value) -> usize {
        let has_parts = match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            _ => false,
        };
        if !has_parts {
            return 0;
        }
        self.0.push(value.clone());
        self.0.len() - 1 + Shown::FIRST
    }

    /// A variable.
    pub(super) fn variable(&mut self, name: &str, value: &Value) -> Value {
        json!({
            "name": name,
            "value": value.to_string(),
            "type": type_of(value),
            "variablesReference": self.number(value),
            "evaluateName": name,
        })
    }

    /// The parts of a value that was shown; none if it is shown no more.
    pub(super) fn parts(&mut self, number: usize) -> Option<Vec<Value>> {
        let value = self.0.get(number.checked_sub(Shown::FIRST)?)?.clone();
        Some(match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(at, item)| self.variable(&format!("[{at}]"), item))
                .collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| self.variable(name, field))
                .collect(),
            _ => Vec::new(),
        })
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
