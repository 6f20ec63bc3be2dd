//! `for_each`: a run for each element of a list.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use super::read::{choices, fields};
use super::values::{Formula, Name};
use super::{
    About, Behaviour, Call, Fields, Found, Given, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Remember, Runs, Step, Use, Wanted, outcome,
};
use crate::blackboard::KeyId;
use crate::decode::shown;

choices! {
    /// The end of a run that ends all.
    pub enum ForEachUntil {
        /// The first failure, which is the result.
        Failure = "failure",
        /// The first success, which is the result.
        Success = "success",
        /// None.
        None = "none",
    }
}

fields! {
    /// A run for each element of a list.
    pub struct ForEach<'t> {
        /// the expression whose value is the list
        list as "in": Formula<'t>,
        /// the key that holds the element
        item as "as": Name<'t>,
        /// the key that holds its place, from 0 on
        index: Option<Name<'t>> = None,
        /// which end of its child ends it
        until: ForEachUntil = ForEachUntil::Failure => "until {}",
    }
}

impl<'t> NodeKind<'t> for ForEach<'t> {
    const ABOUT: About = About::decorator(
        "for_each",
        "∀",
        "runs its child once for each element of a list, until it fails",
    )
    .elsewhere(
        &["foreach", "forall", "iterator", "loopover"],
        " with `in` and `as`",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        // The list may be empty, or none.
        Outcome::new(true, true, outcome::child(children).waits)
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(&path.key("in"), Use::Value(Wanted::List, self.list));
    }

    fn declares(&self) -> Vec<(&'static str, Name<'t>, &'static str)> {
        let index = self.index.map(|index| ("index", index, "int64"));
        let item = ("as", self.item, "any_value");
        std::iter::once(item).chain(index).collect()
    }

    fn display(&self, part: &mut dyn FnMut(String)) {
        part(format!("${} in {}", self.item.0, self.list));
        if let Some(Name(index)) = self.index {
            part(format!("place in ${index}"));
        }
        Fields::display(self, part);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        cx.name(self.list.0);
        let node = ForEachNode {
            list: cx.formula(self.list, format_args!("/in")),
            item: cx.key(self.item.0),
            index: self.index.map(|Name(index)| cx.key(index)),
            until: match self.until {
                ForEachUntil::Failure => Some(false),
                ForEachUntil::Success => Some(true),
                ForEachUntil::None => None,
            },
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct ForEachNode {
    list: Given,
    item: KeyId,
    index: Option<KeyId>,
    /// The end of its child that ends it, and is its result.
    until: Option<bool>,
}

/// The list, and how many of its elements have had their run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "(ThinVec<Value>, u32)", into = "(ThinVec<Value>, u32)")]
pub(crate) struct Elements {
    list: ThinVec<Value>,
    done: u32,
}

impl Remember for Elements {
    const FORM: &'static str = "elements";
}

impl From<(ThinVec<Value>, u32)> for Elements {
    fn from((list, done): (ThinVec<Value>, u32)) -> Elements {
        Elements { list, done }
    }
}

impl From<Elements> for (ThinVec<Value>, u32) {
    fn from(elements: Elements) -> (ThinVec<Value>, u32) {
        (elements.list, elements.done)
    }
}

impl Behaviour for ForEachNode {
    type State = Elements;
    type Retained = Nothing;

    fn check(&self, elements: &Elements, _: &Found<'_>) -> Result<(), &'static str> {
        let (done, count) = (elements.done as usize, elements.list.len());
        match done == 0 || done < count {
            true => Ok(()),
            false => Err("its place is beyond its list"),
        }
    }
}

impl<C: NodeContext> Runs<C> for ForEachNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let list = cx.evaluate(node, &self.list, |value| {
            (!value.is_array()).then(|| format!("`in`: expected a list, found {}", shown(value)))
        });
        let Some(Value::Array(list)) = list else {
            return Step::Done(false);
        };
        let list = list.into_iter().collect();
        cx.set_state::<Self>(node, Elements { list, done: 0 });
        self.next(cx, node)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        if self.until == Some(success) {
            cx.clear_state(node);
            return Step::Done(success);
        }
        if let Some(elements) = cx.state_mut::<Self>(node) {
            elements.done = elements.done.saturating_add(1);
        }
        self.next(cx, node)
    }

    /// The child that runs is taken for the last: which element it is for, nobody knows.
    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        let list = ThinVec::new();
        cx.set_state::<Self>(node, Elements { list, done: 0 });
    }
}

impl ForEachNode {
    /// Begins the run of the next element; ends if there is none.
    fn next(&self, cx: &mut impl NodeContext, node: u32) -> Step {
        let elements = cx.state::<Self>(node);
        let next = elements.and_then(|elements| {
            let element = elements.list.get(elements.done as usize)?;
            Some((element.clone(), elements.done))
        });
        let Some((element, place)) = next else {
            cx.clear_state(node);
            return Step::Done(self.until != Some(true));
        };
        cx.set_value(node, self.item, element);
        if let Some(index) = self.index {
            cx.set_value(node, index, place.into());
        }
        Step::Enter(cx.child(node))
    }
}
