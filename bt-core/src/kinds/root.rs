//! `root`: the top of a tree.

use serde_json::{Map, Value};

use super::attached::Declarations;
use super::read::{choices, fields};
use super::values::{Name, PositiveSeconds};
use super::{
    About, Behaviour, Call, Kind, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step, outcome,
};

choices! {
    /// The rule for a tree that has ended.
    pub enum RootMode {
        /// It begins again.
        Loop = "loop",
        /// Nothing.
        Once = "once",
    }
}

fields! {
    /// The top of a tree.
    pub struct Root<'t> {
        /// the agent that this tree is for
        agent_name: Name<'t>,
        /// what happens when the tree has ended
        mode: RootMode = RootMode::Loop => "{}",
        /// the time between two turns of what would run in every poll
        every: PositiveSeconds = PositiveSeconds::default() => "every {}",
        /// the keys that the tree declares
        blackboard: Declarations<'t> = Declarations::default(),
    }
}

/// The key of the agent's name.
pub(crate) const AGENT_NAME: &str = "agent_name";

/// Returns true if a node of that kind begins a tree.
pub(crate) fn is_root(kind: &str) -> bool {
    kind == Kind::Root.name()
}

/// The agent that a root names; whether anything else can be read is not looked at.
pub(crate) fn agent_name(extra: &Map<String, Value>) -> Option<&str> {
    extra.get(AGENT_NAME)?.as_str()
}

impl Root<'_> {
    /// Returns true if the tree begins again when it has ended.
    pub fn is_loop(&self) -> bool {
        self.mode == RootMode::Loop
    }
}

impl<'t> NodeKind<'t> for Root<'t> {
    const ABOUT: About = About::root(
        "root",
        "◉",
        "where a tree begins: names its agent and holds one child",
    )
    .original(0, 1)
    .behaviac("BehaviorTree");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children)
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        match cx.children() {
            // All of it is disabled.
            0 => Planned::Sequence,
            _ => Planned::Root,
        }
    }
}

/// `root`, `negative`, `always_true`, `always_false`: the walk knows what becomes of a result.
pub(super) struct PlainNode;

impl Behaviour for PlainNode {
    type State = Nothing;
    type Retained = Nothing;
}

impl<C: NodeContext> Runs<C> for PlainNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_child(node) {
            Some(child) => Step::Enter(child),
            None => Step::Done(true),
        }
    }
}
