//! Any JSON, and what nearly fits.

use super::*;

/// The keys that are named, and those that hold something.
pub(super) const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "unset"];

/// Words that some argument or other takes.
const WORDS: [&str; 12] = [
    "x", "y", "target", "point", "route", "calm", "player", "warn", "==", "wolf", "", "名前",
];

/// Words in one line.
pub(super) fn short() -> BoxedStrategy<String> {
    prop_oneof![
        4 => select(&KEYS).prop_map(str::to_owned),
        4 => select(&WORDS).prop_map(str::to_owned),
        3 => "\\PC{0,12}",
    ]
    .boxed()
}

/// Text of any length, in any number of lines.
pub(super) fn text() -> BoxedStrategy<String> {
    prop_oneof![
        8 => short(),
        1 => "(.|\n|\r|\u{0}|\u{2028}){0,12}",
        1 => "[ \na-zß-ヿ]{900,1100}".prop_map(|text| text.repeat(5)),
    ]
    .boxed()
}

fn number() -> impl Strategy<Value = Value> {
    const EDGES: [f64; 12] = [
        0.0,
        -0.0,
        0.5,
        1.0,
        2.0,
        -1.0,
        5e-324,
        1e-9,
        9007199254740993.0,
        18446744073709551616.0,
        1e300,
        -1.7976931348623157e308,
    ];
    prop_oneof![
        4 => (-3..12_i32).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => select(&[i64::MIN, i64::MAX, 1 << 53, -1 << 31, 1 << 32]).prop_map(Value::from),
        1 => select(&[u64::MAX, 1 << 63]).prop_map(Value::from),
        3 => select(&EDGES).prop_map(Value::from),
        2 => (-100.0..100.0).prop_map(Value::from),
        1 => (-1e6..1e6_f64).prop_map(|float| float.round().into()),
        1 => proptest::num::f64::NORMAL.prop_map(Value::from),
    ]
}

fn json(text: BoxedStrategy<String>) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        4 => number(),
        3 => text.clone().prop_map(Value::from),
    ];
    let any = leaf.prop_recursive(4, 24, 5, move |inner| {
        let pairs = prop::collection::vec((text.clone(), inner.clone()), 0..4).boxed();
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            pairs
                .clone()
                .prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into()),
            pairs.prop_map(|pairs| json!(pairs)),
            (inner.clone(), inner).prop_map(|(x, y)| json!({"x": x, "y": y})),
        ]
    });
    prop_oneof![
        40 => any,
        1 => (1..100_usize).prop_map(|depth| (0..depth).fold(json!(1), |value, _| json!([value]))),
    ]
}

/// The values of one argument: those that a type may take, and one that it may not.
#[derive(Debug, Clone)]
pub(super) struct Pick {
    pub(super) any: Value,
    pub(super) number: Value,
    pub(super) integer: i64,
    pub(super) text: String,
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) is_any: bool,
}

fn pick(text: BoxedStrategy<String>) -> impl Strategy<Value = Pick> {
    let integer = prop_oneof![
        4 => -2..12_i64,
        1 => any::<i64>(),
        1 => select(&[i64::MIN, i64::MAX, u32::MAX as i64, i32::MAX as i64]),
    ];
    let parts = (
        json(text.clone()),
        number(),
        integer,
        text,
        0..64_usize,
        0..4_usize,
        0..6_u8,
    );
    parts.prop_map(|(any, number, integer, text, at, len, is_any)| Pick {
        any,
        number,
        integer,
        text,
        at,
        len,
        is_any: is_any == 0,
    })
}

pub(super) fn picks(text: BoxedStrategy<String>) -> impl Strategy<Value = Vec<Pick>> {
    prop::collection::vec(pick(text), 8)
}

impl Pick {
    /// A value that is not unlike what a schema says.
    pub(super) fn fit(&self, schema: &Value) -> Value {
        let registry = Registry::global().unwrap();
        if let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
        {
            return match registry.catalogue().defs.get(name) {
                Some(schema) => self.fit(schema),
                None => self.any.clone(),
            };
        }
        for list in ["enum", "anyOf", "oneOf"] {
            if let Some(list_of) = schema[list].as_array() {
                let one = &list_of[self.at % list_of.len()];
                return if list == "enum" {
                    one.clone()
                } else {
                    self.fit(one)
                };
            }
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        let types = &schema["type"];
        let ty = match types {
            Value::Array(types) => &types[self.at % types.len()],
            ty => ty,
        };
        match ty.as_str() {
            Some("boolean") => (self.at.is_multiple_of(2)).into(),
            Some("integer") if self.at.is_multiple_of(8) => self.number.clone(),
            Some("integer") => self.integer.into(),
            Some("number") => self.number.clone(),
            Some("string") if self.at.is_multiple_of(2) => KEYS[self.len].into(),
            Some("string") => self.text.clone().into(),
            Some("array") => (0..self.len).map(|_| self.fit(&schema["items"])).collect(),
            Some("object") => {
                let properties = schema["properties"].as_object();
                let fields = properties.into_iter().flatten();
                fields
                    .map(|(name, schema)| (name.clone(), self.fit(schema)))
                    .collect()
            }
            Some("null") => Value::Null,
            _ => self.any.clone(),
        }
    }

    pub(super) fn value(&self, entry: &ValueEntry) -> Value {
        match &entry.ty.choices {
            _ if self.is_any => self.any.clone(),
            _ if entry.ty.in_out.is_some() => KEYS[self.at % KEYS.len()].into(),
            Some(choices) if !self.at.is_multiple_of(8) => choices[self.at % choices.len()].clone(),
            _ => self.fit(&entry.ty.schema),
        }
    }
}

/// The arguments of a call in several ways: by position, by name, some left out, one too many, and
/// nothing that arguments could be.
pub(super) fn ways(entries: &[ValueEntry], picks: &[Pick]) -> Vec<Value> {
    let values = entries
        .iter()
        .zip(picks)
        .map(|(entry, pick)| pick.value(entry));
    let list: Vec<Value> = values.collect();
    let names = entries.iter().map(|entry| entry.name.clone());
    let named: Map<String, Value> = names.zip(list.iter().cloned()).collect();
    let mut more = list.clone();
    more.resize(entries.len() + 1 + picks[0].len, picks[1].any.clone());
    let mut other = named.clone();
    other.remove(&picks[2].text);
    other.insert(picks[3].text.clone(), picks[3].any.clone());
    let less = list[..picks[4].len.min(list.len())].to_vec();
    let all = entries.iter().map(|_| picks[5].any.clone()).collect();
    vec![
        list.into(),
        named.into(),
        more.into(),
        other.into(),
        less.into(),
        all,
        picks[6].any.clone(),
    ]
}
