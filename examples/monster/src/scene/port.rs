//! The scene as a port sees it: its agents by their entities, and the texts of their trees.

use std::sync::Arc;
use std::time::Duration;

use bt_core::reload::Changes;
use bt_core::tree::asset::Problem;
use bt_core::{Agent, Trees};
use bt_live::port::{Build, Built, Game, Subject, Texts, View, build};

use super::Scene;
use super::live::Changed;
use super::trees::Forest;

impl Game for Scene {
    fn now(&self) -> Duration {
        self.world.now()
    }

    fn count(&self) -> usize {
        self.actors.len()
    }

    fn ids(&self, after: Option<u64>, most: usize) -> Vec<u64> {
        let from = after.map_or(0, |after| after.saturating_add(1));
        let later = self.actors.range(from..).map(|(id, _)| *id);
        later.take(most).collect()
    }

    fn name(&self, id: u64) -> String {
        self.story
            .known(id)
            .map_or_else(|| id.to_string(), str::to_owned)
    }

    fn look(&mut self, id: u64, see: &mut dyn FnMut(&dyn View)) -> bool {
        let actor = self.actors.get(&id);
        actor.map(|actor| see(actor.view())).is_some()
    }

    fn change(&mut self, id: u64, change: &mut dyn FnMut(&mut dyn Subject)) -> bool {
        let now = self.world.now();
        let Some(actor) = self.actors.get_mut(&id) else {
            return false;
        };
        actor.lend(&mut self.world, now, change);
        self.schedule.wake(&mut **actor);
        true
    }

    fn texts(&self) -> Arc<Texts> {
        self.texts.clone()
    }

    fn build(&self) -> Build {
        Box::new(|texts| Ok(Box::new(forest(texts)?)))
    }

    fn replace(&mut self, texts: Arc<Texts>, built: Built) -> usize {
        let Ok(new) = built.downcast::<Forest>() else {
            return 0;
        };
        let old = std::mem::replace(&mut self.forest, (*new).clone());
        self.texts = texts;
        // They are few: where there are thousands, `build` compares them, too.
        let changed = Changed {
            monsters: changes(&old.monsters, &new.monsters),
            players: changes(&old.players, &new.players),
            accounts: changes(&old.accounts, &new.accounts),
        };
        self.follow(&changed)
    }
}

fn changes<A: Agent>(old: &Trees<A>, new: &Trees<A>) -> Option<Changes<A>> {
    let changes = Changes::between(old, new);
    (!changes.is_empty()).then_some(changes)
}

/// All trees, each for the type of agent that it names.
fn forest(texts: &Texts) -> Result<Forest, Vec<Problem>> {
    let monsters = build(texts, |tree| tree.agent() == Some("monster_agent"));
    let players = build(texts, |tree| tree.agent() == Some("player_agent"));
    let accounts = build(texts, |tree| tree.agent() == Some("account_agent"));
    match (monsters, players, accounts) {
        (Ok(monsters), Ok(players), Ok(accounts)) => Ok(Forest {
            monsters,
            players,
            accounts,
        }),
        (monsters, players, accounts) => {
            let monsters = monsters.err().unwrap_or_default();
            let players = players.err().unwrap_or_default();
            let accounts = accounts.err().unwrap_or_default();
            let mut all: Vec<Problem> = Vec::new();
            for problem in [monsters, players, accounts].concat() {
                // A file that is no tree is everybody's problem.
                if !all.contains(&problem) {
                    all.push(problem);
                }
            }
            Err(all)
        }
    }
}
