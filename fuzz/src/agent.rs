//! An agent with one of everything, which never panics: a fuzzer takes a panic for a find, whoever
//! catches it.

use std::time::Duration;

use bt_core::prelude::*;

/// It does what little its actions say.
#[derive(Agent, Default)]
pub struct Robot {
    /// The number of times that it was called.
    #[property(min = 0, max = 1000)]
    calls: i64,
    polls: u32,
}

#[agent]
impl Robot {
    /// Done at once.
    #[action]
    fn now(&mut self, result: bool) -> bool {
        self.calls += 1;
        result
    }

    /// Called again every poll, so many times in all.
    #[action(exit = "left")]
    fn polled(&mut self, times: u32) -> Status {
        self.polls += 1;
        if self.polls > times {
            self.polls = 0;
            return Status::Success;
        }
        Status::Running
    }

    /// Waits for the first of a time and an event.
    #[action(exit = "cancel")]
    fn starts(
        &mut self,
        cx: &mut Context,
        #[arg(default = 1.0)] seconds: f64,
        #[arg(default = "go")] event: &str,
    ) -> Option<bool> {
        if let Ok(time) = Duration::try_from_secs_f64(seconds) {
            cx.finish_after(time, true);
        }
        cx.finish_on(event, false);
        None
    }

    /// Swaps two values of keys.
    #[action]
    fn swap(&mut self, a: &mut f64, #[arg(out)] b: &mut Vec<i8>, c: Option<String>) {
        *b = vec![1; c.map_or(0, |text| text.len() % 8)];
        *a += 1.0;
    }

    /// Asks itself.
    #[condition]
    fn holds(&self, #[arg(min = 0, max = 9)] of: u8) -> bool {
        self.calls % 10 >= i64::from(of)
    }

    /// Asks a key.
    #[condition]
    fn key_holds(cx: &Context, key: &str) -> bool {
        cx.get(key) == true
    }

    /// Runs its child so many times.
    #[decorator]
    fn limits(&mut self, times: u32, ended: Option<bool>) -> Next {
        if ended.is_some() && self.calls.unsigned_abs() > u64::from(times) {
            return Next::Succeed;
        }
        self.calls += 1;
        Next::Run
    }

    fn left(&mut self, _cx: &mut Context, _exit: Exit) {
        self.polls = 0;
    }

    fn cancel(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        if exit == Exit::Aborted && self.calls % 2 == 0 {
            cx.finish_after_polls(2, true);
            return None;
        }
        Some(true)
    }

    /// Something happened.
    #[event]
    pub fn go();

    /// Somebody said something.
    #[event]
    pub fn told(what: i64);
}
