//! An agent whose actions wait for others, each in another way.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{Runner, Saved, TreeAsset, TreeSet, Trees};

/// The calls, and the outcome of resuming.
#[derive(Agent, Default)]
pub(crate) struct Keeper {
    pub(crate) log: Vec<String>,
    pub(crate) completions: Vec<Completion>,
    /// The value that `carry` keeps; a number, unless the test sets another.
    pub(crate) keeps: Option<serde_json::Value>,
    /// The outcomes of resuming, one after another: `"S"`, `"F"`, `"panic"`, `"2s"`, `"event"`, `"fire"`, or
    /// `"on"`.
    pub(crate) resumes: Vec<&'static str>,
}

struct Guard;

#[agent]
impl Keeper {
    /// Waits for a completion, and can be resumed.
    #[action(exit = "left", resume = "carry_on")]
    fn carry(&mut self, cx: &mut Context, what: &str) -> Option<bool> {
        self.log.push(format!("carry {what}"));
        self.completions.push(cx.completion());
        cx.on_exit(Guard);
        cx.finish_after(Duration::from_secs(100), false);
        match &self.keeps {
            Some(value) => cx.keep(value),
            None => cx.keep(7),
        }
        None
    }

    fn carry_on(&mut self, cx: &mut Context, kept: u32) -> Option<bool> {
        self.log.push(format!("carry on with {kept}"));
        self.resume(cx)
    }

    /// The same, and keeps nothing.
    #[action(exit = "left", resume = "drag_on")]
    fn drag(&mut self, cx: &mut Context) -> Option<bool> {
        self.log.push("drag".to_owned());
        self.completions.push(cx.completion());
        None
    }

    fn drag_on(&mut self, cx: &mut Context, kept: Option<u32>) -> Option<bool> {
        self.log.push(format!("drag on with {kept:?}"));
        self.resume(cx)
    }

    /// Is called every poll, and can be resumed.
    #[action(resume = "plod_on")]
    fn plod(&mut self, cx: &mut Context) -> Status {
        self.log.push("plod".to_owned());
        cx.keep(self.log.len());
        Status::Running
    }

    fn plod_on(&mut self, cx: &mut Context, _kept: usize) -> Option<bool> {
        self.log.push("plod on".to_owned());
        self.resume(cx)
    }

    /// Waits for a completion, or a time, and cannot be resumed.
    #[action(exit = "left")]
    fn hold(&mut self, cx: &mut Context, what: &str) -> Option<bool> {
        self.log.push(format!("hold {what}"));
        self.completions.push(cx.completion());
        cx.finish_after(Duration::from_secs(10), true);
        None
    }

    /// Has a guard, and is called every poll.
    #[action(exit = "left")]
    fn clutch(&mut self, cx: &mut Context) -> Status {
        self.log.push("clutch".to_owned());
        cx.on_exit(Guard);
        Status::Running
    }

    /// Waits for a time alone.
    #[action(exit = "left")]
    fn rest(&mut self, cx: &mut Context) -> Option<bool> {
        self.log.push("rest".to_owned());
        cx.finish_after(Duration::from_secs(10), true);
        None
    }

    #[action]
    fn say(&mut self, what: &str) {
        self.log.push(what.to_owned());
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.log.push(format!("{exit:?}"));
    }

    #[event]
    fn call();
}

impl Keeper {
    fn resume(&mut self, cx: &mut Context<'_>) -> Option<bool> {
        if self.resumes.is_empty() {
            self.completions.push(cx.completion());
            return None;
        }
        match self.resumes.remove(0) {
            "S" => return Some(true),
            "F" => return Some(false),
            "panic" => panic!("it slipped"),
            "2s" => cx.finish_after(Duration::from_secs(2), true),
            "event" => cx.finish_on("call", true),
            "fire" => cx.fire(Event::new("call")),
            _ => {}
        }
        None
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }
}

/// The trees of a keeper.
pub(crate) fn trees(all: impl IntoIterator<Item = (&'static str, NodeSpec)>) -> Trees<Keeper> {
    let mut set = TreeSet::new();
    for (name, top) in all {
        set.add(TreeAsset::build(name, "keeper", top));
    }
    set.build().unwrap_or_else(|error| panic!("{error}"))
}

/// A keeper and its runner.
pub(crate) struct Shift {
    pub(crate) keeper: Keeper,
    pub(crate) runner: Runner<Keeper>,
    pub(crate) trees: Trees<Keeper>,
}

impl Shift {
    pub(crate) fn new(top: NodeSpec) -> Shift {
        Shift::of(trees([("main", top)]))
    }

    pub(crate) fn of(trees: Trees<Keeper>) -> Shift {
        let mut runner = Runner::new(&trees, "main")
            .unwrap()
            .mode(bt_core::Mode::Once);
        runner.start();
        Shift {
            keeper: Keeper::default(),
            runner,
            trees,
        }
    }

    pub(crate) fn poll(&mut self, seconds: u64) -> Status {
        self.runner
            .poll(&mut self.keeper, Duration::from_secs(seconds))
            .status
    }

    /// In another process, where nothing of the agent is left but what it saves itself.
    pub(crate) fn restored(&mut self) -> &mut Shift {
        let text = self.runner.save().to_json();
        let saved = Saved::from_json(&text).unwrap();
        self.runner =
            Runner::restore(&self.trees, &saved).unwrap_or_else(|e| panic!("{e}: {text}"));
        // What was dropped unused is told of now, and not again.
        let told = text.replace(",null]", ",false]");
        assert_eq!(self.runner.save().to_json(), told);
        self.keeper.completions.clear();
        self.keeper.take();
        self
    }

    pub(crate) fn told(&mut self) -> Vec<String> {
        let told = self.runner.take_diagnostics();
        told.iter().map(|told| told.message().to_owned()).collect()
    }
}
