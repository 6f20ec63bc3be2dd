//! The positions of a tree's nodes, from left to right.
//!
//! As Reingold and Tilford have it: those below one node as near to each other as they can be, in their
//! order, their parent above their middle, and equal parts of a tree drawn alike. For each part of a
//! tree its contour is kept, how far it reaches on each level. To put two beside each other one goes down
//! the lower of the two only; so the whole takes time in proportion to the number of nodes.

/// The middle of each node, in pixels; the leftmost begins at 0.
///
/// `children` are places in the list, after their parent's; `widths` are even.
pub(super) fn middles(children: &[&[usize]], widths: &[i64], gap: i64) -> Vec<i64> {
    let mut contours: Vec<Contour> = Vec::new();
    contours.resize_with(children.len(), Contour::default);
    // How far each is to the right of its parent.
    let mut offsets = vec![0; children.len()];
    for node in (0..children.len()).rev() {
        let mut all = Contour::default();
        for (at, child) in children[node].iter().enumerate() {
            let contour = std::mem::take(&mut contours[*child]);
            let place = if at == 0 { 0 } else { all.room(&contour) + gap };
            offsets[*child] = place;
            all = all.beside(contour, place);
        }
        let (first, last) = (children[node].first(), children[node].last());
        if let (Some(first), Some(last)) = (first, last) {
            // Even, as all places are: the first one's is 0.
            let middle = (offsets[*last] + offsets[*first]) / 4 * 2;
            for child in children[node] {
                offsets[*child] -= middle;
            }
            all.shift -= middle;
        }
        let half = widths[node] / 2;
        all.levels.push((-half - all.shift, half - all.shift));
        contours[node] = all;
    }
    let mut middles = offsets;
    for (node, below) in children.iter().enumerate() {
        for child in *below {
            middles[*child] += middles[node];
        }
    }
    let left = middles
        .iter()
        .zip(widths)
        .map(|(middle, width)| middle - width / 2);
    let left = left.min().unwrap_or(0);
    middles.iter_mut().for_each(|middle| *middle -= left);
    middles
}

/// The reach of a part of a tree to the left and to the right on each level, the lowest level first.
#[derive(Debug, Default)]
struct Contour {
    levels: Vec<(i64, i64)>,
    /// The offset of all of it.
    shift: i64,
}

impl Contour {
    /// The levels that both have, from the top.
    fn both<'a>(&'a self, other: &'a Contour) -> impl Iterator<Item = ((i64, i64), (i64, i64))> {
        let moved = |contour: &'a Contour| {
            let shift = contour.shift;
            let levels = contour.levels.iter().rev();
            levels.map(move |(left, right)| (left + shift, right + shift))
        };
        moved(self).zip(moved(other))
    }

    /// The distance that another has to move to be to the right of this one.
    fn room(&self, other: &Contour) -> i64 {
        let needed = self.both(other).map(|((_, right), (left, _))| right - left);
        needed.max().unwrap_or(0)
    }

    /// This and, moved by so much, another one to the right of it.
    fn beside(mut self, mut other: Contour, place: i64) -> Contour {
        other.shift += place;
        let (low, high) = (self.levels.len(), other.levels.len());
        if low >= high {
            let by = other.shift - self.shift;
            let levels = self.levels.iter_mut().rev().zip(other.levels.iter().rev());
            levels.for_each(|(mine, others)| mine.1 = others.1 + by);
            return self;
        }
        let by = self.shift - other.shift;
        let levels = other.levels.iter_mut().rev().zip(self.levels.iter().rev());
        levels.for_each(|(others, mine)| others.0 = mine.0 + by);
        other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Trees in preorder: each node but the first has a parent before it, on the last path downwards.
    fn trees() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<i64>)> {
        let node = (any::<prop::sample::Index>(), 1_i64..80);
        prop::collection::vec(node, 1..80).prop_map(|nodes| {
            let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
            let mut path = vec![0];
            for (node, (parent, _)) in nodes.iter().enumerate().skip(1) {
                path.truncate(parent.index(path.len()) + 1);
                children[path[path.len() - 1]].push(node);
                path.push(node);
            }
            (children, nodes.iter().map(|(_, half)| half * 2).collect())
        })
    }

    fn depths(children: &[Vec<usize>]) -> Vec<usize> {
        let mut depths = vec![0; children.len()];
        for (node, below) in children.iter().enumerate() {
            below
                .iter()
                .for_each(|child| depths[*child] = depths[node] + 1);
        }
        depths
    }

    proptest! {
        #[test]
        fn nodes_of_a_level_keep_their_order_and_distance((children, widths) in trees()) {
            let slices: Vec<&[usize]> = children.iter().map(Vec::as_slice).collect();
            let middles = middles(&slices, &widths, 10);
            let depths = depths(&children);
            let mut right = std::collections::HashMap::new();
            for node in 0..children.len() {
                let half = widths[node] / 2;
                let left = middles[node] - half;
                prop_assert!(left >= 0);
                if let Some(right) = right.insert(depths[node], middles[node] + half) {
                    prop_assert!(left >= right + 10, "{node}");
                }
            }
            for (node, below) in children.iter().enumerate() {
                if let (Some(first), Some(last)) = (below.first(), below.last()) {
                    let middle = (middles[*first] + middles[*last]) / 2;
                    prop_assert!((middles[node] - middle).abs() <= 2, "{node}");
                }
            }
        }
    }

    #[test]
    fn a_long_path_and_many_children_take_no_time() {
        let path: Vec<Vec<usize>> = (1..=100_000)
            .map(|next| vec![next])
            .chain([Vec::new()])
            .collect();
        let many: Vec<Vec<usize>> = std::iter::once((1..=100_000).collect())
            .chain((0..100_000).map(|_| Vec::new()))
            .collect();
        for tree in [path, many] {
            let slices: Vec<&[usize]> = tree.iter().map(Vec::as_slice).collect();
            let begun = std::time::Instant::now();
            middles(&slices, &vec![10; tree.len()], 10);
            assert!(begun.elapsed().as_secs() < 60);
        }
    }
}
