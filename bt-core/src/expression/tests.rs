//! Tests of the meaning of expressions, and of the messages for those that mean nothing.

use std::cell::Ref;
use std::fmt::Write;

use serde_json::{Value, json};

use super::compile::{Link, compile};
use super::eval::{Outside, Val, eval};
use super::*;
use crate::blackboard::{Blackboard, KeyId, ValueType};
use crate::error::CallError;

/// Keys of a board, and conditions `yes`, `no` and `fails`.
struct On<'b>(&'b Blackboard);

impl Link for On<'_> {
    fn key(&mut self, key: &str) -> Result<KeyId, CallError> {
        Ok(self.0.intern(key))
    }

    fn property(&mut self, property: &str) -> Result<u32, CallError> {
        Err(CallError::unknown(property.to_owned()))
    }

    fn call(&mut self, method: &str, _: &[Argument]) -> Result<u32, CallError> {
        let known = ["no", "yes", "fails"]
            .iter()
            .position(|name| *name == method);
        let number = known.ok_or_else(|| CallError::unknown(method.to_owned()))?;
        Ok(number as u32)
    }
}

impl<'b> Outside<'b> for On<'b> {
    fn key(&mut self, key: KeyId) -> Option<Ref<'b, Value>> {
        self.0.lent(key)
    }

    fn property(&mut self, _: u32) -> Result<Option<Ref<'b, Value>>, CallError> {
        Ok(None)
    }

    fn call(&mut self, number: u32) -> Result<Val<'b>, CallError> {
        match number {
            2 => Err(CallError::refused("it fails".to_owned())),
            number => Ok(Val::Bool(number == 1)),
        }
    }
}

fn board() -> Blackboard {
    let board = Blackboard::new();
    board.set("hp", 73);
    board.set("half", 0.5);
    board.set("name", "Bo");
    board.set("nothing", Value::Null);
    board.set("pos", json!({"x": 2, "far away": [1, [2, 3]]}));
    board.set("list", json!([1, "two", null]));
    board.set("hp max", 100);
    board.set("top", u64::MAX);
    board
}

/// The value of a text, or the mistake.
fn value(text: &str) -> Result<Value, String> {
    let expr = parse(text).map_err(|mistake| mistake.words(text))?;
    let board = board();
    let code = compile(&expr, &mut On(&board)).map_err(|error| error.to_string())?;
    let value = eval(&code, &mut On(&board)).map(Val::into_json);
    value.map_err(|fault| fault.words(text))
}

#[track_caller]
fn is(text: &str, expected: impl Into<Value>) {
    assert_eq!(value(text), Ok(expected.into()), "{text}");
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    assert_eq!(value(text), Err(expected.to_owned()), "{text}");
}

#[test]
fn operators_bind_by_the_table_of_the_contract() {
    is("1 + 2 * 3", 7);
    is("(1 + 2) * 3", 9);
    is("-2 * -3", 6);
    is("10 - 4 - 3", 3);
    is("1 + 1 < 3 == true", true);
    is("true || false && false", true);
    is("false ? 1 : true ? 2 : 3", 2);
    is("null ?? false || true", true);
    is("!true || true", true);
    is("-$pos.x", -2);
    is("$half-1", -0.5);
}

#[test]
fn integers_are_exact_in_the_range_of_both_64_bit_types_and_a_mistake_outside() {
    is("$top - 1", u64::MAX - 1);
    is("-9223372036854775808", i64::MIN);
    is("18446744073709551615 == $top", true);
    is("9007199254740993 == 9007199254740992.0", false);
    fails(
        "$top + 1",
        "`$top + 1`, column 1: the result is no integer of 64 bits",
    );
    fails(
        "$top * $top",
        "`$top * $top`, column 1: the result is no integer of 64 bits",
    );
    fails(
        "0 - $top",
        "`0 - $top`, column 1: the result is no integer of 64 bits",
    );
    assert!(
        value("18446744073709551616")
            .unwrap_err()
            .contains("no integer of 64 bits")
    );
}

#[test]
fn division_is_a_float_and_a_remainder_is_never_negative() {
    is("6 / 3", 2.0);
    is("7 / 2", 3.5);
    is("-1 % 3", 2);
    is("-0.5 % 2", 1.5);
    is("7 % -3", 1);
    fails("$hp / 0", "`$hp / 0`, column 1: it divides by zero");
    fails("$hp % 0", "`$hp % 0`, column 1: it divides by zero");
    fails(
        "'a' + $hp",
        "`'a' + $hp`, column 1: `+` joins two texts or adds two numbers, found text and a number",
    );
    fails(
        "1e308 * 10 * $half",
        "`1e308 * 10`, column 1: the result is no finite number",
    );
}

#[test]
fn values_compare_as_the_blackboard_compares_them() {
    is("1 == 1.0", true);
    is("'1' == 1", false);
    is("null == false", false);
    is("[1, 2] == [1.0, 2]", true);
    is("'Z' < 'a'", true);
    is("'two' in $list && !('three' in $list)", true);
    is("1.0 in $list", true);
    fails(
        "'1' < 1",
        "`'1' < 1`, column 1: `<` compares two numbers or two texts, found text and a number",
    );
    fails(
        "1 in 2",
        "`1 in 2`, column 1: `in` takes a list on its right, found a number",
    );
}

#[test]
fn what_is_cut_short_is_not_evaluated() {
    is("false && fails()", false);
    is("true || fails()", true);
    is("true ? 1 : fails()", 1);
    is("$hp ?? fails()", 73);
    fails("true && fails()", "`fails()`, column 9: it fails");
    fails(
        "true && 1",
        "`1`, column 9: `&&` takes a bool, found a number",
    );
    fails("!0", "`0`, column 2: `!` takes a bool, found a number");
}

#[test]
fn a_path_that_leads_nowhere_is_a_mistake_unless_it_is_forgiven() {
    is("$pos.x + $pos['x']", 4);
    is("$pos.'far away'[1][0]", 2);
    is("$'hp max' - $\"hp max\"", 0);
    fails("$unset", "`$unset`, column 1: it is unset");
    fails("1 + $pos.y", "`$pos.y`, column 5: there is no field `y`");
    fails("$list[3]", "`$list[3]`, column 1: there is no item 3");
    fails(
        "$list[1e300]",
        "`$list[1e300]`, column 1: `[…]` takes an integer of 64 bits, found another number",
    );
    fails("$list[-1]", "`$list[-1]`, column 1: there is no item -1");
    fails(
        "$nothing.x",
        "`$nothing.x`, column 1: it is null, and nothing is inside",
    );
    is("$pos.y ?? $list[2] ?? 5", 5);
    is("$nothing ?? 'none'", "none");
    is(
        "has($pos.x) && !has($pos.y) && has($nothing) && !has($unset.x)",
        true,
    );
    fails(
        "has($hp.x)",
        "`$hp.x`, column 5: `.` takes an object, found a number",
    );
    fails("(1 / 0) ?? 2", "`(1 / 0)`, column 1: it divides by zero");
}

#[test]
fn built_in_functions_take_numbers_and_what_has_a_length() {
    is("min(3, 1.5, 2)", 1.5);
    is("max(1, 1.0)", 1);
    is("abs(-3) + abs(-0.5)", 3.5);
    is("clamp($hp, 0, 50)", 50);
    is("clamp(lo: 1, hi: 9, x: 0)", 1);
    is("round(2.5) + floor(-0.5) + ceil(0.2)", 3);
    is("len('häuser') + len($list) + len($pos)", 11);
    is("'a' + \"b\\n\" + $name", "ab\nBo");
    fails(
        "clamp(1, 3, 2)",
        "`clamp(1, 3, 2)`, column 1: `lo` is above `hi`",
    );
    fails(
        "round(1e300)",
        "`round(1e300)`, column 1: the result is no integer of 64 bits",
    );
    fails(
        "len($hp)",
        "`$hp`, column 5: `len` takes text, a list or an object, found a number",
    );
}

#[test]
fn constants_are_folded_and_what_cannot_be_is_evaluated() {
    for (text, expected) in [
        ("1 + 2 * 3", Some(json!(7))),
        ("min(1, 2) < len('ab')", Some(json!(true))),
        ("[1, 2][1]", Some(json!(2))),
        ("1 / 0", None),
        ("$hp * 0", None),
    ] {
        assert_eq!(constant(&parse(text).unwrap()), expected, "{text}");
    }
}

/// The names of the snapshot of mistakes.
struct Known<'t>(&'t str, Vec<String>);

impl Names for Known<'_> {
    fn key(&mut self, key: &Spelled) -> Type {
        let ty = match &*key.name {
            "hp" => "int32",
            "speed" => "double",
            "name" => "string",
            "target" => "optional<uint64>",
            "targets" => "array<uint64>",
            "alive" => "bool",
            _ => "any_value",
        };
        Type::of_key(&ty.parse::<ValueType>().unwrap())
    }

    fn property(&mut self, property: &Spelled) -> Type {
        match &*property.name {
            "mood" => Type::Choice(vec!["Calm".to_owned(), "Angry".to_owned()]),
            "pos" => Type::Object([("x".to_owned(), Type::Number)].into(), true),
            _ => Type::Number,
        }
    }

    fn call(&mut self, _: &Spelled, _: &[Argument], _: &[Option<Checked>]) -> Type {
        Type::Bool
    }

    fn errors(&self) -> usize {
        self.1.len()
    }

    fn mistake(&mut self, mistake: Mistake) {
        self.1.push(said(&mistake, self.0));
    }
}

fn said(mistake: &Mistake, text: &str) -> String {
    let doubt = if mistake.is_doubt { "warning: " } else { "" };
    let help = match mistake.help.as_str() {
        "" => String::new(),
        help => format!("\n  help: {help}"),
    };
    format!("{doubt}{}{help}", mistake.words(text))
}

fn mistakes(text: &str) -> Vec<String> {
    let expr = match parse(text) {
        Ok(expr) => expr,
        Err(mistake) => return vec![said(&mistake, text)],
    };
    let mut known = Known(text, Vec::new());
    check(&expr, &mut known);
    known.1
}

#[test]
fn a_mistake_says_its_column_what_is_wrong_and_what_to_write() {
    let mut all = String::new();
    for text in [
        "$hp = 20",
        "$hp := 20",
        "$alive and $hp < 20",
        "$alive or $hp < 20",
        "not $alive",
        "hp < 20",
        "{hp} < 20",
        "$alive == True",
        "0 < $hp < 20",
        "$hp === 20",
        "$hp & 1",
        "$hp ** 2",
        "$hp < 20%",
        "$speed > 5m",
        "$hp < 1_000",
        "$hp < 0x10",
        "$'' < 1",
        "$hp <",
        "($hp < 20",
        "$name == 'Bo",
        "$ hp",
        "$hp max < 3",
        "$targets.0",
        "$hp < '20'",
        "$name + 1",
        "$name < $hp",
        "$hp && $alive",
        "!$hp",
        "$target + 1",
        "$hp in $name",
        "$name in $targets",
        "$hp == 'low'",
        "@mood == 'Angri'",
        "@mood < 'Calm'",
        "@pos.y > 1",
        "$targets.len",
        "$hp / 0 > 1",
        "clamp($hp, 0)",
        "clamp(x: $hp, 0, 1)",
        "min()",
        "round('x')",
        "$alive ? 1",
        "18446744073709551616",
        "$alive\n  && $hp = 1",
    ] {
        let found = mistakes(text);
        assert!(!found.is_empty(), "nothing is wrong with {text}");
        writeln!(all, "{text}").unwrap();
        for one in found {
            writeln!(all, "  {}", one.replace('\n', "\n  ")).unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_may_be_right_is_not_a_mistake() {
    for text in [
        "$hp < 0.3 * @max_hp && !is_friend($target) || len($targets) > 3",
        "$any + 1 < $other.x[0]",
        "($target ?? 0) == 7",
        "$target == null",
        "@mood in ['Calm', 'Angry']",
        "$name == 'a' ? 1 : 2.5",
        "$hp == 1.0 # as it was",
        "has($any.x) && $any.x",
    ] {
        assert_eq!(mistakes(text), [""; 0], "{text}");
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let deep = |open: &str, close: &str, count: usize| {
        format!("{}1{}", open.repeat(count), close.repeat(count))
    };
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("[", "]"),
        ("!", ""),
        ("abs(", ")"),
        ("1+", ""),
    ] {
        for count in [60, 10_000] {
            let text = deep(open, close, count.min(4_000 / open.len()));
            let read = parse(&text);
            assert_eq!(read.is_ok(), count == 60, "{open} {count}: {read:?}");
        }
    }
    // Each bracket is inside six operators.
    for (count, fits) in [(9, true), (200, false)] {
        let text = deep("1||1&&1==1<1+1*(", ")", count);
        assert_eq!(parse(&text).is_ok(), fits, "{count}");
    }
    // Of what is long a line is shown.
    let name = "x".repeat(4_000);
    let texts = ["", "$a ", "min(", "1", "{", "$a + clamp("];
    for text in texts.map(|before| format!("{before}{name}")) {
        let mistake = parse(&text).unwrap_err();
        let said = said(&mistake, &text);
        assert!(said.len() < 500, "{said}");
    }
    let long = format!("1{}", " ".repeat(LONGEST));
    let mistake = parse(&long).unwrap_err().words(&long);
    assert_eq!(
        mistake,
        "column 4097: an expression has 4096 characters at most"
    );
}
