//! The agent whose calls go wrong.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_core::prelude::*;

use super::watch::{Goal, Rank, Watch};
use super::{Deed, Quirk, TREES, When};
use crate::probe::Reply;
use crate::sky;

/// See [`chaos`](super).
#[derive(Agent, Default)]
#[agent(world = ())]
pub(super) struct Wild {
    pub(super) watch: Watch,
    pub(super) flags: BTreeMap<String, bool>,
    pub(super) replies: BTreeMap<String, VecDeque<Reply>>,
    pub(super) quirks: Vec<Quirk>,
    pub(super) completions: Mutex<Vec<(String, Completion)>>,
    pub(super) runs: BTreeMap<String, u32>,
    /// It behaves from now on.
    pub(super) is_tame: bool,
}

impl fmt::Debug for Wild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wild").finish_non_exhaustive()
    }
}

fn falls(what: &str) -> ! {
    std::panic::resume_unwind(Box::new(format!("{what} falls")))
}

impl Wild {
    /// The deeds of this call.
    fn deeds(&self, who: &str, when: When) -> Vec<Deed> {
        if self.quirks.is_empty() || self.is_tame {
            return Vec::new();
        }
        let count = self.watch.count(who, when);
        let quirks = self.quirks.iter();
        let quirks = quirks
            .filter(|quirk| quirk.who == who && quirk.when == when)
            .filter(|quirk| quirk.nth == 0 || quirk.nth == count);
        quirks.map(|quirk| quirk.deed).collect()
    }

    /// Does what goes wrong in this call, but for how it ends.
    fn act(&self, who: &str, when: When, cx: &mut Context<'_>) {
        for deed in self.deeds(who, when) {
            self.watch.note(|| format!("{who} {when:?}: {deed:?}"));
            match deed {
                Deed::Panic => falls(who),
                Deed::Stop => {
                    self.watch.request(Rank::Tree, Goal::Rest);
                    cx.stop();
                }
                Deed::Reset => {
                    self.watch.request(Rank::Tree, Goal::Begin(None));
                    cx.reset();
                }
                Deed::Load(tree) => {
                    let tree = TREES[tree];
                    self.watch.request(Rank::Tree, Goal::Begin(Some(tree)));
                    cx.load(tree);
                }
                Deed::LoadUnknown => cx.load("nowhere"),
                Deed::Fire(event) => cx.fire(Event::new(event)),
                Deed::Set(key, on) => cx.set(key, on),
                Deed::Guards(count, panics) => {
                    for _ in 0..count {
                        cx.on_exit(self.watch.extra(panics));
                    }
                }
                Deed::Finish(success) => {
                    for (_, completion) in &*self.completions() {
                        completion.finish(success);
                    }
                }
                Deed::DropCompletions => drop(std::mem::take(&mut *self.completions())),
                Deed::After => cx.finish_after(Duration::from_millis(250), true),
                Deed::Polls(polls) => cx.finish_after_polls(polls, true),
                Deed::Keep => cx.keep(vec![1; 8]),
                Deed::AtOnce | Deed::GuardPanics => {}
            }
        }
    }

    pub(super) fn completions(&self) -> MutexGuard<'_, Vec<(String, Completion)>> {
        let completions = self.completions.lock();
        completions.unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, who: &str, deed: Deed) -> bool {
        !self.is_tame
            && self
                .quirks
                .iter()
                .any(|quirk| quirk.who == who && quirk.deed == deed)
    }

    fn next(&mut self, name: &str, otherwise: Reply) -> Reply {
        let replies = self.replies.get_mut(name);
        replies.and_then(VecDeque::pop_front).unwrap_or(otherwise)
    }

    fn enter(&mut self, name: &str, is_slow: bool, cx: &mut Context<'_>) {
        self.watch.called("call", name);
        let panics = self.has(name, Deed::GuardPanics);
        cx.on_exit(self.watch.guard(name, is_slow, panics));
        self.act(name, When::Call, cx);
    }

    fn start(&mut self, name: &str, cx: &mut Context<'_>) -> Option<bool> {
        match self.next(name, Reply::On) {
            Reply::End(success) => return Some(success),
            Reply::After(seconds, success) => {
                cx.finish_after(Duration::from_secs_f64(seconds), success);
            }
            Reply::Polls(polls, success) => cx.finish_after_polls(polls, success),
            Reply::Event(event, success) => cx.finish_on(event, success),
            Reply::Panic => falls(name),
            Reply::On => {}
        }
        self.completions().push((name.to_owned(), cx.completion()));
        None
    }

    fn slow(&mut self, name: &str, cx: &mut Context<'_>) -> Option<bool> {
        self.enter(name, true, cx);
        self.start(name, cx)
    }

    fn cancel(&mut self, name: &str, cx: &mut Context<'_>, exit: Exit) -> Option<bool> {
        if exit != Exit::Aborted || self.has(name, Deed::AtOnce) {
            self.watch.exit(name, exit);
            self.act(name, When::Exit, cx);
            return Some(true);
        }
        self.watch.cancels(name);
        // A panic in here ends the cancelling: the guard drops.
        self.act(name, When::Exit, cx);
        self.completions().push((name.to_owned(), cx.completion()));
        None
    }
}

#[agent]
impl Wild {
    #[action]
    fn begin(&mut self, tree: &str) {
        self.watch.begin(tree);
    }

    #[action(exit = "left")]
    fn now(&mut self, cx: &mut Context, name: &str) -> bool {
        self.enter(name, false, cx);
        match self.next(name, Reply::End(true)) {
            Reply::End(success) => success,
            _ => falls(name),
        }
    }

    #[action(exit = "left")]
    fn polled(&mut self, cx: &mut Context, name: &str) -> Status {
        self.enter(name, false, cx);
        match self.next(name, Reply::On) {
            Reply::End(success) => success.into(),
            Reply::On => Status::Running,
            _ => falls(name),
        }
    }

    #[action(exit = "left")]
    fn starts(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.enter(name, false, cx);
        self.start(name, cx)
    }

    #[action(exit = "cancel_a")]
    fn slow_a(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.slow(name, cx)
    }

    #[action(exit = "cancel_b")]
    fn slow_b(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.slow(name, cx)
    }

    #[action(exit = "cancel_c")]
    fn slow_c(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.slow(name, cx)
    }

    fn cancel_a(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        self.cancel("a", cx, exit)
    }

    fn cancel_b(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        self.cancel("b", cx, exit)
    }

    fn cancel_c(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        self.cancel("c", cx, exit)
    }

    fn left(&mut self, cx: &mut Context, exit: Exit) {
        self.watch.exit("a leaf", exit);
        self.act("left", When::Exit, cx);
    }

    #[condition]
    fn holds(&self, cx: &mut Context, name: &str) -> bool {
        self.watch.called("condition", name);
        self.act(name, When::Ask, cx);
        self.flags.get(name).copied().unwrap_or(false)
    }

    #[condition]
    fn shows(#[world] _sky: &(), name: &str) -> bool {
        sky::shows(name)
    }

    #[condition]
    fn key_true(cx: &Context, key: &str) -> bool {
        let value = cx.get(key);
        if value == "fall" {
            falls(key);
        }
        value == true
    }

    #[decorator]
    fn limits(&mut self, cx: &mut Context, name: &str, times: u32, ended: Option<bool>) -> Next {
        self.watch.called("decorator", name);
        self.act(name, When::Ask, cx);
        let runs = self.runs.entry(name.to_owned()).or_default();
        *runs = if ended.is_some() { *runs + 1 } else { 0 };
        if *runs < times {
            Next::Run
        } else {
            Next::Succeed
        }
    }

    #[decorator(running)]
    fn minds(&mut self, cx: &mut Context, asked: Asked, flag: &str) -> Next {
        match asked {
            Asked::Ended { success: true, .. } => Next::Succeed,
            Asked::Ended { success: false, .. } => Next::Fail,
            Asked::Entry | Asked::Running if self.holds(cx, flag) => Next::Run,
            Asked::Entry | Asked::Running => Next::Fail,
        }
    }

    #[composite]
    fn steers(
        &mut self,
        cx: &mut Context,
        asked: Asked,
        name: &str,
        children: usize,
        times: u32,
    ) -> NextChild {
        self.watch.called("composite", name);
        self.act(name, When::Ask, cx);
        let runs = self.runs.entry(name.to_owned()).or_default();
        *runs = if asked == Asked::Entry { 0 } else { *runs + 1 };
        match asked {
            _ if *runs >= times => NextChild::Succeed,
            Asked::Ended { child, .. } => NextChild::Run((child + 1) % children.max(1)),
            Asked::Entry | Asked::Running => NextChild::Run(0),
        }
    }

    #[composite(running)]
    fn watches(&mut self, cx: &mut Context, asked: Asked, flag: &str, last: usize) -> NextChild {
        match asked {
            Asked::Ended { success: true, .. } => NextChild::Succeed,
            Asked::Ended { success: false, .. } => NextChild::Fail,
            Asked::Entry | Asked::Running if self.holds(cx, flag) => NextChild::Run(0),
            Asked::Entry | Asked::Running => NextChild::Run(last),
        }
    }

    #[action]
    fn draws(&mut self, cx: &mut Context) -> bool {
        self.watch.called("call", "draws");
        cx.random().chance(0.5)
    }

    /// A service.
    #[action]
    fn note(&mut self, cx: &mut Context, line: &str) {
        self.watch.called("service", line);
        self.act(line, When::Service, cx);
    }

    #[action]
    fn more(&mut self, cx: &mut Context, key: &str) {
        self.watch.called("call", "more");
        let number = cx.get(key).as_i64().unwrap_or(0);
        cx.set(key, number.saturating_add(1));
    }

    #[action]
    fn put(&mut self, cx: &mut Context, _line: &str, key: &str, on: bool) {
        self.watch.note(|| format!("put {key}"));
        cx.set(key, on);
    }

    #[action]
    fn node_entered(&mut self, cx: &mut Context, name: &str) {
        self.watch.called("effect on entry", name);
        self.act(name, When::Entered, cx);
    }

    #[action]
    fn node_ended(&mut self, cx: &mut Context, name: &str, success: bool) {
        self.watch.note(|| format!("ended {name} {success}"));
        self.act(name, When::Ended, cx);
    }

    #[action]
    fn node_left(&mut self, cx: &mut Context, name: &str) {
        self.watch.note(|| format!("left {name}"));
        self.act(name, When::Left, cx);
    }

    #[action]
    fn moods(&mut self, cx: &mut Context, mood: i64) -> bool {
        self.watch.called("call", "moods");
        self.act("moods", When::Call, cx);
        mood == 0
    }

    #[property]
    fn mood(&self) -> i64 {
        for deed in self.deeds("mood", When::Ask) {
            if deed == Deed::Panic {
                falls("mood");
            }
        }
        0
    }

    /// Something happened.
    #[event]
    fn go();

    #[event]
    fn told(what: i64);
}
