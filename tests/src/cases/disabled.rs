//! Nodes that are disabled, and what their trees are without them.

use bt_core::Random;

use super::{Case, Kind, Node};

impl Case {
    /// Returns true if nodes are disabled in cases of its seed, and its second flag is one of the world.
    pub fn is_switched(&self) -> bool {
        self.seed % 4 == 1
    }

    /// Disables some nodes, or enables them again; so many times as said.
    pub(super) fn switch(&mut self, seed: u64, times: u32) {
        if !self.is_switched() {
            return;
        }
        let mut random = Random::new(seed ^ 0x0ff);
        for _ in 0..times {
            let tree = random.int(0..=self.trees.len() as i64 - 1) as usize;
            let root = &mut self.trees[tree].root;
            let count = root.nodes().len() as i64;
            let number = random.int(1..=count - 1) as usize;
            if let Some(node) = root.nth(number) {
                node.disabled = !node.disabled;
            }
        }
        for tree in &mut self.trees {
            tree.root.enable_for_sense();
        }
    }

    /// Its trees as they are built: “it and what is below it are built as if they were not there; a decorator whose
    /// child is disabled is, too”.
    pub fn as_built(&self) -> Case {
        let mut case = self.clone();
        for tree in &mut case.trees {
            tree.root.disabled = false;
            tree.root.leave_out();
        }
        case
    }

    /// The same case with nothing disabled, and what was: the tree and the number of each node.
    pub fn enabled(&self) -> (Case, Vec<(&'static str, u32)>) {
        let mut case = self.clone();
        let mut all = Vec::new();
        for tree in &mut case.trees {
            let disabled = tree.root.nodes().into_iter().filter(|node| node.disabled);
            all.extend(disabled.map(|node| (tree.name, node.idx)));
            tree.root.enable();
        }
        (case, all)
    }
}

impl Node {
    /// The node of that number, in preorder.
    pub(super) fn nth(&mut self, number: usize) -> Option<&mut Node> {
        if number == 0 {
            return Some(self);
        }
        let mut left = number - 1;
        for child in &mut self.children {
            let count = child.nodes().len();
            if left < count {
                return child.nth(left);
            }
            left -= count;
        }
        None
    }

    /// Returns true if it is not built, as one of the children of another.
    fn is_left_out(&self) -> bool {
        let is_decorator = self.kind.may_have(1) && !self.kind.may_have(2);
        let is_around = is_decorator && self.children.iter().all(Node::is_left_out);
        let is_other = matches!(
            self.kind,
            Kind::Root | Kind::Probability(_) | Kind::Switch { .. } | Kind::Utility { .. }
        );
        self.disabled || is_around && !is_other
    }

    /// Takes out what is not built below it.
    ///
    /// “A disabled child takes its entry away.” *Chosen*: so does the weight of a child, and a threshold beyond the children that are left is all of them.
    fn leave_out(&mut self) {
        let stays: Vec<bool> = self
            .children
            .iter()
            .map(|child| !child.is_left_out())
            .collect();
        let count = stays.iter().filter(|stays| **stays).count() as u32;
        // The expression of weights is the first child's.
        if matches!(self.kind, Kind::Probability(_)) && stays.first() == Some(&false) {
            self.reads = None;
        }
        self.kind.retain_entries(|child| stays[child]);
        if let Kind::Parallel {
            success, failure, ..
        } = &mut self.kind
            && count > 0
        {
            // One that is an expression is as it is.
            let reads = usize::from(self.reads.is_some());
            for threshold in [success, failure].into_iter().flatten().skip(reads) {
                *threshold = (*threshold).min(count);
            }
        }
        let mut stays = stays.into_iter();
        self.children.retain(|_| stays.next().unwrap_or(true));
        for child in &mut self.children {
            child.leave_out();
        }
    }

    fn enable(&mut self) {
        self.disabled = false;
        self.children.iter_mut().for_each(Node::enable);
    }

    /// Enables what must be there: a node whose children are for different things has enough of them, or none.
    pub(super) fn enable_for_sense(&mut self) {
        self.children.iter_mut().for_each(Node::enable_for_sense);
        if !self.makes_sense() {
            self.children.iter_mut().for_each(Node::enable);
        }
    }

    /// Returns true if as many children are left as its kind takes.
    pub(super) fn makes_sense(&self) -> bool {
        let left = self.children.iter().filter(|child| !child.is_left_out());
        let left = left.count();
        !matches!(self.kind, Kind::IfElse | Kind::WhileLoop)
            || left == 0
            || self.kind.may_have(left)
    }
}
