//! `set`: keys and properties that get values.

use std::fmt::{self, Display};

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::action::ActionNode;
use super::read::{FromJson, Problems, fields, out_of_range};
use super::values::{ByName, Formula, by_name};
use super::{About, Call, Caller, Leaf, NodeKind, Outcome, Path, PlanContext, Planned, Use};
use crate::expression::Target;

fields! {
    /// Values that are written, all of them or none.
    pub struct Set<'t> {
        /// what is written, `$key` or `@property`, and the expression of its value
        writes as "set": Writes<'t>,
    }
}

impl<'t> NodeKind<'t> for Set<'t> {
    const ABOUT: About = About::leaf(
        "set",
        "=",
        "writes keys and properties: the values of expressions",
        Leaf::Action,
    )
    .elsewhere(
        &["assign", "assignment", "compute", "setblackboard", "setvar"],
        " with a `set`",
    );

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::INSTANT
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(&path.key("set"), Use::Writes(Caller::Action, &self.writes));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        ActionNode(cx.writes(&self.writes)).into()
    }
}

/// Expressions by the names of what they are written to. The hole writes nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Writes<'t>(pub ByName<'t, Formula<'t>>);

impl<'t> Writes<'t> {
    /// Each target with the text of its value; those that cannot be read are left out.
    pub fn all(&self) -> impl Iterator<Item = (Target, &'t str)> {
        let all = self.0.iter();
        all.filter_map(|(name, formula)| Some((Target::read(name)?, formula.0)))
    }
}

/// As a script writes it.
impl Display for Writes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (target, formula)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{target} = {}", formula.0)?;
        }
        Ok(())
    }
}

impl<'t> FromJson<'t> for Writes<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Writes<'t> {
        let writes = Writes(by_name(json, path, problems, Formula::read));
        if json.as_object().is_some_and(|all| all.is_empty()) {
            out_of_range(&"one write at least", json, path, problems);
        }
        let mut seen = FxHashSet::default();
        for (name, _) in &writes.0 {
            let expected = match Target::read(name).map(|target| seen.insert(target)) {
                Some(true) => continue,
                Some(false) => "one write for each key and property",
                None => "`$key` or `@property`, the whole of which is written",
            };
            let found = Value::from(*name);
            out_of_range(&expected, &found, &path.key(name), problems);
        }
        writes
    }

    fn schema() -> Value {
        json!({"type": "object", "minProperties": 1, "additionalProperties": Formula::schema()})
    }
}
