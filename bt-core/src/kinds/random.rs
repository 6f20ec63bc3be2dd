//! `random_seq` and `random_select`: a fresh random order each time.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::read::fields;
use super::{
    About, Behaviour, Call, Certain, Found, NodeContext, NodeKind, Nothing, Outcome, PlanContext,
    Planned, Remember, Runs, Spare, Step, Translate,
};

fields! {
    /// A sequence in a random order.
    pub struct RandomSeq {}
}

impl<'t> NodeKind<'t> for RandomSeq {
    const ABOUT: About = About::composite(
        "random_seq",
        "→~",
        "a sequence in a fresh random order each time",
    )
    .original(1, 20)
    .elsewhere(&["randomsequence", "shuffle"], "")
    .certain(Certain::None)
    .behaviac("SequenceStochastic");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        RandomNode { on: true }.into()
    }
}

fields! {
    /// A select in a random order.
    pub struct RandomSelect {}
}

impl<'t> NodeKind<'t> for RandomSelect {
    const ABOUT: About = About::composite(
        "random_select",
        "?~",
        "a select in a fresh random order each time",
    )
    .elsewhere(&["randomselector", "randomfallback"], "")
    .certain(Certain::None)
    .fails_empty()
    .behaviac("SelectorStochastic");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        RandomNode { on: false }.into()
    }
}

#[derive(Debug)]
pub(crate) struct RandomNode {
    /// The result after which the next child is entered: success for a sequence.
    on: bool,
}

/// The order of the children, and how many of them have ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "(ThinVec<u32>, u32)", into = "(ThinVec<u32>, u32)")]
pub(crate) struct Drawn {
    order: ThinVec<u32>,
    done: u32,
}

impl Remember for Drawn {
    const FORM: &'static str = "order";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        self.order.iter_mut().try_for_each(|child| to.child(child))
    }

    /// Keeps what has run and what runs, and the order of the rest if none of that is gone: else it is drawn anew.
    fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
        let before = self.done as usize;
        let done = self.order.iter().take(before);
        self.done = done.filter(|child| to(**child).is_some()).count() as u32;
        // Two are one now where the child that runs was moved below another.
        let now: ThinVec<_> = self.order.iter().map(|child| to(*child)).collect();
        let is_twice = |at: usize| now[..at].contains(&now[at]);
        let is_whole = (0..now.len()).all(|at| now[at].is_some() && !is_twice(at));
        let keeps = if is_whole {
            self.order.len()
        } else {
            before + 1
        };
        self.order = now.into_iter().take(keeps).flatten().collect();
        true
    }

    fn recycle(mut self, spare: &mut Spare) {
        self.order.clear();
        spare.push(self.order);
    }
}

impl From<(ThinVec<u32>, u32)> for Drawn {
    fn from((order, done): (ThinVec<u32>, u32)) -> Drawn {
        Drawn { order, done }
    }
}

impl From<Drawn> for (ThinVec<u32>, u32) {
    fn from(drawn: Drawn) -> (ThinVec<u32>, u32) {
        (drawn.order, drawn.done)
    }
}

impl Behaviour for RandomNode {
    type State = Drawn;
    type Retained = Nothing;

    fn check(&self, drawn: &Drawn, found: &Found<'_>) -> Result<(), &'static str> {
        let mut sorted = drawn.order.to_vec();
        sorted.sort_unstable();
        if sorted != found.children || drawn.done as usize >= sorted.len() {
            return Err("its order is not one of all its children");
        }
        Ok(())
    }
}

impl<C: NodeContext> Runs<C> for RandomNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let mut order = cx.spare_list();
        order.extend(cx.children(node));
        cx.random().shuffle(&mut order);
        let Some(first) = order.first().copied() else {
            return Step::Done(self.on);
        };
        cx.set_state::<Self>(node, Drawn { order, done: 0 });
        Step::Enter(first)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        while success == self.on
            && let Some(drawn) = cx.state_mut::<Self>(node)
        {
            drawn.done += 1;
            match drawn.order.get(drawn.done as usize).copied() {
                Some(next) if cx.is_there(next) => return Step::Enter(next),
                Some(_) => {}
                None => break,
            }
        }
        cx.clear_state(node);
        Step::Done(success)
    }

    fn adopt(&self, cx: &mut C, node: u32, child: u32) {
        let mut order = cx.spare_list();
        order.push(child);
        cx.set_state::<Self>(node, Drawn { order, done: 0 });
        self.draw_rest(cx, node, 1);
    }

    fn rejoin(&self, cx: &mut C, node: u32) {
        self.draw_anew(cx, node, 1);
    }

    fn replace(&self, cx: &mut C, node: u32, _: Option<u32>) -> Option<u32> {
        self.draw_anew(cx, node, 0);
        let drawn = cx.state::<Self>(node)?;
        drawn.order.get(drawn.done as usize).copied()
    }
}

impl RandomNode {
    /// Draws the order anew if its children are others, but for those that have run and so many that do.
    fn draw_anew(&self, cx: &mut impl NodeContext, node: u32, runs: usize) {
        if let Some(drawn) = cx.state::<Self>(node)
            && !cx.children(node).all(|child| drawn.order.contains(&child))
        {
            self.draw_rest(cx, node, drawn.done as usize + runs);
        }
    }

    /// Draws the order of the children but for so many, which have theirs.
    fn draw_rest(&self, cx: &mut impl NodeContext, node: u32, keeps: usize) {
        let children: ThinVec<u32> = cx.children(node).collect();
        let Some(drawn) = cx.state_mut::<Self>(node) else {
            return;
        };
        let mut order = std::mem::take(&mut drawn.order);
        order.truncate(keeps);
        let rest = children.iter().filter(|child| !order.contains(child));
        let mut rest: ThinVec<u32> = rest.copied().collect();
        cx.random().shuffle(&mut rest);
        order.append(&mut rest);
        if let Some(drawn) = cx.state_mut::<Self>(node) {
            drawn.order = order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_that_runs_below_another_is_not_entered_again() {
        let carried = |order: &[u32], done, to: &dyn Fn(u32) -> Option<u32>| {
            let order = order.iter().copied().collect();
            let mut drawn = Drawn { order, done };
            assert!(drawn.carry(to));
            (drawn.order.to_vec(), drawn.done)
        };
        // 5 runs, and is below 7 now.
        let below = |child| Some(if child == 5 { 7 } else { child });
        assert_eq!(carried(&[3, 5, 7, 9], 1, &below), (vec![3, 7], 1));
        assert_eq!(carried(&[7, 5, 9], 1, &below), (vec![7, 7], 1));
        assert_eq!(carried(&[3, 5, 9], 1, &below), (vec![3, 7, 9], 1));
        let gone = |child| (child != 3).then_some(child);
        assert_eq!(carried(&[3, 5, 9], 1, &gone), (vec![5], 0));
    }
}
