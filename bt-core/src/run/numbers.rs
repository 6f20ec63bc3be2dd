//! Numbers of nodes that are expressions, keys or properties: read while the nodes run.

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::node_ref::At;
use super::plain::Wait;
#[cfg(feature = "save")]
use super::state::timers::Purpose;
use super::walk::{Step, Walker};
use crate::kinds::{Given, NodeContext, NumberSlot};
use crate::tree::plan::Number;

impl Walker<'_> {
    /// Reads the numbers of a node that are read on entry; whether it has all of them now.
    pub(crate) fn read_numbers(&mut self, node: u32) -> bool {
        let mut kept = self
            .plan
            .numbers(node)
            .iter()
            .filter(|number| number.is_kept);
        kept.all(|number| self.needs_none(node, number) || self.keep_number(node, number).is_some())
    }

    /// Returns true if a node that counts children has none left: its result is known.
    fn needs_none(&self, node: u32, number: &Number) -> bool {
        number.counts_children && self.first_child(node).is_none()
    }

    /// Reads a number, and keeps it until the node ends.
    pub(super) fn keep_number(&mut self, node: u32, number: &Number) -> Option<u64> {
        let (bits, value) = self.value_of(node, number)?;
        let at = self.core.here(node);
        self.core.cold().numbers.set(at, number.slot, value);
        Some(bits)
    }

    /// The number that a node has now, and its value; what is wrong with it is reported once, until it is right.
    pub(super) fn value_of(&mut self, node: u32, number: &Number) -> Option<(u64, Value)> {
        let (key, text) = (number.wanted.key, crate::text::name(&number.text));
        let read = match &number.given {
            Given::Key(key) => {
                let value = self.value(node, *key);
                value.ok_or_else(|| format!("`{text}` is not set"))
            }
            given @ (Given::Literal(_) | Given::Fetched(_)) => self.given(node, given),
        };
        let children = match number.counts_children {
            true => self.children(node).count() as u32,
            false => 0,
        };
        let read = read.and_then(|value| match number.of(&value, children) {
            Ok(bits) => Ok((bits, value)),
            Err(why) => Err(format!("`{text}`: {why}")),
        });
        match read {
            Ok(read) => {
                if let Some(cold) = &mut self.core.cold {
                    cold.reports.is_read(node);
                }
                Some(read)
            }
            Err(why) => {
                if self.core.cold().reports.is_newly_unread(node) {
                    self.report(Some(node), format!("`{key}`: {why}"));
                }
                None
            }
        }
    }

    /// Reads the numbers that a node has in changed trees alone; whether it has all of them now. One that cannot be
    /// read is kept as null: the node fails in its turn.
    #[cfg(feature = "save")]
    pub(super) fn read_changed(&mut self, at: At) -> bool {
        let is_parked = self
            .core
            .find(at)
            .is_some_and(|position| matches!(self.core.entries[position].wait, Wait::Parked(_)));
        let kept = |number: &&Number| number.is_kept && !is_parked;
        let mut has_all = true;
        for number in self.plan.numbers(at.node).iter().filter(kept) {
            let slot = number.slot;
            if self.kept(at, slot).is_some() || self.needs_none(at.node, number) {
                continue;
            }
            let purpose = slot.as_service().map_or(Purpose::Node, Purpose::Service);
            match self.keep_number(at.node, number) {
                Some(nanos) => self.core.timers.delay_of(at, purpose, nanos),
                None => {
                    has_all = false;
                    self.core.cold().numbers.set(at, slot, Value::Null);
                    let timers = &mut self.core.timers;
                    timers.keep(|timer| timer.at() != at || timer.purpose() != purpose);
                }
            }
        }
        has_all
    }

    /// Returns true if a node could not read a number that changed trees gave it.
    pub(super) fn lacks_number(&self, at: At) -> bool {
        let cold = self.core.cold.as_ref();
        cold.is_some_and(|cold| {
            let mut numbers = self.plan.numbers(at.node).iter();
            numbers.any(|number| cold.numbers.get(at, number.slot) == Some(&Value::Null))
        })
    }

    /// Ends a node that could not read a number that changed trees gave it.
    pub(super) fn fail_without_number(&mut self, at: At) -> Step {
        if let Some(position) = self.core.find(at) {
            if self.core.entries[position].wait == Wait::Cancelling {
                // It was aborted already.
                return Step::Blocked;
            }
            if self.plan.node(at.node).kind.action().is_some() {
                return self.end_wait(position, false);
            }
        }
        // A node whose method decides keeps for its exit method what it remembers.
        if !self.plan.node(at.node).exits {
            self.core.clear_state(at);
        }
        self.core.drop_entry(at);
        self.core.drop_continuations(at);
        self.abort_below(at.node, false)
    }

    /// A number as it was read on entry.
    pub(super) fn kept(&self, at: At, slot: NumberSlot) -> Option<u64> {
        let value = self.core.cold.as_ref()?.numbers.get(at, slot)?;
        self.plan.number(at.node, slot)?.wanted.read(value).ok()
    }
}
