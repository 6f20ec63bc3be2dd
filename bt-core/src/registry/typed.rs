//! By name on an agent whose type is known: actions called, properties read and written.

use std::any::TypeId;

use serde_json::Value;

use super::build::full_name;
use super::lookup::AgentInfo;
use super::{Registry, RegistryError};
use crate::Agent;
use crate::call::table::descriptor::Registration;
use crate::call::{
    ActionSet, Context, Members, Outcome, Property, PropertySet, PropertyWatch, Snapshot,
};
use crate::error::CallError;

impl Registry {
    /// Calls an agent's action, own or inherited, by name, with arguments as JSON: an array by
    /// position, or an object by name.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Lamp { on: bool }
    ///
    /// #[agent]
    /// impl Lamp {
    ///     #[action]
    ///     fn switch(&mut self, on: bool) { self.on = on; }
    /// }
    ///
    /// let mut lamp = Lamp { on: false };
    /// let mut session = Session::new(0);
    /// let registry = Registry::global()?;
    /// registry.invoke(&mut lamp, &mut (), &mut session.context(), "switch", &json!([true]))?;
    /// assert!(lamp.on);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] with every
    /// bad argument, [`CallError::is_key`] for an in-out argument whose key is unset.
    pub fn invoke<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        self.actions::<A>()?.invoke(agent, world, cx, action, args)
    }

    /// Calls an action without a receiver, own or inherited, for which there need be no agent.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Dice;
    ///
    /// #[agent]
    /// impl Dice {
    ///     #[action]
    ///     fn seven(sides: u32) -> bool { sides >= 7 }
    /// }
    ///
    /// let mut session = Session::new(0);
    /// let mut cx = session.context();
    /// let registry = Registry::global()?;
    /// let outcome = registry.invoke_static::<Dice>(&mut (), &mut cx, "seven", &json!([6]))?;
    /// assert_eq!(outcome, Outcome::Done(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`invoke`](Registry::invoke), and [`CallError::is_refused`] if the action has a
    /// receiver.
    pub fn invoke_static<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let action = self.actions::<A>()?.find(action)?;
        action.invoke_static(world, cx, args)
    }

    /// The answer of an agent's query or condition, own or inherited, with arguments as JSON: an array by
    /// position, or an object by name.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Lighthouse { at: f64 }
    ///
    /// #[agent]
    /// impl Lighthouse {
    ///     #[query]
    ///     fn distance_to(&self, place: f64) -> f64 { (self.at - place).abs() }
    /// }
    ///
    /// let mut lighthouse = Lighthouse { at: 3.0 };
    /// let mut session = Session::new(0);
    /// let cx = &mut session.context();
    /// let registry = Registry::global()?;
    /// let answer = registry.query(&mut lighthouse, &mut (), cx, "distance_to", &json!([5]))?;
    /// assert_eq!(answer, 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] with every bad
    /// argument, [`CallError::is_refused`] with the reason of an `Err`.
    pub fn query<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        query: &str,
        args: &Value,
    ) -> Result<Value, CallError> {
        self.actions::<A>()?.query(agent, world, cx, query, args)
    }

    /// The value of an agent's property, own or inherited, as JSON.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Kettle {
    ///     #[property(min = 0, max = 100)]
    ///     celsius: i32,
    /// }
    ///
    /// let mut kettle = Kettle { celsius: 20 };
    /// let mut session = Session::new(0);
    /// let cx = &mut session.context();
    /// let registry = Registry::global()?;
    /// registry.set(&mut kettle, &mut (), cx, "celsius", &json!(90))?;
    /// assert_eq!(registry.get(&mut kettle, &mut (), cx, "celsius")?, 90);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_refused`] if the value has
    /// no JSON form, such as a number that is not finite.
    pub fn get<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        property: &str,
    ) -> Result<Value, CallError> {
        self.property(property)?.get(agent, world, cx)
    }

    /// Sets an agent's property, own or inherited.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] if `value` is
    /// of another type or out of bounds, [`CallError::is_refused`] if the property can only be read
    /// or its setter refuses the value.
    pub fn set<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError> {
        self.property(property)?.set(agent, world, cx, value)
    }

    /// The value of a property that needs no agent: an associated constant, or a getter without a
    /// receiver.
    ///
    /// # Errors
    /// As of [`get`](Registry::get), and [`CallError::is_refused`] if it needs one.
    pub fn get_static<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        property: &str,
    ) -> Result<Value, CallError> {
        self.property::<A>(property)?.get_static(world, cx)
    }

    /// Sets a property whose setter has no receiver.
    ///
    /// # Errors
    /// As of [`set`](Registry::set), and [`CallError::is_refused`] if the setter has a receiver.
    pub fn set_static<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError> {
        self.property::<A>(property)?.set_static(world, cx, value)
    }

    /// Every property of an agent, own and inherited, sorted by name; one that cannot be shown is
    /// there with the reason.
    ///
    /// # Errors
    /// [`CallError`] if the registrations contradict each other.
    pub fn snapshot<'a, 'w: 'a, 's: 'a, A: Agent>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Snapshot, CallError> {
        Ok(self.properties()?.snapshot(agent, world, cx))
    }

    /// Watches every property of agents of type `A`.
    ///
    /// # Errors
    /// [`CallError`] if the registrations contradict each other.
    pub fn watch_all<A: Agent>(&self) -> Result<PropertyWatch<A>, CallError> {
        Ok(self.properties()?.watch_all())
    }

    /// Watches some properties of agents of type `A`, by their names or aliases.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] of the first name that is not there.
    pub fn watch<'n, A: Agent>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<PropertyWatch<A>, CallError> {
        self.properties()?.watch(names)
    }

    /// The registration of agents of type `A`; none if the type is not registered.
    pub fn agent_of<A: Agent>(&self) -> Option<AgentInfo<'_>> {
        let is_described = |(id, _): &&(TypeId, String)| *id == TypeId::of::<A>();
        let name = match self.described.as_ref().filter(is_described) {
            Some((_, name)) => name.clone(),
            None => inventory::iter::<Registration>
                .into_iter()
                .find_map(|registration| match registration {
                    Registration::Agent(agent) if (agent.id)() == TypeId::of::<A>() => {
                        Some(full_name(agent))
                    }
                    Registration::Agent(_) | Registration::Generic(_) | Registration::Block(_) => {
                        None
                    }
                })?,
        };
        let entry = self.by_full_name(&name)?;
        Some(AgentInfo {
            registry: self,
            entry,
        })
    }

    /// The actions of an agent type: collected once.
    ///
    /// # Errors
    /// [`CallError`] if the registrations contradict each other.
    pub fn actions<A: Agent>(&self) -> Result<&ActionSet<A>, CallError> {
        match self.sets.get() {
            Some(set) => Ok(set),
            None => self.collected(),
        }
    }

    fn property<A: Agent>(&self, name: &str) -> Result<&Property<A>, CallError> {
        self.properties()?.find(name)
    }

    fn properties<A: Agent>(&self) -> Result<&PropertySet<A>, CallError> {
        Ok(self.actions()?.properties())
    }

    #[cold]
    fn collected<A: Agent>(&self) -> Result<&ActionSet<A>, CallError> {
        match ActionSet::collect() {
            Ok(set) => Ok(self.sets.keep(set)),
            Err(why) => Err(CallError::unknown(why.to_string())),
        }
    }
}

impl<A: Agent> ActionSet<A> {
    /// Collects the methods of `A` and of its bases from every linked crate.
    ///
    /// # Errors
    /// [`RegistryError`] if the registrations contradict each other.
    pub fn collect() -> Result<ActionSet<A>, &'static RegistryError> {
        Registry::global().map(|_| ActionSet::of(Members::gathered()))
    }
}

impl<A: Agent> PropertySet<A> {
    /// Collects the properties of `A` and of its bases from every linked crate.
    ///
    /// # Errors
    /// [`RegistryError`] if the registrations contradict each other.
    pub fn collect() -> Result<PropertySet<A>, &'static RegistryError> {
        Registry::global().map(|_| PropertySet::of(&Members::gathered()))
    }
}
