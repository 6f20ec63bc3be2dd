//! Path-finding: the straight way if it is free, else A* over a grid, its corners cut.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::geometry::{Obstacle, Point};

/// The distance that the middle of a walking body keeps from an obstacle, in metres.
pub const BODY: f64 = 0.4;

/// The ground that is walked on: a rectangle from the origin, with obstacles.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ground {
    /// The north-east corner, in metres.
    pub size: Point,
    /// The obstacles on it.
    pub obstacles: Vec<Obstacle>,
}

impl Ground {
    /// Returns true if nothing comes closer than `clearance` to the straight way.
    pub fn is_clear(&self, from: Point, to: Point, clearance: f64) -> bool {
        let mut obstacles = self.obstacles.iter();
        !obstacles.any(|obstacle| obstacle.cuts(from, to, clearance))
    }

    /// Returns true if a body can stand there.
    pub fn is_free(&self, point: Point) -> bool {
        self.is_inside(point) && self.is_clear(point, point, BODY)
    }

    fn is_inside(&self, point: Point) -> bool {
        (0.0..=self.size.x).contains(&point.x) && (0.0..=self.size.y).contains(&point.y)
    }

    /// The corners of a short way, without the start and with the goal; `None` if there is none.
    pub fn path(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        if !self.is_inside(to) || !self.is_clear(to, to, 0.0) {
            return None;
        }
        // Who stands too close to a wall, by a rounding error or because it was built there, may
        // still walk away from it, and others may walk up to them.
        let room = |at| {
            if self.is_clear(at, at, BODY) {
                BODY
            } else {
                0.0
            }
        };
        let ends = [(from, room(from)), (to, room(to))];
        if self.is_clear(from, to, room(from).min(room(to))) {
            return Some(vec![to]);
        }
        let mut path = Grid::of(self).search(ends)?;
        path.push(to);
        Some(self.cut_corners(from, &path))
    }

    fn cut_corners(&self, from: Point, path: &[Point]) -> Vec<Point> {
        let mut corners = Vec::new();
        let mut here = from;
        let mut next = 0;
        while next < path.len() {
            let seen = |at: &usize| self.is_clear(here, path[*at], BODY);
            let farthest = (next..path.len()).rev().find(seen).unwrap_or(next);
            here = path[farthest];
            corners.push(here);
            next = farthest + 1;
        }
        corners
    }
}

/// The ground in squares of one metre. A cell's index is `row * columns + column`.
struct Grid<'a> {
    ground: &'a Ground,
    columns: usize,
    rows: usize,
}

const UNREACHED: u32 = u32::MAX;

impl<'a> Grid<'a> {
    fn of(ground: &'a Ground) -> Grid<'a> {
        Grid {
            ground,
            columns: ground.size.x.ceil().max(1.0) as usize,
            rows: ground.size.y.ceil().max(1.0) as usize,
        }
    }

    fn middle(&self, cell: usize) -> Point {
        let (row, column) = (cell / self.columns, cell % self.columns);
        Point::new(column as f64 + 0.5, row as f64 + 0.5)
    }

    fn cell_at(&self, point: Point) -> usize {
        let column = (point.x.max(0.0) as usize).min(self.columns - 1);
        let row = (point.y.max(0.0) as usize).min(self.rows - 1);
        row * self.columns + column
    }

    /// The cell and those around it.
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let rows = row.saturating_sub(1)..=(row + 1).min(self.rows - 1);
        let columns = column.saturating_sub(1)..=(column + 1).min(self.columns - 1);
        let width = self.columns;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Millimetres between two points: whole numbers compare the same everywhere.
    fn cost(from: Point, to: Point) -> u32 {
        (from.distance(to) * 1000.0) as u32
    }

    /// The middles of the cells of a shortest way, from one near the start to one near the goal,
    /// each given with the clearance that it has.
    fn search(&self, [(from, from_room), (to, to_room)]: [(Point, f64); 2]) -> Option<Vec<Point>> {
        let cells = self.columns * self.rows;
        let mut costs = vec![UNREACHED; cells];
        let mut came_from = vec![usize::MAX; cells];
        // Of equal estimates the lower index comes first, so that ties are no matter of luck.
        let mut open = BinaryHeap::new();
        for cell in self.around(self.cell_at(from)) {
            let middle = self.middle(cell);
            if self.ground.is_free(middle) && self.ground.is_clear(from, middle, from_room) {
                costs[cell] = Self::cost(from, middle);
                let estimate = costs[cell].saturating_add(Self::cost(middle, to));
                open.push(Reverse((estimate, cell)));
            }
        }
        let goals: Vec<usize> = self
            .around(self.cell_at(to))
            .filter(|cell| self.ground.is_clear(self.middle(*cell), to, to_room))
            .collect();
        while let Some(Reverse((estimate, cell))) = open.pop() {
            let here = self.middle(cell);
            if goals.contains(&cell) {
                let back = |cell: &usize| Some(came_from[*cell]).filter(|prev| *prev != usize::MAX);
                let way = std::iter::successors(Some(cell), back);
                let mut path: Vec<Point> = way.map(|cell| self.middle(cell)).collect();
                path.reverse();
                return Some(path);
            }
            if estimate > costs[cell].saturating_add(Self::cost(here, to)) {
                continue;
            }
            for next in self.around(cell) {
                let there = self.middle(next);
                let cost = costs[cell].saturating_add(Self::cost(here, there));
                if cost < costs[next] && self.ground.is_clear(here, there, BODY) {
                    costs[next] = cost;
                    came_from[next] = cell;
                    open.push(Reverse((cost.saturating_add(Self::cost(there, to)), next)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(obstacles: &[Obstacle]) -> Ground {
        Ground {
            size: Point::new(20.0, 20.0),
            obstacles: obstacles.to_vec(),
        }
    }

    fn wall(min: (f64, f64), max: (f64, f64)) -> Obstacle {
        Obstacle::Rect {
            min: Point::new(min.0, min.1),
            max: Point::new(max.0, max.1),
        }
    }

    #[test]
    fn free_ground_is_crossed_straight() {
        let goal = Point::new(18.0, 7.0);
        let path = ground(&[]).path(Point::new(1.0, 1.0), goal);
        assert_eq!(path, Some(vec![goal]));
    }

    #[test]
    fn a_path_leads_around_and_every_leg_of_it_is_clear() {
        let rock = Obstacle::Circle {
            center: Point::new(12.0, 13.0),
            radius: 2.0,
        };
        let ground = ground(&[wall((8.0, 0.0), (9.0, 15.0)), rock]);
        let start = Point::new(2.0, 2.0);
        let path = ground.path(start, Point::new(18.0, 2.0)).unwrap();
        assert!(
            path.len() > 1 && path.len() < 8,
            "corners are cut: {path:?}"
        );
        let mut from = start;
        for corner in path {
            assert!(ground.is_clear(from, corner, BODY), "{from:?} {corner:?}");
            from = corner;
        }
    }

    #[test]
    fn walled_in_or_out_of_the_map_there_is_no_path() {
        let ground = ground(&[wall((8.0, 0.0), (9.0, 20.0))]);
        let start = Point::new(2.0, 2.0);
        assert_eq!(ground.path(start, Point::new(18.0, 2.0)), None);
        assert_eq!(ground.path(start, Point::new(8.5, 2.0)), None);
        assert_eq!(ground.path(start, Point::new(-1.0, 2.0)), None);
    }

    #[test]
    fn path_may_begin_and_end_too_close_to_a_wall() {
        let ground = ground(&[wall((8.0, 0.0), (9.0, 15.0))]);
        let goal = Point::new(9.1, 5.0);
        assert_eq!(
            ground.path(Point::new(2.0, 5.0), goal).unwrap().last(),
            Some(&goal)
        );
        assert!(
            ground
                .path(Point::new(7.9, 5.0), Point::new(2.0, 5.0))
                .is_some()
        );
        assert!(
            ground
                .path(Point::new(7.9, 5.0), Point::new(18.0, 5.0))
                .is_some()
        );
    }
}
