//! The content of each node in pictures, for those who paint trees themselves.

use bt_core::kinds::Kind;
use bt_core::tree::asset::AssetNode;

use super::figure;
use super::symbols;

/// The content of a node in a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// A name for its colour: `root`, `composite`, `decorator`, `action`, `condition`, `event`, `tree`, `control`,
    /// or `unknown` of a kind that there is not.
    pub group: &'static str,
    /// One or two characters for its kind.
    pub symbol: &'static str,
    /// The title: a call's name, else its kind.
    pub title: String,
    /// A call's arguments.
    pub arguments: String,
    /// The other parameters of its kind.
    pub parameters: String,
    /// The attachments, from the outside in: the name or the occasion, and the effect.
    pub attached: Vec<(String, String)>,
    /// The comment that a person wrote on it.
    pub comment: String,
    /// The tree that it runs, as the file names it.
    pub calls: Option<String>,
}

/// The content of a node in a picture. Texts are on one line and free of characters that steer a terminal or
/// turn the direction of writing.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, guard};
///
/// let walk = action("walk_to").arg("gate").guard(guard("is_day"));
/// let tree = TreeAsset::build("rounds", "guard", walk);
/// let card = bt_meta::draw::card(tree.node(1).unwrap());
/// assert_eq!((card.title.as_str(), card.arguments.as_str()), ("walk_to", "\"gate\""));
/// assert_eq!(card.attached, [("if".to_owned(), "is_day".to_owned())]);
/// ```
pub fn card(node: &AssetNode) -> Card {
    let shown = figure::Node::of(node, &[]);
    let attached = shown.attached.into_iter();
    Card {
        group: shown.group.name(),
        symbol: shown.symbol,
        title: shown.title,
        arguments: shown.arguments,
        parameters: shown.parameters,
        attached: attached.map(|line| (line.when, line.what)).collect(),
        comment: shown.comment,
        calls: shown.runs,
    }
}

/// A node in a line: its symbol, its call or kind, and what else its kind takes.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::action;
///
/// let tree = TreeAsset::build("rounds", "guard", action("walk_to").arg("gate"));
/// assert_eq!(bt_meta::draw::heading(tree.node(1).unwrap()), "▸ walk_to(\"gate\")");
/// ```
pub fn heading(node: &AssetNode) -> String {
    let shown = figure::Node::of(node, &[]);
    format!("{} {}", shown.symbol, shown.heading())
}

/// The name for the colour of a kind's nodes, as in [`Card::group`].
pub fn group_of(kind: Kind) -> &'static str {
    symbols::Group::from(kind.about().group).name()
}
