//! The ends of walks: one that was started and never ended would be a clean-up that somebody forgot.

use serde::{Deserialize, Serialize};

use super::World;

/// The number of walks that were started, and how they ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walks {
    /// All that were started.
    pub started: u64,
    /// Those that came to their goal.
    pub arrived: u64,
    /// Those that were called off, by another walk, an attack, a clean-up or a death.
    pub stopped: u64,
    /// Those that no way led on.
    pub blocked: u64,
    /// Those after somebody who died or vanished.
    pub lost: u64,
}

impl Walks {
    /// The number that ended in whatever way.
    pub fn ended(&self) -> u64 {
        self.arrived + self.stopped + self.blocked + self.lost
    }
}

impl World {
    /// The number of walks so far. Those that are under way have not ended.
    pub fn walks(&self) -> Walks {
        self.walks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blueprint, Point};
    use std::time::Duration;

    #[test]
    fn every_walk_ends_once_or_is_under_way() {
        let mut world = World::new();
        let [a, b] =
            [5.0, 9.0].map(|x| world.spawn(Blueprint::monster("wolf", Point::new(x, 5.0))));
        world.walk_to(a, Point::new(5.2, 5.0)).unwrap();
        world.step(Duration::from_millis(100));
        world.walk_to(a, Point::new(50.0, 5.0)).unwrap();
        world.follow(b, a, 1.0).unwrap();
        world.walk_to(a, Point::new(40.0, 5.0)).unwrap();
        world.despawn(a);
        let walks = world.walks();
        let counts = (walks.started, walks.arrived, walks.stopped, walks.lost);
        assert_eq!(counts, (4, 1, 2, 1));
        assert_eq!(walks.ended(), 4);
        assert!(world.walk_to(b, Point::new(-1.0, 0.0)).is_err());
        assert_eq!(world.walks().started, 4, "that one never began");
    }
}
