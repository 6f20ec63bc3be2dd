//! Records in words, for people at a terminal.

use std::fmt;
use std::io::{self, Write};

use serde_json::Value;

use super::Tracer;
use super::output::Output;
use crate::text::{self, OneLine};
use crate::trace::args::Args;
use crate::trace::record::Record;
use crate::trace::wait::{Resumption, Wait, is_never};
use crate::trace::what::{Control, Leave, Role, Switch, VALUE, What, Woken};

/// A record in words, in one line: "  12.500 s  hunt.json: node 3 (action `chase`) is entered".
#[derive(Debug, Clone, Copy)]
pub struct Words<'r>(pub &'r Record<'r>);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.time().as_secs_f64();
        write!(f, "{seconds:>9.3} s  {}", OneLine(Line(self.0)))
    }
}

/// The same, but for the time.
struct Line<'r>(&'r Record<'r>);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match (&self.0.at, &self.0.what) {
            (None, _) | (_, What::PushTree { .. } | What::TreeSwitched { .. }) => None,
            (Some(place), _) => Some(place),
        };
        if let Some(place) = place {
            match place.run() {
                0 => write!(f, "{place} ")?,
                run => write!(f, "{place} in run {run} ")?,
            }
        }
        match &self.0.what {
            What::PollBegin => write!(f, "poll {}", self.0.poll),
            What::Snapshot(scene) => {
                let picture = scene.picture();
                let trees = picture.trees.join("`, `");
                let (keys, active) = (picture.blackboard.len(), picture.active.len());
                let poll = self.0.poll;
                write!(
                    f,
                    "poll {poll}: `{trees}`, keys: {keys}, active nodes: {active}"
                )
            }
            What::PushTree { file } => {
                let run = self.0.at.as_ref().map_or(0, |place| place.run());
                write!(f, "`{file}` begins run {run}")
            }
            What::NodeEnter => f.write_str("is entered"),
            What::NodeLeave { result, by } => match (result, by) {
                (Leave::Success, _) => f.write_str("exits: success"),
                (Leave::Failure, _) => f.write_str("exits: failure"),
                (Leave::Aborted, Some(by)) => write!(f, "exits: aborted by {by}"),
                (Leave::Aborted, None) => f.write_str("exits: aborted"),
            },
            What::NodeAction { call, args, role } => {
                let why = match role {
                    Role::Action => "calls",
                    Role::Condition => "evaluates",
                    Role::Decorator | Role::Composite => "lets decide:",
                    Role::Effect => "has the effect",
                    Role::Service => "is served by",
                    Role::Resume => "resumes with",
                };
                write!(f, "{why} `{call}{}`", InCall(args))
            }
            What::BbSet { key, value } if place.is_some() => write!(f, "sets `{key}` to {value}"),
            What::BbSet { key, value } => write!(f, "`{key}` is set to {value}"),
            What::BbRemove { key } if place.is_some() => write!(f, "unsets `{key}`"),
            What::BbRemove { key } => write!(f, "`{key}` is unset"),
            What::BbClear => f.write_str("the blackboard is cleared"),
            What::PropertySet { property, value } if place.is_some() => {
                write!(f, "changes property `{property}` to {value}")
            }
            What::PropertySet { property, value } => write!(f, "property `{property}` is {value}"),
            What::Reset => f.write_str("the tree starts again from the root in the next poll"),
            What::Guard {
                call,
                args,
                not,
                holds,
                ..
            } => {
                let not = if *not { "not " } else { "" };
                let holds = if *holds { "holds" } else { "does not hold" };
                write!(f, "guard `{not}{call}{}` {holds}", InCall(args))
            }
            What::Because { why } => write!(f, "failed: {why}"),
            What::Waits(wait) => write_wait(f, wait),
            What::Stands(stands) => write!(f, "{stands}"),
            What::Explains { .. } => f.write_str("it explains anew why the agent waits"),
            What::Woken { by } => f.write_str(match by {
                Woken::Timer => "is woken: it is time",
                Woken::Completion(true) => "is woken: it was completed with success",
                Woken::Completion(false) => "is woken: it was completed with failure",
                Woken::CompletionDropped => "is woken: its completion was dropped",
                Woken::Host(true) => "is woken: the host finished it with success",
                Woken::Host(false) => "is woken: the host finished it with failure",
            }),
            What::EventFired { event, params } => {
                let who = if place.is_some() { "" } else { "the host " };
                write!(f, "{who}fires event `{event}`")?;
                let mut separator = ": ";
                for (name, value) in params.iter() {
                    write!(f, "{separator}{name} = {value}")?;
                    separator = ", ";
                }
                Ok(())
            }
            What::EventConsumed { event, .. } => write!(f, "takes event `{event}`"),
            What::EventDropped { event } => write!(f, "nobody takes event `{event}`"),
            What::EventKept { event } => {
                write!(
                    f,
                    "nobody takes event `{event}`: it is kept for the next who waits"
                )
            }
            What::TreeSwitched { from, to, how } => {
                let why = match how {
                    Switch::Load => "loaded",
                    Switch::Transfer => "transferred to",
                    Switch::Event => "an event's tree",
                    Switch::Suspend => "an event's tree, at whose end the other resumes",
                    Switch::Resume => "an event's tree has ended",
                };
                write!(f, "`{to}` runs in place of `{from}`: {why}")?;
                match &self.0.at {
                    Some(by) => write!(f, ", by {by}"),
                    None => Ok(()),
                }
            }
            What::Control { asked } => f.write_str(match asked {
                Control::Start => "the host starts the tree",
                Control::Pause => "the host pauses",
                Control::Resume => "the host resumes",
                Control::Reset => "the host resets the tree",
                Control::Load => "the host loads a tree",
                Control::Stop => "the host stops the tree",
            }),
            What::Reload {
                kept,
                adopted,
                aborted,
                entered,
                ..
            } => write!(
                f,
                "the agent moves to changed trees: kept {}, adopted {}, aborted {}, entered {}",
                kept.len(),
                adopted.len(),
                aborted.len(),
                entered.len()
            ),
            What::Diagnostic { message } => write!(f, "went wrong: {message}"),
            What::Note { note, value } if note == "forced" && place.is_some() => {
                match value.as_str().unwrap_or_default() {
                    "no" => f.write_str("is released"),
                    "disabled" => f.write_str("is disabled by a debugger"),
                    result => write!(f, "is forced to {result} by a debugger"),
                }
            }
            What::Note { note, value } if note == VALUE && place.is_some() => write_value(f, value),
            What::Note { note, value } => write!(f, "notes {note}: {value}"),
        }
    }
}

/// The value of an expression that a node takes, with those of the keys that it reads.
fn write_value(f: &mut fmt::Formatter<'_>, note: &Value) -> fmt::Result {
    let expression = note["expression"].as_str().unwrap_or_default();
    write!(f, "`{}` is {}", text::name(expression), note["value"])?;
    let mut separator = ": ";
    for (key, value) in note["keys"].as_object().into_iter().flatten() {
        match value {
            Value::Null => write!(f, "{separator}`${}` is not set", text::name(key))?,
            value => write!(f, "{separator}`${}` is {value}", text::name(key))?,
        }
        separator = ", ";
    }
    Ok(())
}

fn write_wait(f: &mut fmt::Formatter<'_>, wait: &Wait<'_>) -> fmt::Result {
    f.write_str(match wait.cancelling {
        true => "is cancelling, and waits",
        false => "waits",
    })?;
    let mut link = " for";
    for event in wait.events() {
        write!(f, "{link} event `{event}`")?;
        link = " or";
    }
    if wait.completion {
        write!(f, "{link} its completion")?;
        link = " or";
    }
    if wait.polled {
        write!(f, "{link} its next call")?;
        link = " or";
    }
    if wait.due {
        write!(f, "{link} the next poll")?;
        link = " or";
    }
    if let Some(how) = &wait.goes_on {
        match how {
            Resumption::Anew => write!(f, "{link} its new call")?,
            Resumption::Resume(method) => write!(f, "{link} its resume method `{method}`")?,
            Resumption::Cancelled => write!(f, "{link} its end")?,
        }
        link = " or";
    }
    if wait.held {
        write!(f, "{link} its tree to resume")?;
        link = " or";
    }
    let link = if link == " or" { " or until" } else { " until" };
    if wait.until.is_some_and(is_never) {
        write!(f, "{link} the end of time")?;
    } else if let Some(until) = wait.until {
        write!(f, "{link} {:.3} s", until as f64 / 1e9)?;
    } else if let Some(poll) = wait.until_poll {
        write!(f, "{link} poll {poll}")?;
    }
    Ok(())
}

/// Arguments in parentheses; none where there are none.
struct InCall<'a>(&'a Args<'a>);

/// An argument in words: a property by its name, as trees write it.
fn shown(value: &Value) -> String {
    match value
        .as_object()
        .map(|map| (map.len(), map.get("property")))
    {
        Some((1, Some(Value::String(property)))) => format!("@{property}"),
        _ => value.to_string(),
    }
}

impl fmt::Display for InCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.values();
        if values.is_empty() {
            return Ok(());
        }
        let values: Vec<_> = values.iter().map(shown).collect();
        write!(f, "({})", values.join(", "))
    }
}

/// Writes each record in [words](Words), a line each, as it happens.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::trace::Watch;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("rest", "action_agent", action("nop")));
/// let mut runner = Runner::new(&trees.build()?, "rest")?.tracing(Watch::new(std::io::stderr()));
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO); // prints each step
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Watch<W> {
    to: Output<W>,
    agent: Option<Box<str>>,
    line: Vec<u8>,
}

impl<W: Write> Watch<W> {
    /// To wherever lines go.
    pub fn new(to: W) -> Watch<W> {
        Watch {
            to: Output::new(to),
            agent: None,
            line: Vec::new(),
        }
    }

    /// With the agent's name before each line, where there are more agents than one.
    pub fn of(mut self, agent: impl Into<String>) -> Watch<W> {
        self.agent = Some(agent.into().into());
        self
    }

    /// Flushes after each line, for who looks on.
    pub fn flushing(mut self) -> Watch<W> {
        self.to.flushing();
        self
    }

    /// The error that ended the lines.
    pub fn error(&self) -> Option<&io::Error> {
        self.to.error()
    }

    /// Returns the writer, with all that is buffered written.
    ///
    /// # Errors
    /// Of the first write that failed.
    pub fn finish(self) -> io::Result<W> {
        self.to.finish()
    }
}

impl<W: Write + Send + 'static> Tracer for Watch<W> {
    fn record(&mut self, record: &Record<'_>) {
        if matches!(record.what, What::Explains { .. }) {
            return;
        }
        self.line.clear();
        let words = Words(record);
        let written = match &self.agent {
            Some(agent) => writeln!(self.line, "{}  {words}", OneLine(agent)),
            None => writeln!(self.line, "{words}"),
        };
        match written {
            Ok(()) => self.to.write(&self.line),
            Err(error) => self.to.fail(error),
        }
    }
}
