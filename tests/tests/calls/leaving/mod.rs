//! Tests of the ends of leaves and their clean-up: exit methods, guards, completions, resuming.

mod ends;
mod exits;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::{Left, Source};
use bt_tests::stage::Stage;
use serde_json::{Value, json};

/// The events, in order.
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
        reports[0].contains("bt-tests/tests/calls/leaving/mod.rs:"),
        "{reports:?}"
    );
}
