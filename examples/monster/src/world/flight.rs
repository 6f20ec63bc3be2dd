//! Flight: which way to run from a threat.

use super::{Point, World, WorldError};

impl World {
    /// Sends an entity `metres` away from another, in the direction that gets it farthest. It is
    /// told `arrived`, or `path_blocked`.
    ///
    /// # Errors
    /// [`WorldError`] if it is dead or cannot move, the other is not there, or it is cornered.
    pub fn run_from(&mut self, id: u64, threat: u64, metres: f64) -> Result<(), WorldError> {
        const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;
        const DIRECTIONS: [(f64, f64); 8] = [
            (1.0, 0.0),
            (DIAGONAL, DIAGONAL),
            (0.0, 1.0),
            (-DIAGONAL, DIAGONAL),
            (-1.0, 0.0),
            (-DIAGONAL, -DIAGONAL),
            (0.0, -1.0),
            (DIAGONAL, -DIAGONAL),
        ];
        let here = self.living(id)?.position;
        let threat = self.entity(threat)?.position;
        let refuges = DIRECTIONS.map(|(x, y)| Point::new(here.x + x * metres, here.y + y * metres));
        let mut refuges: Vec<Point> = refuges
            .into_iter()
            .filter(|refuge| refuge.distance(threat) > here.distance(threat))
            .collect();
        refuges.sort_by(|a, b| b.distance(threat).total_cmp(&a.distance(threat)));
        for refuge in refuges {
            match self.walk_to(id, refuge) {
                Err(WorldError::NoPath) => {}
                done => return done,
            }
        }
        Err(WorldError::NoPath)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Blueprint;
    use std::time::Duration;

    #[test]
    fn fleeing_leads_away_from_a_threat_even_out_of_a_corner() {
        let mut world = World::new();
        let prey = world.spawn(Blueprint::monster("hare", Point::new(2.0, 2.0)));
        let hunter = world.spawn(Blueprint::monster("wolf", Point::new(6.0, 6.0)));
        world.run_from(prey, hunter, 10.0).unwrap();
        let before = world.distance(prey, hunter).unwrap();
        while world.entity(prey).unwrap().is_moving() {
            world.step(Duration::from_millis(100));
        }
        assert!(world.distance(prey, hunter).unwrap() > before);
    }

    #[test]
    fn fleeing_from_a_corner_finds_no_path() {
        let mut world = World::with_size(10.0, 10.0);
        let prey = world.spawn(Blueprint::monster("hare", Point::new(5.0, 5.0)));
        let hunter = world.spawn(Blueprint::monster("wolf", Point::new(6.0, 6.0)));
        assert_eq!(world.run_from(prey, hunter, 8.0), Err(WorldError::NoPath));
    }
}
