//! A symbol for each kind of node, and the groups that have a colour.

use bt_core::kinds::{self, Leaf, Params};

/// The groups that have a colour of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Root,
    Composite,
    Decorator,
    Action,
    Condition,
    Event,
    Tree,
    /// A leaf that calls nobody, such as `reset`.
    Control,
    /// A kind that there is not.
    Unknown,
}

impl Group {
    pub(super) const ALL: [Group; 9] = [
        Group::Root,
        Group::Composite,
        Group::Decorator,
        Group::Action,
        Group::Condition,
        Group::Event,
        Group::Tree,
        Group::Control,
        Group::Unknown,
    ];

    /// Its name in style sheets.
    pub(super) fn name(self) -> &'static str {
        match self {
            Group::Root => "root",
            Group::Composite => "composite",
            Group::Decorator => "decorator",
            Group::Action => "action",
            Group::Condition => "condition",
            Group::Event => "event",
            Group::Tree => "tree",
            Group::Control => "control",
            Group::Unknown => "unknown",
        }
    }

    /// Its colour as hexadecimal digits: dark enough for white letters, light enough on black.
    pub(super) fn color(self) -> &'static str {
        match self {
            Group::Root => "5b6b7f",
            Group::Composite => "2f6fde",
            Group::Decorator => "8a56d6",
            Group::Action => "23854d",
            Group::Condition => "a8690a",
            Group::Event => "c2478f",
            Group::Tree => "0d8091",
            Group::Control => "c9483c",
            Group::Unknown => "7a7a7a",
        }
    }

    /// Its colour for letters on a dark ground.
    pub(super) fn light(self) -> &'static str {
        match self {
            Group::Root => "b0bccb",
            Group::Composite => "7fb0ff",
            Group::Decorator => "c4a1ff",
            Group::Action => "6fd39a",
            Group::Condition => "f0b45a",
            Group::Event => "f29ac9",
            Group::Tree => "5fd0e0",
            Group::Control => "ff9a8f",
            Group::Unknown => "b8b8b8",
        }
    }
}

impl From<kinds::Group> for Group {
    fn from(group: kinds::Group) -> Group {
        match group {
            kinds::Group::Root => Group::Root,
            kinds::Group::Composite => Group::Composite,
            kinds::Group::Decorator => Group::Decorator,
            kinds::Group::Leaf(Leaf::Action) => Group::Action,
            kinds::Group::Leaf(Leaf::Condition) => Group::Condition,
            kinds::Group::Leaf(Leaf::Event) => Group::Event,
            kinds::Group::Leaf(Leaf::Tree) => Group::Tree,
            kinds::Group::Leaf(Leaf::Control) => Group::Control,
        }
    }
}

/// The symbol and the group of a node of a kind, if there is that kind.
pub(super) fn of(params: Option<&Params<'_>>) -> (&'static str, Group) {
    match params {
        Some(params) => (params.symbol(), params.kind().about().group.into()),
        None => ("·", Group::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use bt_core::kinds::Kind;
    use bt_core::tree::asset::NodeData;

    use super::*;

    #[test]
    fn symbols_are_short() {
        for kind in Kind::ALL {
            let (symbol, group) = of(NodeData::new(kind.name()).typed().params.as_ref());
            assert!((1..=2).contains(&symbol.chars().count()), "{}", kind.name());
            assert_ne!(group, Group::Unknown, "{}", kind.name());
        }
    }

    #[test]
    fn sequence_and_select_that_keep_their_place_have_a_symbol_of_their_own() {
        for kind in Kind::ALL {
            let mut node = NodeData::new(kind.name());
            let plain = of(node.typed().params.as_ref());
            node.extra.insert("keep_place".to_owned(), true.into());
            let has_own = of(node.typed().params.as_ref()) != plain;
            assert_eq!(has_own, kind.has_key("keep_place"), "{}", kind.name());
        }
    }
}
