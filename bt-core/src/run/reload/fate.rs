//! The fate of each active node: found before anything happens.

mod openings;
mod report;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::same;
use crate::kinds::Behaviour;
use crate::reload::Map;
use crate::run::core::Core;
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{Entry, Leaving, Renumber, Wait};
use crate::tree::plan::{NONE, Plan};
pub(super) use openings::Opening;

/// The fate of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is that node now, and stays active.
    Stays(u32),
    /// It is aborted, and that node, which it is now, is entered.
    Again(u32),
    Gone,
}

/// An active node, or one that is to be entered.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) at: At,
    pub(super) fate: Fate,
    /// True if it was entered.
    pub(super) entered: bool,
    /// The one right above.
    above: Option<usize>,
    /// The nearest one above that stays.
    under: Option<usize>,
    /// True if something below it stays.
    keeps: bool,
    /// The way in which it waits, if it does.
    wait: Option<Wait>,
}

/// The fates of all active nodes.
#[derive(Debug)]
pub(super) struct Fates<'a> {
    old: &'a Plan,
    new: &'a Plan,
    map: &'a Map,
    /// Each before what is below it, suspended trees first.
    pub(super) all: Vec<Active>,
    /// The start of each suspended tree, and last of the current one, among them.
    pub(super) levels: Vec<usize>,
    /// The number of each, by its place.
    numbers: FxHashMap<At, usize>,
    /// The new nodes that stay active, by their places now.
    stays: FxHashMap<At, usize>,
    /// The active child of each new node that has one, the leftmost.
    children: FxHashMap<At, u32>,
    /// New nodes around such as stay, in the order in which nodes run.
    adopted: Vec<At>,
    /// Of each frame that stays and was called: the callers on the way to it, by their places now.
    callers: FxHashMap<u32, Vec<u32>>,
    /// A tree that runs, and is gone.
    pub(super) gone: Option<u32>,
}

impl<'a> Fates<'a> {
    pub(super) fn new(old: &'a Plan, new: &'a Plan, map: &'a Map, core: &Core) -> Fates<'a> {
        let mut fates = Fates {
            old,
            new,
            map,
            all: Vec::new(),
            levels: Vec::new(),
            numbers: FxHashMap::default(),
            stays: FxHashMap::default(),
            children: FxHashMap::default(),
            adopted: Vec::new(),
            callers: FxHashMap::default(),
            gone: None,
        };
        let suspended = core.suspended().iter().map(|level| &*level.entries);
        for entries in suspended.chain([&*core.entries]) {
            fates.levels.push(fates.all.len());
            fates.collect(core, entries);
        }
        for number in 0..fates.all.len() {
            let (fate, under) = fates.judge(core, number);
            fates.all[number].fate = fate;
            fates.all[number].under = under;
        }
        while fates.settle() {}
        fates.find_kept();
        fates.find_callers();
        let mut adopted = std::mem::take(&mut fates.adopted);
        fates.sort(&mut adopted, |at| *at);
        fates.adopted = adopted;
        fates
    }

    fn find_kept(&mut self) {
        for number in (0..self.all.len()).rev() {
            if let Some(above) = self.all[number].above
                && (self.all[number].keeps || self.now(number).is_some())
            {
                self.all[above].keeps = true;
            }
        }
    }

    fn find_callers(&mut self) {
        for active in &self.all {
            let caller = match self.old.parent(active.at.node) {
                NONE => active.above.and_then(|above| self.now(above)),
                _ => None,
            };
            if let Some(caller) = caller {
                let path = self.callers.get(&caller.frame).into_iter().flatten();
                let path = path.copied().chain([caller.node]).collect();
                self.callers.insert(active.at.frame, path);
            }
        }
    }

    /// Puts what is at places of the changed trees into the order in which nodes run there.
    fn sort<T>(&self, all: &mut [T], place: impl Fn(&T) -> At) {
        all.sort_by(|a, b| {
            let path = |at: At| {
                let callers = self.callers.get(&at.frame).into_iter().flatten();
                callers.copied().chain([at.node])
            };
            path(place(a)).cmp(path(place(b)))
        });
    }

    fn collect(&mut self, core: &Core, entries: &[Entry]) {
        for entry in entries {
            let first = self.all.len();
            let mut at = Some(entry.at);
            while let Some(place) = at
                && !self.numbers.contains_key(&place)
            {
                let is_own = place == entry.at;
                self.all.push(Active {
                    at: place,
                    fate: Fate::Gone,
                    entered: !is_own || entry.wait.is_entered(),
                    above: None,
                    under: None,
                    keeps: false,
                    wait: is_own.then_some(entry.wait),
                });
                at = core.above(self.old, place);
            }
            self.all[first..].reverse();
            for number in first..self.all.len() {
                self.numbers.insert(self.all[number].at, number);
                let above = core.above(self.old, self.all[number].at);
                self.all[number].above = above.and_then(|above| self.number(above));
            }
        }
    }

    /// The fate of a node, from those of the nodes above it, and the node under which it stays.
    fn judge(&mut self, core: &Core, number: usize) -> (Fate, Option<usize>) {
        let active = &self.all[number];
        let (at, above) = (active.at, active.above);
        if self.old.parent(at.node) == NONE {
            return (self.judge_root(at, above), above);
        }
        let mut under = above;
        while let Some(above) = under
            && self.all[above].at.frame == at.frame
            && self.map.node(self.all[above].at.node).is_none()
        {
            under = self.all[above].above;
        }
        let (Some(top), Some(now)) = (under, self.map.node(at.node)) else {
            return (Fate::Gone, under);
        };
        let Fate::Stays(top_now) = self.all[top].fate else {
            return (Fate::Gone, under);
        };
        let is_child = Some(top) == above && self.new.parent(now) == top_now;
        let is_below = now > top_now && now < self.new.node(top_now).end;
        let fate = match self.continues(core, number, now) {
            true if is_child || is_below && active.entered => Fate::Stays(now),
            false if is_child => Fate::Again(now),
            _ => Fate::Gone,
        };
        (fate, under)
    }

    fn judge_root(&mut self, at: At, caller: Option<usize>) -> Fate {
        if caller.is_some_and(|caller| !matches!(self.all[caller].fate, Fate::Stays(_))) {
            return Fate::Gone;
        }
        let tree = self.old.info(at.node).tree;
        match self.map.tree_now(tree) {
            Some(now) => Fate::Stays(self.new.trees[now as usize].root),
            None => {
                self.gone.get_or_insert(tree);
                Fate::Gone
            }
        }
    }

    /// Returns true if a wait continues where its node is another node now.
    fn continues(&self, core: &Core, number: usize, now: u32) -> bool {
        let active = &self.all[number];
        if !active.entered {
            // It ended, or is to be entered: there is no call that could continue.
            return true;
        }
        let (was, is) = (self.old.node(active.at.node), self.new.node(now));
        if let (Some(was), Some(is)) = (was.kind.action(), is.kind.action()) {
            let (was, is) = (&self.old.calls[was as usize], &self.new.calls[is as usize]);
            return was.name == is.name
                && (active.wait != Some(Wait::Pending)
                    || same::are_args(was, is)
                    || same::entry(core, active.at).is_some_and(|it| same::is_clock(it, was)));
        }
        if let (Some(was), Some(is)) = (was.kind.behaviour().call(), is.kind.behaviour().call())
            && self.old.calls[was as usize].name != self.new.calls[is as usize].name
        {
            // Another method is asked what runs next.
            return false;
        }
        // The tree that it calls.
        let called = self
            .all
            .get(number + 1)
            .filter(|next| next.above == Some(number));
        let called = called.filter(|next| next.at.frame != active.at.frame);
        called.is_none_or(|called| {
            // One that a key names may be gone, which is another matter.
            let tree = self.map.tree_now(self.old.info(called.at.node).tree);
            is.kind.behaviour().may_call(tree.unwrap_or(NONE))
        })
    }

    /// Finds what is active now; whether of one that runs one child only the leftmost stays, and it is to be
    /// found anew.
    fn settle(&mut self) -> bool {
        self.stays.clear();
        self.children.clear();
        self.adopted.clear();
        for number in 0..self.all.len() {
            let under = self.all[number].under;
            if under.is_some_and(|under| !matches!(self.all[under].fate, Fate::Stays(_))) {
                self.all[number].fate = Fate::Gone;
            }
            if let Some(at) = self.now(number) {
                self.stays.insert(at, number);
            }
        }
        self.drop_unentered();
        for number in 0..self.all.len() {
            let Some(at) = self.now(number) else { continue };
            if self.new.parent(at.node) != NONE
                && let Some(loser) = self.join(at)
            {
                self.drop_below(loser);
                return true;
            }
        }
        false
    }

    /// A node that is to be entered, and has something below it now that runs, is put around that instead.
    fn drop_unentered(&mut self) {
        for number in 0..self.all.len() {
            if !self.all[number].entered
                && let Some(at) = self.now(number)
                && self.runs_within(at.frame, at.node + 1..self.new.node(at.node).end)
            {
                self.all[number].fate = Fate::Gone;
                self.stays.remove(&at);
            }
        }
    }

    /// Returns true if one of these new nodes stays active.
    fn runs_within(&self, frame: u32, nodes: Range<u32>) -> bool {
        let mut stays = self.stays.keys();
        stays.any(|at| at.frame == frame && nodes.contains(&at.node))
    }

    /// Finds the nodes between a node and the nearest one above that stays; the child that gives way, if one
    /// has two and runs only one.
    fn join(&mut self, at: At) -> Option<At> {
        let mut child = at;
        loop {
            let parent = At {
                node: self.new.parent(child.node),
                ..at
            };
            let is_new = !self.stays.contains_key(&parent);
            let kind = self.new.node(parent.node).kind.behaviour();
            match self.children.get(&parent).copied() {
                Some(other) if other == child.node => return None,
                Some(other) if !runs_many(kind) => {
                    let node = other.max(child.node);
                    return Some(At { node, ..at });
                }
                Some(other) => _ = self.children.insert(parent, other.min(child.node)),
                None => {
                    self.children.insert(parent, child.node);
                    if is_new {
                        self.adopted.push(parent);
                    }
                }
            }
            if !is_new {
                return None;
            }
            child = parent;
        }
    }

    /// Marks all that stays at a place, and below, as dropped.
    fn drop_below(&mut self, top: At) {
        let within = top.node..self.new.node(top.node).end;
        for active in &mut self.all {
            if let Fate::Stays(now) = active.fate
                && active.at.frame == top.frame
                && within.contains(&now)
            {
                active.fate = Fate::Gone;
            }
        }
    }

    /// The place of a node that stays.
    pub(super) fn now(&self, number: usize) -> Option<At> {
        let active = &self.all[number];
        match active.fate {
            Fate::Stays(node) => Some(At {
                frame: active.at.frame,
                node,
            }),
            Fate::Again(_) | Fate::Gone => None,
        }
    }

    /// The new place of an active place that stays.
    pub(super) fn place(&self, at: At) -> Option<At> {
        self.now(self.number(at)?)
    }

    /// The number of an active node.
    pub(super) fn number(&self, at: At) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// The new place of an entered node that stays.
    pub(super) fn entered(&self, at: At) -> Option<At> {
        let number = self.number(at)?;
        self.all[number].entered.then(|| self.now(number))?
    }

    /// Those of a level: suspended trees first, the current one last.
    fn level(&self, level: usize) -> Range<usize> {
        let to = self.levels.get(level + 1).copied();
        self.levels[level]..to.unwrap_or(self.all.len())
    }

    /// The topmost nodes of a level that were entered, and go with all that is below them.
    pub(super) fn tops(&self, level: usize) -> Vec<At> {
        let goes = |number: usize| self.now(number).is_none() && !self.all[number].keeps;
        let is_top = |number: &usize| {
            let active = &self.all[*number];
            active.entered && goes(*number) && active.above.is_none_or(|above| !goes(above))
        };
        let tops = self.level(level).filter(is_top);
        tops.map(|number| self.all[number].at).collect()
    }

    /// The nodes of a level that go, and leave what runs below them.
    pub(super) fn passed(&self, level: usize) -> Vec<At> {
        let passes = |number: &usize| self.now(*number).is_none() && self.all[*number].keeps;
        let passed = self.level(level).filter(passes);
        passed.map(|number| self.all[number].at).collect()
    }

    /// The old and new places of a level's active nodes that stay, in the order in which nodes run.
    pub(super) fn stay(&self, level: usize) -> Vec<(At, At)> {
        let entered = self.level(level).filter(|number| self.all[*number].entered);
        let stay = entered.filter_map(|number| Some((self.all[number].at, self.now(number)?)));
        let mut stay: Vec<_> = stay.collect();
        self.sort(&mut stay, |(_, now)| *now);
        stay
    }

    /// New nodes around such as stay, in a level, each with the child towards them.
    pub(super) fn adopted(&self, level: usize) -> Vec<(At, u32)> {
        let range = self.level(level);
        let of_level = |at: &&At| {
            let mut all = self.all[range.clone()].iter();
            all.any(|active| active.at.frame == at.frame)
        };
        let adopted = self.adopted.iter().filter(of_level);
        adopted.map(|at| (*at, self.children[at])).collect()
    }

    /// The nodes of a level that are active now, and have others below them.
    pub(super) fn parents(&self, level: usize) -> Vec<At> {
        let stay = self.stay(level).into_iter().map(|(_, now)| now);
        let adopted = self.adopted(level).into_iter().map(|(at, _)| at);
        let all = stay.chain(adopted);
        all.filter(|at| self.new.node(at.node).end > at.node + 1)
            .collect()
    }

    /// Returns true if a node has other children than before, or in another order.
    pub(super) fn has_other_children(&self, was: u32, now: u32) -> bool {
        let before = self.old.children(was).map(|child| self.map.node(child));
        !before.eq(self.new.children(now).map(Some))
    }

    /// The place of a node that goes.
    pub(super) fn goes(&self, node: u32) -> Option<At> {
        let all = (0..self.all.len()).filter(|number| self.now(*number).is_none());
        let mut goes = all
            .map(|number| &self.all[number])
            .filter(|active| active.entered);
        goes.find(|active| active.at.node == node)
            .map(|active| active.at)
    }

    /// The places of what is aborted and entered again.
    pub(super) fn again(&self) -> impl Iterator<Item = At> {
        let again = |active: &&Active| matches!(active.fate, Fate::Again(_));
        self.all.iter().filter(again).map(|active| active.at)
    }

    /// The subject of an abort that is not complete, and what follows from it, in the changed trees; none if one of
    /// these is gone.
    pub(super) fn leaving(&self, leaving: &Leaving) -> Option<Leaving> {
        let by = Fates::place(self, leaving.by);
        leaving.map(self, by.unwrap_or(NOWHERE)).ok()
    }

    /// The new number of a child that the node of that number knows: the one towards the running leaf, if
    /// that is it.
    pub(super) fn child(&self, parent: usize, child: u32) -> Option<u32> {
        let now = self.now(parent)?;
        let at = At {
            frame: now.frame,
            node: child,
        };
        let runs = self.number(at).is_some();
        let many = runs_many(self.new.node(now.node).kind.behaviour());
        match self.children.get(&now) {
            Some(running) if runs && !many => Some(*running),
            _ => self.same_child(child, now.node),
        }
    }

    fn same_child(&self, child: u32, parent: u32) -> Option<u32> {
        let now = self.map.node(child)?;
        (self.new.parent(now) == parent).then_some(now)
    }

    /// The node that stands in a child's place: the child itself, else the first child to the right of the
    /// nearest left sibling that is still there.
    pub(super) fn standing(&self, child: u32, parent: u32) -> Option<u32> {
        if let Some(same) = self.same_child(child, parent) {
            return Some(same);
        }
        let siblings = self.old.children(self.old.parent(child));
        let left = siblings.take_while(|sibling| *sibling < child);
        let left = left
            .filter_map(|sibling| self.same_child(sibling, parent))
            .last();
        match left {
            Some(left) => self.new.next_child(parent, left),
            None => self.new.children(parent).next(),
        }
    }
}

/// Returns true if a node continues with more than one child.
pub(super) fn runs_many(kind: &dyn Behaviour) -> bool {
    kind.runs_many() && !kind.is_reactive()
}

/// From numbers of the old trees to those of the changed ones; none of what is gone.
impl Renumber for Fates<'_> {
    type Error = ();
    type Tree = u32;
    type Other = u32;

    fn place(&self, at: At) -> Result<At, ()> {
        Fates::place(self, at).ok_or(())
    }

    fn near(&self, at: At) -> Result<At, ()> {
        if let Some(now) = Fates::place(self, at) {
            return Ok(now);
        }
        let above = At {
            node: self.old.parent(at.node),
            ..at
        };
        let parent = Renumber::place(self, above)?;
        let node = self.same_child(at.node, parent.node).ok_or(())?;
        Ok(At { node, ..at })
    }

    fn tree(&self, tree: &u32) -> Result<u32, ()> {
        self.map.tree_now(*tree).ok_or(())
    }

    fn node(&self, _: &u32, node: u32) -> Result<(u32, u32), ()> {
        let now = self.map.node(node).ok_or(())?;
        Ok((self.new.info(now).tree, now))
    }

    fn child(&self, at: At, child: u32) -> Result<u32, ()> {
        let number = self.number(at).ok_or(())?;
        Fates::child(self, number, child).ok_or(())
    }

    /// By its name.
    fn event(&self, _: At, event: u32) -> Result<u32, ()> {
        let mut events = self.old.events.iter();
        let (name, _) = events.find(|(_, number)| **number == event).ok_or(())?;
        self.new.events.get(name).copied().ok_or(())
    }
}
