//! Tests of composites of the agent's own, and of decorators that are asked in every turn.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{NodeSpec, action, call, composite, decorator, expr, select};
use bt_core::{Mode, Runner, Saved, TreeAsset, TreeSet, Trees};

#[derive(Agent, Default)]
struct Conjurer {
    log: Vec<String>,
    /// The answers of `says`, one after the other.
    answers: Vec<NextChild>,
    is_calm: bool,
}

#[agent]
impl Conjurer {
    /// Answers what the test says.
    #[composite(exit = "ended")]
    fn says(&mut self, asked: Asked) -> NextChild {
        self.log.push(format!("{asked:?}"));
        match self.answers.is_empty() {
            true => panic!("it has no answer"),
            false => self.answers.remove(0),
        }
    }

    #[composite(running, exit = "ended")]
    fn minds(&mut self, asked: Asked) -> NextChild {
        self.says(asked)
    }

    fn ended(&mut self, _: &mut Context, exit: Exit) {
        self.log.push(format!("exit {exit:?}"));
    }

    /// Runs its children in turn, so many times in all, as its memory says.
    #[composite(min = 2, max = 3, exit = "counted", resume = "restored")]
    fn counts(&mut self, cx: &mut Context, asked: Asked, times: u32) -> NextChild {
        let count = cx.memory_or(|| 0_u32);
        *count += u32::from(asked != Asked::Entry);
        let count = *count;
        cx.keep(count);
        match count < times {
            true => NextChild::Run(count as usize % 2),
            false => NextChild::Succeed,
        }
    }

    fn restored(&mut self, cx: &mut Context, kept: u32) {
        self.log.push(format!("restored {kept}"));
        cx.memory_or(|| kept);
    }

    fn counted(&mut self, cx: &mut Context, exit: Exit, times: u32) {
        let count = cx.memory::<u32>();
        self.log
            .push(format!("exit {exit:?} at {count:?} of {times}"));
    }

    /// Runs its child as long as it is calm.
    #[decorator(running)]
    fn calmly(&self, asked: Asked) -> Next {
        match asked {
            Asked::Ended { success: true, .. } => Next::Succeed,
            Asked::Entry | Asked::Running if self.is_calm => Next::Run,
            Asked::Ended { .. } | Asked::Entry | Asked::Running => Next::Fail,
        }
    }

    /// Ends at once.
    #[action]
    fn throw(&mut self, ball: &str, success: bool) -> bool {
        self.log.push(format!("throw {ball}"));
        success
    }

    /// Goes on until it is caught.
    #[action(exit = "dropped")]
    fn hold(&mut self, cx: &mut Context, ball: &str) -> Option<bool> {
        self.log.push(format!("hold {ball}"));
        cx.finish_on("caught", true);
        None
    }

    fn dropped(&mut self, _: &mut Context, exit: Exit, ball: &str) {
        self.log.push(format!("{ball} {exit:?}"));
    }

    #[event]
    fn caught();
}

fn trees(top: NodeSpec) -> Trees<Conjurer> {
    let mut set = TreeSet::new();
    set.add(TreeAsset::build("main", "conjurer", top));
    set.build().unwrap()
}

fn throw(ball: &str) -> NodeSpec {
    action("throw").arg(ball).arg(true)
}

fn hold(ball: &str) -> NodeSpec {
    action("hold").arg(ball)
}

struct Stage {
    runner: Runner<Conjurer>,
    conjurer: Conjurer,
    seconds: u64,
}

impl Stage {
    fn new(trees: &Trees<Conjurer>, answers: impl IntoIterator<Item = NextChild>) -> Stage {
        let mut runner = Runner::new(trees, "main").unwrap().mode(Mode::Once);
        runner.start();
        let answers = answers.into_iter().collect();
        Stage {
            runner,
            conjurer: Conjurer {
                answers,
                ..Conjurer::default()
            },
            seconds: 0,
        }
    }

    /// Polls, and takes what was logged since.
    fn poll(&mut self) -> Vec<String> {
        self.seconds += 1;
        let now = Duration::from_secs(self.seconds);
        self.runner.poll(&mut self.conjurer, now);
        std::mem::take(&mut self.conjurer.log)
    }

    fn catch(&mut self) -> Vec<String> {
        self.runner.fire(Conjurer::caught());
        self.poll()
    }

    fn said(&mut self) -> Vec<String> {
        let said = self.runner.take_diagnostics().into_iter();
        said.map(|said| said.message().to_owned()).collect()
    }
}

const ENTRY: &str = "Entry";

fn ended(child: usize, success: bool) -> String {
    format!("{:?}", Asked::Ended { child, success })
}

#[test]
fn composite_runs_children_that_have_not_run_in_the_same_poll_and_others_in_the_next() {
    let top = composite("says", ["a", "b", "c"].map(throw));
    let runs = [2, 0, 1, 0].map(NextChild::Run);
    let mut stage = Stage::new(&trees(top), runs.into_iter().chain([NextChild::Fail]));
    let first = stage.poll();
    let expected = [
        ENTRY,
        "throw c",
        &ended(2, true),
        "throw a",
        &ended(0, true),
        "throw b",
        &ended(1, true),
    ];
    assert_eq!(first, expected);
    assert_eq!(stage.poll(), ["throw a", &ended(0, true), "exit Failure"],);
    assert_eq!(stage.said(), [""; 0]);
}

#[test]
fn child_that_ends_in_a_later_poll_may_be_followed_by_itself_at_once() {
    let top = composite("says", [hold("a"), throw("b")]);
    let answers = [NextChild::Run(0), NextChild::Run(0), NextChild::Succeed];
    let mut stage = Stage::new(&trees(top), answers);
    assert_eq!(stage.poll(), [ENTRY, "hold a"]);
    assert_eq!(stage.catch(), ["a Success", &ended(0, true), "hold a"]);
}

#[test]
fn child_outside_and_a_panic_fail_the_node_with_a_diagnostic() {
    let top = || select([composite("says", [hold("a"), throw("b")]), throw("c")]);
    let mut stage = Stage::new(&trees(top()), [NextChild::Run(2)]);
    assert_eq!(stage.poll(), [ENTRY, "exit Failure", "throw c"]);
    assert_eq!(
        stage.said(),
        ["it runs child 2, and has 2 children, from 0 on"]
    );
    let mut stage = Stage::new(&trees(top()), [NextChild::Run(1)]);
    let all = [ENTRY, "throw b", &ended(1, true), "exit Failure", "throw c"];
    assert_eq!(stage.poll(), all);
    assert_eq!(stage.said(), ["`says` panicked: it has no answer"]);
}

#[test]
fn composite_that_is_asked_in_every_turn_aborts_the_child_that_runs_for_another_one() {
    let top = composite("minds", [hold("a"), hold("b")]);
    let answers = [0, 0, 1, 7].map(NextChild::Run);
    let mut stage = Stage::new(&trees(top), answers);
    assert_eq!(stage.poll(), [ENTRY, "hold a"]);
    assert_eq!(stage.poll(), ["Running"]);
    assert_eq!(stage.poll(), ["Running", "a Aborted", "hold b"]);
    assert_eq!(stage.poll(), ["Running", "b Aborted", "exit Failure"]);
    assert_eq!(stage.said().len(), 1);
}

#[test]
fn decorator_that_is_asked_in_every_turn_aborts_its_child() {
    let top = select([decorator("calmly", hold("a")), throw("c")]);
    let mut stage = Stage::new(&trees(top), []);
    stage.conjurer.is_calm = true;
    assert_eq!(stage.poll(), ["hold a"]);
    assert_eq!(stage.poll(), [""; 0]);
    stage.conjurer.is_calm = false;
    assert_eq!(stage.poll(), ["a Aborted", "throw c"]);
}

#[test]
fn memory_of_a_composite_lasts_for_a_run_and_its_exit_method_finds_it() {
    let top = composite("counts", [throw("a"), throw("b")]).arg(2);
    let mut stage = Stage::new(&trees(top), []);
    let expected = ["throw a", "throw b", "exit Success at Some(2) of 2"];
    assert_eq!(stage.poll(), expected);
    stage.runner.start();
    assert_eq!(stage.poll(), expected);
    let top = composite("counts", [throw("a"), hold("b")]).arg(9);
    let mut stage = Stage::new(&trees(top), []);
    assert_eq!(stage.poll(), ["throw a", "hold b"]);
    stage
        .runner
        .stop(&mut stage.conjurer, Duration::from_secs(1));
    assert_eq!(
        stage.conjurer.log,
        ["b Aborted", "exit Aborted at Some(1) of 9"]
    );
}

#[test]
fn saved_composite_goes_on_with_what_it_kept() {
    let top = composite("counts", [hold("a"), hold("b")]).arg(3);
    let built = trees(top);
    let mut stage = Stage::new(&built, []);
    stage.poll();
    stage.catch();
    let saved = Saved::from_json(&stage.runner.save().to_json()).unwrap();
    stage.runner = Runner::restore(&built, &saved).unwrap();
    assert_eq!(stage.poll(), [""; 0]);
    assert_eq!(stage.catch(), ["b Success", "restored 1", "hold a"]);
    assert_eq!(stage.catch(), ["a Success", "exit Success at Some(3) of 3"]);
}

#[test]
fn composite_that_waits_for_its_next_child_is_saved() {
    let built = trees(composite("says", ["a", "b"].map(throw)));
    let mut stage = Stage::new(&built, [1, 1].map(NextChild::Run));
    assert_eq!(stage.poll(), [ENTRY, "throw b", &ended(1, true)]);
    let saved = Saved::from_json(&stage.runner.save().to_json()).unwrap();
    stage.runner = Runner::restore(&built, &saved).unwrap();
    stage.conjurer.answers = vec![NextChild::Succeed];
    assert_eq!(stage.poll(), ["throw b", &ended(1, true), "exit Success"]);
}

#[test]
fn composite_fails_by_a_new_number_that_cannot_be_read_once_it_has_exited() {
    let top = || composite("counts", [hold("a"), hold("b")]).arg(3);
    let mut stage = Stage::new(&trees(top()), []);
    assert_eq!(stage.poll(), ["hold a"]);
    let service = call("throw").arg("c").arg(true);
    let changed = trees(top().service(expr("$unset"), service));
    let changes = Changes::between(stage.runner.trees(), &changed);
    stage.runner.reload(&changes);
    assert_eq!(stage.poll(), ["a Aborted", "exit Failure at Some(0) of 3"]);
}
