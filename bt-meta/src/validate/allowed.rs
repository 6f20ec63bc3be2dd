//! The codes that a node's comment allows: `bt-meta: allow(unset-key, BT0060)`; and the names in it that
//! allow nothing.

use bt_core::tree::{Code, Level};
use bt_core::{Problem, TreeAsset};

use crate::error::did_you_mean;
use crate::lint::SHOWN_BY_ALL;

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

/// The codes that the comments of a tree allow, and those that there were to allow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allows(Vec<Allow>);

/// A name in a node's comment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Allow {
    node: u32,
    /// Of the comment.
    pointer: String,
    name: String,
    /// None if there is no code of that name.
    code: Option<Code>,
    /// There was something to allow.
    used: bool,
}

impl Allows {
    /// Of a tree, nothing of which is used yet.
    pub fn of(tree: &TreeAsset) -> Allows {
        // Of what is disabled nothing is reported.
        let disabled = tree.disabled();
        let nodes = tree.nodes().iter();
        let nodes = nodes.filter(|node| !disabled.contains(&node.idx()));
        let each = nodes.flat_map(|node| {
            let pointer = tree.pointer(node.idx()).unwrap_or_default() + "/comment";
            names(&node.comment).map(move |name| Allow {
                node: node.idx(),
                pointer: pointer.clone(),
                name: name.to_owned(),
                code: name.parse().ok(),
                used: false,
            })
        });
        Allows(each.collect())
    }

    /// Returns true if the node that something is about allows it, which is noted. What the runtime refuses
    /// no comment allows.
    pub fn take(&mut self, node: Option<u32>, code: Code) -> bool {
        let mut any = false;
        if code.level() == Level::Warning {
            for allow in &mut self.0 {
                if Some(allow.node) == node && allow.code == Some(code) {
                    (any, allow.used) = (true, true);
                }
            }
        }
        any
    }

    /// The names that allow nothing, in a file of that name. `together` is true if all trees together were
    /// checked; else nobody knows if such problems exist.
    pub fn useless(&self, file: &str, together: bool) -> Vec<Problem> {
        let unknown = |code: Option<Code>| match code {
            Some(Code::UselessAllow) => true,
            Some(code) => !together && SHOWN_BY_ALL.contains(&code),
            None => false,
        };
        let useless = self.0.iter();
        let useless = useless.filter(|allow| !allow.used && !unknown(allow.code));
        let problems = useless.map(|allow| {
            let (message, help) = allow.why();
            Problem::new(Code::UselessAllow, file, message)
                .of_node(allow.node)
                .at(allow.pointer.as_str())
                .with_help(help)
        });
        problems.collect()
    }
}

impl Allow {
    /// The reason why it allows nothing, and the advice.
    fn why(&self) -> (String, String) {
        let name = &self.name;
        match self.code {
            None => {
                let names = Code::ALL.iter().map(|code| code.name());
                let near = did_you_mean(name, names);
                let list = || "`bt-meta explain --list` lists all of them".to_owned();
                (
                    format!("the comment allows `{name}`, which is no code"),
                    near.unwrap_or_else(list),
                )
            }
            Some(code) if code.level() == Level::Error => (
                format!("the comment allows `{name}`, which the runtime refuses"),
                "only warnings can be allowed: fix the problem, and remove this".to_owned(),
            ),
            Some(_) => (
                format!("the comment allows `{name}`, which is not found in this node"),
                "take it out of the comment".to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use bt_core::tree::asset::spec::action;

    use super::*;

    fn of(comment: &str) -> Allows {
        let top = action("nop").comment(comment);
        Allows::of(&TreeAsset::build("t", "action_agent", top))
    }

    fn useless(allows: &Allows, together: bool) -> Vec<String> {
        let problems = allows.useless("t", together);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_comment_names_codes_among_other_words() {
        let comment = "The door. bt-meta: allow(unset-key, BT0051) since the host sets it";
        assert_eq!(names(comment).collect::<Vec<_>>(), ["unset-key", "BT0051"]);
        assert!(names("allow(renamed)").next().is_none());
        let mut allows = of(comment);
        assert!(allows.take(Some(1), Code::Deprecated));
        assert!(!allows.take(Some(1), Code::Renamed));
        assert!(!allows.take(Some(0), Code::Deprecated));
        assert!(!allows.take(None, Code::Deprecated));
        assert!(!of("bt-meta: allow(unknown-action)").take(Some(1), Code::UnknownAction));
        assert!(!of("bt-meta: allow(renamed").take(Some(1), Code::Deprecated));
    }

    #[test]
    fn used_allow_is_not_useless_by_number_or_name() {
        let mut allows = of("bt-meta: allow(renamed, BT0050) bt-meta: allow(deprecated)");
        assert_eq!(useless(&allows, true).len(), 3);
        allows.take(Some(1), Code::Renamed);
        assert_eq!(
            useless(&allows, true),
            [
                "t: node 1: the comment allows `deprecated`, which is not found in this node; take it out \
                 of the comment"
            ]
        );
    }

    #[test]
    fn allow_of_a_lint_over_all_trees_is_useless_only_after_all_were_checked() {
        let allows = of("bt-meta: allow(unset-key, never-waits, useless-allow)");
        assert_eq!(useless(&allows, true).len(), 2);
        assert_eq!(useless(&allows, false).len(), 0);
    }

    #[test]
    fn a_name_that_allows_nothing_says_why() {
        assert_eq!(
            useless(&of("bt-meta: allow(unset_key, unknown-action, x)"), false),
            [
                "t: node 1: the comment allows `unset_key`, which is no code; did you mean `unset-key`?",
                "t: node 1: the comment allows `unknown-action`, which the runtime refuses; only warnings \
                 can be allowed: fix the problem, and remove this",
                "t: node 1: the comment allows `x`, which is no code; `bt-meta explain --list` lists all of \
                 them",
            ]
        );
    }
}
