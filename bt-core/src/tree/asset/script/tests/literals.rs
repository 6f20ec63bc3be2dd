//! Tests of the text behind a name: a Python literal.

use super::super::literal::{param, plain};
use super::*;

/// The JSON of a literal, or its fault.
fn literal(written: &str) -> Result<Value, String> {
    match param(written) {
        Ok((None, _)) => Ok(json!("nothing")),
        Ok((Some(param), _)) => plain(param).map_err(|fault| fault.message),
        Err(wrong) => Err(format!("{}: {}", wrong.at, wrong.message)),
    }
}

#[test]
fn literals_are_what_python_takes_them_for() {
    for (written, value) in [
        ("0", json!(0)),
        ("-7", json!(-7)),
        ("+7", json!(7)),
        ("1_000", json!(1000)),
        ("0xfF", json!(255)),
        ("-0o17", json!(-15)),
        ("0b101", json!(5)),
        ("000", json!(0)),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("1.", json!(1.0)),
        (".5", json!(0.5)),
        ("-1.5e-3", json!(-0.0015)),
        ("1E+2", json!(100.0)),
        ("'it\\'s'", json!("it's")),
        (
            r#""a\n\t\\\x41\u65e5\U0001f600\0\101""#,
            json!("a\n\t\\A日😀\0A"),
        ),
        ("u'日'", json!("日")),
        ("''", json!("")),
        ("[ 1 , [ ] , ]", json!([1, []])),
        (
            "{ 'a' : [ { } ] , \"b\" : None }",
            json!({"a": [{}], "b": null}),
        ),
    ] {
        assert_eq!(literal(written), Ok(value), "{written}");
    }
}

#[test]
fn script_refuses_an_invalid_literal_at_its_place() {
    for (written, expected) in [
        (
            "18446744073709551616",
            "0: expected a number of 64 bits, found `18446744073709551616`",
        ),
        (
            "-9223372036854775809",
            "0: expected a number of 64 bits, found `-9223372036854775809`",
        ),
        ("1e999", "0: expected a number of 64 bits, found `1e999`"),
        (
            "007",
            "0: expected a number without zeros before it, found `007`",
        ),
        ("0x", "0: expected a number, found `0x`"),
        ("0b12", "0: expected a number, found `0b12`"),
        ("1__0", "0: expected a number, found `1__0`"),
        ("1_", "0: expected a number, found `1_`"),
        ("1j", "0: expected a number, found `1j`"),
        ("--1", "0: expected a number, found `-`"),
        (".", "0: expected a number, found `.`"),
        (
            "1+1",
            "1: expected `,` and one more argument, or the end of the line, found `+`",
        ),
        ("nan", "0: expected a value, found `nan`"),
        ("[1 2]", "3: expected `,` or `]`, found `2`"),
        ("[1, (2]", "6: expected `,` or `)`, found `]`"),
        ("[1, # 2]", "0: `[` is not closed"),
        ("[,]", "1: expected a value, found `,`"),
        ("{1}", "1: expected a key of the dict, which is text"),
        (
            "{'a'}",
            "4: expected `:` after a key of the dict, found `}`",
        ),
        ("{'a': 1, 'a': 2}", "9: the key `a` is given twice"),
        ("'a", "0: the text is not closed"),
        ("'a\\", "2: no such escape of text"),
        (r"'\d'", "1: no such escape of text"),
        (r"'\ud800'", "1: no such escape of text"),
        (
            "'a' 'b'",
            "4: expected `,` and one more argument, or the end of the line, found `'`",
        ),
        (
            "1 2",
            "2: expected `,` and one more argument, or the end of the line, found `2`",
        ),
        (
            "__import__('os')",
            "0: expected a value, found `__import__`",
        ),
        (
            "()()",
            "2: expected `,` and one more argument, or the end of the line, found `(`",
        ),
    ] {
        assert_eq!(literal(written), Err(expected.to_owned()), "{written}");
    }
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(literal(&nested(64)).is_ok());
    let error = literal(&nested(65)).unwrap_err();
    assert_eq!(error, "64: more than 64 brackets inside one another");
}
