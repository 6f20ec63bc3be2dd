//! The parts of a waiting node that a reload looks at, beside what [two plans](crate::reload::same) say.

use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::plain::Entry;
use crate::tree::plan::Call;

pub(super) use crate::reload::same::{are_args, are_guards};

/// Returns true if an action waits for the clock alone, for as long as its only argument says.
pub(super) fn is_clock(entry: &Entry, call: &Call) -> bool {
    let is_known = matches!(&*call.name, "wait_for_seconds" | "wait_frames");
    let asks_more = entry.more.as_ref().is_some_and(|more| more.ends());
    is_known && call.args.len() == 1 && !asks_more
}

/// The entry of a place, of whichever tree.
pub(super) fn entry(core: &Core, at: At) -> Option<&Entry> {
    let levels = core.suspended().iter().flat_map(|level| &level.entries);
    let mut entries = core.entries.iter().chain(levels);
    entries.find(|entry| entry.at == at)
}
