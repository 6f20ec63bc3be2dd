//! The state of nodes as data: saved as it is, but for the parts that only this plan and this clock know.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use super::{Behaviour, Order, Retained, State};

/// A state, or a retained counter.
pub(crate) trait Remember: fmt::Debug + Clone + Serialize + DeserializeOwned {
    /// The name of its form in a saved agent. A retained counter needs none.
    const FORM: &'static str = "";

    /// Hands over each number that means something else in a saved agent.
    fn translate(&mut self, _: &mut dyn Translate) -> Result<(), String> {
        Ok(())
    }

    /// Its node is another one now, of changed trees: `to` says what each child has become. Whether it still
    /// says something.
    fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
        self.translate(&mut Carried(to)).is_ok()
    }

    /// It had no turn in so many polls more: its tree was suspended.
    fn skip_polls(&mut self, _polls: u32) {}

    /// Gives back what can be used again.
    fn recycle(self, _: &mut Spare) {}
}

/// The variant of a kind's state among those of all kinds.
pub(crate) trait Slot: Behaviour + Sized {
    fn state(state: &State) -> Option<&Self::State>;
    fn state_mut(state: &mut State) -> Option<&mut Self::State>;
    fn of_state(state: Self::State) -> State;
    fn retained(retained: &Retained) -> Option<&Self::Retained>;
    fn of_retained(retained: Self::Retained) -> Retained;
}

/// Lists to be used again.
pub(crate) type Spare = ThinVec<ThinVec<u32>>;

/// Turns the numbers of the plan and of the runner into those of a saved agent, or back.
pub(crate) trait Translate {
    /// A child of the node: it is saved as its `idx`.
    fn child(&mut self, child: &mut u32) -> Result<(), String>;

    /// A time without pauses: what is left of it is saved. It is an error if that is nothing.
    fn time(&mut self, time: &mut Long) -> Result<(), String>;

    /// A time without pauses that has gone by: how long ago it was is saved.
    fn past(&mut self, time: &mut Long);

    /// The number of the poll from which a node counts those in which its tree is not suspended.
    fn counted_from(&mut self, poll: &mut u32);

    /// The number of an entry.
    fn order(&mut self, order: &mut Order) -> Result<(), String>;

    /// The fault of a state of another kind.
    fn other(&self) -> String {
        String::new()
    }
}

/// Turns children into those of changed trees.
struct Carried<'c>(&'c dyn Fn(u32) -> Option<u32>);

impl Translate for Carried<'_> {
    fn child(&mut self, child: &mut u32) -> Result<(), String> {
        *child = (self.0)(*child).ok_or_else(|| self.other())?;
        Ok(())
    }

    fn time(&mut self, _: &mut Long) -> Result<(), String> {
        Ok(())
    }

    fn past(&mut self, _: &mut Long) {}

    fn counted_from(&mut self, _: &mut u32) {}

    fn order(&mut self, _: &mut Order) -> Result<(), String> {
        Ok(())
    }
}

/// A `u64` with the alignment of a `u32`: a retained counter takes 16 bytes with its node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct Long([u32; 2]);

impl From<u64> for Long {
    fn from(long: u64) -> Long {
        Long([long as u32, (long >> 32) as u32])
    }
}

impl From<Long> for u64 {
    fn from(long: Long) -> u64 {
        u64::from(long.0[0]) | u64::from(long.0[1]) << 32
    }
}

/// The number of times that something was: a retained counter.
impl Remember for Long {}

/// It remembers nothing: there is no value of it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Nothing {}

impl Remember for Nothing {}

pub(super) fn save<R: Remember>(what: &R, to: &mut dyn Translate) -> Option<Value> {
    let mut what = what.clone();
    what.translate(to).ok()?;
    serde_json::to_value(what).ok()
}

/// Reads a state that was saved under the name of its form.
pub(super) fn read<R: Remember>(
    form: &str,
    saved: &Value,
    from: &mut dyn Translate,
) -> Result<R, String> {
    let what = Some(saved).filter(|_| form == R::FORM);
    let what = what.and_then(|saved| R::deserialize(saved).ok());
    let mut what = what.ok_or_else(|| from.other())?;
    what.translate(from)?;
    Ok(what)
}
