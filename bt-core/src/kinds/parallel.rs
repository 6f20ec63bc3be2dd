//! `parallel`: all children at once.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use super::Spare;
use super::number::{Amount, Number, NumberSlot, When};
use super::read::{Fields, fields};
use super::values::AtLeast;
use super::{
    About, Behaviour, Call, Certain, Children, Found, KeyProblem, NodeContext, NodeKind, Nothing,
    Outcome, Path, PlanContext, Planned, Problems, Remember, Runs, Step, Translate, Use, Wait,
};
use crate::decode::is_default;

fields! {
    /// All children at once.
    pub struct Parallel<'t> {
        /// how many successes decide
        success: Option<Number<'t, AtLeast<1>>> = None,
        /// how many failures decide
        failure: Option<Number<'t, AtLeast<1>>> = None,
        /// run finished children again every poll
        rerun: bool = false => "run again each poll",
        /// enter no further child once one of them has decided
        stop_when_decided: bool = false => "stops when decided",
    }
}

/// A number of children that decides, if it is stated.
type Threshold<'t> = Option<Number<'t, AtLeast<1>>>;

const SUCCESS: NumberSlot = NumberSlot(0);
const FAILURE: NumberSlot = NumberSlot(1);

fn literal(threshold: &Threshold<'_>) -> Option<AtLeast<1>> {
    threshold.as_ref()?.literal().copied()
}

impl<'t> Parallel<'t> {
    /// Each with its key.
    fn thresholds(&self) -> [(&'static str, &Threshold<'t>); 2] {
        [("success", &self.success), ("failure", &self.failure)]
    }
}

impl<'t> NodeKind<'t> for Parallel<'t> {
    const ABOUT: About = About::composite(
        "parallel",
        "⇉",
        "runs all its children at once until enough succeed or fail",
    )
    .children(Children::SOME)
    .original(1, 10)
    .elsewhere(
        &["parallelall", "parallelany", "race", "join"],
        " with `success` and `failure`",
    )
    .certain(Certain::All);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome {
            waits: Outcome::any(children).waits,
            ..Outcome::INSTANT
        }
    }

    /// Of two thresholds the one that is not stated. A parallel that states neither is another thing and
    /// stays so; one that is out of range is for the build to refuse.
    fn implied(&self, children: usize) -> Option<(&'static str, Value)> {
        let children = children as u64;
        let fits = |AtLeast(count): &AtLeast<1>| *count <= children;
        match (
            literal(&self.success).filter(fits),
            literal(&self.failure).filter(fits),
        ) {
            (Some(AtLeast(success)), None) if self.failure.is_none() => {
                Some(("failure", (children - success + 1).into()))
            }
            (None, Some(_)) if self.success.is_none() => Some(("success", children.into())),
            _ => None,
        }
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        for (key, threshold) in self.thresholds() {
            let beyond = literal(threshold).filter(|AtLeast(count)| *count > children as u64);
            if let Some(AtLeast(count)) = beyond.filter(|_| children > 0) {
                let s = if children == 1 { "child" } else { "children" };
                let expected = &format_args!("no more than its {children} {s}");
                let found = &count;
                problems(&path.key(key), KeyProblem::OutOfRange { expected, found });
            }
        }
        // Without thresholds the first child that ends decides, and none is left to run again.
        if self.rerun && self.success.is_none() && self.failure.is_none() {
            let problem = KeyProblem::MissingOneOf {
                keys: &["success", "failure"],
                description: "it says how many of the same poll's ends decide",
            };
            problems(&path.key("rerun"), problem);
        }
    }

    /// “As if it were not there”: no more of its children can succeed, or fail, than there are.
    fn without(&self, stays: &[bool]) -> Vec<(&'static str, Value)> {
        let left = stays.iter().filter(|stays| **stays).count() as u64;
        let listed = stays.len() as u64;
        let beyond = self.thresholds().into_iter().filter(|(_, threshold)| {
            literal(threshold).is_some_and(|AtLeast(count)| left < count && count <= listed)
        });
        // None of no child: that is another thing.
        let beyond = beyond.filter(|_| left > 0);
        beyond.map(|(key, _)| (key, left.into())).collect()
    }

    fn display(&self, part: &mut dyn FnMut(String)) {
        let enough = |count: &Threshold<'_>, verb: &str| {
            let count = count.as_ref()?;
            let is_one = *count == Number::Literal(AtLeast(1));
            let ending = if is_one { "s" } else { "" };
            Some(format!("{count} {verb}{ending}"))
        };
        let enough = [
            enough(&self.success, "succeed"),
            enough(&self.failure, "fail"),
        ];
        let enough: Vec<_> = enough.into_iter().flatten().collect();
        part(match enough.is_empty() {
            true => "until any ends".to_owned(),
            false => format!("until {}", enough.join(" or ")),
        });
        Fields::display(self, part);
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        for (key, threshold) in self.thresholds() {
            if let Some(threshold) = threshold {
                threshold.uses(key, &path.key(key), report);
            }
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        // No more than there are children.
        let most = cx.children();
        let mut of = |count: &Threshold<'_>, key, slot| {
            let count = count.as_ref()?;
            Some(count.plan_item(cx, key, "", slot, true, When::Entered))
        };
        let success = of(&self.success, "success", SUCCESS);
        let failure = of(&self.failure, "failure", FAILURE);
        let all = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
        let node = ParallelNode {
            success: success.unwrap_or(Amount::Known(all)),
            failure,
            children: most,
            rerun: self.rerun,
            stops: self.stop_when_decided,
            any: success.is_none() && failure.is_none(),
        };
        node.into()
    }
}

/// The numbers of children that decide.
#[derive(Debug)]
pub(crate) struct ParallelNode {
    success: Amount<NonZeroU32>,
    /// If it is stated.
    failure: Option<Amount<NonZeroU32>>,
    /// The number of its children.
    children: u32,
    /// Finished children are run again every poll.
    rerun: bool,
    /// Children to the right of the one that decides are not entered.
    stops: bool,
    /// It ends in the first pass in which a child ended, as the last of those.
    any: bool,
}

/// The results of its children.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Results {
    #[serde(skip_serializing_if = "is_default")]
    succeeded: u32,
    #[serde(skip_serializing_if = "is_default")]
    failed: u32,
    /// The one that is entered, while they are.
    #[serde(skip_serializing_if = "is_default")]
    entering: Option<u32>,
    #[serde(skip_serializing_if = "is_default")]
    decided: Option<bool>,
    /// The last child, by its place, that ended in this pass, and how.
    #[serde(skip_serializing_if = "is_default")]
    ended: Option<(u32, bool)>,
    /// The poll in which the ends were counted.
    #[serde(skip_serializing_if = "is_default")]
    counted: u32,
    /// Each child that has ended, and after it 1 if it has succeeded: if one is removed, its result is forgotten.
    #[serde(skip_serializing_if = "is_default")]
    ends: ThinVec<u32>,
}

impl Remember for Results {
    const FORM: &'static str = "parallel";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        let ended = self.ended.iter_mut().map(|(child, _)| child);
        ended
            .chain(&mut self.entering)
            .chain(self.ends.iter_mut().step_by(2))
            .try_for_each(|child| to.child(child))
    }

    fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
        self.entering = self.entering.and_then(to);
        let ended = self.ended.take();
        self.ended = ended.and_then(|(child, success)| Some((to(child)?, success)));
        self.keep_ends(to);
        true
    }

    fn recycle(mut self, spare: &mut Spare) {
        if self.ends.capacity() > 0 {
            self.ends.clear();
            spare.push(self.ends);
        }
    }
}

impl Results {
    /// Forgets the ends of children that have become nothing.
    fn keep_ends(&mut self, to: impl Fn(u32) -> Option<u32>) {
        for end in std::mem::take(&mut self.ends).chunks_exact(2) {
            match (to(end[0]), end[1]) {
                (Some(child), success) => self.ends.extend([child, success]),
                (None, 0) => self.failed = self.failed.saturating_sub(1),
                (None, _) => self.succeeded = self.succeeded.saturating_sub(1),
            }
        }
    }

    /// Forgets the ends of earlier polls.
    fn count_anew(&mut self, poll: u32) {
        if self.counted != poll {
            self.succeeded = 0;
            self.failed = 0;
            self.ends.clear();
            self.counted = poll;
        }
    }
}

impl Behaviour for ParallelNode {
    type State = Results;
    type Retained = Nothing;

    fn runs_many(&self) -> bool {
        true
    }

    fn counts_last(&self) -> bool {
        self.any
    }

    fn child_may_wait(&self, wait: Wait) -> bool {
        self.rerun && wait == Wait::Rerun
    }

    fn may_resume(&self) -> bool {
        true
    }

    fn check(&self, results: &Results, found: &Found<'_>) -> Result<(), &'static str> {
        let count = found.children.len() as u64;
        let ends = u64::from(results.succeeded) + u64::from(results.failed);
        // With `rerun` those that have ended may run again.
        let running = if self.rerun { 0 } else { found.running };
        if ends + u64::from(running) > count {
            return Err("more of its children run or have ended than it has");
        }
        let named = results.ends.len() as u64;
        if !named.is_multiple_of(2) || named / 2 > ends {
            return Err("it names other children as ended than it has counted");
        }
        // The numbers of polls go round: what is not half of them behind is ahead.
        if found.poll.wrapping_sub(results.counted) > u32::MAX / 2 {
            return Err("it has counted ends of a poll still to come");
        }
        let is_decided = results.decided.is_some() || results.ended.is_some();
        if results.entering.is_some() && !found.continues || is_decided && !found.is_held {
            return Err("it is still entering children, or has decided, and nothing continues it");
        }
        Ok(())
    }

    fn is_deciding(&self, results: &Results) -> bool {
        let is_decided = results.ended.is_some() || results.decided.is_some();
        is_decided && results.entering.is_none()
    }
}

impl<C: NodeContext> Runs<C> for ParallelNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let results = Results {
            counted: cx.poll(),
            ..Results::default()
        };
        cx.set_state::<Self>(node, results);
        match cx.first_child(node) {
            None => finish(cx, node, true),
            Some(_) if self.thresholds(cx, node).is_none() => finish(cx, node, false),
            first => self.enter_from(cx, node, first),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        let poll = cx.poll();
        if self.rerun
            && let Some(results) = cx.state_mut::<Self>(node)
        {
            // The thresholds count this poll's ends only.
            results.count_anew(poll);
        }
        // One that a debugger disabled has no say.
        let counts = cx.is_there(child);
        if counts {
            self.note(cx, node, child, success);
        }
        let Some((most, failures)) = self.thresholds(cx, node) else {
            return finish(cx, node, false);
        };
        let Some(results) = cx.state_mut::<Self>(node) else {
            return Step::Blocked;
        };
        match (counts, success) {
            (true, true) => results.succeeded += 1,
            (true, false) => results.failed += 1,
            (false, _) => {}
        }
        if results.decided.is_none() && !self.any {
            if results.succeeded >= most {
                results.decided = Some(true);
            } else if results.failed >= failures {
                results.decided = Some(false);
            }
        }
        if self.any && counts && results.ended.is_none_or(|(last, _)| child > last) {
            results.ended = Some((child, success));
        }
        let entering = results.entering;
        if self.rerun {
            cx.wait(child, Wait::Rerun);
        }
        match entering {
            Some(entered) if entered == child => {
                cx.drop_resume(node);
                let next = cx.next_child(node, child);
                self.enter_from(cx, node, next)
            }
            // One that was entered before: the others are entered first.
            Some(_) => Step::Blocked,
            None => self.conclude(cx, node),
        }
    }

    fn resume(&self, cx: &mut C, node: u32, child: u32) -> Step {
        let next = cx.next_child(node, child);
        self.enter_from(cx, node, next)
    }

    /// Decides when the children with work in that pass have done it.
    fn decide(&self, cx: &mut C, node: u32) -> Step {
        let decided = cx.state::<Self>(node).and_then(|results| {
            let ended = results.ended.map(|(_, success)| success);
            ended.or(results.decided)
        });
        match decided {
            Some(success) => finish(cx, node, success),
            None => Step::Blocked,
        }
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        let results = Results {
            counted: cx.poll(),
            ..Results::default()
        };
        cx.set_state::<Self>(node, results);
    }

    /// Forgets the results of children that are gone, or run again. Agents that older versions saved do not know which
    /// had which: there a success goes first. With `rerun` those that have ended run again in the turn.
    fn rejoin(&self, cx: &mut C, node: u32) {
        let children = cx.children(node);
        let ended = children.filter(|child| !cx.is_active(*child) && !cx.is_waiting(*child));
        let ended: Vec<u32> = ended.collect();
        if self.rerun {
            for child in ended {
                cx.wait(child, Wait::Rerun);
                cx.turn_now(child);
            }
            return;
        }
        if let Some(results) = cx.state_mut::<Self>(node) {
            results.keep_ends(|child| ended.contains(&child).then_some(child));
            let ended = ended.len() as u32;
            results.succeeded = results.succeeded.min(ended.saturating_sub(results.failed));
            results.failed = results.failed.min(ended);
        }
    }

    /// Its thresholds are others now. With `rerun` the turn counts anew.
    fn check_again(&self, cx: &mut C, node: u32) -> Step {
        if cx.first_child(node).is_none() {
            return finish(cx, node, true);
        }
        if self.rerun {
            return Step::Blocked;
        }
        let Some((success, failure)) = self.thresholds(cx, node) else {
            return finish(cx, node, false);
        };
        if let Some(results) = cx.state_mut::<Self>(node)
            && !self.any
            && results.entering.is_none()
        {
            results.decided = match (results.succeeded >= success, results.failed >= failure) {
                (true, _) => Some(true),
                (false, failed) => failed.then_some(false),
            };
            return self.conclude(cx, node);
        }
        match cx.any_below(node) {
            true => Step::Blocked,
            false => finish(cx, node, false),
        }
    }
}

impl ParallelNode {
    /// The number of successes and the number of failures that decide, of the children that are there. None if one
    /// of them could not be read: the node fails.
    fn thresholds(&self, cx: &impl NodeContext, node: u32) -> Option<(u32, u32)> {
        let children = cx.count_there(node).unwrap_or(self.children);
        let kept = |threshold: Amount<NonZeroU32>, slot| {
            let kept = threshold.kept(cx, node, slot)?;
            Some(u32::try_from(kept).unwrap_or(u32::MAX))
        };
        let success = kept(self.success, SUCCESS)?.min(children);
        let failure = match self.failure {
            Some(failure) => kept(failure, FAILURE)?.min(children.max(1)),
            None => (children + 1).saturating_sub(success).max(1),
        };
        Some((success, failure))
    }

    /// Notes which child has ended so.
    fn note(&self, cx: &mut impl NodeContext, node: u32, child: u32, success: bool) {
        if self.any {
            return;
        }
        let known = cx.state_mut::<Self>(node);
        let known = known.map(|results| std::mem::take(&mut results.ends));
        let mut ends = match known {
            Some(ends) if ends.capacity() > 0 => ends,
            _ => cx.spare_list(),
        };
        ends.extend([child, u32::from(success)]);
        if let Some(results) = cx.state_mut::<Self>(node) {
            results.ends = ends;
        }
    }

    /// Enters the children, from that one on, one after another as each blocks or ends.
    fn enter_from(&self, cx: &mut impl NodeContext, node: u32, mut next: Option<u32>) -> Step {
        while let Some(child) = next
            && cx.is_closed_for_children(node)
        {
            cx.wait(child, Wait::Due);
            next = cx.next_child(node, child);
        }
        if let Some(results) = cx.state_mut::<Self>(node) {
            if self.stops && (results.decided.is_some() || results.ended.is_some()) {
                next = None;
            }
            results.entering = next;
        }
        match next {
            Some(next) => {
                cx.resume_after(node, next);
                Step::Enter(next)
            }
            None => self.conclude(cx, node),
        }
    }

    /// Ends if that is decided.
    fn conclude(&self, cx: &mut impl NodeContext, node: u32) -> Step {
        let Some(results) = cx.state::<Self>(node) else {
            return Step::Blocked;
        };
        let (decided, ended) = (results.decided, results.ended.is_some());
        if !self.any && cx.have_all_ended(node) || decided.is_some() {
            return finish(cx, node, decided.unwrap_or(false));
        }
        if self.any && !ended && cx.have_all_ended(node) {
            // Only what a debugger disabled has run.
            return finish(cx, node, true);
        }
        // What the other children have to do in this pass comes first.
        if ended {
            cx.decide_later(node);
        }
        Step::Blocked
    }
}

/// Aborts the losers, then ends.
fn finish(cx: &mut impl NodeContext, node: u32, success: bool) -> Step {
    cx.clear_state(node);
    cx.drop_resume(node);
    cx.abort_below(node, success)
}
