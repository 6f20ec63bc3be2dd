//! Schemas of all kinds of types beside what decoding takes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroU8;
use std::time::Duration;

use proptest::prelude::*;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use crate::decode::decode;
use crate::tree::check::board::Forms;

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only decoded")]
struct Point {
    x: i32,
    #[serde(default)]
    y: Option<f32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "only decoded")]
enum Inside {
    A { x: u8 },
    B(Point),
    C,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "of", rename_all = "snake_case")]
#[allow(dead_code, reason = "only decoded")]
enum Beside {
    A { x: u8 },
    B(u8, bool),
    C,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only decoded")]
enum Untagged {
    Number(i16),
    Text(String),
    Point(Point),
    List(Vec<bool>),
    Nothing,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only decoded")]
struct Flat {
    a: bool,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only decoded")]
enum Tree {
    /// The end.
    Leaf,
    /// Some more.
    A(Box<Tree>),
    B(Vec<Tree>, Option<Box<Tree>>),
    C {
        x: Option<Box<Tree>>,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only decoded")]
struct Unit;

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only decoded")]
struct Newtype(Point);

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only decoded")]
struct Pair(u8, String);

/// The verdict on a value as a `T`: none, a doubt, an error.
fn judged<T: JsonSchema>(value: &Value) -> Verdict {
    let mut generator: SchemaGenerator = SchemaSettings::draft2020_12().into_generator();
    let schema = generator.subschema_for::<T>().to_value();
    let defs = generator.take_definitions(true).into_iter().collect();
    Judge::of(&defs).judge(&schema, value)
}

/// Checks that an accepted value is never refused.
fn sound<T: JsonSchema + DeserializeOwned + 'static>(value: &Value) {
    if let Verdict::Wrong(why) = judged::<T>(value) {
        let name = std::any::type_name::<T>();
        assert!(decode::<T>(value).is_err(), "{name}: {value}: {why}");
    }
}

macro_rules! all_sound {
    ($value:expr => $($ty:ty),* $(,)?) => {$( sound::<$ty>($value); )*};
}

fn all_sound(value: &Value) {
    all_sound!(value =>
        bool, i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize, f32, f64, char,
        String, (), Value, Option<i8>, Option<Option<bool>>, Vec<u8>, Vec<Option<String>>,
        (u8, String), (i32,), [f64; 3], [bool; 1], BTreeSet<u8>, HashMap<String, u8>,
        BTreeMap<u32, bool>, BTreeMap<String, Vec<u8>>, serde_json::Map<String, Value>,
        NonZeroU8, Duration, HashMap<u8, bool>, BTreeMap<i8, u8>, Box<Point>, Point, Inside, Beside, Untagged, Flat, Tree, Unit,
        Newtype, Pair, Vec<Point>, Option<Point>, Option<Tree>, Option<Inside>, Result<u8, String>,
        std::ops::Range<u8>, crate::compare::Comparison,
    );
}

fn value() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 16] = [
        "x", "y", "a", "b", "c", "kind", "of", "leaf", "7", "true", "", "more", "secs", "nanos",
        "Ok", "==",
    ];
    let word = proptest::sample::select(&WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        2 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::from),
        4 => (-2..4_i64).prop_map(Value::from),
        1 => proptest::sample::select(&[2.0, 0.5, 1e300, -0.0, 1e19, 300.0]).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        4 => word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let entry = (word.clone(), inner.clone());
        let entries = proptest::collection::vec(entry, 0..4).boxed();
        prop_oneof![
            2 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => entries.clone().prop_map(|all| Value::Object(all.into_iter().collect())),
            2 => entries.prop_map(|all| all.into_iter().map(|(key, of)| json!([key, of])).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn schema_check_never_refuses_a_value_that_decodes(value in value()) {
        all_sound(&value);
    }
}

/// A value that no type of that kind takes is refused, in the decoder's words.
#[track_caller]
fn refuses<T: JsonSchema + DeserializeOwned + std::fmt::Debug + 'static>(value: Value) {
    let wanted = decode::<T>(&value).unwrap_err().to_string();
    match judged::<T>(&value) {
        Verdict::Wrong(why) => assert_eq!(why.to_string(), wanted),
        other => panic!("{value}: {other:?}, but {wanted}"),
    }
}

#[test]
fn schema_check_refuses_in_the_words_of_the_decoder() {
    refuses::<bool>(json!(1));
    refuses::<i8>(json!(128));
    refuses::<u64>(json!(-1));
    refuses::<u64>(json!(18_446_744_073_709_551_616.0));
    refuses::<usize>(json!(0.5));
    refuses::<isize>(json!("1"));
    refuses::<i128>(json!(0.5));
    refuses::<u128>(json!(-1));
    refuses::<f32>(json!(16_777_217));
    refuses::<f64>(json!((1_u64 << 53) + 1));
    refuses::<String>(json!(null));
    refuses::<()>(json!(1));
    refuses::<Vec<u8>>(json!({}));
    refuses::<Vec<u8>>(json!([1, 300]));
    refuses::<Option<Vec<Option<u8>>>>(json!([null, "x"]));
    refuses::<(u8, String)>(json!([1]));
    refuses::<(u8, String)>(json!([1, 2]));
    refuses::<HashMap<String, u8>>(json!(1));
    refuses::<HashMap<String, u8>>(json!([1]));
    refuses::<HashMap<String, u8>>(json!([["a", 1], ["a", 2]]));
    refuses::<HashMap<String, u8>>(json!([["a", 1], ["b", "x"]]));
    refuses::<BTreeMap<String, Vec<u8>>>(json!({"a": [0], "b": [-1]}));
    refuses::<Point>(json!("far"));
    refuses::<Point>(json!({"x": true}));
    refuses::<Point>(json!({"y": 1}));
    refuses::<Point>(json!({}));
    refuses::<Point>(json!([["x", 1], ["y", "2"]]));
    refuses::<Newtype>(json!({"x": 1, "y": "2"}));
    refuses::<Tree>(json!({"c": {"x": {"a": 7}}}));
    refuses::<Tree>(json!({"b": [["leaf", "leaf", 1], null]}));
    refuses::<Tree>(json!([["a", {"c": 1}]]));
}

#[test]
fn schema_check_doubts_what_the_schema_leaves_open() {
    let doubts = |verdict| matches!(verdict, Verdict::Doubtful(_));
    // A length that is only described, a name that may be an alias.
    assert!(doubts(judged::<[f64; 3]>(&json!([1, 2]))));
    assert!(doubts(judged::<char>(&json!("ab"))));
    assert!(doubts(judged::<Tree>(&json!("leav"))));
    assert!(doubts(judged::<Tree>(&json!({"d": 1}))));
    assert!(doubts(judged::<Tree>(&json!([1, 2]))));
    assert!(doubts(judged::<Point>(&json!({"z": 1}))));
}

#[test]
fn a_schema_that_means_harm_takes_everything() {
    let rings = [
        json!({"A": {"$ref": "#/$defs/A"}}),
        json!({"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}}),
        json!({"A": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}}),
    ];
    for ring in rings {
        let defs: JsonMap = serde_json::from_value(ring).unwrap();
        let schema = json!({"$ref": "#/$defs/A"});
        assert!(matches!(
            Judge::of(&defs).judge(&schema, &json!(1)),
            Verdict::Fits
        ));
        assert_eq!(forms(&defs, &schema), Forms::ALL);
    }
    let strange = [
        json!(true),
        json!(7),
        json!(null),
        json!({"$ref": 7}),
        json!({"$ref": "#/$defs/None"}),
        json!({"type": "date"}),
        json!({"type": [7]}),
        json!({"type": 7}),
        json!({"not": {}}),
        json!({"enum": 7}),
        json!({"oneOf": 7}),
        json!({"items": 7, "type": "array"}),
        json!({"minimum": 7, "pattern": "x"}),
    ];
    for schema in strange {
        let verdict = Judge::of(&JsonMap::new()).judge(&schema, &json!([1]));
        assert!(matches!(verdict, Verdict::Fits), "{schema}");
    }
}

#[test]
fn the_kinds_of_values_that_a_type_has_are_never_too_few() {
    fn of<T: JsonSchema>() -> Forms {
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        let schema = generator.subschema_for::<T>().to_value();
        forms(
            &generator.take_definitions(true).into_iter().collect(),
            &schema,
        )
    }
    assert_eq!(of::<u8>(), Forms::NUMBER);
    assert_eq!(of::<Option<f64>>(), Forms::NUMBER.or(Forms::NULL));
    assert_eq!(of::<String>(), Forms::TEXT);
    assert_eq!(of::<bool>(), Forms::BOOL);
    assert_eq!(of::<Vec<u8>>(), Forms::ARRAY);
    assert_eq!(of::<(u8, u8)>(), Forms::ARRAY);
    assert_eq!(of::<Point>(), Forms::OBJECT);
    assert_eq!(of::<Option<Point>>(), Forms::OBJECT.or(Forms::NULL));
    assert_eq!(of::<Tree>(), Forms::OBJECT.or(Forms::TEXT));
    assert_eq!(
        of::<crate::compare::Comparison>(),
        Forms::OBJECT.or(Forms::TEXT)
    );
    assert_eq!(of::<Value>(), Forms::ALL);
    assert_eq!(of::<()>(), Forms::NULL);
}

#[test]
fn a_flag_that_is_false_decides_nothing() {
    let defs = JsonMap::new();
    let of = |is: bool| {
        let schema = json!({"type": "integer", "minimum": 1, "x-decoder": {"minimum": is}});
        Judge::of(&defs).judge(&schema, &json!(0))
    };
    assert!(matches!(of(true), Verdict::Wrong(_)));
    assert!(matches!(of(false), Verdict::Doubtful(_)));
}

#[test]
fn keys_of_pairs_may_be_numbers() {
    for value in [json!([[-2, 0]]), json!([["-2", 0], [3, 1]])] {
        sound::<BTreeMap<i8, u8>>(&value);
        assert!(decode::<BTreeMap<i8, u8>>(&value).is_ok());
    }
}

#[test]
fn keys_that_are_numbers_fit_as_far_as_every_size_has_them() {
    let of = |value: Value| judged::<HashMap<u8, String>>(&value);
    assert!(matches!(of(json!({"1": "a", "255": "b"})), Verdict::Fits));
    assert!(matches!(of(json!({"256": "a"})), Verdict::Doubtful(_)));
    assert!(matches!(of(json!({"01": "a"})), Verdict::Doubtful(_)));
    assert!(matches!(of(json!({"x": "a"})), Verdict::Doubtful(_)));
    assert!(matches!(of(json!({"1": 7})), Verdict::Wrong(_)));
    let signed = |key: &str| judged::<BTreeMap<i8, u8>>(&json!({ key: 1 }));
    assert!(matches!(signed("-128"), Verdict::Fits));
    assert!(matches!(signed("128"), Verdict::Doubtful(_)));
}

/// By names, as pairs, and by position.
const LONGEST: [&str; 3] = [
    r#"{"secs": 18446744073709551615, "nanos": 1000000000}"#,
    r#"[["secs", 18446744073709551615], ["nanos", 1000000000]]"#,
    "[18446744073709551615, 1000000000]",
];

#[test]
fn a_duration_that_overflows_is_in_doubt_until_the_decoder_was_asked() {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = Duration::json_schema(&mut generator).to_value();
    let judge = |schema: &Value, text: &str| {
        let value = serde_json::from_str(text).unwrap();
        assert!(decode::<Duration>(&value).is_err(), "{text}");
        Judge::of(&JsonMap::new()).judge(schema, &value)
    };
    for text in LONGEST {
        assert!(
            matches!(judge(&schema, text), Verdict::Doubtful(_)),
            "{text}"
        );
    }
    schema["x-decoder"] = json!({"names": ["secs", "nanos"], "places": true, "overflow": true});
    for text in LONGEST {
        assert!(matches!(judge(&schema, text), Verdict::Wrong(_)), "{text}");
    }
}

#[test]
fn what_is_no_address_is_in_doubt_until_the_decoder_was_asked() {
    for (format, right, wrong) in [
        ("ip", ["10.0.0.1", "::1"], ["300.1.1.1", "a"]),
        ("ipv4", ["10.0.0.1", "0.0.0.0"], ["::1", ""]),
        ("ipv6", ["::1", "::ffff:10.0.0.1"], ["10.0.0.1", "::g"]),
    ] {
        let open = json!({"type": "string", "format": format});
        let mut known = open.clone();
        known["x-decoder"] = json!({"format": true});
        let judge =
            |schema: &Value, text: &str| Judge::of(&JsonMap::new()).judge(schema, &text.into());
        for text in right {
            assert!(matches!(judge(&known, text), Verdict::Fits), "{text}");
        }
        for text in wrong {
            assert!(matches!(judge(&open, text), Verdict::Doubtful(_)), "{text}");
            assert!(matches!(judge(&known, text), Verdict::Wrong(_)), "{text}");
        }
    }
}

#[test]
fn an_integer_with_a_point_is_in_doubt_inside_of_what_serde_may_buffer() {
    let content = json!({"t": "One", "c": 1.0});
    assert!(decode::<Adjacent>(&content).is_err());
    assert!(matches!(judged::<Adjacent>(&content), Verdict::Doubtful(_)));
    assert!(matches!(
        judged::<Adjacent>(&json!({"t": "One", "c": 1})),
        Verdict::Fits
    ));
    assert!(matches!(judged::<u8>(&json!(1.0)), Verdict::Fits));
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code, reason = "only decoded")]
enum Adjacent {
    One(u8),
}
