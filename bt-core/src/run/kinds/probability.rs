//! `probility`: one child, drawn by weight, whose result is final.

use super::{Behaviour, Nothing};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Probability {
    /// One for each child, not negative.
    pub(crate) weights: Box<[f64]>,
}

impl Behaviour for Probability {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let sum: f64 = self.weights.iter().sum();
        let mut children = walk.plan.children(node).zip(&self.weights);
        if !(sum > 0.0 && sum.is_finite()) {
            walk.report(Some(node), "its weights leave no child to draw".to_owned());
            return Step::Done(false);
        }
        let mut drawn = walk.core.session.random().unit() * sum;
        let mut last = None;
        let found = children.find(|(child, weight)| {
            if **weight > 0.0 {
                last = Some(*child);
            }
            drawn -= **weight;
            drawn < 0.0 && **weight > 0.0
        });
        // Rounding may leave a rest: it is the last one's.
        match found.map(|(child, _)| child).or(last) {
            Some(child) => Step::Enter(child),
            None => Step::Done(false),
        }
    }
}
