//! A tree at play: an agent whose leaves do what a script says, a runner, and a log of it all.
//!
//! ```
//! use bt_core::tree::asset::spec::sequence;
//! use bt_tests::probe::{Play, R, Reply, S, now, starts};
//!
//! let mut play = Play::new(sequence([now("a"), starts("b"), now("c")]));
//! play.reply("b", [Reply::After(1.5, true)]);
//! assert_eq!(play.poll(0.0), R);
//! assert_eq!(play.brief(), "+a a:S +b");
//! assert_eq!(play.poll(1.5), S);
//! assert_eq!(play.brief(), "b:S +c c:S");
//! ```
//!
//! At the end of a test, when the `Play` is dropped, it stops the tree and checks that each call
//! that began was left once.

mod agent;
mod agree;
mod log;
mod play;
mod replayed;
mod twin;

use bt_core::Status;
use bt_core::tree::asset::spec::{self, Call, NodeSpec};

pub use agent::{Probe, Reply};
pub use agree::agree;
pub use log::{Log, in_short};
pub use play::{Play, Steps, TRACED};
pub use replayed::Replayed;
pub use twin::Twin;

/// Success, as tables write it.
pub const S: Status = Status::Success;
/// Failure.
pub const F: Status = Status::Failure;
/// Running.
pub const R: Status = Status::Running;

/// A leaf that ends at once: with success, unless the script says otherwise.
pub fn now(name: &str) -> NodeSpec {
    spec::action("now").arg(name)
}

/// A leaf that is called again every poll, until the script says how it ends.
pub fn polled(name: &str) -> NodeSpec {
    spec::action("polled").arg(name)
}

/// A leaf that waits: for [`Play::end`], unless the script says otherwise.
pub fn starts(name: &str) -> NodeSpec {
    spec::action("starts").arg(name)
}

/// A leaf that waits, and once aborted is cancelling until [`Play::end`]. Its name is `a`, `b` or
/// `c`, and no two active ones have the same.
pub fn slow(name: &str) -> NodeSpec {
    spec::action(&format!("slow_{name}")).arg(name)
}

/// A leaf that panics.
pub fn panics(name: &str) -> NodeSpec {
    spec::action("panics").arg(name)
}

/// A condition of the agent, which a [flag](Play::flag) answers.
pub fn holds(name: &str) -> NodeSpec {
    spec::condition("holds").arg(name)
}

/// The same, as a guard.
pub fn guard_holds(name: &str) -> Call {
    spec::guard("holds").arg(name)
}

/// A condition that looks at no agent: a key of the blackboard, read through the context, is `true`.
pub fn key_true(key: &str) -> NodeSpec {
    spec::condition("key_true").arg(key)
}

/// The same, as a guard.
pub fn guard_key(key: &str) -> Call {
    spec::guard("key_true").arg(key)
}

/// A condition that looks at no agent: its argument, which is taken from a key, is `true`.
pub fn arg_true(key: &str) -> NodeSpec {
    spec::condition("arg_true").key(key)
}

/// The same, as a guard.
pub fn guard_arg(key: &str) -> Call {
    spec::guard("arg_true").key(key)
}

/// The agent's own decorator: runs its child so many times, then succeeds.
pub fn limits(name: &str, times: u32, child: NodeSpec) -> NodeSpec {
    spec::decorator("limits", child).arg(name).arg(times)
}

/// A node of a kind with children.
pub fn of(kind: &str, children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    spec::node(kind).children(children)
}

/// A decorator of a kind that takes a number.
pub fn times(kind: &str, count: i64, child: NodeSpec) -> NodeSpec {
    spec::node(kind).extra("count", count).child(child)
}

/// A decorator of a kind that takes a time in seconds.
pub fn timed(kind: &str, seconds: f64, child: NodeSpec) -> NodeSpec {
    spec::node(kind).extra("seconds", seconds).child(child)
}

/// A wait for a time.
pub fn wait(seconds: f64) -> NodeSpec {
    spec::action("wait_for_seconds").arg(seconds)
}

/// A wait for polls.
pub fn frames(polls: u32) -> NodeSpec {
    spec::action("wait_frames").arg(polls)
}

/// A node whose entry and exit are logged, and counted: each entry is followed by one exit.
pub fn paired(name: &str, node: NodeSpec) -> NodeSpec {
    node.effect("enter", spec::call("node_entered").arg(name))
        .effect("success", spec::call("node_ended").arg(name).arg(true))
        .effect("failure", spec::call("node_ended").arg(name).arg(false))
        .effect("exit", spec::call("node_left").arg(name))
}
