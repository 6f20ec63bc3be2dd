//! The names in the text of an expression: for those who list them, and for those who change them.

use super::ast::{Named, Span, Spelled};
use super::builtins::builtin_names;
use super::lex::is_word;
use super::parse::parse;

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
            if let Some((named, Spelled { name, at })) = part.form.named() {
                all.push((named, name.to_string(), *at));
            }
        });
    }
    all
}

/// A key or a property that is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// `$key`
    Key(String),
    /// `@property`
    Property(String),
}

impl Target {
    /// The key or the property that a text is, and nothing else.
    pub fn read(text: &str) -> Option<Target> {
        let expr = parse(text).ok().filter(|expr| expr.at.of(text) == text)?;
        match expr.form.named()? {
            (Named::Key, key) => Some(Target::Key(key.name.to_string())),
            (Named::Property, property) => Some(Target::Property(property.name.to_string())),
            (Named::Method, _) => None,
        }
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
