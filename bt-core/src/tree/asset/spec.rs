//! Trees written in Rust, for tests and tools: `sequence([action("chase").arg(7), …])`.
//!
//! [`node`] makes a node of any kind; the other functions are shorter words for the usual ones.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::node::{NodeData, Nodes};
use crate::kinds::attached::EXPRESSION;
use crate::kinds::call::{Argument, ArgumentType};
use crate::kinds::{Caller, Kind};

/// A node and what is below it, outside any tree.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, condition, guard, select, sequence};
///
/// let chase = sequence([action("run_to").key("enemy"), action("strike")]);
/// let top = select([chase.guard(guard("sees").arg("enemy")), action("rest")]);
/// let tree = TreeAsset::build("guard.json", "guard", top);
/// assert_eq!(tree.nodes().len(), 6); // the root is made
/// # let _ = condition("sees");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NodeSpec {
    pub(super) data: NodeData,
    pub(super) children: Vec<NodeSpec>,
}

/// A node of a kind.
///
/// ```
/// use bt_core::tree::asset::spec::{action, node};
///
/// let thrice = node("repeat").extra("count", 3).child(action("knock"));
/// ```
pub fn node(kind: impl Into<String>) -> NodeSpec {
    NodeSpec {
        data: NodeData::new(kind),
        children: Vec::new(),
    }
}

/// Children in order until one fails.
pub fn sequence(children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    node(Kind::Sequence).children(children)
}

/// Children in order until one succeeds.
pub fn select(children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    node(Kind::Select).children(children)
}

/// A sequence that runs its earlier children again every poll.
pub fn reactive_sequence(children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    node(Kind::ReactiveSequence).children(children)
}

/// A select that runs its earlier children again every poll.
pub fn reactive_select(children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    node(Kind::ReactiveSelect).children(children)
}

/// The child whose case is the value of an expression; a last child without a case is the default. With
/// `.extra("reactive", true)` it chooses again every poll.
///
/// ```
/// use bt_core::tree::asset::spec::{action, switch};
///
/// let weapon = switch("$weapon", ["bow", "sword"], [action("shoot"), action("strike"), action("flee")]);
/// # let _ = weapon;
/// ```
pub fn switch<C: Into<Value>>(
    on: &str,
    cases: impl IntoIterator<Item = C>,
    children: impl IntoIterator<Item = NodeSpec>,
) -> NodeSpec {
    let cases: Vec<Value> = cases.into_iter().map(Into::into).collect();
    node(Kind::Switch)
        .extra("on", on)
        .extra("cases", cases)
        .children(children)
}

/// The child with the highest score, which is the value of an expression. With `.extra("reactive", true)` it chooses again
/// every poll.
///
/// ```
/// use bt_core::tree::asset::spec::{action, utility};
///
/// let mood = utility([("$hunger", action("eat")), ("2 * $fear", action("flee"))]);
/// # let _ = mood;
/// ```
pub fn utility<'a>(children: impl IntoIterator<Item = (&'a str, NodeSpec)>) -> NodeSpec {
    let (scores, children): (Vec<_>, Vec<_>) = children.into_iter().unzip();
    node(Kind::Utility)
        .extra("scores", scores)
        .children(children)
}

/// A child that runs once for each element of a list, which is the value of an expression; it sees the element under a key.
///
/// ```
/// use bt_core::tree::asset::spec::{action, for_each};
///
/// let greet = for_each("$friends", "friend", action("greet").key("friend"));
/// # let _ = greet;
/// ```
pub fn for_each(list: &str, item: &str, child: NodeSpec) -> NodeSpec {
    node(Kind::ForEach)
        .extra("in", list)
        .extra("as", item)
        .child(child)
}

/// All children at once, until so many succeed or so many fail. A `parallel` that ends with the first
/// child that ends is `node("parallel")`.
pub fn parallel(
    success: impl Into<Value>,
    failure: impl Into<Value>,
    children: impl IntoIterator<Item = NodeSpec>,
) -> NodeSpec {
    node(Kind::Parallel)
        .extra("success", success)
        .extra("failure", failure)
        .children(children)
}

/// A child whose result is turned round.
pub fn negative(child: NodeSpec) -> NodeSpec {
    node(Kind::Negative).child(child)
}

/// A call of an action.
pub fn action(name: &str) -> NodeSpec {
    calling(Kind::Action, Caller::Action, name)
}

/// A question to a condition.
pub fn condition(name: &str) -> NodeSpec {
    calling(Kind::Condition, Caller::Condition, name)
}

/// A leaf that succeeds if an expression is true, else fails.
///
/// ```
/// use bt_core::tree::asset::spec::{action, check, expr, sequence};
///
/// let hurt = sequence([check("$hp < 20"), action("flee")]);
/// let flee = action("flee").guard(expr("$hp < 20").set("abort", "self"));
/// # let _ = (hurt, flee);
/// ```
pub fn check(expression: &str) -> NodeSpec {
    let mut spec = node(Kind::Check);
    spec.data.extra = Call::from(expr(expression)).keys;
    spec
}

/// A leaf that writes keys and properties: the values of expressions, all of them or none.
///
/// ```
/// use bt_core::tree::asset::spec::{set, writes, action};
///
/// let count = set([("$count", "$count + 1"), ("@speed", "2 * @speed")]);
/// let hurt = action("flee").effect("enter", writes([("$fled", "true")]));
/// # let _ = (count, hurt);
/// ```
pub fn set<'a>(all: impl IntoIterator<Item = (&'a str, &'a str)>) -> NodeSpec {
    let mut spec = node(Kind::Set);
    spec.data.extra = writes(all).keys;
    spec
}

/// A decorator of the agent's own over a child.
pub fn decorator(name: &str, child: NodeSpec) -> NodeSpec {
    calling(Kind::Decorator, Caller::Decorator, name).child(child)
}

/// A composite of the agent's own over children.
pub fn composite(name: &str, children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    calling(Kind::Composite, Caller::Composite, name).children(children)
}

fn calling(kind: Kind, caller: Caller, name: &str) -> NodeSpec {
    let mut spec = node(kind);
    spec.data.extra = Call::of(caller, name).keys;
    spec
}

/// A wait for an event.
pub fn wait_event(event: &str) -> NodeSpec {
    node(Kind::WaitEvent).extra("event", event)
}

/// A run of another tree.
pub fn sub_tree(name: &str) -> NodeSpec {
    node(Kind::SubTree).extra("sub_tree_name", name)
}

impl NodeSpec {
    /// Has a key take what a key of the called tree holds when it has ended; `of` is the tree's, which it declares with
    /// scope `tree`.
    ///
    /// ```
    /// use bt_core::tree::asset::spec::sub_tree;
    ///
    /// let node = sub_tree("find_way.json").result("way", "route");
    /// ```
    pub fn result(mut self, of: &str, key: &str) -> NodeSpec {
        let results = self.data.extra.entry("results");
        let results = results.or_insert_with(|| Value::Object(Map::new()));
        if let Some(results) = results.as_object_mut() {
            results.insert(of.to_owned(), key.into());
        }
        self
    }

    /// With one more key of its `extra`.
    pub fn extra(mut self, key: &str, value: impl Into<Value>) -> NodeSpec {
        self.data.extra.insert(key.to_owned(), value.into());
        self
    }

    /// A [`sequence`] or [`select`], or one with memory, that keeps its place over aborts: entered again, it continues
    /// at the child that was running.
    pub fn keep_place(self) -> NodeSpec {
        self.extra("keep_place", true)
    }

    /// With a comment.
    pub fn comment(mut self, comment: impl Into<String>) -> NodeSpec {
        self.data.comment = comment.into();
        self
    }

    /// With one more child, the last.
    pub fn child(mut self, child: NodeSpec) -> NodeSpec {
        self.children.push(child);
        self
    }

    /// With more children, after those it has.
    pub fn children(mut self, children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
        self.children.extend(children);
        self
    }

    /// With one more argument, as it is.
    pub fn arg(self, value: impl Into<Value>) -> NodeSpec {
        self.argument(plain(value.into()))
    }

    /// With one more argument, from a key of the blackboard.
    pub fn key(self, key: &str) -> NodeSpec {
        self.argument(argument(ArgumentType::Blackboard, key.into()))
    }

    /// With one more argument, from a property of the agent.
    pub fn property(self, property: &str) -> NodeSpec {
        self.argument(argument(ArgumentType::Property, property.into()))
    }

    /// With one more argument, the value of an expression such as `$hp / @max_hp`.
    pub fn expression(self, text: &str) -> NodeSpec {
        self.argument(argument(ArgumentType::Expression, text.into()))
    }

    /// Of an action or a condition its arguments, of a decorator or a composite those too.
    pub(super) fn argument(mut self, argument: Value) -> NodeSpec {
        let kind = Kind::named(&self.data.kind);
        let caller = if kind == Some(Kind::Decorator) {
            Caller::Decorator
        } else if kind == Some(Kind::Composite) {
            Caller::Composite
        } else {
            Caller::Action
        };
        push(&mut self.data.extra, caller.keys().1, argument);
        self
    }

    /// With one more guard.
    pub fn guard(mut self, guard: impl Into<Call>) -> NodeSpec {
        push(&mut self.data.extra, "guards", guard.into().keys.into());
        self
    }

    /// With one more tree that an event starts.
    pub(super) fn event(mut self, event: &str, mut keys: Map<String, Value>) -> NodeSpec {
        keys.insert("event".to_owned(), event.into());
        push(&mut self.data.extra, "events", keys.into());
        self
    }

    /// With one more key of the blackboard that it declares.
    pub(super) fn declared(mut self, key: &str, declaration: Map<String, Value>) -> NodeSpec {
        let board = self.data.extra.entry("blackboard");
        if let Value::Object(keys) = board.or_insert_with(|| json!({})) {
            keys.insert(key.to_owned(), declaration.into());
        }
        self
    }

    /// With one more call on `enter`, `success`, `failure`, `aborted` or `exit`.
    pub fn effect(mut self, when: &str, call: Call) -> NodeSpec {
        let effects = self
            .data
            .extra
            .entry("effects")
            .or_insert_with(|| json!({}));
        if let Value::Object(effects) = effects {
            push(effects, when, call.keys.into());
        }
        self
    }

    /// With one more call at entry and then every so many seconds.
    pub fn service(mut self, seconds: impl Into<Value>, call: Call) -> NodeSpec {
        let call = call.set("seconds", seconds);
        push(&mut self.data.extra, "services", call.keys.into());
        self
    }

    /// The number of nodes, and the depth.
    pub(super) fn size(&self) -> (usize, usize) {
        let (mut count, mut height) = (0, 0);
        let mut next = vec![(1, self)];
        while let Some((depth, spec)) = next.pop() {
            count += 1;
            height = height.max(depth);
            next.extend(spec.children.iter().map(|child| (depth + 1, child)));
        }
        (count, height)
    }

    /// A node of a tree and what is below it.
    pub(super) fn of(nodes: &Nodes, idx: u32) -> NodeSpec {
        let order: Vec<_> = nodes.preorder(idx).map(|(_, node)| node).collect();
        let mut done: BTreeMap<u32, NodeSpec> = BTreeMap::new();
        // From the end, what is below a node comes before it.
        for node in order.into_iter().rev() {
            let children = node.children.iter().filter_map(|child| done.remove(child));
            let children = children.collect();
            let data = node.data.clone();
            done.insert(node.idx, NodeSpec { data, children });
        }
        done.remove(&idx).unwrap_or_else(|| self::node(""))
    }
}

/// A call that is attached to a node.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Call {
    args: &'static str,
    keys: Map<String, Value>,
}

/// A condition that must hold.
///
/// ```
/// use bt_core::tree::asset::spec::{action, guard};
///
/// let chase = action("chase").guard(guard("hurt").key("hp").negated().set("abort", "self"));
/// ```
pub fn guard(condition: &str) -> Call {
    Call::of(Caller::Guard, condition)
}

/// An expression as a guard, or as a number of a node: the tree is refused if it is wrong.
///
/// ```
/// use bt_core::tree::asset::spec::{action, expr, node};
///
/// let knocks = node("repeat").extra("count", expr("$visitors + 1")).child(action("knock"));
/// let awake = knocks.guard(expr("$hour > 7").set("abort", "self"));
/// # let _ = awake;
/// ```
pub fn expr(expression: &str) -> Expression {
    Expression(expression.to_owned())
}

/// An expression outside any tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Expression(String);

impl Expression {
    /// As a guard that must not hold.
    pub fn negated(self) -> Call {
        Call::from(self).negated()
    }

    /// As a guard with an option, such as `abort`.
    pub fn set(self, key: &str, value: impl Into<Value>) -> Call {
        Call::from(self).set(key, value)
    }
}

/// A guard that evaluates it.
impl From<Expression> for Call {
    fn from(Expression(text): Expression) -> Call {
        Call {
            args: Caller::Guard.keys().1,
            keys: Map::from_iter([(EXPRESSION.to_owned(), text.into())]),
        }
    }
}

/// Its value, where a node takes a number.
impl From<Expression> for Value {
    fn from(Expression(text): Expression) -> Value {
        argument(ArgumentType::Expression, text.into())
    }
}

/// Values that are written, for an effect or a service.
pub fn writes<'a>(all: impl IntoIterator<Item = (&'a str, &'a str)>) -> Call {
    let all = all
        .into_iter()
        .map(|(target, value)| (target.to_owned(), value.into()));
    Call {
        args: Caller::Action.keys().1,
        keys: Map::from_iter([(Kind::Set.name().to_owned(), Value::Object(all.collect()))]),
    }
}

/// A call of an action, for an effect or a service.
pub fn call(action: &str) -> Call {
    Call::of(Caller::Action, action)
}

impl Call {
    fn of(caller: Caller, name: &str) -> Call {
        let (key, args) = caller.keys();
        let keys = Map::from_iter([(key.to_owned(), name.into()), (args.to_owned(), json!([]))]);
        Call { args, keys }
    }

    /// With one more argument, as it is.
    pub fn arg(self, value: impl Into<Value>) -> Call {
        self.argument(plain(value.into()))
    }

    /// With one more argument, from a key of the blackboard.
    pub fn key(self, key: &str) -> Call {
        self.argument(argument(ArgumentType::Blackboard, key.into()))
    }

    /// With one more argument, from a property of the agent.
    pub fn property(self, property: &str) -> Call {
        self.argument(argument(ArgumentType::Property, property.into()))
    }

    /// With one more argument, the value of an expression such as `$hp / @max_hp`.
    pub fn expression(self, text: &str) -> Call {
        self.argument(argument(ArgumentType::Expression, text.into()))
    }

    pub(super) fn argument(mut self, argument: Value) -> Call {
        push(&mut self.keys, self.args, argument);
        self
    }

    /// Of a guard: it must not hold instead.
    pub fn negated(self) -> Call {
        self.set("not", true)
    }

    /// With an option, such as a guard's `abort`.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Call {
        self.keys.insert(key.to_owned(), value.into());
        self
    }
}

fn plain(value: Value) -> Value {
    argument(ArgumentType::Plain, value)
}

fn argument(ty: ArgumentType, value: Value) -> Value {
    Argument::write(ty, value, None)
}

/// Appends to a list, which is begun if need be.
fn push(keys: &mut Map<String, Value>, key: &str, item: Value) {
    if let Value::Array(items) = keys.entry(key).or_insert_with(|| json!([])) {
        items.push(item);
    }
}
