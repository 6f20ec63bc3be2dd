//! `run_limit`: failure once the child has run a number of times.

use super::remember::Long;
use super::{Behaviour, Nothing};
#[cfg(feature = "explain")]
use crate::explain::Why;
use crate::run::walk::{Step, Walker};
use crate::tree::plan::Ask;

#[derive(Debug)]
pub(crate) struct RunLimit {
    pub(crate) count: u64,
    /// Which ends count; all, if that is none.
    pub(crate) on: Option<bool>,
    /// Starts the count afresh when it holds on entry.
    pub(crate) reset_if: Option<Ask>,
}

impl Behaviour for RunLimit {
    type State = Nothing;
    type Retained = Long;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        if let Some(ask) = &self.reset_if
            && walk.ask_condition(node, walk.plan.info(node).scope, ask, 0)
        {
            walk.core.forget(node);
        }
        let runs = walk.core.retained::<Self>(node).unwrap_or_default();
        if u64::from(runs) >= self.count {
            return Step::Done(false);
        }
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if self.on.is_none_or(|on| on == success) {
            let runs = walk.core.retained::<Self>(node).unwrap_or_default();
            let runs = u64::from(runs).saturating_add(1);
            walk.core.retain::<Self>(node, runs.into());
        }
        Step::Done(success)
    }

    #[cfg(feature = "explain")]
    fn refuses(&self, runs: &Long, _: u64) -> Option<Why> {
        let runs = u64::from(*runs);
        (runs >= self.count).then_some(Why::RunLimit { runs: Some(runs) })
    }
}
