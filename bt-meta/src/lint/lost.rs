//! Values that are written for nothing: the next write comes before anybody can read them, or another agent's write
//! is written over.

use std::collections::BTreeSet;

use bt_core::expression::{Named, Target, constant, keys, names, parse};
use bt_core::kinds::attached::Abort;
use bt_core::kinds::values::Formula;
use bt_core::kinds::{Kind, Node, Params, Path, Use};
use bt_core::tree::asset::{AssetNode, TreeAsset};
use bt_core::tree::check::{Owner, declared};

use super::keys::{Keys, Spot, is_built_in, names_a_key};
use super::linter::Linter;

/// The writes of a tree that may be lost: only all trees together say who would have read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Writes {
    /// Written, and written anew by the next leaf, of that number.
    pub(super) overwritten: Vec<(String, Spot, u32)>,
    /// Written from what they held.
    pub(super) from_itself: Vec<(String, Spot)>,
    /// Agents share them.
    pub(super) global: BTreeSet<String>,
    /// Guards that abort follow them, and so react between two writes.
    pub(super) observed: BTreeSet<String>,
    /// A guard follows keys that the tree does not say.
    pub(super) observes_any: bool,
}

impl Writes {
    /// Adds what a node by itself does.
    pub(super) fn node(&mut self, linter: &Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
        let global = declared(node).filter(|key| key.owner == Owner::AllAgents);
        self.global.extend(global.map(|key| key.key.to_owned()));
        said.uses(&Path::TOP.own("extra"), &mut |path, used| {
            if let Use::Writes(_, writes) = used {
                for (name, Formula(text)) in &writes.0 {
                    if let Some(Target::Key(key)) = Target::read(name)
                        && keys(text).any(|read| read == key)
                        && !is_nodes_own(linter.tree, node, &key)
                    {
                        let spot = Spot::of(node, &path.key(name));
                        self.from_itself.push((key, spot));
                    }
                }
            }
        });
        self.guards(linter, said);
        self.in_a_row(linter, node, said);
    }

    /// The places that may be reported.
    pub(super) fn spots(&self) -> impl Iterator<Item = &Spot> {
        let overwritten = self.overwritten.iter().map(|(_, spot, _)| spot);
        overwritten.chain(self.from_itself.iter().map(|(_, spot)| spot))
    }

    fn guards(&mut self, linter: &Linter<'_, '_>, said: &Node<'_>) {
        let guards = said.attachments.guards.iter();
        for guard in guards.filter(|guard| guard.abort != Abort::None) {
            let (name, args) = (guard.condition.name, &guard.condition.args);
            let mut texts: Vec<&str> = guard.formula.iter().map(|formula| formula.0).collect();
            if guard.formula.is_none() {
                let args = args.all().unwrap_or_default();
                texts.extend(args.iter().filter_map(|arg| arg.expression()));
                self.observed
                    .extend(args.iter().filter_map(|arg| arg.key()).map(str::to_owned));
                self.observes_any |= reads_more(linter, name);
            }
            for text in texts {
                for (named, name, _) in names(text) {
                    match named {
                        Named::Key => _ = self.observed.insert(name),
                        Named::Method => self.observes_any |= reads_more(linter, &name),
                        Named::Property => {}
                    }
                }
            }
        }
    }

    /// Leaves that run one after the other, with nothing between them.
    fn in_a_row(&mut self, linter: &Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
        let is_row = said.params.as_ref().is_some_and(|params| {
            [Kind::Sequence, Kind::MemorySequence, Kind::AlwaysSeq].contains(&params.kind())
        });
        if !is_row {
            return;
        }
        for pair in node.children().windows(2) {
            let (Some(first), Some(second)) =
                (linter.tree.node(pair[0]), linter.tree.node(pair[1]))
            else {
                continue;
            };
            let Some(before) = written(linter, first, false) else {
                continue;
            };
            let Some(after) = written(linter, second, true) else {
                continue;
            };
            for (key, spot) in before.set {
                if after.set.contains_key(&key) {
                    self.overwritten.push((key, spot, second.idx()));
                }
            }
        }
    }
}

/// Returns true if a condition may read keys that are not among its arguments.
fn reads_more(linter: &Linter<'_, '_>, method: &str) -> bool {
    linter.method(method).is_none_or(|method| {
        let names_keys = method.args.iter().any(|arg| names_a_key(method, &arg.name));
        names_keys || !(method.args_only || is_built_in(method))
    })
}

/// The keys that a leaf writes which does nothing else; of one that is `certain`, if it writes them whatever
/// happens.
fn written(linter: &Linter<'_, '_>, node: &AssetNode, certain: bool) -> Option<Keys> {
    let said = node.typed();
    let attached = &said.attachments;
    let mut is_bare = attached.blackboard.0.is_empty();
    attached.uses(&Path::TOP, &mut |_, _| is_bare = false);
    let mut writes = false;
    if let Some(Params::Set(set)) = &said.params {
        let is_certain = |(name, Formula(text)): &(&str, Formula<'_>)| {
            let is_key = matches!(Target::read(name), Some(Target::Key(_)));
            is_key && parse(text).is_ok_and(|expr| constant(&expr).is_some())
        };
        writes = !certain || set.writes.0.iter().all(is_certain);
    }
    if let Some(Params::Action(action)) = &said.params {
        let method = linter.method(action.action.name);
        let args = action.action.args.all().unwrap_or_default();
        writes = method
            .is_some_and(|method| is_built_in(method) && method.item.name == "set_key_value")
            && (!certain || args.iter().all(|arg| arg.plain().is_some()));
    }
    if !is_bare || !writes {
        return None;
    }
    let mut keys = Keys::default();
    keys.node(linter, node, &said);
    Some(keys)
}

/// Returns true if a key is declared by a node, or by one above it that is not the root.
fn is_nodes_own(tree: &TreeAsset, node: &AssetNode, key: &str) -> bool {
    let parent = |node: &&AssetNode| node.parent().and_then(|parent| tree.node(parent));
    std::iter::successors(Some(node), parent).any(|node| {
        declared(node).any(|declared| declared.key == key && declared.owner == Owner::OneNode)
    })
}
