//! The breakpoints of the project: in its settings, and in every game that is attached.

use serde::{Deserialize, Serialize};

use super::Studio;
use crate::protocol::{Breakpoints, Event, Failure, PutBreakpoints, StoredBreakpoint};

/// Under which key the settings have them.
const KEY: &str = "breakpoints";

/// A game takes so many of one client.
const MOST: usize = 1_000;

/// The content of the settings.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    all: Vec<StoredBreakpoint>,
    #[serde(default)]
    stop_all: bool,
}

impl Studio {
    pub(super) fn breakpoints(&self) -> Breakpoints {
        let (stored, problem) = match self.settings.get::<Stored>(KEY) {
            Ok(stored) => (stored, self.sessions.refused.clone()),
            Err(why) => (Stored::default(), Some(why)),
        };
        Breakpoints {
            breakpoints: stored.all,
            stop_all: stored.stop_all,
            saved: self.settings.writes(),
            problem,
        }
    }

    /// Those that games get, and whether a stop at one stops all.
    pub(super) fn enabled_breakpoints(&self) -> (Vec<StoredBreakpoint>, bool) {
        let all = self.breakpoints();
        let enabled = all.breakpoints.into_iter().filter(|one| one.enabled);
        (enabled.collect(), all.stop_all)
    }

    pub(super) fn put_breakpoints(
        &mut self,
        asked: PutBreakpoints,
    ) -> Result<Breakpoints, Failure> {
        if asked.breakpoints.len() > MOST {
            return Err(Failure::limit(format!(
                "a project has at most {MOST} breakpoints"
            )));
        }
        if asked
            .breakpoints
            .iter()
            .any(|one| one.spec.agents.is_some())
        {
            return Err(Failure::refused(
                "a breakpoint of the project names no agents by id, for ids are others in each run of a game: expected \
                 their name in `agents` beside `spec`",
            ));
        }
        let stored = Stored {
            all: asked.breakpoints,
            stop_all: asked.stop_all,
        };
        let put = self.settings.put_or_hold(KEY, &stored);
        put.map_err(Failure::refused)?;
        self.sessions.refused = None;
        self.tell_breakpoints();
        let all = self.breakpoints();
        self.told_breakpoints = Some(all.clone());
        self.clients.tell_all(&Event::Breakpoints(all.clone()));
        Ok(all)
    }

    /// The file may have changed on the disk: by a checkout, or by hand.
    pub(super) fn read_breakpoints_again(&mut self) {
        let all = self.breakpoints();
        if self.told_breakpoints.as_ref() == Some(&all) {
            return;
        }
        let is_first = self.told_breakpoints.replace(all.clone()).is_none();
        if !is_first {
            self.tell_breakpoints();
            self.clients.tell_all(&Event::Breakpoints(all));
        }
    }
}
