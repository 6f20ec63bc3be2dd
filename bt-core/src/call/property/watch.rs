//! All properties at once, and what changed in them since last asked.

use std::fmt;

use serde_json::Value;

use super::Property;
use crate::Agent;
use crate::call::Context;
use crate::error::CallError;

/// The values of an agent's properties at one time, sorted by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    values: Vec<(&'static str, Result<Value, CallError>)>,
}

impl Snapshot {
    pub(super) fn new(values: Vec<(&'static str, Result<Value, CallError>)>) -> Snapshot {
        Snapshot { values }
    }

    /// The value of the property of that registered name; the reason, if it could not be shown;
    /// none, if there is no such property.
    pub fn get(&self, name: &str) -> Option<Result<&Value, &CallError>> {
        let at = self
            .values
            .binary_search_by(|(other, _)| (*other).cmp(name));
        Some(self.values[at.ok()?].1.as_ref())
    }

    /// Every property with its value, or with the reason why it could not be shown.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Result<&Value, &CallError>)> {
        let values = self.values.iter();
        values.map(|(name, value)| (*name, value.as_ref()))
    }

    /// The values that could be shown.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.iter()
            .filter_map(|(name, value)| Some((name, value.ok()?)))
    }

    /// The errors of those that have no value.
    pub fn errors(&self) -> impl Iterator<Item = &CallError> {
        self.iter().filter_map(|(_, value)| value.err())
    }
}

/// A property whose value is another than when last asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The property's registered name.
    pub name: &'static str,
    /// The old value; none if there was none before, or it could not be shown then.
    pub old: Option<Value>,
    /// The new value, or the reason why it cannot be shown.
    pub new: Result<Value, CallError>,
}

/// Reports what changed in an agent's properties, whoever changed it: by looking, when it is asked.
///
/// ```
/// use bt_core::PropertySet;
/// use bt_core::prelude::*;
///
/// #[derive(Agent)]
/// struct Goose {
///     #[property]
///     eggs: u32,
/// }
///
/// let mut watch = PropertySet::<Goose>::collect()?.watch_all();
/// let mut goose = Goose { eggs: 0 };
/// let mut session = Session::new(0);
/// let cx = &mut session.context();
/// assert_eq!(watch.changes(&mut goose, &mut (), cx).len(), 1, "all of it is new");
/// goose.eggs += 1;
/// let changes = watch.changes(&mut goose, &mut (), cx);
/// assert_eq!((changes[0].name, &changes[0].old), ("eggs", &Some(0.into())));
/// assert_eq!(changes[0].new, Ok(1.into()));
/// assert!(watch.changes(&mut goose, &mut (), cx).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PropertyWatch<A: Agent> {
    watched: Vec<Watched<A>>,
}

struct Watched<A: Agent> {
    property: Property<A>,
    last: Option<Result<Value, CallError>>,
}

impl<A: Agent> PropertyWatch<A> {
    /// Watches these properties; one that is given twice is watched once.
    pub fn new(properties: impl IntoIterator<Item = Property<A>>) -> PropertyWatch<A> {
        let watch = |property| Watched {
            property,
            last: None,
        };
        let mut watched: Vec<_> = properties.into_iter().map(watch).collect();
        watched.sort_by_key(|watched| watched.property.name());
        watched.dedup_by_key(|watched| watched.property.name());
        PropertyWatch { watched }
    }

    /// The changes since the last call, sorted by name; the first time, everything.
    pub fn changes<'a, 'w: 'a, 's: 'a>(
        &mut self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for Watched { property, last } in &mut self.watched {
            let new = property.get(agent, world, cx);
            if last.as_ref() == Some(&new) {
                continue;
            }
            let old = last.replace(new.clone()).and_then(Result::ok);
            let name = property.name();
            changes.push(Change { name, old, new });
        }
        changes
    }
}

impl<A: Agent> fmt::Debug for PropertyWatch<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.watched.iter().map(|watched| watched.property.name());
        f.debug_set().entries(names).finish()
    }
}
