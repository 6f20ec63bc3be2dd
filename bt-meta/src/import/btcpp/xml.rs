//! XML of others: bounded, without entities of its own, each part with its place.

use std::ops::Range;

use roxmltree::{Document, Error as XmlError, Node, ParsingOptions};

use super::escape::{Escaped, entity};
use crate::import::problem::Place;

/// The greatest size of a file.
pub(super) const MAX_BYTES: usize = 16 << 20;
/// The greatest number of elements, texts and comments in a file.
const MAX_NODES: u32 = 500_000;
/// The greatest number of elements from the outermost to an innermost, both counted: that of the engine itself.
const MAX_DEPTH: usize = 256;

/// An element.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
    /// The comments in front of it.
    pub(super) comment: String,
    pub(super) place: Place,
}

/// An attribute.
#[derive(Debug, Clone)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// The place of its value.
    pub(super) place: Place,
    /// The value as the file has it, with its entities.
    raw: String,
}

impl Element {
    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name)
            .map(|attribute| attribute.value.as_str())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// The elements of a name right below it.
    pub(super) fn named<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// It and all below it, in the order of the file.
    pub(super) fn all(&self) -> Vec<&Element> {
        let (mut all, mut next) = (Vec::new(), vec![self]);
        while let Some(element) = next.pop() {
            all.push(element);
            next.extend(element.children.iter().rev());
        }
        all
    }
}

impl Attribute {
    /// The place of a character of its value, counted in bytes.
    pub(super) fn at(&self, offset: usize) -> Place {
        let mut place = self.place.clone();
        let mut raw = self.raw.as_str();
        for _ in self.value.get(..offset).unwrap_or(&self.value).chars() {
            let Some(c) = raw.chars().next() else { break };
            let length = entity(raw).unwrap_or(c.len_utf8());
            match c {
                '\n' => (place.line, place.column) = (place.line + 1, 1),
                _ => place.column += raw[..length].chars().count(),
            }
            raw = &raw[length..];
        }
        place
    }
}

/// A text that cannot be read: the place, what is wrong, and what to do.
pub(super) type Unreadable = (Place, String, &'static str);

/// The outermost element of a text.
pub(super) fn read(file: &str, text: &str) -> Result<Element, Unreadable> {
    let escaped = Escaped::of(text);
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let lines = Lines {
        file,
        text,
        starts: starts(text),
        escaped: &escaped,
    };
    let document = Document::parse_with_options(&escaped.text, options);
    let document = document.map_err(|error| refused(&lines, &error))?;
    element(document.root_element(), &lines, 1)
}

fn refused(lines: &Lines<'_>, error: &XmlError) -> Unreadable {
    let place = lines.of_error(error);
    match error {
        XmlError::DtdDetected => (
            place,
            "it has a document type declaration, which can define entities".to_owned(),
            "take the `<!DOCTYPE …>` out; trees need none",
        ),
        XmlError::NodesLimitReached => (
            place,
            format!("it has more than {MAX_NODES} elements, texts and comments"),
            "split it into several files",
        ),
        error => (
            place,
            format!("it is not well-formed XML: {error}"),
            "correct it there",
        ),
    }
}

fn element(node: Node<'_, '_>, lines: &Lines<'_>, depth: usize) -> Result<Element, Unreadable> {
    let place = lines.place(node.range().start);
    if depth > MAX_DEPTH {
        let message = format!("elements are nested more than {MAX_DEPTH} deep");
        return Err((place, message, "move a branch into a tree of its own"));
    }
    let mut children = Vec::new();
    let mut comment = Vec::new();
    for child in node.children() {
        if child.is_comment() {
            comment.push(child.text().unwrap_or_default().trim());
        } else if child.is_element() {
            let mut child = element(child, lines, depth + 1)?;
            child.comment = std::mem::take(&mut comment).join("\n");
            children.push(child);
        }
    }
    let attributes = node.attributes().map(|attribute| Attribute {
        name: attribute.name().to_owned(),
        value: attribute.value().to_owned(),
        place: lines.place(attribute.range_value().start),
        raw: lines.raw(attribute.range_value()).to_owned(),
    });
    Ok(Element {
        name: node.tag_name().name().to_owned(),
        attributes: attributes.collect(),
        children,
        comment: String::new(),
        place,
    })
}

/// The offsets at which the lines of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after).collect()
}

/// A text by lines. Places are given in what was parsed, and found in the text of the file.
struct Lines<'t> {
    file: &'t str,
    text: &'t str,
    starts: Vec<usize>,
    escaped: &'t Escaped<'t>,
}

impl Lines<'_> {
    fn place(&self, parsed: usize) -> Place {
        let at = self.escaped.original(parsed);
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line.saturating_sub(1)];
        let before = self.text.get(start..at).unwrap_or_default();
        Place {
            file: self.file.to_owned(),
            line,
            column: before.chars().count() + 1,
        }
    }

    fn of_error(&self, error: &XmlError) -> Place {
        let (row, column) = (error.pos().row as usize, error.pos().col as usize);
        let line = starts(&self.escaped.text)
            .get(row.saturating_sub(1))
            .copied();
        let start = line.unwrap_or_default();
        let before = self.escaped.text[start..]
            .char_indices()
            .nth(column.saturating_sub(1));
        self.place(start + before.map_or(0, |(at, _)| at))
    }

    /// The text of the file there.
    fn raw(&self, parsed: Range<usize>) -> &str {
        let (from, to) = (
            self.escaped.original(parsed.start),
            self.escaped.original(parsed.end),
        );
        self.text.get(from..to).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let (place, message, help) = read("a.xml", text).unwrap_err();
        format!("{place}: {message}; {help}")
    }

    #[test]
    fn a_part_has_its_place_behind_entities_and_line_breaks_too() {
        let root = read(
            "a.xml",
            "<root>\n <!-- Why. -->\n <A code=\"ü &lt; x &amp;&amp; y\"/></root>",
        )
        .unwrap();
        let child = &root.children[0];
        assert_eq!(
            (child.comment.as_str(), child.place.to_string().as_str()),
            ("Why.", "a.xml:3:2")
        );
        let code = child.attribute("code").unwrap();
        let at = code.value.find('y').unwrap();
        assert_eq!(code.at(at).to_string(), "a.xml:3:31");
        let root = read("a.xml", "<root>\n<A code=\"x < 1 && y\"/><B/></root>").unwrap();
        let code = root.children[0].attribute("code").unwrap();
        assert_eq!(code.value, "x < 1 && y");
        assert_eq!(code.at(9).to_string(), "a.xml:2:19");
        assert_eq!(root.children[1].place.to_string(), "a.xml:2:23");
    }

    #[test]
    fn an_xml_bomb_deep_nesting_and_broken_xml_are_refused_with_their_place() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\">]>\n<root>&b;</root>";
        assert!(
            refusal(bomb).contains("document type declaration"),
            "{}",
            refusal(bomb)
        );
        let deep = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
        assert_eq!(
            refusal(&deep),
            "a.xml:1:769: elements are nested more than 256 deep; move a branch into a tree of its own"
        );
        assert!(
            refusal("<a>\n<b></a>").starts_with("a.xml:2:"),
            "{}",
            refusal("<a>\n<b></a>")
        );
        let many = format!("<a>{}</a>", "<b/>".repeat(MAX_NODES as usize));
        assert!(refusal(&many).contains("more than 500000 elements"));
    }
}
