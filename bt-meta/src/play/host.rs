//! Whoever plays, as the play sees it.

use bt_core::dynamic::Answer;
use bt_core::registry::catalogue::{MethodEntry, PropertyEntry};
use bt_core::{Context, Exit};
use serde_json::Value;

/// Whoever plays: answers calls, and hears what happens.
pub trait Host: Send {
    /// Answers a call.
    fn call(&mut self, call: &Call<'_>, cx: &Context<'_>) -> Answer;

    /// Gives a property its first value; none when there is nobody to give it.
    fn property(&mut self, property: &PropertyEntry) -> Option<Value>;

    /// Hears that a call has left the tree, with what its exit method takes.
    fn exits(&mut self, name: &str, exit: Exit, args: &[Value]);

    /// Hears what the play says.
    fn say(&mut self, text: &str);

    /// Ends the play: no question comes any more.
    fn end(&mut self);

    /// True when the play has ended.
    fn is_over(&self) -> bool;
}

/// A call that is to be answered.
#[derive(Debug)]
pub struct Call<'a> {
    /// The name of the method.
    pub name: &'a str,
    /// The method; none if the catalogue does not list it.
    pub method: Option<&'a MethodEntry>,
    /// The arguments, in the order of the method's.
    pub args: &'a [Value],
}
