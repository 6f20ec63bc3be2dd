//! Doc comments: the brief, the `# Returns` text, the `# Arguments` list.

/// A doc comment as the macros submit it. Most are lines that are written out, and one string for
/// all of them spares the compiler a coercion for each.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// A line for each `///`.
    pub lines: &'static str,
    /// An entry for each `#[doc = …]`, where there are others: blocks, included files.
    pub parts: &'static [&'static str],
}

impl Text {
    /// Lines that are written out.
    pub const fn lines(lines: &'static str) -> Text {
        Text { lines, parts: &[] }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.lines.is_empty() && self.parts.is_empty()
    }

    fn attributes(self) -> Vec<&'static str> {
        if self.is_empty() {
            return Vec::new();
        }
        if self.parts.is_empty() {
            return self.lines.split('\n').collect();
        }
        self.parts.to_vec()
    }
}

/// A doc comment taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Docs {
    /// As written, without the comment's own indentation.
    pub(crate) text: String,
    /// The first paragraph, on one line.
    pub(crate) brief: String,
    /// The `# Returns` section, on one line.
    pub(crate) returns: String,
    /// The entries of the `# Arguments` list: name, text on one line.
    pub(crate) arguments: Vec<(String, String)>,
}

impl Docs {
    pub(crate) fn of(text: Text) -> Docs {
        Docs::parse(&text.attributes())
    }

    fn parse(attributes: &[&str]) -> Docs {
        let lines = lines(attributes);
        let mut docs = Docs {
            text: lines.join("\n"),
            ..Docs::default()
        };
        let mut section = None;
        let mut in_brief = true;
        for line in &lines {
            let line = line.trim();
            if line.starts_with('#') {
                let title = line.trim_start_matches('#').trim().to_ascii_lowercase();
                section = Some(title);
                in_brief = false;
                continue;
            }
            match section.as_deref() {
                None if line.is_empty() => in_brief &= docs.brief.is_empty(),
                None if in_brief => append(&mut docs.brief, line),
                Some("returns" | "return") => append(&mut docs.returns, line),
                Some("arguments" | "parameters") => docs.argument_line(line),
                _ => {}
            }
        }
        docs
    }

    fn argument_line(&mut self, line: &str) {
        let Some(entry) = line.strip_prefix(['*', '-', '+']) else {
            if let Some((_, text)) = self.arguments.last_mut() {
                append(text, line);
            }
            return;
        };
        let entry = entry.trim_start();
        let end = entry.find([':', '–', '—']);
        let dash = entry.find(" - ").map(|at| at + 1);
        let Some(at) = [end, dash].into_iter().flatten().min() else {
            return;
        };
        let name = entry[..at].trim().trim_matches('`').to_owned();
        let text = entry[at..].trim_start_matches([':', '-', '–', '—']).trim();
        self.arguments.push((name, text.to_owned()));
    }
}

/// A comment on one line.
pub(crate) fn one_line(comment: Text) -> String {
    let mut text = String::new();
    for line in lines(&comment.attributes()) {
        append(&mut text, line.trim());
    }
    text
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// The lines without the one space after `///`, and without the stars of a `/** … */`.
fn lines(attributes: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    for attribute in attributes {
        let block = attribute.contains('\n');
        let starred = block
            && attribute
                .lines()
                .skip(1)
                .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
        // An empty `///` has no lines at all.
        for line in attribute.lines().chain(attribute.is_empty().then_some("")) {
            let line = if starred {
                line.trim_start().trim_start_matches('*')
            } else if block {
                line.trim_start()
            } else {
                line
            };
            out.push(line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned());
        }
    }
    while out.first().is_some_and(String::is_empty) {
        out.remove(0);
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brief_is_the_first_paragraph() {
        let docs = Docs::parse(&[
            " Walk towards",
            " the target.",
            "",
            " Slowly.",
            " # Returns",
            " yes",
            " or no",
        ]);
        assert_eq!(docs.brief, "Walk towards the target.");
        assert_eq!(docs.returns, "yes or no");
        assert_eq!(docs.text.lines().count(), 7);
    }

    #[test]
    fn a_brief_ends_at_a_heading() {
        let docs = Docs::parse(&[" # Returns", " yes"]);
        assert_eq!((docs.brief.as_str(), docs.returns.as_str()), ("", "yes"));
    }

    #[test]
    fn arguments_are_listed_in_any_of_the_usual_ways() {
        let docs = Docs::parse(&[
            " Go.",
            "",
            " # Arguments",
            "",
            " * `target` - whom,",
            "   online",
            " - range: how far",
            " + x — this",
        ]);
        let expect = [
            ("target", "whom, online"),
            ("range", "how far"),
            ("x", "this"),
        ];
        let expect: Vec<_> = expect.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        assert_eq!(docs.arguments, expect);
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let docs = Docs::parse(&["\n     * Walk.\n     *\n     * # Returns\n     * yes\n     "]);
        assert_eq!(
            (docs.brief.as_str(), docs.returns.as_str()),
            ("Walk.", "yes")
        );
        assert_eq!(one_line(Text::lines(" Who. ")), "Who.");
    }
}
