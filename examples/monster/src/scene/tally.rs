//! The counts of a scene: a row for each sort of agent, and the numbers of events that people want to know.

use std::collections::BTreeMap;
use std::fmt;

use bt_core::Event;
use serde::{Deserialize, Serialize};

use super::story::Glance;
use crate::{Kind, World};

/// The statistic of a scene; displayed, a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// In the order in which the first of each sort came.
    rows: Vec<Row>,
    /// Each agent's row, and how far it was seen to have walked.
    known: BTreeMap<u64, (usize, f64)>,
    hunts: u64,
    flights: u64,
    quests: u64,
    levels: u64,
    potions: u64,
    logins: u64,
}

/// All agents of one sort.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Their name.
    pub name: String,
    /// The number that joined.
    pub agents: u64,
    /// The number of steps that they were there for: the polls that they would have without a schedule.
    pub turns: u64,
    /// The number of times that they were polled.
    pub polls: u64,
    /// The number of events that were fired at them.
    pub events: u64,
    /// The number that died.
    pub deaths: u64,
    /// The number of others that they killed.
    pub kills: u64,
    /// The distance that they walked.
    pub metres: f64,
}

impl Tally {
    /// The rows, in the order in which the first of each sort came.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of quests that were paid.
    pub fn quests(&self) -> u64 {
        self.quests
    }

    /// Counts one more agent.
    pub(super) fn joined(&mut self, id: u64, world: &World) {
        let Ok(entity) = world.entity(id) else {
            return;
        };
        let name = match entity.kind {
            Kind::Monster => entity.name.as_str(),
            Kind::Player => "player",
            Kind::Merchant | Kind::Loot | Kind::Account => "account",
        };
        let found = self.rows.iter().position(|row| row.name == name);
        let number = found.unwrap_or_else(|| {
            self.rows.push(Row {
                name: name.to_owned(),
                ..Row::default()
            });
            self.rows.len() - 1
        });
        self.rows[number].agents += 1;
        self.known.insert(id, (number, 0.0));
    }

    fn row(&mut self, id: u64) -> Option<&mut Row> {
        let (number, _) = self.known.get(&id)?;
        self.rows.get_mut(*number)
    }

    /// Counts a step that an agent was there for, and the way that it took it.
    pub(super) fn has_turn(&mut self, id: u64, world: &World) {
        let Some((number, seen)) = self.known.get_mut(&id) else {
            return;
        };
        let Some(row) = self.rows.get_mut(*number) else {
            return;
        };
        row.turns += 1;
        if let Ok(entity) = world.entity(id) {
            row.metres += entity.walked - *seen;
            *seen = entity.walked;
        }
    }

    /// Counts a poll.
    pub(super) fn polled(&mut self, id: u64) {
        if let Some(row) = self.row(id) {
            row.polls += 1;
        }
    }

    /// Counts an event that an agent was told.
    pub(super) fn happened(&mut self, id: u64, event: &Event) {
        let is_death = event.name() == "died";
        self.levels += u64::from(event.name() == "level_reached");
        if let Some(row) = self.row(id) {
            row.events += 1;
            row.deaths += u64::from(is_death);
        }
        let killer = event.get_as("killer").unwrap_or_default();
        if is_death && let Some(row) = self.row(killer) {
            row.kills += 1;
        }
    }

    /// Counts what has changed with an agent since it was seen last.
    pub(super) fn changed(&mut self, (before, after): &(Glance, Glance)) {
        let hunts = after.hunts.is_some() && before.hunts.is_none();
        self.hunts += u64::from(hunts);
        self.flights += u64::from(after.flees && !before.flees);
        self.quests += u64::from(before.quest.is_some() && after.quest.is_none());
        self.potions += u64::from(before.potions.saturating_sub(after.potions));
        self.logins += u64::from(after.is_logged_in && !before.is_logged_in);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<8} {:>6} {:>8} {:>8} {:>7} {:>7} {:>6} {:>9}",
            "", "agents", "turns", "polls", "events", "deaths", "kills", "walked"
        )?;
        let mut all = Row {
            name: "all".to_owned(),
            ..Row::default()
        };
        for row in &self.rows {
            writeln!(f, "{row}")?;
            all.agents += row.agents;
            all.turns += row.turns;
            all.polls += row.polls;
            all.events += row.events;
            all.deaths += row.deaths;
            all.kills += row.kills;
            all.metres += row.metres;
        }
        writeln!(f, "{all}")?;
        let share = 100 * all.polls / all.turns.max(1);
        writeln!(f, "polled in {share} of 100 turns")?;
        let Tally {
            hunts,
            flights,
            quests,
            levels,
            potions,
            logins,
            ..
        } = self;
        writeln!(
            f,
            "hunts {hunts}, flights {flights}, quests paid {quests}, levels {levels}, \
             potions drunk {potions}, logins {logins}"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<8} {:>6} {:>8} {:>8} {:>7} {:>7} {:>6} {:>7.0} m",
            self.name,
            self.agents,
            self.turns,
            self.polls,
            self.events,
            self.deaths,
            self.kills,
            self.metres
        )
    }
}
