//! The new places of nodes that stay, with new nodes around them.

use super::*;

impl<'t> Reference<'t> {
    /// Gives what stays its places, with new nodes between; these, in the order in which nodes run.
    pub(super) fn put_in_place(
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
        let olds = staying.iter().filter_map(|(id, _)| {
            let active = self.active.get(id)?;
            Some((*id, (active.node, last_below(active))))
        });
        let olds: BTreeMap<Id, (&'t Node, usize)> = olds.collect();
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
        let again = |id: Id| {
            let spot = fates.stays(id)?;
            fates.again(fates.runs[&id], spot.node.idx)
        };
        let is_lost = |id: &Id| lost.contains_key(id) && again(*id).is_none();
        let (lost, others): (Vec<Id>, Vec<Id>) = order.into_iter().partition(is_lost);
        for id in others.into_iter().chain(lost) {
            if let (Some((was, last)), Some(spot)) = (olds.get(&id), fates.stays(id)) {
                self.change(id, (was, *last), (spot.node, again(id)), new);
            }
        }
        adopted
    }

    /// A new node around what runs: “entered without entry check, their clocks start now”.
    pub(super) fn put_around(&mut self, tree: usize, node: &'t Node, depth: u32) -> Id {
        let id = self.activate((tree, node, depth), Some((0, 0)), false);
        if let Some(active) = self.active.get_mut(&id) {
            active.entering = false;
            active.evaluated = vec![UNKNOWN; node.guards.len()];
        }
        id
    }

    pub(super) fn adopt(&mut self, id: Id) {
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
        let every = self.read_on_entry(id, node);
        if let Ok(Some(every)) = every {
            self.begin_service(id, every, self.now);
        }
        let number = self.active.get(&id).and_then(|active| active.own.number);
        let poll = self.poll;
        let mut own = State {
            began: poll,
            number,
            ..State::default()
        };
        match &node.kind {
            Kind::Sequence { .. } | Kind::Select { .. } => own.at = Some(child),
            Kind::ReactiveSequence | Kind::ReactiveSelect => own.running = Some(child),
            Kind::RandomSeq | Kind::RandomSelect => {
                own.order = self.drawn(vec![child], node.children.len());
            }
            Kind::Steers(..) | Kind::Watches(..) => own.order = vec![child],
            Kind::WhileLoop if child == 0 => own.began = 0,
            _ => {}
        }
        if let Kind::Timeout(literal) = node.kind
            && every.is_ok()
        {
            let time = number.map_or(literal, i64::unsigned_abs);
            let order = self.next_order();
            let due = self.now + time;
            if let Some(active) = self.active.get_mut(&id) {
                active.timers.push((due, order, None));
            }
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.own = own;
            // “Thresholds and limits are checked in the next turn”, of this poll where the reload opens it.
            if let Kind::Frames(_) = active.node.kind {
                active.stamp = UNKNOWN;
            }
            (active.fails, active.recheck) = (every.is_err(), every.is_err());
        }
        self.unknown_lower(id);
    }

    /// “A shuffled order keeps what has run and shuffles the rest.”
    pub(super) fn drawn(&mut self, mut order: Vec<usize>, count: usize) -> Vec<usize> {
        let mut rest: Vec<usize> = (0..count).filter(|child| !order.contains(child)).collect();
        self.random.shuffle(&mut rest);
        order.append(&mut rest);
        order
    }

    /// Effects, whose writes react when all is in place.
    pub(super) fn put_quietly(&mut self, id: Id, when: When) {
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
    pub(super) fn begin_service(&mut self, id: Id, every: u64, now: u64) {
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
    fn unknown_lower(&mut self, id: Id) {
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        let selects = matches!(
            active.node.kind,
            Kind::Select { .. } | Kind::MemorySelect { .. }
        );
        if !selects || active.below.is_empty() {
            return;
        }
        let last = last_below(active);
        for (number, child) in active.node.children.iter().enumerate() {
            if number <= last && takes_over(child) && !active.heard.contains(&child.idx) {
                let unknown = Known {
                    holds: false,
                    poll: UNKNOWN,
                };
                active.lower.entry(number).or_insert(unknown);
                // So it is for the next run, if this one ends before.
                let place = (active.tree, child.idx);
                self.last_known.entry(place).or_insert(unknown);
            }
        }
    }

    /// Applies the changes of a node that stays: the old one, with the last child that ran; the new one, with
    /// the child that is entered again.
    fn change(
        &mut self,
        id: Id,
        (was, last): (&'t Node, usize),
        (is, again): (&'t Node, Option<usize>),
        new: &[Spots<'t>],
    ) {
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
        let runs = towards.or(again);
        let order = order.map(|(at, child)| match runs {
            Some(runs) if at == done => Some(runs),
            _ => moved(self, *child),
        });
        let order: Vec<Option<usize>> = order.collect();
        let ran: Vec<usize> = order.iter().take(done).flatten().copied().collect();
        // What runs counts for the child that it is below now.
        let have_run = active.own.order.iter().map(|child| match runs {
            Some(runs) if *child == last => Some(runs),
            _ => moved(self, *child),
        });
        let have_run: Vec<Option<usize>> = have_run.collect();
        let results: Vec<(usize, bool)> = active
            .own
            .results
            .iter()
            .filter_map(|(child, success)| Some((moved(self, *child)?, *success)))
            .filter(|(child, _)| !active.below.contains_key(child))
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
        // Those to the right of what ran had no say.
        let was_known: Vec<u32> = was
            .children
            .iter()
            .take(last + 1)
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
        active.heard = was_known;
        if !same_guards(was, is) {
            active.evaluated = vec![UNKNOWN; is.guards.len()];
        }
        active.lower = lower;
        let keys = is.keys();
        active.keys.retain(|key, _| keys.contains(key));
        for key in keys {
            active.keys.entry(key).or_insert(0);
        }
        let read = |number: Option<i64>| number.map(i64::unsigned_abs);
        let time_was = read(active.own.number).or(time(&was.kind));
        let fails = !self.number_of_changed(id, was, is);
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        active.fails = fails;
        let time_is = read(active.own.number).or(time(&is.kind));
        if let (Some(_), Some(was), Some(is)) = (time(&was.kind), time_was, time_is) {
            for timer in active.timers.iter_mut().filter(|timer| timer.2.is_none()) {
                timer.0 = shift(timer.0, was, is);
            }
        }
        if fails {
            active.timers.retain(|timer| timer.2.is_some());
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
        let (before, node) = (was, is);
        // One that calls another method is another one.
        let is_other = serves_by_write(before) != serves_by_write(node) || was.service.is_none();
        let known = active.timers.iter().find_map(|timer| timer.2);
        let means_the_same = !is_other
            && (before.serves, before.service) == (node.serves, node.service)
            && node.serves.is_some();
        let every = match (is.service, is.serves) {
            (None, _) => Ok(None),
            _ if means_the_same => Ok(known),
            (Some(literal), Some(reads)) => self.read_interval(id, reads, literal).map(Some),
            (Some(literal), None) => Ok(Some(literal)),
        };
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        match every {
            Ok(Some(every)) if is_other => {
                active.timers.retain(|timer| timer.2.is_none());
                if !active.fails {
                    active.timers.push((now, new_order, Some(every)));
                }
            }
            Ok(Some(every)) => {
                for timer in &mut active.timers {
                    if let Some(was) = timer.2 {
                        *timer = (shift(timer.0, was, every), timer.1, Some(every));
                    }
                }
            }
            Ok(None) | Err(_) => active.timers.retain(|timer| timer.2.is_none()),
        }
        active.fails |= every.is_err();
        active.recheck |= active.fails;
        // A loop that was to begin its next run continues with what was moved below it.
        active.own.again &= towards.is_none();
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
                    keeps.extend(runs);
                    self.drawn(keeps, is.children.len())
                }
            };
            if let Some(active) = self.active.get_mut(&id) {
                (active.own.order, active.own.done) = (order, done as i64);
            }
        }
        if let (Kind::Steers(..) | Kind::Watches(..), Some(active)) =
            (&is.kind, self.active.get_mut(&id))
        {
            if active.own.again && have_run.last() == Some(&None) {
                active.own.lost = active.own.order.last().copied();
            }
            active.own.order = have_run.into_iter().flatten().collect();
        }
        self.unknown_lower(id);
    }

    /// “One whose names are other keys than before”.
    pub(super) fn look_again(&mut self, olds: &[Spots<'t>], new: &[Spots<'t>]) {
        let mut all = std::mem::take(&mut self.active);
        for active in all.values_mut() {
            let tree = active.tree;
            let (old, new) = (&olds[tree], &new[tree]);
            let sees_others = |node: &Node| {
                let numbers = self.renumbered[tree].iter();
                let mut same = numbers.filter(|(_, now)| **now == node.idx);
                let was = same.next().map_or(&node.idx, |(was, _)| was);
                match (old.get(was), new.get(&node.idx)) {
                    (Some(was), Some(is)) => self.sees_others(tree, (*was, old), (*is, new)),
                    _ => false,
                }
            };
            if sees_others(active.node) {
                active.evaluated.fill(UNKNOWN);
            }
            for (child, known) in &mut active.lower {
                if sees_others(&active.node.children[*child]) {
                    known.poll = UNKNOWN;
                }
            }
        }
        self.active = all;
    }

    /// Returns whether a guard sees other keys than before, or such of other nodes.
    pub(super) fn sees_others(
        &self,
        tree: usize,
        (was, old): (Spot<'t>, &Spots<'t>),
        (is, new): (Spot<'t>, &Spots<'t>),
    ) -> bool {
        let numbers = &self.renumbered[tree];
        keys_above(was, old, numbers) != keys_above(is, new, &BTreeMap::new())
    }

    /// Enters the new nodes, and ends those with nothing in their place: in the poll that begins.
    pub(super) fn open(
        &mut self,
        fates: &Fates<'t>,
        lost: &BTreeMap<Id, Option<usize>>,
        adopted: &[Id],
    ) {
        for (id, stands) in lost {
            self.count("nodes that lost what ran below them");
            let Some(active) = self.active.get_mut(id) else {
                continue;
            };
            let (node, tree, depth) = (active.node, active.tree, active.depth);
            let mut stands = *stands;
            if matches!(node.kind, Kind::RandomSeq | Kind::RandomSelect) {
                stands = active.own.order.get(active.own.done as usize).copied();
            }
            let is_called_again = fates.again(fates.runs[id], node.idx).is_some();
            if matches!(node.kind, Kind::Steers(..) | Kind::Watches(..)) && !is_called_again {
                // “An active child removed: asked `Ended { its place, false }`.”
                active.own.lost = Some(stands.unwrap_or(node.children.len()));
                (active.own.again, active.own.began, active.stamp) = (true, 0, 0);
                continue;
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
                    self.unknown_lower(*id);
                }
                // “None: a sequence succeeds, a select fails.”
                None => {
                    let success = matches!(
                        node.kind,
                        Kind::Root
                            | Kind::Sequence { .. }
                            | Kind::MemorySequence { .. }
                            | Kind::ReactiveSequence
                            | Kind::RandomSeq
                            | Kind::AlwaysSeq
                    );
                    active.over = Some(success);
                }
            }
        }
        // “A parallel … enters added children at once”, if it was entered itself.
        let parallels: Vec<Id> = self
            .all()
            .into_iter()
            .filter(|(_, active)| runs_many(active.node) && !active.is_due)
            .map(|(id, _)| id)
            .collect();
        for id in parallels {
            self.add_children(id, adopted.contains(&id), fates);
            self.decide_alone(id);
        }
    }

    /// A parallel in which nothing runs any more: “all ended and neither reached: F”.
    fn decide_alone(&mut self, id: Id) {
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        if active.own.working.is_some() || !active.below.is_empty() {
            return;
        }
        let most = match active.node.kind {
            // No child is left: it succeeds.
            _ if active.node.children.is_empty() => 0,
            Kind::Parallel { rerun: true, .. } => return,
            Kind::Parallel { success, .. } => success.unwrap_or(active.node.children.len() as u32),
            _ => u32::MAX,
        };
        active.over = Some(active.own.succeeded >= most);
    }

    pub(super) fn settle(&mut self, due: Id) {
        if let Some(active) = self.active.get_mut(&due) {
            active.entering = false;
        }
    }

    pub(super) fn add_children(&mut self, id: Id, is_new: bool, fates: &Fates<'t>) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let (node, tree, depth) = (active.node, active.tree, active.depth);
        let run = self.run(id);
        let again = |idx: u32| {
            let mut all = fates.fates.iter();
            all.any(|(other, fate)| {
                fates.runs[other] == run
                    && matches!(fate, Fate::Again(spot) if spot.node.idx == idx)
            })
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

/// The last of a node's children that run.
fn last_below(active: &Active<'_>) -> usize {
    active.below.last_key_value().map_or(0, |(child, _)| *child)
}

/// Returns true if a node's service writes, or notes a line.
fn serves_by_write(node: &Node) -> bool {
    node.puts.iter().any(|put| put.when == When::Service)
}
