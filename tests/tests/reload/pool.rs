//! Many agents move, each when it is polled next.

use std::time::Duration;

use bt_core::pool::Pool;
use bt_core::prelude::*;
use bt_core::reload::{Changes, Gone};
use bt_core::tree::asset::spec::{NodeSpec, action, sequence};
use bt_core::{Runner, TreeAsset, TreeSet, Trees};

#[derive(Agent, Default)]
struct Bee {
    said: Vec<String>,
}

#[agent]
impl Bee {
    #[action]
    fn hum(&mut self, word: String) {
        self.said.push(word);
    }
}

fn wait(seconds: u32) -> NodeSpec {
    action("wait_for_seconds").arg(seconds)
}

fn trees(seconds: u32, word: &str) -> Trees<Bee> {
    let top = sequence([wait(seconds), action("hum").arg(word)]);
    let mut set = TreeSet::new();
    set.add(TreeAsset::build("bee.json", "bee", top));
    set.build().expect("they are right")
}

fn hive(trees: &Trees<Bee>, count: usize) -> Pool<Bee> {
    let mut hive = Pool::new();
    for _ in 0..count {
        let mut runner = Runner::new(trees, "bee.json").expect("it is there");
        runner.start();
        hive.spawn(Bee::default(), runner);
    }
    assert_eq!(hive.poll(Duration::ZERO), count);
    hive
}

fn heard(hive: &Pool<Bee>) -> Vec<String> {
    hive.iter()
        .flat_map(|(_, bee, _)| bee.said.clone())
        .collect()
}

#[test]
fn agents_whose_active_nodes_did_not_change_move_when_they_are_due() {
    let old = trees(10, "old");
    let mut hive = hive(&old, 3);
    // The node beside the one that runs changed, and the parent of both sees that.
    hive.reload(&Changes::between(&old, &trees(10, "old")), 100);
    assert_eq!(hive.poll(Duration::from_secs(1)), 0, "nothing changed");
    assert_eq!(hive.poll(Duration::from_secs(10)), 3);
    assert_eq!(heard(&hive), ["old", "old", "old"]);
}

#[test]
fn agents_whose_active_nodes_changed_move_within_a_budget_for_each_round() {
    let (old, new) = (trees(60, "old"), trees(5, "new"));
    let mut hive = hive(&old, 10);
    hive.reload(&Changes::between(&old, &new), 4);
    assert_eq!(
        hive.next_wake(),
        Some(Duration::ZERO),
        "there is something to do"
    );
    let polled = [1, 2, 3, 4].map(|second| hive.poll(Duration::from_secs(second)));
    assert_eq!(polled, [4, 4, 2, 0]);
    assert_eq!(hive.next_wake(), Some(Duration::from_secs(5)));
    hive.poll(Duration::from_secs(5));
    assert_eq!(heard(&hive), vec!["new"; 10]);
}

#[test]
fn an_agent_that_missed_a_reload_follows_the_newest() {
    let (old, second, third) = (trees(10, "old"), trees(10, "second"), trees(10, "third"));
    let mut hive = hive(&old, 2);
    hive.reload(&Changes::between(&old, &second), 1);
    hive.poll(Duration::from_secs(1));
    hive.reload(&Changes::between(&second, &third), 10);
    for second in [2, 10] {
        hive.poll(Duration::from_secs(second));
    }
    assert_eq!(heard(&hive), ["third", "third"]);
}

#[test]
fn agents_of_a_tree_that_is_gone_follow_the_policy() {
    let old = trees(10, "old");
    let mut hive = hive(&old, 2);
    let mut set = TreeSet::new();
    set.add(TreeAsset::build("other.json", "bee", wait(3)));
    let new: Trees<Bee> = set.build().expect("they are right");
    let changes = Changes::between(&old, &new).when_gone(Gone::Refuse);
    hive.reload(&changes, 10);
    for second in [1, 2, 10] {
        hive.poll(Duration::from_secs(second));
    }
    assert_eq!(heard(&hive), ["old", "old"]);
    let restart = Gone::Restart("other.json".to_owned());
    hive.reload(&Changes::between(&old, &new).when_gone(restart), 10);
    hive.poll(Duration::from_secs(11));
    assert!(
        hive.iter()
            .all(|(_, _, runner)| runner.tree() == "other.json")
    );
}
