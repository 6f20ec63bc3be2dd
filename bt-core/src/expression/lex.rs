//! Text to tokens.

use super::ast::{Mistake, Operator, Span};
use crate::text;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Whole(u64),
    Float(f64),
    Text(Box<str>),
    Name(Box<str>),
    Key(Box<str>),
    Property(Box<str>),
    Operator(Operator),
    /// One of `! ? ?? : , . ( ) [ ]`.
    Sign(&'static str),
    End,
}

/// Signs, the longer ones first.
const SIGNS: [&str; 10] = ["??", "?", ":", ",", ".", "(", ")", "[", "]", "!"];

const OPERATORS: [Operator; 13] = [
    Operator::LessOrEqual,
    Operator::GreaterOrEqual,
    Operator::Equal,
    Operator::NotEqual,
    Operator::And,
    Operator::Or,
    Operator::Less,
    Operator::Greater,
    Operator::Times,
    Operator::Over,
    Operator::Modulo,
    Operator::Plus,
    Operator::Minus,
];

/// Signs of other languages, the longer ones first, and what to write instead.
const FOREIGN: [(&str, &str); 13] = [
    ("===", "`==` compares"),
    ("!==", "`!=` compares"),
    (":=", "an expression changes nothing; `==` compares"),
    ("+=", "an expression changes nothing"),
    ("-=", "an expression changes nothing"),
    ("**", "there are no powers; `*` multiplies"),
    ("<>", "`!=` is true of values that differ"),
    ("=", "`==` compares; an expression changes nothing"),
    ("&", "`&&` is true if both sides are"),
    ("|", "`||` is true if one side is"),
    ("{", ""),
    ("~", "`!` turns a bool around"),
    ("^", "there are no powers; `*` multiplies"),
];

#[derive(Clone, Copy)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, from: usize) -> Span {
        Span {
            from: from as u32,
            to: self.at as u32,
        }
    }

    /// Takes as many characters as pass the test.
    fn take(&mut self, test: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn next(&mut self) -> Result<(Token, Span), Mistake> {
        self.take(char::is_whitespace);
        while self.rest().starts_with('#') {
            self.take(|c| c != '\n');
            self.take(char::is_whitespace);
        }
        let from = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::End, self.span(from)));
        };
        let token = match first {
            '0'..='9' => self.number(from)?,
            '"' | '\'' => Token::Text(self.quoted(from)?),
            '$' => Token::Key(self.name_after(from)?),
            '@' => Token::Property(self.name_after(from)?),
            c if starts_name(c) => match self.take(in_name) {
                "in" => Token::Operator(Operator::In),
                name => Token::Name(name.into()),
            },
            _ => self.sign(from)?,
        };
        Ok((token, self.span(from)))
    }

    /// Takes the `=` between what is written and its value.
    pub(super) fn assign(&mut self) -> Result<(), Mistake> {
        self.take(char::is_whitespace);
        let from = self.at;
        self.take(|c| c == '=');
        match self.at - from {
            1 => Ok(()),
            _ => {
                let message = "expected `=` and the value after what is written";
                Err(Mistake::new(self.span(from), message).help("such as `$count = $count + 1`"))
            }
        }
    }

    fn sign(&mut self, from: usize) -> Result<Token, Mistake> {
        let rest = self.rest();
        let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign));
        let operator = OPERATORS.iter().find(|one| rest.starts_with(one.sign()));
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let long = |sign: Option<&str>| sign.map_or(0, str::len);
        let own = long(operator.map(|one| one.sign())).max(long(sign.copied()));
        if let Some((sign, help)) = foreign
            && sign.len() > own
        {
            self.at += sign.len();
            if *sign == "{" {
                let name = self.take(in_name);
                let message = "`{` has no meaning in an expression";
                let help = match name {
                    "" => "a list is written `[a, b]`".to_owned(),
                    name => format!("a key is written `${}`", text::name(name)),
                };
                return Err(Mistake::new(self.span(from), message).help(help));
            }
            let message = format!("`{sign}` is no operator");
            return Err(Mistake::new(self.span(from), message).help(*help));
        }
        self.at += own;
        match (operator, sign) {
            (Some(operator), _) if operator.sign().len() == own => Ok(Token::Operator(*operator)),
            (_, Some(sign)) => Ok(Token::Sign(sign)),
            (Some(_) | None, None) => {
                let found = rest.chars().next().unwrap_or_default();
                self.at += found.len_utf8();
                let message = format!("`{}` has no meaning here", found.escape_debug());
                Err(Mistake::new(self.span(from), message))
            }
        }
    }

    fn number(&mut self, from: usize) -> Result<Token, Mistake> {
        let digits = |c: char| c.is_ascii_digit();
        self.take(digits);
        let mut is_float = false;
        let after = |lexer: &Self, skip: usize| lexer.rest().chars().nth(skip);
        if after(self, 0) == Some('.') && after(self, 1).is_some_and(digits) {
            self.at += 1;
            self.take(digits);
            is_float = true;
        }
        if let Some('e' | 'E') = after(self, 0) {
            let sign = usize::from(matches!(after(self, 1), Some('+' | '-')));
            if after(self, 1 + sign).is_some_and(digits) {
                self.at += 1 + sign;
                self.take(digits);
                is_float = true;
            }
        }
        let number = &self.text[from..self.at];
        let shown = text::name(number);
        let unit = self.take(in_name);
        if !unit.is_empty() {
            let written = text::name(&self.text[from..self.at]);
            let message = format!("`{written}` is no number");
            let help =
                match unit.starts_with(|c: char| c == '_' || c.is_ascii_digit()) || number == "0" {
                    true => "a number is written in decimal digits alone".to_owned(),
                    false => format!("write `{shown}`: numbers have no units"),
                };
            return Err(Mistake::new(self.span(from), message).help(help));
        }
        let float = number.parse().ok().filter(|float: &f64| float.is_finite());
        match (is_float, number.parse(), float) {
            (false, Ok(whole), _) => Ok(Token::Whole(whole)),
            (true, _, Some(float)) => Ok(Token::Float(float)),
            (true, _, None) => Err(Mistake::new(
                self.span(from),
                format!("`{shown}` is beyond every float"),
            )),
            (false, Err(_), _) => Err(Mistake::new(
                self.span(from),
                format!(
                    "`{shown}` is no integer of 64 bits: the greatest is {}",
                    u64::MAX
                ),
            )
            .help(format!("`{shown}.0` is a float"))),
        }
    }

    fn quoted(&mut self, from: usize) -> Result<Box<str>, Mistake> {
        let begin = self.at;
        let mut chars = self.rest().char_indices();
        let quote = chars.next().map_or('"', |(_, quote)| quote);
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at = begin + at + 1;
                    return Ok(text.into());
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, c @ ('\\' | '"' | '\''))) => text.push(c),
                    Some((end, c)) => {
                        let at = Span {
                            from: (begin + at) as u32,
                            to: (begin + end + c.len_utf8()) as u32,
                        };
                        let message = format!("there is no escape `\\{}`", c.escape_debug());
                        let help = "there are `\\\\`, `\\\"`, `\\'`, `\\n` and `\\t`";
                        return Err(Mistake::new(at, message).help(help));
                    }
                    None => break,
                },
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        let message = format!("the text has no end: expected a `{quote}`");
        Err(Mistake::new(self.span(from), message))
    }

    /// The name after a `$` or an `@`.
    fn name_after(&mut self, from: usize) -> Result<Box<str>, Mistake> {
        let sign = &self.rest()[..1];
        self.at += 1;
        match self.rest().chars().next() {
            Some('"' | '\'') => match self.quoted(from)? {
                name if name.is_empty() => {
                    let message = format!("expected a name after `{sign}`, found an empty one");
                    let help = format!("such as `{sign}'hp max'`");
                    Err(Mistake::new(self.span(from), message).help(help))
                }
                name => Ok(name),
            },
            Some(c) if starts_name(c) => Ok(self.take(in_name).into()),
            Some(_) | None => {
                let message = format!("expected a name after `{sign}`");
                let help = format!("a name that is no word is quoted: `{sign}'hp max'`");
                Err(Mistake::new(self.span(from), message).help(help))
            }
        }
    }
}

/// Returns true if two texts differ in spaces, comments and the spelling of values alone.
#[cfg(feature = "save")]
pub(crate) fn means_the_same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (Lexer::new(a), Lexer::new(b));
    while let (Ok((one, _)), Ok((other, _))) = (a.next(), b.next()) {
        if one != other || one == Token::End {
            return one == other;
        }
    }
    false
}

/// Returns true if a name needs no quotation marks.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(starts_name) && name.chars().all(in_name)
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn in_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
