//! Text from outside in messages: one line of it, whatever it is.

use std::borrow::Cow;

/// How many bytes of a name or a value a message shows.
pub(crate) const LINE: usize = 72;

/// A name that somebody made up: cut to a line, without line breaks or other control characters.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    if name.len() <= LINE && !name.contains(char::is_control) {
        return name.into();
    }
    let short = &name[..name.floor_char_boundary(LINE)];
    let mut shown = String::new();
    for c in short.chars() {
        if c.is_control() {
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

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(name("chase"), "chase");
        assert_eq!(name("a\nb"), "a\\nb");
        assert_eq!(name(&"ü".repeat(100)), format!("{}…", "ü".repeat(36)));
    }
}
