//! Times, arguments, conditions, places and waits in words.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::explain::{CallArgument, Condition};
use crate::text;
use crate::trace::{GoesOn, Place, Wait};

/// How many nodes of a path are shown.
const MOST: usize = 16;

/// The first time that the clock never comes to: what waits for it waits for ever.
const NEVER: u64 = u64::MAX - 1;

/// Whether that is a time that never comes.
pub(crate) fn is_never(time: u64) -> bool {
    time >= NEVER
}

/// How long: what is more than half of what the clock counts has no end.
pub(super) fn is_endless(long: u64) -> bool {
    long > NEVER / 2
}

/// A time or how long: "12 s", "1.5 s", to the millisecond; and a time that never comes.
pub(super) struct Seconds(pub(super) u64);

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

pub(super) fn nanos(time: Duration) -> Seconds {
    Seconds(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

impl Display for CallArgument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.property {
            return write!(f, "property `{name}`");
        }
        if let Some(key) = &self.key {
            write!(f, "key `{}`", text::name(key))?;
            return match &self.value {
                Some(value) => write!(f, " = {}", text::name(&value.to_string())),
                None => f.write_str(", which is not set"),
            };
        }
        let value = self.value.clone().unwrap_or_default().to_string();
        f.write_str(&text::name(&value))
    }
}

pub(super) fn list<T: Display>(items: &[T]) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

/// "`sees`(5, key `range` = 3)", with "not " before it.
impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let not = if self.not { "not " } else { "" };
        write!(f, "{not}`{}`", self.name)?;
        match self.arguments.as_slice() {
            [] => Ok(()),
            arguments => write!(f, "({})", list(arguments)),
        }
    }
}

/// "node 3 (action `chase`)", for what stands in the same tree as what was named before.
pub(super) fn short(node: &Place<'_>) -> String {
    let whole = node.to_string();
    match whole.split_once(": ") {
        Some((_, short)) if !node.tree().contains(": ") => short.to_owned(),
        _ => whole,
    }
}

/// "main: 0 root > 2 sub_tree `trap` > trap: 0 root > 1 sequence", the end of it if it is long.
pub(super) fn path(path: &[Place<'static>]) -> String {
    let from = path.len().saturating_sub(MOST);
    let mut text = String::new();
    let mut run = None;
    for node in &path[from..] {
        text += match (text.is_empty(), from) {
            (true, 0) => "",
            (true, _) => "… > ",
            (false, _) => " > ",
        };
        if run.replace(node.run()) != Some(node.run()) {
            text += &format!("{}: ", node.tree());
        }
        text += &format!("{} {}", node.idx(), node.kind());
        if !node.name().is_empty() {
            text += &format!(" `{}`", node.name());
        }
    }
    text
}

/// What a wait ends with, one line each; `time` says when that is.
pub(super) fn wakes(wait: &Wait<'_>, time: impl Fn(u64) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    if wait.held {
        lines.push("until its tree goes on: what it waited for has come".to_owned());
    }
    match &wait.goes_on {
        // What it asked for before is gone.
        Some(GoesOn::Anew) => return vec!["it is called anew in the next poll".to_owned()],
        Some(GoesOn::Cancelled) => {
            return vec![
                "it counts as cancelled in the next poll: what it waited for is gone".into(),
            ];
        }
        Some(GoesOn::Resume(method)) => {
            let method = text::name(method);
            lines.push(format!(
                "it goes on with its resume method `{method}` in the next poll"
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
        lines.push("it goes on in the next poll".to_owned());
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
