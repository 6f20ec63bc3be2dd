//! The words of a script.

use super::{Fault, fault};

/// A word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'t> {
    Int(&'t str),
    Real(&'t str),
    Text(&'t str),
    Bool(bool),
    Name(&'t str),
    Sign(&'static str),
    End,
}

/// Signs, the longer ones first.
const SIGNS: [&str; 30] = [
    "..", "&&", "||", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=", "/=", "+", "-", "*", "/",
    "&", "|", "^", "~", "!", "<", ">", "=", "?", ":", "(", ")", ";", ",",
];

/// The words, each with its place.
pub(super) fn lex(text: &str) -> Result<Vec<(usize, Token<'_>)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (token, length) = token(&text[at..], at, c)?;
        tokens.push((at, token));
        at += length;
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

fn token(rest: &str, at: usize, first: char) -> Result<(Token<'_>, usize), Fault> {
    if let Some(inside) = rest.strip_prefix('\'') {
        return match inside.find('\'') {
            Some(end) => Ok((Token::Text(&inside[..end]), end + 2)),
            None => fault(at, "a text has no end", "close it with `'`"),
        };
    }
    if first.is_ascii_digit() {
        return number(rest, at);
    }
    if first.is_ascii_alphabetic() || first == '_' || first == '@' {
        let end = rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..end.map_or(rest.len(), |end| end + 1)];
        return Ok(match name {
            "true" | "false" => (Token::Bool(name == "true"), name.len()),
            _ => (Token::Name(name), name.len()),
        });
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => fault(
            at,
            format!("`{}` has no meaning in a script", first.escape_debug()),
            "take it out",
        ),
    }
}

fn number(rest: &str, at: usize) -> Result<(Token<'_>, usize), Fault> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let is_hex = rest.len() > 2
        && rest.as_bytes()[0] == b'0'
        && rest.as_bytes()[1].eq_ignore_ascii_case(&b'x');
    let (mut end, mut real) = (digits(rest), false);
    if is_hex {
        end = 2 + rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
    } else {
        let after = &rest[end..];
        if after.starts_with('.') && digits(&after[1..]) > 0 {
            (end, real) = (end + 1 + digits(&after[1..]), true);
        }
        let after = &rest[end..];
        if after.starts_with(['e', 'E']) {
            let sign = usize::from(after[1..].starts_with(['+', '-']));
            let length = digits(&after[1 + sign..]);
            (end, real) = (end + 1 + sign + length, true);
        }
    }
    let text = &rest[..end];
    let follows = rest[end..].chars().next();
    let is_concat = rest[end..].starts_with("..");
    let ends = follows
        .is_none_or(|c| !(c.is_ascii_alphanumeric() || "_@".contains(c) || c == '.' && !is_concat));
    let good = if is_hex {
        text.len() > 2
    } else {
        text.parse::<f64>().is_ok()
    };
    match (ends && good, real) {
        (true, true) => Ok((Token::Real(text), end)),
        (true, false) => Ok((Token::Int(text), end)),
        (false, _) => fault(
            at,
            "a number is not well-formed",
            "write digits, such as `12`, `1.5` or `0xff`",
        ),
    }
}
