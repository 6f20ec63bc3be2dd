//! Methods, properties and fallbacks that are described, and no Rust code: the agent answers for them.

mod bound;
mod leaked;
mod signature;

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::action::Action;
use super::fallback::FallbackHandler;
use super::gather::{Members, PropertyPart};
use super::names::Kind;
use super::property;
use super::reach::Reach;
use super::resolve::{ArgumentSource, Origin};
use super::{BoundCall, Context, Exit, Left, Outcome, Params, Returned};
use crate::Worldless;
use crate::describe::catalogue::{AgentEntry, MethodEntry, PropertyEntry};
use crate::error::{ArgumentError, CallError};
use bound::Bound;
use leaked::{method_desc, property_desc, site};
use signature::Signature;
pub(crate) use signature::{Judge, Takes};

/// An agent that answers for methods and properties which are described.
pub(crate) trait Responds: Worldless {
    /// Calls a method, with a value for each of its arguments.
    fn respond(
        &mut self,
        method: &Method,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError>;

    /// Calls what cleans up after it, with the arguments that this takes.
    fn leave(&mut self, method: &Method, exit: Exit, args: &[Value], cx: &mut Context<'_>) -> Left;

    /// Resumes it, with what it kept.
    fn resume(
        &mut self,
        method: &Method,
        kept: &Value,
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError>;

    /// Answers for a name that nothing describes.
    fn fall_back(&mut self, name: &str, args: &[Value], cx: &mut Context<'_>) -> Outcome;

    /// The value of a property.
    fn read(&mut self, property: &Property, cx: &mut Context<'_>) -> Result<Value, CallError>;

    /// Sets a property to a value of its type.
    fn write(&mut self, property: &Property, value: &Value) -> Result<(), CallError>;
}

/// The answer to a call.
pub(crate) struct Response {
    pub(crate) returned: Returned,
    /// The values that are written back, by the number of the argument.
    pub(crate) writes: Vec<(usize, Value)>,
}

/// A method that is described.
pub(crate) struct Method {
    /// The number of the description that has it.
    pub(crate) of: u64,
    /// Its number there.
    pub(crate) at: usize,
    pub(crate) entry: MethodEntry,
    signature: Signature,
    /// That of what cleans up after it, if this takes arguments.
    exit: Option<Signature>,
    /// Of a query.
    answer: Option<Takes>,
}

/// The methods and properties of an agent that is described.
pub(crate) struct Described {
    pub(crate) methods: Vec<Arc<Method>>,
    pub(crate) properties: Vec<Arc<Property>>,
}

/// A property that is described.
pub(crate) struct Property {
    pub(crate) of: u64,
    pub(crate) at: usize,
    pub(crate) entry: PropertyEntry,
    takes: Takes,
}

impl Property {
    /// Returns an error for a value that is not of its type, or out of its bounds.
    pub(crate) fn check(&self, value: &Value) -> Result<(), ArgumentError> {
        let name = &self.entry.item.name;
        self.takes
            .check(value)
            .map_err(|flaw| ArgumentError::new(name, flaw).with_found(value))
    }
}

impl Method {
    fn new(of: u64, at: usize, entry: &MethodEntry, judge: &dyn Fn(&Value) -> Judge) -> Method {
        let args = entry.args.iter();
        let exit: Vec<_> = args
            .clone()
            .filter(|arg| entry.exit_args.contains(&arg.name))
            .collect();
        let exit_name = entry.exit.as_deref().unwrap_or_default();
        Method {
            of,
            at,
            signature: Signature::new(&entry.item.name, args, judge),
            answer: entry.answer.as_ref().map(|ty| Takes::of(ty, judge)),
            exit: (!exit.is_empty()).then(|| Signature::new(exit_name, exit, judge)),
            entry: entry.clone(),
        }
    }

    /// Returns an error for a value that is not of the type of its answer.
    pub(crate) fn check_answer(&self, value: &Value) -> Result<(), ArgumentError> {
        let checked = self.answer.as_ref().map_or(Ok(()), |ty| ty.check(value));
        checked.map_err(|flaw| ArgumentError::new("answer", flaw).with_found(value))
    }

    /// Returns an error for a value that is not what an argument takes.
    pub(crate) fn check(&self, argument: usize, value: &Value) -> Result<(), ArgumentError> {
        let name = &self.entry.args[argument].name;
        self.signature
            .takes(argument)
            .check(value)
            .map_err(|flaw| ArgumentError::new(name, flaw).with_found(value))
    }
}

impl<A: Responds> Members<A> {
    /// Adds what an agent's entry has, so many bases away. `takes` says what values a type takes.
    pub(crate) fn describe(
        &mut self,
        of: u64,
        agent: &AgentEntry,
        depth: usize,
        judge: &dyn Fn(&Value) -> Judge,
    ) -> Described {
        let mut methods = Vec::new();
        for entry in &agent.methods {
            let method = Arc::new(Method::new(of, self.actions.len(), entry, judge));
            methods.push(method.clone());
            let desc = method_desc(entry);
            self.names.add(&desc.item, entry.kind.into());
            self.actions.push(Action::new(
                desc,
                Box::new(Reached(method)),
                site(&entry.item),
            ));
        }
        let mut properties = Vec::new();
        for entry in &agent.properties {
            let property = Arc::new(Property {
                of,
                at: self.properties.len(),
                takes: Takes::of(&entry.ty, judge),
                entry: entry.clone(),
            });
            let desc = property_desc(entry);
            self.names.add(&desc.item, Kind::Property);
            self.properties.push(PropertyPart {
                desc,
                depth,
                reach: Arc::new(Reached(property.clone())),
            });
            properties.push(property);
        }
        if agent.fallback.is_some() && self.fallback.is_none() {
            self.fallback = Some(Arc::new(Falls));
        }
        for event in &agent.events {
            self.names.add(&leaked::item(&event.item), Kind::Event);
        }
        Described {
            methods,
            properties,
        }
    }
}

/// A method or a property on its way to the agent that answers for it.
struct Reached<T>(Arc<T>);

impl<A: Responds> Reach<A> for Reached<Method> {
    fn params(&self) -> &Params {
        self.0.signature.params()
    }

    fn bind(&self, origins: &[Origin<'_>]) -> Result<Box<dyn BoundCall<A>>, CallError> {
        Ok(Box::new(Bound::new(self.0.clone(), origins)?))
    }

    // A field is read as a value of a type, and there is none.
    fn depth(&self) -> Option<usize> {
        None
    }

    fn invoke<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome> {
        let signature = &self.0.signature;
        let mut source = ArgumentSource::new(cx.reborrow(), signature.params(), args);
        let (values, keys) = signature.given(&mut source)?;
        bound::call(&self.0, agent, cx, &values, &keys)
    }

    fn invoke_static<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &'a mut A::World<'w, 's>,
        _: &mut Context<'_>,
        _: &Value,
    ) -> Option<Option<Outcome>> {
        None
    }

    fn exit<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        exit: Exit,
        args: &Value,
    ) -> Option<Left> {
        let method = &self.0;
        method.entry.exit.as_ref()?;
        let Some(signature) = &method.exit else {
            return Some(agent.leave(method, exit, &[], cx));
        };
        let args = method.signature.params().pick(signature.params(), args);
        let mut source = ArgumentSource::without_context(cx.board(), signature.params(), &args);
        let (values, _) = signature.given(&mut source)?;
        Some(agent.leave(method, exit, &values, cx))
    }

    fn resume<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Option<Option<Outcome>> {
        self.0.entry.resume.as_ref()?;
        let board = cx.board();
        Some(match agent.resume(&self.0, kept, cx) {
            Ok(response) => board.settled(response.returned),
            Err(error) => board.keep_error(error),
        })
    }
}

impl<A: Responds> property::Reach<A> for Reached<Property> {
    fn get<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        agent.read(&self.0, cx)
    }

    fn get_static<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &'a mut A::World<'w, 's>,
        _: &mut Context<'_>,
    ) -> Option<Result<Value, CallError>> {
        None
    }

    fn field(&self, _: usize) -> Option<Box<dyn Any>> {
        None
    }

    fn takes(&self, value: &Value) -> Result<(), ArgumentError> {
        self.0.check(value)
    }

    fn set<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome> {
        let value = args.get(0).unwrap_or(&Value::Null);
        let checked = self.0.check(value);
        let written = checked
            .map_err(|why| CallError::bad(vec![why]))
            .and_then(|()| agent.write(&self.0, value));
        match written {
            Ok(()) => Some(Outcome::Done(true)),
            Err(error) => cx.board().keep_error(error),
        }
    }

    fn set_static<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &'a mut A::World<'w, 's>,
        _: &mut Context<'_>,
        _: &Value,
    ) -> Option<Option<Outcome>> {
        None
    }
}

/// The fallback of an agent that is described.
struct Falls;

impl<A: Responds> FallbackHandler<A> for Falls {
    fn answer<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        name: &str,
        args: &[Value],
    ) -> Outcome {
        agent.fall_back(name, args, cx)
    }
}
