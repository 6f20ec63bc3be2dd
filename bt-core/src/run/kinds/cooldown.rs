//! `cooldown`: failure for a while after the child has ended.

use serde::{Deserialize, Serialize};

use super::remember::Long;
use super::{Behaviour, Nothing, Remember, Translate};
#[cfg(feature = "explain")]
use crate::explain::Why;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Cooldown {
    /// In nanoseconds.
    pub(crate) nanos: u64,
    /// Only a success starts it.
    pub(crate) on_success: bool,
}

/// The time until which it fails, without pauses, in nanoseconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Until(Long);

impl Remember for Until {
    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.time(&mut self.0)
    }
}

impl Behaviour for Cooldown {
    type State = Nothing;
    type Retained = Until;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.core.retained::<Self>(node) {
            Some(Until(until)) if walk.core.now_awake() < until.into() => Step::Done(false),
            _ => Step::Enter(node + 1),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if success || !self.on_success {
            let until = walk.core.now_awake().saturating_add(self.nanos);
            walk.core.retain::<Self>(node, Until(until.into()));
        }
        Step::Done(success)
    }

    #[cfg(feature = "explain")]
    fn refuses(&self, until: &Until, awake: u64) -> Option<Why> {
        let left = u64::from(until.0).saturating_sub(awake);
        (left > 0).then_some(Why::Cooldown { left: Some(left) })
    }
}
