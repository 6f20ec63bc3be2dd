//! Evaluation, from left to right; a part that cannot change the result is not evaluated.

use std::borrow::Cow;
use std::cell::Ref;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

use serde_json::Value;

use super::ast::{Operator, Place, Span};
use super::builtins::Builtin;
use super::code::{Code, What};
use crate::blackboard::KeyId;
use crate::compare::{self, Exact, exact};
use crate::error::CallError;

/// The surroundings of an expression while it is evaluated; `'b` is how long values are lent.
pub(crate) trait Outside<'b> {
    /// The value of a key; none if it is unset.
    fn key(&mut self, key: KeyId) -> Option<Ref<'b, Value>>;

    /// The value of a property, by its number.
    fn property(&mut self, number: u32) -> Result<Option<Ref<'b, Value>>, CallError>;

    /// The answer of a call, by its number.
    fn call(&mut self, number: u32) -> Result<Val<'b>, CallError>;
}

/// A value. Numbers and bools are copies, the rest is lent where it can be.
#[derive(Debug)]
pub(crate) enum Val<'b> {
    Null,
    Bool(bool),
    Number(Exact),
    /// Text, a list or an object.
    Held(Held<'b>),
}

/// A value that is more than a number.
#[derive(Debug)]
pub(crate) enum Held<'b> {
    Lent(&'b Value),
    Board(Ref<'b, Value>),
    Own(Value),
}

impl Held<'_> {
    fn json(&self) -> &Value {
        match self {
            Held::Lent(value) => value,
            Held::Board(value) => value,
            Held::Own(value) => value,
        }
    }
}

impl<'b> Val<'b> {
    fn plain(value: &Value) -> Option<Val<'b>> {
        match value {
            Value::Null => Some(Val::Null),
            Value::Bool(is) => Some(Val::Bool(*is)),
            Value::Number(number) => Some(Val::Number(Exact::of(number))),
            Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    pub(super) fn lent(value: &'b Value) -> Val<'b> {
        Val::plain(value).unwrap_or(Val::Held(Held::Lent(value)))
    }

    fn board(value: Ref<'b, Value>) -> Val<'b> {
        match Val::plain(&value) {
            Some(plain) => plain,
            None => Val::Held(Held::Board(value)),
        }
    }

    pub(crate) fn own(value: Value) -> Val<'b> {
        Val::plain(&value).unwrap_or(Val::Held(Held::Own(value)))
    }

    /// The bool that it is; if it is none, the sort that was wanted.
    fn bool(&self) -> Result<bool, &'static str> {
        match self {
            Val::Bool(is) => Ok(*is),
            Val::Null | Val::Number(_) | Val::Held(_) => Err("a bool"),
        }
    }

    /// The same of a number.
    fn number(&self) -> Result<Exact, &'static str> {
        match self {
            Val::Number(number) => Ok(*number),
            Val::Null | Val::Bool(_) | Val::Held(_) => Err("a number"),
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Val::Held(held) => held.json().as_str(),
            Val::Null | Val::Bool(_) | Val::Number(_) => None,
        }
    }

    /// As JSON.
    pub(crate) fn into_json(self) -> Value {
        match self {
            Val::Null => Value::Null,
            Val::Bool(is) => is.into(),
            Val::Number(number) => number_json(number),
            Val::Held(Held::Own(value)) => value,
            Val::Held(held) => held.json().clone(),
        }
    }

    fn json(&self) -> Cow<'_, Value> {
        match self {
            Val::Null => Cow::Owned(Value::Null),
            Val::Bool(is) => Cow::Owned((*is).into()),
            Val::Number(number) => Cow::Owned(number_json(*number)),
            Val::Held(held) => Cow::Borrowed(held.json()),
        }
    }

    /// The sort of value, for people.
    pub(crate) fn sort(&self) -> &'static str {
        match self {
            Val::Null => "null",
            Val::Bool(_) => "a bool",
            Val::Number(_) => "a number",
            Val::Held(held) => match held.json() {
                Value::String(_) => "text",
                Value::Array(_) => "a list",
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "an object",
            },
        }
    }

    fn equals(&self, other: &Val<'_>) -> bool {
        match (self, other) {
            (Val::Null, Val::Null) => true,
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Number(a), Val::Number(b)) => exact(*a, *b) == Some(Ordering::Equal),
            (Val::Held(a), Val::Held(b)) => compare::equal(a.json(), b.json()),
            (Val::Null | Val::Bool(_) | Val::Number(_) | Val::Held(_), _) => false,
        }
    }
}

/// A number as JSON: integers are within their range, floats are finite.
fn number_json(number: Exact) -> Value {
    match number {
        Exact::Whole(whole) => match (i64::try_from(whole), u64::try_from(whole)) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(whole)) => whole.into(),
            (Err(_), Err(_)) => Value::Null,
        },
        Exact::Float(float) => float.into(),
    }
}

/// The reason that there is no value.
#[derive(Debug)]
pub(crate) struct Fault {
    at: Span,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Unset,
    OfNull,
    NoField(Box<str>),
    NoItem(i128),
    Takes(&'static str, &'static str, &'static str),
    NoOrder(&'static str, &'static str, &'static str),
    NoSum(&'static str, &'static str),
    Outside,
    NotFinite,
    ByZero,
    Backwards,
    Called(Box<CallError>),
}

impl Fault {
    /// Returns true if a key is unset or a path leads nowhere.
    fn is_missing(&self) -> bool {
        matches!(
            self.why,
            Why::Unset | Why::OfNull | Why::NoField(_) | Why::NoItem(_)
        )
    }

    /// Returns true if the types are right and the values are not.
    pub(super) fn is_of_values(&self) -> bool {
        matches!(
            self.why,
            Why::Outside | Why::NotFinite | Why::ByZero | Why::Backwards
        )
    }

    pub(super) fn at(&self) -> Span {
        self.at
    }

    pub(super) fn message(&self) -> Cow<'static, str> {
        match &self.why {
            Why::Unset => "it is unset".into(),
            Why::OfNull => "it is null, and nothing is inside".into(),
            Why::NoField(name) => format!("there is no field `{}`", crate::text::name(name)).into(),
            Why::NoItem(at) => format!("there is no item {at}").into(),
            Why::Takes(sign, wanted, found) => {
                format!("`{sign}` takes {wanted}, found {found}").into()
            }
            Why::NoOrder(sign, a, b) => {
                format!("`{sign}` compares two numbers or two texts, found {a} and {b}").into()
            }
            Why::NoSum(a, b) => {
                format!("`+` joins two texts or adds two numbers, found {a} and {b}").into()
            }
            Why::Outside => "the result is no integer of 64 bits".into(),
            Why::NotFinite => "the result is no finite number".into(),
            Why::ByZero => "it divides by zero".into(),
            Why::Backwards => "`lo` is above `hi`".into(),
            Why::Called(error) => error.to_string().into(),
        }
    }

    /// The message behind a text that is shown: its part is named, unless that is all of it.
    pub(crate) fn behind(&self, text: &str) -> String {
        match self.at.of(text) == text.trim() {
            true => self.message().into_owned(),
            false => self.words(text),
        }
    }

    /// The message of a text: "`$hp`, column 1: it is unset".
    pub(crate) fn words(&self, text: &str) -> String {
        let (part, place) = (crate::text::name(self.at.of(text)), Place(self.at, text));
        format!("`{part}`, {place}: {}", self.message())
    }
}

type Found<'b> = Result<Val<'b>, Fault>;

/// Evaluates an expression, from left to right; a part that cannot change the result is not evaluated.
pub(crate) fn eval<'b>(code: &'b Code, outside: &mut dyn Outside<'b>) -> Found<'b> {
    let fault = |why| Fault { at: code.at, why };
    match &code.what {
        What::Constant(value) => Ok(Val::lent(value)),
        What::Key(key) => outside.key(*key).map(Val::board).ok_or(fault(Why::Unset)),
        What::Property(number) => match outside.property(*number) {
            Ok(value) => value.map(Val::board).ok_or(fault(Why::Unset)),
            Err(error) => Err(fault(Why::Called(Box::new(error)))),
        },
        What::Call(number) => match outside.call(*number) {
            Ok(answer) => Ok(answer),
            Err(error) => Err(fault(Why::Called(Box::new(error)))),
        },
        What::List(items) => {
            let items = items
                .iter()
                .map(|item| Ok(eval(item, outside)?.into_json()));
            Ok(Val::own(Value::Array(items.collect::<Result<_, _>>()?)))
        }
        What::Field(of, name) => field(eval(of, outside)?, name).map_err(fault),
        What::Item(parts) => {
            let [of, item] = &**parts;
            let of = eval(of, outside)?;
            item_of(of, eval(item, outside)?).map_err(fault)
        }
        What::Not(of) => Ok(Val::Bool(!operand("!", Val::bool, of, outside)?)),
        What::Minus(of) => {
            let negative = match operand("-", Val::number, of, outside)? {
                Exact::Whole(whole) => integer(whole.checked_neg()),
                Exact::Float(float) => Ok(Exact::Float(-float)),
            };
            negative.map(Val::Number).map_err(fault)
        }
        What::Binary(operator, parts) => binary(*operator, parts, outside, code.at),
        What::Otherwise(parts) => {
            let [of, other] = &**parts;
            match eval(of, outside) {
                Ok(Val::Null) => eval(other, outside),
                Err(fault) if fault.is_missing() => eval(other, outside),
                found => found,
            }
        }
        What::Choose(parts) => {
            let [condition, one, other] = &**parts;
            let holds = operand("?", Val::bool, condition, outside)?;
            eval(if holds { one } else { other }, outside)
        }
        What::Builtin(builtin, args) => call(*builtin, args, outside, code.at),
    }
}

/// The value of an operand, which a sign takes of one sort alone.
fn operand<'b, T>(
    sign: &'static str,
    take: fn(&Val<'b>) -> Result<T, &'static str>,
    code: &'b Code,
    outside: &mut dyn Outside<'b>,
) -> Result<T, Fault> {
    let value = eval(code, outside)?;
    take(&value).map_err(|wanted| Fault {
        at: code.at,
        why: Why::Takes(sign, wanted, value.sort()),
    })
}

/// A part of a value that is held, lent as the whole is.
fn part<'b>(of: Held<'b>, find: impl Fn(&Value) -> Option<&Value>) -> Option<Val<'b>> {
    match of {
        Held::Lent(value) => find(value).map(Val::lent),
        Held::Board(value) => Ref::filter_map(value, find).ok().map(Val::board),
        Held::Own(value) => find(&value).cloned().map(Val::own),
    }
}

fn field<'b>(of: Val<'b>, name: &str) -> Result<Val<'b>, Why> {
    match of {
        Val::Null => Err(Why::OfNull),
        Val::Held(held) if held.json().is_object() => {
            part(held, |value| value.get(name)).ok_or_else(|| Why::NoField(name.into()))
        }
        other => Err(Why::Takes(".", "an object", other.sort())),
    }
}

fn item_of<'b>(of: Val<'b>, item: Val<'b>) -> Result<Val<'b>, Why> {
    let held = match of {
        Val::Null => return Err(Why::OfNull),
        Val::Held(held) if !held.json().is_string() => held,
        other => return Err(Why::Takes("[…]", "a list", other.sort())),
    };
    if held.json().is_object() {
        return match item.text() {
            Some(name) => field(Val::Held(held), name),
            None => Err(Why::Takes("[…]", "a field's name", item.sort())),
        };
    }
    let number = match item {
        Val::Number(number) => {
            whole(number).ok_or(Why::Takes("[…]", "an integer of 64 bits", "another number"))?
        }
        other => return Err(Why::Takes("[…]", "an integer", other.sort())),
    };
    let at = usize::try_from(number).map_err(|_| Why::NoItem(number))?;
    part(held, |value| value.get(at)).ok_or(Why::NoItem(number))
}

/// A number without a fraction.
fn whole(number: Exact) -> Option<i128> {
    match number {
        Exact::Whole(whole) => Some(whole),
        Exact::Float(float) if float.fract() == 0.0 => in_range(float),
        Exact::Float(_) => None,
    }
}

/// A whole float as an integer of 64 bits.
fn in_range(float: f64) -> Option<i128> {
    let end = 2_f64.powi(64);
    (float >= -end / 2.0 && float < end).then_some(float as i128)
}

/// The meaning of an operator that needs both of its values.
type Between = fn(&'static str, &Val<'_>, &Val<'_>) -> Result<Val<'static>, Why>;

fn binary<'b>(
    operator: Operator,
    [a, b]: &'b [Code; 2],
    outside: &mut dyn Outside<'b>,
    at: Span,
) -> Found<'b> {
    let sign = operator.sign();
    let mut holds = |side| operand(sign, Val::bool, side, outside);
    let between: Between = match operator {
        Operator::And => return Ok(Val::Bool(holds(a)? && holds(b)?)),
        Operator::Or => return Ok(Val::Bool(holds(a)? || holds(b)?)),
        Operator::Equal => |_, a, b| Ok(Val::Bool(a.equals(b))),
        Operator::NotEqual => |_, a, b| Ok(Val::Bool(!a.equals(b))),
        Operator::Less => |sign, a, b| Ok(Val::Bool(order(sign, a, b)?.is_lt())),
        Operator::LessOrEqual => |sign, a, b| Ok(Val::Bool(order(sign, a, b)?.is_le())),
        Operator::Greater => |sign, a, b| Ok(Val::Bool(order(sign, a, b)?.is_gt())),
        Operator::GreaterOrEqual => |sign, a, b| Ok(Val::Bool(order(sign, a, b)?.is_ge())),
        Operator::In => is_in,
        Operator::Plus => |sign, a, b| match (a.text(), b.text()) {
            (Some(a), Some(b)) => Ok(Val::own([a, b].concat().into())),
            (Some(_) | None, _) => {
                let both = numbers(sign, a, b).map_err(|_| Why::NoSum(a.sort(), b.sort()))?;
                arithmetic(both, i128::checked_add, f64::add)
            }
        },
        Operator::Minus => {
            |sign, a, b| arithmetic(numbers(sign, a, b)?, i128::checked_sub, f64::sub)
        }
        Operator::Times => {
            |sign, a, b| arithmetic(numbers(sign, a, b)?, i128::checked_mul, f64::mul)
        }
        Operator::Over => |sign, a, b| {
            let (a, b) = divided(sign, a, b)?;
            float(a.float() / b.float()).map(Val::Number)
        },
        Operator::Modulo => |sign, a, b| {
            let numbers = divided(sign, a, b)?;
            arithmetic(numbers, i128::checked_rem_euclid, f64::rem_euclid)
        },
    };
    let left = eval(a, outside)?;
    let right = eval(b, outside)?;
    between(sign, &left, &right).map_err(|why| Fault { at, why })
}

fn is_in(sign: &'static str, item: &Val<'_>, list: &Val<'_>) -> Result<Val<'static>, Why> {
    let items = match list {
        Val::Held(held) => held.json().as_array(),
        Val::Null | Val::Bool(_) | Val::Number(_) => None,
    };
    let items = items.ok_or(Why::Takes(sign, "a list on its right", list.sort()))?;
    let json = item.json();
    Ok(Val::Bool(
        items.iter().any(|one| compare::equal(one, &json)),
    ))
}

fn order(sign: &'static str, a: &Val<'_>, b: &Val<'_>) -> Result<Ordering, Why> {
    let order = match (a.number(), b.number()) {
        (Ok(a), Ok(b)) => exact(a, b),
        (Ok(_) | Err(_), _) => a.text().zip(b.text()).map(|(a, b)| a.cmp(b)),
    };
    order.ok_or(Why::NoOrder(sign, a.sort(), b.sort()))
}

fn numbers(sign: &'static str, a: &Val<'_>, b: &Val<'_>) -> Result<(Exact, Exact), Why> {
    let number = |value: &Val<'_>| {
        let found = value.number();
        found.map_err(|_| Why::Takes(sign, "two numbers", value.sort()))
    };
    Ok((number(a)?, number(b)?))
}

/// Two numbers, the second of which is not zero.
fn divided(sign: &'static str, a: &Val<'_>, b: &Val<'_>) -> Result<(Exact, Exact), Why> {
    let (a, b) = numbers(sign, a, b)?;
    match b.float() == 0.0 {
        true => Err(Why::ByZero),
        false => Ok((a, b)),
    }
}

/// The result of an operator: exact between integers, else of floats.
fn arithmetic(
    numbers: (Exact, Exact),
    exactly: fn(i128, i128) -> Option<i128>,
    nearly: fn(f64, f64) -> f64,
) -> Result<Val<'static>, Why> {
    let result = match numbers {
        (Exact::Whole(a), Exact::Whole(b)) => integer(exactly(a, b)),
        (a, b) => float(nearly(a.float(), b.float())),
    };
    result.map(Val::Number)
}

/// A result within the bits of an integer.
fn integer(result: Option<i128>) -> Result<Exact, Why> {
    let bits = i128::from(i64::MIN)..=i128::from(u64::MAX);
    let result = result.filter(|result| bits.contains(result));
    result.map(Exact::Whole).ok_or(Why::Outside)
}

/// A result that is finite.
fn float(result: f64) -> Result<Exact, Why> {
    match result.is_finite() {
        true => Ok(Exact::Float(result)),
        false => Err(Why::NotFinite),
    }
}

fn call<'b>(
    builtin: Builtin,
    args: &'b [Code],
    outside: &mut dyn Outside<'b>,
    at: Span,
) -> Found<'b> {
    let name = builtin.name();
    let fault = |why| Fault { at, why };
    let number =
        |at: usize, outside: &mut dyn Outside<'b>| operand(name, Val::number, &args[at], outside);
    let is = |a: Exact, b: Exact, wanted: Ordering| exact(a, b) == Some(wanted);
    let rounded = |number: Exact, round: fn(f64) -> f64| match number {
        Exact::Whole(_) => Ok(number),
        Exact::Float(float) => match in_range(round(float)) {
            Some(whole) => Ok(Exact::Whole(whole)),
            None => Err(fault(Why::Outside)),
        },
    };
    Ok(Val::Number(match builtin {
        Builtin::Min | Builtin::Max => {
            let better = match builtin == Builtin::Min {
                true => Ordering::Less,
                false => Ordering::Greater,
            };
            let mut best = number(0, outside)?;
            for at in 1..args.len() {
                let next = number(at, outside)?;
                if is(next, best, better) {
                    best = next;
                }
            }
            best
        }
        Builtin::Abs => match number(0, outside)? {
            Exact::Whole(whole) => Exact::Whole(whole.abs()),
            Exact::Float(float) => Exact::Float(float.abs()),
        },
        Builtin::Clamp => {
            let (x, low) = (number(0, outside)?, number(1, outside)?);
            let high = number(2, outside)?;
            if is(low, high, Ordering::Greater) {
                return Err(fault(Why::Backwards));
            }
            match (is(x, low, Ordering::Less), is(x, high, Ordering::Greater)) {
                (true, _) => low,
                (_, true) => high,
                (false, false) => x,
            }
        }
        Builtin::Round => rounded(number(0, outside)?, f64::round)?,
        Builtin::Floor => rounded(number(0, outside)?, f64::floor)?,
        Builtin::Ceil => rounded(number(0, outside)?, f64::ceil)?,
        Builtin::Len => {
            let of = eval(&args[0], outside)?;
            let len = match &of {
                Val::Held(held) => match held.json() {
                    Value::String(text) => text.chars().count(),
                    Value::Array(items) => items.len(),
                    Value::Object(map) => map.len(),
                    Value::Null | Value::Bool(_) | Value::Number(_) => 0,
                },
                Val::Null | Val::Bool(_) | Val::Number(_) => {
                    let wanted = "text, a list or an object";
                    return Err(Fault {
                        at: args[0].at,
                        why: Why::Takes(name, wanted, of.sort()),
                    });
                }
            };
            Exact::Whole(len as i128)
        }
        Builtin::Has => {
            return match eval(&args[0], outside) {
                Ok(_) => Ok(Val::Bool(true)),
                Err(fault) if fault.is_missing() => Ok(Val::Bool(false)),
                Err(fault) => Err(fault),
            };
        }
    }))
}
