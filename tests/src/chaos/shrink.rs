//! From a case that fails to a smaller one that fails in the same way.

use super::Chaos;
use crate::cases::shrink;

/// The smallest case that was found that still fails so, and what happens in it.
pub fn explain(chaos: &Chaos, fault: &str) -> String {
    let class = class(fault);
    let fails = |chaos: &Chaos| {
        let found = chaos.run();
        found.is_err_and(|found| self::class(&found) == class)
    };
    let mut best = chaos.clone();
    if !fails(&best) {
        return format!("{best}{fault}\nIt does not fail again.");
    }
    loop {
        let before = size(&best);
        remove(
            &mut best,
            &fails,
            |chaos| chaos.ops.len(),
            |chaos, from, to| {
                drop(chaos.ops.drain(from..to));
            },
        );
        remove(
            &mut best,
            &fails,
            |chaos| chaos.quirks.len(),
            |chaos, from, to| {
                drop(chaos.quirks.drain(from..to));
            },
        );
        let case = shrink(&best.case, |case| {
            let mut next = best.clone();
            next.case = case.clone();
            fails(&next)
        });
        best.case = case;
        best.simplify(&fails);
        if size(&best) == before {
            break;
        }
    }
    let (fault, lines) = best.trace();
    format!("{best}{}\n{}", fault.unwrap_or_default(), lines.join(", "))
}

/// The sort of a fault: its words without names.
pub fn class(fault: &str) -> String {
    let parts = fault.split(['`', '"']).step_by(2);
    parts.collect::<Vec<_>>().join("_")
}

fn size(chaos: &Chaos) -> (usize, usize, usize, String) {
    let text = format!("{:?}", chaos.case.trees);
    (
        chaos.ops.len(),
        chaos.quirks.len(),
        chaos.case.nodes().len(),
        text,
    )
}

/// Removes as many items of a list as may be missing: halves first, then one at a time.
fn remove(
    best: &mut Chaos,
    fails: &impl Fn(&Chaos) -> bool,
    len: impl Fn(&Chaos) -> usize,
    take: impl Fn(&mut Chaos, usize, usize),
) {
    let mut step = len(best).max(1);
    while step > 0 {
        let mut to = len(best);
        while to > 0 {
            let from = to.saturating_sub(step);
            let mut next = best.clone();
            take(&mut next, from, to);
            if fails(&next) {
                *best = next;
            }
            to = from;
        }
        step /= 2;
    }
}

impl Chaos {
    /// Leaves out what replies and settings may be left out.
    fn simplify(&mut self, fails: &impl Fn(&Chaos) -> bool) {
        let mut next = self.clone();
        next.case.looping = false;
        next.case.keeps_results = false;
        next.case.budget = 300;
        if fails(&next) {
            *self = next;
        }
        for tree in 0..self.case.trees.len() {
            for number in 0.. {
                let mut next = self.clone();
                let mut nodes = vec![&mut next.case.trees[tree].root];
                let mut seen = 0;
                let found = loop {
                    let Some(node) = nodes.pop() else { break None };
                    if seen == number {
                        break Some(node);
                    }
                    seen += 1;
                    nodes.extend(&mut node.children);
                };
                let Some(node) = found else { break };
                use crate::cases::{Act, Kind};
                if let Kind::Now(script)
                | Kind::Polled(script)
                | Kind::Starts(script)
                | Kind::Slow(script) = &mut node.kind
                {
                    script.act = Act::Nothing;
                    script.replies.clear();
                    if fails(&next) {
                        *self = next;
                    }
                }
            }
        }
    }
}
