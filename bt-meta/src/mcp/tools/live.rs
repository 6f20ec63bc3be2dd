//! `live_…`: a running game, or a recording.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bt_core::trace::Words;
use bt_live::client::Incoming;
use bt_live::protocol::Event;
use bt_live::protocol::types::{
    Break, CheckTrees, Checked, Explain, Fire, Follow, ListStates, ListStops, ReloadTrees, SetKey,
    SetProperty, Unfollow,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::answer::{Answer, Code, Refused, Reply, cut};
use super::super::link::Live;
use super::super::options::Attach;
use super::super::shared::Shared;
use super::shown::short;
use crate::live;

/// So many records of a trace are shown.
const RECORDS: usize = 200;

/// The longest that an agent is followed, and how long without a word.
const LONGEST: f64 = 10.0;
const USUAL: f64 = 1.0;

/// The connection of a server, and where it leads.
fn live(shared: &Shared) -> (MutexGuard<'_, Live>, Option<&Attach>) {
    let live = shared.live.lock().unwrap_or_else(PoisonError::into_inner);
    (live, shared.options.attach.as_ref())
}

/// The arguments of `live_agents`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveAgents {
    /// Only those whose name, type or tree has this text.
    filter: Option<String>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn agents(shared: &Shared, asked: LiveAgents) -> Reply {
    let (mut live, attach) = live(shared);
    let mut list = ListStates {
        after: None,
        limit: Some(1_000),
    };
    let (states, now) = loop_states(&mut live, attach, &mut list)?;
    let mut all = Vec::new();
    for agent in states {
        let texts = [&agent.name, &agent.agent_type, &agent.tree];
        let filter = asked.filter.as_deref().unwrap_or_default();
        if !texts.iter().any(|text| text.contains(filter)) {
            continue;
        }
        let mut one = json!({"agent": agent.name, "type": agent.agent_type, "tree": agent.tree});
        let flags = [
            ("stopped", agent.stopped),
            ("paused", agent.paused),
            ("failed", agent.failed),
            ("idle", !agent.running),
        ];
        for (name, _) in flags.iter().filter(|(_, is)| *is) {
            one[*name] = true.into();
        }
        if let Some(leaf) = &agent.leaf {
            let since = now.saturating_sub(leaf.since) as f64 / 1e9;
            one["waits_at"] =
                format!("{}#{} {} {}", leaf.tree, leaf.idx, leaf.kind, leaf.name).into();
            one["for_seconds"] = since.into();
        }
        all.push(one);
    }
    Answer::default().page("agents", all, asked.cursor.as_deref())
}

type States = Vec<bt_live::protocol::types::AgentState>;

fn loop_states(
    live: &mut Live,
    attach: Option<&Attach>,
    list: &mut ListStates,
) -> Result<(States, u64), Refused> {
    let mut states = Vec::new();
    loop {
        let page = live.call(attach, list.clone())?;
        states.extend(page.agents);
        list.after = page.next;
        if list.after.is_none() {
            return Ok((states, page.now));
        }
    }
}

/// The arguments of `live_explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveExplain {
    /// The agent, as `live_agents` lists it.
    agent: String,
    /// Time in a recording, in seconds; its end otherwise.
    at: Option<f64>,
}

pub(in super::super) fn explain(shared: &Shared, asked: LiveExplain) -> Reply {
    let (mut live, attach) = live(shared);
    let agent = live.id(attach, &asked.agent)?;
    let at = asked.at.map(|at| (at.max(0.0) * 1e9) as u64);
    let explained = live.call(attach, Explain { agent, at })?;
    let lines: Vec<_> = explained.text.lines().map(str::to_owned).collect();
    Ok(Answer::default()
        .with("agent", asked.agent)
        .with("why", short(&lines, 60)))
}

/// The arguments of `live_trace`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveTrace {
    /// The agent.
    agent: String,
    /// For how long, in seconds, 10 at most; 1 without it.
    seconds: Option<f64>,
}

pub(in super::super) fn trace(shared: &Shared, asked: LiveTrace) -> Reply {
    let (mut live, attach) = live(shared);
    let agent = live.id(attach, &asked.agent)?;
    let follow = Follow {
        agent: agent.clone(),
        recorded: false,
    };
    live.call(attach, follow)?;
    let seconds = asked.seconds.unwrap_or(USUAL);
    let seconds = if seconds.is_finite() {
        seconds.clamp(0.0, LONGEST)
    } else {
        USUAL
    };
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let (mut lines, mut dropped, mut more) = (Vec::new(), 0, 0);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let client = live.client(attach)?;
        let is_recording = client.welcome().recording;
        let next = client.next(left);
        let next = next.map_err(|error| Refused::new(Code::Refused, error.to_string(), ""))?;
        match next {
            Some(Incoming::Records(frame)) => {
                for record in &frame.records {
                    match lines.len() < RECORDS {
                        true => lines.push(cut(Words(record).to_string().trim_end(), 300)),
                        false => more += 1,
                    }
                }
            }
            Some(Incoming::Event(Event::Dropped(gone))) => dropped += gone.records,
            Some(Incoming::Event(_)) => {}
            None if left.is_zero() || is_recording => break,
            None => {}
        }
    }
    live.call(attach, Unfollow { agent })?;
    let answer = Answer::default()
        .with("agent", asked.agent)
        .with("records", lines);
    let answer = answer.with_some("more_records", (more > 0).then_some(more));
    Ok(answer.with_some("dropped", (dropped > 0).then_some(dropped)))
}

/// The arguments of `live_set`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveSet {
    /// The agent.
    agent: String,
    /// Values by names: a key of the blackboard, or a property with an `@`.
    values: Map<String, Value>,
}

pub(in super::super) fn set(shared: &Shared, asked: LiveSet) -> Reply {
    let (mut live, attach) = live(shared);
    let agent = live.id(attach, &asked.agent)?;
    let (mut set, mut notes) = (Vec::new(), Vec::new());
    for (name, value) in asked.values {
        let agent = agent.clone();
        let done = match name.strip_prefix('@') {
            Some(property) => {
                let property = property.to_owned();
                live.call(
                    attach,
                    SetProperty {
                        agent,
                        property,
                        value,
                    },
                )
                .map(drop)
            }
            None => {
                let key = name.strip_prefix('$').unwrap_or(&name).to_owned();
                let client = live.client(attach)?;
                let note = live::key_note(client, &agent, &key);
                let note = note.map_err(|error| Refused::from(error).with("set_before", &set))?;
                notes.extend(note);
                live.call(attach, SetKey { agent, key, value }).map(drop)
            }
        };
        done.map_err(|refused| refused.with("set_before", &set))?;
        set.push(name);
    }
    let answer = Answer::default()
        .with("agent", asked.agent)
        .with("set", set);
    match notes.is_empty() {
        true => Ok(answer),
        false => Ok(answer.with("notes", notes)),
    }
}

/// The arguments of `live_fire`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveFire {
    /// The agent.
    agent: String,
    /// The event.
    event: String,
    /// Its parameters.
    #[serde(default)]
    params: BTreeMap<String, Value>,
}

pub(in super::super) fn fire(shared: &Shared, asked: LiveFire) -> Reply {
    let (mut live, attach) = live(shared);
    let agent = live.id(attach, &asked.agent)?;
    let fire = Fire {
        agent,
        event: asked.event.clone(),
        params: asked.params,
    };
    live.call(attach, fire)?;
    Ok(Answer::default()
        .with("agent", asked.agent)
        .with("fired", asked.event))
}

/// The arguments of `live_step`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveStep {
    /// The agent.
    agent: String,
    /// `stop`, `continue`, `record`, `into`, `over`, `out`, `poll`, or `TREE:IDX`: until that node is entered.
    step: String,
}

pub(in super::super) fn step(shared: &Shared, asked: LiveStep) -> Reply {
    let (mut live, attach) = live(shared);
    let id = live.id(attach, &asked.agent)?;
    if asked.step == "stop" {
        live.call(attach, Break { agent: id.clone() })?;
    } else {
        let stops = live.call(attach, ListStops {})?.stops;
        let stop = stops.iter().find(|stop| stop.agent == id);
        let stop = stop.ok_or_else(|| {
            let why = format!("`{}` is not stopped", asked.agent);
            Refused::new(Code::Refused, why, "stop it first with the step `stop`")
        })?;
        let step = live::step_of(stop, &asked.step)?;
        live.call(attach, step)?;
    }
    // It stops in the game's next poll, or the one after.
    let until = Instant::now() + Duration::from_millis(500);
    let stop = loop {
        let stops = live.call(attach, ListStops {})?.stops;
        let stop = stops.into_iter().find(|stop| stop.agent == id);
        if stop.is_some() || asked.step == "continue" || Instant::now() > until {
            break stop;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let answer = Answer::default().with("agent", &asked.agent);
    Ok(match stop {
        Some(stop) => answer.with("stopped", live::stopped(&asked.agent, &stop)),
        None => answer.note("it runs"),
    })
}

/// The arguments of `live_reload`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveReload {
    /// The trees, by their paths below the folder.
    trees: Vec<String>,
    /// True to look for problems only.
    #[serde(default)]
    check: bool,
}

pub(in super::super) fn reload(shared: &Shared, asked: LiveReload) -> Reply {
    let mut trees = BTreeMap::new();
    for name in &asked.trees {
        let text = shared.project.tree(name)?;
        trees.insert(text.name, text.text);
    }
    let (mut live, attach) = live(shared);
    let checked: Checked = match asked.check {
        true => live.call(attach, CheckTrees { trees })?,
        false => live.call(attach, ReloadTrees { trees })?,
    };
    if checked.problems.is_empty() {
        let answer = Answer::default().with("agents_that_move", checked.moved);
        return Ok(answer.note(if asked.check {
            "nothing is wrong"
        } else {
            "reloaded"
        }));
    }
    let problems = checked.problems.iter().take(20);
    let refused = Refused::new(
        Code::Invalid,
        "the trees stay as they are",
        "put what `problems` says right first",
    );
    Err(refused.with("problems", problems.collect::<Vec<_>>()))
}
