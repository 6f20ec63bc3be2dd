//! Random expressions, well and ill typed.

use std::fmt;

use bt_core::Random;
use serde_json::Value;

use super::{Binary, Expression, Method, Unary, fails_constantly};

/// The type of a key, a property or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `int64`.
    Whole,
    /// `double`.
    Float,
    /// `bool`.
    Bool,
    /// `string`.
    Text,
    /// `array<T>`.
    List(Box<Type>),
    /// `map<T>`.
    Map(Box<Type>),
    /// `optional<T>`.
    Optional(Box<Type>),
    /// `any_value`, and what is not declared.
    Any,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Whole => f.write_str("int64"),
            Type::Float => f.write_str("double"),
            Type::Bool => f.write_str("bool"),
            Type::Text => f.write_str("string"),
            Type::List(of) => write!(f, "array<{of}>"),
            Type::Map(of) => write!(f, "map<{of}>"),
            Type::Optional(of) => write!(f, "optional<{of}>"),
            Type::Any => f.write_str("any_value"),
        }
    }
}

/// A key or property, and its type.
#[derive(Debug, Clone)]
pub struct Named {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub takes: Type,
}

/// All names of which expressions are made.
#[derive(Debug)]
pub struct Names<'n> {
    /// The keys.
    pub keys: &'n [Named],
    /// The properties.
    pub properties: &'n [Named],
    /// The conditions.
    pub methods: &'n [Method],
}

/// The judgement of the types of an expression that is known from the way in which it was made: the later one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// All types are known and fit: it loads, and no run fails for a type.
    Well,
    /// Some are `any`: it loads, and runs may fail for a type.
    Loose,
    /// The documentation leaves open whether it loads.
    Unsure,
    /// An operand can never fit: it does not load.
    Ill,
}

/// A random expression.
#[derive(Debug)]
pub struct Generated {
    /// It without brackets.
    pub expression: Expression,
    /// One of the ways in which it is written.
    pub text: String,
    /// Its types.
    pub fit: Fit,
}

/// Makes a random expression whose types fit at least so well, if that is not [`Fit::Ill`].
pub fn generate(random: &mut Random, names: &Names<'_>, worst: Fit) -> Generated {
    let mut grow = Grow {
        random,
        names,
        worst,
        fit: Fit::Well,
    };
    let depth = grow.below(6);
    let wanted = grow.type_wanted();
    let expression = grow.of(&wanted, depth);
    let mut fit = grow.fit;
    if fit < Fit::Unsure && fails_constantly(&expression) {
        fit = Fit::Unsure;
    }
    let mut text = String::new();
    grow.write(&expression, 0, &mut text);
    Generated {
        expression,
        text,
        fit,
    }
}

/// Integers at the edges of what is there.
const WHOLES: [u64; 16] = [
    0,
    1,
    2,
    3,
    4,
    7,
    10,
    100,
    1 << 31,
    (1 << 53) - 1,
    (1 << 53) + 1,
    i64::MAX as u64,
    1 << 63,
    (1 << 63) + 1,
    u64::MAX - 1,
    u64::MAX,
];

const FLOATS: [f64; 16] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    0.1,
    3.999,
    1e-9,
    5e-324,
    9007199254740993.0,
    9223372036854775808.0,
    18446744073709551616.0,
    1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
];

const TEXTS: [&str; 10] = [
    "",
    "a",
    "b",
    "ab",
    "wolf",
    "it's",
    "say \"x\"",
    "名前",
    "x + 1",
    "$hp",
];

const FIELDS: [&str; 6] = ["x", "y", "none", "in", "a b", "größe"];

pub(super) struct Grow<'g> {
    random: &'g mut Random,
    names: &'g Names<'g>,
    worst: Fit,
    fit: Fit,
}

impl Grow<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.random.int(0..=count as i64 - 1) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        let at = self.below(items.len());
        items[at].clone()
    }

    /// Lowers the judgement, if that is allowed.
    fn may(&mut self, fit: Fit) -> bool {
        let may = fit <= self.worst;
        if may {
            self.fit = self.fit.max(fit);
        }
        may
    }

    fn type_wanted(&mut self) -> Type {
        match self.below(10) {
            0..=2 => Type::Bool,
            3 | 4 => Type::Whole,
            5 | 6 => Type::Float,
            7 => Type::Text,
            8 => Type::List(self.item_type().into()),
            // What may be of different types may never be equal.
            _ if self.may(Fit::Unsure) => Type::Any,
            _ => Type::Bool,
        }
    }

    fn item_type(&mut self) -> Type {
        self.pick(&[Type::Whole, Type::Float, Type::Bool, Type::Text])
    }

    /// An operand where a type is demanded: at times one that never fits.
    fn slot(&mut self, wanted: &Type, depth: usize) -> Expression {
        if self.fit < Fit::Ill && self.one_in(12) && self.may(Fit::Ill) {
            // No operator takes a bool where it takes something else.
            let other = match wanted {
                Type::Bool => self.pick(&[Type::Whole, Type::Text]),
                _ => Type::Bool,
            };
            return self.well(&other, 0);
        }
        self.of(wanted, depth)
    }

    /// An expression of a type, of which the operands may be ill.
    fn of(&mut self, wanted: &Type, depth: usize) -> Expression {
        if *wanted != Type::Any && self.one_in(12) && self.may(Fit::Loose) {
            return self.loose(wanted);
        }
        if depth == 0 {
            return self.leaf(wanted);
        }
        let deeper = depth - 1;
        match (self.below(14), wanted) {
            (0, _) => {
                let of = self.slot(&Type::Bool, deeper);
                let [yes, no] = [self.of(wanted, deeper), self.of(wanted, deeper)];
                return Expression::Choice(of.into(), yes.into(), no.into());
            }
            (1, _) => {
                let left = self.forgiven(wanted, deeper);
                let right = self.of(wanted, deeper);
                return both(Binary::Otherwise, left, right);
            }
            (2, Type::Whole | Type::Float | Type::Bool | Type::Text) => {
                let list = self.slot(&Type::List(wanted.clone().into()), deeper);
                let at = self.index(deeper);
                return Expression::Item(list.into(), at.into());
            }
            _ => {}
        }
        match wanted {
            Type::Whole => self.whole(deeper),
            Type::Float => self.float(deeper),
            Type::Bool => self.bool(deeper),
            Type::Text => match self.below(3) {
                0 => self.leaf(wanted),
                _ => {
                    let [a, b] = [self.slot(wanted, deeper), self.slot(wanted, deeper)];
                    both(Binary::Plus, a, b)
                }
            },
            Type::List(of) => {
                let count = self.below(4);
                let items = (0..count).map(|_| self.of(of, deeper.min(2))).collect();
                Expression::List(items)
            }
            Type::Map(_) | Type::Optional(_) => self.leaf(wanted),
            Type::Any => self.any(deeper),
        }
    }

    /// The left side of `??`: mostly what may not be there.
    fn forgiven(&mut self, wanted: &Type, depth: usize) -> Expression {
        let optional = Type::Optional(wanted.clone().into());
        match self.below(3) {
            0 => self.named(&optional),
            1 => match wanted {
                Type::Float => Some(self.field_of_map()),
                _ => self.named(wanted),
            },
            _ => None,
        }
        .unwrap_or_else(|| self.of(wanted, depth))
    }

    fn field_of_map(&mut self) -> Expression {
        let map = self.leaf(&Type::Map(Type::Float.into()));
        Expression::Field(map.into(), self.pick(&FIELDS).into())
    }

    /// Mostly one that is inside.
    fn index(&mut self, depth: usize) -> Expression {
        match self.below(4) {
            0 => self.slot(&Type::Whole, depth),
            _ => whole(self.below(3) as u64),
        }
    }

    /// A key or a property of a type, if there is one.
    fn named(&mut self, wanted: &Type) -> Option<Expression> {
        let names = self.names;
        let is = |named: &&Named| named.takes == *wanted;
        let keys = names.keys.iter().filter(is);
        let keys = keys.map(|key| Expression::Key(key.name.into()));
        let properties = names.properties.iter().filter(is);
        let properties = properties.map(|property| Expression::Property(property.name.into()));
        let all: Vec<_> = keys.chain(properties).collect();
        (!all.is_empty()).then(|| self.pick(&all))
    }

    /// A leaf of a type, that fits for sure.
    fn well(&mut self, wanted: &Type, depth: usize) -> Expression {
        let (worst, before) = (self.worst, self.fit);
        (self.worst, self.fit) = (Fit::Well, Fit::Well);
        let made = self.of(wanted, depth);
        (self.worst, self.fit) = (worst, before);
        made
    }

    fn leaf(&mut self, wanted: &Type) -> Expression {
        let is_literal = self.one_in(2);
        if !is_literal && let Some(named) = self.named(wanted) {
            return named;
        }
        match wanted {
            Type::Whole => whole(match self.below(3) {
                0 => self.pick(&WHOLES),
                _ => self.below(12) as u64,
            }),
            Type::Float => Expression::Literal(self.pick(&FLOATS).into()),
            Type::Bool => Expression::Literal(self.one_in(2).into()),
            Type::Text => Expression::Literal(self.pick(&TEXTS).into()),
            Type::List(of) => {
                let count = self.below(4);
                Expression::List((0..count).map(|_| self.leaf(of)).collect())
            }
            // There are no literals.
            Type::Map(_) | Type::Optional(_) => match self.named(wanted) {
                Some(named) => named,
                None => self.leaf(&Type::Bool),
            },
            Type::Any => {
                let wanted = self.item_type();
                self.leaf(&wanted)
            }
        }
    }

    fn whole(&mut self, depth: usize) -> Expression {
        match self.below(10) {
            0..=4 => {
                let operator = self.pick(&[
                    Binary::Plus,
                    Binary::Minus,
                    Binary::Times,
                    Binary::Remainder,
                ]);
                let [a, b] = [Type::Whole, Type::Whole].map(|wanted| self.slot(&wanted, depth));
                both(operator, a, b)
            }
            5 => Expression::Unary(Unary::Minus, self.slot(&Type::Whole, depth).into()),
            6 => {
                let name = self.pick(&["round", "floor", "ceil"]);
                let of = self.slot(&Type::Float, depth);
                called(name, vec![of])
            }
            7 => {
                let of = self.item_type();
                let of = self.pick(&[Type::Text, Type::List(of.into())]);
                let of = self.slot(&of, depth);
                called("len", vec![of])
            }
            _ => self.bounded(&Type::Whole, depth),
        }
    }

    /// `abs min max clamp` of a sort of numbers.
    fn bounded(&mut self, wanted: &Type, depth: usize) -> Expression {
        let name = self.pick(&["abs", "min", "max", "clamp"]);
        let count = match name {
            "abs" => 1,
            "clamp" => 3,
            _ => 2 + self.below(2),
        };
        if name == "clamp" && !self.one_in(3) {
            let bounds = [whole(1), whole(5)];
            let mut arguments = vec![self.slot(wanted, depth)];
            arguments.extend(bounds);
            return called(name, arguments);
        }
        called(name, (0..count).map(|_| self.slot(wanted, depth)).collect())
    }

    fn number_type(&mut self) -> Type {
        self.pick(&[Type::Whole, Type::Float])
    }

    fn float(&mut self, depth: usize) -> Expression {
        match self.below(9) {
            0..=2 => {
                let operator = self.pick(&[
                    Binary::Plus,
                    Binary::Minus,
                    Binary::Times,
                    Binary::Remainder,
                ]);
                let other = self.number_type();
                let (a, b) = (self.slot(&Type::Float, depth), self.slot(&other, depth));
                match self.one_in(2) {
                    true => both(operator, a, b),
                    false => both(operator, b, a),
                }
            }
            3 | 4 => {
                let (a, b) = (self.number_type(), self.number_type());
                let [a, b] = [a, b].map(|wanted| self.slot(&wanted, depth));
                both(Binary::Divide, a, b)
            }
            5 => Expression::Unary(Unary::Minus, self.slot(&Type::Float, depth).into()),
            6 => self.field_of_map(),
            _ => self.bounded(&Type::Float, depth),
        }
    }

    fn bool(&mut self, depth: usize) -> Expression {
        match self.below(16) {
            0 => Expression::Unary(Unary::Not, self.slot(&Type::Bool, depth).into()),
            1..=4 => {
                let operator = self.pick(&[Binary::And, Binary::Or]);
                let [a, b] = [Type::Bool, Type::Bool].map(|wanted| self.slot(&wanted, depth));
                both(operator, a, b)
            }
            5..=7 => {
                let operator = self.pick(&[
                    Binary::Less,
                    Binary::LessOrEqual,
                    Binary::Greater,
                    Binary::GreaterOrEqual,
                ]);
                let wanted = match self.one_in(4) {
                    true => [Type::Text, Type::Text],
                    false => [self.number_type(), self.number_type()],
                };
                let [a, b] = wanted.map(|wanted| self.slot(&wanted, depth));
                both(operator, a, b)
            }
            8..=10 => {
                let operator = self.pick(&[Binary::Equal, Binary::NotEqual]);
                let a = self.type_wanted();
                // “Never fail”, but nothing says that what is never equal loads.
                let b = match self.one_in(5) && self.may(Fit::Unsure) {
                    true => self.type_wanted(),
                    false => a.clone(),
                };
                let [a, b] = [a, b].map(|wanted| self.of(&wanted, depth));
                both(operator, a, b)
            }
            11 | 12 => {
                let of = self.item_type();
                let list = self.slot(&Type::List(of.clone().into()), depth);
                let of = self.of(&of, depth);
                both(Binary::In, of, list)
            }
            13 => {
                let path = self.path();
                called("has", vec![path])
            }
            _ => self.call(depth),
        }
    }

    /// A path for `has`.
    fn path(&mut self) -> Expression {
        let wanted = match self.below(4) {
            0 => return self.field_of_map_key(),
            1 => Type::List(self.item_type().into()),
            2 if self.may(Fit::Loose) => return self.inside(&Type::Bool),
            _ => self.item_type(),
        };
        let named = self
            .named(&wanted)
            .unwrap_or_else(|| Expression::Key("none".into()));
        match wanted {
            Type::List(_) => Expression::Item(named.into(), self.index(0).into()),
            _ => named,
        }
    }

    fn field_of_map_key(&mut self) -> Expression {
        let map = self.named(&Type::Map(Type::Float.into()));
        let map = map.unwrap_or_else(|| Expression::Key("none".into()));
        Expression::Field(map.into(), self.pick(&FIELDS).into())
    }

    fn call(&mut self, depth: usize) -> Expression {
        let methods = self.names.methods;
        if methods.is_empty() {
            return self.leaf(&Type::Bool);
        }
        let method = &methods[self.below(methods.len())];
        let (mut arguments, mut named) = (Vec::new(), Vec::new());
        for parameter in &method.parameters {
            if parameter.default.is_some() && self.one_in(3) {
                continue;
            }
            let argument = self.slot(&parameter.takes, depth);
            let is_next = arguments.len() + named.len() < method.parameters.len()
                && named.is_empty()
                && method.parameters[arguments.len()].name == parameter.name;
            if is_next && !self.one_in(3) {
                arguments.push(argument);
                continue;
            }
            let name = parameter.alias.filter(|_| self.one_in(2));
            named.push((name.unwrap_or(parameter.name).to_owned(), argument));
        }
        self.random.shuffle(&mut named);
        Expression::Call {
            name: method.name.into(),
            arguments,
            named,
        }
    }

    /// Something of which no type is known; or, where that is not allowed, of any type.
    fn any(&mut self, depth: usize) -> Expression {
        match self.below(6) {
            0 if self.may(Fit::Loose) => Expression::Literal(Value::Null),
            1..=3 if self.may(Fit::Loose) => {
                let of = self.item_type();
                self.loose(&of)
            }
            4 if self.may(Fit::Unsure) => {
                // Of several types.
                let count = self.below(4);
                Expression::List((0..count).map(|_| self.any(0)).collect())
            }
            _ => {
                let wanted = self.item_type();
                self.of(&wanted, depth)
            }
        }
    }

    /// An operand that may be of a type when it runs.
    fn loose(&mut self, wanted: &Type) -> Expression {
        // “What check passes never fails for its types”: null is of this one, so it may be refused.
        let optional = match self.one_in(3) && self.may(Fit::Unsure) {
            true => self.named(&Type::Optional(wanted.clone().into())),
            false => None,
        };
        optional.unwrap_or_else(|| self.inside(wanted))
    }

    /// A key of any type, and what may be inside; where there is none, a leaf.
    fn inside(&mut self, wanted: &Type) -> Expression {
        let mut made = self.named(&Type::Any);
        for _ in 0..self.below(3) {
            made = made.map(|of| match self.one_in(3) {
                true => Expression::Item(of.into(), whole(self.below(3) as u64).into()),
                false => Expression::Field(of.into(), self.pick(&FIELDS).into()),
            });
        }
        made.unwrap_or_else(|| self.leaf(wanted))
    }
}

fn whole(number: u64) -> Expression {
    Expression::Literal(number.into())
}

fn both(operator: Binary, a: Expression, b: Expression) -> Expression {
    Expression::Binary(operator, a.into(), b.into())
}

fn called(name: &str, arguments: Vec<Expression>) -> Expression {
    Expression::Call {
        name: name.into(),
        arguments,
        named: Vec::new(),
    }
}
