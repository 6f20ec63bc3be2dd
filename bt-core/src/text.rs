//! Text from outside in messages: one line of it, whatever it is.

pub mod cut;
mod near;

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{self, Write};

pub(crate) use near::did_you_mean;
pub use near::{nearest, suggest};

/// The number of bytes of a name or a value that a message shows.
pub(crate) const LINE: usize = 72;

/// A name that somebody made up: cut to a line, without line breaks or other control characters.
pub fn name(name: &str) -> Cow<'_, str> {
    if name.len() <= LINE && !name.contains(breaks) {
        return name.into();
    }
    let short = &name[..name.floor_char_boundary(LINE)];
    let mut shown = String::new();
    for c in short.chars() {
        if breaks(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if short.len() < name.len() {
        shown.push('…');
    }
    shown.into()
}

/// Displays a value in one line: line breaks and other control characters are escaped.
pub struct OneLine<T>(pub T);

impl<T: fmt::Display> fmt::Display for OneLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'f, 'a>(&'f mut fmt::Formatter<'a>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, mut text: &str) -> fmt::Result {
        while let Some(at) = text.find(breaks) {
            self.0.write_str(&text[..at])?;
            let mut rest = text[at..].chars();
            if let Some(c) = rest.next() {
                write!(self.0, "{}", c.escape_default())?;
            }
            text = rest.as_str();
        }
        self.0.write_str(text)
    }
}

/// The number of names that a message lists.
const NAMES: usize = 32;

/// The first names of a list, or values, in a message's words, and how many more there are: a file
/// may have as many as it likes.
pub(crate) fn listed<T>(
    all: impl IntoIterator<Item = T>,
    show: impl FnMut(T) -> String,
) -> Vec<String> {
    let mut all = all.into_iter();
    let mut words: Vec<_> = all.by_ref().take(NAMES).map(show).collect();
    match all.count() {
        0 => {}
        more => words.push(format!("{more} more")),
    }
    words
}

/// Names in backticks, as they are listed.
pub(crate) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    listed(names, |one| format!("`{}`", name(one)))
}

/// The message of a panic.
pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it gave no reason")
}

/// Control characters, and Unicode's own line and paragraph separators.
fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns true if a character is not seen, or changes how others are read: control characters, those without a width,
/// and those that turn the reading direction round.
pub fn is_hidden(c: char) -> bool {
    let has_no_width = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
    ) || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}');
    c.is_control() || has_no_width || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{OneLine, name, quoted};

    #[test]
    fn of_many_names_some_are_listed_and_the_rest_is_counted() {
        assert_eq!(quoted(["a", "b\n"]), ["`a`", "`b\\n`"]);
        let many = quoted(std::iter::repeat_n("a", 1_000));
        assert_eq!(
            (many.len(), many.last().unwrap().as_str()),
            (33, "968 more")
        );
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(name("chase"), "chase");
        assert_eq!(name("a\nb\u{2028}"), "a\\nb\\u{2028}");
        assert_eq!(name(&"ü".repeat(100)), format!("{}…", "ü".repeat(36)));
    }
    #[test]
    fn all_of_a_text_in_one_line() {
        let text = format!("{}", OneLine(format_args!("a\n{}c", "\u{2028}b\u{7f}")));
        assert_eq!(text, "a\\n\\u{2028}b\\u{7f}c");
    }
}
