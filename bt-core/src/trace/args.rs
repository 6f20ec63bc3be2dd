//! The arguments of a call, and an event's parameters, as a record has them.

use std::fmt;

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::blackboard::Blackboard;
use crate::tree::plan::{Arg, Plan};

/// The arguments of a call. A property among them is `{"property": name}`, an unset key `null`.
#[derive(Clone)]
pub struct Args<'a>(Given<'a>);

#[derive(Clone)]
enum Given<'a> {
    Live {
        plan: &'a Plan,
        call: u32,
        board: &'a Blackboard,
    },
    Copied(Vec<Value>),
}

impl<'a> Args<'a> {
    pub(crate) fn of(plan: &'a Plan, call: u32, board: &'a Blackboard) -> Args<'a> {
        Args(Given::Live { plan, call, board })
    }

    /// The number of the call, while it runs; and whether its arguments are the same each time.
    pub(crate) fn call(&self) -> Option<(u32, bool)> {
        match &self.0 {
            Given::Live { plan, call, .. } => {
                let args = &plan.calls[*call as usize].args;
                Some((
                    *call,
                    !args
                        .iter()
                        .any(|arg| matches!(arg, Arg::Key(..) | Arg::Expression(_))),
                ))
            }
            Given::Copied(_) => None,
        }
    }

    /// The values, in the order of the signature.
    pub fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        self.each(|value| values.push(value.clone()));
        values
    }

    /// The number of there that are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Given::Live { plan, call, .. } => plan.calls[*call as usize].args.len(),
            Given::Copied(values) => values.len(),
        }
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Shows the values, in the order of the signature.
    pub fn each(&self, mut see: impl FnMut(&Value)) {
        let (plan, call, board) = match &self.0 {
            Given::Live { plan, call, board } => (plan, call, board),
            Given::Copied(values) => return values.iter().for_each(see),
        };
        for arg in &plan.calls[*call as usize].args {
            match arg {
                Arg::Literal(value) => see(value),
                Arg::Key(_, id) => see(board.lent(*id).as_deref().unwrap_or(&Value::Null)),
                Arg::Property(..) | Arg::Expression(_) => see(&arg.value(Some(board))),
            }
        }
    }
}

impl From<Vec<Value>> for Args<'_> {
    fn from(values: Vec<Value>) -> Self {
        Args(Given::Copied(values))
    }
}

impl Arg {
    /// The value that is passed, as far as it is known without the agent.
    pub(crate) fn value(&self, board: Option<&Blackboard>) -> Value {
        match self {
            Arg::Literal(value) => value.clone(),
            Arg::Key(_, id) => board.and_then(|board| board.value(*id)).unwrap_or_default(),
            Arg::Property(name, _) => serde_json::json!({ "property": &**name }),
            Arg::Expression(computed) => board
                .and_then(|board| board.value(computed.slot))
                .unwrap_or_default(),
        }
    }
}

impl PartialEq for Args<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}

impl fmt::Debug for Args<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values()).finish()
    }
}

impl Serialize for Args<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (plan, call, board) = match &self.0 {
            Given::Live { plan, call, board } => (plan, call, board),
            Given::Copied(values) => return values.serialize(serializer),
        };
        let args = &plan.calls[*call as usize].args;
        let mut list = serializer.serialize_seq(Some(args.len()))?;
        for arg in args {
            match arg {
                Arg::Literal(value) => list.serialize_element(value)?,
                Arg::Key(_, id) => list.serialize_element(&board.lent(*id).as_deref())?,
                Arg::Property(..) | Arg::Expression(_) => {
                    list.serialize_element(&arg.value(Some(board)))?;
                }
            }
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Args<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Args(Given::Copied(Vec::deserialize(deserializer)?)))
    }
}

/// An event's parameters as an object, in their order.
pub(super) mod params {
    use std::borrow::Cow;
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};
    use serde_json::Value;

    type Params<'a> = Cow<'a, [(String, Value)]>;

    pub(in crate::trace) fn serialize<S: Serializer>(
        params: &Params<'_>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(params.iter().map(|(name, value)| (name, value)))
    }

    pub(in crate::trace) fn deserialize<'de, 'a, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Params<'a>, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Vec<(String, Value)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of parameters")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }

        from.deserialize_map(Pairs).map(Cow::Owned)
    }
}
