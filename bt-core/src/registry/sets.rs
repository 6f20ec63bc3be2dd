//! The typed sets of the agents of this program, each collected once and found without a lock.

use std::any::{Any, TypeId};
use std::hash::BuildHasher;
use std::sync::OnceLock;

use rustc_hash::FxBuildHasher;

use crate::Agent;
use crate::call::ActionSet;

/// A hash table of lists that only grow: what is in it stays where it is.
pub(super) struct Sets([Link; 64]);

type Link = OnceLock<Box<Entry>>;

struct Entry {
    set: Box<dyn Any + Send + Sync>,
    next: Link,
}

impl Default for Sets {
    fn default() -> Sets {
        Sets([const { OnceLock::new() }; 64])
    }
}

impl Sets {
    fn list<A: Agent>(&self) -> &Link {
        let hash = FxBuildHasher.hash_one(TypeId::of::<A>());
        &self.0[hash as usize % self.0.len()]
    }

    /// The set of agents of type `A`, if it has been collected.
    #[inline]
    pub(super) fn get<A: Agent>(&self) -> Option<&ActionSet<A>> {
        let mut link = self.list::<A>();
        loop {
            let entry = link.get()?;
            if let Some(set) = entry.set.downcast_ref() {
                return Some(set);
            }
            link = &entry.next;
        }
    }

    /// Keeps a set; where another thread has been first, its set stays.
    pub(super) fn keep<A: Agent>(&self, set: ActionSet<A>) -> &ActionSet<A> {
        let mut set: Option<Box<dyn Any + Send + Sync>> = Some(Box::new(set));
        let mut link = self.list::<A>();
        loop {
            let entry = link.get_or_init(|| {
                // There until it is kept, which ends the search.
                let set = set.take().unwrap_or_else(|| Box::new(()));
                let next = OnceLock::new();
                Box::new(Entry { set, next })
            });
            if let Some(set) = entry.set.downcast_ref() {
                return set;
            }
            link = &entry.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoBase;
    use crate::builtin::ActionAgent;

    #[test]
    fn each_agent_has_one_set_whoever_collects_it_first() {
        let sets = Sets::default();
        assert!(sets.get::<ActionAgent>().is_none());
        let collect = || ActionSet::<ActionAgent>::collect().unwrap();
        let places = std::thread::scope(|scope| {
            let keep = || std::ptr::from_ref(sets.keep(collect())) as usize;
            let threads = [(); 4].map(|()| scope.spawn(keep));
            threads.map(|thread| thread.join().unwrap())
        });
        let kept = std::ptr::from_ref(sets.get::<ActionAgent>().unwrap()) as usize;
        assert_eq!(places, [kept; 4]);
        assert!(sets.get::<NoBase>().is_none());
        sets.keep(ActionSet::<NoBase>::collect().unwrap());
        assert!(sets.get::<NoBase>().unwrap().names().is_empty());
        assert!(sets.get::<ActionAgent>().is_some());
    }
}
