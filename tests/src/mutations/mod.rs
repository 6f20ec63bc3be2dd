//! Mistakes that the comparison with the reference is to notice: `--bin mutate` makes them, one at a
//! time, in a copy of bt-core.

mod find;

pub use find::{Mistake, find};

/// Those that are always made: the file below `bt-core/src`, and the name of the mistake there.
/// `mutate -- all FILE` makes all that a file can have, and prints their names.
///
/// Not noticed in 10,000 cases, so not here, and nobody knows yet whether a run can show them: in
/// `kinds/iterations.rs`, `end_if_over` without `count < 0`; in `kinds/reactive.rs`, `ReactiveNode::turn` of a closed
/// node; in `run/attached.rs`, `Walker::left` without `retain`; in `run/event.rs`, `Walker::tree_ended` without its
/// check of the poll; in `run/observers.rs`, `Walker::waits_for_sibling` of a closed node.
pub const USUAL: &[(&str, &str)] = &[
    ("kinds/cooldown.rs", "CooldownNode::enter: `<` becomes `<=`"),
    (
        "kinds/cooldown.rs",
        "CooldownNode::child_done: without `retain`",
    ),
    ("kinds/delay.rs", "DelayNode::enter: without `set_timer`"),
    ("kinds/frames.rs", "FramesNode::is_over: `>=` becomes `>`"),
    (
        "kinds/frames.rs",
        "FramesNode::turn: without `decide_later`",
    ),
    (
        "kinds/if_else.rs",
        "IfElseNode::child_done: `!=` becomes `==`",
    ),
    ("kinds/iterations.rs", "next: without `began == poll`"),
    (
        "kinds/memory.rs",
        "MemoryNode::aborted: an arm without `forget`",
    ),
    (
        "kinds/memory.rs",
        "MemoryNode::child_done: an arm without `forget`",
    ),
    ("kinds/once.rs", "OnceNode::child_done: without `retain`"),
    (
        "kinds/parallel.rs",
        "ParallelNode::child_done: `>=` becomes `>`",
    ),
    (
        "kinds/parallel.rs",
        "ParallelNode::child_done: `>=` becomes `>` (2)",
    ),
    (
        "kinds/parallel.rs",
        "ParallelNode::conclude: without `decided.is_some()`",
    ),
    ("kinds/random.rs", "RandomNode::enter: without `shuffle`"),
    (
        "kinds/repeat.rs",
        "RepeatNode::child_done: `>=` becomes `>` (2)",
    ),
    (
        "kinds/run_limit.rs",
        "RunLimitNode::enter: `>=` becomes `>`",
    ),
    (
        "kinds/success_until.rs",
        "SuccessUntilNode::child_done: `>=` becomes `>`",
    ),
    ("kinds/timeout.rs", "TimeoutNode::timer: `if` never holds"),
    (
        "kinds/timeout.rs",
        "TimeoutNode::child_done: without `clear_timers`",
    ),
    (
        "kinds/wait_event.rs",
        "WaitEventNode::enter: without `self.latch`",
    ),
    (
        "kinds/while_loop.rs",
        "WhileLoopNode::child_done: `!=` becomes `==`",
    ),
    (
        "run/abort.rs",
        "Walker::abort_entry: without the pattern `Wait::Polled`",
    ),
    ("run/abort.rs", "Walker::take_down: without `climb`"),
    ("run/abort.rs", "Walker::leave_aborted: without `aborted`"),
    ("run/core.rs", "Core::end_pause: without `delay`"),
    ("run/delivery.rs", "Walker::begin_poll: without `budget`"),
    (
        "run/delivery.rs",
        "Walker::start_requested: without `self.core.began == self.core.poll`",
    ),
    (
        "run/event.rs",
        "Walker::hand_event: without `sort_unstable_by_key`",
    ),
    ("run/observers.rs", "Walker::reevaluate: without `!last`"),
    ("run/observers.rs", "Walker::reevaluate: without `holds`"),
    ("run/state/inbox.rs", "Inbox::latch: without `retain`"),
    ("run/state/timers.rs", "Timers::set: `<=` becomes `<`"),
    ("run/waits.rs", "Core::wait: without `stamp`"),
];
