//! A built set of trees without the agent: flat, shared by all that run it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::Event;
use crate::blackboard::{KeyId, KeyTable, Scope};
use crate::kinds::number::NumberRule;
use crate::kinds::{Amount, Group, Kind, Long, NumberSlot, Planned};
pub(crate) use crate::kinds::{Ask, Given};
/// No node: what is above a tree's root.
pub(crate) use crate::node::NONE;
use crate::node::{Named, Nodes};
use crate::registry::EventInfo;

/// All trees of a set, their nodes in one array: each tree's in preorder, one tree after another.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: Box<[Node]>,
    /// The parts of nodes that are needed more rarely, by the same numbers.
    pub(crate) infos: Box<[Info]>,
    pub(crate) trees: Box<[PlanTree]>,
    /// The calls of nodes, by the numbers of the calls.
    pub(crate) calls: Box<[Call]>,
    pub(crate) by_name: FxHashMap<Box<str>, u32>,
    /// The events that nodes wait for or take.
    pub(crate) events: FxHashMap<Box<str>, u32>,
    /// The events that the agent registers, by the names that they have and once had.
    pub(crate) registered: BTreeMap<Box<str>, EventInfo>,
    /// True if some node waits for an event that came before, by the event's number.
    pub(crate) latched: Box<[bool]>,
    /// True if any node takes events for another tree.
    pub(crate) takes_events: bool,
    /// True if any tree or node has keys of its own.
    pub(crate) scoped: bool,
    /// True if any tree says how much time is between two turns.
    pub(crate) paced: bool,
    pub(crate) keys: Arc<KeyTable>,
}

/// A node, as far as every visit needs it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Planned,
    /// The next step of the walk after a failure, and after a success.
    pub(crate) next: [Go; 2],
    /// The first node that is not below it: its next sibling, if that is below its parent.
    pub(crate) end: u32,
    /// True if it has guards, effects, services or events.
    pub(crate) attached: bool,
    /// True if its action has an exit method.
    pub(crate) exits: bool,
    /// True if entering it takes more than its kind says: something is attached to it, its action has an exit
    /// method, or keys are seen from it that others do not see.
    pub(crate) slow: bool,
}

/// The next step of a walk from a node that has ended: found in advance as far as the nodes above are of the
/// kinds that have nothing to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Go(u32);

impl Go {
    const UP: u32 = 1 << 31;
    const SUCCESS: u32 = 1 << 30;

    /// That node is entered.
    pub(crate) fn enter(node: u32) -> Go {
        Go(node)
    }

    /// That node has ended so, and its parent has to learn of it.
    pub(crate) fn up(node: u32, success: bool) -> Go {
        Go(node | Go::UP | if success { Go::SUCCESS } else { 0 })
    }

    /// The node that is entered; else the one that has ended, and how.
    #[inline]
    pub(crate) fn take(self) -> Result<u32, (u32, bool)> {
        if self.0 & Go::UP == 0 {
            return Ok(self.0);
        }
        Err((self.0 & !(Go::UP | Go::SUCCESS), self.0 & Go::SUCCESS != 0))
    }
}

/// The parts of a node that are needed more rarely.
#[derive(Debug)]
pub(crate) struct Info {
    /// [`NONE`] of a root.
    pub(crate) parent: u32,
    /// Its number in the file.
    pub(crate) idx: u32,
    /// Its line, if the file is a script.
    pub(crate) line: Option<NonZeroU32>,
    pub(crate) tree: u32,
    /// The scope in which the keys that it sees are declared.
    pub(crate) scope: Scope,
    /// The file's word for its kind.
    pub(crate) kind: &'static str,
    /// The name of its action, event or tree.
    pub(crate) name: Cow<'static, str>,
    /// The meaning of the node in its file, but for its `idx` and its children, as one number.
    pub(crate) meaning: u64,
    pub(crate) attached: Option<Box<Attached>>,
}

/// A call for people: the runner has it bound.
#[derive(Debug)]
pub(crate) struct Call {
    /// The method's present name.
    pub(crate) name: Cow<'static, str>,
    /// In the order of its signature.
    pub(crate) args: Box<[Arg]>,
    /// True if its exit method takes arguments.
    pub(crate) exit_takes: bool,
    pub(crate) has_exit: bool,
    /// It is asked in every turn what runs next.
    pub(crate) asks_running: bool,
    /// True if the name is the text of an expression, and the arguments are the keys and properties in it.
    pub(crate) is_expression: bool,
}

/// The source of an argument.
#[derive(Debug)]
pub(crate) enum Arg {
    Literal(Value),
    Key(Box<str>, KeyId),
    /// With the slot into which it is read for each call.
    Property(Box<str>, KeyId),
    /// With the slot into which it is evaluated for each call.
    Expression(Box<Computed>),
}

/// An expression whose value is an argument.
#[derive(Debug)]
pub(crate) struct Computed {
    pub(crate) text: Box<str>,
    pub(crate) slot: KeyId,
    /// The keys that are written in it.
    pub(crate) keys: Box<[KeyId]>,
    /// It reads no agent and no world.
    pub(crate) by_keys: bool,
}

/// The attachments of a node.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    pub(crate) guards: Box<[Guard]>,
    pub(crate) effects: Effects,
    pub(crate) services: Box<[Service]>,
    /// The numbers of it and of its services that are read while it runs.
    pub(crate) numbers: Box<[Number]>,
    pub(crate) events: Box<[Taken]>,
}

/// A condition that must hold.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) ask: Ask,
    /// Aborts its node when it no longer holds.
    pub(crate) own: bool,
    /// Aborts the sibling to the right when it begins to hold.
    pub(crate) lower: bool,
}

/// Calls around a node; their results are ignored.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) enter: Box<[u32]>,
    pub(crate) success: Box<[u32]>,
    pub(crate) failure: Box<[u32]>,
    /// After those of a failure.
    pub(crate) aborted: Box<[u32]>,
    pub(crate) exit: Box<[u32]>,
}

/// A call at entry, and then again and again.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) call: u32,
    /// In nanoseconds.
    pub(crate) every: Amount<Long>,
}

/// A number that is read while its node runs.
#[derive(Debug)]
pub(crate) struct Number {
    pub(crate) slot: NumberSlot,
    pub(crate) given: Given,
    /// Its source as an expression would write it.
    pub(crate) text: Box<str>,
    pub(crate) wanted: NumberRule,
    /// There are no more than the node has children.
    pub(crate) counts_children: bool,
    /// It is read on entry, and kept until the node ends.
    pub(crate) is_kept: bool,
}

impl Number {
    /// The number that a value is, which is no more than there are children if it counts those.
    pub(crate) fn of(&self, value: &Value, children: u32) -> Result<u64, String> {
        match self.wanted.read(value)? {
            number if self.counts_children && number > children.into() => {
                let found = crate::decode::shown(value);
                let s = if children == 1 { "child" } else { "children" };
                Err(format!(
                    "expected no more than its {children} {s}, found {found}"
                ))
            }
            number => Ok(number),
        }
    }
}

/// An event that makes the agent run another tree.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) event: u32,
    pub(crate) tree: u32,
    pub(crate) comes_back: bool,
    pub(crate) once: bool,
    /// The keys for the parameters, as the node sees them.
    pub(crate) params: Box<[(Box<str>, KeyId)]>,
    /// The same of keys of tree scope that the event's tree declares.
    pub(crate) own: Box<[(Box<str>, Box<str>)]>,
}

/// One tree of the set.
#[derive(Debug)]
pub(crate) struct PlanTree {
    /// Shared with what a reload says of its nodes.
    pub(crate) name: Arc<str>,
    pub(crate) root: u32,
    /// The meaning of its file, as one number.
    pub(crate) hash: u64,
    /// The same without the numbers of its nodes.
    pub(crate) shape: u64,
    /// True if it begins again when it has ended; the runner may set another rule.
    pub(crate) again: bool,
    /// The time between two turns, in nanoseconds; 0 for a turn in every poll. The runner may set another.
    pub(crate) every: u64,
    pub(crate) scope: Scope,
    /// True if it, or a node of it, has keys of its own.
    pub(crate) scoped: bool,
    /// The nodes that its file disables, and that are not in the plan, by their `idx`.
    pub(crate) disabled: Box<[u32]>,
}

impl Node {
    /// The next step of a walk after a child of this node has ended, and has that sibling.
    fn way(&self, child: u32, success: bool, next: Option<u32>) -> Go {
        let result = match (&self.kind, next) {
            (Planned::Sequence, Some(next)) if success => return Go::enter(next),
            (Planned::Select, Some(next)) if !success => return Go::enter(next),
            (Planned::Sequence | Planned::Select | Planned::Root, _) => success,
            (Planned::Negative, _) => !success,
            (Planned::Always(result), _) => *result,
            _ => return Go::up(child, success),
        };
        self.next[usize::from(result)]
    }
}

impl Nodes for Plan {
    fn node(&self, number: u32) -> Option<Named<'_>> {
        if number as usize >= self.nodes.len() {
            return None;
        }
        let info = self.info(number);
        Some(Named {
            tree: &self.tree_of(number).name,
            idx: info.idx,
            kind: info.kind,
            name: &info.name,
        })
    }

    fn place(&self, number: u32) -> String {
        Plan::place(self, number)
    }
}

impl Plan {
    /// Of an event that the agent does not register though it registers others: "; did you mean `never`?",
    /// or nothing if no name is near.
    pub(crate) fn not_registered(&self, name: &str) -> Option<String> {
        if self.registered.is_empty() || self.registered.contains_key(name) {
            return None;
        }
        let known = self.registered.keys().map(|known| &**known);
        Some(crate::text::suggest(name, known))
    }

    /// The number of an event that is kept for whoever waits next; why not, if nobody may.
    pub(crate) fn latched_event(&self, name: &str) -> Result<u32, String> {
        let number = self.events.get(name).copied();
        number
            .filter(|number| self.latched[*number as usize])
            .ok_or_else(|| {
                let name = crate::text::name(name);
                format!("event `{name}` was kept for who waits next: nobody does any more")
            })
    }

    /// Shared, and known to its keys: a call finds the names of its node through its blackboard, which
    /// costs a call nothing that does not ask.
    pub(crate) fn shared(mut self) -> Arc<Plan> {
        Arc::new_cyclic(|plan| {
            if let Some(keys) = Arc::get_mut(&mut self.keys) {
                let nodes: Weak<Plan> = plan.clone();
                keys.set_nodes(nodes);
            }
            self
        })
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The node above; [`NONE`] of a root.
    pub(crate) fn parent(&self, node: u32) -> u32 {
        self.info(node).parent
    }

    /// Works out where a walk goes from each node of a tree.
    pub(crate) fn find_ways(nodes: &mut [Node], infos: &[Info], root: u32) {
        for node in root..nodes.len() as u32 {
            for success in [false, true] {
                let parent = infos[node as usize].parent;
                let way = match nodes.get(parent as usize) {
                    Some(above) if !above.attached => {
                        let next = nodes[node as usize].end;
                        let next = (next < above.end).then_some(next);
                        above.way(node, success, next)
                    }
                    _ => Go::up(node, success),
                };
                nodes[node as usize].next[usize::from(success)] = way;
            }
        }
    }

    /// The scope of the keys that a node's guards see.
    pub(crate) fn outer_scope(&self, node: u32) -> Scope {
        match self.infos.get(self.parent(node) as usize) {
            Some(parent) => parent.scope,
            None => self.tree_of(node).scope,
        }
    }

    /// Checks the parameters of an event that was fired, if the agent registers it.
    pub(crate) fn check_event(&self, event: &mut Event) -> Result<(), String> {
        let Some(registered) = self.registered.get(event.name()) else {
            return Ok(());
        };
        let checked = registered.check(event);
        checked.map_err(|why| format!("event `{}` is not delivered: {why}", event.name()))
    }

    pub(crate) fn info(&self, node: u32) -> &Info {
        &self.infos[node as usize]
    }

    /// The attachments of a node; empty for most.
    pub(crate) fn attached(&self, node: u32) -> Option<&Attached> {
        self.info(node).attached.as_deref()
    }

    /// The numbers of a node that are read while it runs.
    pub(crate) fn numbers(&self, node: u32) -> &[Number] {
        self.attached(node).map_or(&[], |found| &found.numbers)
    }

    /// One of them.
    pub(crate) fn number(&self, node: u32, slot: NumberSlot) -> Option<&Number> {
        let mut all = self.numbers(node).iter();
        all.find(|number| number.slot == slot)
    }

    pub(crate) fn guards(&self, node: u32) -> &[Guard] {
        self.attached(node).map_or(&[], |found| &found.guards)
    }

    /// The nodes of a tree.
    pub(crate) fn nodes_of(&self, tree: &PlanTree) -> std::ops::Range<u32> {
        tree.root..self.node(tree.root).end
    }

    pub(crate) fn tree_of(&self, node: u32) -> &PlanTree {
        &self.trees[self.info(node).tree as usize]
    }

    /// The result of a node that has no child left.
    pub(crate) fn succeeds_empty(&self, node: u32) -> bool {
        let kind = Kind::named(self.info(node).kind);
        kind.is_some_and(|kind| kind.about().succeeds_empty)
    }

    /// Returns true if a node is a decorator, which is not there without its child.
    pub(crate) fn is_decorator(&self, node: u32) -> bool {
        let kind = Kind::named(self.info(node).kind);
        kind.is_some_and(|kind| kind.about().group == Group::Decorator)
    }

    /// Returns true if a node is left out of a tree, since its file disables it.
    pub(crate) fn is_left_out(&self, tree: u32, idx: u32) -> bool {
        self.trees[tree as usize].disabled.contains(&idx)
    }

    /// A tree by its name, with or without the ending `.json`.
    pub(crate) fn tree_named(&self, name: &str) -> Option<u32> {
        super::by_either_name(name, |name| self.by_name.get(name).copied())
    }

    /// The child of a node that another node is, or is below of.
    pub(crate) fn child_towards(&self, parent: u32, below: u32) -> u32 {
        let mut child = parent + 1;
        while self.node(child).end <= below {
            child = self.node(child).end;
        }
        child
    }

    /// The child after another one.
    #[inline]
    pub(crate) fn next_child(&self, parent: u32, child: u32) -> Option<u32> {
        let next = self.node(child).end;
        (next < self.node(parent).end).then_some(next)
    }

    pub(crate) fn children(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        let first = (parent + 1 < self.node(parent).end).then_some(parent + 1);
        std::iter::successors(first, move |child| self.next_child(parent, *child))
    }

    /// The number of a node that is known by its `idx` in a file.
    pub(crate) fn node_of(&self, tree: &str, idx: u32) -> Option<u32> {
        let root = self.trees[self.tree_named(tree)? as usize].root;
        let end = self.node(root).end;
        (root..end).find(|node| self.info(*node).idx == idx)
    }

    /// "hunt.json: node 3 (sequence)", for people; of a script "hunt.bt: node 3, line 5 (sequence)".
    pub(crate) fn place(&self, node: u32) -> String {
        let (tree, info) = (self.tree_of(node), self.info(node));
        let name = match &*info.name {
            "" => String::new(),
            name => format!(" `{name}`"),
        };
        let line = info
            .line
            .map_or(String::new(), |line| format!(", line {line}"));
        format!(
            "{}: node {}{line} ({}{name})",
            tree.name, info.idx, info.kind
        )
    }

    /// "main.json: 0 root > 2 sub_tree `trap` > trap: 0 root", for people: of the nodes above another, the
    /// innermost first. Without the outermost ones if there are many.
    pub(crate) fn path(&self, above: &[u32]) -> String {
        let most = 12;
        let mut path = String::new();
        if above.len() > most {
            path += "… > ";
        }
        let shown = &above[..above.len().min(most)];
        for (at, node) in shown.iter().rev().enumerate() {
            let info = self.info(*node);
            if at > 0 {
                path += " > ";
            }
            if at == 0 || self.parent(*node) == NONE {
                path += &format!("{}: ", self.tree_of(*node).name);
            }
            path += &format!("{} {}", info.idx, info.kind);
            if !info.name.is_empty() {
                path += &format!(" `{}`", info.name);
            }
            if let Some(line) = info.line {
                path += &format!(" (line {line})");
            }
        }
        path
    }
}
