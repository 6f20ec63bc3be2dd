//! A tree as what is shown of it, whatever the format.

use std::collections::HashMap;

use bt_core::TreeAsset;
use bt_core::kinds::values::Name;
use bt_core::kinds::{Caller, KeyProblem, Params, Path, Use};
use bt_core::tree::asset::AssetNode;
use bt_core::tree::by_either_name;

use super::symbols::{self, Group};
use super::words;

/// The sign before a node that is not built.
pub(crate) const DISABLED: &str = "⊘ ";

/// The colour of a node that is not built.
pub(super) const GREY: &str = "8a94a3";

/// One tree.
#[derive(Debug)]
pub(super) struct Figure {
    /// Its name in other trees.
    pub(super) name: String,
    /// Its nodes, each before those below it.
    pub(super) nodes: Vec<Node>,
}

/// One node.
#[derive(Debug)]
pub(super) struct Node {
    /// Its number in the file.
    pub(super) idx: u32,
    /// It is not built: it is disabled, or a node above it is, or what it is around.
    pub(super) is_disabled: bool,
    /// The number of levels below the root.
    pub(super) depth: usize,
    /// Those below it, by their places in the list, in the order in which they run.
    pub(super) children: Vec<usize>,
    pub(super) symbol: &'static str,
    pub(super) group: Group,
    /// The title: a call's name, else its kind.
    pub(super) title: String,
    /// A call's arguments.
    pub(super) arguments: String,
    /// The other parameters of its kind.
    pub(super) parameters: String,
    /// The attachments, from the outside in.
    pub(super) attached: Vec<Attached>,
    /// The comment that a person wrote on it.
    pub(super) comment: String,
    /// The tree that it calls, as the file names it.
    pub(super) runs: Option<String>,
    /// The figure that it calls, by its position.
    pub(super) calls: Option<usize>,
    /// The figures that its events start.
    pub(super) starts: Vec<usize>,
}

/// A line about something attached to a node: what it is, or when it happens, and what happens.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) when: String,
    pub(super) what: String,
}

impl Figure {
    /// A tree that is drawn beside others.
    pub(super) fn of(tree: &TreeAsset, others: &[TreeAsset]) -> Figure {
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut nodes: Vec<Node> = Vec::new();
        let disabled = tree.disabled();
        for node in tree.preorder() {
            let parent = node.parent().and_then(|idx| places.get(&idx).copied());
            let place = nodes.len();
            places.insert(node.idx(), place);
            let mut shown = Node::of(node, others);
            shown.is_disabled = disabled.contains(&node.idx());
            if let Some(parent) = parent {
                nodes[parent].children.push(place);
                shown.depth = nodes[parent].depth + 1;
            }
            nodes.push(shown);
        }
        Figure {
            name: words::clean(tree.name()),
            nodes,
        }
    }
}

impl Node {
    pub(super) fn of(node: &AssetNode, others: &[TreeAsset]) -> Node {
        let mut is_whole = true;
        let said = node.read(&mut |_, problem| {
            is_whole &= matches!(problem, KeyProblem::Unknown { .. });
        });
        let (symbol, group) = symbols::of(said.params.as_ref());
        let mut shown = Node {
            idx: node.idx(),
            is_disabled: false,
            depth: 0,
            children: Vec::new(),
            symbol,
            group,
            title: words::clean(&node.kind),
            arguments: String::new(),
            parameters: String::new(),
            attached: attached(&said),
            comment: words::clean(&node.comment),
            runs: None,
            calls: None,
            starts: Vec::new(),
        };
        // What cannot be read is something else than it seems.
        if let Some(params) = said.params.as_ref().filter(|_| is_whole) {
            shown.parameters = words::parameters(params);
        }
        if let Some(Params::Root(root)) = &said.params {
            shown.titled(root.agent_name.0);
        }
        said.uses(&Path::TOP, &mut |_, used| match used {
            Use::Call(
                Caller::Action | Caller::Condition | Caller::Decorator | Caller::Composite,
                call,
            ) => {
                shown.titled(call.name);
                shown.arguments = words::arguments(&call.args);
            }
            Use::Event(event, _) => shown.titled(event.0),
            Use::Tree(tree) => {
                match tree.name_key {
                    Some(Name(key)) => shown.titled(&format!("${key}")),
                    None => shown.titled(tree.sub_tree_name.unwrap_or_default().0),
                }
                shown.arguments = words::handed(&tree.args);
                shown.runs = tree.named().map(str::to_owned);
                shown.calls = tree.named().and_then(|name| place_of(name, others));
            }
            Use::Starts(event) => shown.starts.extend(place_of(event.tree.0, others)),
            Use::Expression(Caller::Condition, formula) => shown.titled(formula.0),
            Use::Writes(Caller::Action, writes) => shown.titled(&writes.to_string()),
            Use::Call(..)
            | Use::Guard(..)
            | Use::Expression(..)
            | Use::Value(..)
            | Use::Writes(..)
            | Use::Number(..) => {}
        });
        shown
    }

    /// Gives it a name, if there is one, instead of its kind's.
    fn titled(&mut self, name: &str) {
        if !name.is_empty() {
            self.title = words::clean(name);
        }
    }

    /// `title(arguments) parameters`
    pub(super) fn heading(&self) -> String {
        let call = words::called(&self.title, &self.arguments);
        match self.parameters.as_str() {
            "" => call,
            parameters => format!("{call} · {parameters}"),
        }
    }
}

impl Node {
    /// `→ title(arguments) parameters #number`, after a sign if it is not built.
    pub(super) fn line(&self) -> String {
        let (disabled, symbol) = (self.disabled(), self.symbol);
        format!("{disabled}{symbol} {} #{}", self.heading(), self.idx)
    }

    /// Its sign, if it is not built.
    pub(super) fn disabled(&self) -> &'static str {
        if self.is_disabled { DISABLED } else { "" }
    }

    /// The lines below that: one for each attachment, and the comment.
    pub(super) fn below(&self) -> Vec<String> {
        let attached = self.attached.iter().map(Attached::line);
        let comment = Some(self.comment.as_str()).filter(|comment| !comment.is_empty());
        let comment = comment.map(|comment| format!("“{comment}”"));
        attached.chain(comment).collect()
    }
}

impl Attached {
    fn new(when: impl Into<String>, what: String) -> Attached {
        Attached {
            when: when.into(),
            what,
        }
    }

    pub(super) fn line(&self) -> String {
        format!("{} {}", self.when, self.what)
    }
}

/// The position of the tree with this name, with or without the ending.
pub(super) fn place_of(name: &str, trees: &[TreeAsset]) -> Option<usize> {
    by_either_name(name, |name| {
        trees.iter().position(|tree| tree.name() == name)
    })
}

fn attached(said: &bt_core::kinds::Node<'_>) -> Vec<Attached> {
    let all = &said.attachments;
    let mut lines = Vec::new();
    for guard in &all.guards {
        lines.push(Attached::new("if", words::guard(guard)));
    }
    said.uses(&Path::TOP, &mut |_, used| {
        if let Use::Guard(Caller::ResetIf, guard) = used {
            lines.push(Attached::new("afresh if", words::guard(guard)));
        }
    });
    let effects = &all.effects;
    let effects = [
        ("at enter", &effects.enter),
        ("at success", &effects.success),
        ("at failure", &effects.failure),
        ("at abort", &effects.aborted),
        ("at exit", &effects.exit),
    ];
    for (when, list) in effects {
        let calls = list
            .iter()
            .map(|effect| words::call_or_writes(&effect.action, &effect.writes));
        lines.extend(calls.map(|call| Attached::new(when, call)));
    }
    for service in &all.services {
        let when = words::clean(&format!("every {}", service.seconds));
        lines.push(Attached::new(
            when,
            words::call_or_writes(&service.action, &service.writes),
        ));
    }
    for event in &all.events {
        let when = format!("on {}", words::clean(event.event.0));
        lines.push(Attached::new(when, words::started(event)));
    }
    let own = said.params.iter().flat_map(Params::declares);
    let own: Vec<&str> = own.map(|(_, key, _)| key.0).collect();
    let declared = said.declared().0.iter();
    for (name, of) in declared.filter(|(name, _)| !own.contains(name)) {
        lines.push(Attached::new("key", words::declaration(name, of)));
    }
    lines
}
