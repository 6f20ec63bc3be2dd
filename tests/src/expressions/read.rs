//! From a text to its expression.

use std::fmt;

use serde_json::Value;

use super::{Binary, Expression, Unary, WORDS};

/// The reason why a text is no expression, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.why)
    }
}

/// The depth of brackets and operators. *Chosen*: “depth and length are bounded”, no number is given.
const DEEPEST: usize = 100;

type Read<T> = Result<T, Refusal>;

/// Reads an expression.
///
/// # Errors
/// The first place that does not belong there.
pub fn read(text: &str) -> Read<Expression> {
    let mut reader = Reader {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    let expression = reader.expression()?;
    reader.skip();
    match reader.peek() {
        None => Ok(expression),
        Some(_) => reader.refuse("an operator or the end"),
    }
}

struct Reader {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn refuse<T>(&self, expected: &str) -> Read<T> {
        self.refuse_at(self.at, format!("expected {expected}"))
    }

    fn refuse_at<T>(&self, at: usize, why: impl Into<String>) -> Read<T> {
        let before = &self.text[..at];
        let line = before.iter().rposition(|char| *char == '\n');
        Err(Refusal {
            line: 1 + before.iter().filter(|char| **char == '\n').count(),
            column: 1 + at - line.map_or(0, |newline| newline + 1),
            why: why.into(),
        })
    }

    /// Returns true if a text stands at a place.
    fn stands(&self, text: &str) -> bool {
        let mut wanted = text.chars().enumerate();
        wanted.all(|(number, char)| self.text.get(self.at + number) == Some(&char))
    }

    /// Takes a mark after spaces, if it stands there.
    fn take(&mut self, mark: &str) -> bool {
        self.skip();
        let stands = self.stands(mark);
        if stands {
            self.at += mark.chars().count();
        }
        stands
    }

    fn expect(&mut self, mark: &str) -> Read<()> {
        match self.take(mark) {
            true => Ok(()),
            false => self.refuse(&format!("`{mark}`")),
        }
    }

    /// The operator that stands here. `&` alone, `=` and `?` are none.
    fn operator(&self) -> Option<(Binary, &'static str, u8)> {
        // The longer ones stand before their beginnings.
        Binary::ALL.into_iter().find(|(operator, text, _)| {
            let after = self.text.get(self.at + text.len());
            let is_word = *operator == Binary::In;
            self.stands(text) && !(is_word && after.is_some_and(|after| is_inside(*after)))
        })
    }

    /// `?:`, to the right.
    fn expression(&mut self) -> Read<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.refuse("fewer brackets");
        }
        let mut expression = self.binary(1)?;
        if self.take("?") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            expression = Expression::Choice(expression.into(), yes.into(), no.into());
        }
        self.depth -= 1;
        Ok(expression)
    }

    /// Operators of a level and all tighter ones, to the left.
    fn binary(&mut self, level: u8) -> Read<Expression> {
        if level > 7 {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        let mut is_first = true;
        loop {
            self.skip();
            let Some((operator, text, of)) = self.operator() else {
                return Ok(left);
            };
            if of != level {
                return Ok(left);
            }
            if !is_first && Binary::SINGLE.contains(&level) {
                return self.refuse_at(self.at, "comparisons do not chain");
            }
            is_first = false;
            self.at += text.len();
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, left.into(), right.into());
        }
    }

    fn unary(&mut self) -> Read<Expression> {
        self.skip();
        let operator = match self.peek() {
            Some('-') => Unary::Minus,
            Some('!') => Unary::Not,
            _ => return self.postfix(),
        };
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.refuse("fewer operators");
        }
        self.at += 1;
        let operand = self.unary()?;
        self.depth -= 1;
        Ok(Expression::Unary(operator, operand.into()))
    }

    /// *Chosen*: after any operand but a number, whose `.` is its own.
    fn postfix(&mut self) -> Read<Expression> {
        let mut of = self.operand()?;
        loop {
            if self.take(".") {
                of = Expression::Field(of.into(), self.name()?);
            } else if self.take("[") {
                let at = self.expression()?;
                self.expect("]")?;
                of = Expression::Item(of.into(), at.into());
            } else {
                return Ok(of);
            }
        }
    }

    fn operand(&mut self) -> Read<Expression> {
        self.skip();
        let begin = self.at;
        let Some(first) = self.peek() else {
            return self.refuse("an operand");
        };
        match first {
            '(' => {
                self.at += 1;
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            '[' => {
                self.at += 1;
                self.list()
            }
            '$' => {
                self.at += 1;
                Ok(Expression::Key(self.name()?))
            }
            '@' => {
                self.at += 1;
                Ok(Expression::Property(self.name()?))
            }
            '"' | '\'' => Ok(Expression::Literal(self.quoted()?.into())),
            '0'..='9' => self.number(),
            first if is_first(first) => match &*self.bare() {
                "true" => Ok(Expression::Literal(true.into())),
                "false" => Ok(Expression::Literal(false.into())),
                "null" => Ok(Expression::Literal(Value::Null)),
                "in" => self.refuse_at(begin, "`in` has nothing on its left"),
                name => self.call(begin, name.to_owned()),
            },
            _ => self.refuse("an operand"),
        }
    }

    /// *Chosen*: no comma after the last one.
    fn list(&mut self) -> Read<Expression> {
        let mut items = Vec::new();
        if self.take("]") {
            return Ok(Expression::List(items));
        }
        loop {
            items.push(self.expression()?);
            if self.take("]") {
                return Ok(Expression::List(items));
            }
            self.expect(",")?;
        }
    }

    fn call(&mut self, begin: usize, name: String) -> Read<Expression> {
        if !self.take("(") {
            let why =
                format!("`{name}` alone is nothing: `${name}` is a key, `@{name}` a property");
            return self.refuse_at(begin, why);
        }
        let (mut arguments, mut named) = (Vec::new(), Vec::new());
        if !self.take(")") {
            loop {
                let begin = self.at;
                if let Some(name) = self.name_of_argument() {
                    named.push((name, self.expression()?));
                } else if named.is_empty() {
                    arguments.push(self.expression()?);
                } else {
                    return self.refuse_at(begin, "an argument by position follows one by name");
                }
                if self.take(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        Ok(Expression::Call {
            name,
            arguments,
            named,
        })
    }

    /// `name:`, or nothing is taken.
    fn name_of_argument(&mut self) -> Option<String> {
        self.skip();
        let begin = self.at;
        if self.peek().is_some_and(is_first) {
            let name = self.bare();
            if !WORDS.contains(&&*name) && self.take(":") {
                return Some(name);
            }
        }
        self.at = begin;
        None
    }

    /// A name, or one in quotes, without a space before it.
    fn name(&mut self) -> Read<String> {
        match self.peek() {
            Some('"' | '\'') => self.quoted(),
            Some(first) if is_first(first) => Ok(self.bare()),
            _ => self.refuse("a name, or one in quotes"),
        }
    }

    fn bare(&mut self) -> String {
        let begin = self.at;
        while self.peek().is_some_and(is_inside) {
            self.at += 1;
        }
        self.text[begin..self.at].iter().collect()
    }

    /// *Chosen*: escapes are those of JSON, and `\'`.
    fn quoted(&mut self) -> Read<String> {
        let begin = self.at;
        let quote = self.peek();
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(char) = self.peek() else {
                return self.refuse_at(begin, "the quote is not closed");
            };
            self.at += 1;
            if Some(char) == quote {
                return Ok(text);
            }
            if char != '\\' {
                text.push(char);
                continue;
            }
            let Some(escaped) = self.peek() else {
                return self.refuse_at(begin, "the quote is not closed");
            };
            self.at += 1;
            text.push(match escaped {
                '\\' | '/' | '"' | '\'' => escaped,
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => self.unicode()?,
                _ => return self.refuse_at(self.at - 2, "no such escape"),
            });
        }
    }

    fn unicode(&mut self) -> Read<char> {
        let digits: String = self.text.iter().skip(self.at).take(4).collect();
        let is_hex = digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
        let number = u32::from_str_radix(&digits, 16).ok().filter(|_| is_hex);
        match number.and_then(char::from_u32) {
            Some(char) => {
                self.at += 4;
                Ok(char)
            }
            None => self.refuse_at(self.at - 2, "no such escape"),
        }
    }

    /// *Chosen*: as JSON has numbers, without the sign; one that neither an integer from -2^63 to 2^64-1 nor a finite
    /// float holds is refused. An integer stays one: a number with a fraction or an exponent is a float.
    fn number(&mut self) -> Read<Expression> {
        let begin = self.at;
        self.digits();
        let mut is_float = false;
        let digit_after = |reader: &Reader, ahead: usize| {
            let after = reader.text.get(reader.at + ahead);
            after.is_some_and(char::is_ascii_digit)
        };
        if self.peek() == Some('.') {
            if !digit_after(self, 1) {
                self.at += 1;
                return self.refuse("a digit");
            }
            is_float = true;
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some('+' | '-')));
            if !digit_after(self, 1 + sign) {
                return self.refuse("an exponent");
            }
            is_float = true;
            self.at += 1 + sign;
            self.digits();
        }
        if self.peek().is_some_and(is_inside) {
            return self.refuse("the end of the number");
        }
        let text: String = self.text[begin..self.at].iter().collect();
        let starts_with_0 = text.len() > 1 && text.starts_with('0');
        if starts_with_0 && text[1..].starts_with(|next: char| next.is_ascii_digit()) {
            return self.refuse_at(begin, "a number does not begin with 0");
        }
        let value = match is_float {
            true => text
                .parse()
                .ok()
                .filter(|float: &f64| float.is_finite())
                .map(Value::from),
            false => text.parse().ok().map(|integer: u64| Value::from(integer)),
        };
        match value {
            Some(value) => Ok(Expression::Literal(value)),
            None => self.refuse_at(begin, "the number is too large"),
        }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|char| char.is_ascii_digit()) {
            self.at += 1;
        }
    }
}

/// “A letter or `_`, then letters, digits, `_` (Unicode).”
pub(super) fn is_first(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

pub(super) fn is_inside(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
