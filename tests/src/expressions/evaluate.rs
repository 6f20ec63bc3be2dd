//! The value of an expression.

use std::cmp::Ordering;

use serde_json::Value;

use super::{BUILT_IN, Binary, Expression, Method, Parameter, Scope, Type, Unary};

/// The end of a whole expression without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Its sort.
    pub why: Why,
    /// In words.
    pub text: String,
}

/// The sorts of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A key is not set.
    Unset,
    /// A path leads into null, to a missing field or outside a list.
    Missing,
    /// A value of the wrong type.
    Type,
    /// A number outside all numbers, a division by zero, or a value that a type's range does not take.
    Range,
    /// The error of a call.
    Call,
}

type Evaluated = Result<Value, Mistake>;

fn mistake<T>(why: Why, text: impl Into<String>) -> Result<T, Mistake> {
    let text = text.into();
    Err(Mistake { why, text })
}

/// Evaluates an expression whose names are [`known`].
///
/// # Errors
/// The first mistake.
pub fn evaluate(expression: &Expression, scope: &Scope) -> Evaluated {
    match expression {
        Expression::Literal(value) => Ok(value.clone()),
        Expression::List(items) => {
            let items = items.iter().map(|item| evaluate(item, scope));
            items.collect::<Result<Vec<_>, _>>().map(Value::from)
        }
        Expression::Key(key) => match scope.keys.get(key) {
            Some(value) => Ok(value.clone()),
            None => mistake(Why::Unset, format!("`{key}` is not set")),
        },
        Expression::Property(property) => match scope.properties.get(property) {
            Some(value) => Ok(value.clone()),
            None => mistake(Why::Call, format!("no property `{property}`")),
        },
        Expression::Call {
            name,
            arguments,
            named,
        } => {
            if name == "has" {
                return has(arguments, scope);
            }
            // “A method with a built-in's name is not callable.”
            if BUILT_IN.contains(&&**name) {
                let values = arguments.iter().map(|argument| evaluate(argument, scope));
                return built_in(name, &values.collect::<Result<Vec<_>, _>>()?);
            }
            // *Chosen*: what is unset or missing in an argument of a method is the call's mistake, which `??` and
            // `has` do not forgive.
            call(name, arguments, named, scope).map_err(|mistake| match mistake.why {
                Why::Unset | Why::Missing => Mistake {
                    why: Why::Call,
                    ..mistake
                },
                _ => mistake,
            })
        }
        Expression::Field(of, name) => field(&evaluate(of, scope)?, name),
        Expression::Item(of, at) => {
            let of = evaluate(of, scope)?;
            item(&of, &evaluate(at, scope)?)
        }
        Expression::Unary(Unary::Not, of) => Ok(Value::Bool(!truth(&evaluate(of, scope)?)?)),
        Expression::Unary(Unary::Minus, of) => match number(&evaluate(of, scope)?)? {
            Number::Whole(whole) => from_whole(-whole),
            Number::Float(float) => from_float(-float),
        },
        Expression::Binary(operator, a, b) => binary(*operator, a, b, scope),
        Expression::Choice(of, yes, no) => match truth(&evaluate(of, scope)?)? {
            true => evaluate(yes, scope),
            false => evaluate(no, scope),
        },
    }
}

fn binary(operator: Binary, a: &Expression, b: &Expression, scope: &Scope) -> Evaluated {
    let left = evaluate(a, scope);
    if operator == Binary::Otherwise {
        // *Chosen*: an unset key or a missing path anywhere inside, not only where it is the whole left side.
        return match left {
            Ok(Value::Null) => evaluate(b, scope),
            Err(mistake) if matches!(mistake.why, Why::Unset | Why::Missing) => evaluate(b, scope),
            other => other,
        };
    }
    let left = left?;
    let right = || evaluate(b, scope);
    let holds = match operator {
        Binary::And => truth(&left)? && truth(&right()?)?,
        Binary::Or => truth(&left)? || truth(&right()?)?,
        Binary::Equal => equal(&left, &right()?),
        Binary::NotEqual => !equal(&left, &right()?),
        Binary::Less => order(&left, &right()?)? == Ordering::Less,
        Binary::LessOrEqual => order(&left, &right()?)? != Ordering::Greater,
        Binary::Greater => order(&left, &right()?)? == Ordering::Greater,
        Binary::GreaterOrEqual => order(&left, &right()?)? != Ordering::Less,
        Binary::In => match right()? {
            Value::Array(items) => items.iter().any(|item| equal(&left, item)),
            other => return wrong("a list", &other),
        },
        Binary::Plus => {
            return match (left, right()?) {
                (Value::String(a), Value::String(b)) => Ok(Value::String(a + &b)),
                (a, b) => calculate(&a, &b, i128::checked_add, |a, b| a + b),
            };
        }
        Binary::Minus => return calculate(&left, &right()?, i128::checked_sub, |a, b| a - b),
        Binary::Times => return calculate(&left, &right()?, i128::checked_mul, |a, b| a * b),
        // “`/` is always a float.”
        Binary::Divide => {
            let right = right()?;
            return from_float(number(&left)?.float() / number(&right)?.float());
        }
        Binary::Remainder => {
            return calculate(&left, &right()?, i128::checked_rem_euclid, f64::rem_euclid);
        }
        Binary::Otherwise => unreachable!("it has returned"),
    };
    Ok(Value::Bool(holds))
}

/// A number without loss.
#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Float(f64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Float(float) => float,
        }
    }
}

fn number(value: &Value) -> Result<Number, Mistake> {
    match value {
        Value::Number(number) => Ok(match (number.as_i128(), number.as_f64()) {
            (Some(whole), _) => Number::Whole(whole),
            (None, float) => Number::Float(float.unwrap_or(f64::NAN)),
        }),
        other => wrong("a number", other),
    }
}

fn truth(value: &Value) -> Result<bool, Mistake> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        other => wrong("a bool", other),
    }
}

/// The type of a value, in a word.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

fn wrong<T>(expected: &str, found: &Value) -> Result<T, Mistake> {
    let text = format!("expected {expected}, found {}: {found}", kind(found));
    mistake(Why::Type, text)
}

fn from_whole(whole: i128) -> Evaluated {
    match (i64::try_from(whole), u64::try_from(whole)) {
        (Ok(whole), _) => Ok(whole.into()),
        (_, Ok(whole)) => Ok(whole.into()),
        _ => mistake(Why::Range, format!("{whole} is outside -2^63 to 2^64-1")),
    }
}

fn from_float(float: f64) -> Evaluated {
    match float.is_finite() {
        true => Ok(float.into()),
        false => mistake(Why::Range, format!("{float} is not finite")),
    }
}

fn calculate(
    a: &Value,
    b: &Value,
    wholes: fn(i128, i128) -> Option<i128>,
    floats: fn(f64, f64) -> f64,
) -> Evaluated {
    match (number(a)?, number(b)?) {
        (Number::Whole(a), Number::Whole(b)) => match wholes(a, b) {
            Some(whole) => from_whole(whole),
            None => mistake(Why::Range, "there is no such integer"),
        },
        (a, b) => from_float(floats(a.float(), b.float())),
    }
}

fn compare(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Whole(a), Number::Whole(b)) => Some(a.cmp(&b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
        (Number::Float(_), Number::Whole(_)) => compare(b, a).map(Ordering::reverse),
        // The cast of a float beyond all `i128`s is the last of them, which no integer of JSON reaches.
        (Number::Whole(a), Number::Float(b)) => match a.cmp(&(b.trunc() as i128)) {
            Ordering::Equal => 0.0.partial_cmp(&b.fract()),
            unequal => Some(unequal),
        },
    }
}

fn order(a: &Value, b: &Value) -> Result<Ordering, Mistake> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Ok(a.chars().cmp(b.chars())),
        (Value::String(_), other) => wrong("a text", other),
        (a, b) => match compare(number(a)?, number(b)?) {
            Some(order) => Ok(order),
            None => mistake(Why::Range, "not a number"),
        },
    }
}

/// Returns true if two values are the same, numbers by value: “as blackboard values compare”.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => match (number(a), number(b)) {
            (Ok(a), Ok(b)) => compare(a, b) == Some(Ordering::Equal),
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && (0..a.len()).all(|at| equal(&a[at], &b[at]))
        }
        (Value::Object(a), Value::Object(b)) => {
            let is_there = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| equal(a, b));
            a.len() == b.len() && a.iter().all(is_there)
        }
        (a, b) => a == b,
    }
}

fn field(of: &Value, name: &str) -> Evaluated {
    match of {
        Value::Object(fields) => match fields.get(name) {
            Some(value) => Ok(value.clone()),
            None => mistake(Why::Missing, format!("no field `{name}`")),
        },
        Value::Null => mistake(Why::Missing, format!("`{name}` of null")),
        other => wrong("an object", other),
    }
}

/// *Chosen*: an object's field by its name in brackets, too; an index is a number that is whole, 2.0 as well.
fn item(of: &Value, at: &Value) -> Evaluated {
    match (of, at) {
        (Value::Object(_), Value::String(name)) => field(of, name),
        (Value::Null, _) => mistake(Why::Missing, format!("item {at} of null")),
        (Value::Array(items), at) => {
            let at = whole(at)?;
            match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                Some(item) => Ok(item.clone()),
                None => mistake(Why::Missing, format!("no item {at}")),
            }
        }
        (other, _) => wrong("a list", other),
    }
}

/// An integer, or a float that is one: “2.0, which an integer parameter takes; 3.5 is refused”.
fn whole(value: &Value) -> Result<i128, Mistake> {
    match number(value)? {
        Number::Whole(whole) => Ok(whole),
        Number::Float(float) if float.fract() == 0.0 => Ok(float as i128),
        Number::Float(float) => mistake(Why::Range, format!("{float} is no integer")),
    }
}

/// “Set, null included.”
fn has(arguments: &[Expression], scope: &Scope) -> Evaluated {
    let [path] = arguments else {
        return mistake(Why::Call, "`has` takes one path");
    };
    match evaluate(path, scope) {
        Ok(_) => Ok(true.into()),
        Err(mistake) if matches!(mistake.why, Why::Unset | Why::Missing) => Ok(false.into()),
        Err(mistake) => Err(mistake),
    }
}

fn built_in(name: &str, values: &[Value]) -> Evaluated {
    match (name, values) {
        // *Chosen*: any number of numbers, the first of equal ones as it is.
        ("min", [first, rest @ ..]) => extreme(first, rest, Ordering::Less),
        ("max", [first, rest @ ..]) => extreme(first, rest, Ordering::Greater),
        ("abs", [of]) => match number(of)? {
            Number::Whole(whole) => from_whole(whole.abs()),
            Number::Float(float) => from_float(float.abs()),
        },
        ("clamp", [of, low, high]) => {
            let [x, least, most] = [number(of)?, number(low)?, number(high)?];
            // *Chosen*: as Rust's `clamp` has it.
            if compare(least, most) == Some(Ordering::Greater) {
                return mistake(Why::Range, format!("{low} is above {high}"));
            }
            Ok(if compare(x, least) == Some(Ordering::Less) {
                low.clone()
            } else if compare(x, most) == Some(Ordering::Greater) {
                high.clone()
            } else {
                of.clone()
            })
        }
        // *Chosen*: halves away from zero.
        ("round", [of]) => rounded(of, f64::round),
        ("floor", [of]) => rounded(of, f64::floor),
        ("ceil", [of]) => rounded(of, f64::ceil),
        // *Chosen*: characters of a text, entries of an object.
        ("len", [Value::String(text)]) => Ok(text.chars().count().into()),
        ("len", [Value::Array(items)]) => Ok(items.len().into()),
        ("len", [Value::Object(fields)]) => Ok(fields.len().into()),
        ("len", [other]) => wrong("a text or a list", other),
        _ => mistake(
            Why::Call,
            format!("`{name}` does not take {}", values.len()),
        ),
    }
}

fn extreme(first: &Value, rest: &[Value], better: Ordering) -> Evaluated {
    number(first)?;
    let mut best = first;
    for value in rest {
        if compare(number(value)?, number(best)?) == Some(better) {
            best = value;
        }
    }
    Ok(best.clone())
}

fn rounded(of: &Value, round: fn(f64) -> f64) -> Evaluated {
    match number(of)? {
        Number::Whole(whole) => from_whole(whole),
        Number::Float(float) => from_whole(round(float) as i128),
    }
}

/// The argument of each parameter: “by position, then by name; aliases count, defaults too”.
fn placed<'e>(
    method: &Method,
    arguments: &'e [Expression],
    named: &'e [(String, Expression)],
) -> Result<Vec<Option<&'e Expression>>, String> {
    let mut all: Vec<_> = arguments.iter().map(Some).collect();
    if all.len() > method.parameters.len() {
        return Err(format!("`{}` takes fewer arguments", method.name));
    }
    all.resize(method.parameters.len(), None);
    for (name, argument) in named {
        let is_named = |of: &Parameter| of.name == name || of.alias == Some(name);
        match method.parameters.iter().position(is_named) {
            Some(at) if all[at].is_none() => all[at] = Some(argument),
            Some(_) => return Err(format!("`{name}` stands there twice")),
            None => return Err(format!("`{}` has no `{name}`", method.name)),
        }
    }
    for (parameter, argument) in method.parameters.iter().zip(&all) {
        if argument.is_none() && parameter.default.is_none() {
            return Err(format!("`{}` is not given", parameter.name));
        }
    }
    Ok(all)
}

fn call(
    name: &str,
    arguments: &[Expression],
    named: &[(String, Expression)],
    scope: &Scope,
) -> Evaluated {
    let method = scope.methods.iter().find(|method| method.name == name);
    let Some(method) = method else {
        return mistake(Why::Call, format!("no condition `{name}`"));
    };
    let placed = placed(method, arguments, named).or_else(|text| mistake(Why::Call, text))?;
    let mut values = Vec::new();
    for (parameter, argument) in method.parameters.iter().zip(placed) {
        values.push(match (argument, &parameter.default) {
            (Some(argument), _) => decoded(&evaluate(argument, scope)?, &parameter.takes)?,
            (None, Some(default)) => default.clone(),
            (None, None) => return mistake(Why::Call, "an argument is not given"),
        });
    }
    (method.answer)(&values).or_else(|text| mistake(Why::Call, text))
}

/// A value as a parameter takes it.
fn decoded(value: &Value, takes: &Type) -> Evaluated {
    match (takes, value) {
        (Type::Any, value) => Ok(value.clone()),
        (Type::Bool, Value::Bool(_)) | (Type::Text, Value::String(_)) => Ok(value.clone()),
        // “A float parameter takes integers that it holds exactly.”
        (Type::Float, Value::Number(_)) => match number(value)? {
            Number::Whole(whole) if whole as f64 as i128 != whole => {
                mistake(Why::Range, format!("{value} is no `f64`"))
            }
            number => Ok(number.float().into()),
        },
        // Those are `i64`s.
        (Type::Whole, Value::Number(_)) => match i64::try_from(whole(value)?) {
            Ok(whole) => Ok(whole.into()),
            Err(_) => mistake(Why::Range, format!("{value} is no `i64`")),
        },
        (Type::List(of), Value::Array(items)) => {
            let items = items.iter().map(|item| decoded(item, of));
            items.collect::<Result<Vec<_>, _>>().map(Value::from)
        }
        (Type::Map(of), Value::Object(fields)) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| Ok((name.clone(), decoded(value, of)?)));
            fields.collect::<Result<_, _>>().map(Value::Object)
        }
        (Type::Optional(_), Value::Null) => Ok(Value::Null),
        (Type::Optional(of), value) => decoded(value, of),
        (takes, value) => wrong(&takes.to_string(), value),
    }
}

/// Looks at all names and numbers of arguments, which are known before it runs.
///
/// # Errors
/// What is not there.
pub fn known(expression: &Expression, scope: &Scope) -> Result<(), String> {
    for part in expression.parts() {
        known(part, scope)?;
    }
    match expression {
        Expression::Property(name) if !scope.properties.contains_key(name) => {
            Err(format!("no property `{name}`"))
        }
        Expression::Call {
            name,
            arguments,
            named,
        } => {
            let count = arguments.len();
            let fits = match &**name {
                "has" => matches!(&**arguments, [path] if is_path(path)),
                // *Chosen*: one alone is its own extreme.
                "min" | "max" => count >= 1,
                "clamp" => count == 3,
                "abs" | "round" | "floor" | "ceil" | "len" => count == 1,
                _ => {
                    let method = scope.methods.iter().find(|method| method.name == name);
                    let method = method.ok_or_else(|| format!("no condition `{name}`"))?;
                    return placed(method, arguments, named).map(drop);
                }
            };
            // *Chosen*: parameters of built-ins have no names.
            match fits && named.is_empty() {
                true => Ok(()),
                false => Err(format!("`{name}` takes other arguments")),
            }
        }
        _ => Ok(()),
    }
}

/// *Chosen*: `has` takes a key or a property, and what is inside.
fn is_path(expression: &Expression) -> bool {
    match expression {
        Expression::Key(_) | Expression::Property(_) => true,
        Expression::Field(of, _) | Expression::Item(of, _) => is_path(of),
        _ => false,
    }
}

/// Returns true if a part without a key, a property or a method has no value. *Chosen*: it may be refused before
/// the expression runs, or be the mistake of each run that reaches it: “constants folded” leaves both.
pub fn fails_constantly(expression: &Expression) -> bool {
    let nothing = Scope::default();
    let is_too_large = |part: &Expression| {
        let value = is_constant(part).then(|| evaluate(part, &nothing));
        value.is_some_and(|value| value.is_ok_and(|value| value.is_u64() && !value.is_i64()))
    };
    // The parameters of a method have bounds, which constants are held against.
    matches!(expression, Expression::Call { .. })
        && expression.parts().into_iter().any(is_too_large)
        || is_constant(expression) && evaluate(expression, &nothing).is_err()
        || expression.parts().into_iter().any(fails_constantly)
}

fn is_constant(expression: &Expression) -> bool {
    let is_own = match expression {
        Expression::Key(_) | Expression::Property(_) => false,
        Expression::Call { name, .. } => BUILT_IN.contains(&&**name),
        _ => true,
    };
    is_own && expression.parts().into_iter().all(is_constant)
}
