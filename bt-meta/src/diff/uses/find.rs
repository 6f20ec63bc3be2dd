//! The names that a tree uses: its agent, and in each node its calls, reads, waits and trees.
//!
//! The same places that [`bt_core::tree::check`] looks at, with the same meaning of names.

use bt_core::TreeAsset;
use bt_core::expression::{Named, names};
use bt_core::kinds::attached::{Abort, Guard};
use bt_core::kinds::call::{Argument, Call};
use bt_core::kinds::values::{Formula, Name};
use bt_core::kinds::{Caller, Kind, Logic, Path, Use};
use bt_core::tree::asset::AssetNode;
use bt_core::tree::by_either_name;
use serde_json::Value;

use crate::catalogue::{MethodEntry, PropertyEntry, ValueEntry};
use crate::diff::arguments::find as argument;
use crate::diff::hit::Sort;
use crate::diff::side::{Found as Item, Item as OfAgent, Own, Side};

/// The uses that a tree has.
#[derive(Debug, Default)]
pub(super) struct Uses<'t> {
    pub(super) all: Vec<Found<'t>>,
    /// The reason why nothing could be found.
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

/// The thing that is used.
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

/// The way in which it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calling {
    Called,
    Asked,
    /// By a guard that aborts, and evaluates it again for no other reason than what the condition takes.
    Followed,
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
            "its calls were not searched: {}",
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
        let at = self.tree.pointer(self.node).unwrap_or_default();
        node.uses(&mut |path, used| match used {
            Use::Call(caller, call) => {
                let calling = self.calling(node, caller);
                self.call(&at, path, caller, calling, call);
            }
            Use::Writes(_, writes) => {
                for (target, Formula(text)) in &writes.0 {
                    let pointer = at.clone() + &path.key(target).pointer();
                    self.expression(pointer.clone(), target, Calling::Asked);
                    self.expression(pointer, text, Calling::Asked);
                }
            }
            Use::Guard(_, guard) if let Some(formula) = guard.formula => {
                let reads = |(named, ..): &(Named, _, _)| *named == Named::Property;
                let calling = match is_followed(guard) && !names(formula.0).iter().any(reads) {
                    true => Calling::Followed,
                    false => Calling::Asked,
                };
                let pointer = at.clone() + &path.key("if").pointer();
                self.expression(pointer, formula.0, calling);
            }
            // With its guard.
            Use::Expression(Caller::Guard | Caller::ResetIf, _) => {}
            Use::Expression(
                Caller::Action
                | Caller::Condition
                | Caller::Decorator
                | Caller::Composite
                | Caller::Effect
                | Caller::Service,
                formula,
            )
            | Use::Value(_, formula) => {
                self.expression(at.clone() + &path.pointer(), formula.0, Calling::Asked)
            }
            Use::Guard(caller, guard) => {
                let calling = match is_followed(guard) {
                    true => Calling::Followed,
                    false => Calling::Asked,
                };
                self.call(&at, path, caller, calling, &guard.condition);
            }
            Use::Number(argument, _) => self.property(&at, path, argument),
            Use::Event(event, params) => self.event(&at, path, event, params),
            Use::Starts(event) => {
                self.event(&at, path, event.event, &event.params);
                self.runs(at.clone() + &path.key("tree").pointer(), event.tree);
            }
            Use::Tree(tree) => {
                let pointer = at.clone() + &path.key("sub_tree_name").pointer();
                self.runs(pointer, tree.sub_tree_name.unwrap_or_default());
                let path = path.key("args");
                for (key, argument) in &tree.args.0 {
                    if let Some(argument) = argument {
                        self.property(&at, &path.key(key), argument);
                    }
                }
            }
        });
    }

    fn calling(&self, node: &AssetNode, caller: Caller) -> Calling {
        match caller {
            Caller::Guard | Caller::ResetIf => Calling::Asked,
            Caller::Effect | Caller::Service => Calling::AtOnce,
            Caller::Condition => Calling::Asked,
            Caller::Action if self.is_asked(node) => Calling::Asked,
            Caller::Action | Caller::Decorator | Caller::Composite => Calling::Called,
        }
    }

    /// Returns true if an `and` or an `or` asks it.
    fn is_asked(&self, node: &AssetNode) -> bool {
        let above = |node: &AssetNode| self.tree.node(node.parent()?);
        let mut parents = std::iter::successors(above(node), |node| above(node));
        let logic = |node: &AssetNode| Kind::named(&node.kind).map(|kind| kind.about().logic);
        let asks = parents.find(|node| logic(node) != Some(Logic::Inverts));
        matches!(asks.and_then(logic), Some(Logic::Asks(_)))
    }

    fn call(
        &mut self,
        at: &str,
        path: &Path<'_>,
        caller: Caller,
        calling: Calling,
        call: &Call<'t>,
    ) {
        let (name_key, args_key) = caller.keys();
        let args = call.args.all().unwrap_or_default();
        let at_args = path.key(args_key);
        for (i, arg) in args.iter().enumerate() {
            self.property(at, &at_args.item(i), arg);
        }
        let Some(agent) = self.agent.filter(|_| !call.name.is_empty()) else {
            return;
        };
        let pointer = at.to_owned() + &path.key(name_key).pointer();
        let Some(found) = self.old.find::<MethodEntry>(agent, call.name) else {
            return self.add(pointer, Is::Unknown);
        };
        let method = found.entry;
        let given: Vec<_> = args
            .iter()
            .enumerate()
            .filter_map(|(i, arg)| {
                let pointer = at.to_owned() + &at_args.item(i).pointer();
                given(&method.args, pointer, i, arg)
            })
            .collect();
        if method.item.name == "fire_event" && method.item.package == "bt-core" {
            self.fired(&given);
        }
        self.item(pointer, call.name, found, calling, given);
    }

    pub(super) fn item<T: OfAgent>(
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

    /// A property that an argument takes its value from, or an expression.
    fn property(&mut self, at: &str, path: &Path<'_>, arg: &Argument<'t>) {
        if let Some(text) = arg.expression() {
            let pointer = at.to_owned() + &path.key("arg_value").pointer();
            self.expression(pointer, text, Calling::Asked);
        }
        let (Some(name), Some(agent)) = (arg.property(), self.agent) else {
            return;
        };
        if let Some(found) = self.old.find::<PropertyEntry>(agent, name) {
            let pointer = at.to_owned() + &path.key("arg_value").pointer();
            self.item(pointer, name, found, Calling::Reads, Vec::new());
        }
    }

    /// The names in an expression.
    fn expression(&mut self, pointer: String, text: &'t str, calling: Calling) {
        let Some(agent) = self.agent else { return };
        for (named, name, at) in names(text) {
            let spelled = &text[at.from as usize..at.to as usize];
            match named {
                Named::Key => {}
                Named::Property => {
                    if let Some(found) = self.old.find::<PropertyEntry>(agent, &name) {
                        let spelled = spelled.trim_start_matches('@');
                        self.item(pointer.clone(), spelled, found, Calling::Reads, Vec::new());
                    }
                }
                Named::Method => match self.old.find::<MethodEntry>(agent, &name) {
                    Some(found) => self.item(pointer.clone(), spelled, found, calling, Vec::new()),
                    None => self.add(pointer.clone(), Is::Unknown),
                },
            }
        }
    }

    /// Another tree.
    fn runs(&mut self, pointer: String, Name(name): Name<'_>) {
        let trees = || self.trees.iter().flatten();
        let other = by_either_name(name, |name| trees().find(|tree| tree.name() == name));
        let agent = other.and_then(|tree| self.old.agent(tree.agent()?));
        if let Some(agent) = agent {
            self.add(pointer, Is::Runs(agent.full_name().to_owned()));
        }
    }
}

/// Returns true if a guard aborts, and neither its own words nor a property let it be evaluated every poll.
fn is_followed(guard: &Guard<'_>) -> bool {
    let mut args = guard.condition.args.all().unwrap_or_default().iter();
    guard.abort != Abort::None && guard.mode.is_none() && args.all(|arg| arg.property().is_none())
}

/// The argument of an item of the list.
fn given<'t>(
    args: &[ValueEntry],
    pointer: String,
    i: usize,
    item: &Argument<'t>,
) -> Option<Given<'t>> {
    Some(Given {
        at: match item.name() {
            Some(name) => argument(args, name)?,
            None => i,
        },
        name: item.name(),
        pointer,
        plain: item.plain(),
    })
}
