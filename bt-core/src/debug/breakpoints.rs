//! Breakpoints of one agent, or of many: what a record may meet is found without a look at the others.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::breakpoint::{Breakpoint, On};
use crate::trace::{Place, What};

/// Breakpoints of one agent, or of many: they never change, and copies share them.
///
/// ```
/// use bt_core::debug::{Breakpoint, Breakpoints, Condition, Hits, On};
/// use serde_json::json;
///
/// let low = Breakpoint::new(1, On::Key { name: "health".to_owned() })
///     .when("health < 10".parse::<Condition>()?)
///     .hits(Hits::AtLeast(3));
/// let all = Breakpoints::new([low]);
/// let text = json!([{
///     "id": 1, "on": "key", "name": "health",
///     "condition": {"key": "health", "op": "<", "value": 10},
///     "hits": {"at_least": 3},
/// }]);
/// assert_eq!(serde_json::to_value(&all)?, text);
/// assert_eq!(serde_json::from_value::<Breakpoints>(text)?, all);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Breakpoints(Box<[Arc<Part>]>);

impl Breakpoints {
    /// A set of breakpoints. Of several that are met at once the first one says why the agent stops.
    pub fn new(all: impl IntoIterator<Item = Breakpoint>) -> Breakpoints {
        let part = Part::new(all.into_iter().collect());
        Breakpoints(
            std::iter::once(part)
                .filter(|part| !part.all.is_empty())
                .map(Arc::new)
                .collect(),
        )
    }

    /// The breakpoints of several sets, one set after the other. They are shared with those sets, not copied.
    ///
    /// ```
    /// use bt_core::debug::{Breakpoint, Breakpoints, On};
    ///
    /// let on = |id, name: &str| Breakpoint::new(id, On::Call { name: name.to_owned() });
    /// let for_all = Breakpoints::new([on(1, "bark")]);
    /// let own = Breakpoints::new([on(2, "howl")]);
    /// let both = Breakpoints::joined([&for_all, &own]);
    /// assert!(both.iter().map(|one| one.id).eq([1, 2]));
    /// ```
    pub fn joined<'b>(sets: impl IntoIterator<Item = &'b Breakpoints>) -> Breakpoints {
        Breakpoints(sets.into_iter().flat_map(|set| &set.0).cloned().collect())
    }

    /// The breakpoints, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Breakpoint> {
        self.0.iter().flat_map(|part| &part.all)
    }

    /// The number of there that are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|part| part.all.len()).sum()
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The breakpoint of that number.
    pub(crate) fn by_id(&self, id: u64) -> Option<&Breakpoint> {
        self.0.iter().find_map(|part| part.by_id(id))
    }

    /// Shows those that a record meets, whether or not their conditions hold.
    pub(crate) fn each_met(
        &self,
        at: Option<&Place<'_>>,
        what: &What<'_>,
        mut see: impl FnMut(&Breakpoint),
    ) {
        for part in &self.0 {
            part.each_met(at, what, &mut see);
        }
    }
}

impl PartialEq for Breakpoints {
    fn eq(&self, other: &Breakpoints) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Serialize for Breakpoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Breakpoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Breakpoints, D::Error> {
        Vec::deserialize(deserializer).map(Breakpoints::new)
    }
}

/// Breakpoints that were given together, and where in them is what.
#[derive(Debug, Default)]
struct Part {
    all: Box<[Breakpoint]>,
    /// The places of those that are about a node, in the order of the nodes.
    nodes: Box<[u32]>,
    /// The places of those that are about a name, in their order.
    names: BTreeMap<Box<str>, Vec<u32>>,
    /// The places of those on an expression.
    expressions: Box<[u32]>,
    ids: Box<[(u64, u32)]>,
}

impl Part {
    fn new(all: Box<[Breakpoint]>) -> Part {
        let places = || all.iter().zip(0..);
        let nodes = places().filter(|(one, _)| one.on.node().is_some());
        let mut nodes: Box<[u32]> = nodes.map(|(_, place)| place).collect();
        nodes.sort_by_key(|place| all[*place as usize].on.node());
        let mut names: BTreeMap<Box<str>, Vec<u32>> = BTreeMap::new();
        for (one, place) in places() {
            for name in one.on.names() {
                names.entry(name.into()).or_default().push(place);
            }
        }
        let expressions = places().filter(|(one, _)| matches!(one.on, On::Expression { .. }));
        let expressions = expressions.map(|(_, place)| place).collect();
        let mut ids: Box<[_]> = places().map(|(one, place)| (one.id, place)).collect();
        ids.sort_unstable();
        Part {
            nodes,
            names,
            expressions,
            ids,
            all,
        }
    }

    fn by_id(&self, id: u64) -> Option<&Breakpoint> {
        let found = self.ids.partition_point(|(known, _)| *known < id);
        let (known, place) = self.ids.get(found)?;
        (*known == id).then(|| &self.all[*place as usize])
    }

    fn each_met(&self, at: Option<&Place<'_>>, what: &What<'_>, see: &mut impl FnMut(&Breakpoint)) {
        let of_node = || at.map_or(&[][..], |at| self.about_node((at.idx(), at.tree())));
        let (nodes, name) = match what {
            What::NodeEnter | What::NodeLeave { .. } => (of_node(), None),
            What::Guard { call, .. } => (of_node(), Some(&**call)),
            What::NodeAction { call, .. } => (&[][..], Some(&**call)),
            What::BbSet { key, .. } | What::BbRemove { key } => (&[][..], Some(&**key)),
            What::PropertySet { property, .. } => (&[][..], Some(&**property)),
            What::EventFired { event, .. }
            | What::EventConsumed { event, .. }
            | What::EventKept { event }
            | What::EventDropped { event } => (&[][..], Some(&**event)),
            // What an expression reads is unset now.
            What::BbClear => (&*self.expressions, None),
            What::PollBegin
            | What::Snapshot(_)
            | What::PushTree { .. }
            | What::Reset
            | What::Because { .. }
            | What::Waits(_)
            | What::Woken { .. }
            | What::TreeSwitched { .. }
            | What::Control { .. }
            | What::Stands(_)
            | What::Explains { .. }
            | What::Reload { .. }
            | What::Diagnostic { .. }
            | What::Note { .. } => return,
        };
        let named = name.map_or(&[][..], |name| self.about_name(name));
        // A running tree's own key is `key@run`.
        let key = name.and_then(|name| Some(name.split_once('@')?.0));
        let own = key.map_or(&[][..], |key| self.about_name(key));
        let mut places = nodes.iter().chain(named).chain(own);
        let is_one = nodes.is_empty() && own.is_empty() || named.is_empty() && own.is_empty();
        let mut look = |place: &u32| {
            let one = &self.all[*place as usize];
            if one.on.is_met(at, what) {
                see(one);
            }
        };
        if is_one {
            return places.for_each(look);
        }
        let mut all: Vec<u32> = places.by_ref().copied().collect();
        all.sort_unstable();
        all.iter().for_each(&mut look);
    }

    fn about_node(&self, node: (u32, &str)) -> &[u32] {
        let about = |place: &u32| self.all[*place as usize].on.node();
        let from = self
            .nodes
            .partition_point(|place| about(place) < Some(node));
        let rest = &self.nodes[from..];
        &rest[..rest.partition_point(|place| about(place) == Some(node))]
    }

    fn about_name(&self, name: &str) -> &[u32] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::asset::spec::{action, sequence};
    use crate::{TreeAsset, TreeSet};

    /// Whatever a record is, it meets those that are met one by one.
    #[test]
    fn index_finds_what_a_look_at_each_finds() {
        let tree = || "t".to_owned();
        let named = |name: &str| {
            let name = name.to_owned();
            [
                On::Call { name: name.clone() },
                On::Key { name: name.clone() },
                On::Property { name: name.clone() },
                On::Event { name },
            ]
        };
        let mut ons = Vec::new();
        for idx in [2, 1, 2] {
            ons.extend(named("a"));
            ons.extend([
                On::Enter { tree: tree(), idx },
                On::Exit {
                    tree: "other".to_owned(),
                    idx,
                },
                On::Guard {
                    tree: tree(),
                    idx,
                    holds: None,
                },
            ]);
            ons.extend(named("a@1"));
            ons.extend(
                ["$a > @a", "has($b)", "@a == 1"].map(|text| On::Expression {
                    text: text.to_owned(),
                }),
            );
        }
        let of = |ons: &[On], from: u64| {
            let ids = from..;
            Breakpoints::new(
                ons.iter()
                    .zip(ids)
                    .map(|(on, id)| Breakpoint::new(id, on.clone())),
            )
        };
        let (first, second) = (of(&ons, 0), of(&ons[3..9], 100));
        let all = Breakpoints::joined([&first, &second]);
        let mut trees = TreeSet::<crate::builtin::ActionAgent>::new();
        let top = sequence([action("nop")]);
        trees.add(TreeAsset::build("t", "action_agent", top));
        let trees = trees.build().unwrap();
        let plan = &trees.0.plan;
        let place = |node| Place::of(plan, 0, node);
        let guard = What::Guard {
            call: "a".into(),
            args: Vec::new().into(),
            not: false,
            number: 0,
            own: false,
            holds: true,
        };
        let seen = [
            (Some(place(2)), What::NodeEnter),
            (Some(place(1)), What::NodeEnter),
            (Some(place(2)), guard),
            (None, What::BbRemove { key: "a".into() }),
            (None, What::BbRemove { key: "a@1".into() }),
            (None, What::EventKept { event: "a".into() }),
            (None, What::EventKept { event: "b".into() }),
            (None, What::BbClear),
        ];
        for (at, what) in &seen {
            let mut found = Vec::new();
            all.each_met(at.as_ref(), what, |one| found.push(one.id));
            let each = all.iter().filter(|one| one.on.is_met(at.as_ref(), what));
            assert_eq!(
                found,
                each.map(|one| one.id).collect::<Vec<_>>(),
                "{what:?}"
            );
        }
        assert_eq!(all.by_id(103).map(|one| one.id), Some(103));
        assert_eq!(
            (all.by_id(99), all.len()),
            (None, first.len() + second.len())
        );
    }
}
