//! The reference of expressions means what the documentation says: see `bt_tests::expressions`.

use std::collections::BTreeMap;

use bt_core::Random;
use bt_tests::expressions::{
    Fit, Method, Named, Names, Parameter, Scope, Type, Why, equal, evaluate, garbled, generate,
    known, read,
};
use serde_json::{Value, json};

fn scope() -> Scope {
    let object = |value: Value| -> BTreeMap<String, Value> {
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{error}"))
    };
    let target = Parameter {
        name: "target",
        alias: Some("whom"),
        takes: Type::Whole,
        default: Some(json!(7)),
    };
    Scope {
        keys: object(json!({
            "hp": 20, "hp max": 100, "pos.x": 1, "pos": {"x": 3, "a b": 4}, "list": [1, 2, 3],
            "nothing": null, "a": 5, "b": 2, "in": true, "big": u64::MAX, "größe": 1.5,
        })),
        properties: object(json!({"max_hp": 50, "x-y": 1})),
        methods: vec![Method {
            name: "is_friend",
            parameters: vec![target],
            answer: |arguments| match arguments {
                [Value::Number(number)] if number.as_i64() == Some(0) => Err("nobody".to_owned()),
                arguments => Ok((arguments == [json!(7)]).into()),
            },
        }],
    }
}

fn come_to(text: &str) -> Result<Value, Why> {
    let expression = read(text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
    let scope = scope();
    known(&expression, &scope).unwrap_or_else(|error| panic!("`{text}`: {error}"));
    evaluate(&expression, &scope).map_err(|mistake| mistake.why)
}

fn is(text: &str, expected: Value) {
    assert_eq!(come_to(text), Ok(expected), "`{text}`");
}

fn fails(text: &str, expected: Why) {
    assert_eq!(come_to(text), Err(expected), "`{text}`");
}

#[track_caller]
fn refused_at(text: &str, column: usize) {
    match read(text) {
        Ok(expression) => panic!("`{text}` is read as {expression:?}"),
        Err(refusal) => assert_eq!(refusal.column, column, "`{text}`: {refusal}"),
    }
}

#[test]
fn operands_are_those_of_the_documentation() {
    is(
        "$hp < 0.3 * @max_hp && !is_friend($hp) || len($list) > 3",
        json!(false),
    );
    is(
        "[1, 1.5, 'it', \"it's\", true, false, null]",
        json!([1, 1.5, "it", "it's", true, false, null]),
    );
    is("$a-$b", json!(3));
    is("$pos.x", json!(3));
    is("$list[0] + $list[$b]", json!(4));
    is("$\"pos.x\" + $'hp max' + @'x-y'", json!(102));
    is("$pos.\"a b\"", json!(4));
    is("$größe", json!(1.5));
    refused_at("hp < 3", 1);
    refused_at("1 + True", 5);
    refused_at("$a +", 5);
    refused_at("$ a", 2);
}

#[test]
fn operators_bind_as_tightly_as_the_documentation_says() {
    is("1 + 2 * 3", json!(7));
    is("-$pos.x + 1", json!(-2));
    is("10 - 3 - 2", json!(5));
    is("!false == true", json!(true));
    is("1 + 1 in [2]", json!(true));
    is("1 < 2 == true", json!(true));
    is("true || false && false", json!(true));
    is("false ? 1 : true ? 2 : 3", json!(2));
    is("$c ?? null ?? 2", json!(2));
    is("$c ?? false ? 1 : 2", json!(2));
    refused_at("1 < 2 < 3", 7);
    refused_at("1 == 1 == 1", 8);
}

#[test]
fn integers_are_exact_and_floats_finite() {
    is("18446744073709551615 - 1", json!(u64::MAX - 1));
    is("-9223372036854775808", json!(i64::MIN));
    is("9007199254740993 == 9007199254740992.0", json!(false));
    fails("18446744073709551615 + 1", Why::Range);
    fails("-9223372036854775808 - 1", Why::Range);
    fails("$big * $big * 2", Why::Range);
    is("6/3", json!(2.0));
    is("6/3 == 2", json!(true));
    is("-1 % 3", json!(2));
    is("-7 % -3", json!(2));
    fails("1 / 0", Why::Range);
    fails("1 % 0", Why::Range);
    fails("1e308 * 10", Why::Range);
    is("round(2.4) + floor(2.9) + ceil(2.1)", json!(7));
    is("clamp(9, 1, 5)", json!(5));
    is("min(3, 2, 2.5) + max(1, 1.5) + abs(-1)", json!(4.5));
    is("is_friend(6 + 1 / 1)", json!(true));
    fails("is_friend(3.5)", Why::Range);
    refused_at("18446744073709551616", 1);
    refused_at("1 + 1e999", 5);
}

#[test]
fn types_are_not_converted() {
    is("'a' + 'b'", json!("ab"));
    is("'10' < '9'", json!(true));
    is("1 == '1'", json!(false));
    is("1 in [1.0]", json!(true));
    is("[1] == [1.0]", json!(true));
    for text in [
        "'a' + 1",
        "1 < 'a'",
        "true < false",
        "!1",
        "1 && true",
        "1 ? 2 : 3",
        "-'a'",
    ] {
        fails(text, Why::Type);
    }
    fails("1 in 'a'", Why::Type);
    fails("$hp.x", Why::Type);
}

#[test]
fn unset_keys_and_missing_paths_are_forgiven_where_the_documentation_says() {
    fails("$c", Why::Unset);
    fails("$c == null", Why::Unset);
    for text in ["$nothing.x", "$pos.y", "$list[3]", "$list[-1]"] {
        fails(text, Why::Missing);
        is(&format!("{text} ?? 9"), json!(9));
        is(&format!("has({text})"), json!(false));
    }
    is("$nothing ?? 9", json!(9));
    is("$c ?? 9", json!(9));
    is("has($nothing) && !has($c) && has($pos.x)", json!(true));
    fails("(1 / 0) ?? 9", Why::Range);
    fails("($hp && true) ?? 9", Why::Type);
    fails("has($hp.x)", Why::Type);
    // A call that is not reached is not made.
    is("false && $c", json!(false));
    is("true || is_friend(0)", json!(true));
    fails("is_friend(0)", Why::Call);
}

#[test]
fn arguments_have_positions_names_and_defaults() {
    is(
        "is_friend() && is_friend(7) && is_friend(target: 7) && is_friend(whom: 7)",
        json!(true),
    );
    for text in [
        "is_friend(1, 2)",
        "is_friend(1, whom: 2)",
        "is_friend(who: 1)",
        "is_foe()",
        "@speed",
        "clamp(1, 2)",
        "has(1)",
        "len(of: 'a')",
    ] {
        let expression = read(text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
        assert!(known(&expression, &scope()).is_err(), "`{text}`");
    }
    refused_at("is_friend(whom: 1, 2)", 19);
}

#[test]
fn a_refusal_says_the_line_too() {
    let refusal = read("1 +\n  * 2").unwrap_err();
    assert_eq!((refusal.line, refusal.column), (2, 3));
}

#[test]
fn generated_expressions_are_read_as_they_were_made_and_fit_as_they_say() {
    let keys = [
        ("hp", Type::Whole),
        ("größe", Type::Float),
        ("in", Type::Bool),
        ("list", Type::List(Type::Whole.into())),
        ("nothing", Type::Optional(Type::Whole.into())),
        ("pos", Type::Map(Type::Float.into())),
        ("c", Type::Any),
    ];
    let keys = keys.map(|(name, takes)| Named { name, takes });
    let properties = [Named {
        name: "x-y",
        takes: Type::Whole,
    }];
    let scope = scope();
    let names = Names {
        keys: &keys,
        properties: &properties,
        methods: &scope.methods,
    };
    let mut fits = BTreeMap::new();
    for seed in 0..5_000 {
        let random = &mut Random::new(seed);
        let made = generate(random, &names, Fit::Ill);
        let text = &made.text;
        let expression = read(text).unwrap_or_else(|error| panic!("{seed}: `{text}`: {error}"));
        assert_eq!(expression, made.expression, "{seed}: `{text}`");
        known(&expression, &scope).unwrap_or_else(|error| panic!("{seed}: `{text}`: {error}"));
        let outcome = evaluate(&expression, &scope);
        if let Err(mistake) = &outcome
            && mistake.why == Why::Type
        {
            assert_ne!(made.fit, Fit::Well, "{seed}: `{text}`: {}", mistake.text);
        }
        if let Ok(value) = &outcome {
            assert!(equal(value, value), "{seed}: `{text}`");
        }
        *fits.entry(made.fit).or_insert(0) += 1;
        // No panic.
        if let Ok(expression) = read(&garbled(random, text)) {
            let _ = known(&expression, &scope).map(|()| evaluate(&expression, &scope));
        }
    }
    for fit in [Fit::Well, Fit::Loose, Fit::Unsure, Fit::Ill] {
        assert!(fits.get(&fit) > Some(&200), "{fits:?}");
    }
}
