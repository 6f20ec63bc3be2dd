//! Numbers of nodes that are expressions.
//!
//! “Entry, after `enter` effects (repeat, retry, until_*, loop, frames, timeout, delay, parallel, a service's
//! seconds); the child's end (cooldown); entry (run_limit); each end (success_until, failure_until); the draw (`prob`).
//! Out of range then: that node is F.” “An expression that means the same keeps its value; a changed one is
//! evaluated when the agent moves; adopted nodes read then.”

use std::borrow::Cow;

use super::{Active, Id, News, Reference};
use crate::cases::{Kind, Node, Reads};

/// A value was read that the node does not take.
pub(super) struct Refused;

impl<'t> Reference<'t> {
    /// Reads the numbers that a node has on entry; the interval of its service.
    pub(super) fn read_on_entry(&mut self, id: Id, node: &Node) -> Result<Option<u64>, Refused> {
        // What an effect requested may have aborted it.
        if !self.active.contains_key(&id) {
            return Ok(None);
        }
        // A composite with no child left asks nothing.
        let is_empty = super::kinds::empty(node).is_some();
        if let (Some(reads), false) = (node.reads, is_empty)
            && node.kind.keeps_number()
        {
            let number = self.read_number(id, reads, &node.kind, node.children.len())?;
            if let Some(active) = self.active.get_mut(&id) {
                active.own.number = Some(number);
            }
        }
        let Some(literal) = node.service else {
            return Ok(None);
        };
        match node.serves {
            Some(reads) => self.read_interval(id, reads, literal).map(Some),
            None => Ok(Some(literal)),
        }
    }

    fn read_number(
        &mut self,
        id: Id,
        reads: Reads,
        kind: &Kind,
        children: usize,
    ) -> Result<i64, Refused> {
        self.count("numbers that were read");
        let literal = kind.number().unwrap_or_default();
        let number = reads.value(literal, self.key(Some(id), reads.key));
        match kind.with_number(number, children) {
            Some(_) => Ok(number),
            None => Err(Refused),
        }
    }

    pub(super) fn read_interval(&self, id: Id, reads: Reads, literal: u64) -> Result<u64, Refused> {
        let every = reads.value(literal as i64, self.key(Some(id), reads.key));
        u64::try_from(every)
            .ok()
            .filter(|every| *every > 0)
            .ok_or(Refused)
    }

    /// A node's kind with the number that it has for an event; none if that is none, and the node fails.
    pub(super) fn kind_now(&mut self, active: &Active<'t>, news: News) -> Option<Cow<'t, Kind>> {
        let node = active.node;
        let kind = &node.kind;
        let Some((reads, literal)) = node.reads.zip(kind.number()) else {
            return Some(Cow::Borrowed(kind));
        };
        let is_needed = match (kind, news) {
            (kind, _) if kind.keeps_number() => {
                return match (active.own.number, news) {
                    (Some(number), _) => kind_with(kind, number),
                    (None, News::Ended(..)) if active.fails => None,
                    (None, _) => Some(Cow::Borrowed(kind)),
                };
            }
            (Kind::Cooldown { on_success, .. }, News::Ended(_, success)) => success || !on_success,
            (Kind::SuccessUntil(_) | Kind::FailureUntil(_), News::Ended(..)) => true,
            (Kind::RunLimit { .. } | Kind::Probability(_), News::Entered) => true,
            _ => false,
        };
        if !is_needed {
            return Some(Cow::Borrowed(kind));
        }
        self.count("numbers that were read");
        let number = reads.value(literal, self.key_of(active, reads.key));
        let made = kind.with_number(number, node.children.len());
        made.map(Cow::Owned)
    }

    /// The number of a node that stays, with what it was in the old trees: it keeps it, or reads it now. True if
    /// it can.
    pub(super) fn number_of_changed(&mut self, id: Id, was: &Node, is: &'t Node) -> bool {
        // A composite with no child left asks nothing.
        if !is.kind.keeps_number() || super::kinds::empty(is).is_some() {
            return true;
        }
        let means = |node: &Node| {
            format!(
                "{:?} {:?} {}",
                node.reads,
                node.kind.number(),
                which(&node.kind)
            )
        };
        let known = self.active.get(&id).and_then(|active| active.own.number);
        let number = match is.reads.filter(|_| is.kind.number().is_some()) {
            None => Ok(None),
            Some(_) if known.is_some() && means(was) == means(is) => Ok(known),
            Some(reads) => self
                .read_number(id, reads, &is.kind, is.children.len())
                .map(Some),
        };
        let Some(active) = self.active.get_mut(&id) else {
            return true;
        };
        active.own.number = number.as_ref().ok().copied().flatten();
        number.is_ok()
    }
}

fn kind_with<'t>(kind: &'t Kind, number: i64) -> Option<Cow<'t, Kind>> {
    // It was one that the node takes when it was read.
    let made = kind.with_number(number, usize::MAX);
    made.map(Cow::Owned)
}

/// The name of the number that it reads.
fn which(kind: &Kind) -> &'static str {
    match kind {
        Kind::Parallel { success: None, .. } => "failure",
        Kind::Parallel { .. } => "success",
        _ => "",
    }
}
