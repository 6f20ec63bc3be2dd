//! Values that are taken, values that are refused, and the messages.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::json;

use super::*;

fn refused<T: DeserializeOwned + 'static>(value: Value) -> String {
    match decode::<T>(&value) {
        Ok(_) => panic!("{value} was taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_number_is_taken_whatever_its_spelling_if_it_fits_exactly() {
    assert_eq!(decode::<i32>(&json!(2.0)), Ok(2));
    assert_eq!(decode::<u64>(&json!(-0.0)), Ok(0));
    assert_eq!(decode::<f64>(&json!(7)), Ok(7.0));
    assert_eq!(decode::<f32>(&json!(0.1)), Ok(0.1));
    assert_eq!(decode::<u64>(&json!(u64::MAX)), Ok(u64::MAX));
    assert_eq!(decode::<i8>(&json!(-128)), Ok(-128));
    assert_eq!(decode::<f64>(&json!(1u64 << 60)), Ok((1u64 << 60) as f64));
    assert_eq!(decode::<Vec<u8>>(&json!([1.0, 2])), Ok(vec![1, 2]));
    assert_eq!(decode::<i128>(&json!(i64::MIN)), Ok(i64::MIN.into()));
    assert_eq!(decode::<u128>(&json!(5.0)), Ok(5));
}

#[test]
fn a_number_that_does_not_fit_is_refused() {
    assert_eq!(
        refused::<u8>(json!(256)),
        "expected an integer from 0 to 255, found 256"
    );
    assert_eq!(
        refused::<i32>(json!(2.5)),
        "expected an integer from -2147483648 to 2147483647, found 2.5"
    );
    assert!(refused::<u64>(json!(-1)).contains("found -1"));
    assert!(refused::<u64>(json!(18_446_744_073_709_551_616.0)).contains("an integer"));
    assert!(refused::<i64>(json!(1e300)).contains("an integer"));
    assert!(refused::<f64>(json!((1u64 << 53) + 1)).contains("a number that 64 bits hold"));
    assert!(refused::<f64>(json!(u64::MAX)).contains("a number"));
    assert!(refused::<f32>(json!(16_777_217)).contains("a number that 32 bits hold"));
    assert!(refused::<f32>(json!(1e300)).contains("32 bits"));
    assert!(refused::<u8>(json!("7")).contains("found \"7\""));
    assert!(refused::<f64>(Value::Null).contains("found null"));
    assert!(refused::<Vec<i8>>(json!([1, 300])).starts_with("at `[1]`: expected an integer"));
}

#[derive(Debug, PartialEq, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Point {
    x: f64,
    y: f64,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize, Clone)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Dot,
    Circle(f32),
    Box { wide: u8, high: u8 },
    Line(Point, Point),
}

#[test]
fn an_object_may_come_as_a_list_of_pairs() {
    let point = Point {
        x: 1.0,
        y: 2.0,
        name: None,
    };
    assert_eq!(decode(&json!({"x": 1, "y": 2})), Ok(point.clone()));
    assert_eq!(decode(&json!([["y", 2], ["x", 1]])), Ok(point.clone()));
    assert_eq!(decode(&json!([1, 2, null])), Ok(point));
    let map: HashMap<String, u8> = decode(&json!([["a", 1], ["b", 2]])).unwrap();
    assert_eq!(map["b"], 2);
    let by_number: BTreeMap<u32, bool> = decode(&json!([[7, true], ["8", false]])).unwrap();
    assert!(by_number[&7]);
    let by_text: BTreeMap<u32, bool> = decode(&json!({"7": true})).unwrap();
    assert!(by_text[&7]);
    assert_eq!(
        decode::<BTreeMap<String, u8>>(&json!([])),
        Ok(BTreeMap::new())
    );
    assert_eq!(
        decode::<Vec<(String, u8)>>(&json!([["a", 1]]))
            .unwrap()
            .len(),
        1
    );
    assert!(refused::<BTreeMap<String, u8>>(json!([["a", 1], ["a", 2]])).contains("given twice"));
    assert!(refused::<Point>(json!([["x", 1], ["z", 1]])).contains("no field `z`"));
    assert!(refused::<Point>(json!([])).contains("field `x` is missing"));
}

#[test]
fn an_enum_comes_by_its_serde_names() {
    assert_eq!(decode(&json!("dot")), Ok(Shape::Dot));
    assert_eq!(decode(&json!({"circle": 2})), Ok(Shape::Circle(2.0)));
    assert_eq!(decode(&json!([["circle", 2]])), Ok(Shape::Circle(2.0)));
    let boxed = Shape::Box { wide: 1, high: 2 };
    assert_eq!(
        decode(&json!({"box": {"wide": 1, "high": 2}})),
        Ok(boxed.clone())
    );
    assert_eq!(
        decode(&json!([["box", [["wide", 1], ["high", 2]]]])),
        Ok(boxed)
    );
    assert!(decode::<Shape>(&json!({"line": [[0, 0, null], [["x", 1], ["y", 1]]]})).is_ok());
}

#[test]
fn an_error_names_the_place_what_was_expected_and_what_was_found() {
    assert_eq!(
        refused::<Shape>(json!("crcle")),
        "there is no `crcle`; did you mean `circle`? expected one of `dot`, `circle`, `box`, \
         `line`, found \"crcle\""
    );
    assert_eq!(
        refused::<Shape>(json!("triangle")),
        "there is no `triangle`; expected one of `dot`, `circle`, `box`, `line`, found \"triangle\""
    );
    assert_eq!(
        refused::<Shape>(json!({"line": [{"x": 0, "y": 0}, {"x": "a", "y": 0}]})),
        "at `.line[1].x`: expected a number that 64 bits hold, found \"a\""
    );
    assert_eq!(
        refused::<Shape>(json!({"box": {"wide": 1}})),
        "at `.box`: field `high` is missing, found {\"wide\":1}"
    );
    assert!(refused::<Shape>(json!("circle")).contains("write `{\"circle\": …}`"));
    assert!(refused::<Shape>(json!({"dot": 1})).contains("`dot` alone"));
    assert!(refused::<Shape>(json!(3)).contains("expected one of `dot`"));
    assert!(refused::<Point>(json!("far")).contains("an object with the fields `x`, `y`, `name`"));
    assert!(refused::<Vec<u8>>(json!({})).starts_with("expected an array, found {}"));
    assert!(refused::<(u8, u8)>(json!([1])).contains("an array of 2 values"));
    assert!(refused::<[u8; 2]>(json!([1, 2, 3])).contains("an array of 2 values"));
    assert!(refused::<bool>(json!(1)).contains("`true` or `false`"));
    assert!(refused::<char>(json!("ab")).contains("a single character"));
    assert!(refused::<String>(json!(1)).contains("a string"));
    assert!(refused::<()>(json!(1)).contains("`null`"));
    assert!(refused::<HashMap<String, u8>>(json!(1)).contains("`[key, value]` pairs"));
    assert!(refused::<HashMap<u8, u8>>(json!({"x": 1})).contains("u8"));
}

#[test]
fn decode_error_cuts_a_long_value_to_one_line() {
    let long = refused::<u8>(json!(vec!["ü"; 1000]));
    assert!(long.len() < 160, "{long}");
    assert!(long.ends_with('…'), "{long}");
    assert!(!long.contains('\n'));
}

#[test]
fn encoding_a_number_that_is_not_finite_names_it() {
    assert!(
        encode(&f64::NAN)
            .unwrap_err()
            .to_string()
            .contains("NaN is not finite")
    );
    assert!(encode(&vec![Some(1.0), None, Some(f64::INFINITY)]).is_err());
    assert!(encode(&(f32::NAN, "a")).is_err());
    assert!(encode(&vec![Some(1.0), None]).is_ok());
    let map = BTreeMap::from([((1, 2), 3)]);
    assert!(
        encode(&map)
            .unwrap_err()
            .to_string()
            .contains("no JSON form")
    );
}
