//! The robot that carries a ball into a bin: the script of the Python article, its typing error
//! included. (S2-07, S2-09, S2-12)

use bt_core::{Mode, Runner, TreeAsset, prelude::*};
use serde_json::json;

use crate::worked::{Log, script, seconds, start, troubles};

const SCRIPT: &str = r#"
SEQUENCE
    FALLBACK
        ball_found
        find_ball
    FALLBACK
        is_close {"target": "ball"}
        approach {"target": "ball"}
    FALLBACK
        ball_grasped
        grasp_ball
    FALLBACK
        is_colse {"target": "bin"}
        approach {"target": "bin"}
    FALLBACK
        ball_placed
        place_ball
"#;

#[derive(Agent, Default)]
struct Robot {
    found: bool,
    grasped: bool,
    placed: bool,
    /// The place at which it stands.
    at: String,
    /// The number of times that it was called to go where it goes.
    steps: u32,
    calls: Log,
}

#[agent]
impl Robot {
    #[condition]
    fn ball_found(&self) -> bool {
        self.called("ball_found");
        self.found
    }

    /// Takes two calls.
    #[action]
    fn find_ball(&mut self) -> Status {
        self.called("find_ball");
        self.found = self.two_calls();
        self.ends(self.found)
    }

    #[condition(alias = ["is_colse"])]
    fn is_close(&self, target: &str) -> bool {
        self.called(&format!("is_close {target}"));
        self.at == target || self.grasped && target == "ball"
    }

    /// Takes two calls.
    #[action]
    fn approach(&mut self, target: &str) -> Status {
        self.called(&format!("approach {target}"));
        let there = self.two_calls();
        if there {
            self.at = target.to_owned();
        }
        self.ends(there)
    }

    #[condition]
    fn ball_grasped(&self) -> bool {
        self.called("ball_grasped");
        self.grasped
    }

    #[action]
    fn grasp_ball(&mut self) -> bool {
        self.called("grasp_ball");
        self.grasped = true;
        true
    }

    #[condition]
    fn ball_placed(&self) -> bool {
        self.called("ball_placed");
        self.placed
    }

    #[action]
    fn place_ball(&mut self) -> bool {
        self.called("place_ball");
        self.placed = true;
        true
    }
}

impl Robot {
    fn called(&self, what: &str) {
        self.calls.note(what);
    }

    fn two_calls(&mut self) -> bool {
        self.steps = (self.steps + 1) % 2;
        self.steps == 0
    }

    fn ends(&self, ended: bool) -> Status {
        if ended {
            Status::Success
        } else {
            Status::Running
        }
    }
}

fn begin() -> (Runner<Robot>, Robot) {
    let runner = start([script("carry", "robot", SCRIPT)]).mode(Mode::Once);
    (runner, Robot::default())
}

/// One tick: how the tree stands, and what was called.
fn tick(runner: &mut Runner<Robot>, robot: &mut Robot) -> (Status, Vec<String>) {
    let status = runner.poll(robot, seconds(1.0)).status;
    (status, robot.calls.take())
}

#[test]
fn the_robot_finds_grasps_and_places_the_ball_tick_by_tick() {
    let (mut runner, mut robot) = begin();
    let expect: [(Status, &[&str]); 5] = [
        (Status::Running, &["ball_found", "find_ball"]),
        (
            Status::Running,
            &["ball_found", "find_ball", "is_close ball", "approach ball"],
        ),
        (
            Status::Running,
            &[
                "ball_found",
                "is_close ball",
                "approach ball",
                "ball_grasped",
                "grasp_ball",
                "is_close bin",
                "approach bin",
            ],
        ),
        (
            Status::Success,
            &[
                "ball_found",
                "is_close ball",
                "ball_grasped",
                "is_close bin",
                "approach bin",
                "ball_placed",
                "place_ball",
            ],
        ),
        (Status::Success, &[]),
    ];
    for (number, (status, calls)) in expect.into_iter().enumerate() {
        let (now, called) = tick(&mut runner, &mut robot);
        assert_eq!(called, calls, "tick {}", number + 1);
        assert_eq!(now, status, "tick {}", number + 1);
    }
    assert_eq!(troubles(&mut runner), [""; 0]);
}

#[test]
fn a_ball_that_is_dropped_on_the_way_is_grasped_again() {
    let (mut runner, mut robot) = begin();
    for _ in 0..3 {
        tick(&mut runner, &mut robot);
    }
    // On the way to the bin.
    robot.grasped = false;
    robot.steps = 0;
    let (_, called) = tick(&mut runner, &mut robot);
    let back = [
        "ball_found",
        "is_close ball",
        "ball_grasped",
        "grasp_ball",
        "is_close bin",
        "approach bin",
    ];
    assert_eq!(called, back);
    assert!(robot.grasped);
}

#[test]
fn the_dict_of_the_article_is_the_same_tree_as_its_script() {
    let select = |level: u32, first: serde_json::Value, second: serde_json::Value| json!({"name": "FALLBACK", "level": level, "children": [first, second]});
    let leaf = |name: &str| json!({"name": name, "level": 3});
    let to =
        |name: &str, target: &str| json!({"name": name, "param": {"target": target}, "level": 3});
    let dict = json!({"name": "SEQUENCE", "level": 1, "children": [
        select(2, leaf("ball_found"), leaf("find_ball")),
        select(2, to("is_close", "ball"), to("approach", "ball")),
        select(2, leaf("ball_grasped"), leaf("grasp_ball")),
        select(2, to("is_colse", "bin"), to("approach", "bin")),
        select(2, leaf("ball_placed"), leaf("place_ball")),
    ]});
    let tree = TreeAsset::from_script_value("carry", &dict).unwrap();
    assert_eq!(tree.with_agent("robot"), script("carry", "robot", SCRIPT));
}
