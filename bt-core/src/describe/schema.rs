//! JSON Schemas of Rust types, read: the one place that knows their keywords, for all who ask what a type takes.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::catalogue::JsonMap;

pub use super::shape::less;

/// The keyword below which stands what the type's decoder said: all `names` of variants or fields, aliases
/// among them, and the [facts](Fact) that it decides beyond the schema.
pub const DECODER: &str = "x-decoder";

/// A fact that a type's decoder decides and its schema leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// It refuses unknown fields.
    Closed,
    /// It refuses texts that are not of the format.
    Format,
    /// It refuses another length than that of the schema.
    Length,
    /// It refuses a number below the least of the schema.
    Minimum,
    /// It refuses values that the schema takes.
    More,
    /// It refuses the value that the schema excludes.
    Not,
    /// It refuses times that overflow.
    Overflow,
    /// It takes an array of the fields in their order.
    Places,
}

impl Fact {
    /// Its key below [`DECODER`].
    pub fn key(self) -> &'static str {
        match self {
            Fact::Closed => "closed",
            Fact::Format => "format",
            Fact::Length => "length",
            Fact::Minimum => "minimum",
            Fact::More => "more",
            Fact::Not => "not",
            Fact::Overflow => "overflow",
            Fact::Places => "places",
        }
    }
}

/// Returns true if the decoder was asked about a schema's type.
pub fn was_asked(schema: &Value) -> bool {
    schema.get(DECODER).is_some()
}

/// All names of fields or variants, aliases among them, where the decoder was asked for them.
pub fn names(schema: &Value) -> Option<Vec<&str>> {
    let names = schema.get(DECODER)?.get("names")?.as_array()?;
    Some(names.iter().filter_map(Value::as_str).collect())
}

/// Returns true if the decoder was asked, and said that this is so.
pub fn knows(schema: &Value, fact: Fact) -> bool {
    let known = schema.get(DECODER).and_then(|known| known.get(fact.key()));
    known == Some(&Value::Bool(true))
}

/// The names of the fields in the order in which an array gives them; none where it may not.
pub fn by_position(schema: &Value) -> Option<Vec<&str>> {
    if !knows(schema, Fact::Places) {
        return None;
    }
    let fields = fields(schema)?;
    let mut names = names(schema)?;
    names.retain(|name| fields.contains_key(*name));
    Some(names)
}

/// The name in `$defs` of what a schema refers to.
pub fn reference(schema: &Value) -> Option<Cow<'_, str>> {
    let (name, below) = definition(schema)?;
    below.is_empty().then_some(name)
}

/// The name of the definition that a schema's reference leads into, and the rest of the way from there.
pub fn definition(schema: &Value) -> Option<(Cow<'_, str>, &str)> {
    let path = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    let (name, below) = path.split_at(path.find('/').unwrap_or(path.len()));
    if !name.contains(['%', '~']) {
        return Some((name.into(), below));
    }
    let name = percent_decoded(name).replace("~1", "/").replace("~0", "~");
    Some((name.into(), below))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%')
            .then(|| text.get(text.len() - tail.len()..)?.get(..2))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The target of a schema's reference; none if it has none, or the target is not there.
pub fn target<'s>(defs: &'s JsonMap, schema: &Value) -> Option<&'s Value> {
    defs.get(&*reference(schema)?)
}

/// The one value that is taken.
pub fn constant(schema: &Value) -> Option<&Value> {
    schema.get("const")
}

/// The values that are listed: those of an enum without fields, or an annotation's choices.
pub fn listed(schema: &Value) -> Option<&[Value]> {
    list(schema, "enum")
}

/// The values of an `enum`, or the one of a `const`.
pub fn fixed(schema: &Value) -> Option<&[Value]> {
    listed(schema).or_else(|| constant(schema).map(std::slice::from_ref))
}

/// The one value that is not taken, as of a number that must not be zero.
pub fn excluded(schema: &Value) -> Option<&Value> {
    schema.pointer("/not/const")
}

/// The schemas of which exactly one is to hold, as the variants of an enum.
pub fn one_of(schema: &Value) -> Option<&[Value]> {
    list(schema, "oneOf")
}

/// The schemas of which one is to hold.
pub fn branches(schema: &Value) -> Option<&[Value]> {
    match schema.get("oneOf") {
        Some(branches) => branches.as_array().map(Vec::as_slice),
        None => list(schema, "anyOf"),
    }
}

/// The schemas that are to hold all.
pub fn all_of(schema: &Value) -> Option<&[Value]> {
    list(schema, "allOf")
}

fn list<'s>(schema: &'s Value, key: &str) -> Option<&'s [Value]> {
    schema.get(key)?.as_array().map(Vec::as_slice)
}

/// The field that says in all branches which variant it is.
pub fn tag(schema: &Value) -> Option<&str> {
    let branches = one_of(schema)?;
    let of_branch = |branch: &Value, name: &str| {
        let field = fields(branch)?.get(name)?;
        constant(field).map(Value::is_string)
    };
    let is_tag = |name: &&String| {
        let mut branches = branches.iter();
        branches.all(|branch| of_branch(branch, name) == Some(true))
    };
    fields(branches.first()?)?
        .keys()
        .find(is_tag)
        .map(String::as_str)
}

/// The JSON types, of which a value has one; none where the schema does not say them.
pub fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Returns true if it takes values of one JSON type, of that one.
pub fn is_of_type(schema: &Value, name: &str) -> bool {
    schema.get("type").is_some_and(|ty| ty == name)
}

/// Returns true if it takes `null` and nothing else.
pub fn is_null(schema: &Value) -> bool {
    is_of_type(schema, "null")
}

/// The fields of an object.
pub fn fields(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// The fields that must be there.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let required = list(schema, "required").unwrap_or_default();
    required.iter().filter_map(Value::as_str)
}

/// The values that an object may have under other keys than its fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Others<'s> {
    /// The schema does not say it: they are ignored, or refused.
    Unsaid,
    /// Any.
    All,
    /// None.
    None,
    /// Those of a schema.
    Of(&'s Value),
}

/// The values that an object may have under other keys than its fields.
pub fn others(schema: &Value) -> Others<'_> {
    match schema.get("additionalProperties") {
        None => Others::Unsaid,
        Some(Value::Bool(true)) => Others::All,
        Some(Value::Bool(false)) => Others::None,
        Some(of) => Others::Of(of),
    }
}

/// The only pattern of keys, and the schema of the values under such.
pub fn by_pattern(schema: &Value) -> Option<(&str, &Value)> {
    let patterns = schema.get("patternProperties")?.as_object()?;
    let (pattern, of) = patterns.iter().next().filter(|_| patterns.len() == 1)?;
    Some((pattern, of))
}

/// The first items of an array, each by its own schema.
pub fn first_items(schema: &Value) -> Option<&[Value]> {
    list(schema, "prefixItems")
}

/// The items of an array that have no schema of their own.
pub fn items(schema: &Value) -> Option<&Value> {
    schema.get("items")
}

/// The least and the greatest length of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Length {
    /// At least this; none where it is not said.
    pub least: Option<u64>,
    /// At most this.
    pub most: Option<u64>,
}

impl Length {
    /// The only length.
    pub fn exact(self) -> Option<u64> {
        self.least.filter(|_| self.least == self.most)
    }
}

fn length(schema: &Value, least: &str, most: &str) -> Length {
    let size = |key: &str| schema.get(key).and_then(Value::as_u64);
    Length {
        least: size(least),
        most: size(most),
    }
}

/// The number of items of an array.
pub fn item_count(schema: &Value) -> Length {
    length(schema, "minItems", "maxItems")
}

/// The number of characters of a text.
pub fn text_length(schema: &Value) -> Length {
    length(schema, "minLength", "maxLength")
}

/// The least number.
pub fn least(schema: &Value) -> Option<&Value> {
    schema.get("minimum")
}

/// The greatest number.
pub fn most(schema: &Value) -> Option<&Value> {
    schema.get("maximum")
}

/// The format of a number or a text, as schemas of Rust types name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format<'s> {
    /// `i8` to `u128`; a `usize` has 64 bits.
    Integer {
        /// True if it may be negative.
        signed: bool,
        /// The number of bits: 8, 16, 32, 64 or 128.
        bits: u8,
    },
    /// `f32`
    Float,
    /// `f64`
    Double,
    /// An IP address of any version.
    Ip,
    /// An IP address of version 4.
    Ipv4,
    /// An IP address of version 6.
    Ipv6,
    /// Another one.
    Other(&'s str),
}

const fn integer<'s>(signed: bool, bits: u8) -> Format<'s> {
    Format::Integer { signed, bits }
}

/// The format of a number or a text.
pub fn format(schema: &Value) -> Option<Format<'_>> {
    Some(match schema.get("format")?.as_str()? {
        "int8" => integer(true, 8),
        "int16" => integer(true, 16),
        "int32" => integer(true, 32),
        "int64" | "int" => integer(true, 64),
        "int128" => integer(true, 128),
        "uint8" => integer(false, 8),
        "uint16" => integer(false, 16),
        "uint32" => integer(false, 32),
        "uint64" | "uint" => integer(false, 64),
        "uint128" => integer(false, 128),
        "float" => Format::Float,
        "double" => Format::Double,
        "ip" => Format::Ip,
        "ipv4" => Format::Ipv4,
        "ipv6" => Format::Ipv6,
        other => Format::Other(other),
    })
}

/// Returns true for values that a schema takes for sure.
#[cfg(feature = "dynamic")]
pub(crate) type Certain = fn(&Value) -> bool;

/// The values that a schema takes for sure, where it says a JSON type, its range, and nothing more.
#[cfg(feature = "dynamic")]
pub(crate) fn certain(schema: &Value) -> Option<Certain> {
    let is_short = schema
        .as_object()?
        .keys()
        .all(|key| matches!(&**key, "type" | "format" | "minimum"));
    let is_plain = |ty: &str, form: Option<Format<'_>>, lowest: Option<u64>| {
        let least = least(schema).map(|least| least.as_u64());
        let is_range = least == lowest.map(Some) || least.is_none();
        is_of_type(schema, ty) && format(schema) == form && is_range
    };
    let all: [(bool, Certain); 5] = [
        (is_plain("number", Some(Format::Double), None), is_exact),
        (
            is_plain("integer", Some(integer(true, 64)), None),
            Value::is_i64,
        ),
        (
            is_plain("integer", Some(integer(false, 64)), Some(0)),
            Value::is_u64,
        ),
        (is_plain("boolean", None, None), Value::is_boolean),
        (is_plain("string", None, None), Value::is_string),
    ];
    let mut plain = all.into_iter().filter(|(is_it, _)| *is_it && is_short);
    plain.next().map(|(_, takes)| takes)
}

/// Returns true for a number that 64 bits of a float hold for sure.
#[cfg(feature = "dynamic")]
fn is_exact(value: &Value) -> bool {
    const MOST: u64 = 1 << f64::MANTISSA_DIGITS;
    value.is_f64()
        || value
            .as_i64()
            .is_some_and(|whole| whole.unsigned_abs() <= MOST)
}

/// The text that says what a value is; empty where there is none.
pub fn description(schema: &Value) -> &str {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default()
}

/// The name that people see.
pub fn title(schema: &Value) -> Option<&str> {
    schema.get("title")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[cfg(feature = "dynamic")]
    #[test]
    fn what_is_taken_for_sure_is_what_the_schema_takes() {
        let schemas = [
            json!({"type": "number", "format": "double"}),
            json!({"type": "number", "format": "float"}),
            json!({"type": "integer", "format": "int64"}),
            json!({"type": "integer", "format": "int64", "minimum": 1}),
            json!({"type": "integer", "format": "uint64", "minimum": 0}),
            json!({"type": "integer", "format": "uint64", "minimum": 5}),
            json!({"type": "integer", "format": "uint8", "minimum": 0}),
            json!({"type": "boolean"}),
            json!({"type": "string"}),
            json!({"type": "string", "format": "ipv4"}),
            json!({"type": "string", "pattern": "^a"}),
            json!({"type": ["string", "null"]}),
            json!(true),
        ];
        let values = [
            json!(0),
            json!(3),
            json!(-3),
            json!(2.5),
            json!(1e300),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(true),
            json!("a"),
            json!(null),
            json!([]),
            json!({}),
        ];
        let sure = schemas.iter().filter_map(certain).count();
        assert_eq!(sure, 5);
        for schema in &schemas {
            for value in &values {
                if certain(schema).is_some_and(|is_certain| is_certain(value)) {
                    let taken = crate::tree::check::decodes(&JsonMap::new(), schema, value);
                    assert!(taken.is_ok(), "{schema} {value}");
                }
            }
        }
    }

    #[test]
    fn reference_to_a_name_with_escapes_leads_to_its_definition() {
        for (name, written) in [
            ("Größe", "Gr%C3%B6%C3%9Fe"),
            ("a/ü~", "a~1%C3%BC~0"),
            ("50%", "50%"),
        ] {
            let defs = JsonMap::from([(name.to_owned(), json!({"type": "integer"}))]);
            let schema = json!({"$ref": format!("#/$defs/{written}")});
            assert_eq!(reference(&schema).as_deref(), Some(name));
            assert_eq!(target(&defs, &schema), defs.get(name));
        }
        let below = json!({"$ref": "#/$defs/A/properties/x"});
        assert_eq!(definition(&below), Some(("A".into(), "/properties/x")));
        assert_eq!(reference(&below), None);
    }
}
