//! Schemas that no Rust type has, and those that a hostile file may have.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Relation, Schema, differences, relation};
use crate::catalogue::JsonMap;

#[track_caller]
fn assert_relation(old: &Value, new: &Value, expect: Relation) {
    let defs = JsonMap::new();
    let schema = |value| Schema { value, defs: &defs };
    assert_eq!(relation(schema(old), schema(new)), expect);
}

#[test]
fn what_people_read_in_a_schema_counts_for_nothing() {
    let old = json!({"type": "string", "description": "Old.", "default": "x"});
    let new = json!({"type": "string", "title": "New"});
    assert_relation(&old, &new, Relation::Same);
}

#[test]
fn values_are_told_apart_from_types() {
    let whole = json!({"type": "integer", "format": "uint8"});
    for (value, expect) in [
        (json!(255), Relation::Wider),
        (json!(256), Relation::Other),
        (json!(-1), Relation::Other),
        (json!(1.5), Relation::Other),
        (json!("1"), Relation::Other),
        (json!(null), Relation::Other),
    ] {
        assert_relation(&json!({ "const": value }), &whole, expect);
    }
    let no_words = json!({"type": "string", "minLength": 1});
    assert_relation(&json!({"const": ""}), &no_words, Relation::Other);
    assert_relation(
        &json!({"const": "a"}),
        &json!({"type": "string"}),
        Relation::Wider,
    );
}

#[test]
fn maps_lists_and_tuples() {
    let map = |of: &str| json!({"type": "object", "additionalProperties": {"type": of}});
    assert_relation(&map("integer"), &map("number"), Relation::Wider);
    let list = |of: &str| json!({"type": "array", "items": {"type": of}});
    assert_relation(&list("number"), &list("integer"), Relation::Narrower);
    let pair = |of: &str| json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": of}], "minItems": 2, "maxItems": 2});
    assert_relation(&pair("integer"), &pair("number"), Relation::Wider);
    assert_relation(&pair("integer"), &pair("integer"), Relation::Same);
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let open = json!({"type": "object", "properties": {}});
    assert_relation(&closed, &open, Relation::Wider);
}

#[test]
fn what_is_not_understood_is_the_same_or_cannot_be_told() {
    let odd = |not: i32| json!({"type": "integer", "not": {"const": not}});
    assert_relation(&odd(1), &odd(1), Relation::Same);
    assert_relation(&odd(1), &odd(2), Relation::Other);
    assert_relation(&json!({"if": true}), &json!({"if": false}), Relation::Other);
    assert_relation(&json!(7), &json!("x"), Relation::Other);
}

#[test]
fn what_is_not_understood_may_refer_to_what_changed() {
    let schema = json!({"type": "object", "not": {"properties": {"a": {"$ref": "#/$defs/A"}}}});
    let defs = |ty: &str| JsonMap::from([("A".to_owned(), json!({ "type": ty }))]);
    let (old, new) = (defs("string"), defs("integer"));
    let with = |defs| Schema {
        value: &schema,
        defs,
    };
    assert_eq!(relation(with(&old), with(&new)), Relation::Other);
    assert_eq!(relation(with(&old), with(&old)), Relation::Same);
}

#[test]
fn a_schema_that_would_take_for_ever_is_given_up() {
    let begun = Instant::now();
    let mut defs = JsonMap::new();
    for n in 0..200 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        let both = json!({"anyOf": [next, next, {"type": "object", "properties": {"a": next, "b": next}}]});
        defs.insert(format!("d{n}"), both);
    }
    defs.insert("circle".to_owned(), json!({"$ref": "#/$defs/circle"}));
    let schema = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    let many = |from: i32| json!({"enum": (from..from + 50_000).collect::<Vec<_>>()});
    for (old, new) in [
        (schema("d0"), schema("d1")),
        (schema("circle"), schema("d3")),
        (schema("nowhere"), schema("circle")),
        (many(0), many(1)),
    ] {
        let [old, new] = [&old, &new].map(|value| Schema { value, defs: &defs });
        relation(old, new);
        differences(old, new);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
}
