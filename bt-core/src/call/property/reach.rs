//! A property seen from an agent that has it, its own or a base's.

use std::any::Any;

use serde_json::Value;

use crate::agent::{Agent, Path};
use crate::call::table::members::{Call, Get, Property};
use crate::call::typed_field::Way;
use crate::call::{Context, Outcome, Params, Static};
use crate::describe::value::arguments;
use crate::error::{ArgumentError, CallError, Flaw};

/// A property, whichever agent on the way registers it.
pub(in crate::call) trait Reach<A: Agent>: Send + Sync {
    /// Its value.
    fn get<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError>;

    /// Its value, if it needs no agent.
    fn get_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Result<Value, CallError>>;

    /// The reader of the property in calls of the agent so many bases away, if it is a field of that agent or
    /// of one of its bases.
    fn field(&self, depth: usize) -> Option<Box<dyn Any>>;

    /// Returns an error for a value that the setter's type does not take.
    fn takes(&self, value: &Value) -> Result<(), ArgumentError>;

    /// Sets it to the one value of `args`.
    fn set<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome>;

    /// Sets it to the one value of `args`, if that needs no agent.
    fn set_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Option<Outcome>>;
}

/// The property of the agent at the end of `P`.
pub(in crate::call) struct Reached<P: Path> {
    property: &'static Property<P::Leaf>,
    /// The setter's.
    params: Params,
}

impl<P: Path> Reached<P> {
    pub(in crate::call) fn new(property: &'static Property<P::Leaf>) -> Reached<P> {
        let desc = property.desc();
        let descs = desc.params.unwrap_or_default();
        Reached {
            property,
            params: Params::new(desc.item.name, descs, desc.shapes),
        }
    }
}

/// The way to the end of `P`.
fn way<P: Path>(root: &mut dyn Any) -> Option<&mut P::Leaf> {
    root.downcast_mut().map(P::agent)
}

/// Of an entry without a getter (a setter), or without a setter.
fn absent(what: &str) -> CallError {
    CallError::refused(format!("there is no {what}"))
}

impl<P: Path> Reach<P::Root> for Reached<P> {
    fn get<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        match &self.property.get {
            Some(Get::Own(get)) => get(P::agent(agent), P::world(world), cx),
            Some(Get::Static(get)) => get(Static::new(), P::world(world), cx),
            None => Err(absent("getter")),
        }
    }

    fn get_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Result<Value, CallError>> {
        match &self.property.get {
            Some(Get::Static(get)) => Some(get(Static::new(), P::world(world), cx)),
            Some(Get::Own(_)) | None => None,
        }
    }

    fn field(&self, depth: usize) -> Option<Box<dyn Any>> {
        let way: Option<Way<P::Leaf>> = match depth {
            depth if depth == P::DEPTH => None,
            0 => Some(way::<P>),
            _ => return None,
        };
        Some(self.property.field?.reader(way))
    }

    fn takes(&self, value: &Value) -> Result<(), ArgumentError> {
        let desc = self.property.desc();
        let Some(taken) = arguments(desc.params.unwrap_or_default(), desc.shapes).next() else {
            return Ok(());
        };
        (taken.shape.decodes)(value).map_err(|why| {
            ArgumentError::new(taken.param.name, Flaw::Decode(why)).with_found(value)
        })
    }

    fn set<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut P::Root,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Outcome> {
        let params = &self.params;
        match &self.property.set {
            Some(Call::Own(set)) => set.invoke(params, P::agent(agent), P::world(world), cx, args),
            Some(Call::Static(set)) => set.invoke(params, Static::new(), P::world(world), cx, args),
            None => cx.board().keep_error(absent("setter")),
        }
    }

    fn set_static<'a, 'w: 'a, 's: 'a>(
        &self,
        world: &'a mut <P::Root as Agent>::World<'w, 's>,
        cx: &mut Context<'_>,
        args: &Value,
    ) -> Option<Option<Outcome>> {
        match &self.property.set {
            Some(Call::Static(set)) => {
                Some(set.invoke(&self.params, Static::new(), P::world(world), cx, args))
            }
            Some(Call::Own(_)) | None => None,
        }
    }
}
