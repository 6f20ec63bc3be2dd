//! The agent whose leaves do what a script says.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use bt_core::prelude::*;

use super::log::Log;
use crate::sky;

/// The outcome of one call of a leaf.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It ends.
    End(bool),
    /// It runs on, or waits for [`Play::end`](super::Play::end).
    On,
    /// It waits for so many seconds, then ends so.
    After(f64, bool),
    /// It ends so in the poll of that number, this one counted.
    Polls(u32, bool),
    /// It waits for an event, then ends so.
    Event(&'static str, bool),
    /// It panics.
    Panic,
}

impl From<bool> for Reply {
    fn from(success: bool) -> Reply {
        Reply::End(success)
    }
}

impl From<Status> for Reply {
    fn from(status: Status) -> Reply {
        match status {
            Status::Success => Reply::End(true),
            Status::Failure => Reply::End(false),
            Status::Running => Reply::On,
        }
    }
}

/// Panics without a word on the terminal: it is done on purpose, and often.
fn panics(name: &str) -> ! {
    std::panic::resume_unwind(Box::new(format!("{name} panics")))
}

/// Asks for what ends a wait.
fn asks(reply: &Reply, cx: &mut Context<'_>) {
    match *reply {
        Reply::After(seconds, success) => {
            cx.finish_after(Duration::from_secs_f64(seconds), success);
        }
        Reply::Polls(polls, success) => cx.finish_after_polls(polls, success),
        Reply::Event(event, success) => cx.finish_on(event, success),
        Reply::On | Reply::End(_) | Reply::Panic => {}
    }
}

type OnCall = Box<dyn FnMut(&mut Context<'_>) + Send>;

/// See [`probe`](super).
#[derive(Agent, Default)]
#[agent(world = ())]
pub struct Probe {
    /// The log.
    pub log: Log,
    /// The answers of conditions; `false` where there is none.
    pub flags: BTreeMap<String, bool>,
    /// Leaves that wait leave nothing behind that cannot be saved: no guard, no completion. What
    /// cancels does so for a quarter of a second.
    pub plain: bool,
    replies: BTreeMap<String, VecDeque<Reply>>,
    /// The reply of a leaf when its script has run out.
    always: BTreeMap<String, Reply>,
    completions: BTreeMap<String, Vec<Completion>>,
    on_call: BTreeMap<String, OnCall>,
    /// The reply that ends the cancelling of a slow leaf, beside its completion.
    cancels: BTreeMap<String, Reply>,
    /// The number of times that a decorator's child has run.
    runs: BTreeMap<String, u32>,
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").finish_non_exhaustive()
    }
}

impl Probe {
    pub(super) fn script(&mut self, name: &str, replies: impl IntoIterator<Item = Reply>) {
        let script = self.replies.entry(name.to_owned()).or_default();
        script.extend(replies);
    }

    /// The world shows its flags, and who asks for them writes a line of its log.
    pub(super) fn show_sky(&self) {
        let log = self.log.clone();
        sky::show(&self.flags, move |name| log.note(format!("ask {name}")));
    }

    pub(super) fn always(&mut self, name: &str, reply: Reply) {
        self.always.insert(name.to_owned(), reply);
    }

    pub(super) fn on_call(&mut self, name: &str, act: OnCall) {
        self.on_call.insert(name.to_owned(), act);
    }

    pub(super) fn cancels(&mut self, name: &str, until: Reply) {
        self.cancels.insert(name.to_owned(), until);
    }

    /// From now on calls do nothing beside what they reply.
    pub(super) fn forget_acts(&mut self) {
        self.on_call.clear();
    }

    /// The completions that calls of a leaf were given, the oldest first.
    pub(super) fn completions(&self, name: &str) -> &[Completion] {
        self.completions.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn all_completions(&self) -> Vec<Completion> {
        self.completions.values().flatten().cloned().collect()
    }

    /// The answer of a composite, called with these arguments.
    pub(super) fn next_child(
        &mut self,
        name: &str,
        args: &[serde_json::Value],
        asked: Asked,
    ) -> NextChild {
        let text = args[0].as_str().unwrap_or_default();
        let number = |at: usize| args[at].as_u64().unwrap_or_default();
        match name {
            "steers" => self.steers(asked, text, number(1) as usize, number(2) as u32),
            "watches" => self.watches(asked, text, number(1) as usize),
            other => panic!("no composite `{other}`"),
        }
    }

    fn next(&mut self, name: &str, otherwise: Reply) -> Reply {
        let script = self.replies.get_mut(name);
        let next = script.and_then(VecDeque::pop_front);
        next.or_else(|| self.always.get(name).cloned())
            .unwrap_or(otherwise)
    }

    fn act(&mut self, name: &str, cx: &mut Context<'_>) {
        if let Some(act) = self.on_call.get_mut(name) {
            act(cx);
        }
    }

    /// Starts a leaf that waits.
    fn start(&mut self, name: &str, cx: &mut Context<'_>) -> Option<bool> {
        self.act(name, cx);
        match self.next(name, Reply::On) {
            Reply::End(success) => return Some(success),
            Reply::Panic => panics(name),
            other => asks(&other, cx),
        }
        if !self.plain {
            self.keep(name, cx);
        }
        None
    }

    /// Notes that a leaf is called for the first time.
    fn enter(&mut self, name: &str, cx: &mut Context<'_>) {
        match self.plain {
            true => self.log.note(format!("call {name}")),
            false => cx.on_exit(self.log.enter(name)),
        }
    }

    fn keep(&mut self, name: &str, cx: &mut Context<'_>) {
        let kept = self.completions.entry(name.to_owned()).or_default();
        kept.push(cx.completion());
    }

    fn cancel(&mut self, name: &str, cx: &mut Context<'_>, exit: Exit) -> Option<bool> {
        let until = self.cancels.get(name);
        if self.plain {
            self.log.note(format!("left {name}: {exit:?}"));
            asks(until.unwrap_or(&Reply::After(0.25, true)), cx);
            return (exit != Exit::Aborted).then_some(true);
        }
        if exit == Exit::Aborted {
            asks(until.unwrap_or(&Reply::On), cx);
            self.log.cancel(name);
            return None;
        }
        self.log.exit(exit);
        Some(true)
    }

    /// A leaf that may be slow to cancel: its completion ends it, and its cancelling.
    fn slow(&mut self, name: &str, cx: &mut Context<'_>) -> Option<bool> {
        if self.plain {
            self.enter(name, cx);
        } else {
            let mut guard = self.log.enter(name);
            guard.cancels = true;
            cx.on_exit(guard);
        }
        self.start(name, cx)
    }
}

#[agent]
impl Probe {
    #[action(exit = "left")]
    fn now(&mut self, cx: &mut Context, name: &str) -> bool {
        self.enter(name, cx);
        self.act(name, cx);
        match self.next(name, Reply::End(true)) {
            Reply::End(success) => success,
            Reply::Panic => panics(name),
            other => panic!("{name} cannot reply {other:?}"),
        }
    }

    /// Its first call enters it, the others are ticks.
    #[action(exit = "left")]
    fn polled(&mut self, cx: &mut Context, name: &str) -> Status {
        if cx.is_first_call() {
            self.enter(name, cx);
        } else {
            self.log.note(format!("tick {name}"));
        }
        self.act(name, cx);
        match self.next(name, Reply::On) {
            Reply::End(success) => success.into(),
            Reply::On => Status::Running,
            Reply::Panic => panics(name),
            other => panic!("{name} cannot reply {other:?}"),
        }
    }

    #[action(exit = "left")]
    fn starts(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.enter(name, cx);
        self.start(name, cx)
    }

    #[action(exit = "left")]
    fn panics(&mut self, cx: &mut Context, name: &str) -> bool {
        cx.on_exit(self.log.enter(name));
        panics(name)
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

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        if self.plain {
            return self.log.note(format!("left: {exit:?}"));
        }
        self.log.exit(exit);
    }

    #[condition]
    fn holds(&self, name: &str) -> bool {
        self.log.note(format!("ask {name}"));
        self.flags.get(name).copied().unwrap_or(false)
    }

    /// A flag, as the world shows it.
    #[condition]
    fn shows(#[world] _sky: &(), name: &str) -> bool {
        sky::shows(name)
    }

    #[condition]
    fn key_true(cx: &Context, key: &str) -> bool {
        cx.get(key) == true
    }

    #[condition]
    fn arg_true(value: bool) -> bool {
        value
    }

    /// Runs its child so many times, then succeeds.
    #[decorator]
    fn limits(&mut self, name: &str, times: u32, ended: Option<bool>) -> Next {
        let runs = self.runs.entry(name.to_owned()).or_default();
        *runs = if ended.is_some() { *runs + 1 } else { 0 };
        if *runs < times {
            Next::Run
        } else {
            Next::Succeed
        }
    }

    /// Runs the next child after a success, the one before after a failure, so many times in all.
    #[composite]
    fn steers(&mut self, asked: Asked, name: &str, children: usize, times: u32) -> NextChild {
        let ended = match asked {
            Asked::Entry => None,
            Asked::Ended { child, success } => Some((child, success)),
            Asked::Running => panic!("{name} is not asked that"),
        };
        let children = children.max(1);
        let runs = self.runs.entry(name.to_owned()).or_default();
        *runs = if ended.is_some() { *runs + 1 } else { 0 };
        match ended {
            Some((_, false)) if *runs >= times => NextChild::Fail,
            _ if *runs >= times => NextChild::Succeed,
            None => NextChild::Run(0),
            Some((child, true)) => NextChild::Run((child + 1) % children),
            Some((child, false)) => NextChild::Run((child + children - 1) % children),
        }
    }

    /// Runs the first child as long as a flag is set, else another one.
    #[composite(running)]
    fn watches(&mut self, asked: Asked, flag: &str, last: usize) -> NextChild {
        match asked {
            Asked::Ended { success: true, .. } => NextChild::Succeed,
            Asked::Ended { success: false, .. } => NextChild::Fail,
            Asked::Entry | Asked::Running if self.holds(flag) => NextChild::Run(0),
            Asked::Entry | Asked::Running => NextChild::Run(last),
        }
    }

    /// Runs its child as long as a flag is set.
    #[decorator(running)]
    fn minds(&mut self, asked: Asked, flag: &str) -> Next {
        match asked {
            Asked::Ended { success: true, .. } => Next::Succeed,
            Asked::Ended { success: false, .. } => Next::Fail,
            Asked::Entry | Asked::Running if self.holds(flag) => Next::Run,
            Asked::Entry | Asked::Running => Next::Fail,
        }
    }

    /// Draws a number, and succeeds if it is even.
    #[action]
    fn draws(&mut self, cx: &mut Context) -> bool {
        let number = cx.random().int(0..=99);
        self.log.note(format!("draw {number}"));
        number % 2 == 0
    }

    /// Adds 1 to a key, and writes a line of what it holds then.
    #[action]
    fn more(&mut self, cx: &mut Context, key: &str) -> bool {
        let number = cx.get(key).as_i64().unwrap_or(0) + 1;
        cx.set(key, number);
        self.log.note(format!("{key} {number}"));
        true
    }

    /// Writes a line, and a key.
    #[action]
    fn put(&mut self, cx: &mut Context, line: &str, key: &str, on: bool) {
        self.log.note(line);
        cx.set(key, on);
    }

    /// Writes a line every poll, for ever.
    #[action]
    fn tells(&mut self, line: &str) -> Status {
        self.log.note(format!("tell {line}"));
        Status::Running
    }

    /// Writes a line.
    #[action]
    fn note(&mut self, line: &str) {
        self.log.note(line);
    }

    #[action]
    fn node_entered(&mut self, name: &str) {
        self.log.node_entered(name);
    }

    #[action]
    fn node_ended(&mut self, name: &str, success: bool) {
        self.log.node_ended(name, success);
    }

    #[action]
    fn node_left(&mut self, name: &str) {
        self.log.node_left(name);
    }

    /// Something happened.
    #[event]
    fn go(n: Option<i64>);

    #[event]
    fn told(what: Option<serde_json::Value>);
}
