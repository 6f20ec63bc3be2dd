//! The greatest width of a text, whatever the font that a viewer has.

use unicode_width::UnicodeWidthChar as _;

/// The letters from the space to `~`, in hundredths of the font's size: those of the bold cut of
/// DejaVu Sans, which with Verdana is the widest of the fonts that viewers take for `sans-serif`.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70,
    70, 40, 40, 84, 84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85,
    77, 72, 68, 81, 77, 110, 77, 72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34,
    67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71, 65, 92, 65, 65, 58, 71, 37, 71, 84,
];

/// The width in pixels, rounded up, of a text of this size.
pub(super) fn width(text: &str, size: i64) -> i64 {
    let hundredths: i64 = text.chars().map(hundredths).sum();
    (hundredths * size + 99) / 100
}

/// As much of a text as is not wider, with `…` where something is missing.
pub(super) fn fit(text: &str, size: i64, most: i64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut room = most * 100 - hundredths('…') * size;
    let fits = |c: &char| {
        room -= hundredths(*c) * size;
        room >= 0
    };
    let kept: String = text.chars().take_while(fits).collect();
    kept.trim_end().to_owned() + "…"
}

/// A text broken into lines, after a space where there is one.
pub(super) fn wrap(text: &str, size: i64, most: i64) -> Vec<String> {
    let mut wrapped = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(end_of_line(rest, size, most));
        wrapped.push(line.trim_end().to_owned());
        rest = after.trim_start();
    }
    wrapped
}

/// The end of the first line of a text that is wider than one.
fn end_of_line(text: &str, size: i64, most: i64) -> usize {
    let mut room = most * 100;
    let mut space = None;
    for (at, c) in text.char_indices() {
        room -= hundredths(c) * size;
        if c == ' ' {
            space = Some(at);
        } else if room < 0 && at > 0 {
            return space.unwrap_or(at);
        }
    }
    text.len()
}

fn hundredths(c: char) -> i64 {
    let known = (c as usize).checked_sub(32).and_then(|at| WIDTHS.get(at));
    match (known, c.width()) {
        (Some(width), _) => i64::from(*width),
        (None, Some(0) | None) => 0,
        (None, Some(1)) => 100,
        // Squares, and pictures, which are wider.
        (None, Some(_)) if c < '\u{1f000}' => 104,
        (None, Some(_)) => 140,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_in_words_that_are_too_long() {
        let wrapped = |text| wrap(text, 10, 50);
        assert_eq!(wrapped("one two three"), ["one two", "three"]);
        assert_eq!(wrapped("one two three four"), ["one two", "three", "four"]);
        assert_eq!(wrapped("往前走往前走往"), ["往前走往", "前走往"]);
        assert_eq!(wrapped(""), [""; 0]);
    }

    #[test]
    fn a_text_that_is_cut_is_no_wider_than_there_is_room() {
        for text in [
            "walk_to",
            "WWWWWWWWWWWW",
            "往前走往前走往前走",
            "e\u{301}e\u{301}e\u{301} 🐺🐺🐺🐺",
        ] {
            for most in [20, 50, 90] {
                let fit = fit(text, 13, most);
                assert!(width(&fit, 13) <= most, "{fit}");
                assert!(fit == text || fit.ends_with('…'), "{fit}");
            }
        }
        assert_eq!(fit("walk_to", 13, 200), "walk_to");
    }
}
