//! Trees that belong to no engine.

/// A node, of a kind that every engine has.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Children in order until one fails.
    Sequence(Vec<Shape>),
    /// Children in order until one succeeds.
    Select(Vec<Shape>),
    /// The child's result, turned round.
    Invert(Box<Shape>),
    /// Success, whatever the child's result.
    Succeed(Box<Shape>),
    /// A condition, and what follows if it holds, or does not.
    IfElse(Box<[Shape; 3]>),
    /// A leaf.
    Leaf(Leaf),
}

/// A leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Counts.
    Nop,
    /// Counts, with two arguments from the tree.
    Literals,
    /// Counts, with two arguments from the blackboard, by name.
    Keys,
    /// Counts, with two arguments from fields whose place is known.
    Fields,
    /// A condition that holds.
    Calm,
    /// A condition that does not.
    Angry,
    /// Waits for a time.
    Timer,
    /// Waits for somebody else.
    Answer,
    /// Waits for either, and holds a guard. Ours only.
    Either,
    /// Counts at each poll. Ours only.
    KeepCounting,
}

use Leaf::{Angry, Calm, Nop};

impl From<Leaf> for Shape {
    fn from(leaf: Leaf) -> Shape {
        Shape::Leaf(leaf)
    }
}

impl Shape {
    /// Eight times the same leaf.
    pub fn eight(leaf: Leaf) -> Shape {
        Shape::Sequence(vec![Shape::Leaf(leaf); 8])
    }

    /// 32 nodes, 29 of which a round visits, with composites and decorators in one another. `work`
    /// is the leaf that is furthest down.
    pub fn of_32(work: Leaf) -> Shape {
        let leaves = |leaves: &[Leaf]| leaves.iter().map(|leaf| Shape::Leaf(*leaf)).collect();
        let sequence = |all: &[Leaf]| Shape::Sequence(leaves(all));
        let invert = |child: Shape| Shape::Invert(Box::new(child));
        let succeed = |child: Shape| Shape::Succeed(Box::new(child));
        let branch = [Calm.into(), sequence(&[Nop, Nop]), Nop.into()];
        Shape::Sequence(vec![
            Shape::Select(vec![Angry.into(), sequence(&[Nop, Calm, Nop])]),
            Shape::IfElse(Box::new(branch)),
            invert(Shape::Select(vec![Angry.into(), invert(Nop.into())])),
            succeed(sequence(&[Nop, Angry, Nop])),
            Shape::Select(vec![
                sequence(&[Angry, Nop]),
                succeed(sequence(&[Calm, work])),
            ]),
            Nop.into(),
        ])
    }

    /// So many nodes at least, in sequences of ten, all of them nops.
    pub fn bulk(nodes: usize) -> Shape {
        let mut all = vec![Shape::Leaf(Nop); nodes * 9 / 10];
        while all.len() > 1 {
            let sequences = all.chunks(10).map(|ten| Shape::Sequence(ten.to_vec()));
            all = sequences.collect();
        }
        all.pop().unwrap_or_else(|| Shape::eight(Nop))
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        1 + self.children().iter().map(Shape::count).sum::<usize>()
    }

    /// Returns true if a leaf reads keys of the blackboard; if not, agents have nothing on it.
    pub fn has_keys(&self) -> bool {
        matches!(self, Shape::Leaf(Leaf::Keys)) || self.children().iter().any(Shape::has_keys)
    }

    /// The nodes right below.
    pub fn children(&self) -> &[Shape] {
        match self {
            Shape::Sequence(children) | Shape::Select(children) => children,
            Shape::Invert(child) | Shape::Succeed(child) => std::slice::from_ref(&**child),
            Shape::IfElse(children) => &**children,
            Shape::Leaf(_) => &[],
        }
    }
}
