//! `probility`: one child, drawn by weight.

use std::borrow::Cow;

use serde_json::Value;
use smallvec::SmallVec;

use super::number::{Amount, NumberSlot, When};
use super::read::fields;
use super::values::{Weight, Weights};
use super::{
    About, Behaviour, Call, Certain, Children, Long, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Problems, Runs, Step, Use, choice,
};

fields! {
    /// One child, drawn by weight.
    pub struct Probability<'t> {
        /// one weight for each child
        prob: Weights<'t> => "{}",
    }
}

impl<'t> NodeKind<'t> for Probability<'t> {
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
        let all = self.prob.0.iter();
        let all = all.map(|weight| weight.to_json(|Weight(weight)| (*weight).into()));
        match self.prob.0.len() == stays.len() {
            true => choice::without("prob", all, stays),
            false => Vec::new(),
        }
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        let path = path.key("prob");
        for (at, weight) in self.prob.0.iter().enumerate() {
            weight.uses("prob", &path.item(at), report);
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let (mut weights, mut read) = (Vec::new(), Vec::new());
        for (weight, at) in self.prob.0.iter().zip(0..) {
            let place = format_args!("/{at}");
            let slot = NumberSlot(at);
            let planned = weight.plan_item::<Long>(cx, "prob", place, slot, false, When::Needed);
            weights.push(match planned {
                Amount::Known(weight) => f64::from_bits(weight.into()),
                Amount::Read => {
                    read.push(at);
                    0.0
                }
            });
        }
        make_summable(&mut weights);
        ProbabilityNode {
            weights: weights.into(),
            read: read.into(),
        }
        .into()
    }
}

/// Makes weights smaller whose sum is not finite, as each of them is.
fn make_summable(weights: &mut [f64]) {
    if weights.iter().sum::<f64>().is_infinite() {
        let count = weights.len() as f64;
        weights.iter_mut().for_each(|weight| *weight /= count);
    }
}

#[derive(Debug)]
pub(crate) struct ProbabilityNode {
    /// One for each child, not negative.
    weights: Box<[f64]>,
    /// The places of those that are read for each draw.
    read: Box<[u32]>,
}

impl ProbabilityNode {
    /// The weights of a draw. None if one of a child that is there cannot be read.
    fn weights(&self, cx: &mut impl NodeContext, node: u32) -> Option<Cow<'_, [f64]>> {
        if self.read.is_empty() {
            return Some(Cow::Borrowed(&self.weights));
        }
        let mut weights = self.weights.to_vec();
        let children: SmallVec<[u32; 16]> = cx.listed(node).collect();
        for at in &self.read {
            let is_there = |child: &u32| cx.is_there(*child);
            if children.get(*at as usize).is_some_and(is_there) {
                let weight = Amount::<Long>::Read.now(cx, node, NumberSlot(*at))?;
                weights[*at as usize] = f64::from_bits(weight);
            }
        }
        make_summable(&mut weights);
        Some(Cow::Owned(weights))
    }
}

impl Behaviour for ProbabilityNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for ProbabilityNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let Some(weights) = self.weights(cx, node) else {
            return Step::Done(false);
        };
        let all = cx.listed(node).zip(&*weights);
        let sum: f64 = all
            .filter(|(child, _)| cx.is_there(*child))
            .map(|(_, weight)| weight)
            .sum();
        if !(sum > 0.0 && sum.is_finite()) {
            cx.report(node, "its weights leave no child to draw".to_owned());
            return Step::Done(false);
        }
        let mut drawn = cx.random().unit() * sum;
        let all = cx.listed(node).zip(&*weights);
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
