//! The parts of a manual.

/// The manual of some agents.
#[derive(Debug)]
pub(in crate::formats) struct Manual {
    pub(super) parts: Vec<Part>,
    pub(super) counts: String,
}

/// Something with a heading: an agent, its actions, one of them.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The end of a link to it.
    pub(super) id: String,
    pub(super) level: Level,
    /// In Markdown, on one line.
    pub(super) title: String,
    /// Its title without marks, for a table of contents.
    pub(super) name: String,
    /// The description of it, in Markdown.
    pub(super) text: String,
    pub(super) table: Table,
    /// The other facts about it, each under a label: Markdown on one line.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) parts: Vec<Part>,
}

/// The depth of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Level {
    /// An agent; the types; the node kinds.
    #[default]
    Chapter,
    /// An agent's actions.
    Section,
    /// Those of a category.
    Group,
    /// An action.
    Item,
}

/// Cells are Markdown on one line.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) head: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// The columns that are not empty in all rows.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        let is_used = |at: &usize| {
            self.rows
                .iter()
                .any(|row| row.get(*at).is_some_and(|cell| !cell.is_empty()))
        };
        (0..self.head.len()).filter(is_used)
    }
}
