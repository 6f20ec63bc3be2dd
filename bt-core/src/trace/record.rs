//! One thing that happened: when, where, what.

use std::fmt;
use std::time::Duration;

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::what::What;
use crate::blackboard::Blackboard;
use crate::tree::plan::{Arg, Plan};

/// Something that happened to one agent.
///
/// In JSON one object: `ns`, `poll`, `cmd` and what belongs to that; where it is about a node, also
/// `at` (the run of its tree, and its `idx` in the file), `tree`, `type` and `name`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a record, an object")]
pub struct Record<'a> {
    /// The time of the poll in nanoseconds, on the host's clock.
    pub ns: u64,
    /// The number of the poll, from 1; what happens between two polls has the number of the first.
    pub poll: u32,
    /// The node that it is about.
    #[serde(flatten)]
    pub at: Option<Place<'a>>,
    /// What.
    #[serde(flatten)]
    pub what: What<'a>,
}

impl Record<'_> {
    /// The time of the poll, on the host's clock.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.ns)
    }
}

/// A node of a tree that runs.
#[derive(Clone)]
pub struct Place<'a> {
    run: u32,
    node: Node<'a>,
}

#[derive(Clone)]
enum Node<'a> {
    Of(&'a Plan, u32),
    Told(Box<Told>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "a node: `at`, `tree`, `type` and `name`")]
struct Told {
    at: (u32, u32),
    #[serde(default)]
    tree: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
}

impl<'a> Place<'a> {
    pub(crate) fn of(plan: &'a Plan, run: u32, node: u32) -> Place<'a> {
        Place {
            run,
            node: Node::Of(plan, node),
        }
    }

    /// The same, for as long as anybody wants it.
    pub(crate) fn told(plan: &Plan, run: u32, node: u32) -> Place<'static> {
        let here = Place::of(plan, run, node);
        let told = Told {
            at: (run, here.idx()),
            tree: here.tree().to_owned(),
            kind: here.kind().to_owned(),
            name: here.name().to_owned(),
        };
        Place {
            run,
            node: Node::Told(Box::new(told)),
        }
    }

    /// A copy that stays.
    pub fn owned(&self) -> Place<'static> {
        match &self.node {
            Node::Of(plan, node) => Place::told(plan, self.run, *node),
            Node::Told(told) => Place {
                run: self.run,
                node: Node::Told(told.clone()),
            },
        }
    }

    /// The node's number in a plan, if it is one of that.
    #[inline]
    pub(crate) fn node_of(&self, plan: &Plan) -> Option<u32> {
        match self.node {
            Node::Of(of, node) => std::ptr::eq(of, plan).then_some(node),
            Node::Told(_) => None,
        }
    }

    /// The number of the run of its tree, from 0: trees may run more than once at a time.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// Its `idx` in the file.
    pub fn idx(&self) -> u32 {
        match &self.node {
            Node::Of(plan, node) => plan.info(*node).idx,
            Node::Told(told) => told.at.1,
        }
    }

    /// The run and the `idx`: what tells it from all other places.
    pub fn key(&self) -> (u32, u32) {
        (self.run, self.idx())
    }

    /// The name of its tree.
    pub fn tree(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => &plan.tree_of(*node).name,
            Node::Told(told) => &told.tree,
        }
    }

    /// The file's word for its kind.
    pub fn kind(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => plan.info(*node).kind,
            Node::Told(told) => &told.kind,
        }
    }

    /// The name of its action, event or tree; empty where it has none.
    pub fn name(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => &plan.info(*node).name,
            Node::Told(told) => &told.name,
        }
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.tree() == other.tree()
            && self.kind() == other.kind()
            && self.name() == other.name()
    }
}

/// "hunt.json: node 3 (action `chase`)".
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: node {} ({}", self.tree(), self.idx(), self.kind())?;
        match self.name() {
            "" => f.write_str(")"),
            name => write!(f, " `{name}`)"),
        }
    }
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} #{}", self.run)
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut place = serializer.serialize_struct("Place", 4)?;
        place.serialize_field("at", &self.key())?;
        place.serialize_field("tree", self.tree())?;
        place.serialize_field("type", self.kind())?;
        if !self.name().is_empty() {
            place.serialize_field("name", self.name())?;
        }
        place.end()
    }
}

impl<'de> Deserialize<'de> for Place<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let told = Box::<Told>::deserialize(deserializer)?;
        Ok(Place {
            run: told.at.0,
            node: Node::Told(told),
        })
    }
}

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
    Told(Vec<Value>),
}

impl<'a> Args<'a> {
    pub(crate) fn of(plan: &'a Plan, call: u32, board: &'a Blackboard) -> Args<'a> {
        Args(Given::Live { plan, call, board })
    }

    pub(crate) fn told(values: Vec<Value>) -> Args<'static> {
        Args(Given::Told(values))
    }

    /// The number of the call, while it runs; and whether its arguments are the same each time.
    pub(crate) fn call(&self) -> Option<(u32, bool)> {
        match &self.0 {
            Given::Live { plan, call, .. } => {
                let args = &plan.calls[*call as usize].args;
                Some((*call, !args.iter().any(|arg| matches!(arg, Arg::Key(..)))))
            }
            Given::Told(_) => None,
        }
    }

    /// The values, in the order of the signature.
    pub fn values(&self) -> Vec<Value> {
        match &self.0 {
            Given::Live { plan, call, board } => {
                let args = plan.calls[*call as usize].args.iter();
                args.map(|arg| arg.value(Some(board))).collect()
            }
            Given::Told(values) => values.clone(),
        }
    }
}

impl Arg {
    /// What is passed, as far as that is known without the agent.
    pub(crate) fn value(&self, board: Option<&Blackboard>) -> Value {
        match self {
            Arg::Literal(value) => value.clone(),
            Arg::Key(_, id) => board.and_then(|board| board.value(*id)).unwrap_or_default(),
            Arg::Property(name, _) => serde_json::json!({ "property": &**name }),
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
            Given::Told(values) => return values.serialize(serializer),
        };
        let args = &plan.calls[*call as usize].args;
        let mut list = serializer.serialize_seq(Some(args.len()))?;
        for arg in args {
            match arg {
                Arg::Literal(value) => list.serialize_element(value)?,
                Arg::Key(_, id) => list.serialize_element(&board.lent(*id).as_deref())?,
                Arg::Property(..) => list.serialize_element(&arg.value(None))?,
            }
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Args<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Args(Given::Told(Vec::deserialize(deserializer)?)))
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
