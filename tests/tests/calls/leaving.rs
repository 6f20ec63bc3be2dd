//! How a leaf ends, and what is cleaned up when: exit methods, guards, completions, resuming.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::{Left, Source};
use bt_tests::stage::Stage;
use serde_json::{Value, json};

/// What happened, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Notes that it is dropped.
struct Guard(&'static str, Log);

impl Drop for Guard {
    fn drop(&mut self) {
        self.1.note(format!("{} dropped", self.0));
    }
}

#[derive(Agent, Default)]
struct Miner {
    log: Log,
    depth: u32,
    calls: u32,
    /// Handed out, as to a server.
    completions: Vec<Completion>,
}

#[agent]
impl Miner {
    #[action]
    fn truth(truth: bool) -> bool {
        truth
    }

    #[action]
    fn unit() {}

    #[action]
    fn maybe(cx: &mut Context, ended: Option<bool>) -> Option<bool> {
        cx.finish_on("bell", true);
        ended
    }

    #[action]
    fn status(&mut self, polls: u32, success: bool) -> Status {
        self.calls += 1;
        if self.calls < polls {
            Status::Running
        } else {
            Status::from(success)
        }
    }

    #[action]
    fn fallible(ok: bool) -> Result<bool, String> {
        if ok { Ok(true) } else { Err("no".into()) }
    }

    #[action]
    fn fallible_unit(ok: bool) -> Result<(), &'static str> {
        if ok { Ok(()) } else { Err("no") }
    }

    #[action(exit = "left")]
    fn fallible_maybe(&mut self, cx: &mut Context, ok: bool) -> Result<Option<bool>, String> {
        cx.on_exit(Guard("guard", self.log.clone()));
        if !ok {
            return Err("no".into());
        }
        cx.finish_on("bell", true);
        Ok(None)
    }

    #[action]
    fn fallible_status(ok: bool) -> Result<Status, String> {
        if ok {
            Ok(Status::Running)
        } else {
            Err("no".into())
        }
    }

    #[condition]
    fn is_deep(&self, least: u32) -> bool {
        self.depth >= least
    }

    #[condition]
    fn is_safe(&self, ok: bool) -> Result<bool, String> {
        if ok { Ok(true) } else { Err("no".into()) }
    }

    /// Asks for all ends at once, and holds two guards.
    #[action(exit = "left")]
    fn dig(
        &mut self,
        cx: &mut Context,
        seconds: Option<f64>,
        polls: Option<u32>,
        complete: bool,
    ) -> Option<bool> {
        self.log.note("dig");
        cx.on_exit(Guard("first", self.log.clone()));
        cx.on_exit(Guard("second", self.log.clone()));
        cx.finish_on("struck", true);
        cx.finish_on("caved_in", false);
        if let Some(seconds) = seconds {
            cx.finish_after(Duration::from_secs_f64(seconds), true);
        }
        if let Some(polls) = polls {
            cx.finish_after_polls(polls, false);
        }
        if complete {
            self.completions.push(cx.completion());
            self.completions.push(cx.completion());
        }
        None
    }

    /// Waits for its completion only.
    #[action(exit = "left")]
    fn ask(&mut self, cx: &mut Context) -> Option<bool> {
        cx.on_exit(Guard("guard", self.log.clone()));
        self.completions.push(cx.completion());
        None
    }

    /// Is answered before it returns.
    #[action(exit = "left")]
    fn call(&mut self, cx: &mut Context) -> Option<bool> {
        cx.completion().finish(true);
        None
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.log.note(format!("{exit:?}"));
    }

    #[action(exit = "left")]
    fn done(&mut self, cx: &mut Context, success: bool) -> bool {
        cx.on_exit(Guard("guard", self.log.clone()));
        success
    }

    /// Left running for so many polls.
    #[action(exit = "left")]
    fn drill(&mut self, cx: &mut Context, polls: u32) -> Status {
        if self.calls == 0 {
            cx.on_exit(Guard("guard", self.log.clone()));
        }
        self.status(polls, true)
    }

    #[action]
    fn stuck(&mut self) -> Option<bool> {
        None
    }

    /// Its cancelling takes as long as its completion.
    #[action(exit = "slowly")]
    fn blast(&mut self, cx: &mut Context) -> Option<bool> {
        cx.on_exit(Guard("guard", self.log.clone()));
        cx.finish_after(Duration::from_secs(1), true);
        self.completions.push(cx.completion());
        None
    }

    fn slowly(&mut self, _cx: &mut Context, exit: Exit) -> Option<bool> {
        self.log.note(format!("{exit:?}"));
        None
    }

    /// Its cancelling takes a second.
    #[action(exit = "for_a_second")]
    fn climb(&mut self, cx: &mut Context) -> Option<bool> {
        cx.on_exit(Guard("guard", self.log.clone()));
        cx.finish_on("bell", true);
        None
    }

    fn for_a_second(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        self.log.note(format!("{exit:?}"));
        cx.on_exit(Guard("second", self.log.clone()));
        cx.finish_after(Duration::from_secs(1), true);
        None
    }

    /// Its cancelling never ends by itself.
    #[action(exit = "slowly")]
    fn sink(&mut self, cx: &mut Context) -> Option<bool> {
        cx.finish_on("bell", true);
        None
    }

    #[action(exit = "left", resume = "go_on")]
    fn travel(&mut self, cx: &mut Context, depth: u32) -> Option<bool> {
        self.log.note("travel");
        cx.keep(depth);
        cx.finish_on("bell", true);
        None
    }

    fn go_on(&mut self, cx: &mut Context, depth: u32) -> Option<bool> {
        self.log.note(format!("go on to {depth}"));
        self.depth = depth;
        cx.on_exit(Guard("guard", self.log.clone()));
        cx.finish_on("bell", true);
        cx.keep(depth);
        None
    }

    #[action(exit = "left")]
    fn explode(&mut self, cx: &mut Context, words: &str, number: &mut u32) -> Option<bool> {
        cx.on_exit(Guard("guard", self.log.clone()));
        cx.set("words", words.len());
        *number += 1;
        panic!("too much powder")
    }

    #[action(exit = "explodes")]
    fn fuse(&mut self, cx: &mut Context) -> bool {
        cx.on_exit(Guard("guard", self.log.clone()));
        true
    }

    fn explodes(&mut self, _cx: &mut Context, _exit: Exit) {
        panic!("too short a fuse")
    }

    #[action(exit = "left")]
    fn take(&mut self, cx: &mut Context, key: u32) -> bool {
        cx.on_exit(Guard("guard", self.log.clone()));
        self.depth = key;
        true
    }

    /// Writes what the key cannot hold.
    #[action(exit = "left")]
    fn mark(&mut self, cx: &mut Context) -> bool {
        cx.on_exit(Guard("guard", self.log.clone()));
        cx.set("small", 1000);
        true
    }
}

/// Answers for all names.
#[derive(Agent, Default)]
struct Echo {
    log: Log,
}

#[agent]
impl Echo {
    #[fallback]
    fn any(&mut self, cx: &mut Context, name: &str, args: &[Value]) -> Option<bool> {
        self.log.note(format!("{name}{}", json!(args)));
        cx.on_exit(Guard("guard", self.log.clone()));
        match name {
            "yes" => Some(true),
            "no" => Some(false),
            "later" => {
                cx.finish_on("bell", true);
                None
            }
            _ => None,
        }
    }
}

fn miner() -> (Stage<Miner>, Log) {
    let stage = Stage::new("miner", Miner::default());
    let log = stage.agent.log.clone();
    (stage, log)
}

fn args<const N: usize>(values: [Value; N]) -> Vec<Source> {
    values.map(Source::Literal).into()
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

const SUCCESS: Option<Exit> = Some(Exit::Success);
const FAILURE: Option<Exit> = Some(Exit::Failure);
const ABORTED: Option<Exit> = Some(Exit::Aborted);

#[test]
fn every_return_type_means_what_the_table_says() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("truth", args([json!(true)])), SUCCESS);
    assert_eq!(stage.enter("truth", args([json!(false)])), FAILURE);
    assert_eq!(stage.enter("unit", []), SUCCESS);
    assert_eq!(stage.enter("maybe", args([json!(true)])), SUCCESS);
    assert_eq!(stage.enter("maybe", args([json!(false)])), FAILURE);
    assert_eq!(stage.enter("maybe", []), None);
    assert_eq!(stage.event("bell"), SUCCESS);
    assert_eq!(stage.enter("is_deep", args([json!(0)])), SUCCESS);
    assert_eq!(stage.enter("is_deep", args([json!(1)])), FAILURE);
    let fallible = ["fallible", "fallible_unit", "fallible_maybe"];
    for name in fallible.iter().chain(&["fallible_status", "is_safe"]) {
        assert_eq!(stage.enter(name, args([json!(false)])), FAILURE);
        let why = stage.session.take_failure();
        assert_eq!(why.as_deref(), Some("no"), "{name}");
    }
    for name in ["fallible", "fallible_unit", "is_safe"] {
        assert_eq!(stage.enter(name, args([json!(true)])), SUCCESS);
        assert_eq!(stage.session.take_failure(), None);
    }
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn pending_action_is_called_once_and_running_action_each_poll() {
    let (mut stage, log) = miner();
    assert_eq!(
        stage.enter("dig", args([json!(9), json!(null), json!(false)])),
        None
    );
    for second in 1..5 {
        assert_eq!(stage.poll(seconds(second.into())), None);
    }
    assert_eq!(log.take(), ["dig"]);
    stage.abort();

    assert_eq!(stage.enter("status", args([json!(3), json!(false)])), None);
    assert_eq!(stage.poll(seconds(5.0)), None);
    assert_eq!(stage.poll(seconds(6.0)), FAILURE);
    assert_eq!(stage.agent.calls, 3);
    assert!(!stage.is_running());
    assert_eq!(stage.enter("fallible_status", args([json!(true)])), None);
    assert_eq!(stage.abort(), ABORTED);
}

#[test]
fn a_timer_ends_a_call_when_its_time_has_come() {
    let (mut stage, _) = miner();
    stage.poll(seconds(10.0));
    assert_eq!(
        stage.enter("dig", args([json!(1.5), json!(null), json!(false)])),
        None
    );
    assert_eq!(stage.poll(seconds(11.0)), None);
    assert_eq!(stage.poll(seconds(11.5)), SUCCESS);
    // No time at all ends in the poll that it began in.
    assert_eq!(
        stage.enter("dig", args([json!(0), json!(null), json!(false)])),
        SUCCESS
    );
}

#[test]
fn a_count_of_polls_counts_the_one_that_the_call_began_in() {
    let (mut stage, _) = miner();
    let dig = |polls: u32| args([json!(null), json!(polls), json!(false)]);
    assert_eq!(stage.enter("dig", dig(1)), FAILURE);
    assert_eq!(stage.enter("dig", dig(3)), None);
    assert_eq!(stage.poll(Duration::ZERO), None);
    assert_eq!(stage.poll(Duration::ZERO), FAILURE);
    assert_eq!(stage.enter("wait_frames", args([json!(2)])), None);
    assert_eq!(stage.poll(Duration::ZERO), SUCCESS);
}

#[test]
fn an_event_ends_a_call_with_the_result_that_goes_with_it() {
    for (event, exit) in [("struck", SUCCESS), ("caved_in", FAILURE), ("rained", None)] {
        let (mut stage, _) = miner();
        assert_eq!(
            stage.enter("dig", args([json!(null), json!(null), json!(false)])),
            None
        );
        assert_eq!(stage.event(event), exit);
        assert_eq!(stage.is_running(), exit.is_none());
    }
}

#[test]
fn the_first_of_all_ends_is_the_end() {
    let all = || args([json!(5.0), json!(8), json!(true)]);
    for first in ["timer", "polls", "event", "completion"] {
        let (mut stage, log) = miner();
        assert_eq!(stage.enter("dig", all()), None);
        assert_eq!(stage.poll(seconds(1.0)), None);
        let exit = match first {
            "timer" => stage.poll(seconds(5.0)),
            "polls" => (0..6).find_map(|_| stage.poll(seconds(1.0))),
            "event" => stage.event("struck"),
            _ => {
                stage.agent.completions[0].finish(false);
                stage.poll(seconds(1.0))
            }
        };
        let success = matches!(first, "timer" | "event");
        let expect = if success {
            Exit::Success
        } else {
            Exit::Failure
        };
        assert_eq!(exit, Some(expect), "{first}");
        let end = format!("{expect:?}");
        assert_eq!(log.take(), ["dig", &end, "first dropped", "second dropped"]);
        // The others come late.
        stage.agent.completions[0].finish(true);
        stage.agent.completions.clear();
        assert_eq!(stage.event("caved_in"), None);
        assert_eq!(stage.poll(seconds(100.0)), None);
        assert_eq!(log.take(), [""; 0]);
        assert_eq!(stage.take_reports(), [""; 0]);
    }
}

#[test]
fn a_completion_ends_a_call_from_another_thread() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    let completion = stage.agent.completions.remove(0);
    let finish = std::thread::spawn(move || completion.finish(true));
    assert!(finish.join().unwrap());
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn of_all_clones_of_a_completion_the_first_answer_counts() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let completion = stage.agent.completions.remove(0);
    let threads = (0..8).map(|at| {
        let completion = completion.clone();
        std::thread::spawn(move || (completion.finish(at % 2 == 0), at % 2 == 0))
    });
    let threads: Vec<_> = threads.collect();
    let answers = threads.into_iter().map(|thread| thread.join().unwrap());
    let first: Vec<bool> = answers
        .filter_map(|(first, success)| first.then_some(success))
        .collect();
    assert_eq!(first.len(), 1);
    let expect = if first[0] { SUCCESS } else { FAILURE };
    assert_eq!(stage.poll(seconds(1.0)), expect);
    assert!(!completion.finish(!first[0]), "a second answer");
    assert_eq!(stage.poll(seconds(2.0)), None);
}

#[test]
fn a_completion_that_is_finished_within_the_call_ends_it_at_once() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("call", []), SUCCESS);
    assert_eq!(log.take(), ["Success"]);
}

#[test]
fn an_answer_to_a_call_that_was_left_ends_no_other() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let late = stage.agent.completions.remove(0);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
    assert_eq!(stage.enter("ask", []), None);
    assert!(late.finish(false), "nobody answered before");
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert!(stage.agent.completions[0].finish(true));
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
}

#[test]
fn the_last_completion_dropped_unused_is_a_failure_that_is_reported() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("ask", []), None);
    let clone = stage.agent.completions[0].clone();
    stage.agent.completions.clear();
    assert_eq!(stage.poll(seconds(1.0)), None);
    drop(clone);
    assert_eq!(stage.poll(seconds(2.0)), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    let reports = stage.take_reports();
    assert_eq!(
        reports,
        ["`ask` failed: its last `Completion` was dropped unused"]
    );
    // Dropped after the node was left: nobody's matter.
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.abort(), ABORTED);
    stage.agent.completions.clear();
    assert_eq!(stage.enter("ask", []), None);
    assert_eq!(stage.poll(seconds(3.0)), None);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn a_none_that_nothing_can_finish_is_reported_once_with_its_place() {
    let (mut stage, _) = miner();
    for _ in 0..3 {
        assert_eq!(stage.enter("stuck", []), None);
        assert_eq!(stage.poll(seconds(1.0)), None);
        assert_eq!(stage.abort(), ABORTED);
    }
    let reports = stage.take_reports();
    let [report] = reports.as_slice() else {
        panic!("{reports:?}");
    };
    let text = include_str!("leaving.rs");
    let line = text
        .lines()
        .position(|line| line.contains("fn stuck"))
        .unwrap()
        + 1;
    let lines = [line, line - 1].map(|line| format!("(bt-tests/tests/calls/leaving.rs:{line})"));
    assert!(
        report.starts_with("`stuck` returned `None`, and nothing can finish it ")
            && lines.iter().any(|place| report.ends_with(place)),
        "{report}"
    );
}

#[test]
fn an_exit_method_is_called_once_before_guards_drop_and_the_parent_sees() {
    for success in [true, false] {
        let (mut stage, log) = miner();
        let exit = stage.enter("done", args([json!(success)]));
        log.note("seen");
        let end = if success {
            Exit::Success
        } else {
            Exit::Failure
        };
        assert_eq!(exit, Some(end));
        assert_eq!(
            log.take(),
            [format!("{end:?}").as_str(), "guard dropped", "seen"]
        );
    }
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("drill", args([json!(3)])), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(stage.poll(seconds(2.0)), SUCCESS);
    assert_eq!(log.take(), ["Success", "guard dropped"]);
    // An `Err` is a failure like any other.
    assert_eq!(stage.enter("fallible_maybe", args([json!(false)])), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
}

#[test]
fn aborted_node_exits_once() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("drill", args([json!(3)])), None);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
    assert_eq!(stage.abort(), None);
    assert_eq!(stage.poll(seconds(1.0)), None);
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn a_stage_that_is_dropped_drops_guards_only() {
    let (mut stage, log) = miner();
    assert_eq!(
        stage.enter("dig", args([json!(null), json!(null), json!(true)])),
        None
    );
    drop(stage);
    assert_eq!(log.take(), ["dig", "first dropped", "second dropped"]);
}

#[test]
fn a_call_that_never_began_owes_no_exit() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("take", [Source::key("unset")]), FAILURE);
    assert_eq!(stage.enter("take", args([json!("text")])), FAILURE);
    let reports = stage.take_reports();
    assert_eq!(reports.len(), 2);
    assert!(
        reports[0].contains("blackboard key `unset`, which is not set"),
        "{reports:?}"
    );
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn a_call_whose_writes_are_refused_did_begin() {
    let (mut stage, log) = miner();
    let ty = "uint8".parse().unwrap();
    let small = bt_core::blackboard::Declaration::new("small", ty).initial(7);
    stage.session.blackboard().declare(small).unwrap();
    assert_eq!(stage.enter("mark", []), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    let reports = stage.take_reports();
    assert!(
        reports[0].contains("blackboard key `small` is declared as `uint8`"),
        "{reports:?}"
    );
    assert_eq!(stage.session.blackboard().get("small"), 7);
}

#[test]
fn none_from_an_exit_method_after_an_abort_is_still_cancelling() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.abort(), None);
    assert_eq!(log.take(), ["Aborted"]);
    // Neither its timer nor another abort ends it, its completion does.
    assert_eq!(stage.poll(seconds(5.0)), None);
    assert_eq!(stage.abort(), None);
    assert!(stage.agent.completions[0].finish(true));
    assert_eq!(stage.poll(seconds(6.0)), ABORTED);
    assert_eq!(log.take(), ["guard dropped"]);
    assert_eq!(stage.take_reports(), [""; 0]);
}

#[test]
fn none_from_an_exit_method_after_an_end_is_no_cancelling() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.poll(seconds(1.0)), SUCCESS);
    assert_eq!(log.take(), ["Success", "guard dropped"]);
}

#[test]
fn cancelling_may_ask_for_an_end_and_for_guards_of_its_own() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("climb", []), None);
    stage.poll(seconds(5.0));
    assert_eq!(stage.abort(), None);
    assert_eq!(
        stage.event("bell"),
        None,
        "what ended the action ends no cancelling"
    );
    assert_eq!(stage.poll(seconds(5.5)), None);
    assert_eq!(stage.poll(seconds(6.0)), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped", "second dropped"]);
}

#[test]
fn cancelling_that_nothing_can_end_is_reported_and_left() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("sink", []), None);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["Aborted"]);
    assert_eq!(stage.take_reports().len(), 1);
}

#[test]
fn a_completion_dropped_while_cancelling_ends_it() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("blast", []), None);
    assert_eq!(stage.abort(), None);
    stage.agent.completions.clear();
    assert_eq!(stage.poll(seconds(1.0)), ABORTED);
    assert_eq!(log.take(), ["Aborted", "guard dropped"]);
}

#[test]
fn pending_action_resumes_with_its_saved_value() {
    let (mut stage, _) = miner();
    assert_eq!(stage.enter("travel", args([json!(7)])), None);
    let kept = stage.kept().unwrap();
    assert_eq!(kept, 7);
    drop(stage);
    let (mut stage, log) = miner();
    assert_eq!(stage.resume("travel", args([json!(7)]), &kept), None);
    assert_eq!(stage.agent.depth, 7);
    assert_eq!(stage.kept(), Some(json!(7)));
    assert_eq!(stage.event("bell"), SUCCESS);
    assert_eq!(log.take(), ["go on to 7", "Success", "guard dropped"]);
}

#[test]
fn without_a_resume_method_the_action_is_called_anew() {
    let (mut stage, log) = miner();
    let dig = args([json!(1), json!(null), json!(false)]);
    assert_eq!(stage.resume("dig", dig, &json!(null)), None);
    assert_eq!(log.take(), ["dig"]);
}

#[test]
fn resuming_an_action_with_another_type_fails_with_a_report() {
    let (mut stage, log) = miner();
    let kept = json!({"depth": 7});
    assert_eq!(stage.resume("travel", args([json!(7)]), &kept), FAILURE);
    let reports = stage.take_reports();
    assert_eq!(
        reports,
        [
            "`travel`: what the action kept is {\"depth\":7}, which does not decode: expected an \
          integer from 0 to 4294967295, found {\"depth\":7}"
        ]
    );
    assert_eq!(log.take(), [""; 0], "it never began");
}

#[test]
fn a_fallbacks_answers_mean_what_an_actions_do() {
    let mut stage = Stage::new("echo", Echo::default());
    let log = stage.agent.log.clone();
    assert_eq!(stage.enter("yes", args([json!(1), json!("a")])), SUCCESS);
    assert_eq!(log.take(), ["yes[1,\"a\"]", "guard dropped"]);
    stage.session.blackboard().set("key", 5);
    assert_eq!(stage.enter("no", [Source::key("key")]), FAILURE);
    assert_eq!(log.take(), ["no[5]", "guard dropped"]);
    assert_eq!(stage.enter("no", [Source::key("unset")]), FAILURE);
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(stage.take_reports().len(), 1);
    assert_eq!(stage.enter("later", []), None);
    assert_eq!(stage.event("bell"), SUCCESS);
    assert_eq!(log.take(), ["later[]", "guard dropped"]);
    assert_eq!(stage.enter("later", []), None);
    assert_eq!(stage.abort(), ABORTED);
    assert_eq!(log.take(), ["later[]", "guard dropped"]);
    assert_eq!(stage.enter("never", []), None);
    let reports = stage.take_reports();
    assert!(
        reports[0].contains("bt-tests/tests/calls/leaving.rs:"),
        "{reports:?}"
    );
}

#[test]
fn a_panic_in_an_action_is_a_failure_that_is_cleaned_up() {
    let (mut stage, log) = miner();
    let board = stage.session.blackboard();
    board.set("words", "three words long");
    board.set("number", 1);
    let sources = || [Source::key("words"), Source::key("number")];
    assert_eq!(stage.enter("explode", sources()), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    assert_eq!(
        stage.take_reports(),
        ["`explode` panicked: too much powder"]
    );
    // What it wrote is written, what it was to answer is not, and no loan is left.
    assert_eq!(stage.session.blackboard().get("number"), 1);
    assert_eq!(stage.session.blackboard().get("words"), 16);
    stage.session.blackboard().set("words", "again");
    assert_eq!(stage.session.blackboard().get("words"), "again");
    assert_eq!(stage.enter("explode", sources()), FAILURE);
    assert_eq!(log.take(), ["Failure", "guard dropped"]);
    assert_eq!(stage.enter("truth", args([json!(true)])), SUCCESS);
}

#[test]
fn a_panic_in_an_exit_method_still_drops_guards() {
    let (mut stage, log) = miner();
    assert_eq!(stage.enter("fuse", []), SUCCESS);
    assert_eq!(log.take(), ["guard dropped"]);
    assert_eq!(stage.take_reports(), ["`fuse` panicked: too short a fuse"]);
}

#[test]
fn an_action_without_an_exit_method_is_left_at_once() {
    let actions = Registry::global().unwrap().actions::<Miner>().unwrap();
    let stuck = actions.find("stuck").unwrap();
    let mut session = Session::new(7);
    let mut miner = Miner::default();
    let cx = &mut session.context();
    assert!(!stuck.has_exit());
    assert_eq!(
        stuck.exit(&mut miner, &mut (), cx, Exit::Aborted),
        Left::Now
    );
    let blast = actions.find("blast").unwrap();
    assert!(blast.has_exit());
    assert_eq!(
        blast.exit(&mut miner, &mut (), cx, Exit::Aborted),
        Left::Later
    );
}
