//! Postcondition, precondition, action: the three trees of the Python article that get an agent into
//! a house, and the two smaller ones that lead there. (S2-14)

use bt_core::{Mode, prelude::*};

use crate::worked::{script, seconds, start};

const PRECONDITION: &str = "
SEQUENCE
    is_door_open
    go_inside
";

const POSTCONDITION: &str = "
FALLBACK
    is_in_house
    enter_house
";

const HOUSE: &str = "
FALLBACK
    is_in_house
    SEQUENCE
        is_door_open
        go_inside
";

const DOOR: &str = "
FALLBACK
    is_door_open
    SEQUENCE
        is_door_unlocked
        open_door
    SEQUENCE
        has_crowbar
        door_is_weak
        brake_door_open
";

const ENTER: &str = "
FALLBACK
    is_in_house
    SEQUENCE
        FALLBACK
            is_door_open
            SEQUENCE
                is_door_unlocked
                open_door
            SEQUENCE
                has_crowbar
                door_is_weak
                brake_door_open
        go_inside
";

/// Someone in front of a house.
#[derive(Agent, Default, Clone, Copy)]
struct Visitor {
    inside: bool,
    open: bool,
    unlocked: bool,
    crowbar: bool,
    weak: bool,
    /// The number of calls that entering the house takes.
    far: u32,
    entered: u32,
    aborted: u32,
}

#[agent]
impl Visitor {
    #[condition]
    fn is_in_house(&self) -> bool {
        self.inside
    }

    #[condition]
    fn is_door_open(&self) -> bool {
        self.open
    }

    #[condition]
    fn is_door_unlocked(&self) -> bool {
        self.unlocked
    }

    #[condition]
    fn has_crowbar(&self) -> bool {
        self.crowbar
    }

    #[condition]
    fn door_is_weak(&self) -> bool {
        self.weak
    }

    #[action]
    fn open_door(&mut self) {
        self.open = true;
    }

    #[action]
    fn brake_door_open(&mut self) {
        self.open = true;
        self.weak = false;
    }

    #[action]
    fn go_inside(&mut self) {
        self.inside = true;
    }

    /// Never says that it is done: whether it is, the postcondition knows.
    #[action(exit = "left")]
    fn enter_house(&mut self) -> Status {
        self.entered += 1;
        self.inside = self.entered >= self.far;
        Status::Running
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.aborted += u32::from(exit == Exit::Aborted);
    }
}

/// Runs a script once, in one poll.
fn ends(text: &str, visitor: &mut Visitor) -> Status {
    let mut runner = start([script("house", "visitor", text)]).mode(Mode::Once);
    runner.poll(visitor, seconds(0.0)).status
}

#[test]
fn the_action_runs_only_where_the_precondition_holds() {
    let mut visitor = Visitor::default();
    assert_eq!(ends(PRECONDITION, &mut visitor), Status::Failure);
    assert!(!visitor.inside);
    visitor.open = true;
    assert_eq!(ends(PRECONDITION, &mut visitor), Status::Success);
    assert!(visitor.inside);
}

#[test]
fn the_action_runs_until_the_postcondition_holds() {
    let mut visitor = Visitor {
        far: 3,
        ..Visitor::default()
    };
    let mut runner = start([script("house", "visitor", POSTCONDITION)]).mode(Mode::Once);
    for tick in 1..=3 {
        let poll = runner.poll(&mut visitor, seconds(0.0));
        assert_eq!(
            (poll.status, visitor.entered),
            (Status::Running, tick),
            "{tick}"
        );
    }
    // The postcondition holds now: it takes over, and the action is aborted.
    assert_eq!(
        runner.poll(&mut visitor, seconds(0.0)).status,
        Status::Success
    );
    assert_eq!((visitor.entered, visitor.aborted), (3, 1));
}

#[test]
fn visitor_inside_already_succeeds_without_further_calls() {
    for tree in [HOUSE, ENTER] {
        let mut visitor = Visitor {
            inside: true,
            unlocked: true,
            ..Visitor::default()
        };
        assert_eq!(ends(tree, &mut visitor), Status::Success);
        assert!(!visitor.open);
    }
}

#[test]
fn visitor_enters_only_through_an_open_door() {
    for open in [false, true] {
        let mut visitor = Visitor {
            open,
            ..Visitor::default()
        };
        let expect = Status::from(open);
        assert_eq!(ends(HOUSE, &mut visitor), expect);
        assert_eq!(visitor.inside, open);
    }
}

/// `(open, unlocked, crowbar, weak)` before, whether the door is open afterwards, whether it was
/// broken.
type Case = ((bool, bool, bool, bool), bool, bool);

const CASES: [Case; 6] = [
    ((true, false, false, false), true, false),
    // Not locked: opened, and not broken.
    ((false, true, true, true), true, false),
    // Locked: broken, if there is a crowbar and the door is weak.
    ((false, false, true, true), true, true),
    ((false, false, true, false), false, false),
    ((false, false, false, true), false, false),
    ((false, false, false, false), false, false),
];

fn of(case: Case) -> Visitor {
    let (open, unlocked, crowbar, weak) = case.0;
    Visitor {
        open,
        unlocked,
        crowbar,
        weak,
        ..Visitor::default()
    }
}

#[test]
fn the_door_is_opened_if_it_is_not_locked_and_else_broken() {
    for case in CASES {
        let mut visitor = of(case);
        assert_eq!(ends(DOOR, &mut visitor), case.1.into(), "{case:?}");
        assert_eq!(visitor.open, case.1, "{case:?}");
        let broken = case.0.3 && !visitor.weak;
        assert_eq!(broken, case.2, "{case:?}");
    }
}

#[test]
fn the_tree_of_the_door_in_place_of_its_condition_gets_the_agent_in() {
    for case in CASES {
        let mut visitor = of(case);
        assert_eq!(ends(ENTER, &mut visitor), case.1.into(), "{case:?}");
        assert_eq!(visitor.inside, case.1, "{case:?}");
    }
}
