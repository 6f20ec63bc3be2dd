//! What went wrong, and what of it is not reported again.

use thin_vec::ThinVec;

use crate::run::diagnostic::Diagnostic;

/// How many diagnostics an agent keeps: the newest.
const MOST: usize = 32;

/// How many events that nobody knows an agent reports.
const UNKNOWN: usize = 8;

/// The diagnostics of an agent.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    diagnostics: ThinVec<Diagnostic>,
    /// Events that nobody knows, and that were reported.
    unknown_events: ThinVec<Box<str>>,
    /// Calls whose endless wait was reported.
    stuck: ThinVec<u32>,
}

impl Reports {
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics).into_iter().collect()
    }

    /// Keeps the newest diagnostics.
    pub(crate) fn keep(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() == MOST {
            self.diagnostics.remove(0);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Notes an event that nobody knows; whether it is to be reported.
    pub(crate) fn is_new_event(&mut self, name: &str) -> bool {
        let is_known = self.unknown_events.iter().any(|known| **known == *name);
        let is_new = !is_known && self.unknown_events.len() < UNKNOWN;
        if is_new {
            self.unknown_events.push(name.into());
        }
        is_new
    }

    pub(crate) fn unknown_events(&self) -> &[Box<str>] {
        &self.unknown_events
    }

    /// Those that were reported before.
    pub(crate) fn restore_events<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        self.unknown_events
            .extend(names.take(UNKNOWN).map(Box::from));
    }

    /// Notes a call whose wait is endless; whether it is to be reported.
    pub(crate) fn is_newly_stuck(&mut self, call: u32) -> bool {
        let is_new = !self.stuck.contains(&call);
        if is_new {
            self.stuck.push(call);
        }
        is_new
    }

    /// The calls whose endless wait was reported.
    pub(crate) fn stuck(&self) -> &[u32] {
        &self.stuck
    }

    pub(crate) fn restore_stuck(&mut self, calls: Vec<u32>) {
        self.stuck.extend(calls);
    }
}
