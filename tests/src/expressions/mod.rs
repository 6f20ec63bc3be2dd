//! The meaning of expressions, written down a second time: a tree that is walked anew each time, slow and plain.
//!
//! `read` is from a text to its tree, `evaluate` from that to its value. `generate` makes random ones, well and ill
//! typed, `write` their texts, and random edits of texts. Integers are `i128`s. Where the documentation leaves a choice,
//! the comment says *chosen*.

mod evaluate;
mod generate;
mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

pub use evaluate::{Mistake, Why, equal, evaluate, fails_constantly, known};
pub use generate::{Fit, Generated, Named, Names, Type, generate};
pub use read::{Refusal, read};
pub use write::garbled;

/// An expression, without its brackets and spaces.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number, a text, `true`, `false` or `null`.
    Literal(Value),
    /// `[a, b]`.
    List(Vec<Expression>),
    /// `$key`.
    Key(String),
    /// `@property`.
    Property(String),
    /// `name(a, b, c: d)`, of a method or a built-in.
    Call {
        /// The name that stands there.
        name: String,
        /// Those by position.
        arguments: Vec<Expression>,
        /// Those by name, in their order.
        named: Vec<(String, Expression)>,
    },
    /// `a.name`.
    Field(Box<Expression>, String),
    /// `a[b]`.
    Item(Box<Expression>, Box<Expression>),
    /// `-a`, `!a`.
    Unary(Unary, Box<Expression>),
    /// `a + b` and all others of two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`.
    Minus,
    /// `!`.
    Not,
}

impl Unary {
    /// Both, as they are written.
    pub const ALL: [(Unary, &'static str); 2] = [(Unary::Minus, "-"), (Unary::Not, "!")];
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table beside says how each is written")]
pub enum Binary {
    Times,
    Divide,
    Remainder,
    Plus,
    Minus,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Equal,
    NotEqual,
    And,
    Or,
    Otherwise,
}

impl Binary {
    /// All, as they are written, and how tightly each binds: a higher number is tighter.
    pub const ALL: [(Binary, &'static str, u8); 15] = [
        (Binary::Times, "*", 7),
        (Binary::Divide, "/", 7),
        (Binary::Remainder, "%", 7),
        (Binary::Plus, "+", 6),
        (Binary::Minus, "-", 6),
        (Binary::LessOrEqual, "<=", 5),
        (Binary::Less, "<", 5),
        (Binary::GreaterOrEqual, ">=", 5),
        (Binary::Greater, ">", 5),
        (Binary::In, "in", 5),
        (Binary::Equal, "==", 4),
        (Binary::NotEqual, "!=", 4),
        (Binary::And, "&&", 3),
        (Binary::Or, "||", 2),
        (Binary::Otherwise, "??", 1),
    ];

    /// The levels at which operators do not chain.
    pub const SINGLE: [u8; 2] = [5, 4];

    /// Its sign, and its level: the greater, the tighter it binds.
    pub fn written(self) -> (&'static str, u8) {
        let mut all = Binary::ALL.into_iter();
        let found = all.find(|(operator, ..)| *operator == self);
        let (_, text, level) = found.unwrap_or_else(|| panic!("{self:?} is not in the table"));
        (text, level)
    }
}

/// The built-in functions.
pub const BUILT_IN: [&str; 9] = [
    "min", "max", "abs", "clamp", "round", "floor", "ceil", "len", "has",
];

/// Words that are operands or operators.
pub const WORDS: [&str; 4] = ["true", "false", "null", "in"];

/// All that an expression may read and call.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The values of the keys that are set.
    pub keys: BTreeMap<String, Value>,
    /// The values of all properties.
    pub properties: BTreeMap<String, Value>,
    /// The conditions.
    pub methods: Vec<Method>,
}

/// A condition that an expression calls.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its answer to decoded arguments.
    pub answer: fn(&[Value]) -> Result<Value, String>,
}

/// A parameter of a condition.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its other name, or none.
    pub alias: Option<&'static str>,
    /// Its type.
    pub takes: Type,
    /// The value of an argument that is left out.
    pub default: Option<Value>,
}

/// The number of times that each thing occurred, by name.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    /// Counts one.
    pub fn count(&mut self, name: impl Into<String>) {
        *self.0.entry(name.into()).or_default() += 1;
    }

    /// The number of times.
    pub fn of(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Counts all operators, functions and operands of an expression.
    pub fn parts(&mut self, expression: &Expression) {
        self.count(format!("part {}", expression.says()));
        for part in expression.parts() {
            self.parts(part);
        }
    }

    /// Counts an outcome, and the type of a value.
    pub fn outcome(&mut self, outcome: &Result<Value, Mistake>) {
        match outcome {
            Ok(value) => self.count(format!("value {}", evaluate::kind(value))),
            Err(mistake) => self.count(format!("mistake {:?}", mistake.why)),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in &self.0 {
            writeln!(f, "{count:>9} {name}")?;
        }
        Ok(())
    }
}

impl Expression {
    /// The expressions that it is made of, in the order in which they are written.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Literal(_) | Expression::Key(_) | Expression::Property(_) => Vec::new(),
            Expression::List(items) => items.iter().collect(),
            Expression::Call {
                arguments, named, ..
            } => {
                let named = named.iter().map(|(_, argument)| argument);
                arguments.iter().chain(named).collect()
            }
            Expression::Field(a, _) | Expression::Unary(_, a) => vec![a],
            Expression::Item(a, b) | Expression::Binary(_, a, b) => vec![a, b],
            Expression::Choice(a, b, c) => vec![a, b, c],
        }
    }

    /// The name of its outermost part: an operator as it is written.
    fn says(&self) -> String {
        match self {
            Expression::Literal(value) => format!("literal {}", evaluate::kind(value)),
            Expression::List(_) => "list".to_owned(),
            Expression::Key(_) => "$".to_owned(),
            Expression::Property(_) => "@".to_owned(),
            Expression::Call { name, named, .. } if named.is_empty() => format!("{name}()"),
            Expression::Call { name, .. } => format!("{name}(name:)"),
            Expression::Field(..) => ".".to_owned(),
            Expression::Item(..) => "[]".to_owned(),
            Expression::Unary(Unary::Minus, _) => "unary -".to_owned(),
            Expression::Unary(Unary::Not, _) => "unary !".to_owned(),
            Expression::Binary(operator, ..) => operator.written().0.to_owned(),
            Expression::Choice(..) => "?:".to_owned(),
        }
    }
}
