//! Problems at run time, and those that are not reported again.

use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::run::diagnostic::Diagnostic;

/// The number of diagnostics that an agent keeps: the newest.
const MOST: usize = 32;

/// The number of unknown events that an agent reports.
const UNKNOWN: usize = 8;

/// The number of reasons of failed actions that are kept: the newest.
const FAILURES: usize = 5;

/// The mark of a node among calls.
const OF_NODE: u32 = 1 << 31;

/// The nodes above another, the innermost first, across the calls of trees.
pub(crate) type Above = SmallVec<[u32; 8]>;

/// The reason of an action's failure.
#[derive(Debug)]
pub(crate) struct Failure {
    /// As of the last time, without its path.
    last: Diagnostic,
    /// The nodes above it then.
    above: Above,
    times: u32,
    /// The number of times that its tree failed by it in the poll in which it began.
    fatal: u32,
}

/// Reports that few agents have.
#[derive(Debug, Default)]
struct Seldom {
    failures: Vec<Failure>,
    /// Calls whose endless wait was reported.
    stuck: Vec<u32>,
    /// Calls of which it was reported that they asked to be finished later, and did not wait.
    ignored: Vec<u32>,
    /// Expressions of which it was reported that they have no value, and that had none since.
    mistaken: Vec<u32>,
    /// The values of nodes, by their numbers, that had none the last time, or one that is not right.
    valueless: Vec<u32>,
    /// The node whose called tree failed last, and the node that decided there.
    called: Option<(u32, u32)>,
}

/// The diagnostics of an agent.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    diagnostics: ThinVec<Diagnostic>,
    /// Events that nobody knows, and that were reported.
    unknown_events: ThinVec<Box<str>>,
    seldom: Option<Box<Seldom>>,
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

    /// Returns true if no more of them are reported.
    pub(crate) fn knows_enough_events(&self) -> bool {
        self.unknown_events.len() == UNKNOWN
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

    /// The reasons of the last failed actions, the newest last: each reason of each node once.
    pub(crate) fn failures(&self) -> &[Failure] {
        self.seldom.as_ref().map_or(&[], |seldom| &seldom.failures)
    }

    /// Counts a reason that is kept already; gives back what is above the node if it is not.
    pub(crate) fn failed_again(
        &mut self,
        node: (&str, u32),
        why: &str,
        above: Above,
        at: (u64, u32),
    ) -> Result<(), Above> {
        let failures = &mut self.seldom.get_or_insert_default().failures;
        let same = |known: &Failure| known.is_of(node) && known.last.message == why;
        let Some(found) = failures.iter().position(same) else {
            return Err(above);
        };
        let mut known = failures.remove(found);
        (known.last.time, known.last.poll) = at;
        known.times = known.times.saturating_add(1);
        known.above = above;
        failures.push(known);
        Ok(())
    }

    /// Keeps why an action failed.
    pub(crate) fn failed(&mut self, last: Diagnostic, above: Above) {
        let failures = &mut self.seldom.get_or_insert_default().failures;
        if failures.len() == FAILURES {
            failures.remove(0);
        }
        failures.push(Failure {
            last,
            above,
            times: 1,
            fatal: 0,
        });
    }

    /// A tree failed by that node in the poll in which it began. The second time that an action's reason is
    /// why, that is a diagnostic, with the path in words.
    pub(crate) fn tree_failed(
        &mut self,
        node: (&str, u32),
        poll: u32,
        path: impl FnOnce(&[u32]) -> String,
    ) {
        let failures = self
            .seldom
            .iter_mut()
            .flat_map(|seldom| &mut seldom.failures);
        let mut why = failures.filter(|known| known.is_of(node) && known.last.poll == poll);
        let Some(failure) = why.next_back() else {
            return;
        };
        failure.fatal = failure.fatal.saturating_add(1);
        if failure.fatal == 2 {
            let mut diagnostic = failure.last.clone();
            diagnostic.path = path(&failure.above);
            self.keep(diagnostic);
        }
    }

    /// A tree failed that a node called; it matters where an action gave a reason.
    pub(crate) fn called_failed(&mut self, caller: u32, decided: u32) {
        if let Some(seldom) = &mut self.seldom {
            seldom.called = Some((caller, decided));
        }
    }

    /// The node whose called tree failed last, and the node that decided there.
    pub(crate) fn called(&self) -> Option<(u32, u32)> {
        self.seldom.as_ref()?.called
    }

    /// Notes a call whose wait is endless; whether it is to be reported.
    pub(crate) fn is_newly_stuck(&mut self, call: u32) -> bool {
        let stuck = &mut self.seldom.get_or_insert_default().stuck;
        let is_new = !stuck.contains(&call);
        if is_new {
            stuck.push(call);
        }
        is_new
    }

    /// Notes a call that asked in vain to be finished later; whether it is to be reported.
    pub(crate) fn is_newly_ignored(&mut self, call: u32) -> bool {
        let ignored = &mut self.seldom.get_or_insert_default().ignored;
        let is_new = !ignored.contains(&call);
        if is_new {
            ignored.push(call);
        }
        is_new
    }

    /// The calls whose endless wait was reported.
    /// Notes that an expression has no value; whether it is to be reported.
    pub(crate) fn is_newly_mistaken(&mut self, call: u32) -> bool {
        let mistaken = &mut self.seldom.get_or_insert_default().mistaken;
        let is_new = !mistaken.contains(&call);
        if is_new {
            mistaken.push(call);
        }
        is_new
    }

    /// Notes that a number of a node cannot be read; whether it is to be reported.
    pub(crate) fn is_newly_unread(&mut self, node: u32) -> bool {
        self.is_newly_mistaken(OF_NODE | node)
    }

    /// Notes that a number of a node was read.
    pub(crate) fn is_read(&mut self, node: u32) {
        self.is_right(OF_NODE | node);
    }

    /// The nodes of whose numbers it was reported that they cannot be read, and that had none since.
    #[cfg(feature = "save")]
    pub(crate) fn unread(&self) -> impl Iterator<Item = u32> {
        let mistaken = self.seldom.iter().flat_map(|seldom| &seldom.mistaken);
        let nodes = mistaken.filter(|mistaken| **mistaken & OF_NODE != 0);
        nodes.map(|node| node & !OF_NODE)
    }

    /// Notes that an expression has a value.
    pub(crate) fn is_right(&mut self, call: u32) {
        if let Some(seldom) = &mut self.seldom {
            seldom.mistaken.retain(|known| *known != call);
        }
    }

    /// Notes that an expression whose value a node takes has no right one; whether it is to be reported.
    pub(crate) fn is_newly_without_value(&mut self, number: u32) -> bool {
        let valueless = &mut self.seldom.get_or_insert_default().valueless;
        let is_new = !valueless.contains(&number);
        if is_new {
            valueless.push(number);
        }
        is_new
    }

    /// Notes that it has one.
    pub(crate) fn has_value(&mut self, number: u32) {
        if let Some(seldom) = &mut self.seldom {
            seldom.valueless.retain(|known| *known != number);
        }
    }

    pub(crate) fn stuck(&self) -> &[u32] {
        self.seldom.as_ref().map_or(&[], |seldom| &seldom.stuck)
    }

    /// The calls, and the nodes, are those of changed trees now.
    pub(crate) fn carry(
        &mut self,
        call: impl Fn(u32) -> Option<u32>,
        node: impl Fn(u32) -> Option<u32>,
    ) {
        if let Some(seldom) = &mut self.seldom {
            seldom.called = None;
            let call = |known: u32| match known & OF_NODE {
                0 => call(known),
                _ => Some(OF_NODE | node(known & !OF_NODE)?),
            };
            // They have other numbers.
            seldom.valueless.clear();
            for known in [&mut seldom.stuck, &mut seldom.ignored, &mut seldom.mistaken] {
                *known = known.iter().filter_map(|old| call(*old)).collect();
            }
        }
    }

    pub(crate) fn restore_stuck(&mut self, calls: Vec<u32>) {
        if !calls.is_empty() {
            self.seldom.get_or_insert_default().stuck.extend(calls);
        }
    }
}

impl Failure {
    /// As of the last time.
    pub(crate) fn last(&self) -> &Diagnostic {
        &self.last
    }

    /// The number of times that it was why.
    pub(crate) fn times(&self) -> u32 {
        self.times
    }

    /// Returns true if it is of the node of that tree and `idx`.
    fn is_of(&self, (tree, idx): (&str, u32)) -> bool {
        &*self.last.tree == tree && self.last.node == Some(idx)
    }
}
