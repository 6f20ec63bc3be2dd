//! `memory_sequence` and `memory_select`: they continue at the child that decided last time.

use serde::{Deserialize, Serialize};

use super::read::fields;
use super::{
    About, Act, Behaviour, Call, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Remember, Runs, Step, Translate, Wait, outcome,
};

fields! {
    /// A sequence that continues at the child that failed.
    pub struct MemorySequence {
        /// after an abort, continue at the child that was running
        keep_place: bool = false => "keeps its place",
    }
}

impl<'t> NodeKind<'t> for MemorySequence {
    const ABOUT: About = About::composite(
        "memory_sequence",
        "→*",
        "a sequence that continues at the child that failed last time",
    )
    .elsewhere(&["memsequence", "sequencewithmemory"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "→*=",
            false => Self::ABOUT.symbol,
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        MemoryNode {
            on: true,
            keeps: Keeps::of_memory(self.keep_place),
        }
        .into()
    }
}

fields! {
    /// A select that continues at the child that succeeded.
    pub struct MemorySelect {
        /// after an abort, continue at the child that was running
        keep_place: bool = false => "keeps its place",
    }
}

impl<'t> NodeKind<'t> for MemorySelect {
    const ABOUT: About = About::composite(
        "memory_select",
        "?*",
        "a select that continues at the child that succeeded last time",
    )
    .elsewhere(
        &[
            "memselector",
            "memoryselector",
            "mempriority",
            "memoryfallback",
        ],
        "",
    )
    .lower_guards()
    .fails_empty();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "?*=",
            false => Self::ABOUT.symbol,
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        MemoryNode {
            on: false,
            keeps: Keeps::of_memory(self.keep_place),
        }
        .into()
    }
}

/// Children in order, from the one that is kept.
#[derive(Debug)]
pub(crate) struct MemoryNode {
    /// The result after which the next child is entered: success for a sequence.
    pub(super) on: bool,
    pub(super) keeps: Keeps,
}

/// The child that is entered first next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeps {
    /// The one that decided; none after an abort.
    Decided,
    /// The one that was running when it was aborted (`keep_place`).
    Aborted,
    /// Whichever of the two was the last.
    Either,
}

impl Keeps {
    fn of_memory(keep_place: bool) -> Keeps {
        match keep_place {
            true => Keeps::Either,
            false => Keeps::Decided,
        }
    }
}

/// The child at which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place(u32);

impl Remember for Place {
    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.child(&mut self.0)
    }
}

impl Behaviour for MemoryNode {
    type State = Nothing;
    type Retained = Place;

    fn begins_later(&self) -> bool {
        true
    }

    fn child_may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Parked(Act::TakeOver)
    }
}

impl<C: NodeContext> Runs<C> for MemoryNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let Some(first) = cx.first_child(node) else {
            return Step::Done(self.on);
        };
        let kept = cx.retained::<Self>(node).map(|Place(child)| child);
        // “A place whose child is gone: the next child, else the first.”
        let there = |child: u32| match cx.is_there(child) {
            true => Some(child),
            false => cx.next_child(node, child),
        };
        let begin = kept.and_then(there).unwrap_or(first);
        if !self.on {
            // Those it passes over may take over later.
            let mut passed = Some(first);
            while let Some(child) = passed.filter(|child| *child < begin) {
                cx.pass_over(child);
                passed = cx.next_child(node, child);
            }
        }
        Step::Enter(begin)
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        let has_decided = success != self.on;
        if let Some(next) = cx.next_child(node, child).filter(|_| !has_decided) {
            return Step::Enter(next);
        }
        match has_decided && self.keeps != Keeps::Aborted {
            true => cx.retain::<Self>(node, Place(child)),
            false => cx.forget(node),
        }
        Step::Done(success)
    }

    fn aborted(&self, cx: &mut C, node: u32, child: Option<u32>) {
        match (self.keeps, child) {
            (Keeps::Decided, _) => cx.forget(node),
            (Keeps::Aborted | Keeps::Either, Some(child)) => cx.retain::<Self>(node, Place(child)),
            (Keeps::Aborted | Keeps::Either, None) => {}
        }
    }
}
