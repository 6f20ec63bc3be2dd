//! What a node's comment lets pass: `bt-meta: allow(unset-key, BT0060)`.

use bt_core::TreeAsset;
use bt_core::tree::{Code, Level};

const MARK: &str = "bt-meta: allow(";

/// The codes that a comment allows, each as it is written there.
pub fn names(comment: &str) -> impl Iterator<Item = &str> {
    comment.split(MARK).skip(1).flat_map(|rest| {
        let list = rest.split(')').next().unwrap_or_default();
        list.split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
    })
}

/// Whether a comment allows a warning. What the runtime refuses no comment allows.
pub fn allows(comment: &str, code: Code) -> bool {
    code.level() == Level::Warning && names(comment).any(|name| name.parse() == Ok(code))
}

/// Whether the node that something is about allows it.
pub fn allows_there(tree: &TreeAsset, node: Option<u32>, code: Code) -> bool {
    let node = node.and_then(|idx| tree.node(idx));
    node.is_some_and(|node| allows(&node.comment, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_codes_among_other_words() {
        let comment = "The door. bt-meta: allow(unset-key, BT0051) since the host sets it";
        assert_eq!(names(comment).collect::<Vec<_>>(), ["unset-key", "BT0051"]);
        assert!(allows(comment, Code::Deprecated));
        assert!(!allows(comment, Code::Renamed));
        assert!(!allows(
            "bt-meta: allow(unknown-action)",
            Code::UnknownAction
        ));
        assert!(names("allow(renamed)").next().is_none());
        assert!(!allows("bt-meta: allow(renamed", Code::Deprecated));
    }
}
