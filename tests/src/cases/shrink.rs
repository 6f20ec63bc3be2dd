//! From a case that fails to a smaller one that fails, too.

use super::{Act, Case, Kind, Node};

/// The number of cases that are tried at most.
const TRIES: u32 = 4000;

/// The smallest case that was found that still fails.
pub fn shrink(case: &Case, fails: impl Fn(&Case) -> bool) -> Case {
    let mut best = case.clone();
    let mut tries = 0;
    let mut smaller = true;
    while smaller {
        smaller = false;
        let mut number = 0;
        while let Some(next) = candidate(&best, number) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            match next {
                Some(next) if fails(&next) => {
                    best = next;
                    smaller = true;
                }
                _ => number += 1,
            }
        }
    }
    best
}

/// The change of that number: none if there are no more, an inner none if it is no change here.
fn candidate(case: &Case, number: usize) -> Option<Option<Case>> {
    let ops = case.ops.len();
    let mut next = case.clone();
    if number < ops {
        next.ops.remove(ops - 1 - number);
        return Some(Some(next));
    }
    let mut left = number - ops;
    for tree in 0..next.trees.len() {
        let root = &mut next.trees[tree].root;
        let changes = CHANGES * root.count();
        if left < changes {
            let is_sound = change(root, left / CHANGES, left % CHANGES);
            let is_sound = is_sound.unwrap_or(false) && sound(root);
            next.number();
            return Some(is_sound.then_some(next));
        }
        left -= changes;
    }
    None
}

/// The number of changes of one node.
const CHANGES: usize = 16;

impl Node {
    fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }
}

fn sound(node: &Node) -> bool {
    let may_take_over = matches!(node.kind, Kind::Select { .. } | Kind::MemorySelect { .. });
    let fits = |child: &Node| {
        let mut guards = child.guards.iter();
        may_take_over || !guards.any(|guard| guard.abort.is_lower())
    };
    let makes_sense = node.makes_sense() && node.kind.may_have(node.children.len());
    makes_sense && node.children.iter().all(|c| fits(c) && sound(c))
}

/// Makes one change to the node of a number, in preorder; whether it is one.
fn change(node: &mut Node, number: usize, what: usize) -> Option<bool> {
    if number > 0 {
        let mut left = number - 1;
        for child in &mut node.children {
            let count = child.count();
            if left < count {
                return change(child, left, what);
            }
            left -= count;
        }
        return None;
    }
    if matches!(node.kind, Kind::Root) {
        return Some(false);
    }
    Some(match what {
        // One of its children in its place.
        0..=3 if what < node.children.len() => {
            *node = node.children[what].clone();
            true
        }
        // Without one of its children.
        4..=7 if what - 4 < node.children.len() => {
            node.children.remove(what - 4);
            node.kind.retain_entries(|child| child != what - 4);
            true
        }
        8 => node.guards.pop().is_some(),
        9 => std::mem::take(&mut node.logged),
        10 => {
            node.service.take().is_some()
                || node.takes.take().is_some()
                || node.results.pop().is_some()
        }
        11 => node.puts.pop().is_some(),
        12 => node.declares.pop().is_some(),
        13 => match &mut node.kind {
            Kind::Now(script) | Kind::Polled(script) | Kind::Starts(script)
                if !matches!(script.act, Act::Nothing) =>
            {
                script.act = Act::Nothing;
                true
            }
            _ => false,
        },
        14 => std::mem::take(&mut node.disabled),
        15 => node.reads.take().is_some() || node.serves.take().is_some(),
        _ => false,
    })
}
