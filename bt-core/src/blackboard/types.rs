//! The type that a key is declared with, by the names that the editor shows.

use std::fmt;

use serde_json::Value;

use crate::decode::decode;
use crate::text::name;
use crate::text::suggest;

/// A key's declared type: `bool`, `int8` … `uint64`, `float`, `double`, `string`, `any_value`,
/// `array<T>`, `optional<T>`, `map<T>`.
///
/// ```
/// use bt_core::blackboard::ValueType;
/// use serde_json::json;
///
/// let ty: ValueType = "array<int32>".parse()?;
/// assert!(ty.check(&json!([1, 2.0])).is_ok());
/// assert!(ty.check(&json!([1, 2.5])).is_err());
/// assert_eq!(ty.to_string(), "array<int32>");
/// # Ok::<(), bt_core::blackboard::TypeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// `true` or `false`.
    Bool,
    /// An integer; whether it has a sign, and its bits: 8, 16, 32 or 64.
    Integer {
        /// True if it may be negative.
        signed: bool,
        /// 8, 16, 32 or 64.
        bits: u8,
    },
    /// A number that 32 bits hold.
    Float,
    /// A number that 64 bits hold.
    Double,
    /// Text. (Not `String`: the compiler would then say `std::string::String` in all its errors.)
    Text,
    /// Any value.
    Any,
    /// An array of values of one type.
    Array(Box<ValueType>),
    /// A value, or `null`.
    Optional(Box<ValueType>),
    /// An object, or an array of `[key, value]` pairs, of values of one type.
    Map(Box<ValueType>),
}

/// The names of the types that have no parts.
const PLAIN: &[&str] = &[
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float",
    "double",
    "string",
    "any_value",
];

/// Those of the types that have.
const OUTER: &[&str] = &["array", "optional", "map"];

/// The depth to which a type name may nest.
const DEEPEST: usize = 32;

impl std::str::FromStr for ValueType {
    type Err = TypeError;

    fn from_str(name: &str) -> Result<ValueType, TypeError> {
        named(name.trim(), DEEPEST).ok_or_else(|| TypeError {
            name: name.to_owned(),
        })
    }
}

fn named(name: &str, depth: usize) -> Option<ValueType> {
    let integer = |signed, bits| Some(ValueType::Integer { signed, bits });
    match name {
        "bool" => Some(ValueType::Bool),
        "int8" => integer(true, 8),
        "int16" => integer(true, 16),
        "int32" | "int" => integer(true, 32),
        "int64" => integer(true, 64),
        "uint8" => integer(false, 8),
        "uint16" => integer(false, 16),
        "uint32" => integer(false, 32),
        "uint64" => integer(false, 64),
        "float" => Some(ValueType::Float),
        "double" => Some(ValueType::Double),
        "string" | "const std::string &" => Some(ValueType::Text),
        "any_value" => Some(ValueType::Any),
        _ => {
            let (outer, rest) = name.split_once('<')?;
            let inner = rest.strip_suffix('>')?;
            let inner = Box::new(named(inner.trim(), depth.checked_sub(1)?)?);
            match outer.trim() {
                "array" => Some(ValueType::Array(inner)),
                "optional" => Some(ValueType::Optional(inner)),
                "map" => Some(ValueType::Map(inner)),
                _ => None,
            }
        }
    }
}

impl ValueType {
    /// Checks that a value is of this type; numbers count by their value, not by their spelling.
    ///
    /// # Errors
    /// What was expected, where, and what was found.
    pub fn check(&self, value: &Value) -> Result<(), crate::DecodeError> {
        fn is<T: serde::de::DeserializeOwned + 'static>(
            value: &Value,
        ) -> Result<(), crate::DecodeError> {
            decode::<T>(value).map(drop)
        }
        match self {
            ValueType::Bool => is::<bool>(value),
            ValueType::Integer { signed, bits } => match (signed, bits) {
                (true, 8) => is::<i8>(value),
                (true, 16) => is::<i16>(value),
                (true, 32) => is::<i32>(value),
                (true, _) => is::<i64>(value),
                (false, 8) => is::<u8>(value),
                (false, 16) => is::<u16>(value),
                (false, 32) => is::<u32>(value),
                (false, _) => is::<u64>(value),
            },
            ValueType::Float => is::<f32>(value),
            ValueType::Double => is::<f64>(value),
            ValueType::Text => match value {
                Value::String(_) => Ok(()),
                _ => is::<String>(value),
            },
            ValueType::Any => Ok(()),
            ValueType::Optional(inner) => match value {
                Value::Null => Ok(()),
                _ => inner.check(value),
            },
            ValueType::Array(inner) => {
                let Value::Array(items) = value else {
                    return is::<Vec<Value>>(value);
                };
                let mut items = items.iter().enumerate();
                items.try_for_each(|(at, item)| {
                    let checked = inner.check(item);
                    checked.map_err(|error| error.inside(format_args!("[{at}]")))
                })
            }
            ValueType::Map(inner) => {
                let map = decode::<std::collections::BTreeMap<String, Value>>(value)?;
                map.iter().try_for_each(|(key, item)| {
                    let checked = inner.check(item);
                    checked.map_err(|error| error.inside(format_args!(".{key}")))
                })
            }
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Bool => f.write_str("bool"),
            ValueType::Integer { signed, bits } => {
                let u = if *signed { "" } else { "u" };
                write!(f, "{u}int{bits}")
            }
            ValueType::Float => f.write_str("float"),
            ValueType::Double => f.write_str("double"),
            ValueType::Text => f.write_str("string"),
            ValueType::Any => f.write_str("any_value"),
            ValueType::Array(inner) => write!(f, "array<{inner}>"),
            ValueType::Optional(inner) => write!(f, "optional<{inner}>"),
            ValueType::Map(inner) => write!(f, "map<{inner}>"),
        }
    }
}

/// A name that is no type's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeError {
    name: String,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, names) = misspelt(&self.name);
        let near = suggest(wrong, names.iter().copied());
        let there = if near.is_empty() { "; there" } else { " There" };
        write!(
            f,
            "`{}` is no type of a key{near}{there} are `bool`, `int8` to `int64`, `uint8` to \
             `uint64`, `float`, `double`, `string`, `any_value`, `array<T>`, `optional<T>` and \
             `map<T>`",
            name(&self.name)
        )
    }
}

/// The part of a name that is wrong, and what may stand in its place.
fn misspelt(name: &str) -> (&str, &'static [&'static str]) {
    let mut name = name.trim();
    while let Some((outer, rest)) = name.split_once('<') {
        let outer = outer.trim();
        match rest.strip_suffix('>') {
            Some(inner) if OUTER.contains(&outer) => name = inner.trim(),
            _ => return (outer, OUTER),
        }
    }
    (name, PLAIN)
}

impl std::error::Error for TypeError {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ty(name: &str) -> ValueType {
        name.parse().unwrap()
    }

    #[test]
    fn a_type_is_read_and_written_by_its_plain_name() {
        for name in PLAIN.iter().chain(&["array<map<optional<int32>>>"]) {
            assert_eq!(ty(name).to_string(), *name);
        }
        for (wrong, help) in [
            ("nothing", "; there are `bool`"),
            (
                "int23",
                "; did you mean `int32`, `int16` or `int64`? There are `bool`",
            ),
            ("array<boll>", "; did you mean `bool`? There are `bool`"),
            ("arrray<bool>", "; did you mean `array`? There are `bool`"),
        ] {
            let error = wrong.parse::<ValueType>().unwrap_err().to_string();
            let expect = format!("`{wrong}` is no type of a key{help}");
            assert!(error.starts_with(&expect), "{error}");
        }
        let deep = format!("{}bool{}", "array<".repeat(10_000), ">".repeat(10_000));
        assert!(deep.parse::<ValueType>().is_err());
    }

    #[test]
    fn a_value_of_another_type_is_refused_with_its_place() {
        assert!(ty("uint8").check(&json!(255.0)).is_ok());
        assert!(ty("uint8").check(&json!(256)).is_err());
        assert!(ty("optional<string>").check(&json!(null)).is_ok());
        assert!(ty("string").check(&json!(null)).is_err());
        assert!(ty("map<bool>").check(&json!([["a", true]])).is_ok());
        let error = ty("map<array<int8>>")
            .check(&json!({"a": [1, 1000]}))
            .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("at `.a[1]`: expected an integer"),
            "{error}"
        );
    }
}
