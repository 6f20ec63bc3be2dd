//! Laws for all values: equality and order agree, and the order is one.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::number::Exact;
use super::{Comparison, equal, order};

/// Numbers of each form, many of them where the forms meet.
fn number() -> impl Strategy<Value = Value> {
    let edge = prop_oneof![
        Just(1_u64 << 53),
        Just(1 << 63),
        Just(u64::MAX - 3),
        Just(3)
    ];
    let near = (edge, 0..7_u64).prop_map(|(edge, more)| edge.wrapping_add(more).wrapping_sub(3));
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_map(Value::from)
            .prop_filter("finite", Value::is_number),
        near.clone().prop_map(Value::from),
        near.clone()
            .prop_map(|near| Value::from((near as i64).wrapping_neg())),
        (near, prop_oneof![Just(0.0), Just(0.5), Just(-0.5)])
            .prop_map(|(near, part)| Value::from(near as f64 + part)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-c]", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The same value with every number in the other form that is as exact, where there is one.
fn in_other_forms(value: &Value) -> Value {
    match value {
        Value::Number(number) => match Exact::of(number) {
            Exact::Whole(whole) if whole as f64 as i128 == whole => json!(whole as f64),
            Exact::Float(float) if float as i64 as f64 == float && float.abs() < 1e18 => {
                json!(float as i64)
            }
            Exact::Whole(_) | Exact::Float(_) => value.clone(),
        },
        Value::Array(items) => items.iter().map(in_other_forms).collect(),
        Value::Object(map) => {
            let map = map
                .iter()
                .map(|(key, value)| (key.clone(), in_other_forms(value)));
            Value::Object(map.collect())
        }
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn any_two_numbers_have_one_order(a in number(), b in number()) {
        let forth = order(&a, &b).unwrap();
        prop_assert_eq!(forth, order(&b, &a).unwrap().reverse());
        prop_assert_eq!(forth.is_eq(), equal(&a, &b));
    }

    #[test]
    fn the_order_of_numbers_is_passed_on(a in number(), b in number(), c in number()) {
        let mut sorted = [a, b, c];
        sorted.sort_by(|a, b| order(a, b).unwrap());
        prop_assert!(order(&sorted[0], &sorted[2]).unwrap().is_le());
        prop_assert!(order(&sorted[0], &sorted[1]).unwrap().is_le());
        prop_assert!(order(&sorted[1], &sorted[2]).unwrap().is_le());
    }

    #[test]
    fn a_value_equals_itself_in_every_form_of_its_numbers(a in value()) {
        prop_assert!(equal(&a, &a));
        prop_assert!(equal(&a, &in_other_forms(&a)));
        prop_assert!(equal(&in_other_forms(&a), &a));
    }

    #[test]
    fn the_six_comparisons_agree(a in value(), b in value()) {
        use Comparison::*;
        let is = |comparison: Comparison| comparison.holds(&a, &b);
        prop_assert_eq!(is(Equal), is(NotEqual).map(|differ| !differ));
        prop_assert_eq!(is(Less), is(GreaterOrEqual).map(|not| !not));
        prop_assert_eq!(is(Greater), is(LessOrEqual).map(|not| !not));
        prop_assert_eq!(equal(&a, &b), equal(&b, &a));
        if let Ok(less) = is(Less) {
            let sum = u8::from(less) + u8::from(is(Greater).unwrap()) + u8::from(is(Equal).unwrap());
            prop_assert_eq!(sum, 1, "exactly one of the three");
        }
    }
}
