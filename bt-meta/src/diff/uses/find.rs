//! What a tree names: its agent, and in each node what it calls, reads, waits for and runs.
//!
//! The same places that [`bt_core::tree::check`] looks at, with the same meaning of names.

use bt_core::TreeAsset;
use bt_core::kinds::{Kind, Logic};
use bt_core::tree::asset::{AssetNode, Call, Caller, step};
use bt_core::tree::by_either_name;
use serde_json::Value;

use crate::catalogue::{MethodEntry, PropertyEntry, ValueEntry};
use crate::diff::arguments::find as argument;
use crate::diff::hit::Sort;
use crate::diff::side::{Found as Item, Item as Named, Own, Side};

/// What is found in a tree.
#[derive(Debug, Default)]
pub(super) struct Uses<'t> {
    pub(super) all: Vec<Found<'t>>,
    /// Why nothing could be found.
    pub(super) why_not: Option<String>,
}

/// Something that a node names.
#[derive(Debug)]
pub(super) struct Found<'t> {
    /// The full name of the tree's agent.
    pub(super) agent: &'t str,
    pub(super) node: u32,
    /// The JSON pointer of the name.
    pub(super) pointer: String,
    pub(super) is: Is<'t>,
}

/// What it is.
#[derive(Debug)]
pub(super) enum Is<'t> {
    /// The tree's agent, as it is spelt.
    Agent(&'t str),
    /// A node of this kind.
    Kind(&'t str),
    /// A tree of the agent of this full name.
    Runs(String),
    /// A method that nothing registers.
    Unknown,
    Item {
        sort: Sort,
        from: &'t str,
        name: &'t str,
        spelled: &'t str,
        calling: Calling,
        given: Vec<Given<'t>>,
    },
}

/// How it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calling {
    Called,
    Asked,
    AtOnce,
    Waits,
    Reads,
}

/// An argument that is given.
#[derive(Debug)]
pub(super) struct Given<'t> {
    /// Its place in the old list.
    pub(super) at: usize,
    /// Its name, if it is given by that.
    pub(super) name: Option<&'t str>,
    pub(super) pointer: String,
    /// The value, if it is written out.
    pub(super) plain: Option<&'t Value>,
}

/// Everything that a tree names; `trees` are those that it may run.
pub(super) fn find<'t>(
    tree: &'t TreeAsset,
    old: &'t Side<'t>,
    trees: &[Option<TreeAsset>],
) -> Uses<'t> {
    let spelled = tree.agent().unwrap_or_default();
    let agent = old.agent(spelled);
    let mut walk = Walk {
        tree,
        old,
        agent,
        trees,
        node: tree.root().idx(),
        uses: Uses::default(),
    };
    if let Some(agent) = agent {
        let pointer = walk.pointer("extra/agent_name");
        walk.add(pointer, Is::Agent(spelled));
        debug_assert_eq!(walk.uses.all[0].agent, agent.full_name());
    } else {
        walk.uses.why_not = Some(format!(
            "of what its nodes call nothing was looked for: {}",
            match spelled {
                "" => "it names no agent".to_owned(),
                name => format!("the old catalogue has no agent `{name}`"),
            }
        ));
    }
    for node in tree.nodes() {
        walk.node = node.idx();
        walk.node(node);
    }
    walk.uses
}

/// A tree that is gone through, a node at a time.
pub(super) struct Walk<'t, 'a> {
    tree: &'t TreeAsset,
    pub(super) old: &'t Side<'t>,
    pub(super) agent: Option<&'t Own<'t>>,
    trees: &'a [Option<TreeAsset>],
    node: u32,
    uses: Uses<'t>,
}

impl<'t> Walk<'t, '_> {
    /// The JSON pointer of something in the node.
    fn pointer(&self, below: &str) -> String {
        self.tree.pointer(self.node).unwrap_or_default() + "/" + below
    }

    fn add(&mut self, pointer: String, is: Is<'t>) {
        self.uses.all.push(Found {
            agent: self.agent.map_or("", Own::full_name),
            node: self.node,
            pointer,
            is,
        });
    }

    fn node(&mut self, node: &'t AssetNode) {
        let kind = self.pointer("type");
        self.add(kind, Is::Kind(&node.kind));
        for call in node.calls() {
            self.call(node, &call);
        }
        let extra = &node.extra;
        let at = self.pointer("extra");
        match node.kind.as_str() {
            "wait_event" => self.event(&at, extra),
            "sub_tree" => {
                self.runs(format!("{at}/sub_tree_name"), extra.get("sub_tree_name"));
                let args = extra.get("args").and_then(Value::as_object);
                for (key, value) in args.into_iter().flatten() {
                    self.property(&format!("{at}/args/{}", step(key)), value);
                }
            }
            _ => {}
        }
        let events = extra.get("events").and_then(Value::as_array);
        for (i, event) in events.into_iter().flatten().enumerate() {
            let Some(event) = event.as_object() else {
                continue;
            };
            let at = format!("{at}/events/{i}");
            self.event(&at, event);
            self.runs(format!("{at}/tree"), event.get("tree"));
        }
    }

    fn calling(&self, node: &AssetNode, call: &Call<'_>) -> Calling {
        match call.caller {
            Caller::Guard | Caller::ResetIf => Calling::Asked,
            Caller::Effect | Caller::Service => Calling::AtOnce,
            Caller::Condition => Calling::Asked,
            Caller::Action if self.is_asked(node) => Calling::Asked,
            Caller::Action | Caller::Decorator => Calling::Called,
        }
    }

    /// Whether an `and` or an `or` asks it.
    fn is_asked(&self, node: &AssetNode) -> bool {
        let above = |node: &AssetNode| self.tree.node(node.parent()?);
        let mut parents = std::iter::successors(above(node), |node| above(node));
        let logic = |node: &AssetNode| Kind::named(&node.kind).map(|kind| kind.about().logic);
        let asks = parents.find(|node| logic(node) != Some(Logic::Inverts));
        matches!(asks.and_then(logic), Some(Logic::Asks(_)))
    }

    fn call(&mut self, node: &AssetNode, call: &Call<'t>) {
        let args = call.args().unwrap_or_default();
        let at = self.tree.pointer(self.node).unwrap_or_default();
        let at_args = at.clone() + &call.args_pointer();
        for (i, arg) in args.iter().enumerate() {
            self.property(&format!("{at_args}/{i}"), arg);
        }
        let (Some(name), Some(agent)) = (call.name(), self.agent) else {
            return;
        };
        let pointer = at + &call.name_pointer();
        let Some(found) = self.old.find::<MethodEntry>(agent, name) else {
            return self.add(pointer, Is::Unknown);
        };
        let method = found.entry;
        let given: Vec<_> = args
            .iter()
            .enumerate()
            .filter_map(|(i, arg)| given(&method.args, &at_args, i, arg))
            .collect();
        if method.item.name == "fire_event" && method.item.package == "bt-core" {
            self.fired(&at_args, args, &given);
        }
        let calling = self.calling(node, call);
        self.item(pointer, name, found, calling, given);
    }

    pub(super) fn item<T: Named>(
        &mut self,
        pointer: String,
        spelled: &'t str,
        found: Item<'t, 't, T>,
        calling: Calling,
        given: Vec<Given<'t>>,
    ) {
        let is = Is::Item {
            sort: T::SORT,
            from: found.from.full_name(),
            name: &found.entry.item().name,
            spelled,
            calling,
            given,
        };
        self.add(pointer, is);
    }

    /// A property that an argument takes its value from.
    fn property(&mut self, at: &str, arg: &'t Value) {
        if arg.get("arg_type").and_then(Value::as_str) != Some("property") {
            return;
        }
        let name = arg.get("arg_value").and_then(Value::as_str);
        let (Some(name), Some(agent)) = (name, self.agent) else {
            return;
        };
        if let Some(found) = self.old.find::<PropertyEntry>(agent, name) {
            self.item(
                format!("{at}/arg_value"),
                name,
                found,
                Calling::Reads,
                Vec::new(),
            );
        }
    }

    /// Another tree.
    fn runs(&mut self, pointer: String, name: Option<&'t Value>) {
        let Some(name) = name.and_then(Value::as_str) else {
            return;
        };
        let trees = || self.trees.iter().flatten();
        let other = by_either_name(name, |name| trees().find(|tree| tree.name() == name));
        let agent = other.and_then(|tree| self.old.agent(tree.agent()?));
        if let Some(agent) = agent {
            self.add(pointer, Is::Runs(agent.full_name().to_owned()));
        }
    }
}

/// Which argument an item of the list is.
fn given<'t>(args: &[ValueEntry], at: &str, i: usize, item: &'t Value) -> Option<Given<'t>> {
    let name = item.get("arg_name").and_then(Value::as_str);
    let place = match name {
        Some(name) => argument(args, name)?,
        None => i,
    };
    Some(Given {
        at: place,
        name,
        pointer: format!("{at}/{i}"),
        plain: plain(item),
    })
}

/// The value of an argument that is written out.
pub(super) fn plain(arg: &Value) -> Option<&Value> {
    let is_plain = arg.get("arg_type").and_then(Value::as_str) == Some("plain");
    arg.get("arg_value").filter(|_| is_plain)
}
