//! The agents whose trees are checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::prelude::*;

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mood {
    #[default]
    Calm,
    #[serde(alias = "mad")]
    Angry,
    Hungry {
        since: u32,
    },
    Curious(Spot),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Spot {
    x: f64,
    #[serde(alias = "z")]
    y: f64,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Posture {
    Upright,
    Flat,
}

/// The base of all animals.
#[derive(Debug, Agent)]
#[agent(no_base)]
pub(super) struct Animal;

#[agent]
impl Animal {
    #[action]
    fn sleep(_seconds: f64) -> Option<bool> {
        None
    }
    #[event]
    fn fed(#[arg(alias = ["what"])] food: String, grams: u32);
}

/// A dog of a kind.
#[derive(Debug, Agent)]
#[agent(alias = ["dog"])]
pub(super) struct Hound {
    #[agent(base)]
    animal: Animal,
    #[property]
    nose: f64,
    #[property(alias = ["title"])]
    call_name: String,
}

#[agent]
#[allow(clippy::ptr_arg, reason = "arguments of every kind")]
impl Hound {
    #[action(alias = ["woof"])]
    fn bark(&mut self) -> bool {
        true
    }
    #[action]
    fn chase(
        &mut self,
        _target: u64,
        #[arg(default = 2.0, min = 0.0, max = 50.0, alias = ["reach"])] _range: f64,
        #[arg(choices = ["walk", "run"])] _gait: Option<String>,
        #[arg(deprecated)] _loud: Option<bool>,
    ) -> Status {
        Status::Running
    }
    #[action]
    fn howl(_mood: Mood, _at: Option<Spot>, _way: Option<Vec<Spot>>, _any: Option<Value>) {}
    #[action]
    fn sniff(#[arg(out)] found: &mut String, count: &mut u8) {
        found.clear();
        *count += 1;
    }
    #[condition]
    fn smells(&self, _what: &str) -> bool {
        true
    }
    #[condition]
    fn is_tired(&self) -> bool {
        false
    }
    #[query(alias = ["span_to"])]
    fn distance_to(&self, target: u64, #[arg(default = 1.0, min = 0.0)] scale: f64) -> f64 {
        target as f64 * scale
    }
    #[query]
    fn posture(&self) -> Result<Posture, String> {
        Ok(match self.nose < 1.0 {
            true => Posture::Flat,
            false => Posture::Upright,
        })
    }
    #[query]
    fn is_wet() -> bool {
        false
    }
    #[decorator]
    fn patiently(&mut self, _ended: Option<bool>) -> Next {
        Next::Run
    }
    #[composite(min = 2, max = 4)]
    fn by_turns(&mut self, asked: Asked, _times: u8) -> NextChild {
        let _ = asked;
        NextChild::Run(0)
    }
    #[action]
    #[deprecated(since = "2.0.0", note = "use `chase`")]
    fn run_after() {}
    #[action]
    #[deprecated]
    fn heel() {}
    #[event]
    fn whistled(loud: bool);
    #[event(alias = ["bell"])]
    fn rang();
}

/// No hound.
#[derive(Debug, Agent)]
pub(super) struct Bird;

#[agent]
impl Bird {
    #[event]
    fn startled();
}

/// It answers to anything.
#[derive(Debug, Agent)]
pub(super) struct Parrot;

#[agent]
impl Parrot {
    #[fallback]
    fn repeat(&mut self, _cx: &mut Context, _name: &str, _args: &[Value]) -> Option<bool> {
        Some(true)
    }
    #[property]
    const WORDS: u32 = 7;
}
