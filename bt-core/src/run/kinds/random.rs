//! `random_seq` and `random_select`: a sequence or a select in a fresh order each time.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::{Behaviour, Found, Nothing, Remember, Spare, Translate};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct RandomOrder {
    /// What makes it go on: success for a sequence.
    pub(crate) on: bool,
}

/// The order of the children, and how many of them have ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "(Vec<u32>, u32)", into = "(Vec<u32>, u32)")]
pub(crate) struct Drawn {
    order: ThinVec<u32>,
    done: u32,
}

impl Remember for Drawn {
    const FORM: &'static str = "order";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        self.order.iter_mut().try_for_each(|child| to.child(child))
    }

    fn recycle(mut self, spare: &mut Spare) {
        self.order.clear();
        spare.push(self.order);
    }
}

impl From<(Vec<u32>, u32)> for Drawn {
    fn from((order, done): (Vec<u32>, u32)) -> Drawn {
        let order = order.into_iter().collect();
        Drawn { order, done }
    }
}

impl From<Drawn> for (Vec<u32>, u32) {
    fn from(drawn: Drawn) -> (Vec<u32>, u32) {
        (drawn.order.to_vec(), drawn.done)
    }
}

impl Behaviour for RandomOrder {
    type State = Drawn;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let mut order = walk.core.cold().states.spare();
        order.extend(walk.plan.children(node));
        walk.core.session.random().shuffle(&mut order);
        let Some(first) = order.first().copied() else {
            return Step::Done(self.on);
        };
        let at = walk.core.here(node);
        walk.core.set_state::<Self>(at, Drawn { order, done: 0 });
        Step::Enter(first)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        if success == self.on
            && let Some(drawn) = walk.core.state_mut::<Self>(at)
        {
            drawn.done += 1;
            if let Some(next) = drawn.order.get(drawn.done as usize) {
                return Step::Enter(*next);
            }
        }
        walk.core.clear_state(at);
        Step::Done(success)
    }
    fn check(&self, drawn: &Drawn, found: &Found<'_>) -> Result<(), &'static str> {
        let mut sorted = drawn.order.to_vec();
        sorted.sort_unstable();
        let all = found.plan.children(found.node);
        if !all.eq(sorted.iter().copied()) || drawn.done as usize >= sorted.len() {
            return Err("its order is not one of all its children");
        }
        Ok(())
    }
}
