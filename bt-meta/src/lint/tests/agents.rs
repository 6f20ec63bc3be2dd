//! The agents whose trees are looked at.

use serde_json::Value;

use bt_core::prelude::*;

/// A guard at a gate.
#[derive(Debug, Agent)]
#[agent(name = "sentry", world = bool)]
pub(super) struct Sentry {
    #[property]
    post: String,
}

#[agent]
#[allow(clippy::ptr_arg, reason = "arguments of every kind")]
impl Sentry {
    #[action(alias = ["cry"])]
    fn shout(&mut self, #[arg(default = "Halt!".to_owned())] words: String) {
        self.post = words;
    }
    #[action]
    fn go_to(&mut self, post: String) -> Option<bool> {
        self.post = post;
        None
    }
    #[action]
    fn guard(&mut self) -> Status {
        Status::Running
    }
    #[action]
    fn risk(&mut self) -> Result<(), String> {
        Ok(())
    }
    #[action]
    fn dare(&mut self) -> bool {
        true
    }
    #[action]
    fn look(#[arg(out, alias = ["who"])] found: &mut u64) {
        *found = 7;
    }
    #[action]
    fn count(number: &mut u64) {
        *number += 1;
    }
    #[action]
    fn chase(_id: u64) -> Option<bool> {
        None
    }
    #[condition]
    fn is_alert(&self) -> bool {
        true
    }
    #[condition]
    fn is_night(cx: &Context) -> bool {
        cx.has("night")
    }
    #[condition]
    fn is_day(#[world] day: &bool) -> bool {
        *day
    }
    #[condition]
    fn is_foe(id: u64) -> bool {
        id > 0
    }
    #[decorator]
    fn in_peace(&mut self, _share: Option<f64>, _ended: Option<bool>) -> Next {
        Next::Run
    }
    #[event]
    fn alarm(post: String);
}

/// It answers to anything.
#[derive(Debug, Agent)]
#[agent(name = "echo")]
pub(super) struct Echo;

#[agent]
impl Echo {
    #[fallback]
    fn repeat(&mut self, _cx: &mut Context, _name: &str, _args: &[Value]) -> Option<bool> {
        Some(true)
    }
}
