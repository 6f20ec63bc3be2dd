//! Keys and properties that a tree writes by itself.

use serde_json::Value;

use super::property::WithProperties;
use super::{ActionSet, Binding, BoundCall, Context, Origin, Outcome, Property, Source};
use crate::Agent;
use crate::blackboard::{KeyId, Keys};
use crate::error::CallError;
use crate::expression::Target;

impl<A: Agent> ActionSet<A> {
    /// Looks up what is written, `$key` or `@property`, and the source of each value.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(crate) fn bind_writes(
        &self,
        writes: &[Target],
        sources: &[Source],
        keys: &mut Binding<'_>,
    ) -> Result<Box<dyn BoundCall<A>>, CallError> {
        let (mut reads, mut unknown) = (Vec::new(), Vec::new());
        let origins = self.origins(sources, keys, &mut reads, &mut unknown);
        if !unknown.is_empty() {
            return Err(CallError::unknown(unknown.join("; ")));
        }
        let (mut properties, mut written) = (Vec::new(), Vec::new());
        for (target, origin) in writes.iter().zip(origins) {
            let value = match origin {
                Origin::Literal(value) => Ok(value.clone()),
                Origin::Key(slot, _) | Origin::Property(slot, _) | Origin::Expression(slot, _) => {
                    Err(slot)
                }
                Origin::Field(_) => continue,
            };
            match target {
                Target::Key(name) => written.push((keys.intern(name), name, value)),
                Target::Property(name) => {
                    properties.push((self.properties().find(name)?.clone(), value));
                }
            }
        }
        properties.sort_by_key(|(property, _)| property.name());
        written.sort_by_key(|(_, name, _)| *name);
        let keys = written.into_iter().map(|(id, _, value)| (id, value));
        Ok(Box::new(WithProperties {
            reads,
            call: Box::new(Write {
                properties,
                keys: keys.collect(),
            }),
            typed: None,
        }))
    }
}

/// A value, or the slot that has it.
type Given = Result<Value, KeyId>;

/// A call that writes, each list sorted by name.
struct Write<A: Agent> {
    properties: Vec<(Property<A>, Given)>,
    keys: Vec<(KeyId, Given)>,
}

impl<A: Agent> BoundCall<A> for Write<A> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        match self.write(agent, world, cx) {
            Ok(()) => Some(Outcome::Done(true)),
            Err(error) => cx.board().keep_error(error),
        }
    }
}

impl<A: Agent> Write<A> {
    /// Writes everything, once every value was found to fit. A setter may still refuse: what comes before it stays
    /// written.
    fn write<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<(), CallError> {
        let board = cx.board();
        let value = |given: &Given| match given {
            Ok(value) => value.clone(),
            Err(slot) => board.value(*slot).unwrap_or_default(),
        };
        let properties: Vec<_> = self
            .properties
            .iter()
            .map(|(_, given)| value(given))
            .collect();
        let keys: Vec<_> = self.keys.iter().map(|(_, given)| value(given)).collect();
        for ((property, _), value) in self.properties.iter().zip(&properties) {
            property.can_hold(value)?;
        }
        for ((id, _), value) in self.keys.iter().zip(&keys) {
            board
                .can_put(*id, value)
                .map_err(|why| CallError::refused(why.to_string()))?;
        }
        for ((property, _), value) in self.properties.iter().zip(properties) {
            property.set(agent, &mut *world, cx, &value)?;
        }
        for ((id, _), value) in self.keys.iter().zip(keys) {
            board.put(*id, Some(value));
        }
        Ok(())
    }
}
