//! The answer of a method that is asked what runs next, and what it keeps for a run of its node.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use crate::call::MoreRequests;

/// The answer of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The child of that number is to run.
    Run(usize),
    Done(bool),
    /// It could not be called.
    Refused,
}

/// The things that the method keeps for a run of its node, if it keeps any.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "SavedHeld", into = "SavedHeld")]
pub(crate) struct Held(pub(crate) Option<Box<Kept>>);

#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) more: MoreRequests,
    /// It was restored: the resume method is called before the next call.
    pub(crate) resumes: bool,
}

/// A copy has no guards: a value that lives for a run of the node cannot be copied, nor saved.
impl Clone for Held {
    fn clone(&self) -> Held {
        let kept = self.0.as_ref().map(|kept| {
            Box::new(Kept {
                more: kept.more.with(None, ThinVec::new()),
                resumes: kept.resumes,
            })
        });
        Held(kept)
    }
}

/// The value for the resume method, and the arguments for the exit method.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedHeld(Option<Value>, ThinVec<Value>);

impl From<SavedHeld> for Held {
    fn from(SavedHeld(kept, args): SavedHeld) -> Held {
        if kept.is_none() && args.is_empty() {
            return Held(None);
        }
        let resumes = kept.is_some();
        let more = MoreRequests {
            kept: kept.map(Box::new),
            args,
            ..MoreRequests::default()
        };
        Held(Some(Box::new(Kept { more, resumes })))
    }
}

impl From<Held> for SavedHeld {
    fn from(held: Held) -> SavedHeld {
        held.0.map_or_else(SavedHeld::default, |kept| {
            SavedHeld(kept.more.kept.map(|kept| *kept), kept.more.args)
        })
    }
}
