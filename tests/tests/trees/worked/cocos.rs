//! The enemy of the Cocos article, which is that of Unreal's documents: a select of chase, patrol and
//! wait, the chase under a decorator that says whether the player is in sight. (S5-01 to S5-04,
//! S5-06)

use bt_core::{Runner, prelude::*};

use crate::worked::{json, seconds, start, troubles};

/// The numbers are those of the article's picture; 1 is the decorator, which is the guard here.
fn tree(abort: &str) -> String {
    let action = |idx: u32, parent: u32, name: &str| {
        format!(
            r#"{{"idx": {idx}, "parent": {parent}, "type": "action", "children": [], "extra":
                {{"action_name": "{name}", "action_args": []}}}}"#
        )
    };
    let leaves = [
        action(3, 2, "turn_to_player"),
        action(4, 2, "chase_player"),
        action(5, 2, "move_to_player"),
        action(7, 6, "find_place"),
        action(8, 6, "walk"),
        action(9, 6, "look_round"),
    ];
    format!(
        r#"{{"name": "enemy.json", "nodes": [
        {{"idx": 100, "type": "root", "children": [0], "extra": {{"agent_name": "enemy",
            "blackboard": {{"in_sight": {{"type": "bool", "initial": false}}}}}}}},
        {{"idx": 0, "parent": 100, "type": "select", "children": [2, 6, 10], "extra": {{"services":
            [{{"seconds": 0.5, "action_name": "look", "action_args": []}}]}}}},
        {{"idx": 2, "parent": 0, "type": "sequence", "children": [3, 4, 5], "extra": {{"guards":
            [{{"condition_name": "has_key_value", "condition_args": [
                {{"arg_type": "plain", "arg_value": "in_sight"}},
                {{"arg_type": "plain", "arg_value": true}}], "abort": "{abort}"}}]}}}},
        {{"idx": 6, "parent": 0, "type": "sequence", "children": [7, 8, 9], "extra": {{}}}},
        {{"idx": 10, "parent": 0, "type": "action", "children": [], "extra": {{
            "action_name": "wait_for_seconds",
            "action_args": [{{"arg_type": "plain", "arg_value": 2}}]}}}},
        {}
        ]}}"#,
        leaves.join(",")
    )
}

#[derive(Agent, Default)]
struct Enemy {
    /// The time at which it saw the player last.
    seen: Option<f64>,
    sees: bool,
    looked: u32,
    lost: bool,
    did: Vec<String>,
}

#[agent]
impl Enemy {
    /// The service. The player is forgotten some seconds after it went out of sight.
    #[action]
    fn look(&mut self, cx: &mut Context) {
        self.looked += 1;
        let now = cx.now().as_secs_f64();
        if self.sees {
            self.seen = Some(now);
        }
        cx.set("in_sight", self.seen.is_some_and(|seen| now - seen < 3.0));
    }

    #[action]
    fn turn_to_player(&mut self) {
        self.did("turn");
    }

    #[action]
    fn chase_player(&mut self) {
        self.did("chase");
    }

    #[action(exit = "stop_moving")]
    fn move_to_player(&mut self) -> Status {
        self.did("move");
        Status::Running
    }

    fn stop_moving(&mut self, _cx: &mut Context, exit: Exit) {
        self.did(&format!("moved: {exit:?}"));
    }

    #[action]
    fn find_place(&mut self) -> bool {
        self.did("find");
        !self.lost
    }

    #[action(exit = "stop_walking")]
    fn walk(&mut self, cx: &mut Context) -> Option<bool> {
        self.did("walk");
        cx.finish_after(std::time::Duration::from_secs(5), true);
        None
    }

    fn stop_walking(&mut self, _cx: &mut Context, exit: Exit) {
        self.did(&format!("walked: {exit:?}"));
    }

    #[action]
    fn look_round(&mut self) {
        self.did("look round");
    }
}

impl Enemy {
    fn did(&mut self, what: &str) {
        self.did.push(what.to_owned());
    }
}

fn poll(runner: &mut Runner<Enemy>, enemy: &mut Enemy, at: f64) -> String {
    runner.poll(enemy, seconds(at));
    assert_eq!(troubles(runner), [""; 0]);
    std::mem::take(&mut enemy.did).join(", ")
}

fn begin(abort: &str) -> (Runner<Enemy>, Enemy) {
    let mut runner = start([json("enemy.json", &tree(abort))]);
    let mut enemy = Enemy::default();
    assert_eq!(poll(&mut runner, &mut enemy, 0.0), "find, walk");
    (runner, enemy)
}

#[test]
fn the_enemy_patrols_until_it_sees_the_player_and_then_chases_it() {
    let (mut runner, mut enemy) = begin("both");
    enemy.sees = true;
    // Its eyes are open every half second.
    assert_eq!(poll(&mut runner, &mut enemy, 0.4), "");
    let seen = poll(&mut runner, &mut enemy, 0.5);
    assert_eq!(seen, "walked: Aborted, turn, chase, move");
    assert_eq!(poll(&mut runner, &mut enemy, 0.6), "move");
}

#[test]
fn some_seconds_after_the_player_went_out_of_sight_it_patrols_again() {
    let (mut runner, mut enemy) = begin("both");
    enemy.sees = true;
    poll(&mut runner, &mut enemy, 0.5);
    enemy.sees = false;
    for half in 2..=6 {
        let at = f64::from(half) / 2.0;
        assert_eq!(poll(&mut runner, &mut enemy, at), "move", "at {at}");
    }
    let lost = poll(&mut runner, &mut enemy, 3.5);
    assert_eq!(lost, "moved: Aborted, find, walk");
    // And seen again, it is chased again.
    enemy.sees = true;
    let seen = poll(&mut runner, &mut enemy, 4.0);
    assert_eq!(seen, "walked: Aborted, turn, chase, move");
}

#[test]
fn chase_continues_out_of_sight_with_lower_alone() {
    let (mut runner, mut enemy) = begin("lower");
    enemy.sees = true;
    let seen = poll(&mut runner, &mut enemy, 0.5);
    assert_eq!(seen, "walked: Aborted, turn, chase, move");
    enemy.sees = false;
    assert_eq!(poll(&mut runner, &mut enemy, 100.0), "move");
    assert_eq!(runner.blackboard().get("in_sight"), false);
    assert_eq!(poll(&mut runner, &mut enemy, 101.0), "move");
}

#[test]
fn without_an_abort_the_patrol_is_finished_first() {
    let (mut runner, mut enemy) = begin("none");
    enemy.sees = true;
    assert_eq!(poll(&mut runner, &mut enemy, 0.5), "");
    let walked = poll(&mut runner, &mut enemy, 5.0);
    assert_eq!(walked, "walked: Success, look round, turn, chase, move");
}

#[test]
fn enemy_waits_when_chase_and_patrol_fail() {
    let mut runner = start([json("enemy.json", &tree("both"))]);
    let mut enemy = Enemy {
        lost: true,
        ..Enemy::default()
    };
    assert_eq!(poll(&mut runner, &mut enemy, 0.0), "find");
    assert_eq!(runner.active_leaves()[0].idx, 10);
    assert_eq!(poll(&mut runner, &mut enemy, 1.0), "");
    // Over: the next run begins in this poll, and waits again.
    assert_eq!(poll(&mut runner, &mut enemy, 2.0), "find");
}

#[test]
fn the_service_has_its_own_frequency_and_does_not_catch_up() {
    let (mut runner, mut enemy) = begin("both");
    assert_eq!(enemy.looked, 1, "at entry");
    for (at, looked) in [
        (0.4, 1),
        (0.5, 2),
        (0.9, 2),
        (1.0, 3),
        // Late: once, and the next half a second after that.
        (3.2, 4),
        (3.6, 4),
        (3.7, 5),
    ] {
        poll(&mut runner, &mut enemy, at);
        assert_eq!(enemy.looked, looked, "at {at}");
    }
}
