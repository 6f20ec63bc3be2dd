//! A blackboard key that an argument is taken from at each call of a tree.

use std::borrow::Cow;
use std::cell::Ref;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Origin;
use crate::blackboard::{Blackboard, Held, KeyId, Slot};
use crate::call::param::{Limits, Param};
use crate::decode::{self, DecodeError};
use crate::describe::shape::left_out;
use crate::error::CallError;
use crate::error::{ArgumentError, Flaw};
use crate::text;

/// A blackboard key that an argument is taken from at each call.
#[derive(Debug)]
pub struct BoardKey {
    id: KeyId,
    limited: bool,
    about: Box<About>,
}

/// The description for an error, and the check where there is one.
#[derive(Debug)]
struct About {
    of: Cow<'static, str>,
    argument: Cow<'static, str>,
    /// "blackboard key `hp`"
    source: String,
    limits: Option<Limits>,
}

impl BoardKey {
    pub(super) fn new(id: KeyId, source: String, of: &'static str, param: &Param) -> BoardKey {
        BoardKey {
            id,
            limited: param.limits.is_some(),
            about: Box::new(About {
                of: of.into(),
                argument: param.desc.name.into(),
                source,
                limits: param.limits.as_deref().cloned(),
            }),
        }
    }

    /// Of a call that the fallback answers: its arguments have positions, and no names. None for
    /// a literal.
    pub(in crate::call) fn of_fallback(
        origin: &Origin<'_>,
        of: &str,
        position: usize,
    ) -> Option<BoardKey> {
        let (id, source) = origin.slot()?;
        Some(BoardKey {
            id,
            limited: false,
            about: Box::new(About {
                of: text::name(of).into_owned().into(),
                argument: position.to_string().into(),
                source,
                limits: None,
            }),
        })
    }

    pub(in crate::call) fn id(&self) -> KeyId {
        self.id
    }

    /// The key's value as a `T` of its own, and an `Option`'s `None` if it is not set; none, and an error kept by
    /// `board`, if there is no such value.
    ///
    /// An `Option` of a number comes back in registers, a `Result` does not.
    #[inline]
    pub(in crate::call) fn read<T: DeserializeOwned + 'static>(
        &self,
        board: &Blackboard,
    ) -> Option<T> {
        if !self.limited
            && let Some(slot) = board.near_slot(self.id)
            && let Some(plain) = slot.borrow().value().and_then(decode::plain)
        {
            return Some(plain);
        }
        self.decode(board)
    }

    /// The key's text, on loan; none if there is more to check, or to say.
    #[inline]
    pub(in crate::call) fn text<'a>(&self, board: &'a Blackboard) -> Option<Ref<'a, str>> {
        if self.limited {
            return None;
        }
        Ref::filter_map(board.near_slot(self.id)?.borrow(), Held::text).ok()
    }

    #[inline(never)]
    fn decode<T: DeserializeOwned + 'static>(&self, board: &Blackboard) -> Option<T> {
        if board.slot(self.id)?.borrow().value().is_none()
            && let Some(none) = left_out()
        {
            return Some(none);
        }
        let slot = self.slot(board)?.borrow();
        match decode::decode(slot.value()?) {
            Ok(value) => Some(value),
            Err(why) => board.keep_error(self.undecodable(why)),
        }
    }

    /// The key's value as it is, if its type takes it: `null` if it is not set and may be left out.
    #[cfg(feature = "dynamic")]
    pub(in crate::call) fn checked(
        &self,
        board: &Blackboard,
        optional: bool,
        takes: impl Fn(&Value) -> Result<(), DecodeError>,
    ) -> Option<Value> {
        if optional && board.slot(self.id)?.borrow().value().is_none() {
            return Some(Value::Null);
        }
        let slot = self.slot(board)?.borrow();
        let value = slot.value()?;
        match takes(value) {
            Ok(()) => Some(value.clone()),
            Err(why) => board.keep_error(self.undecodable(why)),
        }
    }

    /// The slot, whose value is set and within its limits.
    pub(in crate::call) fn slot<'a>(&self, board: &'a Blackboard) -> Option<&'a Slot> {
        let slot = board.slot(self.id)?;
        let held = slot.borrow();
        let Some(value) = held.value() else {
            return board.keep_error(self.unset());
        };
        if self.limited
            && let Err(error) = self.check(value)
        {
            return board.keep_error(error);
        }
        Some(slot)
    }

    /// The key's value, on loan.
    pub(in crate::call) fn lend<'a>(&self, board: &'a Blackboard) -> Option<Ref<'a, Value>> {
        Ref::filter_map(self.slot(board)?.borrow(), Held::value).ok()
    }

    fn check(&self, value: &Value) -> Result<(), CallError> {
        match &self.about.limits {
            None => Ok(()),
            Some(limits) => limits
                .check(value)
                .map_err(|flaw| self.error(flaw, Some(value))),
        }
    }

    #[cold]
    fn error(&self, flaw: Flaw, found: Option<&Value>) -> CallError {
        let about = &self.about;
        let mut error = ArgumentError::new(&*about.argument, flaw).from(about.source.clone());
        if let Some(found) = found {
            error = error.with_found(found);
        }
        CallError::bad(vec![error]).about(&format!("`{}`", about.of))
    }

    #[cold]
    pub(in crate::call) fn undecodable(&self, why: DecodeError) -> CallError {
        self.error(Flaw::Decode(why), None)
    }

    #[cold]
    pub(in crate::call) fn unset(&self) -> CallError {
        self.error(Flaw::Unset, None)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use crate::prelude::*;
    use crate::tree::asset::spec::{NodeSpec, action};
    use crate::{Runner, TreeAsset, TreeSet};

    #[derive(Agent, Default)]
    #[agent(no_base)]
    struct Porter {
        log: Vec<String>,
    }

    #[agent]
    impl Porter {
        #[action]
        fn carry(&mut self, weight: Option<u32>, #[arg(max = 9)] count: Option<i64>) {
            self.log.push(format!("{weight:?} {count:?}"));
        }
        #[action]
        fn pack(&mut self, list: &Option<Vec<u8>>, must: &mut Option<u8>) {
            self.log.push(format!("{list:?} {must:?}"));
            *must = Some(7);
        }
        #[action]
        fn lift(&mut self, weight: u32) {
            self.log.push(format!("{weight}"));
        }
    }

    /// The porter's log, and the first diagnostic.
    fn called(node: NodeSpec, set: &[(&str, serde_json::Value)]) -> (Vec<String>, String) {
        let mut trees = TreeSet::<Porter>::new();
        trees.add(TreeAsset::build("t", "porter", node));
        let mut runner = Runner::new(&trees.build().unwrap(), "t").unwrap();
        for (key, value) in set {
            runner.blackboard().set(key, value.clone());
        }
        let mut porter = Porter::default();
        runner.start();
        runner.poll(&mut porter, Duration::ZERO);
        let said = runner.diagnostics().first().map(ToString::to_string);
        (porter.log, said.unwrap_or_default())
    }

    #[test]
    fn option_of_an_unset_key_is_none() {
        let both = || action("carry").key("w").key("n");
        let log = |(log, said): (Vec<String>, String)| {
            assert_eq!(said, "");
            log.concat()
        };
        assert_eq!(log(called(both(), &[])), "None None");
        assert_eq!(log(called(both(), &[("w", json!(null))])), "None None");
        let set = [("w", json!(3)), ("n", json!(4))];
        assert_eq!(log(called(both(), &set)), "Some(3) Some(4)");
        let both = || action("pack").key("list").key("must");
        assert_eq!(log(called(both(), &[])), "None None");
        let set = [("list", json!([1])), ("must", json!(2))];
        assert_eq!(log(called(both(), &set)), "Some([1]) Some(2)");
    }

    #[test]
    fn unset_key_of_an_argument_that_must_be_given_is_reported() {
        let (log, said) = called(action("lift").key("w"), &[]);
        assert_eq!(log, [""; 0]);
        assert!(
            said.contains("blackboard key `w`, which is not set"),
            "{said}"
        );
        // Bounds hold for what is set.
        let set = [("n", json!(10))];
        let (log, said) = called(action("carry").key("w").key("n"), &set);
        assert_eq!(log, [""; 0]);
        assert!(said.contains('9'), "{said}");
    }
}
