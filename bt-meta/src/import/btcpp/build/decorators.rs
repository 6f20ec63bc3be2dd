//! Decorators.

use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{NodeSpec, check, expr, for_each, node, select, sequence, set};
use serde_json::Value;

use super::super::kinds::BuiltIn;
use super::super::models::key;
use super::super::xml::{Attribute, Element};
use super::conditions::{not, skipping};
use super::scripts::not_imported;
use super::{Builder, Skip, one_of};
use crate::import::names;
use crate::import::types::Type;

impl<'f> Builder<'f> {
    /// The one child of a decorator.
    fn child(&mut self, element: &'f Element, skip: Skip<'_>) -> Result<NodeSpec, Box<NodeSpec>> {
        match element.children.as_slice() {
            [child] => Ok(self.node(child, skip)),
            children => {
                let message = format!(
                    "`{}` has {} children; a decorator has one",
                    element.name,
                    children.len()
                );
                Err(Box::new(self.refuse(
                    element,
                    message,
                    "put a `Sequence` around them",
                )))
            }
        }
    }

    /// `Inverter`, `ForceSuccess`, `ForceFailure`. Being skipped passes through all of them.
    pub(super) fn turned(
        &mut self,
        kind: BuiltIn,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        let (ours, inner) = if kind == BuiltIn::Inverter {
            (Kind::Negative, skip.result.map(|result| !result))
        } else if kind == BuiltIn::ForceSuccess {
            (Kind::AlwaysTrue, skip.result.filter(|result| *result))
        } else {
            (Kind::AlwaysFalse, skip.result.filter(|result| !*result))
        };
        let child = self.child(element, Skip::to(skip.above, inner));
        child.map_or_else(|refused| *refused, |child| node(ours).child(child))
    }

    /// `Repeat`, `RetryUntilSuccessful`. A skipped child ends them as one result of the child does.
    pub(super) fn again(
        &mut self,
        kind: BuiltIn,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        let (ours, attribute, ends) = if kind == BuiltIn::Repeat {
            (Kind::Repeat, "num_cycles", false)
        } else {
            (Kind::Retry, "num_attempts", true)
        };
        let Some(times) = element.attribute(attribute).cloned() else {
            return self.refuse(
                element,
                format!("`{}` has no `{attribute}`", element.name),
                "write how often",
            );
        };
        let inner = Skip::to(skip.above, skip.result.filter(|result| *result == ends));
        let child = match self.child(element, inner) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        let count = match (
            key(attribute, &times.value),
            times.value.trim().parse::<i64>(),
        ) {
            (Some(name), _) => {
                let key = self.key(name);
                self.found.types.declared(&key, Type::Int);
                let message = format!(
                    "`{}` reads `{attribute}` again while it runs; here it is read on entry",
                    element.name
                );
                self.note(
                    &times.place,
                    message,
                    "nothing need be done unless what is below changes it",
                );
                expr(&names::key(&key)).into()
            }
            (None, Ok(number)) => Value::from(number),
            (None, Err(_)) => {
                return self.refuse(
                    element,
                    format!("`{attribute}` is no whole number"),
                    "write one, or -1 for no limit",
                );
            }
        };
        node(ours).extra("count", count).child(child)
    }

    /// `KeepRunningUntilFailure`: the child once in each tick, until it fails. A skipped one runs again.
    pub(super) fn keep_running(&mut self, element: &'f Element) -> NodeSpec {
        let child = self.child(element, Skip::to(&element.name, Some(true)));
        let until =
            child.map(|child| node(Kind::Negative).child(node(Kind::UntilFailure).child(child)));
        until.unwrap_or_else(|refused| *refused)
    }

    /// `Timeout`, `Delay`.
    pub(super) fn timed(
        &mut self,
        kind: BuiltIn,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        let (ours, attribute) = if kind == BuiltIn::Timeout {
            (Kind::Timeout, "msec")
        } else {
            (Kind::Delay, "delay_msec")
        };
        let Some(time) = element.attribute(attribute).cloned() else {
            return self.refuse(
                element,
                format!("`{}` has no `{attribute}`", element.name),
                "write the milliseconds",
            );
        };
        self.ends_before_the_turn(element);
        let child = match self.child(element, skip) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        match self.seconds(&time) {
            Some(Value::Number(number)) if number.as_f64() == Some(0.0) => child,
            Some(seconds) => node(ours).extra("seconds", seconds).child(child),
            None => self.refuse(
                element,
                format!("`{attribute}` is no number of milliseconds"),
                "write one",
            ),
        }
    }

    /// Milliseconds as seconds: a number, or an expression of a key.
    pub(super) fn seconds(&mut self, time: &Attribute) -> Option<Value> {
        if let Some(name) = key(&time.name, &time.value) {
            let key = self.key(name);
            self.found.types.declared(&key, Type::Int);
            return Some(expr(&format!("{} / 1000", names::key(&key))).into());
        }
        let milliseconds: u32 = time.value.trim().parse().ok()?;
        Some(Value::from(f64::from(milliseconds) / 1000.0))
    }

    /// `RunOnce`: by default skipped when it has ended once.
    pub(super) fn run_once(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        self.tree.is_alone = true;
        let child = match self.child(
            element,
            Skip::to("`RunOnce`, which would not count it", None),
        ) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        if element
            .get("then_skip")
            .is_some_and(|value| ["false", "0"].contains(&value))
        {
            return node(Kind::Once).child(child);
        }
        if skip.result.is_none() {
            let message = format!(
                "SKIPPED would reach {}, which has no such result here",
                skip.above
            );
            return self.refuse(
                element,
                message,
                "write `then_skip=\"false\"`: then its first result is repeated",
            );
        }
        let ran = self.made_key("ran", Type::Bool);
        let ran = names::key(&ran);
        let mark = || set([(ran.as_str(), "true")]);
        let marked =
            node(Kind::IfElse).children([child, mark(), node(Kind::AlwaysFalse).child(mark())]);
        skipping(skip, &format!("{ran} ?? false"), marked)
    }

    /// `Precondition`: a script that is evaluated on entry, and a result where it is false.
    pub(super) fn precondition(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let Some(script) = element.attribute("if").cloned() else {
            return self.refuse(
                element,
                "`Precondition` has no `if`",
                "write the script that it evaluates",
            );
        };
        let Some(asked) = self.question(&script) else {
            return not_imported(element);
        };
        let child = match self.child(element, skip) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        match element.get("else").unwrap_or("FAILURE") {
            "FAILURE" => child.guard(expr(&asked)),
            "SUCCESS" => select([check(&not(&asked)), child]),
            "RUNNING" => sequence([node(Kind::UntilSuccess).child(check(&asked)), child]),
            "SKIPPED" if skip.result.is_some() => skipping(skip, &not(&asked), child),
            "SKIPPED" => {
                let message = format!(
                    "SKIPPED would reach {}, which has no such result here",
                    skip.above
                );
                self.refuse(element, message, "write another result as `else`")
            }
            other => self.refuse(
                element,
                format!("`else` is `{other}`"),
                "write `FAILURE`, `SUCCESS`, `SKIPPED` or `RUNNING`",
            ),
        }
    }

    /// Version 3's `BlackboardCheckInt` and the like: two values that must be equal, compared in each tick.
    pub(super) fn blackboard_check(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let ty = match element.name.as_str() {
            "BlackboardCheckInt" => Type::Int,
            "BlackboardCheckDouble" => Type::Number,
            "BlackboardCheckBool" => Type::Bool,
            _ => Type::Text,
        };
        let (Some(a), Some(b)) = (
            element.attribute("value_A").cloned(),
            element.attribute("value_B").cloned(),
        ) else {
            let message = format!("`{}` lacks `value_A` or `value_B`", element.name);
            return self.refuse(element, message, "write both");
        };
        let child = match self.child(element, skip) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        let (a, b) = (self.operand(&a, Some(ty)), self.operand(&b, Some(ty)));
        // An entry that is not there is no match.
        let part = |text: &str| {
            if text.starts_with('$') {
                format!("({text} ?? null)")
            } else {
                text.to_owned()
            }
        };
        let known = [&a, &b].into_iter().filter(|text| text.starts_with('$'));
        let set = known
            .map(|text| format!("has({text}) && "))
            .collect::<String>();
        let same = format!("{set}{} == {}", part(&a), part(&b));
        let guarded =
            |child: NodeSpec| child.guard(expr(&same).set("abort", "self").set("mode", "poll"));
        match element.get("return_on_mismatch").unwrap_or("FAILURE") {
            "FAILURE" => guarded(child),
            "SUCCESS" => select([guarded(child), check(&not(&same))]),
            other => self.refuse(
                element,
                format!("`return_on_mismatch` is `{other}`"),
                "write `FAILURE` or `SUCCESS`, or wait with `RetryUntilSuccessful` in front",
            ),
        }
    }

    /// `LoopInt` and the like, over a list that stands in the tree.
    pub(super) fn list_loop(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let (queue, value) = (element.attribute("queue").cloned(), element.get("value"));
        let Some(list) = queue.filter(|queue| key("queue", &queue.value).is_none()) else {
            let message = format!(
                "`{}` takes elements out of a queue under a key, which others share: it is consumed in place",
                element.name
            );
            return self.refuse(
                element,
                message,
                "let the agent keep a list under a key, and use `for_each`",
            );
        };
        let Some(name) = value.and_then(|value| key("value", value)) else {
            return self.refuse(
                element,
                format!("`{}` has no key as `value`", element.name),
                "write `value=\"{name}\"`",
            );
        };
        let ty = match element.name.as_str() {
            "LoopInt" => Type::Int,
            "LoopDouble" => Type::Number,
            "LoopBool" => Type::Bool,
            _ => Type::Text,
        };
        let items: Option<Vec<Value>> = match list.value.is_empty() {
            true => Some(Vec::new()),
            false => list.value.split(';').map(|item| ty.value(item)).collect(),
        };
        let Some(items) = items else {
            return self.refuse(
                element,
                "an element of `queue` is of another type",
                "correct the list",
            );
        };
        let written = self.key(name);
        self.found.types.written(&written, ty);
        self.found.written.insert(written.clone());
        let child = match self.child(element, Skip::to(&element.name, Some(true))) {
            Ok(child) => child,
            Err(refused) => return *refused,
        };
        self.note(
            &element.place,
            "all elements are taken in one poll; the engine takes one in each tick",
            "add a `wait_frames` below where that matters",
        );
        let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), names::text);
        let list = format!(
            "[{}]",
            items.iter().map(text).collect::<Vec<_>>().join(", ")
        );
        let item = set([(names::key(&written).as_str(), "$item")]);
        let all = for_each(&list, "item", sequence([item, child]));
        match element.get("if_empty").unwrap_or("SUCCESS") {
            "SUCCESS" => all,
            "FAILURE" => node(Kind::AlwaysFalse).child(all),
            "SKIPPED" if skip.result == Some(true) => all,
            "SKIPPED" if skip.result == Some(false) => node(Kind::AlwaysFalse).child(all),
            "SKIPPED" => {
                let message = format!(
                    "SKIPPED would reach {}, which has no such result here",
                    skip.above
                );
                self.refuse(element, message, "write another result as `if_empty`")
            }
            other => self.refuse(
                element,
                format!("`if_empty` is `{other}`"),
                "write `SUCCESS`, `FAILURE` or `SKIPPED`",
            ),
        }
    }

    /// The attribute of an output: the name of an entry, in `{}` or without.
    pub(super) fn output<'e>(element: &'e Element, names: &[&str]) -> Option<&'e str> {
        let attribute = one_of(element, names)?;
        Some(key(&attribute.name, &attribute.value).unwrap_or(&attribute.value))
    }
}
