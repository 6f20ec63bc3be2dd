//! A tree from its root downwards, each node with what is above it in view.

use crate::tree::Code;
use std::collections::HashMap;

use super::board::{self, Owner, declared_as};
use super::index::Index;
use super::keys::reporter;
use super::report::{At, Report, article};
use super::set::Set;
use super::words::instead_of;
use crate::blackboard::ValueType;
use crate::kinds::attached::Declarations;
use crate::kinds::{self, Children, Group, Kind, Logic};
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
    // What is disabled is not looked at.
    let enabled = tree.enabled();
    let mut walk = Walk {
        set,
        tree,
        agent: set.agent(tree),
        above: Vec::new(),
        keys: HashMap::new(),
        too_deep: false,
        report,
    };
    walk.view();
    walk.root();
    for (depth, node) in enabled.by_depth() {
        let of_file = tree.node(node.idx()).unwrap_or(node);
        walk.visit(depth, of_file, node.children());
    }
}

/// The position of a walk.
pub(super) struct Walk<'c, 'r> {
    pub(super) set: &'r Set<'c>,
    pub(super) tree: &'r TreeAsset,
    /// None where the tree's agent is not known, or not the one that runs it.
    pub(super) agent: Option<&'r Index<'c>>,
    above: Vec<Above<'r>>,
    /// The declarations of each key by the nodes above, the nearest last.
    keys: HashMap<&'r str, Vec<ValueType>>,
    too_deep: bool,
    pub(super) report: &'r mut Report,
}

/// A node above.
struct Above<'r> {
    kind: Option<Kind>,
    /// The kind that requires conditions below it: an `and` or an `or`, or a `negative` below one.
    asks: Option<Kind>,
    declares: Vec<&'r str>,
}

/// A node that is looked at.
pub(super) struct Node<'r> {
    pub(super) data: &'r AssetNode,
    /// Those of its children that are not disabled.
    children: &'r [u32],
    pub(super) kind: Kind,
    /// The kind of the node above.
    pub(super) parent: Option<Kind>,
    /// The `and` or the `or` that asks it.
    pub(super) asked_by: Option<Kind>,
}

impl<'r> Walk<'_, 'r> {
    /// The type that a key is declared with, as it is seen from here.
    pub(super) fn key(&self, key: &str) -> Option<&ValueType> {
        let near = self.keys.get(key).and_then(|all| all.last());
        near.or_else(|| self.set.key(key))
    }

    fn visit(&mut self, depth: usize, node: &'r AssetNode, children: &'r [u32]) {
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
        let kind = Kind::named(&node.kind);
        let parent = self.above.last().and_then(|above| above.kind);
        let asked_by = self.above.last().and_then(|above| above.asks);
        self.above.push(Above {
            kind,
            asks: kind.and_then(|kind| match kind.about().logic {
                Logic::Asks(_) => Some(kind),
                Logic::Inverts => asked_by,
                Logic::None | Logic::Answers => None,
            }),
            declares: Vec::new(),
        });
        match kind {
            Some(kind) => self.node(
                &at,
                &Node {
                    data: node,
                    children,
                    kind,
                    parent,
                    asked_by,
                },
            ),
            None => self.unknown(&at, node),
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

    fn declare(&mut self, node: &AssetNode, all: &Declarations<'r>) {
        for declared in declared_as(all, node) {
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
        let mut problems = reporter(at, self.report);
        let said = kinds::Node::read(None, &node.extra, extra.path(), &mut problems);
        drop(problems);
        self.declare(node, said.declared());
        board::check(node, said.declared(), &extra, self.report);
    }

    fn node(&mut self, at: &At<'_>, node: &Node<'r>) {
        self.place(at, node);
        self.children(at, node);
        self.beside_extra(at, node);
        let extra = at.own("extra");
        let (data, path) = (node.data, extra.path());
        let mut problems = reporter(at, self.report);
        let said = kinds::Node::read(Some(node.kind), &data.extra, path, &mut problems);
        drop(problems);
        self.declare(data, said.declared());
        board::check(data, said.declared(), &extra, self.report);
        let children = data.children().len();
        if let Some(params) = &said.params {
            params.check(children, path, &mut reporter(at, self.report));
        }
        said.uses(path, &mut |path, used| {
            self.used(&at.with(path), used, node)
        });
    }

    /// Reports parameters of a kind beside `extra`, where nobody reads them.
    fn beside_extra(&mut self, at: &At<'_>, node: &Node<'r>) {
        for key in node.data.others.keys() {
            if node.kind.has_key(key) {
                self.report.tell(
                    Code::BesideExtra,
                    &at.own(key),
                    || format!("`{key}` is beside `extra`, where it has no meaning"),
                    || format!("move it inside: \"extra\": {{\"{key}\": …}}"),
                );
            }
        }
    }

    /// The root is on top, and nothing else is a root.
    fn place(&mut self, at: &At<'_>, node: &Node<'r>) {
        let is_root = node.kind == Kind::Root;
        let kind = node.kind.name();
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
        if let Some(by) = node.asked_by
            && node.kind.about().logic == Logic::None
        {
            self.report.tell(
                Code::NotACondition,
                &at.own("type"),
                || {
                    format!(
                        "below `{}` are conditions, found {} `{kind}`",
                        by.name(),
                        article(kind)
                    )
                },
                || format!("a `{}` runs nodes of any type", any_instead_of(by)),
            );
        }
    }

    /// Reports a node that has fewer or more children than the composite of that name takes.
    pub(super) fn composites_children(&mut self, name: &str, node: &Node<'_>) {
        let method = self.agent.and_then(|agent| agent.method(name));
        let entry = method.map(|method| method.entry);
        let Some(least) = entry.and_then(|entry| entry.child_min) else {
            return;
        };
        let most = entry.and_then(|entry| entry.child_max);
        let count = node.children.len();
        // That there are none is a problem of any composite.
        let fits = count >= least as usize && most.is_none_or(|most| count <= most as usize);
        if count > 0 && !fits {
            let children = Children {
                least,
                most,
                may_be_empty: false,
            };
            let at = At::node(self.tree, node.data.idx());
            let disabled = node.data.children().len() - count;
            self.report.tell(
                Code::ChildCount,
                &at.own("children"),
                || match disabled {
                    0 => wrong_count(name, children, count),
                    _ => wrong_count(name, children, count) + &not_counting(disabled),
                },
                String::new,
            );
        }
    }

    fn children(&mut self, at: &At<'_>, node: &Node<'r>) {
        let (about, count) = (node.kind.about(), node.children.len());
        let (name, children) = (about.name, about.children);
        let at = at.own("children");
        let listed = node.data.children().len();
        let disabled = listed - count;
        let is_emptied = count == 0 && disabled > 0;
        let may_be_empty =
            is_emptied || count == 0 && self.set.rules.empty && children.may_be_empty;
        let is_beyond = |most: u32| count > most as usize;
        let too_few = count < children.least as usize && !may_be_empty;
        if too_few || children.most.is_some_and(is_beyond) {
            let has_one = matches!(about.group, Group::Root | Group::Decorator);
            self.report.tell(
                Code::ChildCount,
                &at,
                || match disabled {
                    0 => wrong_count(name, children, count),
                    _ => wrong_count(name, children, count) + &not_counting(disabled),
                },
                || match has_one && count > 1 {
                    true => "put them below a `sequence` or a `select`".to_owned(),
                    false if disabled > 0 => format!("disable the `{name}` itself"),
                    false => String::new(),
                },
            );
        } else if is_emptied {
            let ends = if about.succeeds_empty {
                "succeeds"
            } else {
                "fails"
            };
            self.report.tell(
                Code::DisabledChildren,
                &at,
                || format!("all its children are disabled: it {ends} at once"),
                || match about.group {
                    Group::Root => String::new(),
                    Group::Composite | Group::Decorator | Group::Leaf(_) => {
                        format!("disable the `{name}` itself, if it is to be passed over")
                    }
                },
            );
        } else if let Some((gone, instead)) = moved(node).filter(|_| children.most > Some(1)) {
            self.report.tell(
                Code::DisabledChildren,
                &at,
                || format!("child {gone} is disabled, and child {instead} stands in its place"),
                || format!("disable the `{name}` itself, or put another node in that place"),
            );
        } else if let Some([_, most]) = about.original.filter(|[_, most]| listed > *most as usize) {
            let message = || {
                let an = article(name);
                format!(
                    "the original editor loads {an} `{name}` of {most} children at most, found \
                     {listed}"
                )
            };
            self.report
                .tell(Code::ManyChildren, &at, message, String::new);
        }
    }
}

/// The kind that runs nodes of any type as an `and` or an `or` asks conditions.
pub(super) fn any_instead_of(by: Kind) -> &'static str {
    match by.about().logic {
        Logic::Asks(any) => any,
        Logic::None | Logic::Inverts | Logic::Answers => by.name(),
    }
}

/// Of a node whose children are for different things: the first that is disabled, and the one in its place.
fn moved(node: &Node<'_>) -> Option<(u32, u32)> {
    let mut places = node.data.children().iter().zip(node.children);
    let (gone, instead) = places.find(|(listed, left)| listed != left)?;
    Some((*gone, *instead))
}

fn not_counting(disabled: usize) -> String {
    match disabled {
        1 => " beside one that is disabled".to_owned(),
        many => format!(" beside {many} that are disabled"),
    }
}

fn wrong_count(name: &str, children: Children, count: usize) -> String {
    let has = match (children.least, children.most) {
        (0, Some(0)) => "no children".to_owned(),
        (1, Some(1)) => "exactly one child".to_owned(),
        (1, None) => "one child at least".to_owned(),
        (least, None) => format!("{least} children at least"),
        (least, Some(most)) if least == most => format!("exactly {least} children"),
        (least, Some(most)) if least + 1 == most => format!("{least} or {most} children"),
        (least, Some(most)) => format!("{least} to {most} children"),
    };
    let found = match count {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    format!("{} `{name}` has {has}, found {found}", article(name))
}
