//! A scene as one JSON text: saved, and played on in another process as if nothing had happened.
//!
//! The world, the agents and what the story and the statistic remember are data, and derive their
//! form. A runner makes its own ([`Runner::save`](bt_core::Runner::save)), and goes on from it
//! (`mind`). The trees are not in it: they are those of the program.

mod mind;
mod sound;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use bt_core::{AssetError, Random};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cast::Lair;
use super::schedule::Schedule;
use super::story::Story;
use super::tally::Tally;
use super::trees::Forest;
use super::{Actors, Scene};
use crate::World;
pub(super) use mind::{Part, SavedMind};

/// The sort of the text, for whoever finds it.
const FORMAT: &str = "monster scene";

/// Goes up with each change of what is in it.
const VERSION: u32 = 1;

/// The reason why a scene cannot be restored, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedError(String);

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SavedError {}

impl From<AssetError> for SavedError {
    fn from(error: AssetError) -> SavedError {
        SavedError(error.to_string())
    }
}

#[derive(Serialize)]
struct Saving<'s> {
    format: &'static str,
    version: u32,
    #[serde(with = "luck")]
    random: &'s Random,
    world: &'s World,
    minds: BTreeMap<u64, SavedMind>,
    lairs: &'s BTreeMap<u64, Lair>,
    remains: &'s BTreeMap<u64, Duration>,
    vacant: &'s [(Duration, Lair)],
    story: &'s Story,
    tally: &'s Tally,
}

/// The same, but for what it begins with.
#[derive(Deserialize)]
struct Loaded {
    #[serde(with = "luck")]
    random: Random,
    world: World,
    minds: BTreeMap<u64, SavedMind>,
    lairs: BTreeMap<u64, Lair>,
    remains: BTreeMap<u64, Duration>,
    vacant: Vec<(Duration, Lair)>,
    story: Story,
    tally: Tally,
}

impl Scene {
    /// Everything that there is now, as JSON, but for lines and diagnostics so far and for who is
    /// [traced](Scene::trace).
    ///
    /// ```
    /// use monster::scene::Scene;
    /// use std::time::Duration;
    ///
    /// let mut scene = Scene::new(8, 7)?;
    /// scene.run(Duration::from_secs(5));
    /// scene.take_lines();
    /// let mut other = Scene::restore(&scene.save())?;
    /// scene.run(Duration::from_secs(5));
    /// other.run(Duration::from_secs(5));
    /// assert_eq!(other.take_lines(), scene.take_lines());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> String {
        let minds = self.actors.iter().map(|(id, actor)| (*id, actor.save()));
        let saving = Saving {
            format: FORMAT,
            version: VERSION,
            random: &self.random,
            world: &self.world,
            minds: minds.collect(),
            lairs: &self.lairs,
            remains: &self.remains,
            vacant: &self.vacant,
            story: &self.story,
            tally: &self.tally,
        };
        // In lines, so that a problem has one.
        let text = serde_json::to_string_pretty(&saving);
        text.expect("numbers, texts and lists of them have a JSON form") + "\n"
    }

    /// The scene that was saved, which goes on from there.
    ///
    /// # Errors
    /// [`SavedError`] if the text is no saved scene or one of another version, if something in it makes
    /// no sense, or if the agents ran other trees.
    pub fn restore(text: &str) -> Result<Scene, SavedError> {
        let value: Value = serde_json::from_str(text).map_err(at_line)?;
        check_head(&value)?;
        sound::check_numbers(&value)?;
        let loaded: Loaded = serde_json::from_str(text).map_err(at_line)?;
        sound::check(&loaded)?;
        let forest = Forest::grow()?;
        let mut world = loaded.world;
        let (mut actors, mut schedule) = (Actors::new(), Schedule::default());
        for (id, mind) in loaded.minds {
            let actor = mind.restore(&forest, &mut world);
            let wrong = |error| SavedError(format!("`minds.{id}.runner`: {error}"));
            let mut actor = actor.map_err(wrong)?;
            schedule.join(id, &mut *actor);
            actors.insert(id, actor);
        }
        Ok(Scene {
            world,
            random: loaded.random,
            forest,
            texts: std::sync::Arc::new(super::trees::texts()),
            actors,
            schedule,
            lairs: loaded.lairs,
            remains: loaded.remains,
            vacant: loaded.vacant,
            story: loaded.story,
            tally: loaded.tally,
            diagnostics: Vec::new(),
            tracers: None,
        })
    }
}

/// The error of serde: its last words are the line and the column.
fn at_line(error: serde_json::Error) -> SavedError {
    SavedError(error.to_string())
}

fn check_head(value: &Value) -> Result<(), SavedError> {
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        let expected = format!("expected an object with the `format` \"{FORMAT}\"");
        return Err(SavedError(format!("it is no saved scene: {expected}")));
    }
    match value.get("version") {
        Some(version) if *version == VERSION => Ok(()),
        version => {
            let found = version.map_or_else(|| "none".to_owned(), Value::to_string);
            let expected = format!("this program reads version {VERSION}");
            Err(SavedError(format!("`version`: {expected}, found {found}")))
        }
    }
}

/// A random stream as 16 hexadecimal digits: not every reader of JSON keeps all digits of a number.
mod luck {
    use bt_core::Random;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(random: &Random, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:016x}", random.state()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Random, D::Error> {
        let text = String::deserialize(from)?;
        let state = u64::from_str_radix(&text, 16).map_err(|_| {
            D::Error::custom(format!("expected 16 hexadecimal digits, found `{text}`"))
        })?;
        Ok(Random::new(state))
    }
}
