//! Trees that change while they run, as the rules of a reload say it.
//!
//! Nothing is carried out that would have to be undone: `fate` says of each active node what becomes of it, then
//! what goes is exited in the old trees, then what stays gets its places in the new ones. What is entered in the
//! place of what has gone waits for the poll, as what there was no budget for does. What cancels and what is
//! suspended does not occur here.

mod fates;
mod places;

use std::collections::{BTreeMap, BTreeSet};

use super::guards::{Known, UNKNOWN, takes_over};
use super::{Active, Id, Reference, State};
use crate::cases::{Kind, Node, Put, Tree, When, place};

/// The place of a node in the new trees.
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

/// The fates of all active nodes.
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

    /// The child of a node, of a run, that is aborted and entered again.
    fn again(&self, run: Id, idx: u32) -> Option<usize> {
        self.fates.iter().find_map(|(id, fate)| match fate {
            Fate::Again(spot) if self.runs[id] == run => spot
                .above
                .filter(|above| above.0 == idx)
                .map(|above| above.1),
            _ => None,
        })
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

/// Returns true if a node runs several children at a time.
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

/// Returns true if the attached guards are the same.
fn same_guards(was: &Node, is: &Node) -> bool {
    format!("{:?}", was.guards) == format!("{:?}", is.guards)
}

/// A node, by its number and kind, and the keys that it declares.
type Declares = (u32, &'static str, Vec<&'static str>);

/// The keys of their own that nodes above a spot declare, which a guard there sees, by the numbers that these nodes
/// have in the new trees.
fn keys_above(spot: Spot<'_>, tree: &Spots<'_>, numbers: &BTreeMap<u32, u32>) -> Vec<Declares> {
    let mut at = spot.above;
    let mut keys = Vec::new();
    while let Some(above) = at.and_then(|(parent, _)| tree.get(&parent)) {
        let node = above.node;
        let declares = node.keys();
        if !declares.is_empty() {
            let number = numbers.get(&node.idx).unwrap_or(&node.idx);
            keys.push((*number, node.kind.word(), declares));
        }
        at = above.above;
    }
    keys
}

/// The content of a node, without its children.
fn says(node: &Node) -> String {
    let Node {
        kind,
        logged,
        guards,
        service,
        puts,
        declares,
        takes,
        reads,
        serves,
        results,
        results_on_success,
        ..
    } = node;
    // What is read is a number that the node has.
    let (reads, serves) = (
        reads.filter(|_| kind.number().is_some()),
        serves.filter(|_| service.is_some()),
    );
    // What a service writes that is not there says nothing.
    let is_said = |put: &&Put| put.when != When::Service || service.is_some();
    let puts: Vec<&Put> = puts.iter().filter(is_said).collect();
    let results = (results, results_on_success);
    format!(
        "{kind:?} {logged} {guards:?} {service:?} {puts:?} {declares:?} {takes:?} {reads:?} {serves:?} {results:?}"
    )
}

/// “The nodes of a tree that is equal except for its numbers are matched by place.” The numbers that they have then.
fn renumbered(was: &Tree, is: &Tree) -> BTreeMap<u32, u32> {
    let (was, is) = (was.root.nodes(), is.root.nodes());
    let mut pairs = was.iter().zip(&is);
    // Its number is in what it calls.
    let names_itself = |node: &Node| {
        node.logged
            || node.service.is_some()
            || !node.puts.is_empty()
            || matches!(node.kind, Kind::Limits(_) | Kind::Steers(..))
    };
    let same = |(was, is): (&&Node, &&Node)| {
        says(was) == says(is)
            && was.children.len() == is.children.len()
            && (was.idx == is.idx || !names_itself(was))
    };
    match was.len() == is.len() && pairs.all(same) {
        true => was
            .iter()
            .zip(&is)
            .map(|(was, is)| (was.idx, is.idx))
            .collect(),
        false => BTreeMap::new(),
    }
}

/// The time that it has from its entry, in quarters of a second.
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
        let olds: Vec<Spots<'t>> = self.trees.iter().map(spots).collect();
        let pairs = self.trees.iter().zip(trees);
        self.renumbered = pairs.map(|(was, is)| renumbered(was, is)).collect();
        let fates = self.fates(&new);
        let lost = self.lost(&fates, &new);
        self.exit_what_goes(&fates);
        self.order_timers();
        self.keep_counters(&olds, &new);
        self.trees = trees;
        // *Chosen*: an event that nobody may wait for any more is not kept.
        let mut latched = std::mem::take(&mut self.latched);
        latched.retain(|event| self.is_latched(event));
        self.latched = latched;
        let adopted = self.put_in_place(&fates, &lost, &new);
        self.look_again(&olds, &new);
        self.open(&fates, &lost, &adopted);
        // “What the host wrote since the last poll reacts before the first delivery”, and so does this.
        let wrote = std::mem::take(&mut self.wrote);
        self.host_wrote.extend(wrote);
    }

    /// “What is due at the same time only since then comes in the order in which it was due before.”
    fn order_timers(&mut self) {
        let all = self.active.iter();
        let due = all.flat_map(|(id, active)| {
            let timers = active.timers.iter().enumerate();
            timers.map(|(number, (time, order, _))| (*time, *order, *id, number))
        });
        let mut due: Vec<_> = due.collect();
        due.sort_unstable();
        for (_, _, id, number) in due {
            let order = self.next_order();
            if let Some(active) = self.active.get_mut(&id) {
                active.timers[number].1 = order;
            }
        }
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
        self.put(id, When::Aborted);
        self.note("exit", tree, node);
        self.put(id, When::Exit);
        self.active.remove(&id);
    }

    /// “Places and retained counters of same nodes stay, active or not; a place whose child is gone: the next child,
    /// else the first.”
    fn keep_counters(&mut self, olds: &[Spots<'t>], new: &[Spots<'t>]) {
        let old = |(tree, idx): &(usize, u32)| olds[*tree].get(idx).map(|spot| spot.node);
        let mut kept = BTreeMap::new();
        for (at, value) in std::mem::take(&mut self.kept) {
            let Some(node) = old(&at) else { continue };
            let Some(spot) = self.same(at.0, node, new) else {
                continue;
            };
            let is_place = matches!(
                node.kind,
                Kind::MemorySequence { .. }
                    | Kind::MemorySelect { .. }
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
            kept.insert((at.0, spot.node.idx), value);
        }
        self.kept = kept;
        let known = std::mem::take(&mut self.last_known);
        let known = known.into_iter().filter_map(|(at, mut known)| {
            let was = *olds[at.0].get(&at.1)?;
            let spot = self.same(at.0, was.node, new)?;
            if self.sees_others(at.0, (was, &olds[at.0]), (spot, &new[at.0])) {
                known.poll = UNKNOWN;
            }
            same_guards(was.node, spot.node).then_some(((at.0, spot.node.idx), known))
        });
        self.last_known = known.collect();
    }
}
