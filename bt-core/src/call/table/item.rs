//! The common parts of every annotated item: name, line, docs and the keys of its attribute.

use crate::describe::docs::Text;

/// The common parts of every annotated item.
#[derive(Debug, Clone, Copy)]
pub struct ItemDesc {
    /// The registered name.
    pub name: &'static str,
    /// The line of its name.
    pub line: u32,
    /// The doc comment, an entry for each `#[doc]` attribute.
    pub docs: Text,
    /// The keys of its attribute.
    pub keys: &'static [Key],
}

/// An item's name, line and doc comment.
pub const fn item(name: &'static str, line: u32, docs: &'static str) -> ItemDesc {
    ItemDesc {
        name,
        line,
        docs: Text::lines(docs),
        keys: &[],
    }
}

impl ItemDesc {
    /// With the keys of its attribute.
    pub const fn keys(mut self, keys: &'static [Key]) -> Self {
        self.keys = keys;
        self
    }

    /// With a doc comment of other parts than lines.
    pub const fn docs(mut self, parts: &'static [&'static str]) -> Self {
        self.docs.parts = parts;
        self
    }

    pub(crate) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let lists = self.keys.iter().map(|key| match key {
            Key::Alias(names) => *names,
            Key::Display(_)
            | Key::Category(_)
            | Key::Since(_)
            | Key::Meta(..)
            | Key::Deprecated(..) => &[],
        });
        lists.flatten().copied()
    }

    /// The replacement that `#[deprecated]` names; none if the item is not deprecated.
    pub(crate) fn deprecated(&self) -> Option<&'static str> {
        self.keys.iter().find_map(|key| match key {
            Key::Deprecated(_, note) => Some(*note),
            Key::Alias(_) | Key::Display(_) | Key::Category(_) | Key::Since(_) | Key::Meta(..) => {
                None
            }
        })
    }
}

/// A key that any item takes.
#[derive(Debug, Clone, Copy)]
pub enum Key {
    /// `alias = […]`
    Alias(&'static [&'static str]),
    /// `display = "…"`
    Display(&'static str),
    /// `category = "…"`
    Category(&'static str),
    /// `since = "…"`
    Since(&'static str),
    /// One entry of `meta(…)`: the name, and the value as JSON text.
    Meta(&'static str, &'static str),
    /// `#[deprecated]`: since, note.
    Deprecated(&'static str, &'static str),
}
