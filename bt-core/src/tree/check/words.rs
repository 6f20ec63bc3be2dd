//! The words that other engines have for node kinds, and what they are called here.

use super::kinds::KINDS;
use super::report::suggest;

/// What to write in place of a kind that there is not.
pub(super) fn instead_of(kind: &str) -> String {
    let plain: String = kind
        .chars()
        .take(64)
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let known = OTHERS.iter().find(|(words, _)| words.contains(&&*plain));
    match known {
        Some((_, advice)) => (*advice).to_owned(),
        None => suggest(kind, KINDS.names()),
    }
}

/// Each in small letters, without the marks between them.
const OTHERS: &[(&[&str], &str)] = &[
    (
        &["selector", "fallback", "priority", "selection"],
        "write `select`, which runs its children until one succeeds",
    ),
    (
        &["seq", "sequential"],
        "write `sequence`, which runs its children until one fails",
    ),
    (
        &[
            "memselector",
            "memoryselector",
            "mempriority",
            "memoryfallback",
        ],
        "write `memory_select`",
    ),
    (
        &["memsequence", "sequencewithmemory"],
        "write `memory_sequence`",
    ),
    (
        &[
            "reactivefallback",
            "reactiveselector",
            "dynamicselector",
            "activeselector",
        ],
        "write `reactive_select`",
    ),
    (
        &["dynamicsequence", "activesequence"],
        "write `reactive_sequence`",
    ),
    (
        &["randomselector", "randomfallback"],
        "write `random_select`",
    ),
    (&["randomsequence", "shuffle"], "write `random_seq`"),
    (
        &[
            "probability",
            "weighted",
            "weightedrandom",
            "probabilityselector",
            "selectorprobability",
        ],
        "write `probility`, as files spell it",
    ),
    (
        &[
            "inverter",
            "invert",
            "not",
            "negate",
            "negation",
            "decoratornot",
        ],
        "write `negative`, which turns its child's result round",
    ),
    (
        &[
            "succeeder",
            "forcesuccess",
            "alwayssucceed",
            "alwayssuccess",
            "successiserror",
        ],
        "write `always_true`",
    ),
    (
        &["failer", "forcefailure", "alwaysfail", "alwaysfailure"],
        "write `always_false`",
    ),
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
        &["waitforevent", "waitforsignal", "onevent"],
        "write `wait_event`",
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
    (
        &["running", "idle", "forever", "alwaysrun"],
        "write `always_running`",
    ),
    (
        &["task", "leaf", "call", "method", "function"],
        "write `action` with an `action_name`",
    ),
    (
        &["check", "predicate", "question", "test"],
        "write `condition` with an `action_name`",
    ),
    (
        &[
            "tree",
            "runtree",
            "behaviortree",
            "behaviourtree",
            "referencebehavior",
            "reference",
            "include",
        ],
        "write `sub_tree` with a `sub_tree_name`",
    ),
    (
        &["repeater", "repeatn", "times"],
        "write `repeat` with a `count`",
    ),
    (
        &["retryuntilsuccessful", "retrier", "attempt"],
        "write `retry` with a `count`",
    ),
    (
        &[
            "untilfail",
            "repeatuntilfail",
            "repeatuntilfailure",
            "keeprunninguntilfailure",
            "untilfailed",
        ],
        "write `until_failure`",
    ),
    (
        &["untilsuccessful", "repeatuntilsuccess", "untilsucceed"],
        "write `until_success`",
    ),
    (&["if", "ifthenelse", "branch", "switch"], "write `if_else`"),
    (&["while", "whiledo", "whiledoelse"], "write `while_loop`"),
    (
        &["deadline", "timelimit", "maxtime"],
        "write `timeout` with `seconds`",
    ),
    (
        &["limiter", "limit", "countlimit"],
        "write `run_limit` with a `count`",
    ),
    (&["oneshot", "runonce", "onlyonce"], "write `once`"),
    (&["return", "exit", "finish"], "write `end` with a `status`"),
    (
        &["parallelall", "parallelany", "race", "join"],
        "write `parallel` with `success` and `failure`",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_kind_and_none_stands_twice() {
        let mut words: Vec<_> = OTHERS.iter().flat_map(|(words, _)| *words).collect();
        words.sort();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
        for word in words {
            assert!(
                word.chars().all(|letter| letter.is_ascii_lowercase()),
                "{word}"
            );
            assert!(KINDS.get(word).is_none(), "{word}");
        }
    }

    #[test]
    fn every_piece_of_advice_names_what_there_is() {
        let agent = crate::Registry::global().unwrap();
        let agent = agent.agent("action_agent").unwrap();
        let keys = [
            "sub_tree_name",
            "action_name",
            "count",
            "seconds",
            "status",
            "success",
            "failure",
        ];
        for (_, advice) in OTHERS {
            for name in advice.split('`').skip(1).step_by(2) {
                let known = KINDS.get(name).is_some() || agent.action(name).is_ok();
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
