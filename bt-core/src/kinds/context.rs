//! The runner's side of a node that runs.

use serde_json::Value;
use thin_vec::ThinVec;

use super::Caller;
use super::held::{Answer, Held};
use super::number::NumberSlot;
use super::plan::{Ask, Given};
use super::remember::Slot;
use super::step::{Order, Step, Wait};
use crate::Random;
use crate::blackboard::KeyId;
use crate::call::{Asked, Exit};

/// A node's view of the runner while it runs: its children, the time, its state, waits, aborts and calls.
/// Nodes are numbers; a child's is greater than its parent's. The runner knows the run of the tree that a
/// node is in.
pub(crate) trait NodeContext: Sized {
    // Its children.

    /// The child of a node that has one.
    fn child(&self, node: u32) -> u32 {
        node + 1
    }

    /// The first child that is there, if one is.
    fn first_child(&self, node: u32) -> Option<u32>;

    /// The child that is there after another one.
    fn next_child(&self, node: u32, child: u32) -> Option<u32>;

    /// The children that are there.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let first = self.first_child(node);
        std::iter::successors(first, move |child| self.next_child(node, *child))
    }

    /// All children, those too that a debugger disabled.
    fn listed(&self, node: u32) -> impl Iterator<Item = u32>;

    /// The first of all children, or the next one.
    fn next_listed(&self, node: u32, after: Option<u32>) -> Option<u32>;

    /// Returns true if a child is there: a debugger may have disabled it.
    fn is_there(&self, child: u32) -> bool;

    /// The number of children that are there; none if a debugger disabled no node.
    fn count_there(&self, node: u32) -> Option<u32>;

    /// The first two children of a node whose children differ in what they are for. None if a debugger left it fewer,
    /// which is reported, or none.
    fn first_two(&mut self, node: u32) -> Option<(u32, u32)> {
        let first = self.first_child(node)?;
        let second = self.next_child(node, first);
        if second.is_none() {
            let text = "all its children but one are disabled, and it needs two: it fails";
            self.report(node, text.to_owned());
        }
        Some((first, second?))
    }

    // The time.

    /// The number of the poll.
    fn poll(&self) -> u32;

    /// The time of the poll without the time for which the agent was paused, in nanoseconds.
    fn awake(&self) -> u64;

    /// Sets its timer: it [rings](super::Runs::timer) after so many nanoseconds.
    fn set_timer(&mut self, node: u32, nanos: u64);

    fn clear_timers(&mut self, node: u32);

    /// The number of the next entry: it is greater than that of all before.
    fn next_order(&mut self) -> Order;

    // What it remembers.

    /// Its state, as long as it is active.
    fn state<K: Slot>(&self, node: u32) -> Option<&K::State>;

    fn state_mut<K: Slot>(&mut self, node: u32) -> Option<&mut K::State>;

    fn set_state<K: Slot>(&mut self, node: u32, state: K::State);

    fn clear_state(&mut self, node: u32);

    /// Its retained counter, which outlives its exits.
    fn retained<K: Slot<Retained: Copy>>(&self, node: u32) -> Option<K::Retained>;

    fn retain<K: Slot>(&mut self, node: u32, retained: K::Retained);

    /// Forgets its retained counter.
    fn forget(&mut self, node: u32);

    /// An empty list for its state, which [gives it back](super::Remember::recycle).
    fn spare_list(&mut self) -> ThinVec<u32>;

    // Waiting, and entering children.

    /// Makes a node, or a child of it, wait. What it says next is [`Step::Blocked`].
    fn wait(&mut self, node: u32, wait: Wait);

    /// Gives a node that [waits](NodeContext::wait) for its turn one in this poll, too.
    fn turn_now(&mut self, node: u32);

    /// Returns true if a node that waits for its turn has had it in this poll, or was entered in it.
    fn had_turn(&self, node: u32) -> bool;

    fn stop_waiting(&mut self, node: u32);

    /// Returns true if a node waits itself.
    fn is_waiting(&self, node: u32) -> bool;

    /// Returns true if a child is active: it was entered, and has not ended yet.
    fn is_active(&self, child: u32) -> bool;

    /// Returns true if anything below a node waits.
    fn any_below(&self, node: u32) -> bool;

    /// Returns true if all that waits below a node are children that have ended in this poll, and [run
    /// again](Wait::Rerun).
    fn have_all_ended(&self, node: u32) -> bool;

    /// Returns true if none of its children can be entered now: an aborted one is still cancelling.
    fn is_closed_for_children(&self, node: u32) -> bool;

    /// Returns true if the budget of this poll is spent.
    fn is_spent(&self) -> bool;

    /// Returns true if a call requested something that counts before anything else is called.
    fn is_requested(&self) -> bool;

    /// [Resumes](super::Runs::resume) the node when the child that it enters now waits.
    fn resume_after(&mut self, node: u32, child: u32);

    /// Does not resume the node any more.
    fn drop_resume(&mut self, node: u32);

    /// The child that it has entered, and after which it is to be resumed.
    fn entering(&self, node: u32) -> Option<u32>;

    /// Lets the node [decide](super::Runs::decide) when everything below it has run in this pass.
    fn decide_later(&mut self, node: u32);

    /// A child is passed over that may take over later, by its guards.
    fn pass_over(&mut self, child: u32);

    /// Calls the actions below it once more that are called every poll; whether that is done. If not, its
    /// timer rings again.
    fn run_polled(&mut self, node: u32) -> bool;

    // Aborting.

    /// Aborts all that is active below the node; then the node ends.
    fn abort_below(&mut self, node: u32, success: bool) -> Step;

    /// Aborts a child.
    fn abort_child(&mut self, node: u32, child: u32) -> Step;

    /// Aborts a child, then enters another one, or the same again.
    fn abort_and_enter(&mut self, node: u32, child: u32, next: u32) -> Step;

    /// Ends the tree that the node stands in, or the agent's current tree if that is `outside`.
    fn end_tree(&mut self, node: u32, success: bool, outside: bool) -> Step;

    /// Aborts everything; the root starts in the next poll, with an empty blackboard if that is `clear`.
    fn restart(&mut self, node: u32, clear: bool) -> Step;

    // The agent.

    /// Makes the call of an `action` or a `condition`.
    fn call(&mut self, node: u32, call: u32, caller: Caller) -> Step;

    /// Asks the agent's method of the node what runs next, so many nanoseconds after it was asked last, with what it
    /// keeps for this run of the node.
    fn ask_next(
        &mut self,
        node: u32,
        call: u32,
        asked: (Caller, Asked),
        delta: u64,
        held: &mut Held,
    ) -> Answer;

    /// Calls the exit method of the node's method, if it has one, and drops what it kept.
    fn exit_asked(&mut self, node: u32, call: u32, exit: Exit, delta: u64, held: &mut Held);

    /// Returns true if a condition holds.
    fn holds(&mut self, node: u32, ask: &Ask) -> bool;

    fn random(&mut self) -> &mut Random;

    /// Reports what the tree's author has to know.
    fn report(&mut self, node: u32, text: String);

    // Keys, events and trees.

    /// The value of a key.
    fn value(&mut self, node: u32, key: KeyId) -> Option<Value>;

    /// Sets a key, as an action of the agent would.
    fn set_value(&mut self, node: u32, key: KeyId, value: Value);

    /// The value of an argument.
    fn given(&mut self, node: u32, given: &Given) -> Result<Value, String>;

    /// A number of the node as it was read on entry.
    fn kept_number(&self, node: u32, slot: NumberSlot) -> Option<u64>;

    /// A number of the node as it is now; what is wrong with it is reported.
    fn read_number(&mut self, node: u32, slot: NumberSlot) -> Option<u64>;
    /// The value of an expression; null for a misfit, of which the text is reported, as it is reported that there is
    /// none: once, until it is right.
    fn evaluate(
        &mut self,
        node: u32,
        given: &Given,
        misfit: impl FnOnce(&Value) -> Option<String>,
    ) -> Option<Value>;

    /// Takes an event that was kept, and writes its parameters; whether there is one.
    fn take_latched(&mut self, node: u32, event: u32, params: &[(Box<str>, KeyId)]) -> bool;

    /// The number of a tree, or words for similar names.
    fn tree_named(&self, name: &str) -> Result<u32, String>;

    /// Calls a tree with values for its [arguments](super::Behaviour::tree_args).
    fn call_tree(
        &mut self,
        node: u32,
        tree: u32,
        args: &[(Box<str>, Given)],
        values: ThinVec<Value>,
    ) -> Step;

    /// The same, in place of the trees that run.
    fn transfer(&mut self, node: u32, tree: u32, values: ThinVec<Value>) -> Step;
}
