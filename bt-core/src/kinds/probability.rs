//! `probility`: one child, drawn by weight.

use serde_json::Value;

use super::read::fields;
use super::values::{Weight, Weights};
use super::{
    About, Behaviour, Call, Certain, Children, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Problems, Runs, Step, choice,
};

fields! {
    /// One child, drawn by weight.
    pub struct Probability {
        /// one weight for each child
        prob: Weights => "{}",
    }
}

impl<'t> NodeKind<'t> for Probability {
    const ABOUT: About = About::composite(
        "probility",
        "%",
        "runs one child, drawn by weight, and takes its result",
    )
    .children(Children::SOME)
    .original(1, 20)
    .elsewhere(
        &[
            "probability",
            "weighted",
            "weightedrandom",
            "probabilityselector",
            "selectorprobability",
        ],
        ", as files spell it",
    )
    .certain(Certain::None)
    .fails_empty()
    .behaviac("SelectorProbability");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        let weights = self.prob.0.len();
        if weights != children && weights > 0 {
            choice::check_entries("prob", ["a weight", ""], weights, children, path, problems);
        }
    }

    /// “A weight for each child.”
    fn without(&self, stays: &[bool]) -> Vec<(&'static str, Value)> {
        let all = self.prob.0.iter().map(|weight| weight.0.into());
        match self.prob.0.len() == stays.len() {
            true => choice::without("prob", all, stays),
            false => Vec::new(),
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        let weights = self.prob.0.iter().map(|Weight(weight)| *weight);
        let mut weights: Box<[f64]> = weights.collect();
        // Each is a number, and their sum may be none.
        if weights.iter().sum::<f64>().is_infinite() {
            let count = weights.len() as f64;
            weights.iter_mut().for_each(|weight| *weight /= count);
        }
        ProbabilityNode { weights }.into()
    }
}

#[derive(Debug)]
pub(crate) struct ProbabilityNode {
    /// One for each child, not negative.
    weights: Box<[f64]>,
}

impl Behaviour for ProbabilityNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for ProbabilityNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let all = cx.listed(node).zip(&self.weights);
        let sum: f64 = all
            .filter(|(child, _)| cx.is_there(*child))
            .map(|(_, weight)| weight)
            .sum();
        if !(sum > 0.0 && sum.is_finite()) {
            cx.report(node, "its weights leave no child to draw".to_owned());
            return Step::Done(false);
        }
        let mut drawn = cx.random().unit() * sum;
        let all = cx.listed(node).zip(&self.weights);
        let mut children = all.filter(|(child, _)| cx.is_there(*child));
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
