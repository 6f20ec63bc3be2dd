//! A scenario against the agent and the trees that it is played with: every name, every value.

use std::ops::Range;
use std::time::Duration;

use serde_json::Value;
use toml::Spanned;

use super::pattern::Pattern;
use super::problem::{Problems, ScenarioError};
use super::read::{Answer, Expected, Results, Scenario, Setting, Step};
use super::script::{Rule, RuleResults, Script};
use super::values::time;
use crate::call::stand_in::{Reply, ReplyResult};
use crate::describe::catalogue::{MethodEntry, MethodKind, ReturnKind, TypeEntry, ValueEntry};
use crate::registry::AgentInfo;
use crate::text::{self, suggest};
use crate::tree::by_either_name;
use crate::tree::check::Knows;
use crate::{Blackboard, Registry, TreeAsset};

/// The facts that a scenario is checked against.
pub(super) struct Facts<'f> {
    pub(super) registry: &'f Registry,
    pub(super) agent: AgentInfo<'f>,
    pub(super) trees: &'f [TreeAsset],
    /// The keys that the trees name, with the types that they declare.
    pub(super) board: &'f Blackboard,
    /// The keys' names, for those that are misspelt.
    pub(super) keys: &'f [String],
}

/// Checks a scenario, and makes of it what is played.
pub(super) fn check<'s>(
    scenario: &'s Scenario,
    facts: &Facts<'_>,
) -> Result<Script<'s>, ScenarioError> {
    let mut checking = Checking {
        facts,
        folder: String::new(),
        problems: Problems::new(&scenario.text),
    };
    let script = checking.script(scenario);
    checking.problems.into_result(&scenario.name)?;
    Ok(script)
}

struct Checking<'f, 's> {
    facts: &'f Facts<'f>,
    /// The folder of the scenario's tree, with a slash behind it: names of trees are looked for there first.
    folder: String,
    problems: Problems<'s>,
}

impl Checking<'_, '_> {
    fn script<'s>(&mut self, scenario: &'s Scenario) -> Script<'s> {
        let tree = self.tree(scenario.tree.get_ref(), scenario.tree.span());
        let folder = tree.as_ref().and_then(|name| name.rsplit_once('/'));
        self.folder = folder.map_or_else(String::new, |(folder, _)| format!("{folder}/"));
        self.settings(&scenario.set);
        for step in &scenario.steps {
            self.step(step);
        }
        let answers = scenario.answers.iter();
        let rules = answers.filter_map(|answer| self.rule(answer)).collect();
        let expected = scenario.expected.iter().map(|one| self.expected(one));
        Script {
            scenario,
            tree: tree.unwrap_or_default(),
            rules,
            expected: expected.collect(),
        }
    }

    /// The full name of a tree.
    fn tree(&mut self, name: &str, at: Range<usize>) -> Option<String> {
        let trees = self.facts.trees;
        let find = |name: &str| trees.iter().find(|tree| tree.name() == name);
        let beside = format!("{}{name}", self.folder);
        let found = by_either_name(&beside, find).or_else(|| by_either_name(name, find));
        if let Some(found) = found {
            return Some(found.name().to_owned());
        }
        let near = suggest(name, trees.iter().map(TreeAsset::name));
        let shown = text::name(name);
        self.problems
            .add(at, format_args!("there is no tree `{shown}`{near}"));
        None
    }

    /// A method of the agent; none with a problem, or if the agent's fallback answers for all names.
    fn method(&mut self, name: &str, at: Range<usize>) -> Option<&MethodEntry> {
        let agent = self.facts.agent;
        match agent.action(name) {
            Ok(found) => Some(found.entry),
            Err(error) => {
                if !agent
                    .lineage()
                    .any(|agent| agent.entry().fallback.is_some())
                {
                    self.problems.add(at, error);
                }
                None
            }
        }
    }

    /// A call with the names that its method and its arguments have today.
    fn pattern(&mut self, pattern: &Pattern, at: &Range<usize>) -> Pattern {
        let facts = self.facts;
        let Ok(method) = facts.agent.action(&pattern.method) else {
            self.method(&pattern.method, at.clone());
            return pattern.clone();
        };
        let method = method.entry;
        let mut found = Pattern {
            method: method.item.name.clone(),
            args: Vec::new(),
        };
        for (name, value) in &pattern.args {
            let Some(arg) = self.argument(method, name, at) else {
                continue;
            };
            let of = format!("`{}`: argument `{name}`", method.item.name);
            self.fits(arg, value, at, &of);
            found.args.push((arg.name.clone(), value.clone()));
        }
        found
    }

    fn argument<'m>(
        &mut self,
        method: &'m MethodEntry,
        name: &str,
        at: &Range<usize>,
    ) -> Option<&'m ValueEntry> {
        let is_it = |arg: &&ValueEntry| arg.name == name || arg.alias.iter().any(|a| a == name);
        let found = method.args.iter().find(is_it);
        if found.is_none() {
            let near = suggest(name, method.args.iter().map(|arg| arg.name.as_str()));
            let (of, name) = (&method.item.name, text::name(name));
            let why = format!("`{of}` has no argument `{name}`{near}");
            self.problems.add(at.clone(), why);
        }
        found
    }

    /// Reports a value that is not of a type.
    fn fits(&mut self, taken: &ValueEntry, value: &Value, at: &Range<usize>, of: &str) {
        if let Some(why) = self.facts.registry.written(taken, value).wrong.first() {
            self.problems
                .add(at.clone(), format_args!("{of}: {}", why.unnamed()));
        }
    }

    fn settings(&mut self, all: &[Setting]) {
        for setting in all {
            match setting.is_property {
                true => self.property(setting),
                false => self.key(setting),
            }
        }
    }

    fn property(&mut self, setting: &Setting) {
        let facts = self.facts;
        match facts.agent.property(&setting.name) {
            Ok(found) => {
                let taken = entry(&found.item.name, &found.ty);
                let of = format!("property `{}`", setting.name);
                self.fits(&taken, &setting.value, &setting.value_at, &of);
            }
            Err(error) => self.problems.add(setting.at.clone(), error),
        }
    }

    fn key(&mut self, setting: &Setting) {
        let facts = self.facts;
        let name = &setting.name;
        if !facts.board.knows(name) {
            let near = suggest(name, facts.keys.iter().map(String::as_str));
            let why = format!("no tree names a key `{}`{near}", text::name(name));
            self.problems.add(setting.at.clone(), why);
        } else if let Err(error) = facts.board.try_set(name, setting.value.clone()) {
            self.problems.add(setting.value_at.clone(), error);
        }
    }

    fn step(&mut self, step: &Step) {
        self.settings(&step.set);
        let Some((event, params)) = &step.fire else {
            return;
        };
        let facts = self.facts;
        let found = match facts.agent.event(event.get_ref()) {
            Ok(found) => found.entry,
            Err(error) => {
                self.problems.add(event.span(), error);
                return;
            }
        };
        for (name, value) in params {
            let Some(param) = found
                .params
                .iter()
                .find(|param| param.name == *name.get_ref())
            else {
                let near = suggest(name.get_ref(), found.params.iter().map(|p| p.name.as_str()));
                let (of, name_) = (&found.item.name, text::name(name.get_ref()));
                let why = format!("event `{of}` has no parameter `{name_}`{near}");
                self.problems.add(name.span(), why);
                continue;
            };
            let of = format!("event `{}`: parameter `{}`", found.item.name, param.name);
            self.fits(param, value.get_ref(), &value.span(), &of);
        }
        let is_given = |name: &str| params.iter().any(|(given, _)| given.get_ref() == name);
        for param in &found.params {
            if !param.ty.optional && !is_given(&param.name) {
                let (of, name) = (&found.item.name, &param.name);
                let why = format!("event `{of}` needs parameter `{name}`");
                self.problems.add(event.span(), why);
            }
        }
    }

    fn rule(&mut self, answer: &Answer) -> Option<Rule> {
        let call = self.pattern(&answer.call, &answer.at);
        let facts = self.facts;
        let method = facts.agent.action(&answer.call.method).ok();
        let method = method.map(|found| found.entry);
        if let (Some((_, at)), Some(method)) = (&answer.after, method)
            && !may_run(method)
        {
            let why = format!(
                "`{}` ends at once, so nothing comes `after`",
                method.item.name
            );
            self.problems.add(at.clone(), why);
        }
        let writes = self.writes(answer, method);
        let after = answer.after.as_ref();
        let after = after.map(|(after, _)| Duration::from_nanos(*after));
        let mut reply = |value: &Spanned<Value>| {
            let timed = self.timed(value, method);
            let (value, own) = timed
                .as_ref()
                .map_or((value, None), |(value, own)| (value, *own));
            let result = self.result(value, method)?;
            let after = own.or(after);
            let after = after.filter(|_| matches!(result, ReplyResult::Done(_)));
            let writes = writes.clone();
            Some(Reply {
                result,
                after,
                writes,
            })
        };
        let results = match &answer.results {
            Results::One(value) => RuleResults::Each(vec![reply(value)?]),
            Results::Each(all) => RuleResults::Each(all.iter().map(reply).collect::<Option<_>>()?),
            Results::At(all) => {
                let all = all.iter().map(|(from, value)| Some((*from, reply(value)?)));
                RuleResults::At(all.collect::<Option<_>>()?)
            }
        };
        Some(Rule { call, results })
    }

    fn writes(&mut self, answer: &Answer, method: Option<&MethodEntry>) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for (name, value) in &answer.writes {
            let Some(method) = method else { continue };
            let Some(arg) = self.argument(method, name.get_ref(), &name.span()) else {
                continue;
            };
            let of = format!("`{}`: argument `{}`", method.item.name, arg.name);
            if arg.ty.in_out.is_none() {
                self.problems.add(
                    name.span(),
                    format_args!("{of} is not written by the method"),
                );
            }
            self.fits(arg, value.get_ref(), &value.span(), &of);
            all.push((arg.name.clone(), value.get_ref().clone()));
        }
        all
    }

    /// A result with a time of its own: `{ after = "2s", result = false }`.
    fn timed(
        &mut self,
        value: &Spanned<Value>,
        method: Option<&MethodEntry>,
    ) -> Option<(Spanned<Value>, Option<Duration>)> {
        let Value::Object(parts) = value.get_ref() else {
            return None;
        };
        if !method.is_some_and(may_run) {
            return None;
        }
        let (result, after) = match (parts.get("result"), parts.get("after"), parts.len()) {
            (Some(result), Some(Value::String(after)), 2) => (result, time(after)),
            _ => {
                let why = "a result with a time of its own is `{ after = \"2s\", result = true }`";
                self.problems.add(value.span(), why);
                return Some((Spanned::new(value.span(), true.into()), None));
            }
        };
        let after = match after {
            Ok(after) => Some(Duration::from_nanos(after)),
            Err(why) => {
                self.problems.add(value.span(), why);
                None
            }
        };
        Some((Spanned::new(value.span(), result.clone()), after))
    }

    /// The meaning of a result for a method.
    fn result(
        &mut self,
        value: &Spanned<Value>,
        method: Option<&MethodEntry>,
    ) -> Option<ReplyResult> {
        let word = match value.get_ref() {
            Value::Bool(success) => Some(ReplyResult::Done(*success)),
            Value::String(text) => match text.as_str() {
                "success" => Some(ReplyResult::Done(true)),
                "failure" => Some(ReplyResult::Done(false)),
                "running" => Some(ReplyResult::Running),
                _ => None,
            },
            Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let Some(method) = method else {
            return word;
        };
        let name = &method.item.name;
        if let Some(answer) = &method.answer {
            let taken = entry(name, answer);
            self.fits(
                &taken,
                value.get_ref(),
                &value.span(),
                &format!("`{name}` answers"),
            );
            return Some(ReplyResult::Value(value.get_ref().clone()));
        }
        let child = value
            .get_ref()
            .as_u64()
            .and_then(|child| usize::try_from(child).ok());
        let (found, expected) = match (method.kind, word) {
            (MethodKind::Decorator, None) if value.get_ref() == "run" => {
                (Some(ReplyResult::Run(0)), "")
            }
            (MethodKind::Decorator, word) => (word, "\"run\", true or false"),
            (MethodKind::Composite, None) => (
                child.map(ReplyResult::Run),
                "the number of a child, true or false",
            ),
            (MethodKind::Composite, word) => (word, "the number of a child, true or false"),
            (_, Some(ReplyResult::Running)) if !may_run(method) => {
                (None, "true or false: it ends at once")
            }
            (_, Some(ReplyResult::Done(false)))
                if method.result == ReturnKind::Unit && !method.fallible =>
            {
                (None, "true: it cannot fail")
            }
            (MethodKind::Action | MethodKind::Condition | MethodKind::Query, word) => (
                word,
                "true or false, \"success\", \"failure\" or \"running\"",
            ),
        };
        if found.is_none() {
            let shown = crate::decode::shown(value.get_ref());
            let why = format!("`{name}` does not answer {shown}: expected {expected}");
            self.problems.add(value.span(), why);
        }
        found
    }

    fn expected(&mut self, one: &Expected) -> Expected {
        let mut one = one.clone();
        if let Some((at, pattern, _)) = &mut one.called {
            *pattern = self.pattern(pattern, at);
        }
        for (at, node) in &mut one.active {
            let Some(tree) = self.tree(&node.tree, at.clone()) else {
                continue;
            };
            let found = self.facts.trees.iter().find(|found| found.name() == tree);
            if found.is_some_and(|found| found.node(node.idx).is_none()) {
                let why = format!("tree `{tree}` has no node {}", node.idx);
                self.problems.add(at.clone(), why);
            }
            node.tree = tree;
        }
        one
    }
}

/// Returns true if a method can be left running.
fn may_run(method: &MethodEntry) -> bool {
    match method.result {
        ReturnKind::Async | ReturnKind::Status => true,
        ReturnKind::Bool
        | ReturnKind::Unit
        | ReturnKind::Next
        | ReturnKind::NextChild
        | ReturnKind::Value => false,
    }
}

fn entry(name: &str, ty: &TypeEntry) -> ValueEntry {
    ValueEntry {
        name: name.to_owned(),
        ty: ty.clone(),
        ..ValueEntry::default()
    }
}
