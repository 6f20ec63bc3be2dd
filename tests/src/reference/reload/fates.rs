//! The fate of each active node, before anything is done.

use super::*;

impl<'t> Reference<'t> {
    /// “The same node: same run of a tree, tree name, `idx` and kind; its parent is no part of it.”
    pub(super) fn same(&self, tree: usize, node: &Node, new: &[Spots<'t>]) -> Option<Spot<'t>> {
        let idx = self.renumbered[tree].get(&node.idx);
        let spot = new[tree].get(idx.unwrap_or(&node.idx))?;
        (spot.node.kind.word() == node.kind.word()).then_some(*spot)
    }

    /// The root of the run of a tree that a node belongs to.
    pub(super) fn run(&self, id: Id) -> Id {
        let mut at = id;
        while let Some(active) = self.active.get(&at)
            && !active.is_root()
            && let Some((above, _)) = active.above
        {
            at = above;
        }
        at
    }

    pub(super) fn fates(&mut self, new: &[Spots<'t>]) -> Fates<'t> {
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

    pub(super) fn judge(&self, id: Id, new: &[Spots<'t>], fates: &mut Fates<'t>) {
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

    /// Returns true if a call continues: “A polled action whose arguments changed is called with the new
    /// ones; a pending `Option<bool>` call is aborted and called again.” “Durations … `wait_for_seconds` and
    /// `wait_frames` among them.” “A new target aborts it.” *Chosen*: another method is another call.
    pub(super) fn continues(&self, active: &Active<'t>, is: &Node) -> bool {
        if let Kind::SubTree(tree) = active.node.kind {
            return matches!(is.kind, Kind::SubTree(now) if now == tree);
        }
        let asks = |kind: &Kind| match kind {
            Kind::Limits(_) => Some("limits"),
            Kind::Minds(_) => Some("minds"),
            Kind::Steers(..) => Some("steers"),
            Kind::Watches(..) => Some("watches"),
            _ => None,
        };
        if let (Some(was), Some(now)) = (asks(&active.node.kind), asks(&is.kind))
            && was != now
        {
            return false;
        }
        let (Some((was, args)), Some((now, new_args))) = (call(&active.node.kind), call(&is.kind))
        else {
            return true;
        };
        let is_clock = matches!(was, "wait_for_seconds" | "wait_frames");
        was == now && (is_clock || active.is_polled() || args == new_args)
    }

    /// Finds the active children of all new places; a child that has to give way, of a run.
    pub(super) fn crowded(
        &self,
        all: &[Id],
        new: &[Spots<'t>],
        fates: &mut Fates<'t>,
    ) -> Option<(Id, u32)> {
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

    pub(super) fn drop_below(
        &self,
        run: Id,
        top: u32,
        all: &[Id],
        new: &[Spots<'t>],
        fates: &mut Fates<'t>,
    ) {
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
    pub(super) fn lost(&self, fates: &Fates<'t>, new: &[Spots<'t>]) -> BTreeMap<Id, Option<usize>> {
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
    pub(super) fn child_of(
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
    pub(super) fn stands(
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
}

/// Returns true if a spot is below a node.
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
