//! The reasons for which a node waits, and those that end the wait, in words.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::text;

/// The reasons for which a node waits; any of them ends the wait.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(expecting = "an object of what a node waits for")]
#[non_exhaustive]
pub struct Wait<'a> {
    /// Since when, in nanoseconds of the host's clock.
    pub since: u64,
    /// A time, in nanoseconds of the host's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The poll of that number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_poll: Option<u32>,
    /// Events.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub(crate) events: Names<'a>,
    /// A completion that somebody holds.
    #[serde(default, skip_serializing_if = "is_false")]
    pub completion: bool,
    /// It is called again in each poll.
    #[serde(default, skip_serializing_if = "is_false")]
    pub polled: bool,
    /// It is entered, or continues, in the next poll. Each such poll reports it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub due: bool,
    /// It was aborted, and its clean-up takes its time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cancelling: bool,
    /// True if its wait has ended, and that is held until its suspended tree continues.
    #[serde(default, skip_serializing_if = "is_false")]
    pub held: bool,
    /// The way in which it continues in the next poll, if the agent was restored and has not been polled
    /// since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on: Option<Resumption<'a>>,
}

/// The way in which an action of a restored agent continues, where it does not do so by itself: see
/// [`Runner::restore`](crate::Runner::restore).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "how an action resumes")]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[doc(hidden)]
pub enum Resumption<'a> {
    /// It is called anew.
    Anew,
    /// Its resume method is called, the one of that name.
    Resume(Cow<'a, str>),
    /// It was cancelling, and counts as cancelled.
    Cancelled,
}

impl Wait<'_> {
    /// The names of the events that end the wait.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.events.iter()
    }

    /// Returns true if anything that it waits for can end the wait. What is above the node still can, and
    /// [`Runner::finish`](crate::Runner::finish).
    pub fn can_end(&self) -> bool {
        self.until.is_some()
            || self.until_poll.is_some()
            || !self.events.is_empty()
            || self.completion
            || self.polled
            || self.due
            || self.held
            || self.goes_on.is_some()
    }

    pub(crate) fn into_owned(self) -> Wait<'static> {
        let owned = |name: Cow<'_, str>| Cow::Owned(name.into_owned());
        Wait {
            events: Names {
                first: self.events.first.map(owned),
                more: self.events.more.into_iter().map(owned).collect(),
            },
            goes_on: self.goes_on.map(|how| match how {
                Resumption::Anew => Resumption::Anew,
                Resumption::Resume(method) => Resumption::Resume(owned(method)),
                Resumption::Cancelled => Resumption::Cancelled,
            }),
            ..self
        }
    }
}

/// Names, of which there is mostly one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Names<'a> {
    first: Option<Cow<'a, str>>,
    more: Vec<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    pub(crate) fn push(&mut self, name: Cow<'a, str>) {
        match self.first {
            None => self.first = Some(name),
            Some(_) => self.more.push(name),
        }
    }

    fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.first.iter().chain(&self.more).map(|name| &**name)
    }
}

impl Serialize for Names<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Names<'_> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut names = Names::default();
        for name in Vec::<String>::deserialize(deserializer)? {
            names.push(name.into());
        }
        Ok(names)
    }
}

/// A time that the clock never reaches: what waits for it waits for ever.
const NEVER: u64 = u64::MAX - 1;

/// Returns true if that is a time that never comes.
pub(crate) fn is_never(time: u64) -> bool {
    time >= NEVER
}

/// Returns true if a duration has no end: it is more than half of what the clock counts.
pub(crate) fn is_endless(long: u64) -> bool {
    long > NEVER / 2
}

/// A time or how long: "12 s", "1.5 s", to the millisecond; and a time that never comes.
pub(crate) struct Seconds(pub(crate) u64);

impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => return f.write_str("0 s"),
            1..500_000 => return f.write_str("less than 1 ms"),
            never if is_never(never) => return f.write_str("the end of time"),
            _ => {}
        }
        let millis = self.0.saturating_add(500_000) / 1_000_000;
        let (whole, part) = (millis / 1000, millis % 1000);
        if part == 0 {
            return write!(f, "{whole} s");
        }
        let part = format!("{part:03}");
        write!(f, "{whole}.{} s", part.trim_end_matches('0'))
    }
}

/// The causes that end a wait, one line each; `time` displays a time.
pub(crate) fn wakes(wait: &Wait<'_>, time: impl Fn(u64) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    if wait.held {
        lines.push("until its tree resumes: what it waited for has arrived".to_owned());
    }
    match &wait.goes_on {
        // What it asked for before is gone.
        Some(Resumption::Anew) => return vec!["it is called anew in the next poll".to_owned()],
        Some(Resumption::Cancelled) => {
            return vec![
                "the next poll treats it as cancelled: its completion was not saved".into(),
            ];
        }
        Some(Resumption::Resume(method)) => {
            let method = text::name(method);
            lines.push(format!(
                "it continues with its resume method `{method}` in the next poll"
            ));
        }
        None => {}
    }
    if let Some(until) = wait.until {
        lines.push(format!("until {}", time(until)));
    }
    if let Some(poll) = wait.until_poll {
        lines.push(format!("until poll {poll}"));
    }
    for event in wait.events() {
        let event = text::name(event);
        lines.push(format!(
            "until event `{event}` comes: fire it at its runner"
        ));
    }
    if wait.completion {
        lines.push("until its `Completion` is finished, by whoever holds it".to_owned());
    }
    if wait.polled {
        lines.push("it is called again in each poll, and has not ended".to_owned());
    }
    if wait.due {
        lines.push("it continues in the next poll".to_owned());
    }
    lines
}

/// "since 10 s, until 15 s or event `heard` comes".
pub(crate) fn in_a_line(wait: &Wait<'_>) -> String {
    let mut text = format!("since {}", Seconds(wait.since));
    let lines = wakes(wait, |until| Seconds(until).to_string());
    for (number, line) in lines.iter().enumerate() {
        let short = line.split([':', ',']).next().unwrap_or_default();
        text += match number {
            0 => ", ",
            _ => " or ",
        };
        text += match number {
            0 => short,
            _ => short.strip_prefix("until ").unwrap_or(short),
        };
    }
    if lines.is_empty() && !wait.cancelling {
        text += ", and it does not end by itself";
    }
    text
}

pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
