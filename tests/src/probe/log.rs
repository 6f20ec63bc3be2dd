//! The log of events, in order, and its contradictions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::Exit;

/// The log of events, shared by the agent, its guards and the test.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    lines: Vec<String>,
    /// The number of times that each leaf was entered and not left yet; of a node with `node ` before its
    /// name.
    open: BTreeMap<String, i64>,
    /// Nodes that have ended and whose exit was not seen yet.
    ended: Vec<String>,
    /// An exit method was called, and its guard has yet to drop.
    exited: Option<Exit>,
    /// The contradictions.
    faults: Vec<String>,
}

impl Log {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line.
    pub fn note(&self, line: impl Into<String>) {
        self.inner().lines.push(line.into());
    }

    /// The lines since this was asked last.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.inner().lines)
    }

    /// The contradictions so far.
    pub fn faults(&self) -> Vec<String> {
        self.inner().faults.clone()
    }

    /// The nodes that were entered and have not exited yet.
    pub fn open(&self) -> Vec<String> {
        let inner = self.inner();
        let open = inner.open.iter().filter(|(_, count)| **count != 0);
        open.map(|(name, _)| name.clone()).collect()
    }

    /// The same, with how often; nodes have `node ` before their names.
    pub fn open_counts(&self) -> BTreeMap<String, i64> {
        let mut open = self.inner().open.clone();
        open.retain(|_, count| *count != 0);
        open
    }

    pub(super) fn enter(&self, name: &str) -> Guard {
        self.note(format!("enter {name}"));
        let mut inner = self.inner();
        inner.no_exit_pends();
        *inner.open.entry(name.to_owned()).or_default() += 1;
        Guard {
            name: name.to_owned(),
            cancels: false,
            log: self.clone(),
        }
    }

    /// The exit method of the leaf whose guard drops next was called.
    pub(super) fn exit(&self, exit: Exit) {
        let mut inner = self.inner();
        inner.no_exit_pends();
        inner.exited = Some(exit);
    }

    /// The exit method of a leaf that takes its time to cancel was called.
    pub(super) fn cancel(&self, name: &str) {
        let mut inner = self.inner();
        inner.no_exit_pends();
        inner.lines.push(format!("exit {name} aborted"));
        if inner.open.get(name).is_none_or(|count| *count <= 0) {
            inner
                .faults
                .push(format!("`{name}` is cancelled, but not active"));
        }
    }

    pub(super) fn node_entered(&self, name: &str) {
        let mut inner = self.inner();
        inner.lines.push(format!("enter {name}"));
        *inner.open.entry(format!("node {name}")).or_default() += 1;
    }

    pub(super) fn node_ended(&self, name: &str, success: bool) {
        let mut inner = self.inner();
        let how = if success { "success" } else { "failure" };
        inner.lines.push(format!("{how} {name}"));
        inner.ended.push(name.to_owned());
    }

    pub(super) fn node_left(&self, name: &str) {
        let mut inner = self.inner();
        inner.lines.push(format!("exit {name}"));
        if inner.ended.pop().as_deref() != Some(name) {
            inner
                .faults
                .push(format!("node `{name}` was left without a result"));
        }
        inner.close(&format!("node {name}"));
    }
}

impl Inner {
    fn close(&mut self, name: &str) {
        let count = self.open.entry(name.to_owned()).or_default();
        *count -= 1;
        if *count < 0 {
            self.faults
                .push(format!("`{name}` was left more often than entered"));
        }
    }

    fn no_exit_pends(&mut self) {
        if let Some(exit) = self.exited.take() {
            self.faults
                .push(format!("an exit ({exit:?}) whose guard did not drop"));
        }
    }

    fn dropped(&mut self, name: &str, cancels: bool) {
        match self.exited.take() {
            Some(exit) => {
                let how = format!("{exit:?}").to_lowercase();
                self.lines.push(format!("exit {name} {how}"));
            }
            None if cancels => self.lines.push(format!("gone {name}")),
            None => self
                .faults
                .push(format!("`{name}` was dropped without an exit")),
        }
        self.lines.push(format!("drop {name}"));
        self.close(name);
    }
}

/// Lives as long as a leaf is active.
#[derive(Debug)]
pub(super) struct Guard {
    name: String,
    /// It may be left long after its exit method was called.
    pub(super) cancels: bool,
    log: Log,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.log.inner().dropped(&self.name, self.cancels);
    }
}

/// Lines in short: see [`Play::brief`](super::Play::brief).
pub fn in_short(lines: &[String]) -> String {
    let words: Vec<_> = lines.iter().filter_map(|line| brief(line)).collect();
    words.join(" ")
}

/// One line in short: `+a`, `~a` for a tick, `a:S`, `a:F`, `a:A`, `a:gone`, `?a`. Drops are left out.
fn brief(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    Some(match words.as_slice() {
        ["drop", _] => return None,
        ["enter", name] => format!("+{name}"),
        ["tick", name] => format!("~{name}"),
        ["gone", name] => format!("{name}:gone"),
        ["ask", name] => format!("?{name}"),
        ["exit", name] => format!("-{name}"),
        ["exit", name, how] => {
            let how = how.chars().next().unwrap_or('?').to_ascii_uppercase();
            format!("{name}:{how}")
        }
        // Of a node, before its exit.
        ["success" | "failure", _] => return None,
        _ => line.to_owned(),
    })
}
