//! The view of a kind that plans a node's parameters when trees are built.

use std::fmt::Arguments;

use serde_json::Value;

use super::Caller;
use super::attached::Guard;
use super::call::Call;
use super::number::ReadNumber;
use super::set::Writes;
use super::values::{Formula, Parameters};
use crate::blackboard::KeyId;
use crate::call::Source;

/// Turns the names in a node's parameters into numbers. What is wrong with a name is reported, and its
/// number is 0.
pub(crate) trait PlanContext {
    /// The number of the node's children.
    fn children(&self) -> u32;

    /// Says what the node is called for people: the name of its method, event or tree.
    fn name(&mut self, name: &str);

    /// The call that the node makes, by which it is named.
    fn call(&mut self, call: &Call<'_>, caller: Caller) -> u32;

    /// The call by which the node asks what runs next, and by which it is named; true if it does so in every turn.
    fn asked(&mut self, call: &Call<'_>, caller: Caller) -> (u32, bool);

    /// The expression that the node evaluates, by which it is named, in the parameter of that name.
    fn expression(&mut self, formula: Formula<'_>, parameter: &str) -> u32;

    /// The source of an expression's value; `place` is a JSON pointer from the parameters to its text.
    fn formula(&mut self, formula: Formula<'_>, place: Arguments<'_>) -> Given;

    /// The call that writes keys and properties, by which the node is named.
    fn writes(&mut self, writes: &Writes<'_>) -> u32;

    /// A condition that the node asks, in the parameter of that name.
    fn ask(&mut self, guard: &Guard<'_>, caller: Caller, parameter: &str) -> Ask;

    /// An event that the node waits for; `latch`: one that came before, too.
    fn event(&mut self, name: &str, latch: bool) -> u32;

    /// The keys for the parameters of an event.
    fn event_params(&mut self, event: &str, params: &Parameters<'_>) -> Box<[(Box<str>, KeyId)]>;

    /// A key, as the node sees it.
    fn key(&mut self, key: &str) -> KeyId;

    /// The number of a tree; `place` is a JSON pointer from the parameters to its name.
    fn tree(&mut self, name: &str, place: Arguments<'_>) -> u32;

    /// A number that the node reads while it runs; `place` is a JSON pointer from the parameters to it.
    fn number(&mut self, number: ReadNumber, place: Arguments<'_>);

    /// The source of a value; `place` is a JSON pointer from the parameters to it.
    fn given(&mut self, source: Source, place: Arguments<'_>) -> Given;
}

/// A condition to ask, and when its answer may have changed.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) call: u32,
    pub(crate) not: bool,
    /// Asked every poll: it looks at the agent or the world, or says so.
    pub(crate) every: bool,
    /// Asked every poll because it says so.
    pub(crate) always: bool,
    /// The keys among its arguments.
    pub(crate) keys: Box<[KeyId]>,
}

/// The source of a key's value.
#[derive(Debug)]
pub(crate) enum Given {
    Literal(Value),
    Key(KeyId),
    /// A property or an expression, by its number among the set's.
    Fetched(u32),
}
