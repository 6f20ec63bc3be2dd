//! A scene: monsters, players and accounts on their trees, for a while.
//!
//! [`Scene::step`] is what a game's own loop would do: let the world move on by a tenth of a
//! second, then give each agent its turn (`schedule`). Who is there and how it gets its agent is
//! `cast`; what is told of it, `story`; what is counted, `tally`; who is told what the agents do on
//! their trees, `trace`; what is saved, `saved`;
//! whose trees change while they play, `live`; what tools see of it through a port, `port`.

mod actor;
mod cast;
mod live;
mod names;
mod port;
mod saved;
mod schedule;
mod story;
mod tally;
mod trace;
pub mod trees;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bt_core::{AssetError, Diagnostic, Random};
use bt_live::port::Texts;

use crate::{Kind, World};
use actor::Actor;
use cast::Lair;
pub use live::Grove;
pub use names::NameError;
pub use saved::SavedError;
pub use schedule::STEP;
use schedule::Schedule;
use story::Story;
pub use tally::Tally;
use trace::Tracers;
pub use trace::Who;
use trees::Forest;

/// The time for which the dead lie where they fell.
const CORPSE: Duration = Duration::from_secs(5);

/// The time until another monster lives where one died.
const RESPAWN: Duration = Duration::from_secs(20);

/// The time for which loot lies about.
const ROT: Duration = Duration::from_secs(60);

/// The minds, by their entities.
type Actors = BTreeMap<u64, Box<dyn Actor>>;

/// A world and who acts in it.
///
/// ```
/// let mut scene = monster::scene::Scene::new(8, 7)?;
/// scene.run(std::time::Duration::from_secs(5));
/// assert!(scene.take_lines()[0].starts_with("00:0"));
/// # Ok::<(), bt_core::AssetError>(())
/// ```
pub struct Scene {
    world: World,
    random: Random,
    forest: Forest,
    /// The texts of the trees, for clients of a port.
    texts: Arc<Texts>,
    /// In this order they have their turns.
    actors: Actors,
    /// The schedule of the turns.
    schedule: Schedule,
    /// The monsters' lairs, by the entity that lives there.
    lairs: BTreeMap<u64, Lair>,
    /// The times at which bodies, and heaps of loot, disappear.
    remains: BTreeMap<u64, Duration>,
    /// The times and places at which monsters live again.
    vacant: Vec<(Duration, Lair)>,
    story: Story,
    tally: Tally,
    diagnostics: Vec<(u64, Diagnostic)>,
    tracers: Option<Tracers>,
}

impl Scene {
    /// A scene of so many agents: half of them monsters, the others accounts and their players. The
    /// same seed is the same scene, to the last step.
    ///
    /// # Errors
    /// What is wrong with the tree files.
    pub fn new(agents: u32, seed: u64) -> Result<Scene, AssetError> {
        Ok(Scene::on(Forest::grow()?, agents, seed))
    }

    /// The same on trees that are built already.
    pub fn on(forest: Forest, agents: u32, seed: u64) -> Scene {
        let mut random = Random::new(seed);
        let mut scene = Scene {
            world: cast::world(agents, &mut random),
            random,
            forest,
            texts: Arc::new(trees::texts()),
            actors: BTreeMap::new(),
            schedule: Schedule::default(),
            lairs: BTreeMap::new(),
            remains: BTreeMap::new(),
            vacant: Vec::new(),
            story: Story::default(),
            tally: Tally::default(),
            diagnostics: Vec::new(),
            tracers: None,
        };
        let accounts = cast::accounts_among(agents);
        for number in 0..agents - 2 * accounts {
            let lair = cast::lair(number, &scene.world, &mut scene.random);
            scene.settle(lair);
        }
        for number in 0..accounts {
            let (world, random) = (&mut scene.world, &mut scene.random);
            let (id, account) = cast::account(number, &scene.forest, world, random);
            scene.join(id, account);
        }
        scene
    }

    /// Lets so much time pass.
    pub fn run(&mut self, time: Duration) {
        let end = self.world.now() + time;
        while self.world.now() < end {
            self.step();
        }
    }

    /// Lets a tenth of a second pass.
    pub fn step(&mut self) {
        self.world.step(STEP);
        let ids: Vec<u64> = self.actors.keys().copied().collect();
        for id in ids {
            self.turn(id);
        }
        self.part();
        self.welcome();
        self.clear_away();
    }

    /// Takes the route away that the first monster patrols: it stands still until it has one again. Somebody who is
    /// shown the scene finds out why, and has the time for it: the monster has so many hit points that nobody kills it.
    pub fn take_route(&mut self) {
        let mut actors = self.actors.iter_mut();
        let first = actors.find(|(_, actor)| actor.class().ends_with("monster_agent"));
        let Some((id, actor)) = first else { return };
        actor.blackboard().set("route", serde_json::json!([]));
        if let Ok(entity) = self.world.entity_mut(*id) {
            entity.max_health = 1e6;
            entity.health = entity.max_health;
        }
    }

    /// The world, to look at.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The entities that have a mind.
    pub fn actors(&self) -> impl Iterator<Item = u64> {
        self.actors.keys().copied()
    }

    /// Takes the events since the last call, a line for each.
    pub fn take_lines(&mut self) -> Vec<String> {
        self.story.take_lines()
    }

    /// The counts so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The diagnostics of the trees with their agents: none, as long as the trees are good.
    pub fn diagnostics(&self) -> &[(u64, Diagnostic)] {
        &self.diagnostics
    }

    /// Ends everything, as when a map is unloaded: every tree is stopped, so every action that was
    /// under way is cleaned up.
    pub fn stop(&mut self) {
        while let Some((id, _)) = self.actors.first_key_value() {
            self.dismiss(*id);
        }
    }

    /// Lets a monster live in its lair.
    fn settle(&mut self, lair: Lair) {
        let (world, random) = (&mut self.world, &mut self.random);
        let (id, monster) = cast::monster(&lair, &self.forest, world, random);
        self.lairs.insert(id, lair);
        self.join(id, monster);
    }

    fn join(&mut self, id: u64, mut actor: Box<dyn Actor>) {
        self.story.meet(id, &*actor, &self.world);
        self.give_tracer(id, &mut *actor);
        self.tally.joined(id, &self.world);
        self.schedule.join(id, &mut *actor);
        self.actors.insert(id, actor);
    }

    /// Stops an actor's tree for good. Its exit methods run: whatever was under way is called off.
    fn dismiss(&mut self, id: u64) {
        let Some(mut actor) = self.actors.remove(&id) else {
            return;
        };
        self.schedule.leave(&mut *actor);
        let now = self.world.now();
        actor.stop(&mut self.world, now);
        debug_assert!(!actor.is_running(), "nobody here cancels slowly");
        let diagnostics = actor.take_diagnostics().into_iter();
        self.diagnostics.extend(diagnostics.map(|what| (id, what)));
        self.story.part(id);
        // What it was not told any more.
        while self.world.take_event_of(id).is_some() {}
    }

    /// Gives a mind to the players that accounts have brought in, and a time to the loot.
    fn welcome(&mut self) {
        let now = self.world.now();
        let is_new = |id: &u64| !self.actors.contains_key(id) && !self.remains.contains_key(id);
        let news = self.world.entities().filter(|entity| is_new(&entity.id));
        let news: Vec<(u64, Kind)> = news.map(|entity| (entity.id, entity.kind)).collect();
        for (id, kind) in news {
            match kind {
                Kind::Player => {
                    let (world, random) = (&mut self.world, &mut self.random);
                    if let Ok(player) = cast::player(id, &self.forest, world, random) {
                        self.join(id, player);
                        self.story.entered(id, &self.world);
                    }
                }
                Kind::Loot => {
                    self.remains.insert(id, now + ROT);
                }
                Kind::Monster | Kind::Merchant | Kind::Account => {
                    while self.world.take_event_of(id).is_some() {}
                }
            }
        }
    }

    /// Removes what has lain about long enough, and lets monsters live again.
    fn clear_away(&mut self) {
        let now = self.world.now();
        for (id, _) in self.remains.extract_if(.., |_, until| *until <= now) {
            self.world.despawn(id);
        }
        let (due, later) = std::mem::take(&mut self.vacant)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        self.vacant = later;
        for (_, lair) in due {
            self.settle(lair);
        }
    }
}
