//! One agent that is described at run time.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::handler::Handlers;
use super::{Answer, DynType};
use crate::agent::{Agent, WithoutWorld};
use crate::builtin::ActionAgent;
use crate::call::described::{Method, Property, Responds, Response};
use crate::call::{Context, Exit, Left, Outcome};
use crate::error::CallError;

/// One agent that is described at run time: the values of its properties, and what answers for its methods.
///
/// See the [module](super).
pub struct DynAgent {
    base: ActionAgent,
    ty: DynType,
    /// By the properties' numbers.
    values: Vec<Option<Value>>,
    state: Option<Box<dyn Any + Send>>,
}

impl DynAgent {
    /// An agent of that description; its properties have their first values.
    pub fn new(ty: &DynType) -> DynAgent {
        let properties = ty.about.properties.iter();
        DynAgent {
            base: ActionAgent,
            values: properties
                .map(|property| property.entry.ty.default.clone())
                .collect(),
            ty: ty.clone(),
            state: None,
        }
    }

    /// With a state of its own, which handlers find again by its type.
    pub fn with_state(mut self, state: impl Any + Send) -> DynAgent {
        self.state = Some(Box::new(state));
        self
    }

    /// The state that it was given, if that is of type `T`.
    pub fn state<T: Any>(&mut self) -> Option<&mut T> {
        self.state.as_mut()?.downcast_mut()
    }

    /// The description.
    pub fn ty(&self) -> &DynType {
        &self.ty
    }

    /// Gives it another description, whose trees it runs from now on. A property keeps its value where the new
    /// description has one of its name that can hold it.
    pub fn redescribe(&mut self, ty: &DynType) {
        let old = std::mem::replace(self, DynAgent::new(ty));
        self.state = old.state;
        for (property, value) in old.ty.about.properties.iter().zip(old.values) {
            if let Some(value) = value {
                // One that is gone, or of another type, is forgotten.
                let _ = self.set(&property.entry.item.name, value);
            }
        }
    }

    /// The value of a property, by its name or alias; none if it has none, or if there is no such property.
    pub fn get(&self, property: &str) -> Option<&Value> {
        let at = self.ty.about.property(property)?;
        self.values.get(at)?.as_ref()
    }

    /// Sets a property, by its name or alias. The host may set one that trees can only read.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] if the value is of another type
    /// or out of bounds.
    pub fn set(&mut self, property: &str, value: impl Into<Value>) -> Result<(), CallError> {
        let about = self.ty.about;
        let Some(at) = about.property(property) else {
            let found = about.actions().properties().find(property);
            return Err(match found {
                // One of `action_agent`, which has none.
                Ok(_) => CallError::refused(format!("`{property}` is not described")),
                Err(error) => error,
            });
        };
        let value = value.into();
        about.properties[at].check(&value).map_err(|why| {
            let what = format!("property `{property}`");
            CallError::bad(vec![why]).about(&what)
        })?;
        self.values[at] = Some(value);
        Ok(())
    }

    /// Takes the value of a property away: it is unset.
    pub fn unset(&mut self, property: &str) {
        if let Some(at) = self.ty.about.property(property) {
            self.values[at] = None;
        }
    }

    /// The properties that have a value.
    pub fn values(&self) -> Map<String, Value> {
        let names = self.ty.about.properties.iter();
        let names = names.map(|property| property.entry.item.name.clone());
        let all = names.zip(&self.values);
        all.filter_map(|(name, value)| Some((name, value.clone()?)))
            .collect()
    }

    fn handlers(&self, of: u64) -> Result<Arc<Handlers>, CallError> {
        let about = self.ty.about;
        if about.number == of {
            return Ok(self.ty.handlers.clone());
        }
        Err(CallError::refused(format!(
            "this agent has another description of `{}` than the trees that it runs: give it theirs with \
             `redescribe`",
            about.name()
        )))
    }

    fn check_description(&self, of: u64) -> Result<(), CallError> {
        self.handlers(of).map(drop)
    }
}

impl fmt::Debug for DynAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynAgent")
            .field("name", &self.ty.name())
            .field("values", &self.values())
            .finish_non_exhaustive()
    }
}

impl Agent for DynAgent {
    type World<'w, 's> = ();
    type Base = ActionAgent;
    type WorldKind = WithoutWorld;

    fn base(&mut self) -> &mut ActionAgent {
        &mut self.base
    }

    fn base_world<'a, 'w: 'a, 's: 'a>(world: &'a mut ()) -> &'a mut () {
        world
    }
}

impl Responds for DynAgent {
    fn respond(
        &mut self,
        method: &Method,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError> {
        let handlers = self.handlers(method.of)?;
        let answer = match (&handlers.calls[method.at], &handlers.all) {
            (Some(call), _) => call(self, args, cx),
            (None, Some(all)) => all.call(self, &method.entry.item.name, args, cx),
            (None, None) => {
                return Err(CallError::refused(
                    "nothing answers for it: write `.on(…)` or `.handler(…)`".to_owned(),
                ));
            }
        };
        answer.response(method, cx)
    }

    fn leave(&mut self, method: &Method, exit: Exit, args: &[Value], cx: &mut Context<'_>) -> Left {
        let Ok(handlers) = self.handlers(method.of) else {
            return Left::Now;
        };
        match (&handlers.exits[method.at], &handlers.all) {
            (Some(call), _) => call(self, exit, args, cx),
            (None, Some(all)) => all.exit(self, &method.entry.item.name, exit, args, cx),
            (None, None) => Left::Now,
        }
    }

    fn resume(
        &mut self,
        method: &Method,
        kept: &Value,
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError> {
        let handlers = self.handlers(method.of)?;
        let name = &method.entry.item.name;
        match &handlers.all {
            Some(all) => all.resume(self, name, kept, cx).response(method, cx),
            None => Err(CallError::refused("nothing resumes it".to_owned())),
        }
    }

    fn fall_back(&mut self, name: &str, args: &[Value], cx: &mut Context<'_>) -> Outcome {
        let all = self.ty.handlers.all.clone();
        let answer = match all {
            Some(all) => all.call(self, name, args, cx),
            None => Answer::refused("nothing answers for it: write `.handler(…)`"),
        };
        answer.outcome(cx)
    }

    fn read(&mut self, property: &Property, cx: &mut Context<'_>) -> Result<Value, CallError> {
        let handlers = self.handlers(property.of)?;
        if let Some(value) = &self.values[self.ty.about.place(property)] {
            return Ok(value.clone());
        }
        let name = &property.entry.item.name;
        let asked = handlers.all.as_ref();
        let value = asked.and_then(|all| all.property(self, name, cx));
        let value = value.ok_or_else(|| {
            CallError::refused("it has no value yet: set it before trees read it".to_owned())
        })?;
        self.write(property, &value)?;
        Ok(value)
    }

    fn write(&mut self, property: &Property, value: &Value) -> Result<(), CallError> {
        self.check_description(property.of)?;
        property
            .check(value)
            .map_err(|why| CallError::bad(vec![why]))?;
        let at = self.ty.about.place(property);
        self.values[at] = Some(value.clone());
        Ok(())
    }
}
