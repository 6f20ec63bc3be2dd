//! Breakpoints on properties.

use std::sync::Arc;
use std::time::Duration;

use bt_core::debug::{Breakpoint, Breakpoints, Condition, Hits, On, Step, Stop};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

/// Eats, and says how full it is.
#[derive(Agent)]
struct Cow {
    #[property]
    meals: u32,
    #[property]
    milk: u32,
}

#[agent]
impl Cow {
    #[action]
    fn eat(&mut self) {
        self.meals += 1;
    }

    /// Writes what is there already.
    #[action]
    fn chew(&mut self) {
        self.milk = self.milk.min(100);
    }
}

/// A cow that chews, which is node 2, and eats, which is node 3, in every poll.
struct Meadow {
    cow: Cow,
    runner: Runner<Cow>,
    polls: u64,
}

impl Meadow {
    fn new(breakpoints: impl IntoIterator<Item = Breakpoint>) -> Meadow {
        let mut trees = TreeSet::<Cow>::new();
        let day = sequence([action("chew"), action("eat")]);
        trees.add(TreeAsset::build("day", "cow", day));
        let trees = trees.build().expect("it is valid");
        let runner = Runner::new(&trees, "day").expect("it is there");
        let mut runner = runner.mode(Mode::Loop);
        runner.set_breakpoints(Some(Arc::new(Breakpoints::new(breakpoints))));
        runner.start();
        let cow = Cow { meals: 0, milk: 7 };
        let polls = 0;
        Meadow { cow, runner, polls }
    }

    fn poll(&mut self) -> Option<&Stop> {
        self.polls += 1;
        let now = Duration::from_secs(self.polls);
        self.runner.poll(&mut self.cow, now);
        self.runner.stopped()
    }

    fn go(&mut self) {
        let number = self.runner.stopped().expect("it is stopped").number;
        self.runner.step(number, Step::Continue).expect("it is");
        let now = Duration::from_secs(self.polls);
        self.runner.poll(&mut self.cow, now);
    }

    /// After how many meals it is stopped, of the first nine.
    fn stops(&mut self) -> Vec<u32> {
        let mut found = Vec::new();
        while self.cow.meals < 9 {
            if self.poll().is_some() {
                found.push(self.cow.meals);
                self.go();
            }
        }
        found
    }
}

fn on(name: &str) -> Breakpoint {
    let name = name.to_owned();
    Breakpoint::new(1, On::Property { name })
}

#[test]
fn property_stops_after_the_call_that_changed_it() {
    let mut meadow = Meadow::new([on("meals")]);
    let stop = meadow.poll().expect("it is stopped");
    assert_eq!((&*stop.record, stop.idx), ("property_set", Some(3)));
    assert_eq!(meadow.cow.meals, 1);
    meadow.go();
    assert!(meadow.runner.stopped().is_none());
}

#[test]
fn property_that_keeps_its_value_does_not_stop() {
    assert!(Meadow::new([on("milk")]).stops().is_empty());
}

#[test]
fn hits_of_a_property_count_its_changes() {
    let stops = |hits| Meadow::new([on("meals").hits(hits)]).stops();
    assert_eq!(stops(Hits::AtLeast(7)), [7, 8, 9]);
    assert_eq!(stops(Hits::Every(4)), [4, 8]);
}

#[test]
fn condition_decides_whether_a_change_of_a_property_counts() {
    let hungry: Condition = "hungry == true".parse().expect("it is one");
    let breakpoint = on("meals").when(hungry).hits(Hits::AtLeast(2));
    let mut meadow = Meadow::new([breakpoint]);
    assert!(meadow.poll().is_none());
    meadow.runner.blackboard().set("hungry", true);
    assert!(meadow.poll().is_none(), "it is the first that counts");
    assert!(meadow.poll().is_some());
    assert_eq!(meadow.cow.meals, 3);
}

#[test]
fn property_that_the_host_wrote_stops_at_the_next_poll() {
    let mut meadow = Meadow::new([on("milk")]);
    assert!(meadow.poll().is_none());
    meadow.cow.milk = 8;
    let stop = meadow.poll().expect("it is stopped");
    assert_eq!((&*stop.record, stop.idx), ("property_set", None));
    assert_eq!(meadow.cow.meals, 1);
}

#[test]
fn expression_over_a_property_stops_when_it_turns_true() {
    let text = |text: &str| On::Expression {
        text: text.to_owned(),
    };
    let mut meadow = Meadow::new([Breakpoint::new(1, text("@meals > 2 && $hungry"))]);
    meadow.runner.blackboard().set("hungry", true);
    assert!(meadow.poll().is_none());
    assert!(meadow.poll().is_none());
    assert!(meadow.poll().is_some());
    assert_eq!(meadow.cow.meals, 3);
    // True before: it did not turn true.
    let mut meadow = Meadow::new([Breakpoint::new(1, text("@milk < 10"))]);
    assert!(meadow.poll().is_none());
    meadow.cow.milk = 8;
    assert!(meadow.poll().is_none());
    meadow.cow.milk = 12;
    assert!(meadow.poll().is_none());
    meadow.cow.milk = 9;
    assert!(meadow.poll().is_some());
}
