//! The node kinds that trees are made of: a file for each, or for a pair of mirror images.
//!
//! A kind's file holds all that there is of it: what a tree file may say of its nodes, as types; what is
//! known without a node, such as how many children it has and how it is drawn; what it calls and can come
//! to; what a node does when it runs, and what it remembers. [`Kind`] is the table of all, in the order in
//! which an editor offers them. `docs/src/add-a-node-kind.md` shows how one is added.
//!
//! Kinds know no runner: what a node does, it asks of a `NodeContext`, and says as a `Step` what
//! happens next. A `PlanContext` turns the names in its parameters into numbers.

mod about;
mod asked;
pub mod attached;
pub(crate) mod behaviour;
pub mod call;
pub(crate) mod context;
mod held;
mod iterations;
pub mod number;
mod outcome;
mod path;
pub(crate) mod plan;
mod read;
pub(crate) mod remember;
pub(crate) mod step;
mod table;
#[cfg(test)]
mod tested;
#[cfg(test)]
mod tidy;
pub mod values;

pub(crate) mod action;
pub(crate) mod always;
pub(crate) mod always_running;
pub(crate) mod always_seq;
pub(crate) mod check;
mod choice;
pub(crate) mod composite;
pub(crate) mod condition;
pub(crate) mod conditions;
pub(crate) mod cooldown;
pub(crate) mod decorator;
pub(crate) mod delay;
pub(crate) mod end;
pub(crate) mod for_each;
pub(crate) mod frames;
pub(crate) mod if_else;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod negative;
pub(crate) mod once;
pub(crate) mod parallel;
pub(crate) mod probability;
pub(crate) mod random;
pub(crate) mod reactive;
pub(crate) mod repeat;
pub(crate) mod reset;
pub(crate) mod root;
pub(crate) mod run_limit;
pub(crate) mod sequence;
#[doc(hidden)]
pub mod set;
#[doc(hidden)]
pub mod sub_tree;
pub(crate) mod success_until;
pub mod switch;
pub(crate) mod timeout;
pub(crate) mod until;
pub(crate) mod utility;
pub(crate) mod wait_event;
pub(crate) mod while_loop;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::describe::catalogue::NodeKindEntry;
pub use about::{About, Certain, Children, Group, Leaf, Logic};
use attached::{Attachments, Declaration, Declarations, EventTree, Guard};
pub(crate) use behaviour::{Behaviour, Ends, Found, RefusedBy, Runs, Timed};
use call::{Argument, Call};
pub(crate) use context::NodeContext;
pub(crate) use held::{Answer, Held, Kept};
use number::NumberRule;
pub(crate) use number::{Amount, NumberSlot, ReadNumber};
pub use outcome::Outcome;
pub use path::{Path, step};
pub(crate) use plan::{Ask, Given, PlanContext};
use read::{Fields, ObjectSchema};
pub use read::{KeyProblem, Keys, Problems};
pub(crate) use remember::{Long, Nothing, Remember, Slot, Spare, Translate};
use set::Writes;
pub(crate) use step::{Act, Order, Step, Wait};
use sub_tree::SubTree;
use switch::Cases;
use table::{held, kinds, plain};
use values::{Formula, Name, Parameters};

/// Everything that is known of a kind and of its nodes' parameters.
pub(crate) trait NodeKind<'t>: Fields<'t> {
    /// The facts that are known without a node.
    const ABOUT: About;

    /// Keys of which a node has one at least.
    const ONE_OF: &'static [&'static str] = &[];

    /// The outcomes of a node, from those of its children; `called` gives the outcome of a call.
    fn outcome(&self, children: &[Outcome], called: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome;

    /// Of a kind whose children run in order: whether the next can be reached after one.
    fn continues_after(&self, _child: Outcome) -> Option<bool> {
        None
    }

    /// The symbol of a node in drawings.
    fn symbol(&self) -> &'static str {
        Self::ABOUT.symbol
    }

    /// Reports each thing that its parameters name, with its place; `path` is that of its parameters.
    fn uses(&self, _path: &Path<'_>, _report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {}

    /// The keys that it declares beside those of its `blackboard`: the parameter that names each, its name, its type.
    fn declares(&self) -> Vec<(&'static str, Name<'t>, &'static str)> {
        Vec::new()
    }

    /// Shows the parameters in a drawing, but for names and defaults.
    fn display(&self, part: &mut dyn FnMut(String)) {
        Fields::display(self, part);
    }

    /// A key that need not be said, and what it holds then. Files are written with it.
    fn implied(&self, _children: usize) -> Option<(&'static str, Value)> {
        None
    }

    /// The keys of its parameters that say something else without those children that are disabled; `stays` says of
    /// each child whether it is none of them.
    fn without(&self, _stays: &[bool]) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Plans the behaviour of a node.
    fn plan(self, cx: &mut dyn PlanContext) -> Planned;

    /// Reports what is wrong with parameters that are right by themselves.
    fn check(&self, _children: usize, _path: &Path<'_>, _problems: &mut Problems<'_>) {}
}

/// A name that a node uses.
#[derive(Debug, Clone, Copy)]
pub enum Use<'a, 't> {
    /// A method of the agent.
    Call(Caller, &'a Call<'t>),
    /// A condition of the agent that is evaluated.
    Guard(Caller, &'a Guard<'t>),
    /// An expression that is evaluated, whose place is that of its text.
    Expression(Caller, Formula<'t>),
    /// An expression whose value the node takes, with the place of its text.
    Value(Wanted<'a, 't>, Formula<'t>),
    /// Keys and properties that are written, with the place of the object that lists them.
    Writes(Caller, &'a Writes<'t>),
    /// A number that is read while the node runs, with the place of its source.
    Number(&'a Argument<'t>, NumberRule),
    /// A tree that runs, and what is handed to its keys.
    Tree(&'a SubTree<'t>),
    /// An event, and the keys that take its parameters.
    Event(Name<'t>, &'a Parameters<'t>),
    /// An event, and the tree that it starts.
    Starts(&'a EventTree<'t>),
}

impl<'a, 't> Use<'a, 't> {
    /// The method that is called, and who calls it.
    pub fn call(self) -> Option<(Caller, &'a Call<'t>)> {
        match self {
            Use::Call(caller, call) => Some((caller, call)),
            Use::Guard(_, guard) if guard.formula.is_some() => None,
            Use::Guard(caller, guard) => Some((caller, &guard.condition)),
            Use::Expression(..)
            | Use::Value(..)
            | Use::Writes(..)
            | Use::Number(..)
            | Use::Tree(_)
            | Use::Event(..)
            | Use::Starts(_) => None,
        }
    }
}

/// The value that a node takes from an expression.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a, 't> {
    /// One of the cases, or another value; the place of their list.
    Case(&'a Cases<'t>, &'a Path<'a>),
    /// A number, or null.
    Score,
    /// A list.
    List,
}

/// The caller of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// An `action`.
    Action,
    /// A `condition`.
    Condition,
    /// A host's `decorator`.
    Decorator,
    /// A host's `composite`.
    Composite,
    /// The condition with which a `run_limit` begins to count afresh.
    ResetIf,
    /// A guard.
    Guard,
    /// An effect.
    Effect,
    /// A service.
    Service,
}

impl Caller {
    /// The keys that the name and the arguments stand under.
    pub fn keys(self) -> (&'static str, &'static str) {
        match self {
            Caller::Guard | Caller::ResetIf => ("condition_name", "condition_args"),
            Caller::Decorator => ("decorator_name", "decorator_args"),
            Caller::Composite => ("composite_name", "composite_args"),
            Caller::Action | Caller::Condition | Caller::Effect | Caller::Service => {
                ("action_name", "action_args")
            }
        }
    }
}

// A new kind is its file, and a line here.
kinds! { <'t>
    Root: root::Root<'t>;
    Sequence: sequence::Sequence;
    Select: sequence::Select;
    MemorySequence: memory::MemorySequence => Memory(memory::MemoryNode);
    MemorySelect: memory::MemorySelect;
    ReactiveSequence: reactive::ReactiveSequence => Reactive(reactive::ReactiveNode);
    ReactiveSelect: reactive::ReactiveSelect;
    AlwaysSeq: always_seq::AlwaysSeq => AlwaysSeq(always_seq::AlwaysSeqNode);
    RandomSeq: random::RandomSeq => Random(random::RandomNode);
    RandomSelect: random::RandomSelect;
    Probability: probability::Probability<'t> => Probability(probability::ProbabilityNode, boxed);
    Parallel: parallel::Parallel<'t> => Parallel(parallel::ParallelNode);
    Switch: switch::Switch<'t> => Switch(switch::SwitchNode, boxed);
    Utility: utility::Utility<'t> => Utility(utility::UtilityNode, boxed);
    IfElse: if_else::IfElse => IfElse(if_else::IfElseNode);
    WhileLoop: while_loop::WhileLoop => WhileLoop(while_loop::WhileLoopNode);
    Composite: composite::Composite<'t> => Asked(asked::AskedNode);
    And: conditions::And => Conditions(sequence::InOrderNode);
    Or: conditions::Or;
    Negative: negative::Negative;
    AlwaysTrue: always::AlwaysTrue;
    AlwaysFalse: always::AlwaysFalse;
    Repeat: repeat::Repeat<'t> => Repeat(repeat::RepeatNode);
    Retry: repeat::Retry<'t>;
    UntilSuccess: until::UntilSuccess<'t>;
    UntilFailure: until::UntilFailure<'t>;
    Loop: loops::Loop<'t> => Loop(loops::LoopNode);
    ForEach: for_each::ForEach<'t> => ForEach(for_each::ForEachNode, boxed);
    Timeout: timeout::Timeout<'t> => Timeout(timeout::TimeoutNode);
    Delay: delay::Delay<'t> => Delay(delay::DelayNode);
    Cooldown: cooldown::Cooldown<'t> => Cooldown(cooldown::CooldownNode);
    RunLimit: run_limit::RunLimit<'t> => RunLimit(run_limit::RunLimitNode, boxed);
    SuccessUntil: success_until::SuccessUntil<'t> => SuccessUntil(success_until::SuccessUntilNode);
    FailureUntil: success_until::FailureUntil<'t>;
    Frames: frames::Frames<'t> => Frames(frames::FramesNode);
    Once: once::Once => Once(once::OnceNode);
    Decorator: decorator::Decorator<'t>;
    Action: action::Action<'t> => Action(action::ActionNode);
    Condition: condition::Condition<'t> => Condition(condition::ConditionNode);
    Check: check::Check<'t>;
    Set: set::Set<'t>;
    WaitEvent: wait_event::WaitEvent<'t> => WaitEvent(wait_event::WaitEventNode, boxed);
    SubTree: sub_tree::SubTree<'t> => SubTree(sub_tree::SubTreeNode, boxed);
    Reset: reset::Reset => Reset(reset::ResetNode);
    End: end::End => End(end::EndNode);
    AlwaysRunning: always_running::AlwaysRunning => AlwaysRunning(always_running::AlwaysRunningNode);
}

impl Params<'_> {
    /// The number of a node's children that run whenever it does, if nothing is aborted: so many of the
    /// first.
    pub fn certain(&self, children: &[Outcome]) -> usize {
        let ends = |child: &Outcome| {
            let each = [
                (child.success, Outcome::SUCCESS),
                (child.failure, Outcome::FAILURE),
            ];
            let mut each = each.into_iter().filter(|(may, _)| *may);
            child.ends() && each.all(|(_, end)| self.continues_after(end) == Some(true))
        };
        match self.kind().about().certain {
            Certain::None => 0,
            Certain::First => {
                let reached = children.iter().take_while(|child| ends(child)).count() + 1;
                reached.min(children.len())
            }
            Certain::All => children.len(),
        }
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> String {
        kind.name().to_owned()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<Planned>() <= 24,
    "a plan has one for each node: box what is large"
);

impl Kind {
    /// The kind of a name in files.
    pub fn named(name: &str) -> Option<Kind> {
        static NAMES: LazyLock<FxHashMap<&str, Kind>> = LazyLock::new(|| {
            let all = Kind::ALL.iter();
            all.map(|kind| (kind.about().name, *kind)).collect()
        });
        NAMES.get(name).copied()
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The JSON Schema of a node's `extra`: the kind's own keys, and the attachments that every node
    /// takes. Refers to [`node_defs`].
    pub(crate) fn schema(self) -> Value {
        let mut schema = ObjectSchema::default();
        self.describe(&mut schema);
        let mut schema = schema.into_value();
        schema["allOf"] = json!([{"$ref": "#/$defs/node.attachments"}]);
        if !self.one_of().is_empty() {
            let each = self.one_of().iter().map(|key| json!({"required": [key]}));
            schema["anyOf"] = each.collect();
        }
        schema
    }
}

/// The content of a node in a tree file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'t> {
    /// The parameters of its kind; none for an unknown kind.
    pub params: Option<Params<'t>>,
    /// The parameters of any node.
    pub attachments: Attachments<'t>,
}

impl<'t> Node<'t> {
    /// Reads the `extra` of a node, and reports every problem with it. Of an unknown kind the attachments are
    /// read, and the rest is not judged.
    pub fn read(
        kind: Option<Kind>,
        extra: &'t Map<String, Value>,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    ) -> Node<'t> {
        let Some(kind) = kind else {
            let mut attachments = Attachments::empty();
            for (key, json) in extra {
                attachments.read_key(key, json, path, problems);
            }
            let params = None;
            return Node {
                params,
                attachments,
            };
        };
        kind.read(extra, path, problems)
    }

    /// The keys that it declares.
    pub fn declared(&self) -> &Declarations<'t> {
        match &self.params {
            Some(Params::Root(root)) => &root.blackboard,
            _ => &self.attachments.blackboard,
        }
    }

    /// Reports each thing that the node names, with its place; `path` is that of its `extra`.
    pub fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        if let Some(params) = &self.params {
            params.uses(path, report);
        }
        self.attachments.uses(path, report);
    }
}

fn has_key<'t, P: NodeKind<'t>>(key: &str) -> bool {
    P::has(key) || Attachments::has(key)
}

/// Reads a node. The kind takes its keys first, then the attachments; the rest is unknown.
fn read<'t, P: NodeKind<'t>>(
    extra: &'t Map<String, Value>,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
    make: fn(P) -> Params<'t>,
) -> Node<'t> {
    let (mut params, mut attachments) = (P::empty(), Attachments::empty());
    let keys = Keys {
        has: has_key::<P>,
        names: || {
            read::names(|schema| {
                Attachments::describe(schema);
                P::describe(schema);
            })
        },
    };
    for (key, json) in extra {
        let is_known = params.read_key(key, json, path, problems)
            || attachments.read_key(key, json, path, problems);
        if !is_known {
            problems(&path.key(key), KeyProblem::Unknown { keys, key });
        }
    }
    P::report_missing(extra, keys, path, problems);
    let declared = &mut attachments.blackboard.0;
    for (parameter, Name(key), ty) in params.declares() {
        if declared.iter().any(|(known, _)| *known == key) {
            let expected = "a key that the node declares nowhere else";
            read::out_of_range(&expected, &key.into(), &path.key(parameter), problems);
        } else if !key.is_empty() {
            declared.push((key, Declaration::of_type(Name(ty))));
        }
    }
    if !P::ONE_OF.is_empty() && !P::ONE_OF.iter().any(|key| extra.contains_key(*key)) {
        let description = "";
        let problem = KeyProblem::MissingOneOf {
            keys: P::ONE_OF,
            description,
        };
        problems(path, problem);
    }
    Node {
        params: Some(make(params)),
        attachments,
    }
}

/// Every node kind, in the order in which an editor offers them.
pub fn node_kinds() -> Vec<NodeKindEntry> {
    let all = Kind::ALL.iter().map(|kind| {
        let about = kind.about();
        NodeKindEntry {
            name: about.name.to_owned(),
            brief: about.brief.to_owned(),
            group: about.group.name().to_owned(),
            child_min: about.children.least,
            child_max: about.children.most,
            original: about.original,
            params: kind.schema(),
        }
    });
    all.collect()
}

/// The definitions that the kinds' parameters refer to, under names that no Rust type has.
pub fn node_defs() -> BTreeMap<String, Value> {
    let all = attached::definitions().into_iter();
    all.map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_every_kind_has_a_brief() {
        let kinds = node_kinds();
        let names: BTreeSet<_> = kinds.iter().map(|kind| &kind.name).collect();
        assert_eq!(names.len(), kinds.len());
        assert!(kinds.iter().all(|kind| !kind.brief.is_empty()));
    }

    #[test]
    fn the_original_editor_is_given_exactly_the_kinds_that_it_knows() {
        let original: Vec<_> = node_kinds()
            .into_iter()
            .filter_map(|kind| Some((kind.name, kind.original?)))
            .collect();
        let mut expected = [
            ("root", [0, 1]),
            ("sequence", [1, 20]),
            ("always_seq", [1, 20]),
            ("random_seq", [1, 20]),
            ("if_else", [3, 3]),
            ("while_loop", [2, 2]),
            ("wait_event", [0, 0]),
            ("reset", [0, 0]),
            ("sub_tree", [0, 0]),
            ("parallel", [1, 10]),
            ("action", [0, 0]),
            ("always_true", [1, 1]),
            ("select", [1, 20]),
            ("probility", [1, 20]),
        ]
        .map(|(name, bounds)| (name.to_owned(), bounds))
        .to_vec();
        let mut original = original;
        original.sort();
        expected.sort();
        assert_eq!(original, expected);
    }

    #[test]
    fn child_counts_follow_from_the_group() {
        for kind in node_kinds() {
            let counts = (kind.child_min, kind.child_max);
            match kind.group.as_str() {
                "root" | "decorator" => assert_eq!(counts, (1, Some(1)), "{}", kind.name),
                "leaf" => assert_eq!(counts, (0, Some(0)), "{}", kind.name),
                "composite" => assert!(kind.child_min >= 1, "{}", kind.name),
                other => panic!("unknown group `{other}` of `{}`", kind.name),
            }
        }
    }

    #[test]
    fn every_reference_in_the_parameters_has_its_definition() {
        fn refs(value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(target)) = map.get("$ref") {
                        found.push(target.clone());
                    }
                    map.values().for_each(|value| refs(value, found));
                }
                Value::Array(items) => items.iter().for_each(|value| refs(value, found)),
                _ => {}
            }
        }
        for kind in node_kinds() {
            let mut found = Vec::new();
            refs(&kind.params, &mut found);
            node_defs().values().for_each(|def| refs(def, &mut found));
            for target in found {
                let name = target.trim_start_matches("#/$defs/");
                assert!(node_defs().contains_key(name), "{target}");
            }
            assert_eq!(kind.params["type"], "object");
            for key in kind.params["required"].as_array().into_iter().flatten() {
                assert!(
                    kind.params["properties"]
                        .get(key.as_str().unwrap())
                        .is_some()
                );
            }
        }
    }
}
