//! An agent's properties, own and inherited, typed: by name, to read or to write.

use std::collections::HashMap;
use std::fmt;

use super::{Property, PropertyWatch, Snapshot};
use crate::Agent;
use crate::call::Context;
use crate::call::gather::{Members, PropertyPart};
use crate::call::names::{Kind, Names};
use crate::error::CallError;

/// Every property that an agent has, own and inherited, by name.
///
/// ```
/// use bt_core::PropertySet;
/// use bt_core::prelude::*;
/// use serde_json::json;
///
/// #[derive(Agent)]
/// struct Hound {
///     #[property(max = 9.0)]
///     speed: f64,
/// }
///
/// let properties = PropertySet::<Hound>::collect()?;
/// let mut hound = Hound { speed: 1.5 };
/// let mut session = Session::new(0);
/// let cx = &mut session.context();
/// let speed = properties.find("speed")?;
/// speed.set(&mut hound, &mut (), cx, &json!(4.0))?;
/// assert_eq!(speed.get(&mut hound, &mut (), cx)?, 4.0);
/// let error = speed.set(&mut hound, &mut (), cx, &json!(11.5)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "property `speed` refuses 11.5: expected 9.0 at most"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PropertySet<A: Agent> {
    /// Sorted by name.
    properties: Vec<Property<A>>,
    index: HashMap<&'static str, usize>,
    pub(in crate::call) names: Names,
}

impl<A: Agent> PropertySet<A> {
    pub(crate) fn of(members: &Members<A>) -> PropertySet<A> {
        let mut properties: Vec<Property<A>> = Vec::new();
        for part in &members.properties {
            let name = part.desc.item.name;
            // The nearest agent's wins.
            if part.desc.value.is_none() || properties.iter().any(|other| other.name() == name) {
                continue;
            }
            // A setter is the same agent's: one that overrides a getter alone can only be read.
            let sets = |other: &&PropertyPart<A>| {
                let desc = &other.desc;
                other.depth == part.depth && desc.item.name == name && desc.params.is_some()
            };
            let setter = members.properties.iter().find(sets);
            properties.push(Property {
                desc: part.desc,
                getter: part.reach.clone(),
                setter: setter.map(|setter| (setter.desc, setter.reach.clone())),
            });
        }
        // A name before an alias, and the nearer agent's alias before a base's.
        let mut index = HashMap::new();
        let nearest: Vec<_> = properties.iter().map(Property::name).collect();
        properties.sort_by_key(Property::name);
        for (at, property) in properties.iter().enumerate() {
            index.insert(property.name(), at);
        }
        for name in nearest {
            let Some(&at) = index.get(name) else { continue };
            for alias in properties[at].desc.item.aliases() {
                index.entry(alias).or_insert(at);
            }
        }
        PropertySet {
            properties,
            index,
            names: members.names.clone(),
        }
    }

    /// The names of the properties, aliases included, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.index.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The properties, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Property<A>> {
        self.properties.iter()
    }

    /// The property of that name or alias.
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, or with what the name stands for.
    pub fn find(&self, name: &str) -> Result<&Property<A>, CallError> {
        match self.index.get(name) {
            Some(at) => Ok(&self.properties[*at]),
            None => Err(self.names.unknown(Kind::Property, name)),
        }
    }

    /// Every property's value, sorted by name; one that cannot be shown is there with the reason.
    pub fn snapshot<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Snapshot {
        let mut values = Vec::with_capacity(self.properties.len());
        for property in &self.properties {
            values.push((property.name(), property.get(agent, world, cx)));
        }
        Snapshot::new(values)
    }

    /// Watches every property.
    pub fn watch_all(&self) -> PropertyWatch<A> {
        PropertyWatch::new(self.properties.iter().cloned())
    }

    /// Watches the properties of these names or aliases.
    ///
    /// # Errors
    /// As of [`find`](PropertySet::find), of the first name that is not there.
    pub fn watch<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<PropertyWatch<A>, CallError> {
        let found = names.into_iter().map(|name| self.find(name).cloned());
        let found: Vec<_> = found.collect::<Result<_, _>>()?;
        Ok(PropertyWatch::new(found))
    }
}

impl<A: Agent> fmt::Debug for PropertySet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
