//! Tests of a runner's reports when an action exits: the faults of its exit method, and not the reasons why
//! some call before it failed. A failure that an action gives a reason for is not a fault of the tree.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, condition, select, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

/// Knocks at doors.
#[derive(Debug, Default, Agent)]
pub struct Caller {
    exits: Vec<Exit>,
}

#[agent]
impl Caller {
    /// Knock.
    #[action(exit = "leave_door")]
    fn knock(&mut self, open: bool) -> Result<(), &'static str> {
        if open { Ok(()) } else { Err("nobody is in") }
    }

    fn leave_door(&mut self, _cx: &mut Context, exit: Exit) {
        self.exits.push(exit);
    }

    /// Is there a bell?
    #[condition]
    fn has_bell(&self) -> Result<bool, &'static str> {
        Err("it is too dark to see")
    }
}

fn run(top: NodeSpec) -> (Vec<Exit>, Vec<String>) {
    let mut trees = TreeSet::<Caller>::new();
    trees.add(TreeAsset::build("t.json", "caller", top));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "t.json").unwrap().mode(Mode::Once);
    let mut caller = Caller::default();
    runner.start();
    runner.poll(&mut caller, Duration::ZERO);
    let reported = runner.take_diagnostics();
    (
        caller.exits,
        reported.iter().map(|d| d.to_string()).collect(),
    )
}

#[test]
fn an_action_that_fails_for_a_reason_is_no_diagnostic() {
    let (exits, reported) = run(sequence([action("knock").arg(false)]));
    assert_eq!(exits, [Exit::Failure]);
    assert_eq!(reported, Vec::<String>::new());
}

#[test]
fn an_exit_is_not_blamed_for_an_earlier_failure() {
    let (exits, reported) = run(select([condition("has_bell"), action("knock").arg(true)]));
    assert_eq!(exits, [Exit::Success]);
    assert_eq!(reported, Vec::<String>::new());
}
