//! Types, bounds, enums and structs, followed through what schemas refer to.

use serde_json::{Value, json};

use super::{assert_changes, changes_between, lines};
use crate::common::samples::{agent, arg, catalogue, method, with};

/// `go(a: …)`
fn taking(type_name: &str, more: Value) -> Vec<Value> {
    let a = with(arg("a", type_name), more);
    vec![agent(
        "guard",
        None,
        vec![method("action", "go", "Goes.", vec![a])],
    )]
}

fn number(type_name: &str) -> Vec<Value> {
    let schema = match type_name {
        "int32" | "int64" | "uint8" => json!({"type": "integer", "format": type_name}),
        "float" | "double" => json!({"type": "number", "format": type_name}),
        "bool" => json!({"type": "boolean"}),
        "optional<int32>" => json!({"type": ["integer", "null"], "format": "int32"}),
        "any_value" => json!({"description": "Anything."}),
        _ => json!({"type": "string"}),
    };
    taking(type_name, json!({"schema": schema}))
}

#[test]
fn a_type_that_takes_more_is_compatible_and_one_that_takes_less_is_not() {
    for (old, new, effect) in [
        ("int32", "int64", "fine"),
        ("int64", "int32", "breaking"),
        ("uint8", "int32", "fine"),
        ("int32", "uint8", "breaking"),
        ("int32", "double", "fine"),
        // Not every one of its values is a double.
        ("int64", "double", "breaking"),
        ("int32", "float", "breaking"),
        ("float", "double", "fine"),
        ("double", "float", "breaking"),
        ("double", "int32", "breaking"),
        ("int32", "optional<int32>", "fine"),
        ("optional<int32>", "int32", "breaking"),
        ("string", "any_value", "fine"),
        ("any_value", "string", "breaking"),
        ("string", "bool", "breaking"),
    ] {
        let expect =
            format!("{effect}: guard: argument `a` of action `go` was `{old}`, is `{new}`");
        let found = lines(&changes_between(
            &catalogue(number(old)),
            &catalogue(number(new)),
        ));
        let found: Vec<_> = found
            .iter()
            .map(|line| line.split(": `null`").next().unwrap())
            .collect();
        assert_eq!(found, [expect]);
    }
}

#[test]
fn a_bound_that_is_tighter_is_breaking_and_one_that_is_looser_is_not() {
    let bounds = |more: Value| {
        let mut schema = json!({"type": "number", "format": "double"});
        for (key, name) in [("min", "minimum"), ("max", "maximum"), ("choices", "enum")] {
            if let Some(value) = more.get(key) {
                schema[name] = value.clone();
            }
        }
        taking("double", with(more, json!({"schema": schema})))
    };
    let of =
        |effect: &str, says: &str| format!("{effect}: guard: argument `a` of action `go`: {says}");
    for (old, new, expect) in [
        (
            json!({}),
            json!({"min": 0}),
            of("breaking", "its minimum was none and is now `0`"),
        ),
        (
            json!({"min": 0}),
            json!({}),
            of("fine", "its minimum was `0` and is now none"),
        ),
        (
            json!({"min": 0}),
            json!({"min": 1}),
            of("breaking", "its minimum was `0` and is now `1`"),
        ),
        (
            json!({"min": 1}),
            json!({"min": 0}),
            of("fine", "its minimum was `1` and is now `0`"),
        ),
        (
            json!({"max": 9}),
            json!({"max": 5.5}),
            of("breaking", "its maximum was `9` and is now `5.5`"),
        ),
        (
            json!({"max": 5}),
            json!({"max": 9}),
            of("fine", "its maximum was `5` and is now `9`"),
        ),
        (
            json!({"choices": [1, 2]}),
            json!({"choices": [2, 3]}),
            of(
                "breaking",
                "the list of choices was `1`, `2` and is now `2`, `3`",
            ),
        ),
        (
            json!({"choices": [1, 2]}),
            json!({"choices": [3, 2, 1]}),
            of(
                "fine",
                "the list of choices was `1`, `2` and is now `3`, `2`, `1`",
            ),
        ),
    ] {
        assert_changes(bounds(old), bounds(new), &[&expect]);
    }
    assert_changes(bounds(json!({"min": 1})), bounds(json!({"min": 1.0})), &[]);
    // To the last digit.
    assert_changes(
        bounds(json!({"max": 9_007_199_254_740_993_u64})),
        bounds(json!({"max": 9_007_199_254_740_992_u64})),
        &[&of(
            "breaking",
            "its maximum was `9007199254740993` and is now `9007199254740992`",
        )],
    );
}

/// `go(a: Mood)` and what `Mood` is.
#[track_caller]
fn assert_defs(old: Value, new: Value, out: bool, expect: &[&str]) {
    let of = |def: Value| {
        let way = if out {
            json!({"in_out": "out"})
        } else {
            json!({})
        };
        let schema = json!({"schema": {"$ref": "#/$defs/Mood", "description": "How."}});
        let mut catalogue = catalogue(taking("Mood", with(schema, way)));
        catalogue.defs.insert("Mood".to_owned(), def);
        catalogue
    };
    assert_eq!(lines(&changes_between(&of(old), &of(new))), expect);
}

fn variants(names: &[&str]) -> Value {
    let one = |name: &&str| json!({"const": name, "type": "string", "description": "So."});
    json!({"oneOf": names.iter().map(one).collect::<Vec<_>>()})
}

#[test]
fn a_variant_that_is_gone_is_breaking_for_the_items_that_use_the_enum() {
    assert_defs(
        variants(&["calm", "angry"]),
        variants(&["calm"]),
        false,
        &["breaking: guard: argument `a` of action `go`: in type `Mood` variant `angry` is gone"],
    );
    assert_defs(
        variants(&["calm"]),
        variants(&["calm", "angry"]),
        false,
        &["fine: guard: argument `a` of action `go`: in type `Mood` variant `angry` is new"],
    );
    assert_defs(
        variants(&["calm", "angry"]),
        json!({"enum": ["angry", "calm"]}),
        false,
        &[],
    );
}

#[test]
fn a_variant_that_is_new_is_breaking_for_what_trees_get() {
    assert_defs(
        variants(&["calm"]),
        variants(&["calm", "angry"]),
        true,
        &["breaking: guard: argument `a` of action `go`: in type `Mood` variant `angry` is new"],
    );
    assert_defs(
        variants(&["calm", "angry"]),
        variants(&["calm"]),
        true,
        &["fine: guard: argument `a` of action `go`: in type `Mood` variant `angry` is gone"],
    );
}

fn point(keys: &[&str], required: &[&str]) -> Value {
    let number = json!({"type": "number", "format": "double"});
    let keys = keys.iter().map(|key| ((*key).to_owned(), number.clone()));
    let keys: serde_json::Map<_, _> = keys.collect();
    json!({"type": "object", "properties": keys, "required": required})
}

#[test]
fn a_struct_may_get_keys_that_may_be_left_out() {
    let says = |effect: &str, says: &str| {
        format!("{effect}: guard: argument `a` of action `go`: in type `Mood` {says}")
    };
    for (old, new, expect) in [
        (
            point(&["x"], &["x"]),
            point(&["x", "y"], &["x"]),
            says("fine", "key `y` is new and may be left out"),
        ),
        (
            point(&["x"], &["x"]),
            point(&["x", "y"], &["x", "y"]),
            says("breaking", "key `y` is new and must be given"),
        ),
        (
            point(&["x", "y"], &["x"]),
            point(&["x"], &["x"]),
            says("breaking", "key `y` is gone"),
        ),
        (
            point(&["x"], &["x"]),
            point(&["x"], &[]),
            says("fine", "key `x` may be left out now"),
        ),
        (
            point(&["x"], &[]),
            point(&["x"], &["x"]),
            says("breaking", "key `x` must be given now"),
        ),
    ] {
        assert_defs(old, new, false, &[&expect]);
    }
}

#[test]
fn changes_inside_a_type_name_the_path() {
    let path = |def: Value| json!({"type": "object", "properties": {"way": {"type": "array", "items": def}}, "required": ["way"]});
    assert_defs(
        path(variants(&["a", "b"])),
        path(variants(&["a"])),
        false,
        &[
            "breaking: guard: argument `a` of action `go`: in type `Mood` `way[]`: variant `b` is gone",
        ],
    );
    let tagged = |key: &str| {
        json!({"oneOf": [
            {"const": "none", "type": "string"},
            {"type": "object", "properties": {"to": point(&[key], &[key])}, "required": ["to"]},
        ]})
    };
    assert_defs(
        tagged("x"),
        tagged("y"),
        false,
        &[
            "breaking: guard: argument `a` of action `go`: in type `Mood` `to.to`: key `x` is gone, `to.to`: key `y` is new and must be given",
        ],
    );
}

#[test]
fn incomparable_schemas_are_breaking() {
    let old = json!({"type": "string", "pattern": "^a"});
    let new = json!({"type": "string", "pattern": "^b"});
    let of = |schema: &Value| catalogue(taking("string", json!({"schema": schema})));
    let changes = changes_between(&of(&old), &of(&new));
    assert_eq!(
        lines(&changes),
        ["breaking: guard: argument `a` of action `go`: type `string` is another"]
    );
    let help = changes[0].help.as_ref().unwrap();
    assert!(
        help.starts_with("it takes other values now, as far as the schemas show"),
        "{help}"
    );
}

#[test]
fn types_that_contain_themselves_are_compared() {
    let list = |names: &[&str]| {
        json!({"type": "object", "properties": {
            "mood": variants(names), "next": {"anyOf": [{"$ref": "#/$defs/Mood"}, {"type": "null"}]},
        }})
    };
    assert_defs(list(&["a"]), list(&["a"]), false, &[]);
    assert_defs(
        list(&["a", "b"]),
        list(&["a"]),
        false,
        &[
            "breaking: guard: argument `a` of action `go`: in type `Mood` `mood`: variant `b` is gone",
        ],
    );
}
