//! Effects of agents on each other in a round of a pool, kept until the round is over.
//!
//! A part of a round runs on one thread, so what is kept is that thread's: an action reaches it however
//! deep it is called, and the order is that of the polls.

use std::cell::RefCell;

/// Something to be done after the round.
pub(crate) type Effect = Box<dyn FnOnce() + Send>;

/// Somebody who has turns: the address of the pool's inbox, and the id. [`NOBODY`] is none of them.
pub(crate) type Doer = (usize, u64);

pub(crate) const NOBODY: Doer = (0, 0);

#[derive(Default)]
struct Part {
    effects: Vec<Effect>,
    /// The agent that runs.
    doer: Doer,
    /// True if the one whose turn it is despawned itself.
    ends: bool,
    /// The addresses of the calls of others that the one whose turn it is has finished.
    finished: Vec<usize>,
}

thread_local! {
    static PART: RefCell<Option<Part>> = const { RefCell::new(None) };
}

/// Runs a part of a round, and adds what is to be done after it to `effects`.
pub(crate) fn collect(effects: &mut Vec<Effect>, run: impl FnOnce()) {
    /// Puts back the part of the round that this one is within, if there is one.
    struct Back<'a>(&'a mut Vec<Effect>, Option<Part>);
    impl Drop for Back<'_> {
        fn drop(&mut self) {
            if let Some(part) = PART.replace(self.1.take()) {
                *self.0 = part.effects;
            }
        }
    }
    let part = Part {
        effects: std::mem::take(effects),
        ..Part::default()
    };
    let _back = Back(effects, PART.replace(Some(part)));
    run();
}

/// Changes the part of a round that this thread runs, if it runs one.
fn with<R>(change: impl FnOnce(&mut Part) -> R) -> Option<R> {
    PART.with_borrow_mut(|part| part.as_mut().map(change))
}

/// Returns true if this thread runs a part of a round.
pub(crate) fn in_round() -> bool {
    with(|_| ()).is_some()
}

/// Does something when the round is over; at once, if there is none.
pub(crate) fn after_round(effect: impl FnOnce() + Send + 'static) {
    let now = PART.with_borrow_mut(|part| match part {
        Some(part) => {
            part.effects.push(Box::new(effect));
            None
        }
        None => Some(effect),
    });
    if let Some(effect) = now {
        effect();
    }
}

/// Says whose turn begins.
pub(crate) fn begin_turn(doer: Doer) {
    with(|part| {
        (part.doer, part.ends) = (doer, false);
        part.finished.clear();
    });
}

/// The agent that runs.
pub(crate) fn doer() -> Doer {
    with(|part| part.doer).unwrap_or(NOBODY)
}

/// Notes that the one whose turn it is finished somebody else's call; whether it is the first time in
/// this turn.
pub(crate) fn finishes(call: usize) -> bool {
    let first = with(|part| {
        let is_first = !part.finished.contains(&call);
        part.finished.extend(is_first.then_some(call));
        is_first
    });
    first.unwrap_or(true)
}

/// Ends somebody after its turn; whether it is its turn.
pub(crate) fn end_after_turn(doer: Doer) -> bool {
    let own = with(|part| {
        let own = part.doer == doer;
        part.ends |= own;
        own
    });
    own.unwrap_or(false)
}

/// Returns true if the one whose turn it is despawned itself.
pub(crate) fn is_ending() -> bool {
    with(|part| part.ends).unwrap_or(false)
}
