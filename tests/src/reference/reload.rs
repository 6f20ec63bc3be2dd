//! Trees that change while they run, as the rules of a reload say it.
//!
//! Nothing is carried out that would have to be undone: `fate` says of each active node what becomes of it, then
//! what goes is exited in the old trees, then what stays gets its places in the new ones. What is entered in the
//! place of what has gone waits for the poll, as what there was no budget for does. What cancels and what is
//! suspended does not occur here.

use std::collections::{BTreeMap, BTreeSet};

use super::guards::{Known, UNKNOWN, takes_over};
use super::{Active, Id, Reference, State};
use crate::cases::{Kind, Node, Tree, When, place};

/// Where a node is in the new trees.
#[derive(Clone, Copy)]
struct Spot<'t> {
    node: &'t Node,
    /// Its parent, and which child of that it is; none of a root.
    above: Option<(u32, usize)>,
}

/// A tree's nodes by their numbers.
type Spots<'t> = BTreeMap<u32, Spot<'t>>;

#[derive(Clone, Copy)]
enum Fate<'t> {
    Stays(Spot<'t>),
    /// It is aborted and entered again.
    Again(Spot<'t>),
    Gone,
}

/// What becomes of all that is active.
struct Fates<'t> {
    fates: BTreeMap<Id, Fate<'t>>,
    /// The nearest active node above each that stays.
    under: BTreeMap<Id, Option<Id>>,
    /// The active children of new places: of a run, which is its root's, and a node.
    children: BTreeMap<(Id, u32), BTreeSet<usize>>,
    /// The root of the run of its tree, of each.
    runs: BTreeMap<Id, Id>,
}

impl<'t> Fates<'t> {
    fn stays(&self, id: Id) -> Option<Spot<'t>> {
        match self.fates.get(&id) {
            Some(Fate::Stays(spot)) => Some(*spot),
            _ => None,
        }
    }
}

fn spots<'t>(tree: &'t Tree) -> Spots<'t> {
    fn add<'t>(node: &'t Node, above: Option<(u32, usize)>, all: &mut Spots<'t>) {
        all.insert(node.idx, Spot { node, above });
        for (number, child) in node.children.iter().enumerate() {
            add(child, Some((node.idx, number)), all);
        }
    }
    let mut all = Spots::new();
    add(&tree.root, None, &mut all);
    all
}

/// Whether a node runs several children at a time.
fn runs_many(node: &Node) -> bool {
    matches!(node.kind, Kind::Parallel { .. } | Kind::AnyFinish)
}

/// The method that an action calls, and its argument.
fn call(kind: &Kind) -> Option<(&'static str, String)> {
    Some(match kind {
        Kind::Now(script) => ("now", script.name.clone()),
        Kind::Polled(script) => ("polled", script.name.clone()),
        Kind::Starts(script) => ("starts", script.name.clone()),
        Kind::Slow(script) => ("slow", script.name.clone()),
        Kind::Draws => ("draws", String::new()),
        Kind::More(key) => ("more", (*key).to_owned()),
        Kind::Wait(time) => ("wait_for_seconds", time.to_string()),
        Kind::WaitFrames(polls) => ("wait_frames", polls.to_string()),
        _ => return None,
    })
}

/// Whether the attached guards are the same.
fn same_guards(was: &Node, is: &Node) -> bool {
    format!("{:?}", was.guards) == format!("{:?}", is.guards)
}

/// What a node says of itself, without its children.
fn says(node: &Node) -> String {
    let Node {
        kind,
        logged,
        guards,
        service,
        puts,
        declares,
        takes,
        ..
    } = node;
    format!("{kind:?} {logged} {guards:?} {service:?} {puts:?} {declares:?} {takes:?}")
}

/// How long it has from its entry, in quarters of a second.
fn time(kind: &Kind) -> Option<u64> {
    match kind {
        Kind::Timeout(time) | Kind::Delay(time) | Kind::Wait(time) => Some(*time),
        _ => None,
    }
}

fn shift(time: u64, was: u64, is: u64) -> u64 {
    time.saturating_sub(was) + is
}

impl<'t> Reference<'t> {
    /// The trees are others from the next poll on that does something: “of several reloads only the newest counts”.
    pub fn reload(&mut self, trees: &'t [Tree]) {
        self.newest = Some(trees);
    }

    /// “Each agent moves at a poll boundary, when it is next polled.”
    pub(super) fn move_to_newest(&mut self) {
        let Some(trees) = self.newest.take() else {
            return;
        };
        self.count("reloads");
        let new: Vec<Spots<'t>> = trees.iter().map(spots).collect();
        let fates = self.fates(&new);
        let lost = self.lost(&fates, &new);
        self.exit_what_goes(&fates);
        self.keep_counters(&new);
        self.trees = trees;
        let adopted = self.put_in_place(&fates, &lost, &new);
        self.open(&fates, &lost, &adopted);
        // “What the host wrote since the last poll reacts before the first delivery”, and so does this.
        let wrote = std::mem::take(&mut self.wrote);
        self.host_wrote.extend(wrote);
    }

    /// “The same node: same run of a tree, tree name, `idx` and kind; its parent is no part of it.”
    fn same(&self, tree: usize, node: &Node, new: &[Spots<'t>]) -> Option<Spot<'t>> {
        let spot = new[tree].get(&node.idx)?;
        (spot.node.kind.word() == node.kind.word()).then_some(*spot)
    }

    /// The root of the run of a tree that a node belongs to.
    fn run(&self, id: Id) -> Id {
        let mut at = id;
        while let Some(active) = self.active.get(&at)
            && !active.is_root()
            && let Some((above, _)) = active.above
        {
            at = above;
        }
        at
    }

    fn fates(&mut self, new: &[Spots<'t>]) -> Fates<'t> {
        let all: Vec<Id> = self.all().into_iter().map(|(id, _)| id).collect();
        let mut fates = Fates {
            fates: BTreeMap::new(),
            under: BTreeMap::new(),
            children: BTreeMap::new(),
            runs: all.iter().map(|id| (*id, self.run(*id))).collect(),
        };
        for id in &all {
            self.judge(*id, new, &mut fates);
        }
        // “Where a new parent can run only one child, the leftmost stays.”
        while let Some((run, top)) = self.crowded(&all, new, &mut fates) {
            self.drop_below(run, top, &all, new, &mut fates);
        }
        fates
    }

    fn judge(&self, id: Id, new: &[Spots<'t>], fates: &mut Fates<'t>) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let above = active.above.map(|(above, _)| above);
        if active.is_root() {
            let is_called = above.is_none_or(|above| fates.stays(above).is_some());
            let fate = match new[active.tree].get(&0) {
                Some(spot) if is_called => Fate::Stays(*spot),
                _ => Fate::Gone,
            };
            fates.fates.insert(id, fate);
            fates.under.insert(id, above);
            return;
        }
        // “Its nearest active ancestor that still exists.”
        let mut under = above;
        while let Some(ancestor) = under.and_then(|under| self.active.get(&under))
            && !ancestor.is_root()
            && self.same(ancestor.tree, ancestor.node, new).is_none()
        {
            under = ancestor.above.map(|(above, _)| above);
        }
        let top = under.and_then(|under| fates.stays(under));
        let now = self.same(active.tree, active.node, new);
        let fate = match (top, now) {
            (Some(top), Some(now)) => {
                let is_child =
                    under == above && now.above.is_some_and(|(idx, _)| idx == top.node.idx);
                let is_below = is_below(now, top.node.idx, &new[active.tree]);
                match self.continues(active, now.node) {
                    true if is_child || is_below => Fate::Stays(now),
                    false if is_child => Fate::Again(now),
                    _ => Fate::Gone,
                }
            }
            _ => Fate::Gone,
        };
        fates.fates.insert(id, fate);
        fates.under.insert(id, under);
    }

    /// Whether a call goes on: “A polled action whose arguments changed is called with the new ones; a pending
    /// `Option<bool>` call is aborted and called again.” “Durations … `wait_for_seconds` and `wait_frames` among
    /// them.” “A new target aborts it.” *Chosen*: another method is another call.
    fn continues(&self, active: &Active<'t>, is: &Node) -> bool {
        if let Kind::SubTree(tree) = active.node.kind {
            return matches!(is.kind, Kind::SubTree(now) if now == tree);
        }
        let (Some((was, args)), Some((now, new_args))) = (call(&active.node.kind), call(&is.kind))
        else {
            return true;
        };
        let is_clock = matches!(was, "wait_for_seconds" | "wait_frames");
        was == now && (is_clock || active.is_polled() || args == new_args)
    }

    /// Finds the active children of all new places; a child that has to give way, of a run.
    fn crowded(&self, all: &[Id], new: &[Spots<'t>], fates: &mut Fates<'t>) -> Option<(Id, u32)> {
        fates.children.clear();
        for id in all {
            let under = fates.under.get(id).copied().flatten();
            if under.is_some_and(|under| fates.stays(under).is_none()) {
                fates.fates.insert(*id, Fate::Gone);
            }
        }
        let staying: BTreeSet<(Id, u32)> = all
            .iter()
            .filter_map(|id| Some((fates.runs[id], fates.stays(*id)?.node.idx)))
            .collect();
        for id in all {
            let (Some(spot), Some(active)) = (fates.stays(*id), self.active.get(id)) else {
                continue;
            };
            let run = fates.runs[id];
            let mut at = spot;
            while let Some((parent, child)) = at.above {
                let above = new[active.tree][&parent];
                let children = fates.children.entry((run, parent)).or_default();
                children.insert(child);
                if children.len() > 1 && !runs_many(above.node) {
                    let loser = children.last().copied().unwrap_or(child);
                    return Some((run, above.node.children[loser].idx));
                }
                if staying.contains(&(run, parent)) {
                    break;
                }
                at = above;
            }
        }
        None
    }

    fn drop_below(&self, run: Id, top: u32, all: &[Id], new: &[Spots<'t>], fates: &mut Fates<'t>) {
        for id in all {
            let Some(active) = self.active.get(id) else {
                continue;
            };
            if fates.runs[id] == run
                && let Some(spot) = fates.stays(*id)
                && (spot.node.idx == top || is_below(spot, top, &new[active.tree]))
            {
                fates.fates.insert(*id, Fate::Gone);
            }
        }
    }

    /// Nodes that stay and lose all that runs below them, with the old node of the last of their children.
    fn lost(&self, fates: &Fates<'t>, new: &[Spots<'t>]) -> BTreeMap<Id, Option<usize>> {
        let mut lost = BTreeMap::new();
        for (id, active) in self.all() {
            let Some(spot) = fates.stays(id) else {
                continue;
            };
            let runs = fates
                .children
                .contains_key(&(fates.runs[&id], spot.node.idx));
            let Some((last, below)) = active.below.last_key_value() else {
                continue;
            };
            let calls = matches!(active.node.kind, Kind::SubTree(_));
            if runs || calls || runs_many(spot.node) {
                continue;
            }
            let again = match fates.fates.get(below) {
                Some(Fate::Again(again)) => again.above.map(|(_, child)| child),
                _ => None,
            };
            let stands =
                again.or_else(|| self.stands(active.tree, active.node, *last, spot.node, new));
            lost.insert(id, stands);
        }
        lost
    }

    /// The place of a child among those of the changed node, if it is still one of them.
    fn child_of(
        &self,
        tree: usize,
        was: &Node,
        child: usize,
        is: &Node,
        new: &[Spots<'t>],
    ) -> Option<usize> {
        let spot = self.same(tree, was.children.get(child)?, new)?;
        let (parent, child) = spot.above?;
        (parent == is.idx).then_some(child)
    }

    /// “The first new child right of the nearest surviving left sibling”; the child itself, if it is still there.
    fn stands(
        &self,
        tree: usize,
        was: &Node,
        child: usize,
        is: &Node,
        new: &[Spots<'t>],
    ) -> Option<usize> {
        if let Some(same) = self.child_of(tree, was, child, is, new) {
            return Some(same);
        }
        let mut left = (0..child).rev();
        let left = left.find_map(|left| self.child_of(tree, was, left, is, new));
        let stands = left.map_or(0, |left| left + 1);
        (stands < is.children.len()).then_some(stands)
    }

    /// *Chosen*: what goes as a whole exits first, from the last to the first, innermost first; then the nodes that
    /// leave what runs below them.
    fn exit_what_goes(&mut self, fates: &Fates<'t>) {
        let all: Vec<Id> = self.all().into_iter().map(|(id, _)| id).collect();
        let mut keeps: BTreeSet<Id> = BTreeSet::new();
        for id in &all {
            let mut at = fates.stays(*id).map(|_| *id);
            while let Some(id) = at {
                keeps.insert(id);
                at = self
                    .active
                    .get(&id)
                    .and_then(|active| active.above)
                    .map(|(above, _)| above);
            }
        }
        let goes = |id: &Id| fates.stays(*id).is_none() && !keeps.contains(id);
        let is_top = |walk: &Self, id: &Id| {
            let above = walk.active.get(id).and_then(|active| active.above);
            goes(id) && above.is_none_or(|(above, _)| !goes(&above))
        };
        let tops: Vec<Id> = all.iter().copied().filter(|id| is_top(self, id)).collect();
        for id in tops.into_iter().rev() {
            self.count("nodes aborted by a reload");
            self.abort(id);
        }
        let passed: Vec<Id> = all
            .into_iter()
            .filter(|id| fates.stays(*id).is_none() && keeps.contains(id))
            .collect();
        for id in passed.into_iter().rev() {
            self.count("nodes around what runs on removed by a reload");
            self.exit_alone(id);
        }
    }

    /// “Removed ones between exit once (aborted) and leave the child running.”
    fn exit_alone(&mut self, id: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let (tree, node) = (active.tree, active.node);
        self.note("failure", tree, node);
        self.put(id, When::Failure);
        self.note("exit", tree, node);
        self.put(id, When::Exit);
        self.active.remove(&id);
    }

    /// “Places and retained counters of same nodes stay, active or not; a place whose child is gone: the next child,
    /// else the first.”
    fn keep_counters(&mut self, new: &[Spots<'t>]) {
        let olds: Vec<Spots<'t>> = self.trees.iter().map(spots).collect();
        let old = |(tree, idx): &(usize, u32)| olds[*tree].get(idx).map(|spot| spot.node);
        let mut kept = BTreeMap::new();
        for (at, value) in std::mem::take(&mut self.kept) {
            let Some(node) = old(&at) else { continue };
            let Some(spot) = self.same(at.0, node, new) else {
                continue;
            };
            let is_place = matches!(
                node.kind,
                Kind::MemorySequence
                    | Kind::MemorySelect
                    | Kind::Sequence { .. }
                    | Kind::Select { .. }
            );
            let value = match is_place {
                true => {
                    let stands = self.stands(at.0, node, value as usize, spot.node, new);
                    stands.unwrap_or(0) as u64
                }
                false => value,
            };
            kept.insert(at, value);
        }
        self.kept = kept;
        let known = std::mem::take(&mut self.last_known);
        let known = known.into_iter().filter(|(at, _)| {
            let node = old(at);
            let spot = node.and_then(|node| Some((node, self.same(at.0, node, new)?)));
            spot.is_some_and(|(node, spot)| same_guards(node, spot.node))
        });
        self.last_known = known.collect();
    }

    /// Gives what stays its places, with new nodes between; these, in the order in which nodes run.
    fn put_in_place(
        &mut self,
        fates: &Fates<'t>,
        lost: &BTreeMap<Id, Option<usize>>,
        new: &[Spots<'t>],
    ) -> Vec<Id> {
        let all: Vec<Id> = self.active.keys().copied().collect();
        let staying: Vec<(Id, Spot<'t>)> = all
            .iter()
            .filter_map(|id| Some((*id, fates.stays(*id)?)))
            .collect();
        let runs = &fates.runs;
        let mut at: BTreeMap<(Id, u32), Id> = BTreeMap::new();
        for (id, spot) in &staying {
            at.insert((runs[id], spot.node.idx), *id);
        }
        let olds: BTreeMap<Id, &'t Node> = staying
            .iter()
            .filter_map(|(id, _)| Some((*id, self.active.get(id)?.node)))
            .collect();
        for (id, _) in &staying {
            if let Some(active) = self.active.get_mut(id)
                && !matches!(active.node.kind, Kind::SubTree(_))
            {
                active.below.clear();
            }
        }
        let mut adopted = BTreeSet::new();
        for (id, spot) in &staying {
            let (mut child, mut spot) = (*id, *spot);
            while let Some((parent, number)) = spot.above {
                let Some(active) = self.active.get(&child) else {
                    break;
                };
                let (tree, depth) = (active.tree, active.depth);
                let above = new[tree][&parent];
                let known = at.get(&(runs[id], parent)).copied();
                let parent_id = known.unwrap_or_else(|| {
                    let made = self.put_around(tree, above.node, depth);
                    at.insert((runs[id], parent), made);
                    adopted.insert(made);
                    made
                });
                if let Some(active) = self.active.get_mut(&child) {
                    active.above = Some((parent_id, number));
                }
                if let Some(active) = self.active.get_mut(&parent_id) {
                    active.below.insert(number, child);
                }
                if known.is_some() {
                    break;
                }
                (child, spot) = (parent_id, above);
            }
        }
        let order = self.all().into_iter().map(|(id, _)| id);
        let order: Vec<Id> = order.collect();
        let adopted: Vec<Id> = order
            .iter()
            .copied()
            .filter(|id| adopted.contains(id))
            .collect();
        for id in &adopted {
            self.count("nodes put around what runs");
            self.adopt(*id);
        }
        // *Chosen*: what has lost its child draws after those that have theirs.
        let (lost, others): (Vec<Id>, Vec<Id>) =
            order.into_iter().partition(|id| lost.contains_key(id));
        for id in others.into_iter().chain(lost) {
            if let (Some(was), Some(spot)) = (olds.get(&id), fates.stays(id)) {
                self.change(id, was, spot.node, new);
            }
        }
        adopted
    }

    /// A new node around what runs: “entered without entry check, their clocks start now”.
    fn put_around(&mut self, tree: usize, node: &'t Node, depth: u32) -> Id {
        let id = self.activate((tree, node, depth), Some((0, 0)), false);
        if let Some(active) = self.active.get_mut(&id) {
            active.entering = false;
            active.evaluated = vec![UNKNOWN; node.guards.len()];
        }
        id
    }

    fn adopt(&mut self, id: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let (tree, node) = (active.tree, active.node);
        let child = active
            .below
            .first_key_value()
            .map_or(0, |(child, _)| *child);
        self.note("enter", tree, node);
        self.put_quietly(id, When::Enter);
        if let Some(every) = node.service {
            self.begin_service(id, every, self.now);
        }
        let poll = self.poll;
        let mut own = State {
            began: poll,
            ..State::default()
        };
        match &node.kind {
            Kind::Sequence { .. } | Kind::Select { .. } => own.at = Some(child),
            Kind::ReactiveSequence | Kind::ReactiveSelect => own.running = Some(child),
            Kind::RandomSeq | Kind::RandomSelect => {
                own.order = self.drawn(vec![child], node.children.len());
            }
            Kind::WhileLoop if child == 0 => own.began = 0,
            _ => {}
        }
        if let Kind::Timeout(time) = node.kind {
            let order = self.next_order();
            let due = self.now + time;
            if let Some(active) = self.active.get_mut(&id) {
                active.timers.push((due, order, None));
            }
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.own = own;
        }
        self.unknown_lower(id, |_| true);
    }

    /// “A shuffled order keeps what has run and shuffles the rest.”
    fn drawn(&mut self, mut order: Vec<usize>, count: usize) -> Vec<usize> {
        let mut rest: Vec<usize> = (0..count).filter(|child| !order.contains(child)).collect();
        self.random.shuffle(&mut rest);
        order.append(&mut rest);
        order
    }

    /// Effects, whose writes react when all is in place.
    fn put_quietly(&mut self, id: Id, when: When) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let node = active.node;
        let place = place(self.trees[active.tree].name, node.idx);
        for put in node.puts.iter().filter(|put| put.when == when) {
            self.log.push(crate::cases::put_line(put, &place));
            self.write(Some(id), put.key, put.on.into());
        }
    }

    /// “Run at entry, then every t.”
    fn begin_service(&mut self, id: Id, every: u64, now: u64) {
        let order = self.next_order();
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        active.timers.push((now + every, order, Some(every)));
        let (tree, node) = (active.tree, active.node);
        let place = place(self.trees[tree].name, node.idx);
        self.log.push(format!("service {place}"));
        if let Some(put) = node.puts.iter().find(|put| put.when == When::Service) {
            self.write(Some(id), put.key, put.on.into());
        }
    }

    /// “Guards are evaluated anew in the next turn, one whose value is unknown counts as false.”
    fn unknown_lower(&mut self, id: Id, is_new: impl Fn(&Node) -> bool) {
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        if !matches!(active.node.kind, Kind::Select { .. } | Kind::MemorySelect) {
            return;
        }
        let last = active.below.last_key_value().map_or(0, |(child, _)| *child);
        for (number, child) in active.node.children.iter().enumerate() {
            if number <= last && takes_over(child) && is_new(child) {
                let unknown = Known {
                    holds: false,
                    poll: UNKNOWN,
                };
                active.lower.entry(number).or_insert(unknown);
            }
        }
    }

    /// What the trees say otherwise of a node that stays.
    fn change(&mut self, id: Id, was: &'t Node, is: &'t Node, new: &[Spots<'t>]) {
        let now = self.now;
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let tree = active.tree;
        let moved = |walk: &Self, child: usize| walk.child_of(tree, was, child, is, new);
        let towards = active.below.first_key_value().map(|(child, _)| *child);
        // “A shuffled order keeps what has run”, and what runs has its place, wrapped or not.
        let done = active.own.done as usize;
        let order = active.own.order.iter().enumerate();
        let order = order.map(|(at, child)| match towards {
            Some(runs) if at == done => Some(runs),
            _ => moved(self, *child),
        });
        let order: Vec<Option<usize>> = order.collect();
        let ran: Vec<usize> = order.iter().take(done).flatten().copied().collect();
        let results: Vec<(usize, bool)> = active
            .own
            .results
            .iter()
            .filter_map(|(child, success)| Some((moved(self, *child)?, *success)))
            .collect();
        let lower = active.lower.iter().filter_map(|(child, known)| {
            let now = moved(self, *child)?;
            same_guards(&was.children[*child], &is.children[now]).then_some((now, *known))
        });
        let lower: BTreeMap<usize, Known> = lower.collect();
        let before: Vec<Option<usize>> = (0..was.children.len())
            .map(|child| moved(self, child))
            .collect();
        let has_others = before != (0..is.children.len()).map(Some).collect::<Vec<_>>();
        let kept_children = before.iter().flatten().map(|child| is.children[*child].idx);
        let kept_children: Vec<u32> = kept_children.collect();
        let is_changed = says(was) != says(is);
        let was_known: Vec<u32> = was
            .children
            .iter()
            .filter(|child| {
                let now = self.same(tree, child, new);
                now.is_some_and(|now| {
                    now.above.is_some_and(|(parent, _)| parent == is.idx)
                        && same_guards(child, now.node)
                })
            })
            .map(|child| child.idx)
            .collect();
        let new_order = self.order + 1;
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        active.node = is;
        active.recheck = is_changed || has_others;
        active.was = kept_children;
        if !same_guards(was, is) {
            active.evaluated = vec![UNKNOWN; is.guards.len()];
        }
        active.lower = lower;
        active.keys.retain(|key, _| is.declares.contains(key));
        for key in &is.declares {
            active.keys.entry(key).or_insert(0);
        }
        if let (Some(was), Some(is)) = (time(&was.kind), time(&is.kind)) {
            for timer in active.timers.iter_mut().filter(|timer| timer.2.is_none()) {
                timer.0 = shift(timer.0, was, is);
            }
        }
        if let (Kind::WaitFrames(was), Kind::WaitFrames(is)) = (&was.kind, &is.kind)
            && let Some(until) = &mut active.own.until
        {
            *until = shift(*until, *was, *is).max(1);
        }
        if let (Kind::WaitEvent { .. }, Kind::WaitEvent { event, .. }) = (&was.kind, &is.kind) {
            active.own.event = Some(*event);
        }
        // “New services run in the next turn, changed ones count from their last run.”
        match (was.service, is.service) {
            (Some(_), None) => active.timers.retain(|timer| timer.2.is_none()),
            (Some(was), Some(is)) => {
                for timer in active.timers.iter_mut().filter(|timer| timer.2.is_some()) {
                    *timer = (shift(timer.0, was, is), timer.1, Some(is));
                }
            }
            (None, Some(is)) => active.timers.push((now, new_order, Some(is))),
            (None, None) => {}
        }
        if active.own.at.is_some() {
            active.own.at = towards;
        }
        if active.own.running.is_some() {
            active.own.running = towards;
        }
        active.own.results = results;
        active.own.succeeded = active
            .own
            .results
            .iter()
            .filter(|(_, success)| *success)
            .count() as u32;
        active.own.failed = active.own.results.len() as u32 - active.own.succeeded;
        self.order = new_order;
        if matches!(is.kind, Kind::RandomSeq | Kind::RandomSelect) {
            let done = ran.len();
            let known: Vec<usize> = order.iter().flatten().copied().collect();
            // *Chosen*: the rest is shuffled if a child was added or removed.
            let is_whole = known.len() == order.len() && known.len() == is.children.len();
            let order = match is_whole {
                true => known,
                false => {
                    let mut keeps = ran;
                    keeps.extend(towards);
                    self.drawn(keeps, is.children.len())
                }
            };
            if let Some(active) = self.active.get_mut(&id) {
                (active.own.order, active.own.done) = (order, done as i64);
            }
        }
        self.unknown_lower(id, |child| !was_known.contains(&child.idx));
    }

    /// What is to be entered, and what ends because nothing stands there: in the poll that begins.
    fn open(&mut self, fates: &Fates<'t>, lost: &BTreeMap<Id, Option<usize>>, adopted: &[Id]) {
        for (id, stands) in lost {
            self.count("nodes that lost what ran below them");
            let Some(active) = self.active.get_mut(id) else {
                continue;
            };
            let (node, tree, depth) = (active.node, active.tree, active.depth);
            let mut stands = *stands;
            if matches!(node.kind, Kind::RandomSeq | Kind::RandomSelect) {
                let done = active.own.done as usize;
                let rest = &mut active.own.order[done..];
                if let Some(at) = rest.iter().position(|child| Some(*child) == stands)
                    && fates.fates.values().any(|fate| {
                        matches!(fate, Fate::Again(again) if again.above.is_some_and(|(idx, _)| idx == node.idx))
                    })
                {
                    rest.swap(0, at);
                }
                stands = rest.first().copied();
            }
            match stands {
                Some(child) => {
                    if active.own.at.is_some()
                        || matches!(node.kind, Kind::Sequence { .. } | Kind::Select { .. })
                    {
                        active.own.at = Some(child);
                    }
                    let due = self.activate(
                        (tree, &node.children[child], depth),
                        Some((*id, child)),
                        true,
                    );
                    self.settle(due);
                }
                // “None: a sequence succeeds, a select fails.”
                None => {
                    let success = matches!(
                        node.kind,
                        Kind::Sequence { .. }
                            | Kind::MemorySequence
                            | Kind::ReactiveSequence
                            | Kind::RandomSeq
                            | Kind::AlwaysSeq
                    );
                    active.over = Some(success);
                }
            }
        }
        // “A parallel … enters added children at once.”
        let parallels: Vec<Id> = self
            .all()
            .into_iter()
            .filter(|(_, active)| runs_many(active.node))
            .map(|(id, _)| id)
            .collect();
        for id in parallels {
            self.add_children(id, adopted.contains(&id), fates);
        }
    }

    fn settle(&mut self, due: Id) {
        if let Some(active) = self.active.get_mut(&due) {
            active.entering = false;
        }
    }

    fn add_children(&mut self, id: Id, is_new: bool, fates: &Fates<'t>) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let (node, tree, depth) = (active.node, active.tree, active.depth);
        let again = |idx: u32| {
            let is_it = |fate: &Fate<'t>| matches!(fate, Fate::Again(spot) if spot.node.idx == idx);
            fates.fates.values().any(is_it)
        };
        for (number, child) in node.children.iter().enumerate() {
            let Some(active) = self.active.get(&id) else {
                return;
            };
            let was_there = !is_new && active.was.contains(&child.idx);
            if active.below.contains_key(&number) || was_there && !again(child.idx) {
                continue;
            }
            let due = self.activate((tree, child, depth), Some((id, number)), true);
            self.settle(due);
        }
    }
}

/// Whether a spot is below a node.
fn is_below(spot: Spot<'_>, top: u32, tree: &Spots<'_>) -> bool {
    let mut at = spot.above;
    while let Some((parent, _)) = at {
        if parent == top {
            return true;
        }
        at = tree[&parent].above;
    }
    false
}
