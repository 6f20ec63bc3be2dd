//! Points and obstacles on the plane.
//!
//! Only arithmetic that every platform rounds alike is used (no sines, no `hypot`), so that a scene
//! plays the same everywhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place on the plane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Metres east of the map's south-west corner.
    pub x: f64,
    /// Metres north of the map's south-west corner.
    pub y: f64,
}

impl Point {
    /// The point at these coordinates, in metres.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// Metres from here to there, as the crow flies.
    pub fn distance(self, other: Point) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// The point so many metres from here on the way to `other`, not beyond it.
    pub fn towards(self, other: Point, metres: f64) -> Point {
        let distance = self.distance(other);
        if distance <= metres {
            return other;
        }
        let share = metres / distance;
        Point::new(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
        )
    }
}

/// An obstacle that nobody walks or sees through.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// A tree, a rock, a well.
    Circle {
        /// Its middle.
        center: Point,
        /// Metres from the middle to the edge.
        radius: f64,
    },
    /// A house, a wall.
    Rect {
        /// The south-west corner.
        min: Point,
        /// The north-east corner.
        max: Point,
    },
}

impl Obstacle {
    /// Returns true if the straight way between two points comes closer than `clearance` metres.
    ///
    /// A rectangle is taken with square corners at that distance too.
    pub fn cuts(&self, from: Point, to: Point, clearance: f64) -> bool {
        match *self {
            Obstacle::Circle { center, radius } => {
                nearest_on_segment(from, to, center).distance(center) < radius + clearance
            }
            Obstacle::Rect { min, max } => {
                let x = overlap(from.x, to.x, min.x - clearance, max.x + clearance);
                let y = overlap(from.y, to.y, min.y - clearance, max.y + clearance);
                match (x, y) {
                    (Some((x_in, x_out)), Some((y_in, y_out))) => x_in.max(y_in) < x_out.min(y_out),
                    _ => false,
                }
            }
        }
    }

    /// Returns true if a point is closer than `clearance` metres.
    pub fn covers(&self, point: Point, clearance: f64) -> bool {
        self.cuts(point, point, clearance)
    }
}

fn nearest_on_segment(from: Point, to: Point, point: Point) -> Point {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length_squared = dx * dx + dy * dy;
    if length_squared == 0.0 {
        return from;
    }
    let along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / length_squared;
    let along = along.clamp(0.0, 1.0);
    Point::new(from.x + dx * along, from.y + dy * along)
}

/// The part of the way from `from` to `to`, as shares of it, that lies between `low` and `high`.
fn overlap(from: f64, to: f64, low: f64, high: f64) -> Option<(f64, f64)> {
    let span = to - from;
    if span == 0.0 {
        return (low < from && from < high).then_some((0.0, 1.0));
    }
    let (a, b) = ((low - from) / span, (high - from) / span);
    let (enter, leave) = (a.min(b).max(0.0), a.max(b).min(1.0));
    (enter < leave).then_some((enter, leave))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUSE: Obstacle = Obstacle::Rect {
        min: Point::new(2.0, 2.0),
        max: Point::new(4.0, 6.0),
    };
    const ROCK: Obstacle = Obstacle::Circle {
        center: Point::new(3.0, 3.0),
        radius: 1.0,
    };

    #[test]
    fn a_step_does_not_go_beyond_its_goal() {
        let start = Point::new(0.0, 0.0);
        let goal = Point::new(3.0, 4.0);
        assert_eq!(start.towards(goal, 2.5), Point::new(1.5, 2.0));
        assert_eq!(start.towards(goal, 9.0), goal);
        assert_eq!(goal.towards(goal, 1.0), goal);
    }

    #[test]
    fn ways_through_an_obstacle_are_cut_and_ways_past_it_are_not() {
        for obstacle in [HOUSE, ROCK] {
            let cuts = |a, b, c, d| obstacle.cuts(Point::new(a, b), Point::new(c, d), 0.0);
            assert!(cuts(0.0, 3.0, 9.0, 3.0));
            assert!(cuts(0.0, 0.0, 9.0, 9.0));
            assert!(!cuts(0.0, 0.0, 9.0, 0.0));
            assert!(!cuts(0.0, 3.0, 1.0, 3.0), "it ends before");
        }
    }

    #[test]
    fn clearance_widens_an_obstacle() {
        let (from, to) = (Point::new(1.7, 0.0), Point::new(1.7, 9.0));
        for obstacle in [HOUSE, ROCK] {
            assert!(!obstacle.cuts(from, to, 0.0));
            assert!(obstacle.cuts(from, to, 0.4));
        }
        assert!(ROCK.covers(Point::new(3.0, 3.9), 0.0));
        assert!(!HOUSE.covers(Point::new(2.0, 3.0), 0.0), "its edge is free");
    }
}
