//! `utility`: the child with the highest score.

use std::fmt::{self, Display};

use serde_json::Value;

use super::number::{Amount, Number, ONE, When};
use super::read::{FromJson, Problems, fields, out_of_range};
use super::values::{Formula, Weight};
use super::{
    About, Call, Certain, Children, Given, Long, NodeContext, NodeKind, Outcome, Path, PlanContext,
    Planned, Use, Wanted, choice,
};
use crate::compare::{Exact, exact};
use crate::decode::shown;

fields! {
    /// The child with the highest score.
    pub struct Utility<'t> {
        /// one expression for each child: its score, a number, or null where it is not to run
        scores: Scores<'t> => "{}",
        /// chooses again every poll: a child with a higher score takes over from the one that runs
        reactive: bool = false => "reactive",
        /// by how much a score must be higher to take over
        keep: Number<'t, Weight> = Number::Literal(Weight(0.0)) => "keep {}",
    }
}

/// A score for each child: one at least. The hole is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores<'t>(pub Vec<Formula<'t>>);

impl Display for Scores<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, score) in self.0.iter().enumerate() {
            write!(f, "{}{score}", if at == 0 { "" } else { " : " })?;
        }
        Ok(())
    }
}

impl<'t> FromJson<'t> for Scores<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Scores<'t> {
        if json.as_array().is_some_and(Vec::is_empty) {
            out_of_range(&"one at least", json, path, problems);
        }
        Scores(Vec::read(json, path, problems))
    }

    fn schema() -> Value {
        let mut schema = Vec::<Formula<'_>>::schema();
        schema["minItems"] = 1.into();
        schema
    }
}

impl<'t> NodeKind<'t> for Utility<'t> {
    const ABOUT: About = About::composite(
        "utility",
        "▲",
        "runs the child with the highest score, and takes its result",
    )
    .children(Children::SOME)
    .elsewhere(
        &["utilityselector", "scoreselector", "dynamicutility"],
        " with `scores`",
    )
    .certain(Certain::None)
    .fails_empty();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        let scores = path.key("scores");
        for (at, score) in self.scores.0.iter().enumerate() {
            report(&scores.item(at), Use::Value(Wanted::Score, *score));
        }
        self.keep.uses("keep", &path.key("keep"), report);
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        let scores = self.scores.0.len();
        if scores != children && scores > 0 {
            choice::check_entries("scores", ["a score", ""], scores, children, path, problems);
        }
    }

    fn without(&self, stays: &[bool]) -> Vec<(&'static str, Value)> {
        let all = self.scores.0.iter().map(|score| score.0.into());
        match self.scores.0.len() == stays.len() {
            true => choice::without("scores", all, stays),
            false => Vec::new(),
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        cx.name(&self.scores.to_string());
        let scores = self.scores.0.iter().enumerate();
        let scores = scores.map(|(at, score)| cx.formula(*score, format_args!("/scores/{at}")));
        let node = UtilityNode {
            scores: scores.collect(),
            keep: self.keep.plan(cx, "keep", When::Entered),
            reactive: self.reactive,
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct UtilityNode {
    /// One for each child.
    scores: Box<[Given]>,
    /// By how much a score must be higher than that of the child that runs.
    keep: Amount<Long>,
    /// It chooses again in each turn.
    reactive: bool,
}

/// Returns true if a score is higher than another one, or that is none.
fn is_higher(score: Exact, than: Option<Exact>) -> bool {
    than.is_none_or(|than| exact(score, than).is_some_and(|order| order.is_gt()))
}

impl choice::Chooses for UtilityNode {
    fn is_reactive(&self) -> bool {
        self.reactive
    }

    /// The child with the highest score, the first of those; the one that runs, unless that is exceeded. None if no child
    /// has one, a score is a mistake, or what was called for one requested that the tree ends.
    fn choose(&self, cx: &mut impl NodeContext, node: u32, running: Option<u32>) -> Option<u32> {
        let mut best: Option<(u32, Exact)> = None;
        let mut own = None;
        let mut child = None;
        for (number, given) in self.scores.iter().enumerate() {
            child = cx.next_listed(node, child);
            // A debugger may have disabled a child, and with it its score.
            let Some(child) = child.filter(|child| cx.is_there(*child)) else {
                continue;
            };
            let score = cx.evaluate(node, given, |value| {
                let fits = value.is_number() || value.is_null();
                let number = number + 1;
                (!fits).then(|| {
                    format!(
                        "score {number}: expected a number or null, found {}",
                        shown(value)
                    )
                })
            })?;
            if cx.is_requested() {
                return running;
            }
            let Value::Number(score) = score else {
                continue;
            };
            let score = Exact::of(&score);
            if running == Some(child) {
                own = Some(score);
            } else if is_higher(score, best.map(|(_, best)| best)) {
                best = Some((child, score));
            }
        }
        let keep = f64::from_bits(self.keep.kept(cx, node, ONE)?);
        let own = own.map(|own| match keep > 0.0 {
            true => Exact::Float(own.float() + keep),
            false => own,
        });
        match (running, best) {
            (Some(running), Some((_, best))) if !is_higher(best, own) => Some(running),
            (_, Some((best, _))) => Some(best),
            (running, None) => running,
        }
    }
}
