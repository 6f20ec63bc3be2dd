//! The options of a picture.

/// The format in which a picture is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// An indented outline
    #[default]
    Text,
    /// A picture of its own, for browsers and documents
    Svg,
    /// Graphviz's language
    Dot,
    /// Mermaid's flowchart, for Markdown
    Mermaid,
}

impl Format {
    /// The format that the ending of a file's name stands for.
    pub fn of_ending(ending: &str) -> Option<Format> {
        Some(match ending {
            "txt" => Format::Text,
            "svg" => Format::Svg,
            "dot" | "gv" => Format::Dot,
            "mmd" | "mermaid" => Format::Mermaid,
            _ => return None,
        })
    }
}

/// The direction in which a picture grows from its root; an outline has a way of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Direction {
    /// Downwards, siblings from left to right
    #[default]
    Down,
    /// To the right, siblings from top to bottom: for broad trees
    Right,
}

/// The mark of a node: its change between two versions of its tree, or what scenarios show of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another place.
    Moved,
    /// It says something else.
    Changed,
    /// Scenarios show all that there is to see of it.
    Covered,
    /// Scenarios show a part of it.
    PartlyCovered,
    /// No scenario enters it.
    NotCovered,
}
