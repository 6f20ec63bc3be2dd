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
fn schema_comparison_ignores_titles_descriptions_and_defaults() {
    let old = json!({"type": "string", "description": "Old.", "default": "x"});
    let new = json!({"type": "string", "title": "New"});
    assert_relation(&old, &new, Relation::Same);
}

#[test]
fn values_and_types_are_distinguished() {
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

/// With what a decoder says of it.
fn known(schema: &Value, known: Value) -> Value {
    let mut schema = schema.clone();
    schema["x-decoder"] = known;
    schema
}

#[test]
fn a_name_that_only_the_decoder_knows_is_lost_or_kept() {
    let plain = json!({"enum": ["calm", "furious"], "type": "string"});
    let told = json!({"oneOf": [{"const": "calm"}, {"const": "furious"}]});
    let held = json!({"oneOf": [{"const": "calm"}, {"type": "object", "required": ["furious"],
        "properties": {"furious": {"type": "integer"}}, "additionalProperties": false}]});
    for schema in [plain, told, held] {
        let of = |names: &[&str]| known(&schema, json!({ "names": names }));
        let (two, three) = (of(&["calm", "furious"]), of(&["calm", "angry", "furious"]));
        assert_relation(&three, &two, Relation::Narrower);
        assert_relation(&two, &three, Relation::Wider);
        assert_relation(&three, &three, Relation::Same);
    }
}

#[test]
fn a_variant_or_a_field_that_is_an_alias_now_is_still_taken() {
    let variant = |name: &str, ty: &str, names: &[&str]| {
        let of = json!({"type": "object", "required": [name], "additionalProperties": false,
            "properties": {name: {"type": ty}}});
        known(
            &json!({"oneOf": [{"const": "empty"}, of]}),
            json!({ "names": names }),
        )
    };
    let old = variant("box", "integer", &["empty", "box"]);
    let kept = ["empty", "box", "case"];
    assert_relation(&old, &variant("case", "integer", &kept), Relation::Wider);
    assert_relation(&old, &variant("case", "string", &kept), Relation::Other);
    assert_relation(
        &old,
        &variant("case", "integer", &["empty", "case"]),
        Relation::Other,
    );
    let field = |name: &str, names: &[&str]| {
        let of = json!({"type": "object", "required": [name], "properties": {name: {"type": "integer"}}});
        known(&of, json!({ "names": names }))
    };
    let old = field("x", &["x"]);
    assert_relation(&old, &field("left", &["left", "x"]), Relation::Wider);
    assert_relation(&old, &field("left", &["left"]), Relation::Other);
    assert_relation(&field("x", &["x", "left"]), &old, Relation::Narrower);
}

#[test]
fn a_variant_of_the_same_name_that_holds_nothing_takes_no_value() {
    let of = |empty: &str, held: &str| {
        let held_one = json!({"type": "object", "required": [held], "additionalProperties": false,
            "properties": {held: {"type": "integer"}}});
        let all = json!({"oneOf": [{"const": empty}, held_one]});
        known(&all, json!({"names": [empty, held]}))
    };
    assert_relation(&of("none", "box"), &of("box", "case"), Relation::Other);
}

#[test]
fn whole_numbers_of_128_bits_have_their_ranges() {
    let of = |format: &str| json!({"type": "integer", "format": format});
    assert_relation(&of("uint64"), &of("int128"), Relation::Wider);
    assert_relation(&of("uint64"), &of("uint128"), Relation::Wider);
    assert_relation(&of("int64"), &of("uint128"), Relation::Other);
    assert_relation(&of("int128"), &of("int128"), Relation::Same);
}

#[test]
fn what_only_the_decoder_refuses_narrows() {
    for (schema, flag) in [
        (json!({"type": "integer", "minimum": 1}), "minimum"),
        (json!({"type": "integer", "not": {"const": 0}}), "not"),
        (
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            "length",
        ),
        (json!({"type": "string"}), "more"),
    ] {
        let decided = known(&schema, json!({ flag: true }));
        assert_relation(&schema, &decided, Relation::Narrower);
        assert_relation(&decided, &schema, Relation::Wider);
        assert_relation(&decided, &decided, Relation::Same);
        // A flag says so when it is true, and no other way.
        assert_relation(
            &schema,
            &known(&schema, json!({ flag: false })),
            Relation::Same,
        );
    }
    let fields =
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let of = |more: &[&str], names: &[&str]| {
        let mut all = json!({ "names": names });
        more.iter().for_each(|flag| all[*flag] = true.into());
        known(&fields, all)
    };
    let (ab, ba) = (["a", "b"], ["b", "a"]);
    assert_relation(&of(&[], &ab), &of(&["closed"], &ab), Relation::Narrower);
    assert_relation(&of(&[], &ab), &of(&["places"], &ab), Relation::Wider);
    assert_relation(
        &of(&["places"], &ab),
        &of(&["places"], &ba),
        Relation::Other,
    );
    assert_relation(&of(&[], &ab), &of(&[], &ba), Relation::Same);
}

#[test]
fn names_of_variants_are_text_and_null_is_null() {
    let mood = known(
        &json!({"type": "string", "enum": ["calm"]}),
        json!({"names": ["calm", "quiet"]}),
    );
    let text = json!({"type": "string"});
    // `{"calm": null}` is a variant, and no text.
    assert_relation(&mood, &text, Relation::Other);
    let decided = known(&text, json!({"more": true}));
    assert_relation(&mood, &decided, Relation::Other);
    let optional = json!({"type": ["integer", "null"], "format": "uint8", "minimum": 0});
    assert_relation(&json!({"type": "null"}), &optional, Relation::Wider);
}

#[test]
fn unknown_schema_keywords_are_equal_or_incomparable() {
    let odd = |not: i32| json!({"type": "integer", "not": {"const": not}});
    assert_relation(&odd(1), &odd(1), Relation::Same);
    assert_relation(&odd(1), &odd(2), Relation::Other);
    assert_relation(&json!({"if": true}), &json!({"if": false}), Relation::Other);
    assert_relation(&json!(7), &json!("x"), Relation::Other);
}

#[test]
fn unknown_schema_keywords_may_refer_to_a_changed_definition() {
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
