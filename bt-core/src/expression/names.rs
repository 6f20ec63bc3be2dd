//! The names in the text of an expression: for those who list them, and for those who change them.

use super::ast::{Form, Span, Spelled};
use super::builtins::builtin_names;
use super::lex::is_word;
use super::parse::parse;

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

/// The names in a text, each time that they are written, with their signs' places; none of a text that cannot
/// be read.
///
/// ```
/// use bt_core::expression::{Named, names};
///
/// let all = names("$hp < @max && sees($hp)");
/// let all: Vec<_> = all.iter().map(|(named, name, _)| (*named, name.as_str())).collect();
/// assert_eq!(all, [
///     (Named::Key, "hp"), (Named::Property, "max"), (Named::Method, "sees"), (Named::Key, "hp"),
/// ]);
/// ```
pub fn names(text: &str) -> Vec<(Named, String, Span)> {
    let mut all = Vec::new();
    if let Ok(expr) = parse(text) {
        expr.walk(&mut |part| {
            let (named, Spelled { name, at }) = match &part.form {
                Form::Key(key) => (Named::Key, key),
                Form::Property(property) => (Named::Property, property),
                Form::Call(method, _) => (Named::Method, method),
                Form::Literal(_)
                | Form::List(_)
                | Form::Field(..)
                | Form::Item(..)
                | Form::Builtin(..)
                | Form::Not(_)
                | Form::Minus(_)
                | Form::Binary(..)
                | Form::Otherwise(..)
                | Form::Choose(_) => return,
            };
            all.push((named, name.to_string(), *at));
        });
    }
    all
}

/// The key or the property that a text is, and nothing else.
pub fn target(text: &str) -> Option<(Named, String)> {
    let expr = parse(text).ok()?;
    if expr.at.of(text) != text {
        return None;
    }
    if let Form::Key(key) = &expr.form {
        Some((Named::Key, key.name.to_string()))
    } else if let Form::Property(property) = &expr.form {
        Some((Named::Property, property.name.to_string()))
    } else {
        None
    }
}

/// The keys in a text, each time that they are written.
pub fn keys(text: &str) -> impl Iterator<Item = String> {
    let keys = names(text).into_iter();
    keys.filter_map(|(named, name, _)| (named == Named::Key).then_some(name))
}

/// The text with another name for a key, a property or a method, everywhere in it. It stays as it is where no
/// expression can call a method of that name.
///
/// ```
/// use bt_core::expression::{Named, renamed};
///
/// let text = "$hp < 20 && '$hp' != $hp2";
/// assert_eq!(renamed(text, Named::Key, "hp", "hit points"), "$'hit points' < 20 && '$hp' != $hp2");
/// ```
pub fn renamed(text: &str, of: Named, from: &str, to: &str) -> String {
    let mut text = text.to_owned();
    let Some(spelled) = spelled(of, to) else {
        return text;
    };
    let sign = match of {
        Named::Key => "$",
        Named::Property => "@",
        Named::Method => "",
    };
    let written = format!("{sign}{spelled}");
    for (named, name, at) in names(&text).into_iter().rev() {
        if named == of && name == from {
            text.replace_range(at.from as usize..at.to as usize, &written);
        }
    }
    text
}

/// A name as an expression writes it behind its sign; none of a method that no expression can call.
pub(crate) fn spelled(of: Named, name: &str) -> Option<String> {
    let is_word = is_word(name);
    match of {
        Named::Method => {
            let is_taken = ["in", "true", "false", "null"].contains(&name)
                || builtin_names().any(|builtin| builtin == name);
            (is_word && !is_taken).then(|| name.to_owned())
        }
        Named::Key | Named::Property if is_word => Some(name.to_owned()),
        Named::Key | Named::Property => {
            let mut escaped = String::new();
            for c in name.chars() {
                match c {
                    '\n' => escaped.push_str("\\n"),
                    '\t' => escaped.push_str("\\t"),
                    '\\' | '\'' => escaped.extend(['\\', c]),
                    c => escaped.push(c),
                }
            }
            Some(format!("'{escaped}'"))
        }
    }
}
