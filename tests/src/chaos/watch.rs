//! The agent's view of its runner, and the rules that it finds broken.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::Exit;

/// Shared by the agent, its guards and the host.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch(Arc<Mutex<Inner>>);

/// An event that has to happen before anything else may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Goal {
    /// A tree begins: that of this name, or any.
    Begin(Option<&'static str>),
    /// Nothing runs any more.
    Rest,
}

/// The rank of a request: despawn outranks the host, the host the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// An action, or what else a tree calls.
    Tree,
    /// `stop`, `load` and `reset` of the runner.
    Host,
    /// The last stop.
    Despawn,
}

#[derive(Debug, Default)]
struct Inner {
    lines: Option<Vec<String>>,
    faults: Vec<String>,
    /// The number of guards.
    live: i64,
    /// The number of guards that leaves hold, by name.
    open: BTreeMap<String, i64>,
    /// The number of a leaf's calls that are cancelling, by name.
    cancelling: BTreeMap<String, i64>,
    /// An exit method was called, and its guard has yet to drop.
    exited: Option<Exit>,
    /// The leaf whose guards are being dropped.
    dropping: Option<String>,
    goal: Option<(Rank, Goal)>,
    paused: bool,
    /// It moves to changed trees.
    moves: bool,
    /// The runner is dropped: guards drop without exits.
    closing: bool,
    calls: u64,
    /// The number of times that something was called, where that matters.
    counts: BTreeMap<(String, super::When), u32>,
}

impl Watch {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps all lines, for people.
    pub(super) fn keep_lines(&self) {
        self.inner().lines = Some(Vec::new());
    }

    /// Writes a line.
    pub(super) fn note(&self, line: impl FnOnce() -> String) {
        let mut inner = self.inner();
        if let Some(lines) = &mut inner.lines {
            lines.push(line());
        }
    }

    /// All lines.
    pub(super) fn lines(&self) -> Vec<String> {
        self.inner().lines.clone().unwrap_or_default()
    }

    /// The first fault.
    pub(super) fn fault(&self) -> Option<String> {
        self.inner().faults.first().cloned()
    }

    /// A rule is broken.
    pub(super) fn blame(&self, fault: String) {
        self.inner().blame(fault);
    }

    /// The number of guards.
    pub(super) fn live(&self) -> i64 {
        self.inner().live
    }

    /// Leaves that have guards.
    pub(super) fn open(&self) -> Vec<String> {
        let inner = self.inner();
        let open = inner.open.iter().filter(|(_, count)| **count != 0);
        open.map(|(name, count)| format!("{name} x{count}"))
            .collect()
    }

    /// The number of times that this was called, this time included.
    pub(super) fn count(&self, who: &str, when: super::When) -> u32 {
        let mut inner = self.inner();
        let count = inner.counts.entry((who.to_owned(), when)).or_default();
        *count += 1;
        *count
    }

    pub(super) fn calls(&self) -> u64 {
        self.inner().calls
    }

    /// Somebody asks for something: the higher rank counts, among equals the later.
    pub(super) fn request(&self, rank: Rank, goal: Goal) {
        let mut inner = self.inner();
        if inner.goal.as_ref().is_none_or(|(of, _)| *of <= rank) {
            inner.goal = Some((rank, goal));
        }
    }

    /// The event that has to happen first.
    pub(super) fn goal(&self) -> Option<Goal> {
        self.inner().goal.as_ref().map(|(_, goal)| goal.clone())
    }

    /// The host started it: what rests begins.
    pub(super) fn started(&self) {
        let mut inner = self.inner();
        if let Some((Rank::Tree | Rank::Host, Goal::Rest)) = inner.goal {
            inner.goal = Some((Rank::Host, Goal::Begin(None)));
        }
    }

    pub(super) fn pause(&self, paused: bool) {
        self.inner().paused = paused;
    }

    /// It is to move to changed trees, or has. That is one step: what its exits request comes after it.
    pub(super) fn moves(&self, moves: bool) {
        self.inner().moves = moves;
    }

    pub(super) fn close(&self) {
        self.inner().closing = true;
    }

    /// A tree begins.
    pub(super) fn begin(&self, tree: &str) {
        let mut inner = self.inner();
        inner.is_called(|| format!("begin {tree}"));
        match inner.goal.take() {
            Some((_, Goal::Begin(Some(wanted)))) if wanted != tree => {
                inner.blame(format!("`{tree}` begins in place of `{wanted}`"));
            }
            Some((rank, Goal::Rest)) => {
                inner.blame(format!("`{tree}` begins after a stop"));
                inner.goal = Some((rank, Goal::Rest));
            }
            Some((_, Goal::Begin(_))) | None => {}
        }
    }

    /// Something is called that may not be called while a request waits.
    pub(super) fn called(&self, what: &str, name: &str) {
        let mut inner = self.inner();
        inner.is_called(|| format!("{what} {name}"));
        if let Some((rank, goal)) = &inner.goal
            && !(inner.moves && *rank == Rank::Tree)
        {
            let fault = format!("{what} `{name}` while {goal:?} of {rank:?} waits");
            inner.blame(fault);
        }
    }

    /// A guard of a leaf's call.
    pub(super) fn guard(&self, name: &str, is_slow: bool, panics: bool) -> Guard {
        let mut inner = self.inner();
        inner.no_exit_waits();
        inner.live += 1;
        *inner.open.entry(name.to_owned()).or_default() += 1;
        Guard {
            name: name.to_owned(),
            is_slow,
            panics,
            watch: self.clone(),
        }
    }

    /// Another guard, which is counted only.
    pub(super) fn extra(&self, panics: bool) -> Extra {
        self.inner().live += 1;
        Extra {
            panics,
            watch: self.clone(),
        }
    }

    /// The exit method of the leaf whose guard drops next was called.
    pub(super) fn exit(&self, name: &str, exit: Exit) {
        let mut inner = self.inner();
        if let Some(lines) = &mut inner.lines {
            lines.push(format!("exit {name} {exit:?}"));
        }
        inner.no_exit_waits();
        inner.exited = Some(exit);
    }

    /// The exit method of a leaf answers that it is still cancelling.
    pub(super) fn cancels(&self, name: &str) {
        let mut inner = self.inner();
        if let Some(lines) = &mut inner.lines {
            lines.push(format!("cancel {name}"));
        }
        inner.no_exit_waits();
        let open = inner.open.get(name).copied().unwrap_or(0);
        let cancelling = inner.cancelling.entry(name.to_owned()).or_default();
        *cancelling += 1;
        if *cancelling > open {
            inner.blame(format!("`{name}` is aborted, but not active"));
        }
    }
}

impl Inner {
    fn blame(&mut self, fault: String) {
        if let Some(lines) = &mut self.lines {
            lines.push(format!("FAULT {fault}"));
        }
        if self.faults.len() < 8 {
            self.faults.push(fault);
        }
    }

    fn is_called(&mut self, line: impl FnOnce() -> String) {
        self.calls += 1;
        self.no_exit_waits();
        if let Some(lines) = &mut self.lines {
            lines.push(line());
        }
        if self.paused {
            self.blame("something is called while it is paused".to_owned());
        }
    }

    fn no_exit_waits(&mut self) {
        self.dropping = None;
        if let Some(exit) = self.exited.take() {
            self.blame(format!("an exit ({exit:?}) whose guard did not drop"));
        }
    }

    fn dropped(&mut self, name: &str, is_slow: bool) {
        self.live -= 1;
        let open = self.open.entry(name.to_owned()).or_default();
        *open -= 1;
        let is_last = *open == 0;
        if self.closing || self.dropping.as_deref() == Some(name) {
            return;
        }
        if self.exited.take().is_some() {
            self.dropping = Some(name.to_owned());
            return;
        }
        let cancelling = self.cancelling.entry(name.to_owned()).or_default();
        if is_slow && *cancelling > 0 {
            *cancelling -= 1;
            return;
        }
        let last = if is_last { " last" } else { "" };
        self.blame(format!(
            "the{last} guard of `{name}` dropped without an exit"
        ));
    }
}

/// Lives as long as a call of a leaf.
#[derive(Debug)]
pub(super) struct Guard {
    name: String,
    is_slow: bool,
    panics: bool,
    watch: Watch,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.watch.note(|| format!("drop {}", self.name));
        self.watch.inner().dropped(&self.name, self.is_slow);
        fall(&self.watch, self.panics);
    }
}

/// Lives as long as a call of a leaf, and is counted only.
#[derive(Debug)]
pub(super) struct Extra {
    panics: bool,
    watch: Watch,
}

impl Drop for Extra {
    fn drop(&mut self) {
        self.watch.inner().live -= 1;
        fall(&self.watch, self.panics);
    }
}

/// Panics, but where that would end the process: nothing is to drop while another one's panic goes by.
fn fall(watch: &Watch, panics: bool) {
    if std::thread::panicking() {
        watch.blame("a guard drops while another panic goes by".to_owned());
    } else if panics {
        std::panic::resume_unwind(Box::new("a guard panics".to_owned()));
    }
}
