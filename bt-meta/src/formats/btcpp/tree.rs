//! The nodes of a tree as elements, kind by kind.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::expression::{Expr, Form};
use bt_core::kinds::number::Number;
use bt_core::kinds::sub_tree::{SubTree, SubTreeMode};
use bt_core::kinds::switch::{Cases, Switch};
use bt_core::kinds::values::{AtLeast, Count};
use bt_core::kinds::{Node, Params};
use bt_core::tree::asset::AssetNode;
use serde_json::Value;

use super::super::xml::Element;
use super::attached::{asked_key, statements};
use super::calls::{Calls, argument, milliseconds, of_thousandth};
use super::fault::{Fault, refuse};
use super::script;
use crate::import::types::Type;

/// Writes the nodes of a tree.
pub(super) struct Writer<'a, 'c> {
    pub(super) tree: &'a TreeAsset,
    pub(super) calls: &'c mut Calls<'a>,
    /// The `ID` of each tree that is exported, by its file.
    pub(super) ids: &'c BTreeMap<&'a str, &'a str>,
    pub(super) problems: Vec<String>,
    /// Numbers that are read anew there.
    pub(super) reads_again: bool,
}

/// The script that follows a node's success.
const FOLLOWS: &str = "_onSuccess";

const ENGINE: &str = "BehaviorTree.CPP";

impl<'a> Writer<'a, '_> {
    /// A node and what is below it. What cannot be written is said, and fails in its place.
    pub(super) fn node(&mut self, idx: u32) -> Element {
        let Some(node) = self.tree.node(idx) else {
            return Element::new("AlwaysFailure");
        };
        let mut is_sound = true;
        let read = node.read(&mut |_, _| is_sound = false);
        let element = match is_sound {
            true => self.read(node, &read),
            false => refuse(
                "it cannot be read",
                "correct it: `bt-meta validate` names the mistake",
            ),
        };
        element.unwrap_or_else(|fault| {
            let (file, kind) = (self.tree.name(), &node.kind);
            self.problems.push(format!(
                "{file}: node {idx} (`{kind}`): {}\n  help: {}",
                fault.message, fault.help
            ));
            Element::new("AlwaysFailure")
        })
    }

    fn read(&mut self, node: &AssetNode, read: &Node<'_>) -> Result<Element, Fault> {
        let Some(params) = &read.params else {
            return refuse(
                "there is no such kind",
                "correct it: `bt-meta validate` names the kinds",
            );
        };
        let mut element = self.element(node, params)?;
        if !node.comment.is_empty() {
            element = element.with("_description", &node.comment);
        }
        self.calls.attached(element, &read.attachments)
    }

    fn element(&mut self, node: &AssetNode, params: &Params<'_>) -> Result<Element, Fault> {
        let has_none = |instead: &str| {
            refuse(
                format!("{ENGINE} has no node that does what `{}` does", node.kind),
                instead,
            )
        };
        match params {
            Params::Sequence(order) if order.keep_place => has_none("leave out `keep_place`"),
            Params::Sequence(_) => self.sequence(node),
            Params::Select(order) if order.keep_place => has_none("leave out `keep_place`"),
            Params::Select(_) | Params::Or(_) => self.several(node, "Fallback"),
            Params::And(_) => self.several(node, "Sequence"),
            Params::MemorySequence(order) if order.keep_place => {
                self.several(node, "SequenceWithMemory")
            }
            Params::MemorySequence(_) => has_none(
                "write `keep_place`: its `SequenceWithMemory` keeps its place when it is halted",
            ),
            Params::ReactiveSequence(_) => self.several(node, "ReactiveSequence"),
            Params::ReactiveSelect(_) => self.several(node, "ReactiveFallback"),
            Params::Parallel(parallel) => {
                let thresholds = [&parallel.success, &parallel.failure];
                self.parallel(node, thresholds, parallel.rerun, parallel.stop_when_decided)
            }
            Params::Switch(switch) => self.switch(node, switch),
            Params::IfElse(_) => self.counted(node, "IfThenElse", 2..=3),
            Params::Negative(_) => match self.until_failure(node) {
                Some(child) => self.around(child, "KeepRunningUntilFailure"),
                None => self.around(node, "Inverter"),
            },
            Params::AlwaysTrue(_) => self.around(node, "ForceSuccess"),
            Params::AlwaysFalse(_) => self.around(node, "ForceFailure"),
            Params::Repeat(repeat) => {
                let count = self.count(&repeat.count)?;
                Ok(self.around(node, "Repeat")?.with("num_cycles", &count))
            }
            Params::Retry(retry) => {
                let count = self.count(&retry.count)?;
                let around = self.around(node, "RetryUntilSuccessful")?;
                Ok(around.with("num_attempts", &count))
            }
            Params::UntilFailure(until) if is_for_ever(&until.count) => {
                let runs = self.around(node, "KeepRunningUntilFailure")?;
                Ok(Element::new("Inverter").holding([runs]))
            }
            Params::UntilSuccess(until) if is_for_ever(&until.count) => {
                let turned = self.around(node, "Inverter")?;
                let runs = Element::new("KeepRunningUntilFailure").holding([turned]);
                Ok(Element::new("Inverter").holding([runs]))
            }
            Params::UntilFailure(_) | Params::UntilSuccess(_) => has_none("leave out `count`"),
            Params::Timeout(timeout) => {
                let time = match &timeout.seconds {
                    Number::Literal(seconds) => milliseconds(seconds.0.0.as_secs_f64())?,
                    Number::Read(arg) => of_thousandth(arg)?,
                };
                Ok(self.around(node, "Timeout")?.with("msec", &time))
            }
            Params::Delay(delay) => {
                let time = match &delay.seconds {
                    Number::Literal(seconds) => milliseconds(seconds.0.as_secs_f64())?,
                    Number::Read(arg) => of_thousandth(arg)?,
                };
                Ok(self.around(node, "Delay")?.with("delay_msec", &time))
            }
            Params::Once(_) => Ok(self.around(node, "RunOnce")?.with("then_skip", "false")),
            Params::Action(action) => self.calls.call(&action.action),
            Params::Condition(condition) => self.calls.call(&condition.action),
            Params::Decorator(decorator) => {
                let child = self.around(node, "")?;
                Ok(self
                    .calls
                    .call(&decorator.decorator)?
                    .holding(child.into_children()))
            }
            Params::Composite(composite) => {
                let children = self.several(node, "")?;
                Ok(self
                    .calls
                    .call(&composite.composite)?
                    .holding(children.into_children()))
            }
            Params::Check(check) => self.calls.question(&script::read(check.formula.0)?),
            Params::Set(set) => Ok(code(&statements(&set.writes)?)),
            Params::SubTree(call) => self.sub_tree(call),
            Params::AlwaysRunning(_) => Ok(
                Element::new("KeepRunningUntilFailure").holding([Element::new("AlwaysSuccess")])
            ),
            Params::Root(_) => has_none("a tree has one root, on top"),
            Params::ForEach(_) => has_none(
                "its loops take one element in each tick: let the agent step through the list",
            ),
            Params::WaitEvent(_) => {
                has_none("let the host write a key, and wait for it with `until_success`")
            }
            Params::MemorySelect(_) => has_none("use a `select`"),
            Params::AlwaysSeq(_) => has_none("use a `sequence` of children below `always_true`"),
            Params::Loop(_) => has_none("use `repeat`, or let the host tick on"),
            Params::RandomSeq(_)
            | Params::RandomSelect(_)
            | Params::Probability(_)
            | Params::Utility(_)
            | Params::WhileLoop(_)
            | Params::Cooldown(_)
            | Params::RunLimit(_)
            | Params::SuccessUntil(_)
            | Params::FailureUntil(_)
            | Params::Frames(_)
            | Params::Reset(_)
            | Params::End(_) => has_none(
                "build it of other kinds, or write it in a decorator or a composite of the agent",
            ),
        }
    }

    fn children(&mut self, node: &AssetNode) -> Vec<Element> {
        node.children()
            .iter()
            .map(|child| self.node(*child))
            .collect()
    }

    /// An element around all children, of which there is one at least.
    fn several(&mut self, node: &AssetNode, name: &'static str) -> Result<Element, Fault> {
        self.counted(node, name, 1..=usize::MAX)
    }

    fn around(&mut self, node: &AssetNode, name: &'static str) -> Result<Element, Fault> {
        self.counted(node, name, 1..=1)
    }

    fn counted(
        &mut self,
        node: &AssetNode,
        name: &'static str,
        counts: std::ops::RangeInclusive<usize>,
    ) -> Result<Element, Fault> {
        let count = node.children().len();
        match counts.contains(&count) {
            true => Ok(Element::new(name).holding(self.children(node))),
            false => refuse(
                format!("{ENGINE} takes no such node with {count} children"),
                "take it out, or correct its children",
            ),
        }
    }

    /// The `until_failure` that alone is below a node: both together are one node there.
    fn until_failure(&self, node: &AssetNode) -> Option<&'a AssetNode> {
        let [child] = node.children() else {
            return None;
        };
        let child = self.tree.node(*child).filter(|child| is_bare(child, 0))?;
        matches!(child.typed().params, Some(Params::UntilFailure(until)) if is_for_ever(&until.count))
            .then_some(child)
    }

    fn count(&mut self, count: &Number<'_, Count>) -> Result<String, Fault> {
        match count {
            Number::Literal(Count(0)) => refuse("it runs no time at all", "take the node out"),
            Number::Literal(Count(count)) => Ok(count.max(&-1).to_string()),
            Number::Read(arg) => {
                self.reads_again = true;
                argument(arg, false)
            }
        }
    }

    /// Writes that follow one another are one script; those behind a node may be what follows its success.
    fn sequence(&mut self, node: &AssetNode) -> Result<Element, Fault> {
        let all = node.children().iter();
        let children: Vec<&AssetNode> = all.filter_map(|child| self.tree.node(*child)).collect();
        let Some((first, rest)) = children.split_first() else {
            return refuse(
                format!("{ENGINE} takes no sequence without children"),
                "take it out",
            );
        };
        if let (Some((all, _)), 2..) = (scripts(&children), children.len()) {
            return Ok(code(&all));
        }
        if let (Some((all, true)), true) = (scripts(rest), node.comment.is_empty()) {
            let element = self.node(first.idx());
            return Ok(match element.has(FOLLOWS) {
                false => element.with(FOLLOWS, &all.join("; ")),
                true => Element::new("Sequence").holding([element, code(&all)]),
            });
        }
        let (mut elements, mut at) = (Vec::new(), 0);
        while let Some(child) = children.get(at) {
            let next = children.get(at + 1);
            let (element, taken) = match next.and_then(|next| written_if_there(child, next)) {
                Some(statement) => (code(&[statement]), 2),
                None => (self.node(child.idx()), 1),
            };
            elements.push(element);
            at += taken;
        }
        Ok(Element::new("Sequence").holding(elements))
    }

    fn parallel(
        &mut self,
        node: &AssetNode,
        [success, failure]: [&Option<Number<'_, AtLeast<1>>>; 2],
        rerun: bool,
        stop_when_decided: bool,
    ) -> Result<Element, Fault> {
        let count = node.children().len() as u64;
        let of = |number: &Option<Number<'_, AtLeast<1>>>| {
            number
                .as_ref()
                .and_then(|number| number.literal())
                .map(|number| number.0)
        };
        let success = of(success);
        let failure = match failure {
            None => success.map(|success| (count + 1).saturating_sub(success)),
            Some(_) => of(failure),
        };
        let (Some(success), Some(failure), false) = (success, failure, rerun) else {
            return refuse(
                format!(
                    "{ENGINE} has no parallel with such thresholds, or that runs children again"
                ),
                "write `success` and `failure` as numbers, and leave out `rerun`",
            );
        };
        let is_reached = success <= count && failure <= count;
        if !stop_when_decided && (success, failure) == (count, count) {
            let all = self.several(node, "ParallelAll")?;
            return Ok(all.with("max_failures", "1"));
        }
        if !stop_when_decided || !is_reached || success + failure > count + 1 {
            return refuse(
                format!(
                    "{ENGINE}'s `Parallel` enters no child behind the one that decides, and fails as soon as it cannot succeed"
                ),
                "write `stop_when_decided`, and thresholds that together are one more than the children at most",
            );
        }
        let element = self.several(node, "Parallel")?;
        Ok(element
            .with("success_count", &success.to_string())
            .with("failure_count", &failure.to_string()))
    }

    fn switch(&mut self, node: &AssetNode, switch: &Switch<'_>) -> Result<Element, Fault> {
        if !switch.reactive {
            return refuse(
                format!("{ENGINE} chooses a case anew in every tick"),
                "write `reactive`",
            );
        }
        let on = script::read(switch.on.0)?;
        if is_true_alone(&switch.cases) {
            let asked = self.calls.question(&on)?;
            let branches = self.counted(node, "", 1..=2)?.into_children();
            return Ok(Element::new("WhileDoElse").holding([asked].into_iter().chain(branches)));
        }
        let Some(key) = key_or_null(&on) else {
            return refuse(
                format!(
                    "a switch of {ENGINE} chooses by an entry, and takes the default where it is not set"
                ),
                "compute the value into a key, and choose by `$key ?? null`",
            );
        };
        let cases = &switch.cases.0;
        let name = match cases.len() {
            2 => "Switch2",
            3 => "Switch3",
            4 => "Switch4",
            5 => "Switch5",
            6 => "Switch6",
            other => {
                return refuse(
                    format!("{ENGINE} has switches of 2 to 6 cases, and this one has {other}"),
                    "put a switch into the default of another, or use `if_else`",
                );
            }
        };
        if node.children().len() != cases.len() + 1 {
            return refuse(
                format!("a switch of {ENGINE} has a default"),
                "add a last child, without a case",
            );
        }
        let mut element = Element::new(name).with("variable", &super::calls::entry(key)?);
        for (at, case) in cases.iter().enumerate() {
            let text = match case.0 {
                Value::Number(number) => number.to_string(),
                Value::String(text) if Type::of(text) == Type::Text && !text.starts_with('{') => {
                    text.clone()
                }
                other => {
                    return refuse(
                        format!("the case {other} would be taken for another there"),
                        "write numbers, or texts that are no numbers",
                    );
                }
            };
            element = element.with(&format!("case_{}", at + 1), &text);
        }
        Ok(element.holding(self.children(node)))
    }

    fn sub_tree(&mut self, call: &SubTree<'_>) -> Result<Element, Fault> {
        if !call.args.0.is_empty() || !call.results.0.is_empty() {
            return refuse(
                format!(
                    "a tree takes and gives values when it is called and when it has ended; ports of {ENGINE} are the caller's entries themselves"
                ),
                "let both trees use the same keys of the agent",
            );
        }
        let (Some(name), SubTreeMode::Call) = (call.sub_tree_name, call.mode) else {
            return refuse(
                format!("{ENGINE} calls the tree that the file names, and comes back"),
                "write `sub_tree_name`, and leave out `mode`",
            );
        };
        match self.ids.get(name.0) {
            Some(id) => Ok(Element::new("SubTree")
                .with("ID", id)
                .with("_autoremap", "true")),
            None => refuse(
                format!("the tree `{}` is not among those that are exported", name.0),
                "name its file, too, or the folder of both",
            ),
        }
    }
}

fn code(statements: &[String]) -> Element {
    Element::new("Script").with("code", &statements.join("; "))
}

fn is_for_ever(count: &Number<'_, Count>) -> bool {
    count.literal().is_some_and(|count| count.0 < 0)
}

/// Returns true for a node of which only its kind and so many keys of that kind are said.
fn is_bare(node: &AssetNode, keys: usize) -> bool {
    node.comment.is_empty() && node.extra.len() == keys
}

/// The statements of nodes that all write, and true if one of them is for a key that must be there.
fn scripts(nodes: &[&AssetNode]) -> Option<(Vec<String>, bool)> {
    let (mut all, mut must_be, mut rest) = (Vec::new(), false, nodes);
    while let [first, more @ ..] = rest {
        let pair = more.first().and_then(|next| written_if_there(first, next));
        if let Some(statement) = pair {
            all.push(statement);
            (must_be, rest) = (true, &more[1..]);
        } else {
            all.extend(bare_writes(first)?);
            rest = more;
        }
    }
    Some((all, must_be))
}

/// The statements of a `set` of which nothing else is said.
fn bare_writes(node: &AssetNode) -> Option<Vec<String>> {
    let Some(Params::Set(set)) = node.typed().params.filter(|_| is_bare(node, 1)) else {
        return None;
    };
    statements(&set.writes).ok()
}

/// A `check` whether a key is there, and the `set` that writes it: `key = value`.
fn written_if_there(check: &AssetNode, set: &AssetNode) -> Option<String> {
    let Some(Params::Check(asked)) = check.typed().params.filter(|_| is_bare(check, 1)) else {
        return None;
    };
    let key = asked_key(asked.formula.0)?;
    let statements = bare_writes(set)?;
    let [statement] = statements.as_slice() else {
        return None;
    };
    let value = statement.strip_prefix(&format!("{key} := "))?;
    Some(format!("{key} = {value}"))
}

fn is_true_alone(cases: &Cases<'_>) -> bool {
    matches!(cases.0.as_slice(), [case] if *case.0 == Value::Bool(true))
}

/// The key of `$key ?? null`.
fn key_or_null(on: &Expr) -> Option<&str> {
    let Form::Otherwise(value, other) = &on.form else {
        return None;
    };
    if let (Form::Key(key), Form::Literal(Value::Null)) = (&value.form, &other.form) {
        return Some(&key.name);
    }
    None
}
