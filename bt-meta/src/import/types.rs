//! The types of keys and arguments, as far as the files of another engine tell them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A type that a value of another engine has here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Type {
    Bool,
    Int,
    Number,
    Text,
    /// Several, or one that is not known.
    Any,
}

impl Type {
    /// The type of a literal in a text.
    pub(crate) fn of(text: &str) -> Type {
        match text {
            "true" | "false" => Type::Bool,
            _ if text.parse::<i64>().is_ok() => Type::Int,
            _ if number(text).is_some() => Type::Number,
            _ => Type::Text,
        }
    }

    /// The type of what has one or the other.
    pub(super) fn join(self, other: Type) -> Type {
        let is_number = |ty| matches!(ty, Type::Int | Type::Number);
        if self == other {
            self
        } else if is_number(self) && is_number(other) {
            Type::Number
        } else {
            Type::Any
        }
    }

    /// The name that trees and catalogues have for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int64",
            Type::Number => "double",
            Type::Text => "string",
            Type::Any => "any_value",
        }
    }

    /// Its JSON Schema, as the annotations' own.
    pub(super) fn schema(self) -> Value {
        match self {
            Type::Bool => json!({"type": "boolean"}),
            Type::Int => json!({"type": "integer", "format": "int64"}),
            Type::Number => json!({"type": "number", "format": "double"}),
            Type::Text => json!({"type": "string"}),
            Type::Any => json!(true),
        }
    }

    /// Its name in Rust.
    pub(super) fn rust(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "i64",
            Type::Number => "f64",
            Type::Text => "String",
            Type::Any => "Value",
        }
    }

    /// Returns true for numbers.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Number)
    }

    /// The value that a text stands for; none if it is no such value.
    pub(super) fn value(self, text: &str) -> Option<Value> {
        Some(match self {
            Type::Bool => match text {
                "true" | "True" | "TRUE" | "1" => json!(true),
                "false" | "False" | "FALSE" | "0" => json!(false),
                _ => return None,
            },
            Type::Int => json!(text.trim().parse::<i64>().ok()?),
            Type::Number => json!(number(text.trim())?),
            Type::Text => json!(text),
            Type::Any => match Type::of(text) {
                Type::Text | Type::Any => json!(text),
                known => return known.value(text),
            },
        })
    }
}

/// A finite number in decimal digits.
fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().any(|byte| byte.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse()
        .ok()
        .filter(|number: &f64| plain && number.is_finite())
}

/// The known types of keys: by name, what was found so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct KeyTypes(BTreeMap<String, (Type, bool)>);

impl KeyTypes {
    /// The type of a key; none if it is unknown.
    pub(super) fn get(&self, key: &str) -> Option<Type> {
        self.0.get(key).map(|(known, _)| *known)
    }

    /// A value of this type is written to the key.
    pub(super) fn written(&mut self, key: &str, found: Type) {
        self.add(key, found, false);
    }

    /// A port of this type is on the key, which settles it unless another says otherwise.
    pub(super) fn declared(&mut self, key: &str, found: Type) {
        self.add(key, found, true);
    }

    fn add(&mut self, key: &str, found: Type, settles: bool) {
        let entry = self.0.entry(key.to_owned()).or_insert((found, settles));
        *entry = match (entry.1, settles) {
            (false, true) => (found, true),
            (true, false) => *entry,
            _ => (entry.0.join(found), settles),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_has_the_narrowest_type_and_the_values_of_it() {
        for (text, of, value) in [
            ("true", Type::Bool, json!(true)),
            ("-3", Type::Int, json!(-3)),
            ("2.5", Type::Number, json!(2.5)),
            ("1;2", Type::Text, json!("1;2")),
            ("inf", Type::Text, json!("inf")),
        ] {
            assert_eq!(Type::of(text), of);
            assert_eq!(Type::Any.value(text), Some(value.clone()));
            assert_eq!(of.value(text), Some(value));
        }
        assert_eq!(Type::Int.value("a"), None);
        assert_eq!(Type::Bool.value("1"), Some(json!(true)));
    }

    #[test]
    fn a_ports_type_settles_that_of_a_key_and_what_is_written_joins() {
        let mut types = KeyTypes::default();
        types.written("a", Type::Int);
        types.written("a", Type::Number);
        assert_eq!(types.get("a"), Some(Type::Number));
        types.written("a", Type::Bool);
        assert_eq!(types.get("a"), Some(Type::Any));
        types.declared("a", Type::Text);
        types.written("a", Type::Bool);
        assert_eq!(types.get("a"), Some(Type::Text));
        assert_eq!(types.get("b"), None);
    }
}
