//! An agent with an argument of every kind.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::num::{NonZeroI16, NonZeroU8};
use std::time::Duration;

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mood {
    Calm,
    #[serde(alias = "angry", alias = "cross")]
    Furious,
}

/// Described variants are spelt otherwise in a schema.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Told {
    /// The first.
    #[serde(alias = "1st")]
    First,
    /// The second.
    Second,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) enum Inline {
    Here,
    #[serde(alias = "over_there")]
    There,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Shape {
    Point,
    Circle(f64),
    #[serde(alias = "Box")]
    Rectangle(u8, i8),
    Named {
        name: String,
        #[serde(default)]
        size: u16,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Tagged {
    Empty,
    #[serde(alias = "full")]
    Filled {
        with: u8,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    One(u8),
    Two,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(u32),
    Text(String),
    Spot(Spot),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Spot {
    y: f64,
    #[serde(alias = "left")]
    x: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strict {
    mood: Mood,
    #[serde(default)]
    spot: Option<Spot>,
    way: Vec<Spot>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Flat {
    a: u8,
    #[serde(flatten)]
    spot: Spot,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Nested {
    inner: Option<Box<Nested>>,
    moods: [Mood; 2],
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Meters(f64);

/// A text to the schema, and more than that to the decoder.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct Even(String);

impl TryFrom<String> for Even {
    type Error = String;
    fn try_from(text: String) -> Result<Even, String> {
        match text.len() % 2 {
            0 => Ok(Even(text)),
            _ => Err(format!("`{text}` is odd")),
        }
    }
}

/// A number to the schema, of which the decoder refuses the first that comes to mind.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
#[schemars(with = "u8")]
pub(crate) struct Percent(u8);

impl TryFrom<u8> for Percent {
    type Error = String;
    fn try_from(number: u8) -> Result<Percent, String> {
        match number {
            1..=100 => Ok(Percent(number)),
            _ => Err(format!("{number} is no percentage")),
        }
    }
}

/// Known from inside of [`Mixed`] alone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Plain {
    label: String,
    weight: f64,
}

/// Decodes where several numbers are right at once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Mixed {
    from: Percent,
    inner: Plain,
    to: Percent,
}

#[derive(Debug, Agent)]
#[agent(name = "every")]
pub(crate) struct Every;

macro_rules! takes {
    ($($name:ident: $ty:ty = $sample:expr,)*) => {
        #[agent]
        impl Every {
            $(#[action]
            fn $name(_x: $ty) {})*

            #[action]
            fn several(_a: u8, _mood: Mood, #[arg(default = 2.5, min = 0.0, max = 9.0)] _far: f64, _last: Option<Spot>) {}
            #[action]
            fn writes(_a: &mut i32, #[arg(out)] _b: &mut String) {}
            #[condition]
            fn asks(_x: NonZeroU8, _y: &str) -> bool { true }
            #[action]
            fn chosen(#[arg(choices = ["walk", "run"])] _how: &str, #[arg(choices = [Mood::Furious])] _mood: Mood) {}
            #[action]
            fn chosen_inline(#[arg(choices = [Inline::There])] _a: Inline, #[arg(choices = ["a", "b"])] _b: Option<String>, #[arg(choices = [Some(Mood::Calm)])] _c: Option<Mood>) {}
            #[action]
            fn bounded(#[arg(min = 1, max = 8)] _a: Option<u8>, #[arg(min = -3, max = 3, choices = [-3, 0, 3])] _b: i8) {}
        }

        /// Each with a value that it takes.
        pub(crate) fn samples() -> Vec<(&'static str, Value)> {
            vec![$((stringify!($name), $sample),)*]
        }
    };
}

takes! {
    t_bool: bool = json!(true),
    t_u8: u8 = json!(7),
    t_i8: i8 = json!(-7),
    t_u16: u16 = json!(700),
    t_i16: i16 = json!(-700),
    t_u32: u32 = json!(70_000),
    t_i32: i32 = json!(-70_000),
    t_u64: u64 = json!(u64::MAX),
    t_i64: i64 = json!(i64::MIN),
    t_u128: u128 = json!(5),
    t_i128: i128 = json!(-5),
    t_usize: usize = json!(5),
    t_isize: isize = json!(-5),
    t_f32: f32 = json!(0.5),
    t_f64: f64 = json!(0.1),
    t_char: char = json!("x"),
    t_string: String = json!("text"),
    t_str: &str = json!("text"),
    t_list: &[u8] = json!([1, 2]),
    t_vec: Vec<i16> = json!([1, -2]),
    t_array: [u8; 3] = json!([1, 2, 3]),
    t_tuple: (u8, String, bool) = json!([1, "b", true]),
    t_option: Option<u8> = json!(null),
    t_option_mood: Option<Mood> = json!("calm"),
    t_map: BTreeMap<String, u8> = json!({"a": 1}),
    t_numbered: HashMap<u8, String> = json!({"1": "a"}),
    t_moods: BTreeMap<String, Mood> = json!({"a": "angry"}),
    t_value: Value = json!({"any": [1, null]}),
    t_any: &Value = json!([1]),
    t_object: serde_json::Map<String, Value> = json!({"a": 1}),
    t_unit: () = json!(null),
    t_non_zero: NonZeroU8 = json!(1),
    t_non_zero_signed: NonZeroI16 = json!(-1),
    t_ip: IpAddr = json!("10.0.0.1"),
    t_duration: Duration = json!({"secs": 1, "nanos": 5}),
    t_mood: Mood = json!("furious"),
    t_mood_ref: &Mood = json!("cross"),
    t_told: Told = json!("First"),
    t_inline: Inline = json!("There"),
    t_shape: Shape = json!({"Circle": 1.5}),
    t_shapes: Vec<Shape> = json!(["Point", {"Rectangle": [1, 2]}, {"Named": {"name": "a"}}]),
    t_tagged: Tagged = json!({"kind": "filled", "with": 5}),
    t_adjacent: Adjacent = json!({"t": "One", "c": 5}),
    t_untagged: Untagged = json!({"x": 1.0, "y": 2.0}),
    t_spot: Spot = json!({"x": 1.0, "y": 2.0}),
    t_spot_ref: &Spot = json!([1.0, 2.0]),
    t_strict: Strict = json!({"mood": "calm", "way": [{"x": 1, "y": 2}]}),
    t_flat: Flat = json!({"a": 1, "x": 1.0, "y": 2.0}),
    t_nested: Nested = json!({"inner": null, "moods": ["calm", "calm"]}),
    t_meters: Meters = json!(2.5),
    t_even: Even = json!("ab"),
    t_percent: Percent = json!(50),
    t_mixed: Mixed = json!({"from": 1, "inner": {"label": "a", "weight": 0.5}, "to": 100}),
}
