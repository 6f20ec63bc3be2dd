//! Reasons for which an agent stands still or does something else: each is planted in a tree, and what the page shows is
//! asserted. The chapter has a table of them with these sentences.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::NodeSpec;
use bt_live::port::Texts;
use bt_studio::games::Source;
use serde_json::{Value, json};

use super::client::Client;
use super::game::Game;
use super::planted::{changes, trees};
use super::{Studio, attached, followed, of, port};

const CHAPTER: &str = include_str!("../../../docs/src/studio-debugger.md");

/// A dog that runs `main.json`, followed, and the name of its reason in the chapter's table.
struct Planted {
    /// It runs until the test has ended.
    _game: Game,
    studio: Studio,
    page: Client,
    dog: String,
    reason: &'static str,
}

fn planted(reason: &'static str) -> Planted {
    let text = |(name, top): (&str, NodeSpec)| {
        let text = TreeAsset::build(name, "dog", top).to_json();
        (name.to_owned(), text)
    };
    let texts: Texts = trees(reason).into_iter().map(text).collect();
    let game = Game::on(texts.clone(), 1, "main.json", |options| options);
    game.plays_on(20);
    let studio = Studio::of(&texts, vec![Source::Game(game.token_file.clone())], false);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    for (method, mut params) in changes(reason) {
        params["agent"] = dog.as_str().into();
        port(&mut page, method, params).unwrap();
        game.plays_on(5);
    }
    Planted {
        _game: game,
        studio,
        page,
        dog,
        reason,
    }
}

impl Planted {
    /// Asserts that the chapter says it of the reason.
    fn is_in_the_chapter(&self, says: &str) {
        let start = format!("| {} |", self.reason);
        let mut lines = CHAPTER.lines();
        let line = lines.find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("the chapter has no line {start:?}"));
        assert!(line.ends_with(&format!("| {says} |")), "{line}\n{says}");
    }

    /// Waits until a text has the sentence that the chapter says.
    fn until(&mut self, says: &str, text: impl Fn(&mut Planted) -> Option<String>) {
        self.is_in_the_chapter(says);
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < Duration::from_secs(60) {
            last = text(self);
            if last.as_ref().is_some_and(|text| has(text, says)) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{says:?} is not in:\n{}", last.unwrap_or_default());
    }

    /// Asserts a sentence under "Why it waits".
    fn waits(&mut self, says: &str) {
        self.until(says, |it| {
            let asked = json!({ "agent": it.dog });
            let explained = port(&mut it.page, "agent.explain", asked).unwrap();
            explained["text"].as_str().map(str::to_owned)
        });
    }

    /// Asserts what "why?" at a node says, or who wrote a key.
    fn cause(&mut self, asked: &Value, says: &str) {
        self.until(says, |it| {
            let dog = it.dog.clone();
            let cause = of(&mut it.page, "game.cause", &dog, asked.clone());
            cause["text"].as_str().map(str::to_owned)
        });
    }

    /// Asserts a problem of a tree.
    fn problem(&mut self, tree: &str, says: &str) {
        self.until(says, |it| {
            let doc = it.page.open_tree(tree);
            let findings = doc["findings"].as_array()?.iter();
            let texts = findings.map(|it| format!("{}: {}\n", it["message"], it["help"]));
            Some(texts.collect::<String>().replace('"', ""))
        });
    }
}

/// Returns true if a line of a text has a sentence, in which `…` is whatever stands there.
fn has(text: &str, says: &str) -> bool {
    let has = |line: &str| {
        let mut parts = says.split('…');
        let rest = parts.try_fold(line, |rest, part| Some(rest.split_once(part)?.1));
        rest.is_some()
    };
    text.lines().any(has)
}

/// A node of `main.json`, with those above it.
fn at<const N: usize>(idx: u32, above: [(u32, &[u32]); N]) -> Value {
    let above = above.map(|(idx, children)| json!({ "idx": idx, "children": children }));
    json!({ "node": { "tree": "main.json", "idx": idx, "above": above.to_vec() } })
}

#[test]
fn guard_that_never_holds_is_shown_with_what_it_saw() {
    let mut dog = planted("a guard never holds");
    dog.waits("its guard `near`(key `distance` = 9) does not hold");
}

#[test]
fn key_that_nobody_sets_is_a_problem_of_the_tree() {
    let mut dog = planted("a key is never set");
    dog.waits("its guard `near`(key `distance`, which is not set) does not hold");
}

#[test]
fn misspelt_event_is_shown_with_the_nearest_one() {
    let mut dog = planted("an event is misspelt");
    dog.waits("the agent registers no event `stik`; did you mean `stick`?");
}

#[test]
fn completion_that_nobody_finishes_is_shown_at_its_leaf() {
    let mut dog = planted("a completion is never finished");
    dog.waits("until its `Completion` is finished, by whoever holds it");
}

#[test]
fn cooldown_says_how_long_it_lasts() {
    let mut dog = planted("a cooldown lasts too long");
    dog.waits("it cools down for … s more");
}

#[test]
fn node_behind_one_that_always_runs_is_said_to_be_not_entered() {
    let mut dog = planted("children are in the wrong order");
    let fetch = at(5, [(1, &[2, 5]), (0, &[1])]);
    let says = "main.json: node 5 is not entered: before it, main.json: node 2 (sequence) runs";
    dog.cause(&fetch, says);
}

#[test]
fn trees_that_call_each_other_without_end_are_said_to_do_so() {
    let mut dog = planted("trees call each other without end");
    dog.waits(
        "`next.json` is not called: trees call one another 100 deep at most; `next.json` > `main.json` > `next.json` call one another",
    );
}

#[test]
fn wait_that_is_far_too_long_says_until_when() {
    let mut dog = planted("a wait is far too long");
    dog.waits("until 1500 s, in … s");
}

#[test]
fn forced_result_that_is_still_on_is_named() {
    let mut dog = planted("a forced result is still on");
    dog.waits(
        "node 3 (action `fetch`) ends with failure and does not run: release it to let it run",
    );
}

#[test]
fn disabled_node_is_named() {
    let mut dog = planted("a node is disabled");
    dog.waits("node 3 (action `bark`) is disabled: release it to let it run");
}

#[test]
fn deadline_that_is_too_short_is_the_reason_of_the_failure() {
    let mut dog = planted("a deadline is too short");
    let says = "before that, main.json: node 3 (action `wait_for_seconds`) exits: aborted by main.json: node 2 (timeout)";
    dog.cause(&at(1, []), says);
}

#[test]
fn wrong_name_of_a_key_is_a_problem_with_the_nearest_name() {
    let mut dog = planted("another tree uses another key name");
    let says = "key `distance` is read, and no tree sets it: did you mean `distanse`?";
    dog.problem("next.json", says);
}

#[test]
fn child_with_weight_0_is_said_to_be_not_entered() {
    let mut dog = planted("a weight is 0");
    let says = "main.json: node 2 is not entered: in its place, main.json: node 3 (action `wait_for_seconds`) runs";
    dog.cause(&at(2, [(1, &[2, 3]), (0, &[1])]), says);
}

#[test]
fn paused_agent_is_said_to_be_paused() {
    let mut dog = planted("the agent is paused");
    dog.waits("main.json is paused since … s: call `resume()`");
}

#[test]
fn parallel_with_the_wrong_threshold_is_the_reason_of_an_abort() {
    let mut dog = planted("a parallel ends too early");
    let says = "aborted by main.json: node 1 (parallel); before that, main.json: node 2 (action `bark`) exits: success";
    dog.cause(&at(3, []), says);
}

#[test]
fn service_that_overwrites_a_key_is_named_at_the_write() {
    let mut dog = planted("a service overwrites the key");
    let says = "main.json: node 3 (select) sets `distance` to 99, by `set_key_value`";
    dog.cause(&json!({ "key": "distance" }), says);
}

#[test]
fn err_of_an_action_is_the_reason_of_a_failure() {
    let mut dog = planted("an action fails with a reason");
    let says = "main.json: node 3 (action `fetch`) failed: 40 kg are too heavy";
    dog.cause(&at(1, []), says);
}

#[test]
fn tree_that_is_not_in_the_set_is_named_with_the_nearest_one() {
    let mut dog = planted("a called tree does not exist");
    dog.waits(
        "key `next` names the tree `nxt.json`, which does not exist; did you mean `next.json`?",
    );
}

#[test]
fn argument_out_of_range_is_named_with_its_bounds() {
    let mut dog = planted("an argument is out of range");
    dog.waits(
        "argument `weight` takes blackboard key `weight`, which holds 400: expected 1 to 100",
    );
}

#[test]
fn child_that_keep_place_passes_over_is_said_to_be_not_entered() {
    let mut dog = planted("`keep_place` skips a child");
    let says = "main.json: node 3 is not entered: in its place, main.json: node 4 (action `wait_for_seconds`) runs";
    dog.cause(&at(3, [(2, &[3, 4]), (1, &[2, 5]), (0, &[1])]), says);
    assert!(dog.studio.path("main.json").exists());
}
