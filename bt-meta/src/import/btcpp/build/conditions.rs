//! Pre- and post-conditions, which are attributes of any node.
//!
//! The engine asks them in this order: `_failureIf`, `_successIf`, `_skipIf`, `_while`; all but the last on entry only.
//! `_onSuccess`, `_onFailure` and `_post` follow a result that a precondition gave, too; being skipped is no result.

use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{NodeSpec, check, expr, node, select, sequence};

use super::super::xml::{Attribute, Element};
use super::scripts::{not_imported, together};
use super::{Builder, Skip, succeeds};

/// The conditions that are attached to a node, as expressions.
#[derive(Default)]
struct Asked {
    failure: Option<String>,
    success: Option<String>,
    skip: Option<String>,
    keep: Option<String>,
}

impl<'f> Builder<'f> {
    /// A node with its conditions.
    pub(super) fn conditioned(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let Ok(asked) = self.asked(element, skip) else {
            return not_imported(element);
        };
        let mut spec = self.plain(element, skip);
        if let Some(script) = element.attribute("_onHalted") {
            for write in self.writes(script).into_iter().flatten() {
                spec = spec.effect("aborted", write.call());
            }
        }
        if let Some(success) = &asked.success {
            spec = select([check(success), spec]);
        }
        if let Some(failure) = &asked.failure {
            spec = spec.guard(expr(&not(failure)));
        }
        spec = self.followed(element, spec);
        if let Some(skipped) = &asked.skip {
            spec = skipping(skip, &asked.entered(skipped), spec);
        }
        match &asked.keep {
            Some(keep) => self.kept(element, skip, keep, spec),
            None => spec,
        }
    }

    /// The questions of a node; an error where one is refused, which has been said.
    fn asked(&mut self, element: &Element, skip: Skip<'_>) -> Result<Asked, ()> {
        let mut asked = Asked::default();
        let places = [
            ("_failureIf", &mut asked.failure),
            ("_successIf", &mut asked.success),
            ("_skipIf", &mut asked.skip),
            ("_while", &mut asked.keep),
        ];
        for (name, place) in places {
            if let Some(attribute) = element.attribute(name) {
                if ["_skipIf", "_while"].contains(&name) && skip.result.is_none() {
                    self.no_skip(attribute, skip);
                    return Err(());
                }
                *place = Some(self.question(attribute).ok_or(())?);
            }
        }
        if let (Some(_), Some(_)) = (
            element.attribute("_while"),
            &asked.success.as_ref().or(asked.failure.as_ref()),
        ) {
            let message = "`_while` stands beside `_successIf` or `_failureIf`, which are evaluated first and only once";
            self.lost(
                &element.place,
                message,
                "put one of them on a `Sequence` around the node",
            );
            return Err(());
        }
        Ok(asked)
    }

    /// Says that a node may be skipped where nothing stands for that.
    fn no_skip(&mut self, attribute: &Attribute, skip: Skip<'_>) {
        let message = format!(
            "SKIPPED would reach {}, which has no such result here",
            skip.above
        );
        self.lost(
            &attribute.place,
            message,
            "write what is to happen then, as with `_successIf` or `_failureIf`",
        );
    }

    /// With what its results are followed by.
    fn followed(&mut self, element: &Element, spec: NodeSpec) -> NodeSpec {
        let mut after = |names: [&str; 2]| -> Vec<NodeSpec> {
            let attributes = names.into_iter().filter_map(|name| element.attribute(name));
            let attributes: Vec<_> = attributes.cloned().collect();
            let writes = attributes
                .iter()
                .filter_map(|attribute| self.writes(attribute));
            writes.flatten().flat_map(|write| write.specs()).collect()
        };
        let success = after(["_onSuccess", "_post"]);
        let failure = after(["_onFailure", "_post"]);
        let failing = |specs: Vec<NodeSpec>| node(Kind::AlwaysFalse).child(together(specs));
        match (success.is_empty(), failure.is_empty()) {
            (true, true) => spec,
            (false, true) => sequence([spec].into_iter().chain(success)),
            (true, false) => select([spec, failing(failure)]),
            (false, false) => {
                node(Kind::IfElse).children([spec, together(success), failing(failure)])
            }
        }
    }

    /// A node that runs as long as something holds.
    fn kept(&mut self, element: &Element, skip: Skip<'_>, keep: &str, spec: NodeSpec) -> NodeSpec {
        let guarded = spec.guard(expr(keep).set("abort", "self").set("mode", "poll"));
        if skip.result != Some(true) {
            return guarded;
        }
        self.note(
            &element.place,
            "a node that fails by itself in the poll in which its `_while` turns false counts as skipped",
            "nothing need be done where its own failure does not change the value of `_while`",
        );
        select([guarded, check(&not(keep))])
    }
}

impl Asked {
    /// The expression by which a node is skipped on entry, once the conditions before it have decided nothing.
    fn entered(&self, skip: &str) -> String {
        let before = [&self.failure, &self.success].into_iter().flatten();
        let all: Vec<String> = before
            .map(|asked| not(asked))
            .chain([within(skip)])
            .collect();
        match all.len() {
            1 => skip.to_owned(),
            _ => all.join(" && "),
        }
    }
}

/// A node that is skipped on entry where something holds.
pub(super) fn skipping(skip: Skip<'_>, asked: &str, spec: NodeSpec) -> NodeSpec {
    match skip.result {
        Some(true) => node(Kind::IfElse).children([check(asked), succeeds(), spec]),
        Some(false) | None => spec.guard(expr(&not(asked))),
    }
}

/// The opposite of an expression.
pub(super) fn not(expression: &str) -> String {
    format!("!{}", within(expression))
}

/// An expression as an operand.
fn within(expression: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "$_".contains(c);
    match expression.chars().all(plain) {
        true => expression.to_owned(),
        false => format!("({expression})"),
    }
}
