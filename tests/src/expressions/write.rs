//! Random texts of expressions, and random edits of texts.

use bt_core::Random;
use serde_json::Value;

use super::generate::Grow;
use super::read::{is_first, is_inside};
use super::{Binary, Expression, Unary};

impl Grow<'_> {
    /// Writes an expression where operators of a level, or tighter ones, may stand.
    pub(super) fn write(&mut self, expression: &Expression, level: u8, to: &mut String) {
        let own = match expression {
            Expression::Choice(..) => 0,
            Expression::Binary(operator, ..) => operator.written().1,
            Expression::Unary(..) => 8,
            // `1.x` is no path into 1.
            Expression::Literal(Value::Number(_)) => 9,
            _ => 10,
        };
        if own < level || self.one_in(30) {
            to.push('(');
            self.space(to);
            self.write(expression, 0, to);
            self.space(to);
            to.push(')');
            return;
        }
        match expression {
            Expression::Literal(Value::String(text)) => self.quote(text, to),
            Expression::Literal(Value::Number(number)) => match number.as_f64() {
                Some(float) if number.is_f64() => {
                    // With all its digits, or an exponent.
                    let mut digits = float.to_string();
                    if !digits.contains('.') {
                        digits += ".0";
                    }
                    let short = format!("{float:?}");
                    *to += if self.one_in(2) { &digits } else { &short };
                }
                _ => *to += &number.to_string(),
            },
            Expression::Literal(value) => *to += &value.to_string(),
            Expression::List(items) => {
                to.push('[');
                self.write_all(items, to);
                to.push(']');
            }
            Expression::Key(name) => {
                to.push('$');
                self.name(name, to);
            }
            Expression::Property(name) => {
                to.push('@');
                self.name(name, to);
            }
            Expression::Call {
                name,
                arguments,
                named,
            } => {
                *to += name;
                to.push('(');
                self.write_all(arguments, to);
                for (number, (name, argument)) in named.iter().enumerate() {
                    if number > 0 || !arguments.is_empty() {
                        to.push(',');
                        self.space(to);
                    }
                    *to += name;
                    to.push(':');
                    self.space(to);
                    self.write(argument, 0, to);
                }
                to.push(')');
            }
            Expression::Field(of, name) => {
                self.write(of, 10, to);
                to.push('.');
                self.name(name, to);
            }
            Expression::Item(of, at) => {
                self.write(of, 10, to);
                to.push('[');
                self.write(at, 0, to);
                to.push(']');
            }
            Expression::Unary(operator, of) => {
                let mut all = Unary::ALL.into_iter();
                *to += all
                    .find(|(each, _)| each == operator)
                    .map_or("", |(_, text)| text);
                self.write(of, 8, to);
            }
            Expression::Binary(operator, a, b) => {
                let (text, _) = operator.written();
                let is_single = Binary::SINGLE.contains(&own);
                self.write(a, own + u8::from(is_single), to);
                self.around(text, to);
                self.write(b, own + 1, to);
            }
            Expression::Choice(of, yes, no) => {
                self.write(of, 1, to);
                self.around("?", to);
                self.write(yes, 0, to);
                self.around(":", to);
                self.write(no, 0, to);
            }
        }
    }

    fn write_all(&mut self, items: &[Expression], to: &mut String) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                to.push(',');
                self.space(to);
            }
            self.write(item, 0, to);
        }
    }

    fn around(&mut self, operator: &str, to: &mut String) {
        let is_tight = operator != "in" && self.one_in(4);
        *to += if is_tight { "" } else { " " };
        *to += operator;
        *to += if is_tight { "" } else { " " };
    }

    fn space(&mut self, to: &mut String) {
        if self.one_in(2) {
            to.push(' ');
        }
    }

    fn name(&mut self, name: &str, to: &mut String) {
        let is_bare = name.starts_with(is_first) && name.chars().all(is_inside);
        match is_bare && !self.one_in(10) {
            true => *to += name,
            false => self.quote(name, to),
        }
    }

    /// Without an escape: no text here has both quotes.
    fn quote(&mut self, text: &str, to: &mut String) {
        let quote = match (text.contains('\''), text.contains('"')) {
            (true, _) => '"',
            (_, true) => '\'',
            (false, false) => self.pick(&['"', '\'']),
        };
        to.push(quote);
        *to += text;
        to.push(quote);
    }
}

/// Pieces that stand in expressions, and some that do not.
const PIECES: [&str; 44] = [
    "$",
    "@",
    "(",
    ")",
    "[",
    "]",
    ".",
    ",",
    ":",
    "?",
    "??",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "=",
    "&&",
    "&",
    "||",
    "|",
    " in ",
    "\"",
    "'",
    "\\",
    "\n",
    "\0",
    "#",
    "{",
    "true",
    "True",
    "null",
    "has(",
    "1e",
    "99999999999999999999",
    "é",
    "🐺",
];

/// Edits a text at random places: characters go, come, change places and repeat.
pub fn garbled(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..random.int(1..=4) {
        let mut at = || random.int(0..=chars.len() as i64) as usize;
        let (a, b) = (at(), at());
        let (from, to) = (a.min(b), a.max(b));
        match random.int(0..=6) {
            0 if from < chars.len() => drop(chars.remove(from)),
            1 => drop(chars.drain(from..to.min(from + 3))),
            2 if to < chars.len() => chars.swap(from, to),
            3 => {
                let again: Vec<char> = chars[from..to].to_vec();
                chars.splice(to..to, again);
            }
            4 => chars.truncate(to),
            _ => {
                let piece = random.choose(&PIECES).copied().unwrap_or_default();
                chars.splice(from..from, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}
