//! A tree as what is shown of it, whatever the format.

use std::collections::HashMap;

use bt_core::TreeAsset;
use bt_core::tree::asset::AssetNode;
use bt_core::tree::by_either_name;
use serde_json::{Map, Value};

use super::symbols::{self, Group};
use super::words;

/// One tree.
#[derive(Debug)]
pub(super) struct Figure {
    /// What other trees call it.
    pub(super) name: String,
    /// Its nodes, each before those below it.
    pub(super) nodes: Vec<Node>,
}

/// One node.
#[derive(Debug)]
pub(super) struct Node {
    /// Its number in the file.
    pub(super) idx: u32,
    /// How far below the root it is.
    pub(super) depth: usize,
    /// Those below it, by their places in the list, in the order in which they run.
    pub(super) children: Vec<usize>,
    pub(super) symbol: &'static str,
    pub(super) group: Group,
    /// What it is called: a call's name, else its kind.
    pub(super) title: String,
    /// A call's arguments.
    pub(super) arguments: String,
    /// What else its kind takes.
    pub(super) parameters: String,
    /// What is attached to it, from the outside in.
    pub(super) attached: Vec<Attached>,
    /// What a person wrote on it.
    pub(super) comment: String,
    /// Which of the other figures it calls.
    pub(super) calls: Option<usize>,
    /// Which of them its events start.
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
        for node in tree.preorder() {
            let parent = node.parent().and_then(|idx| places.get(&idx).copied());
            let place = nodes.len();
            places.insert(node.idx(), place);
            let mut shown = Node::of(node, others);
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
    fn of(node: &AssetNode, others: &[TreeAsset]) -> Node {
        let extra = &node.extra;
        let (symbol, group) = symbols::of(node.data());
        let (title, arguments) = title(&node.kind, extra);
        let named = |name: Option<&Value>| place_of(name.and_then(Value::as_str)?, others);
        let events = list(extra, "events");
        Node {
            idx: node.idx(),
            depth: 0,
            children: Vec::new(),
            symbol,
            group,
            title,
            arguments,
            parameters: words::parameters(&node.kind, extra),
            attached: attached(extra),
            comment: words::clean(&node.comment),
            calls: match node.kind == "sub_tree" && !extra.contains_key("name_key") {
                true => named(extra.get("sub_tree_name")),
                false => None,
            },
            starts: events
                .filter_map(|event| named(event.get("tree")))
                .collect(),
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

/// Which of the trees has this name, with or without the ending.
pub(super) fn place_of(name: &str, trees: &[TreeAsset]) -> Option<usize> {
    by_either_name(name, |name| {
        trees.iter().position(|tree| tree.name() == name)
    })
}

/// What a node is called, and its arguments.
fn title(kind: &str, extra: &Map<String, Value>) -> (String, String) {
    let name = match kind {
        "root" => words::text(extra, "agent_name"),
        "action" | "condition" => words::text(extra, "action_name"),
        "decorator" => words::text(extra, "decorator_name"),
        "wait_event" => words::text(extra, "event"),
        "sub_tree" => match words::text(extra, "name_key").as_str() {
            "" => words::text(extra, "sub_tree_name"),
            key => format!("${key}"),
        },
        _ => String::new(),
    };
    let arguments = match kind {
        "action" | "condition" => words::arguments(extra, "action_args"),
        "decorator" => words::arguments(extra, "decorator_args"),
        "sub_tree" => words::arguments(extra, "args"),
        _ => String::new(),
    };
    match name.is_empty() {
        true => (words::clean(kind), arguments),
        false => (name, arguments),
    }
}

fn attached(extra: &Map<String, Value>) -> Vec<Attached> {
    let mut lines = Vec::new();
    for guard in list(extra, "guards") {
        lines.push(Attached::new("if", words::guard(guard)));
    }
    if let Some(reset_if) = extra.get("reset_if").and_then(Value::as_object) {
        lines.push(Attached::new("afresh if", words::guard(reset_if)));
    }
    let effects = extra.get("effects").and_then(Value::as_object);
    for when in ["enter", "success", "failure", "exit"] {
        for effect in effects.into_iter().flat_map(|effects| list(effects, when)) {
            lines.push(Attached::new(
                format!("at {when}"),
                words::call(effect, "action"),
            ));
        }
    }
    for service in list(extra, "services") {
        lines.push(Attached::new(
            words::every(service),
            words::call(service, "action"),
        ));
    }
    for event in list(extra, "events") {
        let when = format!("on {}", words::text(event, "event"));
        lines.push(Attached::new(when, words::started(event)));
    }
    let declared = extra.get("blackboard").and_then(Value::as_object);
    for (name, of) in declared.into_iter().flatten() {
        lines.push(Attached::new("key", words::declaration(name, of)));
    }
    lines
}

/// The objects in a list.
fn list<'a>(
    of: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a Map<String, Value>> + use<'a> {
    let items = of.get(key).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(Value::as_object)
}
