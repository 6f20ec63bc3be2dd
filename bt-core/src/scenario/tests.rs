//! Scenarios as they are read, played and refused.

use super::{Player, Scenario, Verdict};
use crate::dynamic::{Describe, Type};
use crate::prelude::*;
use crate::tree::asset::spec::{action, check, guard, select, sequence};
use crate::{TreeAsset, TreeSet};

/// Walks, looks and shouts.
#[derive(Agent, Default)]
struct Watchman {
    /// The rest of its health.
    #[property(min = 0, max = 100)]
    hp: u32,
    shouted: u32,
    stopped: u32,
}

#[agent]
impl Watchman {
    #[action(exit = "stop")]
    fn walk_to(
        &mut self,
        cx: &mut Context,
        target: u64,
        #[arg(default = 1.5)] _range: f64,
    ) -> Option<bool> {
        cx.finish_on("arrived", target > 0);
        None
    }
    fn stop(&mut self, _: &mut Context, _: Exit) {
        self.stopped += 1;
    }
    #[condition]
    fn sees_enemy(&self) -> bool {
        false
    }
    #[query]
    fn distance(&self, _target: u64) -> f64 {
        9.0
    }
    #[action]
    fn find(&self, #[arg(out)] found: &mut u64) -> bool {
        *found = 0;
        false
    }
    #[action]
    fn shout(&mut self) {
        self.shouted += 1;
    }
    #[event]
    fn noise(place: &str);
}

/// hunt.json: select #1 (sequence #2 (find #3, walk_to #4, shout #5), wait #6).
fn hunt() -> TreeAsset {
    let hunt = sequence([
        action("find").key("enemy"),
        action("walk_to").key("enemy"),
        action("shout"),
    ]);
    let hunt = hunt.guard(guard("sees_enemy"));
    let top = select([hunt, action("wait_for_seconds").arg(60)]);
    TreeAsset::build("hunt.json", "watchman", top)
}

fn player(trees: impl IntoIterator<Item = TreeAsset>) -> Player<Watchman> {
    let mut set = TreeSet::new();
    for tree in trees {
        set.add(tree);
    }
    Player::new(&set).unwrap()
}

fn play(text: &str) -> Verdict {
    let scenario = Scenario::from_toml("hunt.scenario.toml", text).unwrap();
    let mut player = player([hunt()]);
    player.play(&scenario, &mut Watchman::default()).unwrap()
}

/// Everything that is wrong with a text, by itself or for the trees.
fn refused(text: &str) -> String {
    let read = Scenario::from_toml("t", text);
    let played = read.and_then(|scenario| {
        let mut player = player([hunt()]);
        player.play(&scenario, &mut Watchman::default())
    });
    played.unwrap_err().to_string()
}

const HUNT: &str = r#"
tree = "hunt.json"
[[answer]]
call = "sees_enemy"
result = true
[[answer]]
call = "find"
result = true
writes = { found = 7 }
[[answer]]
call = "walk_to"
after = "2s"
result = true
"#;

#[test]
fn scenario_answers_calls_and_meets_expectations() {
    let verdict = play(&format!(
        "{HUNT}
[[expect]]
by = \"0s\"
called = \"walk_to(target: 7, range: 1.5)\"
times = 1
[[expect]]
at = \"1s\"
active = [\"hunt.json#4\"]
[[expect]]
never = \"shout\"
until = \"1.9s\"
[[expect]]
at = \"end\"
result = \"success\"
"
    ));
    assert!(verdict.passed(), "{verdict}");
    assert_eq!((verdict.time, verdict.polls), (2_000_000_000, 21));
}

#[test]
fn answered_call_reaches_neither_method_nor_exit_method_and_others_do() {
    let scenario = Scenario::from_toml("t", HUNT).unwrap();
    let mut watchman = Watchman::default();
    let mut player = player([hunt()]);
    player.play(&scenario, &mut watchman).unwrap();
    assert_eq!((watchman.shouted, watchman.stopped), (1, 0));
    let text = HUNT.replace("call = \"walk_to\"", "call = \"walk_to(target: 8)\"");
    let text = format!(
        "{text}[[step]]\nat = \"1s\"\nfire = {{ event = \"noise\", params = {{ place = \"gate\" }} }}"
    );
    let scenario = Scenario::from_toml("t", &format!("until = \"2s\"\n{text}")).unwrap();
    player.play(&scenario, &mut watchman).unwrap();
    assert_eq!(
        (watchman.shouted, watchman.stopped),
        (1, 0),
        "it walks still"
    );
}

#[test]
fn failed_expectation_names_what_happened_and_the_node_that_kept_it() {
    let text = "tree = \"hunt.json\"\nuntil = \"3s\"\n[[expect]]\nby = \"2s\"\ncalled = \"walk_to(target: 7)\"";
    let said = play(text).to_string();
    for part in [
        "hunt.scenario.toml:4:6: expected `walk_to(target: 7)` called by 2 s",
        "but `walk_to` was never called (at 2 s)",
        "hunt.json: node 4 (action `walk_to`) was not entered, because hunt.json: node 2 (sequence) was not: its guard \
         `sees_enemy` did not hold at 0 s",
        "the last that happened:",
    ] {
        assert!(said.contains(part), "{part}:\n{said}");
    }
}

#[test]
fn call_with_other_arguments_is_shown() {
    let text = format!("{HUNT}[[expect]]\nby = \"1s\"\ncalled = \"walk_to(target: 8)\"");
    let said = play(&text).to_string();
    let part =
        "but it was called otherwise: `walk_to(target: 7, range: 1.5)` at 0 s by hunt.json: node 4";
    assert!(said.contains(part), "{said}");
}

#[test]
fn never_fails_in_the_poll_in_which_it_happens() {
    let text = format!("{HUNT}[[expect]]\nnever = \"shout\"\n[[expect]]\nnever = \"hunt.json#6\"");
    let verdict = play(&text);
    let [failure] = &verdict.failures[..] else {
        panic!("{verdict}")
    };
    assert_eq!(failure.time, 2_000_000_000);
    assert_eq!(failure.expected, "never `shout` called");
}

#[test]
fn later_answers_win_and_results_follow_times_and_calls() {
    let text = r#"
tree = "look.json"
until = "5s"
loop = true
tick = "1s"
[[answer]]
call = "find"
each = [true, false]
[[answer]]
call = "sees_enemy"
result = true
[[answer]]
call = "sees_enemy"
at = { "2s" = false, "4s" = true }
[[expect]]
at = "1s"
called = "find"
times = 2
[[expect]]
at = "3s"
called = "find"
times = 2
[[expect]]
at = "5s"
called = "find"
times = 4
[[expect]]
at = "end"
called = "shout"
times = 1
"#;
    let look = sequence([action("find").key("enemy"), action("shout")]).guard(guard("sees_enemy"));
    let tree = TreeAsset::build("look.json", "watchman", look);
    let scenario = Scenario::from_toml("t", text).unwrap();
    let verdict = player([tree]).play(&scenario, &mut Watchman::default());
    let verdict = verdict.unwrap();
    assert!(verdict.passed(), "{verdict}");
}

/// The first walk takes a second and fails, each later one two seconds.
#[test]
fn each_result_of_an_action_may_have_a_time_of_its_own() {
    let text = r#"
tree = "walk.json"
until = "5s"
loop = true
[[answer]]
call = "walk_to"
each = [{ after = "1s", result = false }, { after = "2s", result = true }]
[[expect]]
at = "0.9s"
called = "shout"
times = 0
[[expect]]
at = "1s"
called = "shout"
times = 1
[[expect]]
at = "2.9s"
called = "walk_to"
times = 2
[[expect]]
at = "3s"
called = "walk_to"
times = 3
"#;
    let walk = select([action("walk_to").arg(7), action("shout")]);
    let tree = TreeAsset::build("walk.json", "watchman", walk);
    let scenario = Scenario::from_toml("t", text).unwrap();
    let verdict = player([tree]).play(&scenario, &mut Watchman::default());
    let verdict = verdict.unwrap();
    assert!(verdict.passed(), "{verdict}");
}

/// A query inside of an expression.
#[test]
fn answer_takes_the_place_of_a_query_in_an_expression() {
    let near = sequence([check("distance($enemy) < 3"), action("shout")]);
    let tree = TreeAsset::build("near.json", "watchman", near);
    let text = r#"
tree = "near.json"
[set]
"$enemy" = 7
[[answer]]
call = "distance(target: 7)"
result = 2.5
[[expect]]
at = "0s"
called = "shout"
"#;
    let scenario = Scenario::from_toml("t", text).unwrap();
    let verdict = player([tree]).play(&scenario, &mut Watchman::default());
    let verdict = verdict.unwrap();
    assert!(verdict.passed(), "{verdict}");
}

#[test]
fn described_agent_fails_where_nothing_answers_a_call_or_a_property() {
    let ty = Describe::agent("lookout_man")
        .action("walk_to", |m| m.arg("target", Type::of::<u64>()))
        .property("hp", Type::of::<u32>())
        .build()
        .unwrap();
    let mut trees = ty.trees();
    let walk = TreeAsset::build("walk.json", "lookout_man", action("walk_to").arg(7));
    let look = TreeAsset::build("look.json", "lookout_man", check("@hp > 3"));
    trees.add(walk).add(look);
    let mut player = Player::described(&trees).unwrap();
    let mut play = |text: &str| {
        let scenario = Scenario::from_toml("t", text).unwrap();
        player.play_described(&scenario, &ty).unwrap().to_string()
    };
    let said = play("tree = \"walk.json\"");
    assert!(
        said.contains("expected an answer to `walk_to(target: 7)`"),
        "{said}"
    );
    assert!(
        said.contains("walk.json: node 1 (action `walk_to`) makes at 0 s"),
        "{said}"
    );
    let said = play("tree = \"walk.json\"\notherwise = \"success\"");
    assert_eq!(said, "t: passed\n");
    let said = play("tree = \"look.json\"");
    assert!(said.contains("expected a value of property `hp`"), "{said}");
    let said = play(
        "tree = \"look.json\"\n[set]\n\"@hp\" = 4\n[[expect]]\nat = \"0s\"\nresult = \"success\"",
    );
    assert_eq!(said, "t: passed\n");
}

#[test]
fn each_mistake_is_an_error_with_its_place() {
    let head = "tree = \"hunt.json\"\n";
    let cases = [
        ("", "t:1:1: missing field `tree`"),
        (
            "tree = \"hunt.json\"\nuntill = \"2s\"",
            "t:2:1: unknown field `untill`, expected one of",
        ),
        (
            "tree = \"hunt.json\"\nuntill = \"2s\"",
            "did you mean `until`?",
        ),
        (
            "tree = 3",
            "t:1:8: invalid type: integer `3`, expected a string",
        ),
        (
            "tree = \"hnt.json\"",
            "t:1:8: there is no tree `hnt.json`; did you mean `hunt.json`?",
        ),
        (
            "tree = \"hunt.json\"\nuntil = \"-2s\"",
            "t:2:9: `-2s` is no time: write a number and its unit",
        ),
        (
            "tree = \"hunt.json\"\nuntil = \"nans\"",
            "`nans` is no time",
        ),
        (
            "tree = \"hunt.json\"\nuntil = \"99999999min\"",
            "is longer than ten days",
        ),
        (
            "tree = \"hunt.json\"\nuntil = \"9min\"\ntick = \"1ms\"",
            "are more than 100000 polls",
        ),
        (
            "tree = \"hunt.json\"\ntick = \"0s\"",
            "a `tick` is longer than 0 s",
        ),
        (
            "tree = \"hunt.json\"\nloop = true",
            "write `until = \"20s\"`",
        ),
        (
            "tree = \"hunt.json\"\nseed = -1",
            "a seed is a whole number from 0 on",
        ),
        (
            "tree = \"hunt.json\"\n[set]\nenemy = 3",
            "write \"$enemy\" for a key, \"@enemy\" for a property",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"$enemi\" = 3",
            "no tree names a key `enemi`; did you mean `enemy`?",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"@hq\" = 3",
            "no property `hq` of agent `watchman`; did you mean `hp`?",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"@hp\" = \"full\"",
            "t:3:9: property `hp`: ",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"@hp\" = 300",
            "property `hp`: ",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"$enemy\" = nan",
            "is no value that an agent or a key can have",
        ),
        (
            "tree = \"hunt.json\"\n[set]\n\"$enemy\" = 2020-01-01",
            "is a date",
        ),
    ];
    for (text, expected) in cases {
        let said = refused(text);
        assert!(said.contains(expected), "{expected}:\n{said}");
    }
    let entries = [
        (
            "[[answer]]\ncall = \"walk_too\"\nresult = true",
            "t:3:8: no action `walk_too` of agent `watchman`; did you mean `walk_to`?",
        ),
        (
            "[[answer]]\ncall = \"walk_to(7)\"\nresult = true",
            "arguments are given by name",
        ),
        (
            "[[answer]]\ncall = \"walk_to(\"\nresult = true",
            "expected a call such as `walk_to(target: 7)`",
        ),
        (
            "[[answer]]\ncall = \"walk_to(tarpet: 7)\"\nresult = true",
            "`walk_to` has no argument `tarpet`; did you mean `target`?",
        ),
        (
            "[[answer]]\ncall = \"walk_to(target: \\\"a\\\")\"\nresult = true",
            "`walk_to`: argument `target`: ",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"",
            "an answer has one of `result`, `at`, `each` and `running`",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\nresult = true\nrunning = true",
            "an answer has one of",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\neach = []",
            "`each` has at least one result",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\neach = [{ after = \"2\", result = true }]",
            "`2` is no time",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\neach = [{ after = \"2s\" }]",
            "a result with a time of its own is `{ after = \"2s\", result = true }`",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\nresult = 3",
            "`walk_to` does not answer 3: expected true or false",
        ),
        (
            "[[answer]]\ncall = \"shout\"\nresult = false",
            "`shout` does not answer false: expected true: it cannot fail",
        ),
        (
            "[[answer]]\ncall = \"shout\"\nafter = \"2s\"\nresult = true",
            "`shout` ends at once, so nothing comes `after`",
        ),
        (
            "[[answer]]\ncall = \"sees_enemy\"\nrunning = true",
            "`sees_enemy` does not answer \"running\"",
        ),
        (
            "[[answer]]\ncall = \"distance\"\nresult = \"far\"",
            "`distance` answers: ",
        ),
        (
            "[[answer]]\ncall = \"walk_to\"\nresult = true\nwrites = { target = 7 }",
            "`walk_to`: argument `target` is not written by the method",
        ),
        (
            "[[step]]\nat = \"1s\"\nfire = { event = \"nose\" }",
            "no event `nose` of agent `watchman`; did you mean `noise`?",
        ),
        (
            "[[step]]\nat = \"1s\"\nfire = { event = \"noise\" }",
            "event `noise` needs parameter `place`",
        ),
        (
            "[[step]]\nat = \"1s\"\nfire = { event = \"noise\", params = { place = 3 } }",
            "event `noise`: parameter `place`: ",
        ),
        (
            "[[step]]\nat = \"1s\"\nfire = { event = \"noise\", params = { plaice = \"a\" } }",
            "event `noise` has no parameter `plaice`; did you mean `place`?",
        ),
        (
            "[[expect]]\ncalled = \"shout\"",
            "an expectation has one of `by`, `at` and `never`",
        ),
        (
            "[[expect]]\nby = \"1s\"",
            "nothing is expected: write `called`, `active` or `result`",
        ),
        (
            "[[expect]]\nby = \"1s\"\nactive = [\"hunt.json\"]",
            "`hunt.json` is no node",
        ),
        (
            "[[expect]]\nby = \"1s\"\nactive = [\"hunt.json#99\"]",
            "tree `hunt.json` has no node 99",
        ),
        (
            "[[expect]]\nnever = \"shout\"\ntimes = 1",
            "nothing but `from` and `until` goes with it",
        ),
        (
            "[[expect]]\nnever = \"shout\"\nfrom = \"3s\"\nuntil = \"2s\"",
            "`until` is before `from`",
        ),
        (
            "[[expect]]\nby = \"1s\"\nresult = \"running\"",
            "unknown variant `running`",
        ),
    ];
    for (text, expected) in entries {
        let said = refused(&format!("{head}{text}"));
        assert!(said.contains(expected), "{expected}:\n{said}");
    }
}

#[test]
fn hostile_files_are_refused_at_once() {
    let deep = format!("tree = {}", "[".repeat(100_000));
    let huge = "x".repeat(2 << 20);
    let many = format!(
        "tree = \"hunt.json\"\n{}",
        "[[step]]\nat = \"1s\"\n".repeat(10_001)
    );
    for (text, expected) in [
        (deep.as_str(), "t:1:"),
        (huge.as_str(), "a scenario has at most 1048576 bytes"),
        (
            many.as_str(),
            "at most 10000 answers, steps and expectations",
        ),
        ("\0", "t:1:"),
    ] {
        let said = refused(text);
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(said.len() < 2000);
    }
}

#[test]
fn tree_that_does_not_end_is_stopped() {
    let scenario = Scenario::from_toml("t", "tree = \"rest.json\"\ntick = \"10s\"").unwrap();
    let rest = TreeAsset::build(
        "rest.json",
        "watchman",
        crate::tree::asset::spec::wait_event("x"),
    );
    let verdict = player([rest]).play(&scenario, &mut Watchman::default());
    let said = verdict.unwrap().to_string();
    assert!(said.contains("write `until`"), "{said}");
}
