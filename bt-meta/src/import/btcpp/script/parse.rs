//! A script as a tree.

use super::lex::{Token, lex};
use super::{Fault, fault};

/// Statements, in order.
pub(in super::super) type Script = Vec<Statement>;

/// A statement, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Statement {
    /// `name := value`; the operator is the sign.
    Write {
        at: usize,
        name: String,
        sign: &'static str,
        value: Expr,
    },
    /// A value alone.
    Value(Expr),
}

/// An expression, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Expr {
    pub(super) at: usize,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    Int(i64),
    Real(String),
    Text(String),
    Bool(bool),
    Name(String),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    /// `&&` or `||`.
    Logic(&'static str, Box<Expr>, Box<Expr>),
    /// `+ - * / ..`.
    Arithmetic(&'static str, Box<Expr>, Box<Expr>),
    /// Operands with a comparison between each and the next.
    Compare(Vec<Expr>, Vec<&'static str>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

const BITWISE: &str = "a query of the agent can compute it";
/// Operators nest so deep at most.
const MAX_DEPTH: usize = 64;

/// Reads a script.
pub(in super::super) fn parse(text: &str) -> Result<Script, Fault> {
    let mut parser = Parser {
        tokens: lex(text)?,
        next: 0,
        depth: 0,
    };
    let mut script = Vec::new();
    while parser.sign(";") {}
    while parser.peek() != Token::End {
        script.push(parser.statement()?);
        if !parser.sign(";") && parser.peek() != Token::End {
            return fault(
                parser.at(),
                "a statement has no end",
                "write `;` between statements",
            );
        }
        while parser.sign(";") {}
    }
    match script.is_empty() {
        true => fault(0, "a script says nothing", "take the attribute out"),
        false => Ok(script),
    }
}

struct Parser<'t> {
    tokens: Vec<(usize, Token<'t>)>,
    next: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    fn take(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes a sign if it is next.
    fn sign(&mut self, sign: &str) -> bool {
        let is_it = self.peek()
            == Token::Sign(
                SIGN.iter()
                    .find(|known| **known == sign)
                    .copied()
                    .unwrap_or(""),
            );
        if is_it {
            self.take();
        }
        is_it
    }

    /// The first of these signs, if one is next.
    fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let Token::Sign(sign) = self.peek() else {
            return None;
        };
        if !signs.contains(&sign) {
            return None;
        }
        self.take();
        Some(sign)
    }

    fn statement(&mut self) -> Result<Statement, Fault> {
        let at = self.at();
        let value = self.ternary()?;
        let Some(sign) = self.one_of(&[":=", "=", "+=", "-=", "*=", "/="]) else {
            return Ok(Statement::Value(value));
        };
        let What::Name(name) = value.what else {
            return fault(
                at,
                "what is written to is no entry of the blackboard",
                "write a name in front of it",
            );
        };
        let value = self.ternary()?;
        match self.one_of(&[":=", "=", "+=", "-=", "*=", "/="]) {
            Some(_) => fault(
                self.at(),
                "an assignment is inside another",
                "write two statements",
            ),
            None => Ok(Statement::Write {
                at,
                name,
                sign,
                value,
            }),
        }
    }

    fn ternary(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return fault(
                self.at(),
                "a script is nested too deep",
                "write several statements",
            );
        }
        let at = self.at();
        let mut all = self.either()?;
        if self.sign("?") {
            let then = self.ternary()?;
            if !self.sign(":") {
                return fault(
                    self.at(),
                    "`?` has no `:`",
                    "write `condition ? value : other`",
                );
            }
            let other = self.ternary()?;
            let what = What::If(Box::new(all), Box::new(then), Box::new(other));
            all = Expr { at, what };
        }
        self.depth -= 1;
        Ok(all)
    }

    fn either(&mut self) -> Result<Expr, Fault> {
        self.left(&["||"], Self::both, What::Logic)
    }

    fn both(&mut self) -> Result<Expr, Fault> {
        self.left(&["&&"], Self::comparison, What::Logic)
    }

    fn comparison(&mut self) -> Result<Expr, Fault> {
        let at = self.at();
        let mut operands = vec![self.sum()?];
        let mut signs = Vec::new();
        while let Some(sign) = self.one_of(&["==", "!=", "<=", ">=", "<", ">"]) {
            signs.push(sign);
            operands.push(self.sum()?);
        }
        match operands.pop() {
            Some(alone) if signs.is_empty() => Ok(alone),
            last => {
                operands.extend(last);
                Ok(Expr {
                    at,
                    what: What::Compare(operands, signs),
                })
            }
        }
    }

    fn sum(&mut self) -> Result<Expr, Fault> {
        let sum = self.left(&["+", "-", ".."], Self::product, What::Arithmetic)?;
        if let Token::Sign(sign @ ("&" | "|" | "^")) = self.peek() {
            return fault(
                self.at(),
                format!("`{sign}` works on bits, which expressions do not"),
                BITWISE,
            );
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Expr, Fault> {
        self.left(&["*", "/"], Self::prefix, What::Arithmetic)
    }

    fn left(
        &mut self,
        signs: &[&'static str],
        tighter: fn(&mut Self) -> Result<Expr, Fault>,
        what: fn(&'static str, Box<Expr>, Box<Expr>) -> What,
    ) -> Result<Expr, Fault> {
        let at = self.at();
        let mut all = tighter(self)?;
        let mut count = 0;
        while let Some(sign) = self.one_of(signs) {
            count += 1;
            if count > MAX_DEPTH {
                return fault(
                    self.at(),
                    "a script has too many operators in a row",
                    "write several statements",
                );
            }
            let right = tighter(self)?;
            all = Expr {
                at,
                what: what(sign, Box::new(all), Box::new(right)),
            };
        }
        Ok(all)
    }

    fn prefix(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return fault(
                self.at(),
                "a script is nested too deep",
                "write several statements",
            );
        }
        let at = self.at();
        let what = match self.take() {
            Token::Sign("!") => What::Not(Box::new(self.prefix()?)),
            Token::Sign("-") => What::Minus(Box::new(self.prefix()?)),
            Token::Sign("~") => {
                return fault(at, "`~` works on bits, which expressions do not", BITWISE);
            }
            Token::Sign("(") => {
                let inside = self.ternary()?;
                if !self.sign(")") {
                    return fault(self.at(), "`(` is not closed", "write `)`");
                }
                inside.what
            }
            Token::Int(text) => What::Int(whole(text, at)?),
            Token::Real(text) => What::Real(text.to_owned()),
            Token::Text(text) => What::Text(text.to_owned()),
            Token::Bool(value) => What::Bool(value),
            Token::Name(name) => What::Name(name.to_owned()),
            Token::Sign(_) | Token::End => {
                return fault(
                    at,
                    "a value is missing",
                    "write a number, a text in `'`, or a name",
                );
            }
        };
        self.depth -= 1;
        Ok(Expr { at, what })
    }
}

/// The signs that are looked for one by one.
const SIGN: [&str; 4] = [";", "?", ":", ")"];

fn whole(text: &str, at: usize) -> Result<i64, Fault> {
    let hex = text
        .get(..2)
        .filter(|start| start.eq_ignore_ascii_case("0x"))
        .map(|_| &text[2..]);
    let parsed = match hex {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.or_else(|_| fault(at, "a number is beyond 64 bits", "write a smaller one"))
}
