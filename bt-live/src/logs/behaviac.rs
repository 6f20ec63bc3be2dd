//! The log of behaviac's designer.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

use bt_core::kinds::Kind;
use bt_core::text::OneLine;
use bt_core::trace::{Leave, Output, Place, Record, Role, Tracer, What};
use serde_json::Value;

/// Writes what one agent does as behaviac logs it (seed document 4, 5.4; S4-G01, S4-G02, S4-G04):
///
/// ```text
/// [4/23/2014 12:01:12 PM][frame]7
/// [4/23/2014 12:01:12 PM][tick]test_ns::Wolf#wolf_7 hunt.json->Sequence[1]:enter [success] [2]
/// [4/23/2014 12:01:12 PM][property]test_ns::Wolf#wolf_7 bool par_alive->False
/// ```
///
/// A poll with lines is a frame. `#` is a `_` in the names of class and instance, which it stands between. A node that is entered
/// is updated at once; an action that is called again is updated again. The
/// number at the end says the how-manieth run of the node that is, since the log began. A root is
/// `BehaviorTree[-1]`; other nodes have the names of behaviac's classes where there is one, and the
/// numbers of their file. A node that is aborted exits with a failure. An unset key is `void … ->null`.
///
/// Keys and the agent's properties are written alike; of a snapshot all are. The first record is one. The time is the record's, counted from [`starting_at`](BehaviacLog::starting_at): no clock is read.
pub struct BehaviacLog<W> {
    ticks: Output<W>,
    /// For information, warnings and errors.
    messages: Option<Output<Box<dyn Write + Send>>>,
    /// "Class#Instance".
    who: Box<str>,
    start: u64,
    only: Option<Filter>,
    /// By tree and `idx`.
    counts: HashMap<Box<str>, HashMap<u32, Count>>,
    line: String,
    /// The poll of the last line.
    frame: Option<u32>,
}

type Filter = Box<dyn FnMut(&Record<'_>) -> bool + Send>;

/// The number of times that a node was entered.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    entries: u64,
    /// Its update is logged, and its call has yet to come.
    is_logged: bool,
}

impl<W: Write> BehaviacLog<W> {
    /// Of the agent of that class, by its full name (`test_ns::Wolf`), and of its own name. What it
    /// writes to should be buffered.
    pub fn new(to: W, class: &str, instance: &str) -> BehaviacLog<W> {
        BehaviacLog {
            ticks: Output::new(to),
            messages: None,
            who: [class, instance]
                .map(|name| OneLine(name).to_string().replace('#', "_"))
                .join("#")
                .into(),
            start: 0,
            only: None,
            counts: HashMap::default(),
            line: String::new(),
            frame: None,
        }
    }

    /// With the time where the host's clock begins: milliseconds since 1970, in the time zone that the
    /// log is to have; 0 otherwise.
    pub fn starting_at(mut self, ms: u64) -> BehaviacLog<W> {
        self.start = ms;
        self
    }

    /// With another file, for what is not the course of trees (S4-G03): `[info]` what the host asked for,
    /// trees that are switched and notes, `[warning]` events that nobody took, `[error]` what went wrong.
    pub fn messages(mut self, to: impl Write + Send + 'static) -> BehaviacLog<W> {
        self.messages = Some(Output::new(Box::new(to)));
        self
    }

    /// Writes lines of those records only (S4-G03). Runs are counted all the same.
    pub fn only(mut self, filter: impl FnMut(&Record<'_>) -> bool + Send + 'static) -> Self {
        self.only = Some(Box::new(filter));
        self
    }

    /// Flushes after each line (S4-G03), for who follows the file.
    pub fn flushing(mut self) -> BehaviacLog<W> {
        self.ticks.flushing();
        if let Some(messages) = &mut self.messages {
            messages.flushing();
        }
        self
    }

    /// The error that ended the lines of one of the files.
    pub fn error(&self) -> Option<&io::Error> {
        let of_messages = self.messages.as_ref().and_then(Output::error);
        self.ticks.error().or(of_messages)
    }

    /// Returns the writer, with all that is buffered written.
    ///
    /// # Errors
    /// Of the first write of either file that failed.
    pub fn finish(self) -> io::Result<W> {
        if let Some(messages) = self.messages {
            messages.finish()?;
        }
        self.ticks.finish()
    }

    fn head(&mut self, record: &Record<'_>, sort: &str) {
        let time = Stamp(self.start.saturating_add(record.ns / 1_000_000));
        let who = &self.who;
        self.line.clear();
        let _ = write!(self.line, "[{time}][{sort}]{who} ");
    }

    /// A `String` takes all that is written.
    fn push(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.line.write_fmt(text);
    }

    fn tick(&mut self, record: &Record<'_>, place: &Place<'_>, act: &str, status: &str) {
        self.frame(record);
        let count = self.count_of(place.tree(), place.idx()).entries.max(1);
        self.head(record, "tick");
        let (tree, class) = (OneLine(place.tree()), class_of(place.kind()));
        match class {
            Some("BehaviorTree") => self.push(format_args!("{tree}->BehaviorTree[-1]")),
            Some(class) => self.push(format_args!("{tree}->{class}[{}]", place.idx())),
            None => {
                let class = Pascal(place.kind());
                self.push(format_args!("{tree}->{class}[{}]", place.idx()));
            }
        }
        self.push(format_args!(":{act} [{status}] [{count}]\n"));
        self.ticks.write(self.line.as_bytes());
    }

    /// Begins the poll of a record.
    fn frame(&mut self, record: &Record<'_>) {
        if self.frame == Some(record.poll) {
            return;
        }
        self.frame = Some(record.poll);
        let time = Stamp(self.start.saturating_add(record.ns / 1_000_000));
        let line = format!("[{time}][frame]{}\n", record.poll);
        self.ticks.write(line.as_bytes());
    }

    fn property(&mut self, record: &Record<'_>, key: &str, value: &Value) {
        self.frame(record);
        self.head(record, "property");
        let (of, key, value) = (TypeOf(value), OneLine(key), Plain(value));
        self.push(format_args!("{of} {key}->{value}\n"));
        self.ticks.write(self.line.as_bytes());
    }

    fn message(&mut self, record: &Record<'_>, sort: &str, text: fmt::Arguments<'_>) {
        if self.messages.is_none() {
            return;
        }
        self.head(record, sort);
        if let Some(place) = &record.at {
            self.push(format_args!("{}: ", OneLine(place)));
        }
        self.push(format_args!("{}\n", OneLine(text)));
        if let Some(messages) = &mut self.messages {
            messages.write(self.line.as_bytes());
        }
    }

    fn count_of(&mut self, tree: &str, idx: u32) -> &mut Count {
        let counts = self.counts.entry(tree.into()).or_default();
        counts.entry(idx).or_default()
    }

    /// Counts the run of a node; whether the record is an update of its own.
    fn count(&mut self, record: &Record<'_>) -> bool {
        let Some(place) = &record.at else {
            return false;
        };
        if let What::NodeEnter = record.what {
            let count = self.count_of(place.tree(), place.idx());
            count.entries += 1;
            count.is_logged = true;
        } else if let What::NodeAction { role, .. } = record.what
            && !matches!(role, Role::Effect | Role::Service)
        {
            let count = self.count_of(place.tree(), place.idx());
            return !std::mem::take(&mut count.is_logged);
        }
        false
    }
}

impl<W: Write + Send + 'static> Tracer for BehaviacLog<W> {
    fn record(&mut self, record: &Record<'_>) {
        let is_updated = self.count(record);
        if let Some(only) = &mut self.only
            && !only(record)
        {
            return;
        }
        match (&record.what, &record.at) {
            (What::NodeEnter, Some(place)) => {
                self.tick(record, place, "enter", "success");
                self.tick(record, place, "update", "running");
            }
            (What::NodeAction { .. }, Some(place)) if is_updated => {
                self.tick(record, place, "update", "running");
            }
            (What::NodeLeave { result, .. }, Some(place)) => {
                let status = match result {
                    Leave::Success => "success",
                    Leave::Failure | Leave::Aborted => "failure",
                };
                self.tick(record, place, "exit", status);
            }
            (What::Snapshot(scene), _) => {
                let picture = scene.picture();
                for (name, value) in picture.properties.iter().chain(&picture.blackboard) {
                    self.property(record, name, value);
                }
            }
            (What::BbSet { key, value }, _) => self.property(record, key, value),
            (What::PropertySet { property, value }, _) => self.property(record, property, value),
            (What::BbRemove { key }, _) => self.property(record, key, &Value::Null),
            (What::Control { asked }, _) => {
                let asked = serde_json::to_value(asked).unwrap_or_default();
                self.message(record, "info", format_args!("{}", Plain(&asked)));
            }
            (What::TreeSwitched { from, to, .. }, _) => {
                self.message(record, "info", format_args!("`{from}` gives way to `{to}`"));
            }
            (What::Note { note, value }, _) => {
                self.message(record, "info", format_args!("{note}: {value}"));
            }
            (What::EventDropped { event }, _) => {
                let text = format_args!("nobody took the event `{event}`");
                self.message(record, "warning", text);
            }
            (What::Diagnostic { message }, _) => {
                self.message(record, "error", format_args!("{message}"));
            }
            (
                What::PollBegin
                | What::PushTree { .. }
                | What::NodeEnter
                | What::NodeLeave { .. }
                | What::NodeAction { .. }
                | What::BbClear
                | What::Reset
                | What::Guard { .. }
                | What::Because { .. }
                | What::Waits(_)
                | What::Woken { .. }
                | What::EventFired { .. }
                | What::EventConsumed { .. }
                | What::EventKept { .. }
                | What::Stands(_)
                | What::Explains { .. }
                | What::Reload { .. },
                _,
            ) => {}
            _ => {}
        }
    }
}

impl<W> fmt::Debug for BehaviacLog<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BehaviacLog")
            .field("who", &self.who)
            .finish_non_exhaustive()
    }
}

/// The name of behaviac's class for a kind of node, where it has one.
fn class_of(kind: &str) -> Option<&'static str> {
    Kind::named(kind)?.about().behaviac
}

/// `if_else` as `IfElse`.
struct Pascal<'a>(&'a str);

impl fmt::Display for Pascal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for word in self.0.split('_') {
            let mut letters = word.chars();
            if let Some(first) = letters.next() {
                f.write_char(first.to_ascii_uppercase())?;
            }
            f.write_str(letters.as_str())?;
        }
        Ok(())
    }
}

/// behaviac's word for the type of a value, as its log has it.
struct TypeOf<'a>(&'a Value);

impl fmt::Display for TypeOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Value::Null => "void",
            Value::Bool(_) => "bool",
            Value::Number(number) => match number.as_i64() {
                Some(small) if i32::try_from(small).is_ok() => "int",
                Some(_) => "long",
                None if number.is_u64() => "unsigned long",
                None => "double",
            },
            Value::String(_) => "string",
            Value::Array(items) => match items.first() {
                Some(first) => return write!(f, "vector<{}>", TypeOf(first)),
                None => "vector",
            },
            Value::Object(_) => "struct",
        })
    }
}

/// A value as behaviac's log has it.
struct Plain<'a>(&'a Value);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Bool(true) => f.write_str("True"),
            Value::Bool(false) => f.write_str("False"),
            Value::String(text) => write!(f, "{}", OneLine(text)),
            other => write!(f, "{other}"),
        }
    }
}

/// A time in milliseconds since 1970 as `4/23/2014 12:01:12 PM`.
struct Stamp(u64);

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        // Howard Hinnant, "chrono-compatible low-level date algorithms": years begin in March.
        let days = seconds / 86_400 + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year + u64::from(month <= 2);
        let (minutes, hour) = (seconds / 60 % 60, seconds / 3600 % 24);
        let (half, hour) = (if hour < 12 { "AM" } else { "PM" }, (hour + 11) % 12 + 1);
        let seconds = seconds % 60;
        write!(
            f,
            "{month}/{day}/{year} {hour}:{minutes:02}:{seconds:02} {half}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn times_are_written_as_the_fourth_seed_document_prints_them() {
        let at = |seconds: u64| Stamp(seconds * 1000).to_string();
        assert_eq!(at(1_398_254_472), "4/23/2014 12:01:12 PM");
        assert_eq!(at(0), "1/1/1970 12:00:00 AM");
        assert_eq!(at(951_782_399 + 3600), "2/29/2000 12:59:59 AM");
        assert_eq!(at(4_107_542_399), "2/28/2100 11:59:59 PM");
        assert_eq!(at(4_107_542_400), "3/1/2100 12:00:00 AM");
        assert_eq!(Stamp(u64::MAX).to_string().matches('/').count(), 2);
    }
}
