//! Many agents move, each when it is polled next.

use std::time::Duration;

use bt_core::pool::{Pool, WakeQueue};
use bt_core::prelude::*;
use bt_core::reload::{Changes, Gone};

use bt_core::tree::asset::spec::{NodeSpec, action, guard, parallel, select, sequence};
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

    #[condition]
    fn is_on(on: bool) -> bool {
        on
    }
}

fn wait(seconds: u32) -> NodeSpec {
    action("wait_for_seconds").arg(seconds)
}

fn trees(seconds: u32, word: &str) -> Trees<Bee> {
    of(sequence([wait(seconds), action("hum").arg(word)]))
}

/// The tree of that node.
fn of(top: NodeSpec) -> Trees<Bee> {
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

/// The number of 100 sleepers that are polled after their tree was changed, and what a dry run says of the
/// first.
fn polled(old: NodeSpec, new: NodeSpec) -> (usize, bool) {
    let (old, new) = (of(old), of(new));
    let mut hive = hive(&old, 100);
    assert_eq!(hive.poll(Duration::from_secs(1)), 0, "all of them sleep");
    let changes = Changes::between(&old, &new);
    let (_, _, first) = hive.iter().next().expect("there are some");
    let is_quiet = first.preview_reload(&changes).is_quiet();
    hive.reload(&changes, 1_000);
    let polled = hive.poll(Duration::from_secs(2));
    assert_eq!(hive.poll(Duration::from_secs(3)), 0);
    // They move when they are due.
    assert_eq!(hive.poll(Duration::from_secs(70)), 100);
    let moved = hive.iter().all(|(_, _, bee)| bee.reloads() == 1);
    assert!(moved, "each moved once");
    (polled, is_quiet)
}

fn hum(word: &str) -> NodeSpec {
    action("hum").arg(word)
}

#[test]
fn a_reload_polls_nobody_for_a_node_that_only_a_later_walk_reaches() {
    let old = || sequence([hum("a"), wait(60), hum("b")]);
    let none = (0, true);
    let added = sequence([hum("a"), wait(60), hum("b"), hum("c")]);
    assert_eq!(polled(old(), added), none, "a node to the right");
    let removed = sequence([hum("a"), wait(60)]);
    assert_eq!(
        polled(sequence([hum("a"), wait(60), hum("b")]), removed),
        none
    );
    let other = sequence([hum("a"), wait(60), hum("other")]);
    assert_eq!(polled(old(), other), none, "other arguments there");
    let left = sequence([hum("other"), wait(60), hum("b")]);
    assert_eq!(polled(old(), left), none, "what has ended");
    let unguarded = select([hum("a").guard(guard("is_on").arg(false)), wait(60)]);
    let wordy = select([hum("other").guard(guard("is_on").arg(false)), wait(60)]);
    assert_eq!(
        polled(unguarded, wordy),
        none,
        "what stands behind a guard that aborts nothing"
    );
}

#[test]
fn a_reload_polls_those_whose_active_nodes_changed() {
    let old = || sequence([wait(60), hum("b")]);
    assert_eq!(polled(old(), sequence([wait(59), hum("b")])), (100, true));
    let guarded = wait(60).guard(guard("is_on").arg(true).set("abort", "self"));
    assert_eq!(polled(old(), sequence([guarded, hum("b")])), (100, true));
    let wrapped = sequence([parallel(1, 1, [wait(60)]), hum("b")]);
    assert!(!polled(sequence([wait(60), hum("b")]), wrapped).1);
}

#[test]
fn a_reload_polls_those_to_whose_left_a_guard_is_added_that_may_take_over() {
    let on = |key| guard("is_on").arg(key).set("abort", "lower");
    let first = |body: NodeSpec| select([body.guard(guard("is_on").arg(false)), wait(60)]);
    let lower = |word: &str, key| select([hum(word).guard(on(key)), wait(60)]);
    assert_eq!(
        polled(first(hum("a")), lower("a", false)),
        (100, true),
        "it may take over now"
    );
    assert_eq!(
        polled(lower("a", false), lower("b", false)),
        (0, true),
        "the guard is the same"
    );
    let right = select([
        hum("x").guard(guard("is_on").arg(false)),
        wait(60),
        hum("a").guard(on(true)),
    ]);
    let before = || select([hum("x").guard(guard("is_on").arg(false)), wait(60)]);
    assert_eq!(polled(before(), right), (0, true), "it is to the right");
}

#[test]
fn a_reload_polls_those_in_whose_parallel_a_child_is_added() {
    let old = parallel(2, 2, [wait(60), wait(60)]);
    let new = parallel(2, 2, [wait(60), wait(60), wait(60)]);
    assert!(!polled(old, new).1);
}

#[test]
fn a_reload_that_changes_nothing_leaves_nobody_waiting() {
    let old = trees(10, "old");
    let mut hive = hive(&old, 100);
    let before = hive.next_wake();
    let changes = Changes::between(&old, &trees(10, "old"));
    assert!(changes.is_empty());
    hive.reload(&changes, 10);
    assert_eq!(hive.next_wake(), before, "no round is due");
    let (id, ..) = hive.iter().next().expect("there are some");
    let (_, bee) = hive.get_mut(id).expect("it is there");
    let before = bee.next_wake();
    bee.reload(&changes);
    assert_eq!(bee.next_wake(), before, "nor a poll");
}

#[test]
fn a_wake_queue_polls_those_whose_active_nodes_changed() {
    let old = trees(10, "old");
    let (mut queue, mut due) = (WakeQueue::new(), Vec::new());
    let mut agents: Vec<_> = (0..2)
        .map(|_| {
            let mut runner = Runner::new(&old, "bee.json").expect("it is there");
            runner.start();
            (queue.join(&mut runner), Bee::default(), runner)
        })
        .collect();
    for (id, bee, runner) in &mut agents {
        runner.poll(bee, Duration::ZERO);
        queue.schedule(*id, runner);
    }
    queue.take_due(Duration::ZERO, &mut due);
    let ids = [agents[0].0, agents[1].0];
    let new = [trees(10, "new"), trees(5, "new")];
    for ((id, _, runner), new) in agents.iter_mut().zip(&new) {
        runner.reload(&Changes::between(&old, new));
        queue.schedule(*id, runner);
    }
    queue.take_due(Duration::from_secs(1), &mut due);
    assert_eq!(due, [ids[1]], "only its wait is another");
    for (id, bee, runner) in &mut agents {
        // Whoever is polled moves, whether it was due or not.
        runner.poll(bee, Duration::from_secs(1));
        assert_eq!(runner.reloads(), 1);
        queue.schedule(*id, runner);
    }
    queue.take_due(Duration::from_secs(5), &mut due);
    assert_eq!(due, [ids[1]]);
    assert_eq!(queue.next_wake(), Some(Duration::from_secs(10)));
}
