//! Playing a case, with a look at it after each thing that happens.

use super::{Case, Op};
use crate::probe::Play;
use bt_core::{LeafState, Status};

/// A case at play.
#[derive(Debug)]
pub struct Driven {
    /// The runner and its agent.
    pub play: Play,
    /// The last operation.
    pub op: Op,
    /// The tree's status after the last poll.
    pub status: Status,
    /// The lines that were logged by it.
    pub log: Vec<String>,
    /// The time of the last poll in quarters of a second.
    pub now: u64,
}

/// Plays a case to its end, then stops it and checks that all that was entered was left once. The hook
/// is called after each operation; it stops the play by an error, which is returned.
///
/// # Errors
/// What the hook says.
///
/// # Panics
/// If what was entered is not left, or more than once.
pub fn drive<E>(case: &Case, hook: impl FnMut(&mut Driven) -> Result<(), E>) -> Result<(), E> {
    drive_from(case.play(), case, hook)
}

/// The same, of a play of the case that was prepared.
///
/// # Errors
/// What the hook says.
///
/// # Panics
/// If what was entered is not left, or more than once.
pub fn drive_from<E>(
    play: Play,
    case: &Case,
    mut hook: impl FnMut(&mut Driven) -> Result<(), E>,
) -> Result<(), E> {
    let scripts = case.scripts();
    let mut driven = Driven {
        play,
        op: Op::Start,
        status: Status::Failure,
        log: Vec::new(),
        now: 0,
    };
    for op in &case.ops {
        driven.op = *op;
        driven.act(case, &scripts);
        driven.log = driven.play.log();
        if let Err(why) = hook(&mut driven) {
            // It is not left as it should be, perhaps: that is not looked at.
            driven.play.abandon();
            return Err(why);
        }
    }
    driven.play.finish();
    Ok(())
}

impl Driven {
    fn act(&mut self, case: &Case, scripts: &[&super::Script]) {
        let play = &mut self.play;
        match self.op {
            Op::Poll(quarters) => {
                let now = self.now.saturating_add_signed(quarters.into());
                self.status = play.poll(now as f64 / 4.0);
                self.now = self.now.max(now);
            }
            Op::Fire(event) => {
                play.fire(event);
            }
            Op::End(number, success) => {
                if let Some(script) = scripts.get(number % scripts.len().max(1)) {
                    play.end_if_any(&script.name, success);
                }
            }
            Op::Finish(number, success) => {
                let active = play.runner.active_leaves();
                let mut active: Vec<_> = active.iter().filter(|leaf| ends(leaf.state)).collect();
                if !active.is_empty() {
                    let leaf = active.swap_remove(number % active.len());
                    play.runner.finish(leaf.id, success);
                }
            }
            Op::Key(key, on) => {
                play.set(key, on);
            }
            Op::Flag(flag, on) => {
                play.flag(flag, on);
            }
            Op::Pause => play.runner.pause(),
            Op::Resume => play.runner.resume(),
            Op::Stop => {
                play.stop();
            }
            Op::Start => play.runner.start(),
            Op::Reset => play.runner.reset(),
            Op::Load(tree) => {
                let found = play.runner.load(case.trees[tree].name);
                found.unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

/// Returns true if a leaf is one that the host may finish.
pub(crate) fn ends(state: LeafState) -> bool {
    matches!(
        state,
        LeafState::Pending | LeafState::Polled | LeafState::Event
    )
}
