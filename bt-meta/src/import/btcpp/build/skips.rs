//! SKIPPED, the engine's fourth result: which nodes can have it, and what stands for it here.
//!
//! A sequence continues after a skipped child as after a success, a fallback as after a failure. So a node that is
//! skipped succeeds or fails here, whichever its parent does not notice.

use super::super::kinds::BuiltIn;
use super::super::models::called;
use super::super::xml::Element;
use super::Builder;

/// The effect of a skipped node on the node above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skip<'n> {
    /// The result that is the same there; none if there is no such result.
    pub(super) result: Option<bool>,
    /// The node that would get SKIPPED.
    pub(super) above: &'n str,
}

impl<'n> Skip<'n> {
    pub(super) fn to(above: &'n str, result: Option<bool>) -> Skip<'n> {
        Skip { result, above }
    }
}

/// Sub-trees are followed so deep.
const MAX_DEPTH: usize = 64;

impl Builder<'_> {
    /// Returns true if an element may be skipped.
    pub(super) fn can_skip(&self, element: &Element) -> bool {
        self.can_skip_below(element, 0)
    }

    fn can_skip_below(&self, element: &Element, depth: usize) -> bool {
        use BuiltIn as B;
        if element.get("_skipIf").is_some() || element.get("_while").is_some() {
            return true;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        let skips = |child: &Element| self.can_skip_below(child, depth + 1);
        let children = &element.children;
        match BuiltIn::named(called(element)).or_else(|| BuiltIn::named(&element.name)) {
            Some(
                B::Sequence
                | B::AsyncSequence
                | B::ReactiveSequence
                | B::SequenceWithMemory
                | B::Fallback
                | B::AsyncFallback
                | B::ReactiveFallback
                | B::Parallel
                | B::ParallelAll,
            ) => !children.is_empty() && children.iter().all(skips),
            Some(B::TryCatch) => {
                children.len() > 1 && children[..children.len() - 1].iter().all(skips)
            }
            Some(B::IfThenElse | B::WhileDoElse) => children.iter().skip(1).any(skips),
            Some(B::Switch(_)) => children.iter().any(skips),
            Some(
                B::Inverter
                | B::ForceSuccess
                | B::ForceFailure
                | B::Repeat
                | B::Retry
                | B::Timeout
                | B::Delay
                | B::BlackboardCheck,
            ) => children.iter().any(skips),
            Some(B::RunOnce) => {
                element.get("then_skip") != Some("false") || children.iter().any(skips)
            }
            Some(B::Precondition) => {
                element.get("else") == Some("SKIPPED") || children.iter().any(skips)
            }
            Some(B::Loop) => element.get("if_empty") == Some("SKIPPED"),
            Some(B::SubTree | B::SubTreePlus) => {
                let tree = self.files.tree(self.tree.file, called(element));
                tree.is_some_and(|(_, tree)| tree.children.iter().any(skips))
            }
            Some(
                B::KeepRunningUntilFailure
                | B::ManualSelector
                | B::AlwaysSuccess
                | B::AlwaysFailure
                | B::Script
                | B::ScriptCondition
                | B::SetBlackboard
                | B::UnsetBlackboard
                | B::Sleep
                | B::Updated
                | B::Queue,
            )
            | None => false,
        }
    }
}
