//! A symbol for each kind of node, and the groups that have a colour.

/// What has a colour of its own.
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

/// The symbol and the group of a kind. The characters are those that common fonts have, and none of
/// them is an emoji.
pub(super) fn of(kind: &str, keeps_place: bool) -> (&'static str, Group) {
    match kind {
        "root" => ("◉", Group::Root),
        "sequence" if keeps_place => ("→=", Group::Composite),
        "select" if keeps_place => ("?=", Group::Composite),
        "sequence" => ("→", Group::Composite),
        "select" => ("?", Group::Composite),
        "memory_sequence" => ("→*", Group::Composite),
        "memory_select" => ("?*", Group::Composite),
        "reactive_sequence" => ("→!", Group::Composite),
        "reactive_select" => ("?!", Group::Composite),
        "always_seq" => ("⇢", Group::Composite),
        "random_seq" => ("→~", Group::Composite),
        "random_select" => ("?~", Group::Composite),
        "probility" => ("%", Group::Composite),
        "parallel" => ("⇉", Group::Composite),
        "if_else" => ("⊢", Group::Composite),
        "while_loop" => ("↻", Group::Composite),
        "and" => ("∧", Group::Composite),
        "or" => ("∨", Group::Composite),
        "negative" => ("¬", Group::Decorator),
        "always_true" => ("⊤", Group::Decorator),
        "always_false" => ("⊥", Group::Decorator),
        "repeat" => ("×", Group::Decorator),
        "retry" => ("↺", Group::Decorator),
        "until_success" => ("↻⊤", Group::Decorator),
        "until_failure" => ("↻⊥", Group::Decorator),
        "loop" => ("∞", Group::Decorator),
        "timeout" | "delay" | "cooldown" => ("◷", Group::Decorator),
        "run_limit" | "frames" => ("#", Group::Decorator),
        "success_until" => ("⊤<", Group::Decorator),
        "failure_until" => ("⊥<", Group::Decorator),
        "once" => ("1", Group::Decorator),
        "decorator" => ("◇", Group::Decorator),
        "action" => ("▸", Group::Action),
        "condition" => ("◆", Group::Condition),
        "wait_event" => ("↯", Group::Event),
        "sub_tree" => ("⊞", Group::Tree),
        "reset" => ("⟲", Group::Control),
        "end" => ("■", Group::Control),
        "always_running" => ("…", Group::Control),
        _ => ("·", Group::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_there_is_has_a_symbol_and_the_group_of_its_kind() {
        for kind in bt_core::kinds::node_kinds() {
            let (symbol, group) = of(&kind.name, false);
            let expect = match group {
                Group::Root => "root",
                Group::Composite => "composite",
                Group::Decorator => "decorator",
                Group::Unknown => "none",
                _ => "leaf",
            };
            assert_eq!(expect, kind.group, "{}", kind.name);
            assert!(symbol.chars().count() <= 2, "{}", kind.name);
        }
    }

    #[test]
    fn sequence_and_select_that_keep_their_place_have_a_symbol_of_their_own() {
        for kind in bt_core::kinds::node_kinds() {
            let has_own = of(&kind.name, true) != of(&kind.name, false);
            let takes_it = kind.params["properties"].get("keep_place").is_some();
            assert_eq!(has_own, takes_it, "{}", kind.name);
        }
    }
}
