//! The outcome of a scenario.

use std::fmt;

use super::seen::Seen;

/// The outcome of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The scenario's name.
    pub scenario: String,
    /// The expectations that were not met, in the order of their times.
    pub failures: Vec<Failure>,
    /// The number of polls.
    pub polls: u64,
    /// The time of the last poll, in nanoseconds.
    pub time: u64,
    /// The tree's result, if it has ended.
    pub result: Option<bool>,
    /// The events that were seen of each node.
    pub seen: Seen,
    /// The problems of the run, which need not be failures: as of
    /// [`Runner::diagnostics`](crate::Runner::diagnostics).
    pub diagnostics: Vec<String>,
    /// The way it went, if the player [keeps it](crate::scenario::Player::keep_story).
    pub story: Option<Story>,
}

/// The way a scenario went, whether or not something was expected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Story {
    /// The calls, each with its time and its node; the last 1,000.
    pub calls: Vec<String>,
    /// The number of calls before these.
    pub unlisted: usize,
    /// The nodes that are active at the end.
    pub active: Vec<crate::ActiveNode>,
    /// The reasons why the agent waits at the end, a line for each.
    pub why: Vec<String>,
    /// The last lines of the trace.
    pub trace: Vec<String>,
}

/// An expectation that was not met, or a call that nobody answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its line in the scenario's file, from 1.
    pub line: usize,
    /// Its column, from 1, in characters.
    pub column: usize,
    /// The time of the poll after which it was certain, in nanoseconds.
    pub time: u64,
    /// The expectation.
    pub expected: String,
    /// The events that happened instead.
    pub happened: String,
    /// The reasons, a line for each: nodes that were not entered and what refused them, then why the agent waits.
    pub why: Vec<String>,
    /// The last lines of the trace.
    pub trace: Vec<String>,
}

impl Verdict {
    /// Returns true if everything was as expected.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.scenario;
        if self.passed() {
            return writeln!(f, "{name}: passed");
        }
        for failure in &self.failures {
            let (line, column) = (failure.line, failure.column);
            writeln!(f, "{name}:{line}:{column}: {failure}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "expected {}", self.expected)?;
        writeln!(f, "  but {}", self.happened)?;
        for why in &self.why {
            writeln!(f, "  why: {why}")?;
        }
        if !self.trace.is_empty() {
            writeln!(f, "  the last that happened:")?;
        }
        for line in &self.trace {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}
