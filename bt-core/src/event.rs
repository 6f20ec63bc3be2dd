//! Events: something happened, with typed parameters.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decode::{decode, encode};
use crate::error::CallError;
use crate::text::suggest;

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
    /// that is not finite) becomes `null`, and a warning goes to the log (`tracing`, target `bt`).
    pub fn with(mut self, name: impl Into<String>, value: impl Serialize) -> Event {
        let name = name.into();
        let value = encode(&value).unwrap_or_else(|why| {
            let event = &self.name;
            tracing::warn!(target: "bt", "event `{event}`: parameter `{name}` {why}; it is null");
            Value::Null
        });
        self.params.push((name, value));
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

    /// The value of a parameter as a `T`.
    ///
    /// ```
    /// use bt_core::Event;
    ///
    /// let event = Event::new("heard").with("loudness", 62.5).with("by", "owl");
    /// assert_eq!(event.get_as::<f64>("loudness"), Ok(62.5));
    /// let error = event.get_as::<u8>("by").unwrap_err().to_string();
    /// assert!(error.starts_with("event `heard`: parameter `by`: expected "), "{error}");
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] if the event has no such parameter, with the nearest names;
    /// [`CallError::is_arguments`] if its value is not a `T`.
    pub fn get_as<T: DeserializeOwned + 'static>(&self, param: &str) -> Result<T, CallError> {
        let Some(value) = self.get(param) else {
            let near = suggest(param, self.params().map(|(name, _)| name));
            let text = format!("event `{}` has no parameter `{param}`{near}", self.name);
            return Err(CallError::unknown(text));
        };
        decode(value).map_err(|why| {
            let name = &self.name;
            let text = format!("event `{name}`: parameter `{param}`: {why}");
            CallError::arguments(text)
        })
    }

    pub(crate) fn all_params(&self) -> &[(String, Value)] {
        &self.params
    }

    pub(crate) fn params_mut(&mut self) -> &mut [(String, Value)] {
        &mut self.params
    }

    /// The parameters in the order of the signature.
    pub fn params(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.params
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }
}
