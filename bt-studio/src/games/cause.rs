//! The cause of a key's last write, and the reason why a node failed, was aborted or was not entered.

use bt_live::recording::Recording;

use super::history::History;
use super::index::{Cmd, Ended, Entry, Name};
use super::moment::Active;
use crate::protocol::{Cause, Failure, FindCause, NodeOf, Row};

type File<'f> = Option<&'f mut Recording>;

impl History {
    /// Finds the requested cause.
    pub(super) fn cause(
        &mut self,
        asked: &FindCause,
        mut file: File<'_>,
    ) -> Result<Cause, Failure> {
        let Some(at) = self.clamped(asked.at) else {
            return Ok(Cause {
                text: "no record of the agent has come yet".to_owned(),
                ..Cause::default()
            });
        };
        match (&asked.key, &asked.property, &asked.node) {
            (Some(key), None, None) => self.writer(key, false, at, &mut file),
            (None, Some(property), None) => self.writer(property, true, at, &mut file),
            (None, None, Some(node)) => self.of_node(node, at, &mut file),
            _ => Err(Failure::refused(
                "expected one of `key`, `property` and `node`",
            )),
        }
    }

    /// The record that wrote a key or a property last.
    fn writer(
        &mut self,
        name: &str,
        is_property: bool,
        at: u64,
        file: &mut File<'_>,
    ) -> Result<Cause, Failure> {
        let found = self.names.find(name).and_then(|label| {
            self.last_before(at, |entry| {
                let is_it = entry.label == label;
                match is_property {
                    true => is_it && entry.cmd == Cmd::PropertySet,
                    false if entry.cmd == Cmd::KeysCleared => true,
                    false => is_it && matches!(entry.cmd, Cmd::KeySet | Cmd::KeyRemoved),
                }
            })
        });
        let row = match found {
            Some(no) => self.row(no, file.as_deref_mut())?,
            None => None,
        };
        let what = if is_property { "property" } else { "key" };
        let text = match &row {
            Some(row) => written(row),
            None if self.first > 0 => {
                format!(
                    "{what} `{name}` was not written since record {}, the first that is kept",
                    self.first
                )
            }
            None => format!(
                "{what} `{name}` was not written since the agent is followed: what it holds is from before"
            ),
        };
        Ok(Cause {
            row,
            text,
            ..Cause::default()
        })
    }

    fn last_before(&self, at: u64, is_it: impl Fn(&Entry) -> bool) -> Option<u64> {
        let end = usize::try_from(at + 1 - self.first).ok()?;
        let found = self.entries.range(..end).rposition(is_it)?;
        Some(self.first + found as u64)
    }

    /// The method that made a write: the last call of the node that wrote, right before.
    pub(super) fn caller(&self, write: u64) -> Option<&str> {
        let written = self.entry(write).filter(|entry| entry.is_write())?;
        let before = (self.first..write).rev().filter_map(|no| self.entry(no));
        let call = before
            .take_while(|entry| entry.is_write() || entry.cmd == Cmd::Call)
            .find(|entry| entry.cmd == Cmd::Call)?;
        let is_same = written.is_placed && call.is_of(written.tree, written.idx);
        is_same.then(|| self.names.text(call.label))
    }

    /// The reason why a node failed last, was aborted, or was not entered.
    fn of_node(&mut self, node: &NodeOf, at: u64, file: &mut File<'_>) -> Result<Cause, Failure> {
        let Some(tree) = self.names.find(&node.tree) else {
            return Ok(unseen(node));
        };
        let ended = self.last_before(at, |entry| {
            entry.is_of(tree, node.idx) && self.has_reason(entry)
        });
        let active = self.active_at(at, &node.tree, file.as_deref_mut());
        let active = active.map_err(Failure::refused)?;
        if let Some((began, instead)) = self.passed_over(tree, node, at, &active)
            && ended.is_none_or(|ended| ended < began)
        {
            return self.not_entered(node, instead, file);
        }
        let Some(ended) = ended else {
            return Ok(unseen(node));
        };
        match self.entry(ended).map(|entry| entry.ended) {
            Some(Ended::Failure) => self.failure(ended, file),
            Some(Ended::Aborted) => self.aborted(ended, file),
            // A guard that did not hold, or a debugger, if it did not let go since.
            Some(Ended::Not | Ended::Success | Ended::Somehow) | None => {
                let cause = self.because(ended, Some(ended), Vec::new(), file)?;
                let value = cause.row.as_ref().and_then(|row| row.detail.get("value"));
                Ok(match value.and_then(|value| value.as_str()) {
                    Some("no") => unseen(node),
                    _ => cause,
                })
            }
        }
    }

    /// Returns true if a record says why its node failed, was aborted or was not entered.
    fn has_reason(&self, entry: &Entry) -> bool {
        matches!(entry.ended, Ended::Failure | Ended::Aborted)
            || entry.cmd == Cmd::Guard && entry.refuses
            || self.is_forced(entry)
    }

    /// Returns true if a debugger has forced the node.
    fn is_forced(&self, entry: &Entry) -> bool {
        entry.cmd == Cmd::Note && self.names.find("forced") == Some(entry.label)
    }

    /// The node that ran in the place of another, where one above it was entered since: the record of that
    /// entry, and what ran.
    fn passed_over(
        &self,
        tree: Name,
        node: &NodeOf,
        at: u64,
        active: &[Active],
    ) -> Option<(u64, Instead)> {
        let is_active = |idx: u32| active.iter().find(|it| it.idx == idx);
        let entered = |idx: u32| {
            self.last_before(at, |entry| {
                entry.cmd == Cmd::Enter && entry.is_of(tree, idx)
            })
        };
        let mut child = node.idx;
        for above in &node.above {
            if is_active(child).is_some() {
                return None;
            }
            let others = above.children.iter().filter(|idx| **idx != child);
            let running = others.clone().find_map(|idx| is_active(*idx));
            let last = entered(child);
            let began = entered(above.idx).filter(|began| last.is_none_or(|last| last < *began));
            let began = began.or_else(|| is_active(above.idx).map(|_| self.first));
            if let Some(began) = began {
                let ran = self.last_before(at, |entry| {
                    entry.cmd == Cmd::Exit && others.clone().any(|idx| entry.is_of(tree, *idx))
                });
                let (idx, no, runs) = match (running, ran.filter(|no| *no > began)) {
                    (Some(it), _) => (it.idx, it.no, Some(format!("{} runs", it.words))),
                    (None, Some(no)) => (self.entry(no)?.idx, Some(no), None),
                    (None, None) => return None,
                };
                let mut before = above.children.iter().take_while(|idx| **idx != child);
                let is_before = before.any(|before| *before == idx);
                return Some((
                    began,
                    Instead {
                        no,
                        runs,
                        is_before,
                    },
                ));
            }
            child = above.idx;
        }
        None
    }

    fn not_entered(
        &mut self,
        node: &NodeOf,
        instead: Instead,
        file: &mut File<'_>,
    ) -> Result<Cause, Failure> {
        let row = match instead.no {
            Some(no) => self.row(no, file.as_deref_mut())?,
            None => None,
        };
        let says = instead.runs.or_else(|| Some(row.as_ref()?.text.clone()));
        let place = match instead.is_before {
            true => "before it",
            false => "in its place",
        };
        let NodeOf { tree, idx, .. } = node;
        let says = says.unwrap_or_default();
        Ok(Cause {
            text: format!("{tree}: node {idx} is not entered: {place}, {says}"),
            row,
            ..Cause::default()
        })
    }

    /// The cause of a node's abort, and the record right before it.
    fn aborted(&mut self, exit: u64, file: &mut File<'_>) -> Result<Cause, Failure> {
        let poll = self.poll_of(exit).first.max(self.first);
        let before = (poll..exit).rev().find(|no| {
            self.entry(*no).is_some_and(|entry| {
                entry.cmd == Cmd::Exit && entry.ended != Ended::Aborted
                    || matches!(entry.cmd, Cmd::Guard | Cmd::Woken | Cmd::Event)
            })
        });
        self.because(exit, before, Vec::new(), file)
    }

    /// The leaf by which a node failed, and its reason.
    fn failure(&mut self, failed: u64, file: &mut File<'_>) -> Result<Cause, Failure> {
        let chain = self.chain(failed);
        let leaf = chain.first().copied().unwrap_or(failed);
        self.because(leaf, self.reason(leaf), chain, file)
    }

    /// A cause of records: what happened, its reason, and the way from there.
    fn because(
        &mut self,
        row: u64,
        because: Option<u64>,
        path: Vec<u64>,
        file: &mut File<'_>,
    ) -> Result<Cause, Failure> {
        let row = self.row(row, file.as_deref_mut())?;
        let because = match because {
            Some(no) => self.row(no, file.as_deref_mut())?,
            None => None,
        };
        let mut exits = Vec::new();
        for no in path {
            exits.extend(self.row(no, file.as_deref_mut())?);
        }
        let text = match (&row, &because) {
            (Some(row), Some(because)) if row.no == because.no => row.text.clone(),
            // What only came before does not say what it was the reason for.
            (Some(row), Some(because)) if because.idx != row.idx => {
                format!("{}; before that, {}", row.text, because.text)
            }
            (_, Some(because)) => because.text.clone(),
            (Some(row), None) => row.text.clone(),
            (None, None) => String::new(),
        };
        Ok(Cause {
            row,
            because,
            path: exits,
            text,
        })
    }

    /// The failures one after the other that led to one, the first first: what exits right after another failed has
    /// failed by it. What begins in between is another branch.
    fn chain(&self, failed: u64) -> Vec<u64> {
        let mut chain = vec![failed];
        let mut no = failed;
        while let Some(before) = no.checked_sub(1).filter(|before| *before >= self.first) {
            no = before;
            let Some(entry) = self.entry(no) else { break };
            if entry.cmd == Cmd::Exit && entry.ended == Ended::Failure {
                chain.push(no);
            } else if matches!(
                entry.cmd,
                Cmd::Exit | Cmd::Enter | Cmd::Waits | Cmd::Snapshot
            ) {
                // What is aborted or succeeds beside it is no cause; what is entered or waits is where it began.
                break;
            }
        }
        chain.reverse();
        chain
    }

    /// The reason why a leaf failed, by the records right before it exited: what its action said, what it
    /// aborted, a guard that did not hold or a debugger.
    fn reason(&self, leaf: u64) -> Option<u64> {
        let exit = *self.entry(leaf)?;
        let from = leaf.saturating_sub(200).max(self.first);
        let mut before = None;
        for no in (from..leaf).rev() {
            let entry = self.entry(no)?;
            if !entry.is_placed {
                continue;
            }
            let is_of_leaf = entry.is_of(exit.tree, exit.idx);
            let is_aborted = entry.cmd == Cmd::Exit && entry.ended == Ended::Aborted;
            if is_of_leaf && matches!(entry.cmd, Cmd::Because | Cmd::Diagnostic) {
                return Some(no);
            } else if is_aborted && no + 1 == leaf
                || before.is_none() && (entry.refuses || self.is_forced(entry))
            {
                before = Some(no);
            } else if is_of_leaf && entry.cmd == Cmd::Enter {
                break;
            }
        }
        before
    }
}

/// The node that ran in the place of another.
struct Instead {
    /// Its exit; or the record by which it was entered, if it runs and that is known.
    no: Option<u64>,
    /// That it runs, in words.
    runs: Option<String>,
    /// True if it stands before that node.
    is_before: bool,
}

fn unseen(node: &NodeOf) -> Cause {
    let NodeOf { tree, idx, .. } = node;
    Cause {
        text: format!("node {idx} of `{tree}` did not fail among the records that are kept"),
        ..Cause::default()
    }
}

/// The words for a write, and the method that made it.
fn written(row: &Row) -> String {
    match &row.by {
        Some(by) if !row.text.contains(&format!("`{by}`")) => format!("{}, by `{by}`", row.text),
        _ => row.text.clone(),
    }
}
