//! An agent's property, own or inherited: read and written by name, as JSON.

mod reach;
mod set;
mod source;
mod watch;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::param::check;
use super::typed_field::panicked;
use super::{Context, Outcome};
use crate::Agent;
use crate::call::table::members::PropertyDesc;
use crate::decode::{encode, shown};
use crate::describe::value::{ValueDesc, arguments};
use crate::error::{ArgumentError, CallError};
pub(super) use reach::{Reach, Reached};
pub use set::PropertySet;
pub(super) use source::WithProperties;
pub use watch::{Change, PropertyWatch, Snapshot};

/// A property of an agent or of one of its bases.
pub struct Property<A: Agent> {
    desc: PropertyDesc,
    getter: Arc<dyn Reach<A>>,
    setter: Option<(PropertyDesc, Arc<dyn Reach<A>>)>,
}

// Not derived: an agent need not be `Clone`.
impl<A: Agent> Clone for Property<A> {
    fn clone(&self) -> Self {
        Property {
            desc: self.desc,
            getter: self.getter.clone(),
            setter: self.setter.clone(),
        }
    }
}

impl<A: Agent> Property<A> {
    /// The registered name.
    pub fn name(&self) -> &'static str {
        self.desc.item.name
    }

    /// Returns true if nothing sets it by name.
    pub fn is_read_only(&self) -> bool {
        self.setter.is_none()
    }

    /// Returns true if it can be read without an agent: an associated constant, or a getter without a
    /// receiver.
    pub fn is_static(&self) -> bool {
        self.desc.is_static
    }

    /// Returns true if `name` is one of its aliases, which trees should not use any more.
    pub fn is_alias(&self, name: &str) -> bool {
        self.desc.item.aliases().any(|alias| alias == name)
    }

    /// The replacement that its `#[deprecated]` names, empty if it names none; none if it is not deprecated.
    pub fn deprecated(&self) -> Option<&'static str> {
        self.desc.item.deprecated()
    }

    /// Its value.
    ///
    /// # Errors
    /// [`CallError::is_refused`] if the value has no JSON form, such as a number that is not
    /// finite.
    pub fn get<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        let value = self.getter.get(agent, world, cx);
        self.settled(value, cx)
    }

    /// Its value, for an argument: a panic is an error, so that the call is known not to have begun.
    pub(crate) fn get_caught<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        let get = || self.get(agent, world, cx);
        catch_unwind(AssertUnwindSafe(get))
            .unwrap_or_else(|panic| Err(panicked(self.name(), panic)))
    }

    /// The reader of the property in calls of the agent so many bases away, if it is a field.
    pub(super) fn field(&self, depth: usize) -> Option<Box<dyn Any>> {
        self.getter.field(depth)
    }

    /// Its value, which needs no agent.
    ///
    /// # Errors
    /// [`CallError::is_refused`] if it needs one, or if the value has no JSON form.
    pub fn get_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        match self.getter.get_static(world, cx) {
            Some(value) => self.settled(value, cx),
            None => Err(self.needs_an_agent("get")),
        }
    }

    /// Sets it.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] if `value` is of another type or out of bounds,
    /// [`CallError::is_refused`] if the property can only be read or its setter answered `false`
    /// or an `Err`.
    pub fn set<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        value: &Value,
    ) -> Result<(), CallError> {
        let setter = self.allow(value)?;
        let arguments = Value::Array(vec![value.clone()]);
        let before = cx.board().take_failure();
        let set = setter.set(agent, world, cx, &arguments);
        self.settle(set, cx, before, value)
    }

    /// Sets it without an agent, if its setter has no receiver.
    ///
    /// # Errors
    /// As of [`set`](Property::set), and [`CallError::is_refused`] if its setter needs an agent.
    pub fn set_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        value: &Value,
    ) -> Result<(), CallError> {
        let setter = self.allow(value)?;
        let arguments = Value::Array(vec![value.clone()]);
        let before = cx.board().take_failure();
        match setter.set_static(world, cx, &arguments) {
            Some(set) => self.settle(set, cx, before, value),
            None => {
                cx.board().set_failure(before);
                Err(self.needs_an_agent("set"))
            }
        }
    }

    /// Returns an error for a value that is out of the property's bounds or its setter's, or not of its type.
    ///
    /// # Errors
    /// As of [`set`](Property::set).
    pub(crate) fn can_hold(&self, value: &Value) -> Result<(), CallError> {
        let setter = self.allow(value)?;
        setter
            .takes(value)
            .map_err(|why| self.bad(value, vec![why]))
    }

    /// The setter, if the property's own bounds and the setter's allow the value.
    fn allow(&self, value: &Value) -> Result<&dyn Reach<A>, CallError> {
        let Some((_, setter)) = &self.setter else {
            let why = "it can only be read";
            return Err(CallError::refused(self.refuses(value, why)));
        };
        let own = self.desc.value.map(|value| value.param);
        let parameter = self.parameter().map(|value| value.param);
        for narrowed in own.iter().chain(&parameter) {
            if let Err(why) = check(narrowed, value) {
                return Err(self.bad(value, vec![why]));
            }
        }
        Ok(&**setter)
    }

    /// Applies the outcome of the setter.
    fn settle(
        &self,
        set: Option<Outcome>,
        cx: &mut Context<'_>,
        before: Option<String>,
        value: &Value,
    ) -> Result<(), CallError> {
        let failure = cx.board().take_failure();
        cx.board().set_failure(before);
        match set {
            Some(Outcome::Done(false)) => {
                let why = failure.unwrap_or_else(|| "its setter answered `false`".to_owned());
                Err(CallError::refused(self.refuses(value, &why)))
            }
            Some(Outcome::Done(_) | Outcome::Pending | Outcome::Running | Outcome::Run) => Ok(()),
            None => {
                let error = cx.take_error();
                Err(match error.problems() {
                    [] => error,
                    problems => self.bad(value, problems.to_vec()),
                })
            }
        }
    }

    /// A value that the property cannot have. The setter's parameter has a name of its own, which
    /// the caller never wrote.
    fn bad(&self, value: &Value, problems: Vec<ArgumentError>) -> CallError {
        let why: Vec<_> = problems.iter().map(ArgumentError::unnamed).collect();
        CallError::worded(self.refuses(value, &why.join("; ")), problems)
    }

    /// The parameter that the setter takes the value by.
    fn parameter(&self) -> Option<ValueDesc> {
        let (setter, _) = self.setter.as_ref()?;
        arguments(setter.params?, setter.shapes).next()
    }

    fn refuses(&self, value: &Value, why: &str) -> String {
        let (name, value) = (self.name(), shown(value));
        format!("property `{name}` refuses {value}: {why}")
    }

    fn needs_an_agent(&self, call: &str) -> CallError {
        let name = self.name();
        CallError::refused(format!("`{name}` needs an agent: call `{call}`"))
    }

    /// A getter's value, unless it wrote what a key cannot hold.
    fn settled(
        &self,
        value: Result<Value, CallError>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        let value = match cx.board().settle_writes() {
            Some(()) => value,
            None => Err(cx.take_error()),
        };
        value.map_err(|error| error.about(&format!("property `{}`", self.name())))
    }
}

impl<A: Agent> fmt::Debug for Property<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Property").field(&self.name()).finish()
    }
}

/// A value's JSON form.
///
/// # Errors
/// [`CallError::is_refused`] if it has none, such as a map whose keys are no strings.
#[doc(hidden)]
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, CallError> {
    encode(value).map_err(|why| CallError::refused(format!("value {why}")))
}
