//! The debugger's part of a saved agent: forced results, and what waits for the end of a poll.

use crate::RestoreError;
use crate::debug::{Forced, ForcedNode};
use crate::run::core::{Core, Request};
use crate::tree::plan::Plan;

impl Core {
    /// The host's request that waits for the end of the poll.
    pub(in crate::run) fn asked(&self) -> Option<Request> {
        self.debugger()?.asked()
    }

    pub(in crate::run) fn saved_forced(&self) -> Vec<(String, u32, String)> {
        let forced = self
            .debugger()
            .into_iter()
            .flat_map(|debugger| debugger.forced());
        let saved = |known: &ForcedNode| (known.tree.clone(), known.idx, known.forced.to_string());
        forced.map(saved).collect()
    }

    pub(in crate::run) fn restore_forced(
        &mut self,
        plan: &Plan,
        forced: &[(String, u32, String)],
    ) -> Result<(), RestoreError> {
        for (tree, idx, word) in forced {
            let words = [Forced::Success, Forced::Failure, Forced::Disabled];
            let Some(forced) = words.into_iter().find(|known| known.to_string() == *word) else {
                let found = crate::text::name(word);
                return Err(RestoreError::malformed(format!(
                    "`forced`: expected `success`, `failure` or `disabled`, found `{found}`"
                )));
            };
            self.need_debugger(plan)
                .force(plan, tree, *idx, Some(forced));
        }
        Ok(())
    }
}
