//! A play, written as a scenario.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use bt_core::registry::catalogue::MethodEntry;
use serde_json::Value;

use super::answer::{Ending, Said};
use super::wanted::{TICK, seconds};

/// The number of calls, and of changes from outside, after which no more are written down.
const MOST: usize = 10_000;

/// The number of different calls that a scenario expects.
const EXPECTED: usize = 50;

/// The record of a play since it began: first values, answers to calls, and changes from outside.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    set: BTreeMap<String, Value>,
    /// The calls of actions that can wait, one after the other.
    calls: Vec<Made>,
    /// The answers of all other methods, by their names: each with the time from which on it stood.
    answers: BTreeMap<String, Vec<(Duration, Said)>>,
    steps: Vec<(Duration, Step)>,
    /// True if there were more calls than are kept.
    is_cut: bool,
}

/// A call of an action that can wait.
#[derive(Debug)]
struct Made {
    node: (String, u32),
    /// As scenarios write it: `walk_to(target: 7)`.
    call: String,
    at: Duration,
    said: Said,
}

/// A change from outside.
#[derive(Debug)]
enum Step {
    Set(String, Value),
    Fire(String, Value),
}

/// The end of a play, as far as it is there.
#[derive(Debug)]
pub(super) struct End {
    /// The time of the last poll.
    pub(super) now: Duration,
    /// The tree's result, if it has ended.
    pub(super) result: Option<bool>,
    /// The nodes that wait: `hunt.json#5`.
    pub(super) active: Vec<String>,
}

/// The facts of a scenario that the play itself does not have.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// The tree, by its path from the scenario's file.
    pub(super) tree: String,
    pub(super) tick: Duration,
    pub(super) seed: u64,
    pub(super) loops: bool,
}

impl Recorder {
    /// A value before the first poll.
    pub(super) fn first(&mut self, name: &str, value: Value) {
        self.set.insert(name.to_owned(), value);
    }

    /// A call of an action that can wait.
    pub(super) fn waits(&mut self, node: (String, u32), call: String, at: Duration, said: Said) {
        if self.calls.len() >= MOST {
            self.is_cut = true;
            return;
        }
        // One that is called again in each poll is one call.
        let again = self.calls.iter_mut().rev().find(|made| made.node == node);
        if let Some(made) = again
            && made.call == call
            && made.said.result == Ending::Running
            && said.result == Ending::Running
        {
            return;
        }
        self.calls.push(Made {
            node,
            call,
            at,
            said,
        });
    }

    /// An action has ended that waited.
    pub(super) fn finishes(&mut self, node: &(String, u32), at: Duration, success: bool) {
        let last = self.calls.iter_mut().rev().find(|made| made.node == *node);
        if let Some(made) = last.filter(|made| made.said.result == Ending::Running) {
            made.said.result = Ending::After(at.saturating_sub(made.at), success);
        }
    }

    /// A call that is answered at once.
    pub(super) fn answers(&mut self, name: &str, at: Duration, said: Said) {
        let all = self.answers.entry(name.to_owned()).or_default();
        let is_full = all.len() >= MOST;
        match all.last_mut() {
            Some((_, last)) if *last == said => {}
            Some((from, last)) if *from == at => *last = said,
            Some(_) if is_full => self.is_cut = true,
            Some(_) | None => all.push((at, said)),
        }
    }

    /// A value that is set before the poll at that time.
    pub(super) fn sets(&mut self, at: Duration, name: &str, value: Value) {
        self.step(at, Step::Set(name.to_owned(), value));
    }

    /// An event that is fired before the poll at that time.
    pub(super) fn fires(&mut self, at: Duration, event: &str, params: Value) {
        self.step(at, Step::Fire(event.to_owned(), params));
    }

    fn step(&mut self, at: Duration, step: Step) {
        match self.steps.len() >= MOST {
            true => self.is_cut = true,
            false => self.steps.push((at, step)),
        }
    }

    /// The scenario.
    pub(super) fn written(&self, head: &Head, end: &End) -> String {
        let mut text = String::new();
        if self.is_cut {
            text += "# The play was longer: only its beginning is here.\n";
        }
        _ = writeln!(text, "tree = {}", string(&head.tree));
        if end.result.is_none() {
            _ = writeln!(text, "until = {}", time(end.now));
        }
        if head.tick != TICK {
            _ = writeln!(text, "tick = {}", time(head.tick));
        }
        if head.seed != 0 {
            _ = writeln!(text, "seed = {}", head.seed);
        }
        if head.loops {
            text += "loop = true\n";
        }
        if !self.set.is_empty() {
            text += "\n[set]\n";
            for (name, value) in &self.set {
                _ = writeln!(text, "{} = {}", string(name), toml(value));
            }
        }
        self.write_answers(&mut text);
        self.write_steps(&mut text);
        self.write_expectations(&mut text, end);
        text
    }

    fn write_answers(&self, text: &mut String) {
        for (name, all) in &self.answers {
            let mut writes: Option<&Said> = None;
            _ = write!(text, "\n[[answer]]\ncall = {}\n", string(name));
            if let [(_, one)] = &all[..] {
                _ = writeln!(text, "result = {}", result(&one.result));
                writes = Some(one);
            } else {
                let times = all.iter();
                let times =
                    times.map(|(at, said)| format!("{} = {}", time(*at), result(&said.result)));
                _ = writeln!(text, "at = {{ {} }}", times.collect::<Vec<_>>().join(", "));
                writes = writes.or_else(|| all.last().map(|(_, said)| said));
            }
            write_writes(text, writes);
        }
        let mut calls: BTreeMap<&str, Vec<&Said>> = BTreeMap::new();
        for made in &self.calls {
            calls.entry(&made.call).or_default().push(&made.said);
        }
        for (call, mut all) in calls {
            let last = all.last().copied();
            // The last one repeats.
            while all.len() > 1 && all[all.len() - 1].result == all[all.len() - 2].result {
                all.pop();
            }
            _ = write!(text, "\n[[answer]]\ncall = {}\n", string(call));
            match &all[..] {
                [one] => match &one.result {
                    Ending::Running => *text += "running = true\n",
                    Ending::After(after, success) => {
                        _ = write!(text, "after = {}\nresult = {success}\n", time(*after));
                    }
                    other => _ = writeln!(text, "result = {}", result(other)),
                },
                all => {
                    let each = all.iter().map(|said| result(&said.result));
                    _ = writeln!(text, "each = [{}]", each.collect::<Vec<_>>().join(", "));
                }
            }
            write_writes(text, last);
        }
    }

    fn write_steps(&self, text: &mut String) {
        for (at, step) in &self.steps {
            _ = write!(text, "\n[[step]]\nat = {}\n", time(*at));
            _ = match step {
                Step::Set(name, value) => {
                    writeln!(text, "set = {{ {} = {} }}", string(name), toml(value))
                }
                Step::Fire(event, Value::Null) => {
                    writeln!(text, "fire = {{ event = {} }}", string(event))
                }
                Step::Fire(event, params) => {
                    let event = string(event);
                    writeln!(
                        text,
                        "fire = {{ event = {event}, params = {} }}",
                        toml(params)
                    )
                }
            };
        }
    }

    fn write_expectations(&self, text: &mut String, end: &End) {
        let mut known = Vec::new();
        for made in &self.calls {
            if known.len() < EXPECTED && !known.contains(&&made.call) {
                known.push(&made.call);
                let (by, call) = (time(made.at), string(&made.call));
                _ = write!(text, "\n[[expect]]\nby = {by}\ncalled = {call}\n");
            }
        }
        let active: Vec<_> = end.active.iter().map(|node| string(node)).collect();
        _ = match (end.result, &active[..]) {
            (Some(true), _) => write!(text, "\n[[expect]]\nat = \"end\"\nresult = \"success\"\n"),
            (Some(false), _) => write!(text, "\n[[expect]]\nat = \"end\"\nresult = \"failure\"\n"),
            (None, []) => Ok(()),
            (None, all) => {
                write!(
                    text,
                    "\n[[expect]]\nat = \"end\"\nactive = [{}]\n",
                    all.join(", ")
                )
            }
        };
    }
}

fn write_writes(text: &mut String, said: Option<&Said>) {
    let Some(said) = said.filter(|said| !said.writes.is_empty()) else {
        return;
    };
    let all = said.writes.iter();
    let all = all.map(|(name, value)| format!("{} = {}", string(name), toml(value)));
    _ = writeln!(
        text,
        "writes = {{ {} }}",
        all.collect::<Vec<_>>().join(", ")
    );
}

/// A call as scenarios write it. Arguments that these cannot write may be anything.
pub(super) fn call(name: &str, method: Option<&MethodEntry>, args: &[Value]) -> String {
    let names = method.map_or(&[][..], |method| &method.args);
    let named = names.iter().zip(args).filter(|(arg, value)| {
        let is_read = arg.ty.in_out.is_none();
        is_read && (value.is_string() || value.is_number() || value.is_boolean())
    });
    let all: Vec<_> = named
        .map(|(arg, value)| format!("{}: {value}", arg.name))
        .collect();
    match all.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", all.join(", ")),
    }
}

fn result(ending: &Ending) -> String {
    match ending {
        Ending::Done(success) => success.to_string(),
        Ending::Failed(_) => "false".to_owned(),
        Ending::Running => "\"running\"".to_owned(),
        Ending::After(after, success) => {
            format!("{{ after = {}, result = {success} }}", time(*after))
        }
        Ending::Run => "\"run\"".to_owned(),
        Ending::RunChild(child) => child.to_string(),
        Ending::Value(value) => toml(value),
    }
}

fn time(time: Duration) -> String {
    string(&seconds(time))
}

/// Text in quotes: the escapes of JSON are those of TOML, which wants one more escaped.
fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// A value in one line. TOML has no null: null parts of an object are omitted.
fn toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(all) => {
            let all = all.iter().map(toml).collect::<Vec<_>>();
            format!("[{}]", all.join(", "))
        }
        Value::Object(all) => {
            let all = all.iter().filter(|(_, value)| !value.is_null());
            let all = all.map(|(name, value)| format!("{} = {}", string(name), toml(value)));
            format!("{{ {} }}", all.collect::<Vec<_>>().join(", "))
        }
    }
}
