//! Scripts as our expressions.
//!
//! There a truth value is the number 1 or 0; here it is a bool. So the types of keys decide: a number where a truth
//! value is needed is compared with 0, a truth value where a number is needed becomes 1 or 0, and a key of which
//! nothing is known is compared with both.

use serde_json::Value;

use super::parse::{Expr, What};
use super::{Fault, fault};
use crate::import::names;
use crate::import::types::Type;

/// The meaning of the names in a script.
pub(in super::super) trait Names {
    /// The key of our blackboard.
    fn key(&mut self, name: &str) -> String;
    /// The type of such a key; none if it is unknown.
    fn type_of(&self, key: &str) -> Option<Type>;
    /// The number that a name stands for.
    fn number(&self, name: &str) -> Option<i64>;
}

/// An expression of ours.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Translated {
    pub(in super::super) text: String,
    pub(in super::super) ty: Type,
    binds: Binds,
}

/// The operators that bind an expression together, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    If,
    Or,
    And,
    Equal,
    Order,
    Sum,
    Product,
    Unary,
    Nothing,
}

impl Translated {
    fn new(text: impl Into<String>, ty: Type, binds: Binds) -> Translated {
        Translated {
            text: text.into(),
            ty,
            binds,
        }
    }

    /// Its text where an operand must bind at least so.
    fn within(&self, least: Binds) -> String {
        match self.binds >= least {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }

    fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The value of an expression.
pub(in super::super) fn value(expr: &Expr, names: &mut dyn Names) -> Result<Translated, Fault> {
    Ok(match &expr.what {
        What::Int(number) => Translated::new(number.to_string(), Type::Int, Binds::Nothing),
        What::Real(number) => Translated::new(number, Type::Number, Binds::Nothing),
        What::Text(text) => Translated::new(names::text(text), Type::Text, Binds::Nothing),
        What::Bool(value) => Translated::new(value.to_string(), Type::Bool, Binds::Nothing),
        What::Name(name) => named(name, names),
        What::Minus(inside) => {
            let inside = number(expr.at, value(inside, names)?)?;
            Translated::new(
                format!("-{}", inside.within(Binds::Nothing)),
                inside.ty,
                Binds::Unary,
            )
        }
        What::Arithmetic(sign, left, right) => {
            arithmetic(expr.at, sign, value(left, names)?, value(right, names)?)?
        }
        What::If(condition, then, other) => {
            let condition = truth(condition, names)?.within(Binds::Or);
            let (then, other) = (value(then, names)?, value(other, names)?);
            let text = format!(
                "{condition} ? {} : {}",
                then.within(Binds::Or),
                other.within(Binds::If)
            );
            Translated::new(text, then.ty.join(other.ty), Binds::If)
        }
        What::Not(_) | What::Logic(..) | What::Compare(..) => truth(expr, names)?,
    })
}

fn named(name: &str, names: &mut dyn Names) -> Translated {
    if let Some(number) = names.number(name) {
        let binds = if number < 0 {
            Binds::Unary
        } else {
            Binds::Nothing
        };
        return Translated::new(number.to_string(), Type::Int, binds);
    }
    let key = names.key(name);
    let ty = names.type_of(&key).unwrap_or(Type::Any);
    Translated::new(names::key(&key), ty, Binds::Nothing)
}

/// The expression that is true where another counts as true.
pub(in super::super) fn truth(expr: &Expr, names: &mut dyn Names) -> Result<Translated, Fault> {
    let bool = |text: String, binds| Ok(Translated::new(text, Type::Bool, binds));
    match &expr.what {
        What::Not(inside) => not(&truth(inside, names)?),
        What::Logic(sign, left, right) => {
            let binds = if *sign == "&&" { Binds::And } else { Binds::Or };
            let (left, right) = (truth(left, names)?, truth(right, names)?);
            bool(
                format!("{} {sign} {}", left.within(binds), right.within(binds)),
                binds,
            )
        }
        What::Compare(operands, signs) => {
            let mut all = Vec::new();
            for (pair, sign) in operands.windows(2).zip(signs) {
                all.push(compare(
                    pair[0].at,
                    value(&pair[0], names)?,
                    sign,
                    value(&pair[1], names)?,
                )?);
            }
            match all.pop() {
                Some(alone) if all.is_empty() => Ok(alone),
                last => {
                    all.extend(last);
                    let all: Vec<_> = all.iter().map(|one| one.within(Binds::And)).collect();
                    bool(all.join(" && "), Binds::And)
                }
            }
        }
        What::If(condition, then, other) => {
            let condition = truth(condition, names)?.within(Binds::Or);
            let (then, other) = (truth(then, names)?, truth(other, names)?);
            let text = format!(
                "{condition} ? {} : {}",
                then.within(Binds::Or),
                other.within(Binds::If)
            );
            bool(text, Binds::If)
        }
        What::Int(_) | What::Real(_) | What::Text(_) | What::Bool(_) | What::Name(_) => {
            counts(expr, names)
        }
        What::Minus(_) | What::Arithmetic(..) => counts(expr, names),
    }
}

fn not(inside: &Translated) -> Result<Translated, Fault> {
    let text = match inside.text.as_str() {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ => format!("!{}", inside.within(Binds::Nothing)),
    };
    Ok(Translated::new(text, Type::Bool, Binds::Unary))
}

/// The expression that is true where a value counts as true.
fn counts(expr: &Expr, names: &mut dyn Names) -> Result<Translated, Fault> {
    let value = value(expr, names)?;
    let text = value.within(Binds::Order);
    Ok(match value.ty {
        Type::Bool => value,
        Type::Int | Type::Number => {
            Translated::new(format!("{text} != 0"), Type::Bool, Binds::Equal)
        }
        Type::Any => {
            let text = format!("{text} != false && {text} != 0");
            Translated::new(text, Type::Bool, Binds::And)
        }
        Type::Text => {
            return fault(
                expr.at,
                "a text is used as true or false",
                "compare it with `==`",
            );
        }
    })
}

/// A value as a number, if it may be one.
fn number(at: usize, value: Translated) -> Result<Translated, Fault> {
    match value.ty {
        Type::Bool => Ok(of_bool(&value)),
        Type::Text => fault(at, "a text is used as a number", "compute with numbers"),
        Type::Int | Type::Number | Type::Any => Ok(value),
    }
}

fn of_bool(value: &Translated) -> Translated {
    match value.text.as_str() {
        "true" => Translated::new("1", Type::Int, Binds::Nothing),
        "false" => Translated::new("0", Type::Int, Binds::Nothing),
        _ => Translated::new(
            format!("{} ? 1 : 0", value.within(Binds::Or)),
            Type::Int,
            Binds::If,
        ),
    }
}

fn arithmetic(at: usize, sign: &str, a: Translated, b: Translated) -> Result<Translated, Fault> {
    if sign == ".." || sign == "+" && a.ty == Type::Text && b.ty == Type::Text {
        return join(at, a, b);
    }
    if sign == "+" && [a.ty, b.ty].contains(&Type::Any) && ![a.ty, b.ty].contains(&Type::Bool) {
        let text = format!("{} + {}", a.within(Binds::Sum), b.within(Binds::Product));
        return Ok(Translated::new(text, Type::Any, Binds::Sum));
    }
    let (a, b) = (number(at, a)?, number(at, b)?);
    let (binds, right) = match sign {
        "*" | "/" => (Binds::Product, Binds::Unary),
        _ => (Binds::Sum, Binds::Product),
    };
    let ty = if sign != "/" && [a.ty, b.ty] == [Type::Int; 2] {
        Type::Int
    } else {
        Type::Number
    };
    let text = format!("{} {sign} {}", a.within(binds), b.within(right));
    Ok(Translated::new(text, ty, binds))
}

/// `..`: texts, and numbers that are written out.
fn join(at: usize, a: Translated, b: Translated) -> Result<Translated, Fault> {
    let text = |value: Translated| match value.ty {
        Type::Text | Type::Any => Ok(value),
        Type::Int | Type::Number
            if value.text.starts_with(|c: char| c.is_ascii_digit())
                && value.binds == Binds::Nothing =>
        {
            Ok(Translated::new(
                names::text(&value.text),
                Type::Text,
                Binds::Nothing,
            ))
        }
        Type::Bool | Type::Int | Type::Number => fault(
            at,
            "`..` joins a number to a text, which expressions do not",
            "let the agent make the text, in an action or a query",
        ),
    };
    let (a, b) = (text(a)?, text(b)?);
    let text = format!("{} + {}", a.within(Binds::Sum), b.within(Binds::Product));
    Ok(Translated::new(text, Type::Text, Binds::Sum))
}

fn compare(at: usize, a: Translated, sign: &str, b: Translated) -> Result<Translated, Fault> {
    let is_equality = ["==", "!="].contains(&sign);
    let (a, b) = match (a.ty, b.ty) {
        (Type::Bool, Type::Int) if is_equality && (b.is("0") || b.is("1")) => (a, bool_of(&b)),
        (Type::Int, Type::Bool) if is_equality && (a.is("0") || a.is("1")) => (bool_of(&a), b),
        (Type::Bool, Type::Bool) if is_equality => (a, b),
        (Type::Bool, Type::Int | Type::Number | Type::Bool) => (
            of_bool(&a),
            if b.ty == Type::Bool { of_bool(&b) } else { b },
        ),
        (Type::Int | Type::Number, Type::Bool) => (a, of_bool(&b)),
        (Type::Any, Type::Bool) if is_equality => return Ok(either(&a, sign, &b)),
        (Type::Bool, Type::Any) if is_equality => return Ok(either(&b, sign, &a)),
        (Type::Text, Type::Int | Type::Number | Type::Bool)
        | (Type::Int | Type::Number | Type::Bool, Type::Text) => {
            return fault(
                at,
                "a text is compared with a number",
                "give both the same type",
            );
        }
        (Type::Any, _)
        | (_, Type::Any)
        | (Type::Int | Type::Number, Type::Int | Type::Number)
        | (Type::Text, Type::Text) => (a, b),
    };
    let (binds, least) = match is_equality {
        true => (Binds::Equal, Binds::Order),
        false => (Binds::Order, Binds::Sum),
    };
    let text = format!("{} {sign} {}", a.within(least), b.within(least));
    Ok(Translated::new(text, Type::Bool, binds))
}

fn bool_of(value: &Translated) -> Translated {
    let text = if value.is("0") { "false" } else { "true" };
    Translated::new(text, Type::Bool, Binds::Nothing)
}

/// A comparison of something unknown with a truth value: the former may be kept as a bool or as a number.
fn either(any: &Translated, sign: &str, truth: &Translated) -> Translated {
    let (joined, binds) = if sign == "==" {
        ("||", Binds::Or)
    } else {
        ("&&", Binds::And)
    };
    let (any, as_bool, as_number) = (
        any.within(Binds::Order),
        truth.within(Binds::Order),
        of_bool(truth),
    );
    let as_number = as_number.within(Binds::Order);
    let text = format!("{any} {sign} {as_bool} {joined} {any} {sign} {as_number}");
    Translated::new(text, Type::Bool, binds)
}

/// The value that an assignment writes to a key, whose type is settled if it is given.
pub(in super::super) fn write(
    key: &str,
    sign: &str,
    expr: &Expr,
    names: &mut dyn Names,
) -> Result<Translated, Fault> {
    let held = names.type_of(key);
    if let ("=" | ":=", What::Text(text), Some(held)) = (sign, &expr.what, held)
        && held != Type::Any
    {
        return match held.value(text) {
            Some(Value::String(text)) => Ok(Translated::new(
                names::text(&text),
                Type::Text,
                Binds::Nothing,
            )),
            Some(value) => Ok(Translated::new(value.to_string(), held, Binds::Nothing)),
            None => fault(
                expr.at,
                format!(
                    "the text is no value of `{key}`, whose type is {}",
                    held.name()
                ),
                "write a value of that type",
            ),
        };
    }
    let written = match sign {
        "=" | ":=" => value(expr, names)?,
        _ => {
            let ty = held.unwrap_or(Type::Any);
            let old = Translated::new(names::key(key), ty, Binds::Nothing);
            arithmetic(expr.at, &sign[..1], old, value(expr, names)?)?
        }
    };
    Ok(match (held, written.ty) {
        (Some(Type::Int | Type::Number), Type::Bool) => of_bool(&written),
        (Some(Type::Bool), Type::Int | Type::Number) => Translated::new(
            format!("{} != 0", written.within(Binds::Order)),
            Type::Bool,
            Binds::Equal,
        ),
        (None | Some(Type::Text | Type::Any), _)
        | (Some(_), Type::Text | Type::Any)
        | (Some(Type::Bool), Type::Bool)
        | (Some(Type::Int | Type::Number), Type::Int | Type::Number) => written,
    })
}
