//! `play`: a tree without its game.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::answer::{Answer, Code, Refused, Reply};
use super::super::project::inputs;
use super::super::shared::Shared;
use super::edit::{Change, Written, plan, with};
use super::shown::{failure, short};
use crate::scenarios::{Outcome, play_all};
use crate::validate::input::Input;

/// So many calls are shown, and so many words of why.
const CALLS: usize = 60;
const LINES: usize = 30;

/// The arguments of `play`, as a scenario's file has them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Play {
    /// The tree.
    tree: String,
    /// The last poll, such as "20s". Without it the play lasts until the tree has ended.
    until: Option<String>,
    /// The time between two polls, "0.1s" without it.
    tick: Option<String>,
    /// The seed of the random stream.
    seed: Option<u32>,
    /// True if the tree begins again when it has ended.
    #[serde(default, rename = "loop")]
    repeats: bool,
    /// The result of calls that nothing answers: `success` or `failure`. Without it the play ends there, and names the call.
    otherwise: Option<String>,
    /// Values before the first poll: "$key" of the blackboard, "@property" of the agent.
    #[serde(default)]
    set: Map<String, Value>,
    /// Answers to calls. Of several that fit the last one answers.
    #[serde(default)]
    answer: Vec<Reaction>,
    /// Changes from outside.
    #[serde(default)]
    step: Vec<Step>,
    /// Edits of the tree that are played and not written, as those of `edit`.
    #[serde(default)]
    #[schemars(with = "Vec<Map<String, Value>>")]
    edits: Vec<Written>,
    /// The whole tree as a script, which is played and not written.
    script: Option<String>,
}

/// An answer to calls of a method: one of `result`, `at`, `each` and `running`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reaction {
    /// The method, such as `walk_to`, or `walk_to(target: 7)` for calls with that argument.
    call: String,
    /// The time after which an action ends, such as "2s".
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// `true`, `false` or "running"; the value of a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// Results by times: {"0s": false, "3s": true}.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<BTreeMap<String, Value>>,
    /// Results of one call after the other; the last one repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<Vec<Value>>,
    /// True if the action runs until something aborts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<bool>,
    /// Values for the arguments that the method writes, by their names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    writes: Map<String, Value>,
}

/// A change from outside.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Its time, such as "3s".
    at: String,
    /// Values of keys and properties.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    set: Map<String, Value>,
    /// An event, after the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    fire: Option<Fired>,
}

/// An event.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fired {
    /// Its name.
    event: String,
    /// Its parameters.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    params: Map<String, Value>,
}

pub(in super::super) fn play(shared: &Shared, mut asked: Play) -> Reply {
    let project = &shared.project;
    let change = Change {
        edits: std::mem::take(&mut asked.edits)
            .into_iter()
            .map(|Written(edit)| edit)
            .collect(),
        script: asked.script.take(),
    };
    let name = project.tree(&asked.tree)?.name;
    let mut texts = project.trees()?;
    if change.is_some() {
        let (plan, _) = plan(project, &texts, &name, &change)?;
        let files = plan
            .iter()
            .map(|file| (file.name.as_str(), file.after.as_str()));
        texts = with(&texts, files);
    }
    let scenario = asked.scenario(&name)?;
    let cast = project.cast()?;
    let bytes = Arc::new(scenario.into_bytes());
    let input = Input::of_text("play.scenario.toml", "play.scenario.toml", bytes);
    let played = play_all(&cast, &inputs(&texts), &[input], true)?;
    let outcome = played.into_iter().next().map(|played| played.outcome);
    match outcome {
        Some(Outcome::Verdict(verdict)) => Ok(report(&name, &verdict)),
        Some(Outcome::Refused(problems)) => {
            let why: Vec<_> = problems
                .iter()
                .map(|problem| problem.message.as_str())
                .collect();
            Err(Refused::new(
                Code::Arguments,
                why.join("; "),
                "`agent` lists what can be called",
            ))
        }
        None => Err(Refused::new(Code::Refused, "nothing was played", "")),
    }
}

fn report(name: &str, verdict: &bt_core::scenario::Verdict) -> Answer {
    let result = match (verdict.passed(), verdict.result) {
        (false, _) => "stopped",
        (true, Some(true)) => "success",
        (true, Some(false)) => "failure",
        (true, None) => "running",
    };
    let mut answer = Answer::default()
        .with("tree", name)
        .with("result", result)
        .with("polls", verdict.polls)
        .with("seconds", verdict.time as f64 / 1e9);
    if let Some(story) = &verdict.story {
        let first = story.calls.len().saturating_sub(CALLS);
        let before = story.unlisted + first;
        let active = story
            .active
            .iter()
            .map(|node| format!("{}#{}", node.tree, node.idx));
        answer = answer
            .with("calls", short(&story.calls[first..], CALLS))
            .with_some("calls_before", (before > 0).then_some(before))
            .with("active", active.take(LINES).collect::<Vec<_>>())
            .with("why", short(&story.why, LINES))
            .with("trace", short(&story.trace, LINES));
    }
    // What nobody answered ends a play.
    let stopped: Vec<_> = verdict.failures.iter().map(failure).collect();
    if !stopped.is_empty() {
        answer = answer.with("stopped", stopped);
    }
    match verdict.diagnostics.is_empty() {
        true => answer,
        false => answer.with("diagnostics", short(&verdict.diagnostics, LINES)),
    }
}

impl Play {
    /// The scenario that says the same.
    fn scenario(&self, tree: &str) -> Result<String, Refused> {
        let mut text = String::new();
        let mut put = |key: &str, value: Value| -> Result<(), Refused> {
            text += &format!("{key} = {}\n", toml(&value)?);
            Ok(())
        };
        put("tree", tree.into())?;
        for (key, value) in [
            ("until", &self.until),
            ("tick", &self.tick),
            ("otherwise", &self.otherwise),
        ] {
            if let Some(value) = value {
                put(key, value.as_str().into())?;
            }
        }
        if let Some(seed) = self.seed {
            put("seed", seed.into())?;
        }
        put("loop", self.repeats.into())?;
        put("set", self.set.clone().into())?;
        let list = |value: Result<Value, serde_json::Error>| value.unwrap_or_default();
        put("answer", list(serde_json::to_value(&self.answer)))?;
        put("step", list(serde_json::to_value(&self.step)))?;
        Ok(text)
    }
}

/// A value as TOML writes it, in one line.
fn toml(value: &Value) -> Result<String, Refused> {
    let each = |values: Vec<Result<String, Refused>>| -> Result<String, Refused> {
        Ok(values
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .join(", "))
    };
    Ok(match value {
        Value::Null => {
            let help = "leave the value out; a key is empty until it is set";
            return Err(Refused::new(
                Code::Arguments,
                "`null` is no value of a play",
                help,
            ));
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", each(items.iter().map(toml).collect())?),
        Value::Object(map) => {
            let items = map
                .iter()
                .map(|(key, value)| Ok(format!("{} = {}", quoted(key), toml(value)?)));
            format!("{{{}}}", each(items.collect())?)
        }
    })
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_toml() {
        let value = json!({"a b": [1, -2.5e300, true, {"c": "x\"\\\n\u{7f}é"}], "d": {}});
        let text = format!("value = {}", toml(&value).unwrap());
        let read: toml::Table = text.parse().unwrap();
        assert_eq!(serde_json::to_value(&read["value"]).unwrap(), value);
        assert!(toml(&json!([null])).is_err());
    }
}
