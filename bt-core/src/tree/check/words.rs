//! The words that other engines have for node kinds, and what they are called here.

use super::report::suggest;
use crate::kinds::Kind;

/// The advice about an unknown kind.
pub(super) fn instead_of(kind: &str) -> String {
    let plain: String = kind
        .chars()
        .take(64)
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let is_it = |names: &[&str]| names.contains(&&*plain);
    let mut kinds = Kind::ALL.iter().map(|kind| kind.about());
    if let Some(about) = kinds.find(|about| is_it(about.other_names)) {
        return format!("write `{}`{}", about.name, about.advice);
    }
    match CALLS.iter().find(|(names, _)| is_it(names)) {
        Some((_, advice)) => (*advice).to_owned(),
        None => suggest(kind, Kind::ALL.iter().map(|kind| kind.name())),
    }
}

/// The names that are calls here and not kinds: their words, in small letters without the marks between them,
/// and the advice.
const CALLS: &[(&[&str], &str)] = &[
    (
        &[
            "wait",
            "sleep",
            "pause",
            "waittime",
            "waitforseconds",
            "waitseconds",
        ],
        "write an `action` that calls `wait_for_seconds`",
    ),
    (
        &["waitframes", "waitticks", "waitforframes"],
        "write an `action` that calls `wait_frames`",
    ),
    (
        &["log", "print", "debug"],
        "write an `action` that calls `log`",
    ),
    (
        &["success", "succeed", "noop", "nop", "empty"],
        "write an `action` that calls `nop`, which succeeds",
    ),
    (
        &["fail", "failure"],
        "write `always_false` over an `action` that calls `nop`",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_words_are_unique_and_no_kinds() {
        let kinds = Kind::ALL.iter().flat_map(|kind| kind.about().other_names);
        let calls = CALLS.iter().flat_map(|(words, _)| *words);
        let mut words: Vec<_> = kinds.chain(calls).collect();
        words.sort();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
        for word in words {
            assert!(
                word.chars()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit()),
                "{word}"
            );
            assert!(Kind::named(word).is_none(), "{word}");
        }
    }

    #[cfg(feature = "builtin")]
    #[test]
    fn every_piece_of_advice_names_what_there_is() {
        let agent = crate::Registry::global().unwrap();
        let agent = agent.agent("action_agent").unwrap();
        let keys = [
            "as",
            "sub_tree_name",
            "action_name",
            "cases",
            "count",
            "if",
            "in",
            "on",
            "scores",
            "seconds",
            "status",
            "success",
            "failure",
        ];
        let kinds = Kind::ALL.iter().map(|kind| kind.about().advice);
        for advice in kinds.chain(CALLS.iter().map(|(_, advice)| *advice)) {
            for name in advice.split('`').skip(1).step_by(2) {
                let known = Kind::named(name).is_some() || agent.action(name).is_ok();
                assert!(known || keys.contains(&name), "{advice}");
            }
        }
    }

    #[test]
    fn a_slip_is_answered_with_the_nearest_kind() {
        assert_eq!(instead_of("sequense"), "did you mean `sequence`?");
        assert_eq!(instead_of("Always_Success"), "write `always_true`");
        assert_eq!(
            instead_of("probability"),
            "write `probility`, as files spell it"
        );
        assert_eq!(instead_of("teleporter"), "");
        assert_eq!(instead_of(&"x".repeat(1_000_000)), "");
    }
}
