//! Expressions as the engine's scripts.
//!
//! `&&` and `||` bind alike there, and so do all comparisons, which may follow one another: brackets keep them apart.

use bt_core::expression::{Expr, Form, Operator, parse};
use serde_json::Value;

use super::fault::{Fault, refuse};

/// The operators that bind a script together, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    If,
    Logic,
    Compare,
    Sum,
    Product,
    Unary,
    Nothing,
}

const QUERY: &str = "let the agent compute it, in an action that writes a key or in a condition";

/// The text of an expression, read.
pub(super) fn read(text: &str) -> Result<Expr, Fault> {
    match parse(text) {
        Ok(expr) => Ok(expr),
        Err(mistake) => refuse(
            format!(
                "the expression `{text}` cannot be read: {}",
                mistake.words(text)
            ),
            "correct it: `bt-meta validate` checks trees",
        ),
    }
}

/// An expression as a script.
pub(super) fn script(expr: &Expr) -> Result<String, Fault> {
    Ok(written(expr)?.0)
}

/// A key as scripts name an entry.
pub(super) fn name(key: &str) -> Result<&str, Fault> {
    let starts = key.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_name = starts && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_name && !["true", "false"].contains(&key) {
        true => Ok(key),
        false => refuse(
            format!("the key `{key}` is no name that scripts can write"),
            "rename it to letters, digits and `_`, a letter first",
        ),
    }
}

fn within(expr: &Expr, least: Binds) -> Result<String, Fault> {
    let (text, binds) = written(expr)?;
    Ok(match binds >= least {
        true => text,
        false => format!("({text})"),
    })
}

fn written(expr: &Expr) -> Result<(String, Binds), Fault> {
    match &expr.form {
        Form::Literal(value) => Ok((literal(value)?, of_literal(value))),
        Form::Key(key) => Ok((name(&key.name)?.to_owned(), Binds::Nothing)),
        Form::Not(inside) => Ok((
            format!("!{}", within(inside, Binds::Nothing)?),
            Binds::Unary,
        )),
        Form::Minus(inside) => Ok((
            format!("-{}", within(inside, Binds::Nothing)?),
            Binds::Unary,
        )),
        Form::Binary(operator, left, right) => binary(expr, *operator, left, right),
        Form::Choose(parts) => {
            let [condition, then, other] = &**parts;
            let text = format!(
                "{} ? {} : {}",
                within(condition, Binds::Compare)?,
                within(then, Binds::Compare)?,
                within(other, Binds::Compare)?
            );
            Ok((text, Binds::If))
        }
        Form::List(_) => refuse("a list is no value of scripts", QUERY),
        Form::Property(property) => refuse(
            format!("scripts do not see the property `@{}`", property.name),
            "write it to a key in an action, and use the key",
        ),
        Form::Field(..) | Form::Item(..) => refuse("scripts do not look into values", QUERY),
        Form::Call(method, _) => refuse(
            format!("scripts do not call `{}`", method.name),
            "call it as a condition of its own",
        ),
        Form::Builtin(..) => refuse("scripts have no functions", QUERY),
        Form::Otherwise(..) => refuse(
            "scripts have no `??`",
            "write a value to the key before, in a `set`",
        ),
    }
}

/// A number below 0 binds as `-` does.
fn of_literal(value: &Value) -> Binds {
    match value.as_f64().is_some_and(|number| number < 0.0) {
        true => Binds::Unary,
        false => Binds::Nothing,
    }
}

fn literal(value: &Value) -> Result<String, Fault> {
    match value {
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::String(text) => {
            let unwritable = |c: char| c == '\'' || c == '\\' || c.is_control();
            match text.contains(unwritable) {
                true => refuse(
                    "a text of scripts has no place for `'`, `\\` or a line feed",
                    "write the text to a key in an action, and use the key",
                ),
                false => Ok(format!("'{text}'")),
            }
        }
        Value::Null | Value::Array(_) | Value::Object(_) => {
            refuse(format!("`{value}` is no value of scripts"), QUERY)
        }
    }
}

fn binary(
    expr: &Expr,
    operator: Operator,
    left: &Expr,
    right: &Expr,
) -> Result<(String, Binds), Fault> {
    if let Some(one) = truth(expr) {
        return Ok(one);
    }
    let sign = operator.sign();
    let (binds, least, right_least) = match operator {
        Operator::Times | Operator::Over => (Binds::Product, Binds::Product, Binds::Unary),
        Operator::Plus | Operator::Minus => (Binds::Sum, Binds::Sum, Binds::Product),
        Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual
        | Operator::Equal
        | Operator::NotEqual => (Binds::Compare, Binds::Sum, Binds::Sum),
        Operator::And | Operator::Or => (Binds::Logic, Binds::Compare, Binds::Compare),
        Operator::Modulo | Operator::In => {
            return refuse(format!("scripts have no `{sign}`"), QUERY);
        }
    };
    // A chain of one sign needs no brackets.
    let is_chain = matches!(&left.form, Form::Binary(before, ..) if *before == operator);
    let least = if is_chain { binds } else { least };
    let left = within(left, least)?;
    Ok((
        format!("{left} {sign} {}", within(right, right_least)?),
        binds,
    ))
}

/// A key that is compared with a truth value and with its number, as in `$key == true || $key == 1`: one comparison
/// there, where both are the same.
fn truth(expr: &Expr) -> Option<(String, Binds)> {
    let Form::Binary(joined, left, right) = &expr.form else {
        return None;
    };
    let (key, sign, Value::Bool(truth)) = compared(left)? else {
        return None;
    };
    let is_equal = sign == Operator::Equal;
    let expected = if is_equal {
        Operator::Or
    } else {
        Operator::And
    };
    let number = Value::from(i32::from(*truth));
    let is_both = *joined == expected && compared(right)? == (key, sign, &number);
    let key = name(key).ok().filter(|_| is_both)?;
    Some(match is_equal || *truth {
        true => (format!("{key} {} {truth}", sign.sign()), Binds::Compare),
        false => (key.to_owned(), Binds::Nothing),
    })
}

/// A key, the sign, and the value that it is compared with.
fn compared(expr: &Expr) -> Option<(&str, Operator, &Value)> {
    let Form::Binary(sign @ (Operator::Equal | Operator::NotEqual), key, value) = &expr.form else {
        return None;
    };
    let (Form::Key(key), Form::Literal(value)) = (&key.form, &value.form) else {
        return None;
    };
    Some((&key.name, *sign, value))
}
