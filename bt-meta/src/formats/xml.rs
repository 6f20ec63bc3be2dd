//! XML as behaviac has it: two spaces, ` />`, a line feed at the end.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

/// An element, its attributes in the order in which they are added.
pub(super) struct Element {
    start: BytesStart<'static>,
    children: Vec<Element>,
    text: String,
    comment: String,
}

impl Element {
    pub(super) fn new(name: impl Into<Cow<'static, str>>) -> Element {
        Element {
            start: BytesStart::new(name),
            children: Vec::new(),
            text: String::new(),
            comment: String::new(),
        }
    }

    /// Returns true if it has an attribute.
    pub(super) fn has(&self, attribute: &str) -> bool {
        let mut all = self.start.attributes().flatten();
        all.any(|one| one.key.0 == attribute)
    }

    /// Its children, without itself.
    pub(super) fn into_children(self) -> Vec<Element> {
        self.children
    }

    /// With a text in place of children.
    pub(super) fn saying(mut self, text: &str) -> Element {
        self.text = readable(text);
        self
    }

    /// With a comment in front of it.
    pub(super) fn behind(mut self, comment: &str) -> Element {
        let text = readable(comment).replace("--", "- -");
        self.comment = text
            .strip_suffix('-')
            .map_or(text.clone(), |cut| format!("{cut}- "));
        self
    }

    pub(super) fn with(mut self, attribute: &str, value: &str) -> Element {
        let value = match attribute {
            "Desc" | "DisplayName" => one_text(&readable(value)),
            _ => readable(value),
        };
        self.start.push_attribute((attribute, value.as_str()));
        self
    }

    /// With an attribute that is there only where it holds.
    pub(super) fn flag(self, attribute: &str, holds: bool) -> Element {
        match holds {
            true => self.with(attribute, "true"),
            false => self,
        }
    }

    pub(super) fn holding(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children);
        self
    }

    /// The whole document, of which this is the root.
    ///
    /// # Errors
    /// Those of the writer: into memory, none.
    pub(super) fn document(&self) -> io::Result<String> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.config_mut().add_space_before_slash_in_empty_elements = true;
        self.write(&mut writer)?;
        let mut text = writer.into_inner();
        text.push(b'\n');
        String::from_utf8(text).map_err(io::Error::other)
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        if !self.comment.is_empty() {
            let comment = format!(" {} ", self.comment);
            writer.write_event(Event::Comment(BytesText::from_escaped(comment)))?;
        }
        if !self.text.is_empty() {
            writer.write_event(Event::Start(self.start.borrow()))?;
            writer.write_event(Event::Text(BytesText::new(&self.text)))?;
            return writer.write_event(Event::End(BytesEnd::from(self.start.name())));
        }
        if self.children.is_empty() {
            return writer.write_event(Event::Empty(self.start.borrow()));
        }
        writer.write_event(Event::Start(self.start.borrow()))?;
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::from(self.start.name())))
    }
}

/// A text for people, in one line and without what C# reads in a text: the designer writes it into its code between
/// quotes, as it is.
fn one_text(text: &str) -> String {
    text.replace('"', "'")
        .replace('\\', "/")
        .replace(['\r', '\n', '\t'], " ")
}

/// XML 1.0 has no place for these characters, not even behind an escape.
fn unreadable(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn readable(text: &str) -> String {
    text.replace(unreadable, "\u{fffd}")
}

/// Returns true if XML has a place for all of a text.
pub(super) fn is_readable(text: &str) -> bool {
    !text.contains(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_people_are_code_in_the_designer() {
        let element = Element::new("Param")
            .with("DisplayName", "a \"b\"")
            .with("Desc", "of C:\\game,\n\"here\"")
            .with("Type", "x");
        assert_eq!(
            element.document().unwrap(),
            "<Param DisplayName=\"a 'b'\" Desc=\"of C:/game, 'here'\" Type=\"x\" />\n"
                .replace('\'', "&apos;")
        );
    }
}
