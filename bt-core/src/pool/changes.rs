//! The agents that changed since somebody took note of them: those that have to be saved again.

use super::AgentId;

/// The result of [`Pool::take_changed`](super::Pool::take_changed): ids, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// The agents that changed and are in the pool.
    pub agents: Vec<AgentId>,
    /// The agents that have gone. One that came and went meanwhile is among them.
    pub gone: Vec<AgentId>,
}

/// The changes since they were taken last, if somebody follows them.
#[derive(Debug, Default)]
pub(super) struct Changes {
    follows: bool,
    /// By place: true if its agent is in `all.agents`.
    marked: Vec<bool>,
    all: Changed,
}

impl Changes {
    /// Marks an agent that is there.
    #[inline]
    pub(super) fn mark(&mut self, id: AgentId) {
        if self.follows {
            self.add(id);
        }
    }

    fn add(&mut self, id: AgentId) {
        let place = id.index() as usize;
        if self.marked.len() <= place {
            self.marked.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.marked[place], true) {
            self.all.agents.push(id);
        }
    }

    pub(super) fn follow(&mut self) {
        self.follows = true;
    }

    /// All of them; from now on nobody is marked.
    pub(super) fn take(&mut self) -> Changed {
        let mut all = std::mem::take(&mut self.all);
        for id in &all.agents {
            self.marked[id.index() as usize] = false;
        }
        all.agents.sort_unstable();
        all.gone.sort_unstable();
        all
    }

    /// Marks an agent that goes: its place is another agent's from now on.
    pub(super) fn mark_gone(&mut self, id: AgentId) {
        if self.follows {
            if let Some(marked) = self.marked.get_mut(id.index() as usize) {
                *marked = false;
            }
            self.all.gone.push(id);
        }
    }
}
