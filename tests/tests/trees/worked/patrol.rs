//! The patrol from a to b to c of the Python article: with a record, with memory, and with neither.
//! (S2-06, S2-11, S2-15)

use bt_core::{Mode, Runner, prelude::*};

use crate::worked::{script, seconds, start};

const MEMORY: &str = r#"
SEQUENCE True
    go_to_point "a"
    go_to_point "b"
    go_to_point "c"
"#;

const RECORD: &str = r#"
SEQUENCE
    FALLBACK
        has_been_to_point "a"
        go_to_point "a"
    FALLBACK
        has_been_to_point "b"
        go_to_point "b"
    FALLBACK
        has_been_to_point "c"
        go_to_point "c"
    clean_record
"#;

const NEITHER: &str = r#"
SEQUENCE
    go_to_point "a"
    go_to_point "b"
    go_to_point "c"
"#;

/// Walks on a line, a step with each call; a is at 0, b at 3, c at 6.
#[derive(Agent, Default)]
struct Walker {
    at: i32,
    /// The places of its way, for questions.
    record: Vec<String>,
    /// The places at which it arrived, in order.
    arrived: Vec<String>,
    places: Vec<i32>,
}

#[agent]
impl Walker {
    #[action]
    fn go_to_point(&mut self, point: &str) -> Status {
        let goal = match point {
            "a" => 0,
            "b" => 3,
            _ => 6,
        };
        if self.at == goal {
            self.record.push(point.to_owned());
            self.arrived.push(point.to_owned());
            return Status::Success;
        }
        self.at += (goal - self.at).signum();
        self.places.push(self.at);
        Status::Running
    }

    #[condition]
    fn has_been_to_point(&self, point: &str) -> bool {
        self.record.iter().any(|been| been == point)
    }

    #[action]
    fn clean_record(&mut self) {
        self.record.clear();
    }
}

fn patrol(text: &str, polls: u32) -> (Runner<Walker>, Walker) {
    let mut runner = start([script("patrol", "walker", text)]);
    let mut walker = Walker::default();
    for poll in 0..polls {
        runner.poll(&mut walker, seconds(poll.into()));
    }
    (runner, walker)
}

#[test]
fn with_memory_it_goes_round_from_a_to_b_to_c() {
    let (runner, walker) = patrol(MEMORY, 32);
    assert_eq!(walker.arrived.concat(), "abcabcabc");
    assert!(runner.is_running());
}

#[test]
fn with_a_record_it_goes_the_same_way() {
    let (_, with_memory) = patrol(MEMORY, 32);
    let (_, with_record) = patrol(RECORD, 32);
    assert_eq!(with_record.places, with_memory.places);
    assert_eq!(with_record.arrived, with_memory.arrived);
}

#[test]
fn with_neither_it_trembles_at_a() {
    let (_, walker) = patrol(NEITHER, 20);
    // Off to b, and back to a because a comes first.
    let trembles = [1, 0];
    assert!(walker.places.len() > 10);
    for (place, expect) in walker.places.iter().zip(trembles.iter().cycle()) {
        assert_eq!(place, expect);
    }
    assert!(walker.arrived.iter().all(|point| point == "a"));
}

#[test]
fn a_finished_round_is_forgotten_and_the_next_one_begins_at_a() {
    let mut runner = start([script("patrol", "walker", MEMORY)]).mode(Mode::Once);
    let mut walker = Walker::default();
    for round in 1..=3 {
        runner.start();
        while runner.poll(&mut walker, seconds(0.0)).status == Status::Running {}
        assert_eq!(runner.result(), Some(true));
        assert_eq!(walker.arrived.concat(), "abc".repeat(round));
    }
}
