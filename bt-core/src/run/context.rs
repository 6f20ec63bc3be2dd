//! The runner's side of a node that runs: everything that kinds may do with it.

use serde_json::Value;
use thin_vec::ThinVec;

use super::core::Core;
use super::node_ref::{At, Frame, NOWHERE};
use super::plain::Then;
use super::state::timers::Purpose;
use super::walk::{Act, Step, Walker};
use crate::Random;
use crate::blackboard::KeyId;
use crate::call::{Asked, Exit};
use crate::kinds::{Answer, Ask, Caller, Given, Held, NodeContext, NumberSlot, Order, Slot, Wait};
use crate::trace::Role;
use crate::tree::plan::Plan;

/// The number of trees that may call, or suspend, one another.
pub(crate) const DEEPEST: u32 = 100;

/// The greatest number of called trees that run at once in one agent: trees that call two of their own kind
/// are twice as many at each depth.
pub(crate) const MOST: usize = 10_000;

impl NodeContext for Walker<'_> {
    fn first_child(&self, node: u32) -> Option<u32> {
        let first = self.plan.children(node).next()?;
        self.core.past_disabled(self.plan, node, first)
    }

    fn next_child(&self, node: u32, child: u32) -> Option<u32> {
        let next = self.plan.next_child(node, child)?;
        self.core.past_disabled(self.plan, node, next)
    }

    fn listed(&self, node: u32) -> impl Iterator<Item = u32> {
        self.plan.children(node)
    }

    fn next_listed(&self, node: u32, after: Option<u32>) -> Option<u32> {
        match after {
            None => self.plan.children(node).next(),
            Some(child) => self.plan.next_child(node, child),
        }
    }

    fn is_there(&self, child: u32) -> bool {
        !self.core.is_disabled(child)
    }

    fn count_there(&self, node: u32) -> Option<u32> {
        let any = self.core.disables_any();
        any.then(|| self.children(node).count() as u32)
    }

    fn poll(&self) -> u32 {
        self.core.poll
    }

    fn awake(&self) -> u64 {
        self.core.now_awake()
    }

    fn set_timer(&mut self, node: u32, nanos: u64) {
        let time = self.core.now().saturating_add(nanos);
        self.core
            .set_timer(time, self.core.here(node), Purpose::Node);
    }

    fn clear_timers(&mut self, node: u32) {
        self.core.clear_timers(self.core.here(node));
    }

    fn next_order(&mut self) -> Order {
        self.core.next_order()
    }

    fn state<K: Slot>(&self, node: u32) -> Option<&K::State> {
        self.core.state::<K>(self.core.here(node))
    }

    fn state_mut<K: Slot>(&mut self, node: u32) -> Option<&mut K::State> {
        self.core.state_mut::<K>(self.core.here(node))
    }

    fn set_state<K: Slot>(&mut self, node: u32, state: K::State) {
        self.core.set_state::<K>(self.core.here(node), state);
    }

    fn clear_state(&mut self, node: u32) {
        self.core.clear_state(self.core.here(node));
    }

    fn retained<K: Slot<Retained: Copy>>(&self, node: u32) -> Option<K::Retained> {
        self.core.retained::<K>(node)
    }

    fn retain<K: Slot>(&mut self, node: u32, retained: K::Retained) {
        self.core.retain::<K>(node, retained);
    }

    fn forget(&mut self, node: u32) {
        self.core.forget(node);
    }

    fn spare_list(&mut self) -> ThinVec<u32> {
        self.core.cold().states.spare()
    }

    fn wait(&mut self, node: u32, wait: Wait) {
        self.core.wait(self.core.here(node), wait);
    }

    fn turn_now(&mut self, node: u32) {
        if let Some(position) = self.core.find(self.core.here(node)) {
            self.core.entries[position].stamp = self.core.poll.wrapping_sub(1);
        }
    }

    fn had_turn(&self, node: u32) -> bool {
        let position = self.core.find(self.core.here(node));
        position.is_some_and(|position| self.core.entries[position].stamp == self.core.poll)
    }

    fn stop_waiting(&mut self, node: u32) {
        self.core.drop_entry(self.core.here(node));
    }

    fn is_waiting(&self, node: u32) -> bool {
        self.core.find(self.core.here(node)).is_some()
    }

    fn is_active(&self, child: u32) -> bool {
        self.core.is_active(self.plan, self.core.here(child))
    }

    fn any_below(&self, node: u32) -> bool {
        self.core.any_below(self.plan, self.core.here(node))
    }

    fn have_all_ended(&self, node: u32) -> bool {
        let (from, to) = self.core.below(self.plan, self.core.here(node));
        let poll = self.core.poll;
        let mut below = self.core.entries[from..to].iter();
        below.all(|entry| entry.wait == Wait::Rerun && entry.stamp == poll)
    }

    fn is_closed_for_children(&self, node: u32) -> bool {
        self.closes(self.core.here(node))
    }

    fn is_spent(&self) -> bool {
        self.core.is_spent()
    }

    fn is_requested(&self) -> bool {
        self.has_request()
    }

    fn resume_after(&mut self, node: u32, child: u32) {
        self.core.push_continuation(self.core.here(node), child);
    }

    fn drop_resume(&mut self, node: u32) {
        self.core.drop_continuations(self.core.here(node));
    }

    fn entering(&self, node: u32) -> Option<u32> {
        self.core.entering(self.core.here(node))
    }

    fn decide_later(&mut self, node: u32) {
        let at = self.core.here(node);
        self.core.cold().continuations.decide(at);
    }

    fn pass_over(&mut self, child: u32) {
        self.watch_unevaluated(child);
    }

    fn run_polled(&mut self, node: u32) -> bool {
        // The walks through them leave this frame.
        let at = self.core.here(node);
        let done = Walker::run_polled(self, at);
        self.core.frame = at.frame;
        done
    }

    fn abort_below(&mut self, node: u32, success: bool) -> Step {
        let at = self.core.here(node);
        self.abort(at, at, false, Then::Go(at, Act::Done(success)))
    }

    fn abort_child(&mut self, node: u32, child: u32) -> Step {
        let (at, child) = (self.core.here(node), self.core.here(child));
        self.abort(at, child, true, Then::Nothing)
    }

    fn abort_and_enter(&mut self, node: u32, child: u32, next: u32) -> Step {
        let [at, child, next] = [node, child, next].map(|node| self.core.here(node));
        self.abort(at, child, true, Then::Enter(next))
    }

    fn end_tree(&mut self, node: u32, success: bool, outside: bool) -> Step {
        let at = self.core.here(node);
        if self.plan.node(node).attached || self.core.is_traced {
            self.ended(node, success);
        }
        self.core.wait(at, Wait::Parked(Act::Left(success)));
        let root = if outside {
            self.core.base_root()
        } else {
            At {
                frame: at.frame,
                node: self.plan.tree_of(node).root,
            }
        };
        self.abort(at, root, false, Then::Go(root, Act::Done(success)))
    }

    fn restart(&mut self, node: u32, clear: bool) -> Step {
        let at = self.core.here(node);
        self.core.wait(at, Wait::Timer);
        self.abort_tree(at, Then::Restart(clear))
    }

    fn call(&mut self, node: u32, call: u32, caller: Caller) -> Step {
        let role = if caller == Caller::Condition {
            Role::Condition
        } else {
            Role::Action
        };
        let called = self.call_as(node, call, role, 0);
        self.called(node, call, called)
    }

    fn ask_next(
        &mut self,
        node: u32,
        call: u32,
        asked: (Caller, Asked),
        delta: u64,
        held: &mut Held,
    ) -> Answer {
        self.ask_agent(node, call, asked, delta, held)
    }

    fn exit_asked(&mut self, node: u32, call: u32, exit: Exit, delta: u64, held: &mut Held) {
        self.exit_agent(node, call, exit, delta, held);
    }

    fn holds(&mut self, node: u32, ask: &Ask) -> bool {
        self.ask_condition(node, self.plan.info(node).scope, ask, None)
    }

    fn random(&mut self) -> &mut Random {
        self.core.session.random()
    }

    fn report(&mut self, node: u32, text: String) {
        Walker::report(self, Some(node), text);
    }

    fn value(&mut self, node: u32, key: KeyId) -> Option<Value> {
        self.enter_scope(node);
        self.core.session.board().value(key)
    }

    fn set_value(&mut self, node: u32, key: KeyId, value: Value) {
        self.enter_scope(node);
        self.core.session.board().put(key, Some(value));
        // Guards that follow the key react before the walk continues.
        let stirs = self.core.session.board().has_pending_changes();
        self.core.interrupted.react_if(stirs);
        self.report_refused(node);
    }

    fn given(&mut self, node: u32, given: &Given) -> Result<Value, String> {
        match given {
            Given::Literal(value) => Ok(value.clone()),
            Given::Key(key) => match self.value(node, *key) {
                Some(value) => Ok(value),
                None => Err("its key is not set".to_owned()),
            },
            Given::Fetched(property) => {
                self.enter_scope(node);
                let mut cx = self.core.session.context_of(node);
                let value = self.host.property(*property, &mut cx);
                self.core.session.end_call();
                if let (true, Ok(value)) = (self.core.is_traced, &value)
                    && let Some(text) = self.host.expression(*property)
                {
                    let at = self.core.here(node);
                    self.core.trace_value(self.plan, at, text, value);
                }
                value.map_err(|error| error.to_string())
            }
        }
    }

    fn kept_number(&self, node: u32, slot: NumberSlot) -> Option<u64> {
        self.kept(self.core.here(node), slot)
    }

    fn read_number(&mut self, node: u32, slot: NumberSlot) -> Option<u64> {
        let number = self.plan.number(node, slot)?;
        let (bits, _) = self.value_of(node, number)?;
        Some(bits)
    }

    fn evaluate(
        &mut self,
        node: u32,
        given: &Given,
        misfit: impl FnOnce(&Value) -> Option<String>,
    ) -> Option<Value> {
        let value = self.given(node, given);
        self.absorb(self.core.here(node));
        let Given::Fetched(number) = given else {
            return value.ok();
        };
        let (value, why) = match value {
            Ok(value) => match misfit(&value) {
                Some(why) => (Some(Value::Null), why),
                None => {
                    if let Some(cold) = &mut self.core.cold {
                        cold.reports.has_value(*number);
                    }
                    return Some(value);
                }
            },
            Err(why) => (None, why),
        };
        if self.core.cold().reports.is_newly_without_value(*number) {
            Walker::report(self, Some(node), why);
        }
        value
    }

    fn take_latched(&mut self, node: u32, event: u32, params: &[(Box<str>, KeyId)]) -> bool {
        let Some(cold) = &mut self.core.cold else {
            return false;
        };
        let Some(event) = cold.inbox.take_latched(event) else {
            return false;
        };
        let at = self.core.here(node);
        self.trace_consumed(at, &event, true);
        self.write_params(at, params, &event);
        true
    }

    fn tree_named(&self, name: &str) -> Result<u32, String> {
        let found = self.plan.tree_named(name);
        found.ok_or_else(|| self.near_tree(name))
    }

    fn call_tree(
        &mut self,
        node: u32,
        tree: u32,
        args: &[(Box<str>, Given)],
        values: ThinVec<Value>,
    ) -> Step {
        let at = self.core.here(node);
        let above = self.core.frame(at.frame);
        let name = &self.plan.trees[tree as usize].name;
        if above.depth >= DEEPEST {
            let circle = circle(self.core, self.plan, at, tree);
            let text = format!(
                "`{name}` is not called: trees call one another {DEEPEST} deep at most{circle}"
            );
            Walker::report(self, Some(node), text);
            return Step::Done(false);
        }
        if self.core.open_frames() > MOST {
            let text = format!("`{name}` is not called: {MOST} trees run at once at most");
            Walker::report(self, Some(node), text);
            return Step::Done(false);
        }
        let root = self.plan.trees[tree as usize].root;
        let frame = self.core.new_frame(Frame {
            tree: (),
            caller: at,
            depth: above.depth + 1,
            level: above.level,
            board: None,
        });
        self.open_run(frame, root);
        let root = At { frame, node: root };
        self.write_args(root, args, values);
        // Guards that follow what was written react before the tree is entered.
        let stirs = self.core.session.board().has_pending_changes();
        self.core.interrupted.react_if(stirs);
        Step::Jump(root, Act::Enter)
    }

    fn transfer(&mut self, node: u32, tree: u32, values: ThinVec<Value>) -> Step {
        let at = self.core.here(node);
        self.core.wait(at, Wait::Timer);
        self.core.cold().requests.hand_over(values);
        self.abort_tree(at, Then::Transfer(self.plan.info(node).tree, node, tree))
    }
}

impl Walker<'_> {
    /// Writes the arguments of a tree, as its root sees them.
    pub(super) fn write_args(
        &mut self,
        root: At,
        args: &[(Box<str>, Given)],
        values: ThinVec<Value>,
    ) {
        if values.is_empty() {
            return;
        }
        let names = args.iter().map(|(name, _)| name);
        self.write_own(root, names.zip(values));
    }
}

/// "; `a` > `b` > `a` call one another": from a tree that is to be called back to itself, if it is among the
/// trees that call it.
fn circle(core: &Core, plan: &Plan, from: At, tree: u32) -> String {
    let name = |tree: u32| format!("`{}`", plan.trees[tree as usize].name);
    let mut path = vec![name(tree)];
    let mut at = from;
    while at != NOWHERE && path.len() <= DEEPEST as usize {
        let above = plan.info(at.node).tree;
        path.push(name(above));
        if above == tree {
            path.reverse();
            return match path.as_slice() {
                [name, _] => format!("; {name} calls itself"),
                _ => format!("; {} call one another", path.join(" > ")),
            };
        }
        at = core.frame(at.frame).caller;
    }
    String::new()
}
