//! The trees in a folder that people edit while the scene plays.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;

use bt_core::reload::Changes;
use bt_core::{Agent, Trees};
use bt_live::{Folder, FolderError};

use super::Scene;
use super::trees::Forest;
use crate::{AccountAgent, MonsterAgent, PlayerAgent};

/// A folder with the trees of all agents. What is saved there goes live if it can be built; if not, the trees
/// that there are stay, and the problems are told.
#[derive(Debug)]
pub struct Grove {
    monsters: Folder<MonsterAgent>,
    players: Folder<PlayerAgent>,
    accounts: Folder<AccountAgent>,
    /// The problems that were told since something was right: each type of agent finds a broken file.
    told: BTreeSet<String>,
}

impl Grove {
    /// Watches a folder from now on.
    ///
    /// # Errors
    /// [`FolderError`] if it cannot be watched, or if its trees cannot be built.
    pub fn watch(folder: &Path) -> Result<Grove, FolderError> {
        Ok(Grove {
            monsters: of(folder, "monster_agent")?,
            players: of(folder, "player_agent")?,
            accounts: of(folder, "account_agent")?,
            told: BTreeSet::new(),
        })
    }

    /// The trees as they are now.
    pub fn forest(&self) -> Forest {
        Forest {
            monsters: self.monsters.trees().clone(),
            players: self.players.trees().clone(),
            accounts: self.accounts.trees().clone(),
        }
    }
}

fn of<A: Agent>(folder: &Path, agent: &'static str) -> Result<Folder<A>, FolderError> {
    Folder::watch_those(folder, move |tree| tree.agent() == Some(agent))
}

/// The changes of the trees, for the agents of each type: compared once for all of them.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) monsters: Option<Changes<MonsterAgent>>,
    pub(super) players: Option<Changes<PlayerAgent>>,
    pub(super) accounts: Option<Changes<AccountAgent>>,
}

/// An agent that finds its own among the changes.
pub(super) trait Grows: Agent {
    fn changes(changed: &Changed) -> Option<&Changes<Self>>;
}

impl Grows for MonsterAgent {
    fn changes(changed: &Changed) -> Option<&Changes<MonsterAgent>> {
        changed.monsters.as_ref()
    }
}

impl Grows for PlayerAgent {
    fn changes(changed: &Changed) -> Option<&Changes<PlayerAgent>> {
        changed.players.as_ref()
    }
}

impl Grows for AccountAgent {
    fn changes(changed: &Changed) -> Option<&Changes<AccountAgent>> {
        changed.accounts.as_ref()
    }
}

impl Scene {
    /// Moves the agents to what was saved in a folder since this was called last, each when it has its turn; whether
    /// anything was, good or not. The story tells of it.
    pub fn reload(&mut self, grove: &mut Grove) -> bool {
        let mut news = News {
            scene: self,
            told: &mut grove.told,
            any: false,
        };
        let changed = Changed {
            monsters: news.take(&mut grove.monsters, |forest| &mut forest.monsters),
            players: news.take(&mut grove.players, |forest| &mut forest.players),
            accounts: news.take(&mut grove.accounts, |forest| &mut forest.accounts),
        };
        let any = news.any;
        self.follow(&changed);
        any
    }

    /// Moves the agents to changed trees; how many of them.
    pub(super) fn follow(&mut self, changed: &Changed) -> usize {
        let mut moved = 0;
        for actor in self.actors.values_mut() {
            if actor.reload(changed) {
                self.schedule.wake(&mut **actor);
                moved += 1;
            }
        }
        if moved > 0 {
            let text = format!("new trees: {moved} agents move to them");
            self.story.say(&text, &self.world);
        }
        moved
    }
}

/// The trees that the folders found.
struct News<'s> {
    scene: &'s mut Scene,
    told: &'s mut BTreeSet<String>,
    any: bool,
}

impl News<'_> {
    fn take<A: Agent>(
        &mut self,
        folder: &mut Folder<A>,
        trees: impl Fn(&mut Forest) -> &mut Trees<A>,
    ) -> Option<Changes<A>> {
        match folder.take()? {
            Ok(new) => {
                let old = std::mem::replace(trees(&mut self.scene.forest), new.clone());
                let changes = Changes::between(&old, &new);
                self.any = true;
                self.told.clear();
                (!changes.is_empty()).then_some(changes)
            }
            Err(problems) => {
                self.any = true;
                self.tell(&problems);
                None
            }
        }
    }

    fn tell(&mut self, problems: &dyn Display) {
        for problem in problems.to_string().lines() {
            if self.told.insert(problem.to_owned()) {
                let text = format!("the trees stay: {problem}");
                self.scene.story.say(&text, &self.scene.world);
            }
        }
    }
}
