//! The outcomes of a node, as far as its tree determines them.

use super::number::Number;
use super::values::Count;

/// The results that a node may end with, and whether it may still be running when the poll in which it was
/// entered ends. Everything unknown is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// It may succeed.
    pub success: bool,
    /// It may fail.
    pub failure: bool,
    /// It may be running when a poll ends.
    pub waits: bool,
}

impl Outcome {
    /// Nothing is known.
    pub const ANY: Outcome = Outcome::new(true, true, true);
    /// It ends at once, either way.
    pub const INSTANT: Outcome = Outcome::new(true, true, false);
    /// It succeeds at once.
    pub const SUCCESS: Outcome = Outcome::new(true, false, false);
    /// It fails at once.
    pub const FAILURE: Outcome = Outcome::new(false, true, false);
    /// It never ends.
    pub const NEVER: Outcome = Outcome::new(false, false, true);
    /// It ends the tree: nothing after it runs.
    pub const ENDS_ALL: Outcome = Outcome::new(false, false, false);

    pub(crate) const fn new(success: bool, failure: bool, waits: bool) -> Outcome {
        Outcome {
            success,
            failure,
            waits,
        }
    }

    /// The outcomes of one of two.
    pub fn or(self, other: Outcome) -> Outcome {
        Outcome::new(
            self.success || other.success,
            self.failure || other.failure,
            self.waits || other.waits,
        )
    }

    /// The outcomes of one of several.
    pub fn any(of: &[Outcome]) -> Outcome {
        of.iter().fold(Outcome::ENDS_ALL, |all, one| all.or(*one))
    }

    /// The other result.
    pub fn inverted(self) -> Outcome {
        Outcome::new(self.failure, self.success, self.waits)
    }

    /// The same, or a failure.
    pub fn may_fail(mut self) -> Outcome {
        self.failure = true;
        self
    }

    /// The same, and perhaps later.
    pub fn may_wait(mut self) -> Outcome {
        self.waits = true;
        self
    }

    /// Returns true if it may end.
    pub fn ends(self) -> bool {
        self.success || self.failure
    }

    /// A result that takes the place of a child's, if that ends.
    pub(super) fn instead_of(self, child: Outcome) -> Outcome {
        match child.ends() {
            true => Outcome {
                waits: child.waits,
                ..self
            },
            false => child,
        }
    }
}

/// The one child of a decorator.
pub(super) fn child(children: &[Outcome]) -> Outcome {
    children.first().copied().unwrap_or(Outcome::ANY)
}

/// The outcomes of children that run one after the other, together and of the last that is reached; none if
/// there is none. `continues` returns true if the next one can be reached after one.
pub(super) fn in_order(
    children: &[Outcome],
    continues: impl Fn(Outcome) -> bool,
) -> Option<(Outcome, Outcome)> {
    let mut all = Outcome::ENDS_ALL;
    let mut last = None;
    for child in children {
        all = all.or(*child);
        last = Some(*child);
        if !continues(*child) {
            // Of what does not continue, the end is the end of all.
            let stuck = Outcome::new(false, false, child.waits);
            return Some((all, stuck));
        }
    }
    Some((all, last?))
}

/// Children in order until one fails.
pub(super) fn sequence(children: &[Outcome]) -> Outcome {
    in_order(children, |one| one.success).map_or(Outcome::SUCCESS, |(all, last)| Outcome {
        success: last.success,
        failure: all.failure,
        waits: all.waits,
    })
}

/// Children in order until one succeeds.
pub(super) fn select(children: &[Outcome]) -> Outcome {
    let inverted: Vec<_> = children.iter().map(|one| one.inverted()).collect();
    sequence(&inverted).inverted()
}

/// A child again until it succeeds; `count`: so many times at most, if it is not below 0.
pub(super) fn until_success(count: &Number<'_, Count>, child: Outcome) -> Outcome {
    match count {
        Number::Literal(Count(0)) => Outcome::FAILURE,
        Number::Literal(Count(1..)) => child,
        Number::Literal(Count(..0)) => Outcome::new(child.success, false, true),
        Number::Read(_) => Outcome::new(child.success, true, true),
    }
}
