//! The types of values, as far as they are known before anything runs.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::blackboard::ValueType;
use crate::describe::catalogue::JsonMap;
use crate::describe::schema;

/// The number of schemas inside one another that are looked at; what is deeper may be anything.
const DEEPEST: usize = 16;

/// The type of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// Not known before it runs.
    Any,
    /// `null` alone.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number without a fraction.
    Integer,
    /// Any number.
    Number,
    /// Text.
    Text,
    /// One of some texts.
    Choice(Vec<String>),
    /// A list.
    List(Box<Type>),
    /// An object with any names.
    Map(Box<Type>),
    /// An object with fields; true if there are no others.
    Object(BTreeMap<String, Type>, bool),
    /// A value, or `null`.
    Optional(Box<Type>),
}

impl Type {
    /// A type that also takes `null`.
    pub(crate) fn or_null(self) -> Type {
        match self {
            Type::Any | Type::Null | Type::Optional(_) => self,
            Type::Bool
            | Type::Integer
            | Type::Number
            | Type::Text
            | Type::Choice(_)
            | Type::List(_)
            | Type::Map(_)
            | Type::Object(..) => Type::Optional(Box::new(self)),
        }
    }

    /// Of values of either type.
    pub(super) fn or(self, other: Type) -> Type {
        match (self, other) {
            (a, b) if a == b => a,
            (Type::Null, other) | (other, Type::Null) => other.or_null(),
            (Type::Optional(a), Type::Optional(b)) => a.or(*b).or_null(),
            (Type::Optional(a), b) | (b, Type::Optional(a)) => a.or(b).or_null(),
            (Type::Integer | Type::Number, Type::Integer | Type::Number) => Type::Number,
            (Type::Text | Type::Choice(_), Type::Text | Type::Choice(_)) => Type::Text,
            (Type::List(a), Type::List(b)) => Type::List(Box::new(a.or(*b))),
            (
                Type::Any
                | Type::Bool
                | Type::Integer
                | Type::Number
                | Type::Text
                | Type::Choice(_)
                | Type::List(_)
                | Type::Map(_)
                | Type::Object(..),
                _,
            ) => Type::Any,
        }
    }

    /// The type without `null`.
    pub(crate) fn without_null(self) -> Type {
        match self {
            Type::Optional(inner) => *inner,
            other => other,
        }
    }

    /// Returns true if it may be `null`, as far as is known.
    pub(super) fn may_be_null(&self) -> bool {
        matches!(self, Type::Null | Type::Optional(_))
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Type::Integer | Type::Number)
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self, Type::Text | Type::Choice(_))
    }

    /// The type of a value.
    pub fn of_value(value: &Value) -> Type {
        match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Bool,
            Value::Number(number) if number.is_f64() => Type::Number,
            Value::Number(_) => Type::Integer,
            Value::String(_) => Type::Text,
            Value::Array(items) => {
                let each = items.iter().map(Type::of_value).reduce(Type::or);
                Type::List(Box::new(each.unwrap_or(Type::Any)))
            }
            Value::Object(_) => Type::Map(Box::new(Type::Any)),
        }
    }

    /// The type of a key that is declared so.
    pub fn of_key(ty: &ValueType) -> Type {
        match ty {
            ValueType::Bool => Type::Bool,
            ValueType::Integer { .. } => Type::Integer,
            ValueType::Float | ValueType::Double => Type::Number,
            ValueType::Text => Type::Text,
            ValueType::Any => Type::Any,
            ValueType::Array(item) => Type::List(Box::new(Type::of_key(item))),
            // It may come as a list of pairs.
            ValueType::Map(_) => Type::Any,
            ValueType::Optional(inner) => Type::of_key(inner).or_null(),
        }
    }

    /// The type that a JSON Schema describes; of several unlike ones, [`Type::Any`].
    pub fn of_schema(defs: &JsonMap, schema: &Value) -> Type {
        of_schema(defs, schema, DEEPEST)
    }
}

fn of_schema(defs: &JsonMap, schema: &Value, depth: usize) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Any;
    };
    if let Some(target) = schema::target(defs, schema) {
        return of_schema(defs, target, depth);
    }
    if let Some(fixed) = schema::fixed(schema) {
        let texts = fixed.iter().map(|value| value.as_str().map(str::to_owned));
        if let Some(texts) = texts.collect() {
            return Type::Choice(texts);
        }
        let each = fixed.iter().map(Type::of_value).reduce(Type::or);
        return each.unwrap_or(Type::Any);
    }
    if let Some(branches) = schema::branches(schema) {
        let each: Vec<_> = branches
            .iter()
            .map(|one| of_schema(defs, one, depth))
            .collect();
        // The variants of an enum, each with a description of its own.
        let choices = each.iter().map(|one| {
            if let Type::Choice(texts) = one {
                Some(texts.as_slice())
            } else {
                None
            }
        });
        if let Some(choices) = choices.collect::<Option<Vec<_>>>() {
            return Type::Choice(choices.concat());
        }
        return each.into_iter().reduce(Type::or).unwrap_or(Type::Any);
    }
    let names = schema::types(schema).unwrap_or_default();
    let each = names.into_iter().map(|name| match name {
        "null" => Type::Null,
        "boolean" => Type::Bool,
        "integer" => Type::Integer,
        "number" => Type::Number,
        "string" => Type::Text,
        "array" => Type::List(Box::new(match schema::items(schema) {
            Some(items) => of_schema(defs, items, depth),
            None => Type::Any,
        })),
        "object" => object(defs, schema, depth),
        _ => Type::Any,
    });
    each.reduce(Type::or).unwrap_or(Type::Any)
}

fn object(defs: &JsonMap, schema: &Value, depth: usize) -> Type {
    match schema::fields(schema) {
        Some(fields) => {
            let required: Vec<_> = schema::required(schema).collect();
            let fields = fields.iter().map(|(name, field)| {
                let ty = match required.contains(&name.as_str()) {
                    true => of_schema(defs, field, depth),
                    false => Type::Any,
                };
                (name.clone(), ty)
            });
            let is_closed = schema::others(schema) == schema::Others::Unsaid;
            Type::Object(fields.collect(), is_closed)
        }
        None => Type::Map(Box::new(match schema::others(schema) {
            schema::Others::Of(each) => of_schema(defs, each, depth),
            schema::Others::Unsaid | schema::Others::All | schema::Others::None => Type::Any,
        })),
    }
}

/// As messages name it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Any => f.write_str("any value"),
            Type::Null => f.write_str("null"),
            Type::Bool => f.write_str("a bool"),
            Type::Integer => f.write_str("an integer"),
            Type::Number => f.write_str("a number"),
            Type::Text => f.write_str("text"),
            Type::Choice(texts) => {
                let names = crate::text::quoted(texts.iter().take(8).map(String::as_str));
                let more = if texts.len() > 8 { ", …" } else { "" };
                write!(f, "one of {}{more}", names.join(", "))
            }
            Type::List(item) if **item == Type::Any => f.write_str("a list"),
            Type::List(item) => write!(f, "a list of {}", Bare(item)),
            Type::Map(_) | Type::Object(..) => f.write_str("an object"),
            Type::Optional(inner) => write!(f, "{inner} or null"),
        }
    }
}

/// A type of many values.
struct Bare<'t>(&'t Type);

impl fmt::Display for Bare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Bool => f.write_str("bools"),
            Type::Integer => f.write_str("integers"),
            Type::Number => f.write_str("numbers"),
            Type::Text | Type::Choice(_) => f.write_str("texts"),
            Type::List(_) => f.write_str("lists"),
            Type::Map(_) | Type::Object(..) => f.write_str("objects"),
            Type::Optional(inner) => write!(f, "{} or null", Bare(inner)),
            Type::Any | Type::Null => write!(f, "{}", self.0),
        }
    }
}
