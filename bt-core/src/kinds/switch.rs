//! `switch`: the child of a value's case.

use std::fmt::{self, Display};

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::read::{FromJson, fields, out_of_range, wrong_form};
use super::values::{Formula, Json};
use super::{
    About, Call, Certain, Children, Given, NodeContext, NodeKind, Outcome, Path, PlanContext,
    Planned, Problems, Use, Wanted, choice,
};
use crate::compare::equal;

fields! {
    /// The child of a value's case, or the default.
    pub struct Switch<'t> {
        /// the expression whose value chooses the child
        on: Formula<'t> => "{}",
        /// one value for each child; a last child without one is the default
        cases: Cases<'t> => "{}",
        /// chooses again every poll: another child takes over from the one that runs
        reactive: bool = false => "reactive",
    }
}

/// A value for each child.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cases<'t>(pub Vec<Json<'t>>);

impl Display for Cases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Json(case)) in self.0.iter().enumerate() {
            write!(f, "{}{case}", if at == 0 { "" } else { " : " })?;
        }
        Ok(())
    }
}

/// The text that equal cases have in common.
fn written(case: &Value) -> String {
    match case.as_f64() {
        // Of whole numbers that a float is exactly, `1` and `1.0` are one.
        Some(number) if case.is_f64() && number.fract() == 0.0 && number.abs() < 2e19 => {
            format!("{}", number as i128)
        }
        _ => case.to_string(),
    }
}

impl<'t> FromJson<'t> for Cases<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Cases<'t> {
        let cases = Cases(Vec::read(json, path, problems));
        let mut seen = FxHashSet::default();
        for (at, Json(case)) in cases.0.iter().enumerate() {
            let path = path.item(at);
            match case {
                Value::Null => {
                    let expected = "a number, text or a bool: null takes the default";
                    wrong_form(expected, case, &path, problems);
                }
                Value::Array(_) | Value::Object(_) => {
                    wrong_form("a number, text or a bool", case, &path, problems);
                }
                Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                    if !seen.insert(written(case)) {
                        out_of_range(&"a value of no other case", case, &path, problems);
                    }
                }
            }
        }
        cases
    }

    fn schema() -> Value {
        json!({"type": "array", "items": {"type": ["number", "string", "boolean"]}})
    }
}

impl<'t> NodeKind<'t> for Switch<'t> {
    const ABOUT: About = About::composite(
        "switch",
        "⋔",
        "runs the child whose case is the value of an expression, and takes its result",
    )
    .children(Children::SOME)
    .elsewhere(
        &[
            "switchcase",
            "switch2",
            "switch3",
            "switch4",
            "switch5",
            "switch6",
        ],
        " with `on` and `cases`",
    )
    .certain(Certain::None)
    .fails_empty();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::any(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        let cases = path.key("cases");
        let wanted = Wanted::Case(&self.cases, &cases);
        report(&path.key("on"), Use::Value(wanted, self.on));
    }

    fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        let cases = self.cases.0.len();
        if children > 0 && cases != children && cases + 1 != children {
            let what = ["a case", ", or for all but the last"];
            choice::check_entries("cases", what, cases, children, path, problems);
        }
    }

    fn without(&self, stays: &[bool]) -> Vec<(&'static str, Value)> {
        let cases = self.cases.0.len();
        let fits = cases == stays.len() || cases + 1 == stays.len();
        let all = self.cases.0.iter().map(|Json(case)| (*case).clone());
        match fits {
            true => choice::without("cases", all, stays),
            false => Vec::new(),
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        cx.name(self.on.0);
        let cases = self.cases.0.iter().map(|Json(case)| (*case).clone());
        let node = SwitchNode {
            on: cx.formula(self.on, format_args!("/on")),
            cases: cases.collect(),
            reactive: self.reactive,
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct SwitchNode {
    on: Given,
    /// One for each child, but perhaps the last.
    cases: Box<[Value]>,
    /// It chooses again in each turn.
    reactive: bool,
}

impl choice::Chooses for SwitchNode {
    fn is_reactive(&self) -> bool {
        self.reactive
    }

    fn choose(&self, cx: &mut impl NodeContext, node: u32, _: Option<u32>) -> Option<u32> {
        self.child_of_case(cx, node)
    }
}

impl SwitchNode {
    /// The child of the value's case, or else the default. “A mistake: F, not default.”
    fn child_of_case(&self, cx: &mut impl NodeContext, node: u32) -> Option<u32> {
        let value = cx.evaluate(node, &self.on, |_| None)?;
        let mut cases = self.cases.iter();
        let mut default = None;
        for child in cx.listed(node) {
            // A debugger may have disabled a child, and with it its case.
            let is_there = cx.is_there(child);
            match cases.next() {
                Some(case) if is_there && equal(case, &value) => return Some(child),
                Some(_) => {}
                None => default = is_there.then_some(child),
            }
        }
        default
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_cases_are_written_alike() {
        let one =
            |a: Value, b: Value| assert_eq!(written(&a) == written(&b), equal(&a, &b), "{a} {b}");
        one(json!(1), json!(1.0));
        one(json!(0), json!(-0.0));
        one(json!(1), json!("1"));
        one(json!(1), json!(true));
        one(json!(u64::MAX), json!(u64::MAX as f64));
        one(
            json!(9_007_199_254_740_993_u64),
            json!(9_007_199_254_740_992.0),
        );
        one(json!(1e300), json!(1e300));
    }
}
