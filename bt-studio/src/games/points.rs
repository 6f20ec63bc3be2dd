//! The breakpoints of the project on a game: those that are for some agents alone are set by the ids that the agents'
//! names have in this run of the game.

use std::collections::BTreeMap;

use bt_live::protocol::types::{AgentPage, BreakpointSpec};
use serde_json::{Value, json};

use super::port_calls::PortCall;
use super::session::Session;
use crate::protocol::{Failure, StoredBreakpoint};

/// The number of agents that are listed at once.
const PART: u32 = 1_000;

/// A breakpoint is for so many agents, at most, where it names them.
const MOST: usize = 10_000;

/// The breakpoints of the project.
#[derive(Debug, Default)]
pub(super) struct Points {
    all: Vec<StoredBreakpoint>,
    stop_all: bool,
    /// The ids of the agents whose names fit; none until the game has listed them.
    ids: BTreeMap<String, Option<Vec<String>>>,
    /// The value that the game was given last.
    sent: Option<Value>,
}

impl Points {
    pub(super) fn of((all, stop_all): (Vec<StoredBreakpoint>, bool)) -> Points {
        let names = all.iter().filter_map(|one| one.agents.clone());
        Points {
            ids: names.map(|names| (names, None)).collect(),
            all,
            stop_all,
            sent: None,
        }
    }

    pub(super) fn stop_all(&self) -> bool {
        self.stop_all
    }

    /// The game is another one, or runs anew.
    pub(super) fn forget(&mut self) {
        self.ids.values_mut().for_each(|ids| *ids = None);
        self.sent = None;
    }

    /// The value that the game is to have; none while names are not known.
    fn wanted(&self) -> Option<Value> {
        let mut all: Vec<BreakpointSpec> = Vec::new();
        for point in &self.all {
            let mut spec = point.spec.clone();
            if let Some(names) = &point.agents {
                spec.agents = Some(self.ids.get(names)?.clone()?);
            }
            all.push(spec);
        }
        Some(json!({ "breakpoints": all, "stop_all": self.stop_all }))
    }
}

impl Session {
    /// Gives the game the breakpoints, once it is known which agents they are for.
    pub(super) fn set_breakpoints(&mut self) {
        if self.link.is_none() || self.about.read_only {
            return;
        }
        self.ask_fitting();
        self.send_breakpoints();
    }

    /// Asks which agents there are now of the names that breakpoints are for.
    pub(super) fn ask_fitting(&mut self) {
        if self.about.read_only {
            return;
        }
        for names in self.points.ids.keys().cloned().collect::<Vec<_>>() {
            self.ask_part(names, Vec::new(), None);
        }
    }

    fn ask_part(&mut self, names: String, ids: Vec<String>, after: Option<String>) {
        let mut params = json!({ "limit": PART });
        let part = names.split('*').max_by_key(|part| part.len());
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            params["filter"] = part.into();
        }
        if let Some(after) = after {
            params["after"] = after.into();
        }
        self.ask("agents.list", params, PortCall::Fitting { names, ids });
    }

    pub(super) fn fitting(
        &mut self,
        names: String,
        mut ids: Vec<String>,
        page: Result<AgentPage, Failure>,
    ) {
        // A game that does not answer now is asked again.
        let Ok(page) = page else { return };
        let fits = page.agents.into_iter().filter(|one| fit(&names, &one.name));
        ids.extend(fits.map(|one| one.id));
        if let Some(after) = page.next.filter(|_| ids.len() < MOST) {
            return self.ask_part(names, ids, Some(after));
        }
        ids.truncate(MOST);
        if let Some(known) = self.points.ids.get_mut(&names) {
            *known = Some(ids);
            self.send_breakpoints();
        }
    }

    fn send_breakpoints(&mut self) {
        let Some(wanted) = self.points.wanted() else {
            return;
        };
        if self.points.sent.as_ref() != Some(&wanted) {
            self.points.sent = Some(wanted.clone());
            self.ask("breakpoints.set", wanted, PortCall::Breakpoints);
        }
    }

    /// Lets go of the game: what stands in it continues, whatever one of its agents answers.
    pub(super) fn free_all(&mut self) {
        let (is_still, stop_all) = (self.about.speed == 0.0, self.points.stop_all());
        let Some(link) = self.link.as_mut().filter(|_| !self.about.read_only) else {
            return;
        };
        let none = json!({ "breakpoints": [] });
        link.ask("breakpoints.set", none, PortCall::Nothing);
        for stop in &self.about.stops {
            let step = json!({ "agent": stop.agent, "number": stop.number, "step": "continue" });
            link.ask("agent.step", step, PortCall::Nothing);
        }
        if is_still && stop_all {
            link.ask("game.speed", json!({ "speed": 1.0 }), PortCall::Nothing);
        }
        link.finish();
    }
}

/// Returns true if a name is one of those meant: `*` stands for any letters.
fn fit(names: &str, name: &str) -> bool {
    let mut parts = names.split('*');
    let Some(rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty();
    };
    let mut rest = rest;
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn names_fit_as_they_are_or_with_stars_for_any_letters() {
        for (names, name, fits) in [
            ("wolf#2", "wolf#2", true),
            ("wolf#2", "wolf#21", false),
            ("wolf*", "wolf#21", true),
            ("*#2", "wolf#2", true),
            ("w*f*1", "wolf#21", true),
            ("w*f*1", "wolf#2", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("", "wolf", false),
        ] {
            assert_eq!(fit(names, name), fits, "{names} {name}");
        }
    }
}
