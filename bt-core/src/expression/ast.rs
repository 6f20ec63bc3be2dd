//! A text that was read: what it means, each part with its place.

use std::fmt;

use serde_json::Value;

use super::builtins::Builtin;

/// A part of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
}

impl Span {
    /// From the one's beginning to the other's end.
    pub(super) fn until(self, other: Span) -> Span {
        Span {
            from: self.from,
            to: other.to,
        }
    }

    /// The part itself.
    pub fn of(self, text: &str) -> &str {
        text.get(self.from as usize..self.to as usize).unwrap_or("")
    }

    /// "column 7" of a text, or "line 2, column 7" of one with several lines.
    pub fn words(self, text: &str) -> String {
        Place(self, text).to_string()
    }

    /// Its line and its column in a text, both from 1, in characters.
    pub fn place(self, text: &str) -> (usize, usize) {
        let before = text.get(..self.from as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count() + 1)
    }
}

/// Something that is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Its place.
    pub at: Span,
    /// The mistake, what was expected and what was found.
    pub message: String,
    /// The remedy; empty if nobody can know it.
    pub help: String,
    /// True if it may work all the same.
    pub is_doubt: bool,
}

impl Mistake {
    pub(super) fn new(at: Span, message: impl Into<String>) -> Mistake {
        Mistake {
            at,
            message: message.into(),
            help: String::new(),
            is_doubt: false,
        }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Mistake {
        self.help = help.into();
        self
    }

    /// The message with its column, and with its line where the text has several.
    pub fn words(&self, text: &str) -> String {
        format!("{}: {}", Place(self.at, text), self.message)
    }
}

/// "column 7", or "line 2, column 7".
pub(super) struct Place<'t>(pub(super) Span, pub(super) &'t str);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place(at, text) = self;
        let (line, column) = at.place(text);
        if text.contains('\n') {
            write!(f, "line {line}, ")?;
        }
        write!(f, "column {column}")
    }
}

/// An operand, or several put together.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its place, with brackets around it.
    pub at: Span,
    /// The number of operands inside one another.
    pub(super) depth: u8,
    /// Its meaning.
    pub form: Form,
}

/// The meaning of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A value.
    Literal(Value),
    /// A list of values.
    List(Vec<Expr>),
    /// The value of a key.
    Key(Spelled),
    /// The value of a property.
    Property(Spelled),
    /// A field of a value.
    Field(Box<Expr>, Spelled),
    /// An item of a list, or the value of a name.
    Item(Box<Expr>, Box<Expr>),
    /// The answer of a method.
    Call(Spelled, Vec<Argument>),
    /// The answer of a built-in function, its arguments in its order.
    #[doc(hidden)]
    Builtin(Builtin, Vec<Expr>),
    /// `!`
    Not(Box<Expr>),
    /// `-`
    Minus(Box<Expr>),
    /// Two values and what is between them.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a ?? b`
    Otherwise(Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Choose(Box<[Expr; 3]>),
}

/// The thing that a name in an expression names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// `$name`
    Key,
    /// `@name`
    Property,
    /// `name(…)`, which is no built-in function.
    Method,
}

impl Form {
    /// The name of a key, of a property or of a method that is called; none of anything else.
    pub(crate) fn named(&self) -> Option<(Named, &Spelled)> {
        match self {
            Form::Key(key) => Some((Named::Key, key)),
            Form::Property(property) => Some((Named::Property, property)),
            Form::Call(method, _) => Some((Named::Method, method)),
            Form::Literal(_)
            | Form::List(_)
            | Form::Field(..)
            | Form::Item(..)
            | Form::Builtin(..)
            | Form::Not(_)
            | Form::Minus(_)
            | Form::Binary(..)
            | Form::Otherwise(..)
            | Form::Choose(_) => None,
        }
    }
}

/// A name, and where it stands, without its sign and its quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelled {
    /// The name.
    pub name: Box<str>,
    /// Its place, with sign and quotation marks.
    pub at: Span,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The parameter that it names.
    pub name: Option<Spelled>,
    /// Its value.
    pub value: Expr,
}

/// The sign between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is its sign")]
pub enum Operator {
    Times,
    Over,
    Modulo,
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
}

impl Operator {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Times => "*",
            Operator::Over => "/",
            Operator::Modulo => "%",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::In => "in",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }

    /// The greater, the tighter it binds.
    pub(super) fn level(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Equal | Operator::NotEqual => 3,
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::In => 4,
            Operator::Plus | Operator::Minus => 5,
            Operator::Times | Operator::Over | Operator::Modulo => 6,
        }
    }

    /// Returns true if a second one of its level may not follow.
    pub(super) fn is_comparison(self) -> bool {
        matches!(self.level(), 3 | 4)
    }
}

impl Expr {
    /// Shows each part, an expression before what is inside it.
    pub fn walk<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        see(self);
        self.parts(&mut |part| part.walk(see));
    }

    /// Shows what is directly inside it, from left to right.
    pub fn parts<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        match &self.form {
            Form::Literal(_) | Form::Key(_) | Form::Property(_) => {}
            Form::List(items) | Form::Builtin(_, items) => items.iter().for_each(see),
            Form::Field(of, _) | Form::Not(of) | Form::Minus(of) => see(of),
            Form::Item(a, b) | Form::Binary(_, a, b) | Form::Otherwise(a, b) => {
                see(a);
                see(b);
            }
            Form::Call(_, args) => args.iter().for_each(|arg| see(&arg.value)),
            Form::Choose(parts) => parts.iter().for_each(see),
        }
    }

    /// The keys that are written in it, in their order, each once.
    pub fn keys(&self) -> Vec<&str> {
        self.names(Named::Key)
    }

    /// The same of properties.
    pub fn properties(&self) -> Vec<&str> {
        self.names(Named::Property)
    }

    fn names(&self, of: Named) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        self.walk(&mut |part| {
            if let Some((named, Spelled { name, .. })) = part.form.named()
                && named == of
                && !names.contains(&&**name)
            {
                names.push(name);
            }
        });
        names
    }
}
