//! Texts that the engine's XML reader takes and XML does not have: `<` and a lone `&` in the value of an attribute.

use std::borrow::Cow;
use std::ops::Range;

/// A text in which both are written as XML has them.
pub(super) struct Escaped<'t> {
    pub(super) text: Cow<'t, str>,
    /// Places in it, and how much was put in before each.
    longer: Vec<(usize, usize)>,
}

/// Returns the length of an entity, such as `&lt;`, with which a text begins.
pub(super) fn entity(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let end = name.find(';')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '#';
    let is_entity = end > 0 && name[..end].chars().all(is_name);
    is_entity.then_some(end + 2)
}

impl<'t> Escaped<'t> {
    pub(super) fn of(text: &'t str) -> Escaped<'t> {
        let mut escaped = String::new();
        let mut longer = Vec::new();
        let mut done = 0;
        for value in values(text) {
            for (inside, c) in text[value.clone()].char_indices() {
                let from = value.start + inside;
                let instead = match c {
                    '<' => "&lt;",
                    '&' if entity(&text[from..]).is_none() => "&amp;",
                    _ => continue,
                };
                escaped.push_str(&text[done..from]);
                escaped.push_str(instead);
                done = from + 1;
                longer.push((escaped.len(), escaped.len() - done));
            }
        }
        if longer.is_empty() {
            let text = Cow::Borrowed(text);
            return Escaped { text, longer };
        }
        escaped.push_str(&text[done..]);
        let text = Cow::Owned(escaped);
        Escaped { text, longer }
    }

    /// The place in the text that a place in this one is of.
    pub(super) fn original(&self, at: usize) -> usize {
        let before = self.longer.partition_point(|(place, _)| *place <= at);
        let longer = before.checked_sub(1).map_or(0, |last| self.longer[last].1);
        at - longer
    }
}

/// The parts of a file that are not looked into: where each begins, and where it ends.
const WHOLE: [(&str, &str); 4] = [
    ("<!--", "-->"),
    ("<![CDATA[", "]]>"),
    ("<?", "?>"),
    ("<!", ">"),
];

/// The ranges of the values of attributes, without their quotes.
fn values(text: &str) -> Vec<Range<usize>> {
    let find = |from: usize, what: &str| text[from..].find(what).map(|at| from + at);
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(tag) = find(at, "<") {
        if let Some((_, end)) = WHOLE
            .iter()
            .find(|(begin, _)| text[tag..].starts_with(begin))
        {
            at = find(tag, end).map_or(text.len(), |from| from + end.len());
            continue;
        }
        at = tag + 1;
        while let Some(next) = text[at..].find(['"', '\'', '>']).map(|next| at + next) {
            at = next + 1;
            let quote = &text[next..at];
            if quote == ">" {
                break;
            }
            let Some(end) = find(at, quote) else {
                return values;
            };
            values.push(at..end);
            at = end + 1;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_and_all_else_is_left() {
        let same = "<a b='&lt; > &#38;'>&amp; <!-- b=\"<\" --><![CDATA[ c=\"&\" ]]></a>";
        assert_eq!(Escaped::of(same).text, same);
        let text = "<a b='x < 1 && y'/><c d=\"&e\"/>";
        let escaped = Escaped::of(text);
        assert_eq!(
            escaped.text,
            "<a b='x &lt; 1 &amp;&amp; y'/><c d=\"&amp;e\"/>"
        );
        for part in ["x", " 1", " y", "<c", "e\""] {
            let found = escaped.text.find(part).unwrap();
            assert_eq!(Some(escaped.original(found)), text.find(part), "{part}");
        }
        for broken in ["<a b='", "<", "<a b=\"<", "<!--", ""] {
            assert_eq!(Escaped::of(broken).text, broken);
        }
    }
}
