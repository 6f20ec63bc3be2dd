//! From the root down to what is woken, and back up from what has ended.

use std::collections::BTreeMap;

use super::guards::{Lower, Which};
use super::{Active, Id, News, Next, Reference, Request, State, Wake};
use crate::cases::{Kind, Node, When, place};

/// A node to enter: its tree, itself, and how many `sub_tree` nodes there are above it.
type Place<'t> = (usize, &'t Node, u32);

impl<'t> Reference<'t> {
    pub(super) fn next_order(&mut self) -> Id {
        self.order += 1;
        self.order
    }

    /// Writes a line about a node whose effects do.
    pub(super) fn note(&mut self, what: &str, tree: usize, node: &Node) {
        if node.logged {
            let place = place(self.trees[tree].name, node.idx);
            self.log.push(format!("{what} {place}"));
        }
    }

    pub(super) fn activate(
        &mut self,
        place: Place<'t>,
        above: Option<(Id, usize)>,
        is_due: bool,
    ) -> Id {
        let (tree, node, depth) = place;
        let id = self.next_order();
        let poll = self.poll;
        let active = Active {
            node,
            tree,
            depth,
            above,
            entered: poll,
            stamp: poll,
            visited: if self.in_turn { poll } else { 0 },
            entering: true,
            ended: false,
            is_due,
            walks: 0,
            timers: Vec::new(),
            below: BTreeMap::new(),
            keys: node.keys().into_iter().map(|key| (key, 0)).collect(),
            own: State::default(),
            evaluated: vec![poll; node.guards.len()],
            lower: Lower::new(),
            recheck: false,
            fails: false,
            over: None,
            was: Vec::new(),
            heard: Vec::new(),
        };
        self.active.insert(id, active);
        match above {
            None => self.root = Some(id),
            Some((above, child)) => {
                if let Some(above) = self.active.get_mut(&above) {
                    above.below.insert(child, id);
                }
            }
        }
        id
    }

    /// Enters a node.
    pub(super) fn enter(&mut self, place: Place<'t>, above: Option<(Id, usize)>) {
        if self.budget == 0 {
            // “When it is used up the poll ends … the agent … goes on next poll.”
            (self.spent, self.was_cut) = (true, true);
            let id = self.activate(place, above, true);
            return self.waits(id);
        }
        self.budget -= 1;
        // “Checked before entry, false: F, nothing entered.”
        let child = above.map_or(0, |(_, child)| child);
        if !self.all_hold(place.1, child, above.map(|(above, _)| above)) {
            return match above {
                Some((above, child)) => self.go_on(above, News::Ended(child, false)),
                None => self.tree_ended(false),
            };
        }
        self.begin(place, above);
    }

    /// Enters a node whose guards hold: “effects … services”, then what it is.
    pub(super) fn begin(&mut self, place: Place<'t>, above: Option<(Id, usize)>) {
        let id = self.activate(place, above, false);
        if !place.1.keys().is_empty() {
            self.count("runs of nodes and trees with keys of their own");
        }
        self.note("enter", place.0, place.1);
        self.put(id, When::Enter);
        let Ok(every) = self.read_on_entry(id, place.1) else {
            self.count("numbers that were none on entry");
            return self.ended(id, false);
        };
        if let Some(every) = every {
            self.serve(id, every);
        }
        self.go_on(id, News::Entered);
    }

    /// “Run at entry, then every t while the branch below is active, no catching up.”
    fn serve(&mut self, id: Id, every: u64) {
        let order = self.next_order();
        if let Some(active) = self.active.get_mut(&id) {
            active.timers.push((self.now + every, order, Some(every)));
            let node = active.node;
            let place = place(self.trees[active.tree].name, node.idx);
            self.log.push(format!("service {place}"));
            let mut puts = node.puts.iter();
            if let Some(put) = puts.find(|put| put.when == When::Service) {
                self.write(Some(id), put.key, put.on.into());
                self.after_call(id);
            }
        }
    }

    pub(super) fn enter_child(&mut self, above: Id, child: usize) {
        let Some(active) = self.active.get(&above) else {
            return;
        };
        let place = match active.node.kind {
            Kind::SubTree(tree) => (tree, &self.trees[tree].root, active.depth + 1),
            _ => (active.tree, &active.node.children[child], active.depth),
        };
        self.enter(place, Some((above, child)));
    }

    /// Goes on with a node, if it is still there.
    pub(super) fn go_on(&mut self, id: Id, news: News) {
        let Some(mut active) = self.active.remove(&id) else {
            return;
        };
        if active.ended {
            self.active.insert(id, active);
            return;
        }
        let next = self.next(id, &mut active, news);
        self.active.insert(id, active);
        match next {
            Next::Busy => {}
            Next::Enter(child) => {
                let active = self.active.get(&id);
                if active.is_some_and(|active| matches!(active.node.kind, Kind::ForEach { .. })) {
                    // It has written the element.
                    self.after_call(id);
                }
                self.enter_child(id, child);
            }
            Next::Done(success) => self.ended(id, success),
            Next::Wait => {
                self.after_call(id);
                self.waits(id);
            }
            Next::Instead(loser, child) => {
                self.abort_child(id, loser);
                self.after_call(id);
                self.enter_child(id, child);
            }
            Next::Abort(child) => {
                self.abort_child(id, child);
                self.after_call(id);
                self.waits(id);
            }
        }
    }

    fn abort_child(&mut self, id: Id, child: usize) {
        let active = self.active.get(&id);
        let below = active.and_then(|active| active.below.get(&child));
        if let Some(below) = below.copied() {
            self.abort(below);
        }
    }

    /// The node above one that was entered learns that it waits.
    fn waits(&mut self, id: Id) {
        if let Some(active) = self.active.get_mut(&id)
            && std::mem::take(&mut active.entering)
            && let Some((above, child)) = active.above
        {
            self.go_on(above, News::Waits(child));
        }
    }

    /// A node ends: what is below it is aborted first.
    pub(super) fn ended(&mut self, id: Id, success: bool) {
        self.abort_below(id);
        let Some(active) = self.active.get(&id) else {
            return;
        };
        // “Success or failure runs before exit.”
        let (tree, node) = (active.tree, active.node);
        let (how, when) = match success {
            true => ("success", When::Success),
            false => ("failure", When::Failure),
        };
        self.note(how, tree, node);
        self.put(id, when);
        self.note("exit", tree, node);
        self.put(id, When::Exit);
        self.left(id, success);
    }

    /// A node has ended and was left: what its calls wrote, or asked for, comes before the node above it
    /// learns how it ended.
    pub(super) fn left(&mut self, id: Id, success: bool) {
        if let Some(active) = self.active.get_mut(&id) {
            active.ended = true;
        }
        self.after_call(id);
        let Some(active) = self.active.remove(&id) else {
            return;
        };
        match active.above {
            None => self.tree_ended(success),
            Some((above, child)) => {
                if let Some(above) = self.active.get_mut(&above) {
                    above.below.remove(&child);
                }
                self.give_results(above, &active.keys, success);
                self.go_on(above, News::Ended(child, success));
            }
        }
    }

    /// “`load`, `reset`, `stop` act when the leaf returns, before anything is entered.” Writes are followed by the
    /// reaction of guards.
    pub(super) fn after_call(&mut self, id: Id) {
        if let Some(request) = self.own_request.take() {
            return self.apply(request, id);
        }
        let wrote = std::mem::take(&mut self.wrote);
        if !wrote.is_empty() {
            self.react(&wrote);
        }
    }

    fn apply(&mut self, request: Request, id: Id) {
        match request {
            Request::End { success, outside } => {
                let mut tree = id;
                while let Some(active) = self.active.get(&tree) {
                    match active.above {
                        Some((above, _)) if outside || !matches!(active.node.kind, Kind::Root) => {
                            tree = above;
                        }
                        _ => break,
                    }
                }
                self.ended(tree, success);
            }
            Request::Stop => self.stop(),
            Request::Reset { clear } => {
                self.abort_all();
                self.reset(clear);
            }
            Request::Load(tree) => {
                self.abort_all();
                self.tree = tree;
                self.begin_root();
            }
        }
    }

    /// “Innermost first; siblings in reverse order; every node entered gets exactly one exit.”
    pub(super) fn abort(&mut self, id: Id) {
        self.leave(id);
        if let Some(active) = self.active.remove(&id)
            && let Some((above, child)) = active.above
            && let Some(above) = self.active.get_mut(&above)
        {
            above.below.remove(&child);
        }
    }

    pub(super) fn abort_below(&mut self, id: Id) {
        while let Some(active) = self.active.get(&id)
            && let Some((_, child)) = active.below.last_key_value()
        {
            self.abort(*child);
        }
    }

    /// Aborts a node, which is still among the active ones then.
    pub(super) fn leave(&mut self, id: Id) {
        self.abort_below(id);
        let Some(active) = self.active.get(&id) else {
            return;
        };
        if active.is_due || active.ended {
            return;
        }
        let (tree, node, called) = (active.tree, active.node, active.own.called);
        match (&node.kind, active.own.at) {
            // “Cleared when the node … is aborted.”
            (
                Kind::MemorySequence { keep_place: false }
                | Kind::MemorySelect { keep_place: false },
                _,
            ) => {
                self.kept.remove(&(tree, node.idx));
            }
            // “With `keep_place` an abort does not clear the index.”
            (
                Kind::Sequence { keep_place: true }
                | Kind::Select { keep_place: true }
                | Kind::MemorySequence { keep_place: true }
                | Kind::MemorySelect { keep_place: true },
                Some(at),
            ) => {
                self.kept.insert((tree, node.idx), at as u64);
            }
            _ => {}
        }
        self.abort_leaf(node, called);
        // “Abort counts as failure.”
        self.note("failure", tree, node);
        self.put(id, When::Failure);
        // “A fifth list … (`failure` keeps including aborts).”
        self.put(id, When::Aborted);
        self.note("exit", tree, node);
        self.put(id, When::Exit);
    }

    /// Walks through what is active below a node, in index order.
    pub(super) fn walk_below(&mut self, id: Id, mut step: impl FnMut(&mut Self, Id)) {
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        active.walks += 1;
        let mut next = 0;
        while let Some(active) = self.active.get(&id)
            && let Some((child, below)) = active.below.range(next..).next()
        {
            next = child + 1;
            step(self, *below);
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.walks -= 1;
            self.decide(id);
        }
    }

    /// Hands a delivery down to what it wakes.
    pub(super) fn wake(&mut self, id: Id, all: &[(Id, Wake)]) {
        let mut here = all.iter().filter(|(woken, _)| *woken == id);
        if let Some((_, wake)) = here.next() {
            self.woken(id, *wake);
        }
        self.walk_below(id, |walk, child| {
            if all
                .iter()
                .any(|(woken, _)| walk.is_at_or_below(*woken, child))
            {
                walk.wake(child, all);
            }
        });
    }

    fn is_at_or_below(&self, id: Id, top: Id) -> bool {
        let mut at = Some(id);
        while let Some(id) = at
            && id != top
        {
            let active = self.active.get(&id);
            at = active
                .and_then(|active| active.above)
                .map(|(above, _)| above);
        }
        at == Some(top)
    }

    fn woken(&mut self, id: Id, wake: Wake) {
        match wake {
            Wake::Ends(success) => self.end_leaf(id, success),
            Wake::Over(success) => self.ended(id, success),
            Wake::Timer(order) => {
                let Some(active) = self.active.get_mut(&id) else {
                    return;
                };
                let mut timers = active.timers.iter();
                let Some(timer) = timers.position(|(_, other, _)| *other == order) else {
                    return;
                };
                if let Some(every) = active.timers.remove(timer).2 {
                    return self.serve(id, every);
                }
                if matches!(active.node.kind, Kind::Timeout(_)) {
                    self.deadline(id);
                }
                self.go_on(id, News::Timer);
            }
            Wake::Due => {
                let Some(active) = self.active.get_mut(&id) else {
                    return;
                };
                if self.spent {
                    return;
                }
                let (place, above) = ((active.tree, active.node, active.depth), active.above);
                self.active.remove(&id);
                match above {
                    None => self.enter(place, None),
                    Some((above, child)) => {
                        if let Some(above) = self.active.get_mut(&above) {
                            above.below.remove(&child);
                        }
                        self.enter_child(above, child);
                    }
                }
            }
        }
    }

    /// “What was due before the deadline counts first; then a polled child runs once more and wins if it
    /// ends.” “The same order holds wherever guards and polled leaves meet, at a timeout's deadline too: an
    /// action whose guard does not hold is not called.”
    ///
    /// *Chosen*: if there is a polled leaf to call, all guards below that are due are evaluated on the
    /// way, in the turn's order. Nothing else has its turn: reactive nodes do not evaluate, loops do not go on.
    fn deadline(&mut self, id: Id) {
        let mut all = Vec::new();
        self.collect(id, &mut all);
        let mut below = all.iter().filter(|(other, _)| *other != id);
        let has_guards = below.any(|(_, active)| !active.node.guards.is_empty());
        let mut all = all.iter();
        if !all.any(|(_, active)| active.is_polled() && active.stamp != self.poll) {
            return;
        }
        self.count("deadlines with a polled leaf");
        if has_guards {
            self.count("deadlines with a polled leaf and guards");
        }
        self.walk_below(id, |walk, child| walk.visit_at_deadline(child));
    }

    fn visit_at_deadline(&mut self, id: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        if active.is_due || active.ended {
            return;
        }
        if !self.own_guards(id, Which::Due) || !self.lower_guards(id, Which::Due) {
            return;
        }
        if let Some(active) = self.active.get(&id)
            && active.is_polled()
            && active.stamp != self.poll
        {
            self.turn_of(id);
        }
        self.walk_below(id, |walk, child| walk.visit_at_deadline(child));
    }

    /// “The turn: one more pass, a single walk over what is active, from the root, depth first, in index
    /// order. At each node, in this order: its own due guards; below a select, the `lower` guards to the left of the
    /// running child, in index order; what its kind does in its turn; then its active children.”
    pub(super) fn visit(&mut self, id: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        if active.is_due || active.ended {
            return;
        }
        if !self.spent {
            if !self.own_guards(id, Which::Due) || !self.lower_guards(id, Which::Due) {
                return;
            }
            self.check_again(id);
            // “What was entered or called in this poll has had its turn.”
            if let Some(active) = self.active.get(&id)
                && active.stamp != self.poll
            {
                if matches!(active.node.kind, Kind::Parallel { rerun: true, .. }) {
                    return self.rerun(id);
                }
                self.turn_of(id);
            }
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.visited = self.poll;
        }
        self.walk_below(id, |walk, child| walk.visit(child));
        if !self.spent
            && let Some(active) = self.active.get(&id)
            && matches!(active.node.kind, Kind::Frames(_))
        {
            self.go_on(id, News::TurnOver);
        }
    }

    /// A node does what its kind does in its turn.
    pub(super) fn turn_of(&mut self, id: Id) {
        if let Some(active) = self.active.get_mut(&id) {
            active.stamp = self.poll;
            self.go_on(id, News::Turn);
        }
    }
}
