//! `sub_tree`: another tree, whose result becomes its own, or which takes over.

use serde_json::Value;
use thin_vec::ThinVec;

use super::{Behaviour, Nothing};
use crate::blackboard::KeyId;
use crate::run::abort::Then;
use crate::run::node_ref::{At, Frame};
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};
use crate::tree::plan::Given;

/// How many trees may call, or suspend, one another.
pub(crate) const DEEPEST: u32 = 100;

/// How many trees that others called may run at once, in one agent: trees that call two of their own
/// kind are twice as many at each depth.
pub(crate) const MOST: usize = 10_000;

#[derive(Debug)]
pub(crate) struct SubTree {
    pub(crate) target: Target,
    /// It takes over, and does not come back.
    pub(crate) transfer: bool,
    /// What the tree's keys are set to, by their names.
    pub(crate) args: Box<[(Box<str>, Given)]>,
}

/// Which tree that is.
#[derive(Debug)]
pub(crate) enum Target {
    Tree(u32),
    /// The key that holds its name.
    Key(Box<str>, KeyId),
}

impl Behaviour for SubTree {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let Some(tree) = self.find(walk, node) else {
            return Step::Done(false);
        };
        let Some(values) = self.values(walk, node) else {
            return Step::Done(false);
        };
        let at = walk.core.here(node);
        if self.transfer {
            walk.core.wait(at, Wait::Timer);
            walk.core.cold().requests.hand_over(values);
            return walk.abort_tree(at, Then::Transfer { from: node, tree });
        }
        let above = walk.core.frame(at.frame);
        if above.depth >= DEEPEST {
            let name = &walk.plan.trees[tree as usize].name;
            let text =
                format!("`{name}` is not called: trees call one another {DEEPEST} deep at most");
            walk.report(Some(node), text);
            return Step::Done(false);
        }
        if walk.core.open_frames() > MOST {
            let name = &walk.plan.trees[tree as usize].name;
            let text = format!("`{name}` is not called: {MOST} trees run at once at most");
            walk.report(Some(node), text);
            return Step::Done(false);
        }
        let root = walk.plan.trees[tree as usize].root;
        let frame = walk.core.new_frame(Frame {
            caller: at,
            depth: above.depth + 1,
            level: above.level,
            board: None,
        });
        walk.open_run(frame, root);
        let root = At { frame, node: root };
        self.write(walk, root, values);
        // Guards that follow what was written react before the tree is entered.
        walk.core.interrupted |= walk.core.session.board().is_stirred();
        Step::Jump(root, Act::Enter)
    }

    fn transferred(&self, walk: &mut Walker<'_>, root: At, values: ThinVec<Value>) {
        self.write(walk, root, values);
    }

    fn may_call(&self, tree: u32) -> bool {
        let is_target = match &self.target {
            Target::Tree(target) => *target == tree,
            Target::Key(..) => true,
        };
        !self.transfer && is_target
    }
}

impl SubTree {
    fn find(&self, walk: &mut Walker<'_>, node: u32) -> Option<u32> {
        let (key, id) = match &self.target {
            Target::Tree(tree) => return Some(*tree),
            Target::Key(key, id) => (key, id),
        };
        walk.enter_scope(node);
        let name = walk.core.session.board().value(*id);
        let found = name.as_ref().and_then(Value::as_str);
        if let Some(tree) = found.and_then(|name| walk.plan.tree_named(name)) {
            return Some(tree);
        }
        let text = match (&name, found) {
            (_, Some(name)) => {
                let near = walk.near_tree(name);
                format!("key `{key}` names the tree `{name}`, which there is not{near}")
            }
            (Some(other), None) => format!("key `{key}` holds {other}, expected a tree's name"),
            (None, None) => format!("key `{key}`, which names the tree, is not set"),
        };
        walk.report(Some(node), text);
        None
    }

    /// The values of its arguments, as the caller sees them.
    fn values(&self, walk: &mut Walker<'_>, node: u32) -> Option<ThinVec<Value>> {
        walk.enter_scope(node);
        let mut values = ThinVec::with_capacity(self.args.len());
        for (name, given) in &self.args {
            let value = match given {
                Given::Literal(value) => Ok(value.clone()),
                Given::Key(key) => match walk.core.session.board().value(*key) {
                    Some(value) => Ok(value),
                    None => Err("its key is not set".to_owned()),
                },
                Given::Property(property) => {
                    let mut cx = walk.core.session.context_of(node);
                    let value = walk.host.property(*property, &mut cx);
                    walk.core.session.end_call();
                    value.map_err(|error| error.to_string())
                }
            };
            match value {
                Ok(value) => values.push(value),
                Err(why) => {
                    walk.report(Some(node), format!("argument `{name}`: {why}"));
                    return None;
                }
            }
        }
        Some(values)
    }

    /// Writes them, as the called tree sees them.
    fn write(&self, walk: &mut Walker<'_>, root: At, values: ThinVec<Value>) {
        if values.is_empty() {
            return;
        }
        let names = self.args.iter().map(|(name, _)| name);
        walk.write_own(root, names.zip(values));
    }
}
