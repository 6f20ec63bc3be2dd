//! Methods, properties and fallbacks that are described, and no Rust code: the agent answers for them.

mod bound;
mod leaked;
mod method;
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
use super::{BoundCall, Context, Exit, Left, Outcome, Params};
use crate::describe::catalogue::AgentEntry;
use crate::error::{ArgumentError, CallError};
use bound::Bound;
use leaked::{method_desc, property_desc, site};
pub(crate) use method::{Method, Property, Responds, Response};
pub(crate) use signature::{Judge, Takes};

/// The methods and properties of an agent that is described.
pub(crate) struct Described {
    pub(crate) methods: Vec<Arc<Method>>,
    pub(crate) properties: Vec<Arc<Property>>,
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
