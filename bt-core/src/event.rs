//! Events: something happened, with typed parameters.

use serde::Serialize;
use serde_json::Value;

/// An event on its way to a runner, made by the constructor that `#[event]` writes.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Agent)]
/// struct Guard;
///
/// #[agent]
/// impl Guard {
///     /// A noise was heard.
///     #[event]
///     fn heard(/** How loud, in decibels. */ loudness: f64);
/// }
///
/// let event = Guard::heard(62.5);
/// assert_eq!(event.name(), "heard");
/// assert_eq!(event.get("loudness"), Some(&62.5.into()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    name: String,
    params: Vec<(String, Value)>,
}

impl Event {
    /// An event without parameters. Where an agent registers the event, prefer its constructor:
    /// the compiler checks that one.
    pub fn new(name: impl Into<String>) -> Event {
        Event {
            name: name.into(),
            params: Vec::new(),
        }
    }

    /// Adds a parameter. A value without a JSON form (a map whose keys are no strings, a number
    /// that is not finite) becomes `null`.
    pub fn with(mut self, name: impl Into<String>, value: impl Serialize) -> Event {
        let value = serde_json::to_value(value).unwrap_or(Value::Null);
        self.params.push((name.into(), value));
        self
    }

    /// The event's registered name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of a parameter.
    pub fn get(&self, param: &str) -> Option<&Value> {
        let found = self.params.iter().find(|(name, _)| name == param)?;
        Some(&found.1)
    }

    /// The parameters in the order of the signature.
    pub fn params(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.params
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }
}

/// A type that an event can carry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be carried by an event",
    label = "has no JSON form",
    note = "an event's parameter needs `#[derive(Clone, serde::Serialize, serde::Deserialize, \
            schemars::JsonSchema)]`"
)]
pub trait EventValue: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> EventValue for T {}

/// One parameter more, from the constructor that `#[event]` writes.
pub fn event_with<T: EventValue>(event: Event, name: &str, value: T) -> Event {
    event.with(name, value)
}
