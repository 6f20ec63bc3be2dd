//! `once`: the first result, again and again.

use serde::{Deserialize, Serialize};

use super::{Behaviour, Nothing, Remember};
#[cfg(feature = "explain")]
use crate::explain::Why;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Once;

/// Its first result; a number when it is saved.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub(crate) struct First(bool);

impl Remember for First {}

impl TryFrom<u64> for First {
    type Error = &'static str;

    fn try_from(saved: u64) -> Result<First, &'static str> {
        match saved {
            0 => Ok(First(false)),
            1 => Ok(First(true)),
            _ => Err("it is no result"),
        }
    }
}

impl From<First> for u64 {
    fn from(first: First) -> u64 {
        first.0.into()
    }
}

impl Behaviour for Once {
    type State = Nothing;
    type Retained = First;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.core.retained::<Self>(node) {
            Some(First(result)) => Step::Done(result),
            None => Step::Enter(node + 1),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        walk.core.retain::<Self>(node, First(success));
        Step::Done(success)
    }

    #[cfg(feature = "explain")]
    fn refuses(&self, first: &First, _: u64) -> Option<Why> {
        (!first.0).then_some(Why::Once)
    }
}
