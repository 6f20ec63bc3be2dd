//! A tree from its root downwards, each node with what is above it in view.

use crate::tree::Code;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::board::{self, Owner, declared};
use super::extra::{self, number};
use super::index::Index;
use super::kinds::{KINDS, Kind};
use super::report::{At, Report, article};
use super::set::Set;
use super::words::instead_of;
use crate::blackboard::ValueType;
use crate::call::shown;
use crate::text;
use crate::tree::asset::{AssetNode, TreeAsset};

/// Looks at one tree of a set.
pub(super) fn walk(set: &Set<'_>, at: usize, tree: &TreeAsset, report: &mut Report) {
    set.shared(at, tree, report);
    let most = set.rules.limits.nodes;
    if tree.nodes().len() > most {
        let many = || format!("more than {most} nodes");
        report.tell(Code::TooLarge, &At::file(tree), many, String::new);
        return;
    }
    let mut walk = Walk {
        set,
        tree,
        agent: set.agent(tree),
        above: Vec::new(),
        keys: HashMap::new(),
        too_deep: false,
        report,
    };
    walk.root();
    for (depth, node) in tree.by_depth() {
        walk.visit(depth, node);
    }
}

/// Where a walk is.
pub(super) struct Walk<'c, 'r> {
    pub(super) set: &'r Set<'c>,
    pub(super) tree: &'r TreeAsset,
    /// None where the tree's agent is not known, or not the one that runs it.
    pub(super) agent: Option<&'r Index<'c>>,
    above: Vec<Above<'r>>,
    /// What the nodes above declare of each key, the nearest last.
    keys: HashMap<&'r str, Vec<ValueType>>,
    too_deep: bool,
    pub(super) report: &'r mut Report,
}

/// A node above.
struct Above<'r> {
    kind: Option<&'static Kind>,
    /// What is below it must be a condition: it is an `and` or an `or`, or a `negative` below one.
    asks: bool,
    declares: Vec<&'r str>,
}

/// A node that is looked at.
pub(super) struct Node<'r> {
    pub(super) data: &'r AssetNode,
    pub(super) kind: &'static Kind,
    /// The kind of the node above.
    pub(super) parent: Option<&'static Kind>,
    /// The `and` or the `or` that asks it.
    pub(super) asked_by: Option<&'static str>,
}

impl<'r> Walk<'_, 'r> {
    /// The type that a key is declared with, as it is seen from here.
    pub(super) fn key(&self, key: &str) -> Option<&ValueType> {
        let near = self.keys.get(key).and_then(|all| all.last());
        near.or_else(|| self.set.key(key))
    }

    fn visit(&mut self, depth: usize, node: &'r AssetNode) {
        while self.above.len() > depth {
            let above = self.above.pop();
            for key in above.into_iter().flat_map(|above| above.declares) {
                if let Some(all) = self.keys.get_mut(key) {
                    all.pop();
                }
            }
        }
        let at = At::node(self.tree, node.idx());
        self.depth(depth, &at);
        let kind = KINDS.get(&node.kind);
        let parent = self.above.last().and_then(|above| above.kind);
        let asked = self.above.last().is_some_and(|above| above.asks);
        self.above.push(Above {
            kind,
            asks: match node.kind.as_str() {
                "and" | "or" => true,
                "negative" => asked,
                _ => false,
            },
            declares: Vec::new(),
        });
        self.declare(node);
        match kind {
            Some(kind) => self.node(
                &at,
                &Node {
                    data: node,
                    kind,
                    parent,
                    asked_by: asked.then(|| self.asker()),
                },
            ),
            None => self.unknown(&at, node),
        }
    }

    /// The nearest `and` or `or`.
    fn asker(&self) -> &'static str {
        let mut kinds = self
            .above
            .iter()
            .rev()
            .skip(1)
            .filter_map(|above| above.kind);
        match kinds.find(|kind| kind.name != "negative") {
            Some(kind) => &kind.name,
            None => "and",
        }
    }

    fn depth(&mut self, depth: usize, at: &At<'_>) {
        let most = self.set.rules.limits.depth;
        if depth >= most && !self.too_deep {
            self.too_deep = true;
            let deep = || format!("more than {most} nodes below one another");
            self.report.tell(Code::TooLarge, at, deep, String::new);
        }
    }

    fn declare(&mut self, node: &'r AssetNode) {
        for declared in declared(node) {
            if matches!(declared.owner, Owner::OneTree | Owner::OneNode) {
                self.keys.entry(declared.key).or_default().push(declared.ty);
                if let Some(here) = self.above.last_mut() {
                    here.declares.push(declared.key);
                }
            }
        }
    }

    /// Hides the keys that a node declares for itself from its guards: these are evaluated before its
    /// run begins.
    pub(super) fn hide_own_keys(&mut self, node: &Node<'_>) -> Vec<(&'r str, ValueType)> {
        if node.data.parent().is_none() {
            return Vec::new();
        }
        let own = self.above.last().map_or(&[][..], |above| &above.declares);
        let own = own.iter().rev();
        own.filter_map(|key| Some((*key, self.keys.get_mut(key)?.pop()?)))
            .collect()
    }

    /// Lets keys be seen that were hidden.
    pub(super) fn show_keys(&mut self, hidden: Vec<(&'r str, ValueType)>) {
        for (key, ty) in hidden {
            self.keys.entry(key).or_default().push(ty);
        }
    }

    fn unknown(&mut self, at: &At<'_>, node: &'r AssetNode) {
        let kind = || format!("there is no node type `{}`", text::name(&node.kind));
        let help = || instead_of(&node.kind);
        self.report
            .tell(Code::UnknownType, &at.own("type"), kind, help);
        let extra = at.own("extra");
        let keys = &KINDS.attachments.object;
        extra::object(keys, &extra, &node.extra, false, self.report);
        board::check(node, &extra, self.report);
    }

    fn node(&mut self, at: &At<'_>, node: &Node<'r>) {
        self.place(at, node);
        self.children(at, node);
        self.beside_extra(at, node);
        let extra = at.own("extra");
        let (keys, map) = (&node.kind.extra.object, &node.data.extra);
        extra::object(keys, &extra, map, true, self.report);
        board::check(node.data, &extra, self.report);
        self.numbers(&extra, node);
        self.called(&extra, node);
        self.trees(&extra, node);
        self.attachments(&extra, node);
    }

    /// What a kind takes stands in `extra`; beside it nobody looks for it.
    fn beside_extra(&mut self, at: &At<'_>, node: &Node<'r>) {
        for key in node.data.others.keys() {
            let own = node.kind.extra.object.get(key).is_some();
            if own || KINDS.attachments.object.get(key).is_some() {
                self.report.tell(
                    Code::BesideExtra,
                    &at.own(key),
                    || format!("`{key}` stands beside `extra`, where it means nothing"),
                    || format!("move it inside: \"extra\": {{\"{key}\": …}}"),
                );
            }
        }
    }

    /// The root is on top, and nothing else is a root.
    fn place(&mut self, at: &At<'_>, node: &Node<'r>) {
        let is_root = node.kind.name == "root";
        let kind = &node.kind.name;
        match (is_root, node.data.parent()) {
            (true, Some(_)) => self.report.tell(
                Code::MisplacedRoot,
                &at.own("type"),
                || "a `root` is on top of its tree and nowhere else".to_owned(),
                || "another tree is run by a `sub_tree`".to_owned(),
            ),
            (false, None) => self.report.tell(
                Code::MisplacedRoot,
                &at.own("type"),
                || {
                    format!(
                        "the node on top is {} `{kind}`, expected a `root`",
                        article(kind)
                    )
                },
                String::new,
            ),
            _ => {}
        }
        let is_asked = matches!(&**kind, "and" | "or" | "negative" | "condition" | "action");
        if let Some(by) = node.asked_by
            && !is_asked
        {
            self.report.tell(
                Code::NotACondition,
                &at.own("type"),
                || {
                    format!(
                        "below `{by}` are conditions, found {} `{kind}`",
                        article(kind)
                    )
                },
                || {
                    let runs = if by == "and" { "sequence" } else { "select" };
                    format!("a `{runs}` runs nodes of any type")
                },
            );
        }
    }

    fn children(&mut self, at: &At<'_>, node: &Node<'r>) {
        let (kind, count) = (node.kind, node.data.children().len());
        let (least, most) = kind.children;
        let at = at.own("children");
        let may_be_empty = count == 0 && self.set.rules.empty && kind.may_be_empty();
        if (count < least && !may_be_empty) || count > most {
            self.report.tell(
                Code::ChildCount,
                &at,
                || wrong_count(kind, count),
                || match kind.is_decorator || kind.name == "root" {
                    true if count > 1 => "put them below a `sequence` or a `select`".to_owned(),
                    _ => String::new(),
                },
            );
        } else if let Some(most) = kind.original_most.filter(|most| count > *most) {
            let name = &kind.name;
            let message = || {
                let an = article(name);
                format!(
                    "the original editor loads {an} `{name}` of {most} children at most, found \
                     {count}"
                )
            };
            self.report
                .tell(Code::ManyChildren, &at, message, String::new);
        }
    }

    /// What a schema cannot say of numbers.
    fn numbers(&mut self, at: &At<'_>, node: &Node<'r>) {
        let extra = &node.data.extra;
        let children = node.data.children().len();
        if node.kind.extra.object.get("seconds").is_some() {
            self.seconds(at, extra);
        }
        match node.kind.name.as_str() {
            "parallel" => {
                for key in ["success", "failure"] {
                    self.threshold(&at.key(key), extra.get(key), children);
                }
                self.rerun(&at.key("rerun"), extra);
            }
            "probility" => self.weights(&at.key("prob"), extra.get("prob"), children),
            _ => {}
        }
    }

    /// A time that is too long to be one; the rest is in the schema.
    pub(super) fn seconds(&mut self, at: &At<'_>, keys: &Map<String, Value>) {
        let found = keys.get("seconds");
        let Some(seconds) = found.and_then(number).filter(|seconds| *seconds >= 0.0) else {
            return;
        };
        if std::time::Duration::try_from_secs_f64(seconds).is_err() {
            let at = at.key("seconds");
            let found = found.unwrap_or(&Value::Null);
            self.report.tell(
                Code::OutOfRange,
                &at,
                || {
                    format!(
                        "{}expected a time that a clock can say, found {}",
                        at.words(),
                        shown(found)
                    )
                },
                String::new,
            );
        }
    }

    fn threshold(&mut self, at: &At<'_>, found: Option<&Value>, children: usize) {
        let Some(count) = found.and_then(|found| crate::call::decode::<i64>(found).ok()) else {
            return;
        };
        let is_beyond = usize::try_from(count).is_ok_and(|count| count > children);
        if is_beyond && children > 0 {
            self.report.tell(
                Code::OutOfRange,
                at,
                || {
                    let s = if children == 1 { "child" } else { "children" };
                    format!(
                        "{}expected no more than its {children} {s}, found {count}",
                        at.words()
                    )
                },
                String::new,
            );
        }
    }

    /// Without thresholds the first child that ends decides, and none is left to run again.
    fn rerun(&mut self, at: &At<'_>, extra: &Map<String, Value>) {
        let has_threshold = ["success", "failure"]
            .iter()
            .any(|key| extra.contains_key(*key));
        if extra.get("rerun") == Some(&Value::Bool(true)) && !has_threshold {
            self.report.tell(
                Code::MissingKey,
                at,
                || format!("{}`success` or `failure` is missing", at.words()),
                || "it says how many of the same poll's ends decide".to_owned(),
            );
        }
    }

    fn weights(&mut self, at: &At<'_>, found: Option<&Value>, children: usize) {
        let Some(weights) = found.and_then(Value::as_array).map(Vec::len) else {
            return;
        };
        if weights != children && weights > 0 {
            self.report.tell(
                Code::OutOfRange,
                at,
                || {
                    format!(
                        "{}expected a weight for each of its {children} children, found {weights}",
                        at.words()
                    )
                },
                String::new,
            );
        }
    }
}

fn wrong_count(kind: &Kind, count: usize) -> String {
    let name = &kind.name;
    let has = match kind.children {
        (0, 0) => "no children".to_owned(),
        (1, 1) => "exactly one child".to_owned(),
        (1, usize::MAX) => "one child at least".to_owned(),
        (least, most) if least == most => format!("exactly {least} children"),
        (least, most) => format!("{least} or {most} children"),
    };
    let found = match count {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    format!("{} `{name}` has {has}, found {found}", article(name))
}
