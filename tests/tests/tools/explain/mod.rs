//! Tests of the reasons why an agent stands still: from its runner, and from its trace alone.

mod above;
mod advice;
mod ever;
mod leaves;
mod reasons;
mod refused;
mod scene;
mod scripts;
mod waiting;
mod whole;

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{self, NodeSpec};

/// Somebody who mostly stands still.
#[derive(Agent, Default)]
pub struct Ogre {
    #[property]
    hp: i64,
    completions: Vec<Completion>,
    angry: bool,
}

#[agent]
impl Ogre {
    /// Waits for what it is told to wait for.
    #[action]
    fn waits(&mut self, cx: &mut Context, what: &str) -> Option<bool> {
        match what {
            "time" => cx.finish_after(Duration::from_millis(2_500), true),
            "ever" => cx.finish_after(Duration::MAX, true),
            "polls" => cx.finish_after_polls(5, true),
            "event" => cx.finish_on("heard", true),
            "all" => {
                cx.finish_after(Duration::from_secs(5), false);
                cx.finish_on("heard", true);
                cx.finish_on("seen", true);
                self.completions.push(cx.completion());
            }
            "completion" => self.completions.push(cx.completion()),
            _ => {}
        }
        None
    }

    /// Is slow to cancel.
    #[action(exit = "tidy")]
    fn digs(&mut self, cx: &mut Context) -> Option<bool> {
        self.completions.push(cx.completion());
        None
    }

    fn tidy(&mut self, _cx: &mut Context, exit: Exit) -> Option<bool> {
        (exit != Exit::Aborted).then_some(true)
    }

    #[action]
    fn chases(&mut self, target: u64, range: f64, hp: i64) -> Status {
        assert!(target > 0 && range > 0.0 && hp >= 0);
        Status::Running
    }

    #[action]
    fn roars(&mut self) {}

    #[action]
    fn trips(&mut self) -> Result<(), String> {
        Err("there is a stone".to_owned())
    }

    #[condition]
    fn near(range: f64, least: f64) -> bool {
        range < least
    }

    #[condition]
    fn angry(&self) -> bool {
        self.angry
    }
}

/// An action that waits for that.
fn waits(what: &str) -> NodeSpec {
    spec::action("waits").arg(what)
}

/// A decorator of a kind that takes a time in seconds.
fn timed(kind: &str, seconds: f64, child: NodeSpec) -> NodeSpec {
    spec::node(kind).extra("seconds", seconds).child(child)
}
