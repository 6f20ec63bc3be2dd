//! Composites.

use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{self, NodeSpec, check, node, select, sequence, switch};
use serde_json::{Value, json};

use super::super::kinds::BuiltIn;
use super::super::models::key;
use super::super::xml::Element;
use super::{Builder, Skip, fails, one_of, succeeds};
use crate::import::names;
use crate::import::types::Type;

impl<'f> Builder<'f> {
    /// The children, of which a skipped one is to its parent as a child with this result.
    fn children(&mut self, element: &'f Element, skip: Skip<'_>) -> Vec<NodeSpec> {
        let is_reactive = usize::from(element.name.starts_with("Reactive"));
        self.tree.reactive += is_reactive;
        let children = element
            .children
            .iter()
            .map(|child| self.node(child, skip))
            .collect();
        self.tree.reactive -= is_reactive;
        children
    }

    /// The result of a skipped child of a sequence or a fallback, which continues after such a result; where all of its
    /// children are skipped it is skipped itself.
    fn passing<'n>(&self, element: &'n Element, skip: Skip<'n>, result: bool) -> Skip<'n> {
        let all = !element.children.is_empty()
            && element.children.iter().all(|child| self.can_skip(child));
        match all && skip.result != Some(result) {
            true => Skip::to(skip.above, None),
            false => Skip::to(&element.name, Some(result)),
        }
    }

    fn yields(&mut self, element: &Element) {
        let message = format!(
            "`{}` gives the control back between its children; here they run on",
            element.name
        );
        self.note(
            &element.place,
            message,
            "put a `wait_frames` between children that must not run in one poll",
        );
    }

    fn several_wait(&mut self, element: &'f Element) {
        let waits = |child: &&Element| match BuiltIn::named(&child.name) {
            None => self
                .models
                .methods
                .get(super::called(child))
                .is_some_and(|method| {
                    method.modelled && method.kind == crate::catalogue::MethodKind::Action
                }),
            Some(_) => false,
        };
        if element.children.iter().filter(waits).count() > 1 {
            let message = format!(
                "several children of `{}` may stay running, which the engine refuses when it happens",
                element.name
            );
            self.note(
                &element.place,
                message,
                "nothing need be done: the earlier one takes over here",
            );
        }
    }

    /// `Sequence`, `AsyncSequence`, `ReactiveSequence`.
    pub(super) fn sequence(
        &mut self,
        kind: BuiltIn,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        if kind == BuiltIn::AsyncSequence {
            self.yields(element);
        }
        let skip = self.passing(element, skip, true);
        let children = self.children(element, skip);
        if children.is_empty() {
            return succeeds();
        }
        if kind == BuiltIn::ReactiveSequence {
            self.several_wait(element);
            return spec::reactive_sequence(children);
        }
        sequence(children)
    }

    /// `Fallback`, `AsyncFallback`, `ReactiveFallback`.
    pub(super) fn fallback(
        &mut self,
        kind: BuiltIn,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        if kind == BuiltIn::AsyncFallback {
            self.yields(element);
        }
        let skip = self.passing(element, skip, false);
        let children = self.children(element, skip);
        if children.is_empty() {
            return fails();
        }
        if kind == BuiltIn::ReactiveFallback {
            self.several_wait(element);
            return spec::reactive_select(children);
        }
        select(children)
    }

    /// `SequenceWithMemory`.
    pub(super) fn with_memory(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        self.tree.is_alone = true;
        let skip = self.passing(element, skip, true);
        let children = self.children(element, skip);
        if children.is_empty() {
            return succeeds();
        }
        node(Kind::MemorySequence).children(children).keep_place()
    }

    /// `Parallel`.
    pub(super) fn parallel(&mut self, element: &'f Element) -> NodeSpec {
        let count = element.children.len() as i64;
        let success = one_of(
            element,
            &["success_count", "success_threshold", "threshold"],
        )
        .cloned();
        let failure = one_of(element, &["failure_count", "failure_threshold"]).cloned();
        let mut thresholds = [Value::from(count), Value::from(1)];
        for (at, attribute) in [success, failure].into_iter().enumerate() {
            let Some(attribute) = attribute else { continue };
            if let Some(name) = key(&attribute.name, &attribute.value) {
                let key = self.key(name);
                self.found.types.declared(&key, Type::Int);
                let key = names::key(&key);
                thresholds[at] =
                    spec::expr(&format!("{key} < 0 ? {count} + {key} + 1 : {key}")).into();
                continue;
            }
            let Ok(number) = attribute.value.trim().parse::<i64>() else {
                return self.refuse(
                    element,
                    format!("`{}` is no whole number", attribute.name),
                    "write one",
                );
            };
            let number = if number < 0 {
                count + number + 1
            } else {
                number
            };
            if !(1..=count).contains(&number) {
                let message = format!(
                    "`{}` is {number} of {count} children, so it never runs as it is meant",
                    attribute.name
                );
                return self.refuse(
                    element,
                    message,
                    "write a number from 1 to the number of children, or a negative one",
                );
            }
            thresholds[at] = number.into();
        }
        if count == 0 {
            return self.refuse(element, "`Parallel` has no child", "take it out");
        }
        let skip = Skip::to("`Parallel`, where it is evaluated again in each tick", None);
        let children = self.children(element, skip);
        let [success, failure] = thresholds;
        // It fails as soon as it cannot succeed any more.
        let failure = match (success.as_i64(), failure.as_i64()) {
            (Some(success), Some(failure)) => Value::from(failure.min(count - success + 1)),
            _ => failure,
        };
        spec::parallel(success, failure, children).extra("stop_when_decided", true)
    }

    /// `ParallelAll`: it waits for all, and counts those that failed.
    pub(super) fn parallel_all(&mut self, element: &'f Element) -> NodeSpec {
        let count = element.children.len() as i64;
        let most = match element
            .get("max_failures")
            .map(|text| text.trim().parse::<i64>())
        {
            None => 1,
            Some(Ok(number)) if number < 0 => (count + number + 1).max(0),
            Some(Ok(number)) => number,
            Some(Err(_)) => {
                let message = "`max_failures` of `ParallelAll` is no number";
                return self.refuse(
                    element,
                    message,
                    "write one: here it does not come from the blackboard",
                );
            }
        };
        if count == 0 || most > count {
            let message = format!(
                "`ParallelAll` has {count} children and fails after {most}, so it never runs as it is meant"
            );
            return self.refuse(
                element,
                message,
                "write a number of failures that can be reached",
            );
        }
        let skip = Skip::to(
            "`ParallelAll`, where it is evaluated again in each tick",
            None,
        );
        let children = self.children(element, skip);
        match most {
            0 => node(Kind::AlwaysFalse).child(spec::parallel(count, count, children)),
            1 => spec::parallel(count, count, children),
            most => {
                let failed = names::key("failed");
                let add = format!("{failed} + 1");
                let counted = children
                    .into_iter()
                    .map(|child| select([child, spec::set([(failed.as_str(), add.as_str())])]));
                let all = spec::parallel(count, count, counted);
                let board = json!({"failed": {"type": "int64", "initial": 0}});
                sequence([all, check(&format!("{failed} < {most}"))]).extra("blackboard", board)
            }
        }
    }

    /// `IfThenElse`.
    pub(super) fn if_then_else(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let Some(children) = self.branches(element, skip) else {
            return self.wrong_count(element, "2 or 3");
        };
        node(Kind::IfElse).children(children)
    }

    /// The condition and what follows it, if there are two or three.
    fn branches(&mut self, element: &'f Element, skip: Skip<'_>) -> Option<Vec<NodeSpec>> {
        let [condition, branches @ ..] = element.children.as_slice() else {
            return None;
        };
        if !(1..=2).contains(&branches.len()) {
            return None;
        }
        let above = format!("the condition of `{}`", element.name);
        let first = self.node(condition, Skip::to(&above, None));
        let rest: Vec<_> = branches
            .iter()
            .map(|branch| self.node(branch, skip))
            .collect();
        Some([first].into_iter().chain(rest).collect())
    }

    fn wrong_count(&mut self, element: &Element, expected: &str) -> NodeSpec {
        let message = format!(
            "`{}` has {} children; the engine takes {expected}",
            element.name,
            element.children.len()
        );
        self.refuse(element, message, "correct its children")
    }

    /// `WhileDoElse`: its first child is evaluated in every tick.
    pub(super) fn while_do_else(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        let [condition, branches @ ..] = element.children.as_slice() else {
            return self.wrong_count(element, "2 or 3");
        };
        if !(1..=2).contains(&branches.len()) {
            return self.wrong_count(element, "2 or 3");
        }
        let Some(asked) = self.as_question(condition) else {
            let message =
                "`WhileDoElse` evaluates its first child in every tick, and that is no condition";
            return self.refuse(
                element,
                message,
                "say in `TreeNodesModel` that it is a `Condition`, or let a script ask",
            );
        };
        let branches: Vec<_> = branches
            .iter()
            .map(|branch| self.node(branch, skip))
            .collect();
        switch(&asked, [true], branches).extra("reactive", true)
    }

    /// `TryCatch`.
    pub(super) fn try_catch(&mut self, element: &'f Element, skip: Skip<'_>) -> NodeSpec {
        if element
            .get("catch_on_halt")
            .is_some_and(|value| !["false", "0"].contains(&value))
        {
            let message = "`TryCatch` runs its last child when it is halted, too: an abort waits for nothing here";
            return self.refuse(
                element,
                message,
                "write what must be undone as `_onHalted`, or into the exit of an action",
            );
        }
        let [tried @ .., caught] = element.children.as_slice() else {
            return self.wrong_count(element, "2 or more");
        };
        if tried.is_empty() {
            return self.wrong_count(element, "2 or more");
        }
        let all = tried.iter().all(|child| self.can_skip(child));
        let inner = match all && skip.result != Some(true) {
            true => Skip::to(skip.above, None),
            false => Skip::to(&element.name, Some(true)),
        };
        let tried: Vec<_> = tried.iter().map(|child| self.node(child, inner)).collect();
        let caught = self.node(caught, Skip::to(&element.name, Some(false)));
        select([sequence(tried), node(Kind::AlwaysFalse).child(caught)])
    }

    /// `Switch2` to `Switch6`.
    pub(super) fn switch(
        &mut self,
        cases: usize,
        element: &'f Element,
        skip: Skip<'_>,
    ) -> NodeSpec {
        if element.children.len() != cases + 1 {
            return self.wrong_count(element, &(cases + 1).to_string());
        }
        let Some(variable) = element.attribute("variable").cloned() else {
            return self.refuse(
                element,
                format!("`{}` has no `variable`", element.name),
                "name one",
            );
        };
        let texts: Vec<_> = (1..=cases)
            .map(|case| element.get(&format!("case_{case}")))
            .collect();
        let texts: Option<Vec<_>> = texts.into_iter().collect();
        let Some(texts) = texts.filter(|texts| texts.iter().all(|text| key("", text).is_none()))
        else {
            let message = format!(
                "a case of `{}` is missing, or comes from the blackboard",
                element.name
            );
            return self.refuse(element, message, "write a literal for each case");
        };
        let named = key("variable", &variable.value).map(|name| self.key(name));
        let held = named
            .as_deref()
            .and_then(|key| self.type_of(key))
            .filter(|ty| *ty != Type::Any);
        let of_cases = texts
            .iter()
            .map(|text| self.case_type(text))
            .reduce(Type::join);
        let ty = held.or(of_cases).unwrap_or(Type::Text);
        let value = |text: &str| self.case(text, ty);
        let values: Vec<Value> = texts.iter().map(|text| value(text)).collect();
        let on = match &named {
            Some(key) => format!("{} ?? null", names::key(key)),
            None => names::text(&variable.value),
        };
        let mut firsts: Vec<usize> = Vec::new();
        for at in 0..values.len() {
            if firsts.iter().all(|first| values[*first] != values[at]) {
                firsts.push(at);
            }
        }
        let children = self.children(element, skip);
        let last = children.len() - 1;
        let kept = children
            .into_iter()
            .enumerate()
            .filter(|(at, _)| *at == last || firsts.contains(at));
        let kept: Vec<_> = kept.map(|(_, child)| child).collect();
        let values: Vec<_> = firsts.into_iter().map(|at| values[at].clone()).collect();
        switch(&on, values, kept).extra("reactive", true)
    }

    fn case_type(&self, text: &str) -> Type {
        match self.options.enums.contains_key(text) {
            true => Type::Int,
            false => Type::of(text),
        }
    }

    /// A case as a value of a type; the name of a number is that number.
    fn case(&self, text: &str, ty: Type) -> Value {
        let number = self
            .options
            .enums
            .get(text)
            .filter(|_| ty.is_number() || ty == Type::Any);
        match number {
            Some(number) => (*number).into(),
            None => ty.value(text).unwrap_or_else(|| text.into()),
        }
    }
}
