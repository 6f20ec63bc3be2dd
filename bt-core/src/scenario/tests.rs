//! Scenarios as they are read, played and refused.


use super::{Player, Scenario, Verdict};
use crate::prelude::*;
use crate::tree::asset::spec::{action, guard, select, sequence};
use crate::{TreeAsset, TreeSet};

/// Walks, looks and shouts.
#[derive(Agent, Default)]
struct Watchman {
    /// What is left of its health.
    #[property(min = 0, max = 100)]
    hp: u32,
    shouted: u32,
    stopped: u32,
}

#[agent]
impl Watchman {
    #[action(exit = "stop")]
    fn walk_to(&mut self, cx: &mut Context, target: u64, #[arg(default = 1.5)] _range: f64) -> Option<bool> {
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

fn player() -> Player<Watchman> {
    let hunt = sequence([
        action("find").key("enemy"),
        action("walk_to").key("enemy"),
        action("shout"),
    ]);
    let hunt = hunt.guard(guard("sees_enemy"));
    let top = select([hunt, action("wait_for_seconds").arg(60)]);
    let mut trees = TreeSet::new();
    trees.add(TreeAsset::build("hunt.json", "watchman", top));
    Player::new(&trees).unwrap()
}

fn play(text: &str) -> Verdict {
    let scenario = Scenario::from_toml("hunt.scenario.toml", text).unwrap();
    player().play(&scenario, &mut Watchman::default()).unwrap()
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
at = \"end\"
result = \"success\"
"
    ));
    assert!(verdict.passed(), "{verdict}");
    assert_eq!((verdict.time, verdict.polls), (2_000_000_000, 21));
}

#[test]
fn failed_expectation_names_what_happened_and_the_node_that_kept_it() {
    let text = "
tree = \"hunt.json\"
until = \"3s\"
[[expect]]
by = \"2s\"
called = \"walk_to(target: 7)\"
";
    let verdict = play(text);
    insta::assert_snapshot!(verdict.to_string());
}
