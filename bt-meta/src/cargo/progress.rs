//! The progress that a person at a terminal sees while cargo works.

use std::env;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read, Write as _, stderr};
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// A function that tells somebody else of it.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// A spinner with cargo's current status; nothing where the error output is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    tell: Option<Tell>,
}

impl Progress {
    /// Shows nothing until there is something to say.
    pub(super) fn new(wanted: bool) -> Self {
        let terminal = wanted && stderr().is_terminal();
        let bar = if terminal {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, tell: None }
    }

    /// Tells another program, and shows nothing.
    pub(super) fn telling(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            bar: ProgressBar::hidden(),
            tell: Some(Arc::new(tell)),
        }
    }

    /// Shows the present step.
    pub(super) fn now(&self, what: &str) {
        say(&self.bar, self.tell.as_ref(), what.to_owned());
    }

    /// Cargo writes to a pipe; what it writes reaches the terminal all the same.
    pub(super) fn keep_colours(&self, cargo: &mut Command) {
        let unsaid = |name| env::var_os(name).is_none_or(|value| value.is_empty());
        if !self.bar.is_hidden() && unsaid("NO_COLOR") && unsaid("CARGO_TERM_COLOR") {
            cargo.env("CARGO_TERM_COLOR", "always");
        }
    }

    /// Shows what comes until there is no more.
    pub(super) fn follow(&self, messages: impl Read + Send + 'static) -> JoinHandle<()> {
        let (bar, tell) = (self.bar.clone(), self.tell.clone());
        std::thread::spawn(move || show(messages, &bar, tell.as_ref()))
    }
}

fn say(bar: &ProgressBar, tell: Option<&Tell>, what: String) {
    if let Some(tell) = tell {
        tell(&what);
    }
    bar.set_message(what);
}

/// Status lines become the spinner's text and are left out where there is none; everything else is
/// shown as it is.
fn show(messages: impl Read, bar: &ProgressBar, tell: Option<&Tell>) {
    let mut messages = BufReader::new(messages);
    let mut line = Vec::new();
    while messages
        .read_until(b'\n', &mut line)
        .is_ok_and(|read| read > 0)
    {
        match status(&String::from_utf8_lossy(&line)) {
            Some(status) => say(bar, tell, status),
            // Nobody is left to tell when our own error output is closed.
            None => bar.suspend(|| drop(stderr().write_all(&line))),
        }
        line.clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The status in one of cargo's lines such as `   Compiling serde v1.0.0`, without colours.
fn status(line: &str) -> Option<String> {
    const VERBS: &[&str] = &[
        "Adding",
        "Blocking",
        "Building",
        "Compiling",
        "Dirty",
        "Downgrading",
        "Downloaded",
        "Downloading",
        "Finished",
        "Fresh",
        "Locking",
        "Removing",
        "Running",
        "Unpacking",
        "Updating",
    ];
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        plain += before;
        rest = escape
            .split_once(|c: char| c.is_ascii_alphabetic())
            .map_or("", |(_, after)| after);
    }
    plain += rest;
    let verb = plain.trim_start().split(' ').next()?;
    // Verbs are aligned to the right, in twelve columns; diagnostics are not.
    let aligned = plain.len() - plain.trim_start().len() + verb.len() == 12;
    (aligned && VERBS.contains(&verb)).then(|| plain.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_status_lines_are_not_taken_for_diagnostics() {
        let expect = Some("Compiling serde v1.0.0".to_owned());
        assert_eq!(status("   Compiling serde v1.0.0\n"), expect);
        let coloured = "\u{1b}[1m\u{1b}[92m   Compiling\u{1b}[0m serde v1.0.0\n";
        assert_eq!(status(coloured), expect);
        for line in [
            "error: no\n",
            "  --> src/lib.rs:1:1\n",
            "Compiling by hand\n",
            "\n",
            "1 | x\n",
        ] {
            assert_eq!(status(line), None, "{line}");
        }
    }
}
