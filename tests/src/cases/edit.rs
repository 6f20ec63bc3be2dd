//! Edits as designers make them: what a case's trees are afterwards.

use std::collections::BTreeSet;

use bt_core::tree::asset::AssetError;
use bt_core::{Random, TreeAsset, TreeSet, Trees};
use serde_json::Value;

use super::grow::{MAIN, OTHER, Profile, SINGLE};
use super::{
    Abort, COUNTS, Case, EVENTS, FLAGS, Guard, HOST_KEYS, KEYS, Kind, Node, Put, Script, Takes,
    When,
};
use crate::probe::Probe;

/// The first number of nodes that an edit adds.
const ADDED: u32 = 1000;

impl Case {
    /// The same case with so many edits of its trees, which stays of its profile. Nodes keep their numbers, and added
    /// ones get others.
    pub fn edited(&self, seed: u64, edits: u32, profile: Profile) -> Case {
        let mut edit = Edit {
            random: Random::new(seed),
            profile,
            tree: MAIN,
            next: ADDED,
            calls_single: false,
        };
        let all = self.nodes().into_iter().map(|node| node.idx);
        edit.next = all.max().unwrap_or(0).max(ADDED) + 1;
        let mut case = self.clone();
        for _ in 0..edits {
            edit.tree = edit.below(case.trees.len());
            let mut nodes = case.nodes().into_iter();
            edit.calls_single = nodes.any(|node| matches!(node.kind, Kind::SubTree(SINGLE)));
            edit.one(&mut case.trees[edit.tree].root);
        }
        for tree in &mut case.trees {
            settle(&mut tree.root, false);
        }
        case.switch(seed, edits.div_ceil(2));
        case.read_numbers(seed, edits.div_ceil(2));
        case.settle_results();
        case
    }

    /// The same case with another node in place of one that is neither active nor below an active one; the name of
    /// its tree, and its number before and now. None if there is no such node.
    pub fn edited_beside(
        &self,
        seed: u64,
        active: &BTreeSet<(String, u32)>,
    ) -> Option<(Case, &'static str, [u32; 2])> {
        let mut random = Random::new(seed);
        let mut all = Vec::new();
        for (number, tree) in self.trees.iter().enumerate() {
            let is_active = |node: &Node| active.contains(&(tree.name.to_owned(), node.idx));
            for parent in tree
                .root
                .nodes()
                .into_iter()
                .filter(|node| !is_active(node))
            {
                // Events that are kept for it, and its keys, are not beside anything.
                let is_known = |node: &Node| {
                    let waits = matches!(node.kind, Kind::WaitEvent { .. });
                    is_active(node) || waits || !node.declares.is_empty()
                };
                let is_unknown = |child: &&Node| !child.nodes().into_iter().any(is_known);
                let children = parent.children.iter().filter(is_unknown);
                all.extend(children.map(|child| (number, child.idx)));
            }
        }
        let at = random.int(0..=all.len() as i64 - 1);
        let (tree, idx) = *all.get(usize::try_from(at).ok()?)?;
        let mut edit = Edit {
            random,
            profile: Profile::All,
            tree,
            next: ADDED,
            calls_single: true,
        };
        let mut case = self.clone();
        let root = &mut case.trees[tree].root;
        let number = root.nodes().iter().position(|node| node.idx == idx)?;
        let mut leaf = edit.leaf();
        while matches!(leaf.kind, Kind::WaitEvent { .. }) {
            leaf = edit.leaf();
        }
        let new = leaf.idx;
        *root.nth(number)? = leaf;
        settle(root, false);
        root.enable_for_sense();
        Some((case, self.trees[tree].name, [idx, new]))
    }

    /// All its trees, built anew: the first comes last where that is `turned` round.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn build(&self, turned: bool) -> Result<Trees<Probe>, AssetError> {
        let mut set = TreeSet::new();
        set.rules(bt_core::tree::check::Rules::in_code());
        let mut numbers: Vec<usize> = (0..self.trees.len()).collect();
        if turned {
            numbers.reverse();
        }
        for tree in numbers {
            set.add(self.asset(tree));
        }
        set.build()
    }

    /// A tree, whose nodes have the numbers that the case says.
    fn asset(&self, tree: usize) -> TreeAsset {
        let found = &self.trees[tree];
        let planted = TreeAsset::build(found.name, "probe", self.top(tree));
        let nodes = found.root.nodes();
        let mut file: Value = serde_json::from_str(&planted.to_json()).unwrap_or_default();
        let number = |idx: &Value| {
            let idx = idx.as_u64().unwrap_or(0) as usize;
            Value::from(nodes[idx].idx)
        };
        for node in file["nodes"].as_array_mut().into_iter().flatten() {
            node["idx"] = number(&node["idx"]);
            if !node["parent"].is_null() {
                node["parent"] = number(&node["parent"]);
            }
            for child in node["children"].as_array_mut().into_iter().flatten() {
                *child = number(child);
            }
        }
        TreeAsset::from_json(found.name, &file.to_string()).unwrap_or(planted)
    }
}

struct Edit {
    random: Random,
    profile: Profile,
    /// The tree that is edited.
    tree: usize,
    next: u32,
    /// True if a node calls the tree that one node may call.
    calls_single: bool,
}

impl Edit {
    fn below(&mut self, count: usize) -> usize {
        self.random.int(0..=count as i64 - 1) as usize
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn idx(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn leaf(&mut self) -> Node {
        let idx = self.idx();
        let name = format!("new{idx}");
        let script = Script {
            name,
            replies: Vec::new(),
            act: super::Act::Nothing,
        };
        let kind = match self.below(10) {
            0 => Kind::Now(script),
            // The probe knows by its name whether it was entered: one of a tree that runs twice it would not.
            1 if self.tree != OTHER => Kind::Polled(script),
            2 => Kind::Wait(self.below(6) as u64),
            3 => Kind::WaitFrames(self.below(6) as u64),
            4 => Kind::More(self.pick(&COUNTS)),
            5 => Kind::Condition(self.about()),
            6 => self.wait_event(),
            7 if self.tree == MAIN => Kind::SubTree(self.target()),
            _ => Kind::Starts(script),
        };
        node(idx, kind, Vec::new())
    }

    fn about(&mut self) -> &'static str {
        self.pick(&[
            KEYS[0],
            KEYS[1],
            HOST_KEYS[0],
            HOST_KEYS[1],
            FLAGS[0],
            FLAGS[1],
        ])
    }

    fn wait_event(&mut self) -> Kind {
        Kind::WaitEvent {
            event: self.pick(&EVENTS),
            broadcast: self.below(3) == 0,
            latch: self.below(3) == 0,
        }
    }

    /// A tree that a node may call.
    fn target(&mut self) -> usize {
        let may_call_single = self.tree == MAIN && !self.calls_single;
        match may_call_single && self.yes() {
            true => SINGLE,
            false => OTHER,
        }
    }

    /// One edit of a tree.
    fn one(&mut self, root: &mut Node) {
        let count = root.nodes().len();
        let number = 1 + self.below(count - 1);
        let Some(found) = root.nth(number) else {
            return;
        };
        // They do not grow without end.
        let edit = if count > 30 { 5 } else { self.below(16) };
        match edit {
            0 => self.remove_from(found),
            1 | 2 => self.insert_into(found),
            3 | 4 => self.wrap(found),
            5 => self.unwrap(found),
            6 => found.children.reverse(),
            7 => self.move_within(root),
            8 => self.turn_into(found),
            9 | 10 => self.set(found),
            11 => self.guard(found),
            12 => self.keys(found),
            13 => self.keys(root),
            14 => self.effects(found),
            _ => self.attach(found),
        }
    }

    fn remove_from(&mut self, node: &mut Node) {
        if !node.children.is_empty() {
            let at = self.below(node.children.len());
            node.children.remove(at);
        }
        if node.children.is_empty() && node.kind.script().is_none() {
            *node = self.leaf();
        }
    }

    fn insert_into(&mut self, node: &mut Node) {
        let leaf = self.leaf();
        if node.children.is_empty() {
            let old = std::mem::replace(node, leaf);
            let kind = self.composite();
            let leaf = std::mem::replace(node, self::node(self.idx(), kind, Vec::new()));
            node.children = vec![leaf, old];
        } else {
            let at = self.below(node.children.len() + 1);
            node.children.insert(at, leaf);
        }
    }

    fn composite(&mut self) -> Kind {
        match self.below(19) {
            0 | 1 => Kind::Sequence {
                keep_place: self.yes(),
            },
            2 | 3 => Kind::Select {
                keep_place: self.yes(),
            },
            4 => Kind::MemorySequence {
                keep_place: self.yes(),
            },
            5 => Kind::MemorySelect {
                keep_place: self.yes(),
            },
            6 => Kind::ReactiveSelect,
            7 => Kind::ReactiveSequence,
            8 => Kind::RandomSeq,
            9 => Kind::RandomSelect,
            10 => Kind::AlwaysSeq,
            11 => Kind::AnyFinish,
            12 => Kind::Probability(Vec::new()),
            13 => self.pick::<fn() -> Kind>(&[|| Kind::IfElse, || Kind::WhileLoop])(),
            15 => Kind::Utility {
                scores: vec![(self.about(), self.below(4) as i64)],
                reactive: self.yes(),
                keep: self.below(3) as i64,
            },
            14 => Kind::Switch {
                on: self.about(),
                cases: vec![self.below(2) as i64],
                reactive: self.yes(),
            },
            16 => Kind::Steers(1 + self.below(3), self.below(6) as u32),
            17 => Kind::Watches(self.pick(&FLAGS), self.below(3)),
            _ => Kind::Parallel {
                success: Some(1),
                failure: None,
                rerun: self.below(3) == 0,
                stops: self.below(4) == 0,
            },
        }
    }

    fn decorator(&mut self) -> Kind {
        let (count, time) = (self.below(5) as i64 - 1, self.below(5) as u64);
        match self.below(19) {
            16 => self.for_each(),
            17 => Kind::Minds(self.pick(&FLAGS)),
            0 => Kind::Negative,
            1 => Kind::Repeat(count),
            2 => Kind::Retry(count),
            3 => Kind::UntilSuccess(count),
            4 => Kind::UntilFailure(count),
            5 => Kind::Loop(count),
            6 => Kind::Timeout(1 + time),
            7 => Kind::Delay(time),
            8 => Kind::Frames(time),
            9 => Kind::Once,
            10 => Kind::AlwaysTrue,
            11 => Kind::AlwaysFalse,
            12 => Kind::Cooldown {
                time,
                on_success: self.yes(),
            },
            13 => Kind::RunLimit {
                count: time,
                on: None,
                reset_if: None,
            },
            14 => Kind::SuccessUntil(count),
            15 => Kind::FailureUntil(count),
            _ => Kind::Limits(2),
        }
    }

    fn for_each(&mut self) -> Kind {
        let elements = 0..self.below(4);
        Kind::ForEach {
            list: elements
                .map(|_| self.pick(&["true", "false", KEYS[0]]))
                .collect(),
            item: self.pick(&KEYS),
            index: self.yes().then_some(COUNTS[0]),
            until: self.pick(&[None, Some(true), Some(false)]),
        }
    }

    fn wrap(&mut self, node: &mut Node) {
        let kind = match self.below(3) {
            0 => self.composite(),
            _ => self.decorator(),
        };
        let mut around = self::node(self.idx(), kind, Vec::new());
        around.logged = true;
        let inner = std::mem::replace(node, around);
        node.children.push(inner);
    }

    fn unwrap(&mut self, node: &mut Node) {
        if !node.children.is_empty() {
            let at = self.below(node.children.len());
            let child = node.children.swap_remove(at);
            *node = child;
        }
    }

    /// Moves a node to another place.
    fn move_within(&mut self, root: &mut Node) {
        let number = 1 + self.below(root.nodes().len() - 1);
        let Some(parent) = root.nth(number).filter(|parent| parent.children.len() > 1) else {
            return;
        };
        let at = self.below(parent.children.len());
        let moved = parent.children.remove(at);
        let number = 1 + self.below(root.nodes().len() - 1);
        let target = root
            .nth(number)
            .filter(|target| !target.children.is_empty());
        match target {
            Some(target) => {
                let at = self.below(target.children.len() + 1);
                target.children.insert(at, moved);
            }
            None => root.children[0].children.push(moved),
        }
    }

    /// Another kind, with the same number.
    fn turn_into(&mut self, node: &mut Node) {
        if node.children.is_empty() {
            let leaf = self.leaf();
            node.kind = match leaf.kind {
                // The probe takes a call with another name for another leaf.
                Kind::Polled(_) => Kind::Wait(1),
                kind => kind,
            };
        } else {
            node.kind = match node.children.len() {
                1 if self.below(2) == 0 => self.decorator(),
                _ => self.composite(),
            };
        }
    }

    /// Other parameters.
    fn set(&mut self, node: &mut Node) {
        let (count, time) = (self.below(6) as i64 - 1, self.below(8) as u64);
        match &mut node.kind {
            Kind::Repeat(old)
            | Kind::Retry(old)
            | Kind::UntilSuccess(old)
            | Kind::UntilFailure(old)
            | Kind::Loop(old)
            | Kind::SuccessUntil(old)
            | Kind::FailureUntil(old) => *old = count,
            Kind::Timeout(old) => *old = time + 1,
            Kind::Cooldown {
                time: old,
                on_success,
            } => (*old, *on_success) = (time, self.yes()),
            Kind::RunLimit {
                count,
                on,
                reset_if,
            } => {
                *count = time;
                *on = self.pick(&[None, Some(true), Some(false)]);
                *reset_if = self.yes().then(|| self.pick(&FLAGS));
            }
            Kind::Limits(most) | Kind::Steers(_, most) => *most = time as u32,
            Kind::Watches(flag, _) | Kind::Minds(flag) => *flag = self.pick(&FLAGS),
            Kind::Utility {
                scores,
                reactive,
                keep,
            } => {
                scores.rotate_left(1);
                *reactive = self.yes();
                *keep = self.below(3) as i64;
            }
            kind @ Kind::ForEach { .. } => *kind = self.for_each(),
            Kind::Switch {
                on,
                cases,
                reactive,
            } => {
                *on = self.about();
                *reactive = self.yes();
                cases.reverse();
            }
            Kind::Probability(weights) => {
                weights
                    .iter_mut()
                    .for_each(|weight| *weight = self.below(3) as u32);
            }
            Kind::Sequence { keep_place }
            | Kind::Select { keep_place }
            | Kind::MemorySequence { keep_place }
            | Kind::MemorySelect { keep_place } => {
                *keep_place = !*keep_place;
            }
            kind @ Kind::WaitEvent { .. } => *kind = self.wait_event(),
            Kind::Condition(about) | Kind::Check(about) => *about = self.about(),
            Kind::More(key) | Kind::Set(key) => *key = self.pick(&COUNTS),
            Kind::SubTree(tree) => *tree = self.target(),
            Kind::Transfer(tree) => *tree = self.below(3),
            Kind::End { success, outside } => (*success, *outside) = (self.yes(), self.yes()),
            Kind::Delay(old) | Kind::Wait(old) | Kind::WaitFrames(old) | Kind::Frames(old) => {
                *old = time;
            }
            Kind::Parallel { rerun, .. } if self.below(4) == 0 => *rerun = !*rerun,
            Kind::Parallel {
                success, failure, ..
            } => {
                *success = Some(time as u32 % node.children.len().max(1) as u32 + 1);
                *failure =
                    Some(count.unsigned_abs() as u32 % node.children.len().max(1) as u32 + 1);
            }
            Kind::Starts(script) | Kind::Now(script) => {
                script.name = format!("other{}", self.idx());
                script.replies.clear();
                script.act = super::Act::Nothing;
            }
            _ => {}
        }
    }

    fn guard(&mut self, node: &mut Node) {
        let abort = [
            Abort::None,
            Abort::Own,
            Abort::Lower,
            Abort::Both,
            Abort::Poll,
        ];
        let guard = Guard {
            about: self.about(),
            not: self.yes(),
            abort: self.pick(&abort),
        };
        match node.guards.last_mut() {
            Some(last) if self.below(3) == 0 => *last = guard,
            Some(_) if self.yes() => _ = node.guards.pop(),
            _ => node.guards.push(guard),
        }
    }

    /// Declares a key for each of its runs, or no longer.
    fn keys(&mut self, node: &mut Node) {
        let key = self.pick(&[KEYS[0], KEYS[1], COUNTS[0], COUNTS[1]]);
        match node.declares.iter().position(|known| *known == key) {
            Some(known) => _ = node.declares.remove(known),
            None => node.declares.push(key),
        }
    }

    fn effects(&mut self, node: &mut Node) {
        let when = [
            When::Enter,
            When::Success,
            When::Failure,
            When::Aborted,
            When::Exit,
            When::Service,
        ];
        let put = Put {
            when: self.pick(&when),
            key: self.pick(&KEYS),
            on: self.yes(),
        };
        match node.puts.is_empty() || self.yes() {
            true => node.puts.push(put),
            false => _ = node.puts.pop(),
        }
    }

    fn attach(&mut self, node: &mut Node) {
        match self.below(4) {
            0 => node.service = Some(1 + self.below(4) as u64),
            1 => node.service = None,
            2 if self.profile == Profile::All => {
                node.takes = Some(Takes {
                    tree: 1,
                    comes_back: self.below(2) == 0,
                    once: self.below(2) == 0,
                });
            }
            _ => node.takes = None,
        }
    }
}

fn node(idx: u32, kind: Kind, children: Vec<Node>) -> Node {
    Node {
        idx,
        ..Node::new(kind, children)
    }
}

/// Makes of it what can be built.
fn settle(node: &mut Node, below_select: bool) {
    let count = node.children.len();
    node.kind.fit_entries(count);
    if let Kind::Parallel {
        success, failure, ..
    } = &mut node.kind
    {
        for threshold in [success, failure].into_iter().flatten() {
            *threshold = (*threshold).clamp(1, count.max(1) as u32);
        }
    }
    if !node.kind.may_have(count) && count > 0 {
        node.kind = Kind::Sequence { keep_place: false };
    }
    if !below_select {
        for guard in &mut node.guards {
            guard.abort = match guard.abort {
                Abort::Lower | Abort::Both => Abort::Own,
                other => other,
            };
        }
    }
    let selects = matches!(node.kind, Kind::Select { .. } | Kind::MemorySelect { .. });
    for child in &mut node.children {
        settle(child, selects);
    }
}
