//! A value written as JSON and read again is equal, whatever its spelling: all types of arguments.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::time::Duration;

use bt_core::call::{decode, to_json};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Written and read, the value is the same; and written again, its JSON is. So it is as lists of
/// pairs.
fn same<T>(value: &T) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
{
    same_as(value, |json| json.clone())?;
    same_as(value, as_pairs)
}

fn same_as<T>(value: &T, spell: impl Fn(&Value) -> Value) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
{
    let json = to_json(value).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let spelt = spell(&json);
    let read = decode::<T>(&spelt);
    let read = read.map_err(|error| TestCaseError::fail(format!("{spelt}: {error}")))?;
    prop_assert_eq!(&read, value, "{}", spelt);
    prop_assert_eq!(to_json(&read).unwrap(), json.clone());
    // Inside others it is the same.
    let inside = json!({"inside": [json, null]});
    let read = decode::<HashMap<String, Vec<Option<T>>>>(&inside);
    let read = read.map_err(|error| TestCaseError::fail(format!("{inside}: {error}")))?;
    let inside = read["inside"].first().and_then(Option::as_ref);
    if !json.is_null() {
        prop_assert_eq!(inside, Some(value));
    }
    Ok(())
}

/// All objects as arrays of `[key, value]` pairs.
fn as_pairs(json: &Value) -> Value {
    match json {
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| json!([key, as_pairs(value)]));
            pairs.collect()
        }
        Value::Array(items) => items.iter().map(as_pairs).collect(),
        other => other.clone(),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Metres(f64);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pair(i32, String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    far_away: bool,
    #[serde(rename = "Name")]
    name: String,
    way: Vec<(f32, f32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<Box<Place>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mood {
    Calm,
    VeryAngry,
    #[serde(rename = "名前")]
    Named,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    Circle(f64),
    #[serde(rename = "line")]
    Line(i32, String),
    Rect {
        #[serde(rename = "W")]
        w: u8,
        h: Option<Mood>,
    },
    Nested(Box<Shape>),
    Group(Vec<Shape>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    id: u64,
    moods: BTreeMap<Mood, Vec<u8>>,
    shape: Shape,
}

/// Serde itself reads what these hold, and knows no lists of pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Inside {
    Nothing,
    Place { x: i8, text: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    List(Vec<Either>),
    Place { x: i8 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of")]
enum Beside {
    Nothing,
    Number(u64),
    Place { x: i8, y: i8 },
}

fn mood() -> impl Strategy<Value = Mood> {
    prop_oneof![Just(Mood::Calm), Just(Mood::VeryAngry), Just(Mood::Named)]
}

fn text() -> impl Strategy<Value = String> {
    "(.|\n|\u{0}|名){0,8}"
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |float| float.is_finite())
}

fn narrow() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |float| float.is_finite())
}

fn place() -> impl Strategy<Value = Place> {
    let way = prop::collection::vec((narrow(), narrow()), 0..3);
    let one = (any::<bool>(), text(), way).prop_map(|(far_away, name, way)| Place {
        far_away,
        name,
        way,
        next: None,
    });
    prop::collection::vec(one, 1..4).prop_map(|places| {
        let chain = places.into_iter().reduce(|next, mut place| {
            place.next = Some(Box::new(next));
            place
        });
        chain.expect("one at least")
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    let one = prop_oneof![
        Just(Shape::Dot),
        finite().prop_map(Shape::Circle),
        (any::<i32>(), text()).prop_map(|(at, name)| Shape::Line(at, name)),
        (any::<u8>(), prop::option::of(mood())).prop_map(|(w, h)| Shape::Rect { w, h }),
    ];
    one.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|shape| Shape::Nested(Box::new(shape))),
            prop::collection::vec(inner, 0..3).prop_map(Shape::Group),
        ]
    })
}

fn beside() -> impl Strategy<Value = Beside> {
    prop_oneof![
        Just(Beside::Nothing),
        any::<u64>().prop_map(Beside::Number),
        any::<(i8, i8)>().prop_map(|(x, y)| Beside::Place { x, y }),
    ]
}

fn strict() -> impl Strategy<Value = Strict> {
    let moods = prop::collection::btree_map(mood(), any::<Vec<u8>>(), 0..3);
    (any::<u64>(), moods, shape()).prop_map(|(id, moods, shape)| Strict { id, moods, shape })
}

/// The integer that a number is, if it is one: of floats those that 64 bits have room for.
fn integer(json: &Value) -> Option<i128> {
    let number = json.as_number()?;
    number.as_i128().or_else(|| {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() <= 18_446_744_073_709_551_616.0)
            .then_some(float as i128)
    })
}

/// A number is read as an integer exactly where it is one of that type's.
fn as_integers(json: &Value) -> Result<(), TestCaseError> {
    macro_rules! read {
        ($($ty:ty),*) => {$({
            let expect = integer(json).and_then(|integer| <$ty>::try_from(integer).ok());
            let read = decode::<$ty>(json);
            prop_assert_eq!(read.as_ref().ok(), expect.as_ref(), "{} {}", stringify!($ty), json);
            let read = decode::<Vec<Option<$ty>>>(&json!([json]));
            prop_assert_eq!(read.ok(), expect.map(|it| vec![Some(it)]), "{} {}", stringify!($ty), json);
        })*};
    }
    read!(
        u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, u128, i128
    );
    Ok(())
}

/// The float that a number is, if one of 64 bits is that number.
fn wide(json: &Value) -> Option<f64> {
    let number = json.as_number()?;
    match number.as_i128() {
        Some(integer) => {
            let float = integer as f64;
            (float as i128 == integer).then_some(float)
        }
        None => number.as_f64(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn integers_of_all_widths(
        small in any::<(u8, i8, u16, i16)>(),
        middle in any::<(u32, i32)>(),
        big in any::<(u64, i64, usize, isize)>(),
    ) {
        same(&small)?;
        same(&middle)?;
        same(&big)?;
        same(&small.0)?;
        same(&small.1)?;
        same(&small.2)?;
        same(&small.3)?;
        same(&middle.0)?;
        same(&middle.1)?;
        same(&big.0)?;
        same(&big.1)?;
        same(&big.2)?;
        same(&big.3)?;
        same(&u128::from(big.0))?;
        same(&i128::from(big.1))?;
    }

    #[test]
    fn finite_floats(float in finite(), short in narrow()) {
        same(&float)?;
        same(&short)?;
        let sign = |json: &Value| decode::<f64>(json).unwrap().is_sign_negative();
        prop_assert_eq!(sign(&json!(float)), float.is_sign_negative());
    }

    #[test]
    fn bools_characters_and_text(truth: bool, letter: char, text in text(), any: String) {
        same(&truth)?;
        same(&letter)?;
        same(&text)?;
        same(&any)?;
    }

    #[test]
    fn optional_arguments_round_trip(number: Option<u32>, text in prop::option::of(text()), place in prop::option::of(place())) {
        same(&number)?;
        same(&text)?;
        same(&place)?;
    }

    #[test]
    fn lists_and_tuples(
        list: Vec<i64>,
        nested in prop::collection::vec(prop::collection::vec(text(), 0..3), 0..3),
        set in prop::collection::btree_set(text(), 0..4),
        array: [u8; 3],
        tuple in (any::<bool>(), text(), (finite(), any::<Option<char>>())),
    ) {
        same(&list)?;
        same(&nested)?;
        same(&set)?;
        same(&array)?;
        same(&tuple)?;
        same(&(array[0],))?;
        same(&list.iter().copied().collect::<BTreeSet<i64>>())?;
    }

    #[test]
    fn maps_by_text_and_by_number(
        by_text in prop::collection::btree_map(text(), any::<Option<i32>>(), 0..4),
        by_number in prop::collection::btree_map(any::<i64>(), text(), 0..4),
        by_big in prop::collection::hash_map(any::<u64>(), any::<bool>(), 0..4),
        by_small in prop::collection::hash_map(any::<u8>(), any::<(u8, i8)>(), 0..4),
        by_truth in prop::collection::btree_map(any::<bool>(), any::<i8>(), 0..2),
        by_letter in prop::collection::btree_map(any::<char>(), any::<i8>(), 0..4),
        by_mood in prop::collection::btree_map(mood(), place(), 0..3),
    ) {
        same(&by_text)?;
        same(&by_text.clone().into_iter().collect::<HashMap<_, _>>())?;
        same(&by_number)?;
        same(&by_big)?;
        same(&by_small)?;
        same(&by_truth)?;
        same(&by_letter)?;
        same(&by_mood)?;
        // Keys of a list of pairs may be numbers.
        let pairs: Value = by_number.iter().map(|(key, value)| json!([key, value])).collect();
        prop_assert_eq!(decode::<BTreeMap<i64, String>>(&pairs), Ok(by_number));
    }

    #[test]
    fn structs(number in finite(), pair in (any::<i32>(), text()), place in place(), strict in strict()) {
        same(&Unit)?;
        same(&Metres(number))?;
        same(&Pair(pair.0, pair.1))?;
        same(&place)?;
        same(&strict)?;
        same(&vec![strict.clone(), strict])?;
    }

    #[test]
    fn enums_of_all_shapes(mood in mood(), shape in shape(), beside in beside()) {
        same(&mood)?;
        same(&shape)?;
        same(&BTreeMap::from([(mood, (shape, Some(mood)))]))?;
        same_as(&beside, |json| json.clone())?;
    }

    #[test]
    fn enums_that_serde_reads_itself(x: i8, number: i64, text in text()) {
        let place = Either::Place { x };
        let list = Either::List(vec![Either::Number(number), Either::Text(text.clone()), place]);
        same_as(&list, |json| json.clone())?;
        same_as(&Inside::Nothing, |json| json.clone())?;
        same_as(&Inside::Place { x, text }, |json| json.clone())?;
    }

    #[test]
    fn times(seconds: u64, nanos in 0..1_000_000_000_u32) {
        same(&Duration::new(seconds, nanos))?;
    }

    #[test]
    fn an_integer_may_be_spelt_as_a_float(small: i32, big: i64, huge: u64, float in finite()) {
        let floats = [f64::from(small), big as f64, huge as f64, float, float.trunc(), small as f64 + 0.5];
        let floats = floats.map(Value::from);
        let integers = [Value::from(small), Value::from(big), Value::from(huge)];
        for json in floats.iter().chain(&integers) {
            as_integers(json)?;
        }
    }

    #[test]
    fn a_float_holds_what_it_is_given_or_refuses_it(small: i32, big: i64, huge: u64, float in finite()) {
        let numbers = [json!(small), json!(big), json!(huge), json!(float), json!(big >> 8 << 8), json!(huge >> 11 << 11)];
        for json in numbers {
            prop_assert_eq!(decode::<f64>(&json).ok(), wide(&json), "{}", json);
            let inside = decode::<(f64,)>(&json!([json]));
            prop_assert_eq!(inside.ok(), wide(&json).map(|float| (float,)), "{}", json);
            // An integer is exact; a fraction is the nearest one.
            let narrow = wide(&json).map(|wide| wide as f32).filter(|narrow| narrow.is_finite());
            let expect = narrow.filter(|narrow| json.is_f64() || integer(&json) == Some(*narrow as i128));
            prop_assert_eq!(decode::<f32>(&json).ok(), expect, "{}", json);
            prop_assert_eq!(decode::<(f32,)>(&json!([json])).ok(), expect.map(|float| (float,)), "{}", json);
        }
    }

    #[test]
    fn a_number_written_to_a_file_is_read_as_it_was(float in finite(), big: i64, huge: u64) {
        let numbers = [json!(float), json!(big), json!(huge)];
        for json in numbers {
            let read: Value = serde_json::from_str(&json.to_string()).unwrap();
            prop_assert_eq!(&read, &json);
        }
    }
}

#[test]
fn the_ends_of_integers_are_read() {
    same(&[u64::MAX, u64::MIN]).unwrap();
    same(&[i64::MAX, i64::MIN]).unwrap();
    same(&[i8::MAX, i8::MIN]).unwrap();
    for json in [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(18_446_744_073_709_551_615_f64),
        json!(9_223_372_036_854_775_807_f64),
        json!(-9_223_372_036_854_775_808_f64),
        json!(-9_223_372_036_854_777_856_f64),
        json!(-0.0),
        json!(1e300),
        json!(0.1),
    ] {
        as_integers(&json).unwrap();
    }
    // 2^64 as a float is one too many, 2^63 is a `u64`.
    assert!(decode::<u64>(&json!(18_446_744_073_709_551_615_f64)).is_err());
    assert_eq!(
        decode::<u64>(&json!(9_223_372_036_854_775_808_f64)),
        Ok(1 << 63)
    );
    assert_eq!(
        decode::<i64>(&json!(-9_223_372_036_854_775_808_f64)),
        Ok(i64::MIN)
    );
}

#[test]
fn a_float_of_64_bits_counts_to_two_to_the_53rd() {
    let most = 1_i64 << 53;
    for sign in [1, -1] {
        assert_eq!(
            decode::<f64>(&json!(sign * (most - 1))),
            Ok((sign * (most - 1)) as f64)
        );
        assert_eq!(decode::<f64>(&json!(sign * most)), Ok((sign * most) as f64));
        assert!(decode::<f64>(&json!(sign * (most + 1))).is_err());
        assert_eq!(
            decode::<f64>(&json!(sign * (most + 2))),
            Ok((sign * (most + 2)) as f64)
        );
        let narrow = 1_i64 << 24;
        assert_eq!(
            decode::<f32>(&json!(sign * narrow)),
            Ok((sign * narrow) as f32)
        );
        assert!(decode::<f32>(&json!(sign * (narrow + 1))).is_err());
    }
    assert!(decode::<f32>(&json!(1e300)).is_err());
}

#[test]
fn an_integer_is_exact_and_what_is_spelt_as_a_float_is_rounded() {
    for (number, exact) in [
        (1_i64 << 24, true),
        ((1 << 24) + 1, false),
        ((1 << 24) + 2, true),
    ] {
        assert_eq!(decode::<f32>(&json!(number)).is_ok(), exact, "{number}");
        // `1e30` is no integer that anybody counts to: it is the nearest that there is.
        let near = decode::<f32>(&json!(number as f64)).ok();
        assert_eq!(near, Some(number as f32), "{number}");
    }
    assert_eq!(decode::<f32>(&json!(1e30)).ok(), Some(1e30));
}

#[test]
fn values_without_a_json_form_are_refused() {
    assert!(to_json(&f64::NAN).is_err());
    assert!(to_json(&f32::INFINITY).is_err());
    assert!(to_json(&(None::<u8>, Some(f64::NEG_INFINITY))).is_err());
    assert!(to_json(&BTreeMap::from([((1, 2), 3)])).is_err());
    assert!(to_json(&vec![Shape::Circle(f64::NAN)]).is_err());
}
