//! Mistakes that the comparison with the reference is to notice: `--bin mutate` makes them, one at a
//! time, in a copy of bt-core.

/// A deliberate mistake.
#[derive(Debug)]
pub struct Mutation {
    /// What goes wrong.
    pub name: &'static str,
    /// The file, below `bt-core/src`.
    pub file: &'static str,
    /// What stands there, once.
    pub old: &'static str,
    /// What is to stand there.
    pub new: &'static str,
}

const fn mutation(
    name: &'static str,
    file: &'static str,
    old: &'static str,
    new: &'static str,
) -> Mutation {
    Mutation {
        name,
        file,
        old,
        new,
    }
}

/// All of them.
pub const MUTATIONS: &[Mutation] = &[
    mutation(
        "a parallel needs one success more",
        "kinds/parallel.rs",
        "results.succeeded >= self.success",
        "results.succeeded > self.success",
    ),
    mutation(
        "a parallel needs one failure more",
        "kinds/parallel.rs",
        "results.failed >= self.failure",
        "results.failed > self.failure",
    ),
    mutation(
        "an aborted polled action is not left",
        "run/abort.rs",
        "Wait::Pending | Wait::Polled) => self.abort_action",
        "Wait::Pending) => self.abort_action",
    ),
    mutation(
        "siblings are aborted in index order",
        "run/abort.rs",
        "        while to > from {\n            let position = to - 1;\n",
        "        let mut kept = from;\n        while to > kept {\n            let position = kept;\n            \
         if inclusive || self.core.entries[position].at != top {\n                \
         let entry = self.core.take_entry(position);\n                \
         let (at, entered) = (entry.at, entry.wait.is_entered());\n                \
         to -= 1;\n                \
         if self.abort_entry(entry) {\n                    \
         self.climb(by, at, top, inclusive, entered);\n                }\n                \
         continue;\n            }\n            \
         kept += 1;\n            \
         if kept > from {\n                continue;\n            }\n",
    ),
    mutation(
        "a wait below a timeout wins the tie",
        "run/state/timers.rs",
        "other.time <= timer.time",
        "other.time < timer.time",
    ),
    mutation(
        "an aborted memory_sequence keeps its place",
        "kinds/memory.rs",
        "(Keeps::Decided, _) => cx.forget(node),",
        "(Keeps::Decided, _) => {}",
    ),
    mutation(
        "a memory_sequence that has ended keeps its place",
        "kinds/memory.rs",
        "            false => cx.forget(node),",
        "            false => {}",
    ),
    mutation(
        "an aborted cooldown cools",
        "kinds/cooldown.rs",
        "    fn child_done(",
        "    fn aborted(&self, cx: &mut C, node: u32, _: Option<u32>) {\n        \
         let until = cx.awake().saturating_add(self.nanos);\n        \
         cx.retain::<Self>(node, Until(until.into()));\n    }\n\n    fn child_done(",
    ),
    mutation(
        "a random order changes on the way",
        "kinds/random.rs",
        "            drawn.done += 1;\n",
        "            drawn.done += 1;\n            drawn.order[drawn.done as usize..].reverse();\n",
    ),
    mutation(
        "a polled child does not run once more at a deadline",
        "kinds/timeout.rs",
        "if !cx.run_polled(node) {",
        "if false {",
    ),
    mutation(
        "an if_else asks its condition again when a branch has failed",
        "kinds/if_else.rs",
        "if child != cx.child(node) {",
        "if child != cx.child(node) && !success {\n            return Step::Enter(cx.child(node));\n        }\n        \
         if child != cx.child(node) {",
    ),
    mutation(
        "repeat and retry run once too often",
        "kinds/repeat.rs",
        "i64::from(done) >= self.count",
        "i64::from(done) > self.count",
    ),
    mutation(
        "an event goes to the newest waiter",
        "run/event.rs",
        "first.order < order",
        "first.order > order",
    ),
    mutation(
        "a broadcast ends its waiters in the order they were entered",
        "run/event.rs",
        "        waiters.sort_unstable_by_key(|waiter| waiter.position);\n",
        "",
    ),
    mutation(
        "a broadcast goes on behind a waiter that keeps the event",
        "run/event.rs",
        "while last.broadcast",
        "while first.broadcast",
    ),
    mutation(
        "an event that was kept is not the newest only",
        "run/state/inbox.rs",
        "        self.latched.retain(|(other, _)| *other != number);\n",
        "",
    ),
    mutation(
        "the budget is one too large",
        "run/delivery.rs",
        "self.core.budget = self.core.max_budget;",
        "self.core.budget = self.core.max_budget + 1;",
    ),
    mutation(
        "a run_limit runs once too often",
        "kinds/run_limit.rs",
        "u64::from(runs) >= self.count",
        "u64::from(runs) > self.count",
    ),
    mutation(
        "a reactive node leaves the loser running",
        "kinds/reactive.rs",
        "Some(loser) if loser != child => ",
        "Some(loser) if loser > child + 64 => ",
    ),
    mutation(
        "frames end one poll later",
        "kinds/frames.rs",
        "saturating_add(1) >= self.count",
        "saturating_add(1) > self.count",
    ),
    mutation(
        "an instant child of an unlimited loop is run twice in a poll",
        "kinds/iterations.rs",
        "if !is_limited && began == poll {",
        "if !is_limited\n        && began == poll\n        && cx.state::<K>(node).is_none_or(|iterations| iterations.done % 2 == 0)\n    {",
    ),
    mutation(
        "a guard takes over that held before",
        "run/observers.rs",
        "answer.failed.is_none() && !watch.last =>",
        "answer.failed.is_none() =>",
    ),
    mutation(
        "a guard that aborts its node lets the parent go on as after a success",
        "run/observers.rs",
        "Then::Go(at, Act::Left(false))",
        "Then::Go(at, Act::Left(true))",
    ),
    mutation(
        "time passes for timers while paused",
        "run/core.rs",
        "self.timers.delay(paused);",
        "self.timers.delay(paused / 2);",
    ),
    mutation(
        "a tree that ended at once begins again in the same poll",
        "run/event.rs",
        "if self.core.began == self.core.poll {",
        "if self.core.began == self.core.poll && self.core.budget % 2 == 0 {",
    ),
    mutation(
        "what a delivery entered has a turn in the same poll",
        "run/waits.rs",
        "entry.stamp = self.poll;",
        "entry.stamp = self.poll.wrapping_sub(1);",
    ),
    mutation(
        "the exit effect runs before the result's",
        "run/attached.rs",
        "by_result.iter().chain(&effects.exit)",
        "effects.exit.iter().chain(by_result)",
    ),
];
