//! A port into the app: agents of all types, found in the world by their entities.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bevy_app::{App, Last, Plugin, PreUpdate};
use bevy_asset::{AssetEvent, Assets, Handle};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_platform::cell::SyncCell;
use bt_core::tree::asset::Problem;
use bt_live::port::{Borrowed, Build, Built, Game, Options, Port, Subject, Texts, View};

use crate::ecs::short_name;
use crate::reach::{Reached, reach};
use crate::trees::{AgentTrees, build, is_for};
use crate::{Brain, BtClock, EcsAgent, TreeFile, Wakes};

/// Opens a port: the studio, editors and `bt-meta live` attach to the game, on this machine.
///
/// Add it after [`BtPlugin`](crate::BtPlugin). In the last schedule of each frame clients look at agents, stop them at
/// breakpoints and replace trees; an agent's id is [`Entity::to_bits`]. Trees that a client replaces are those in memory:
/// the files stay as they are.
#[derive(Debug)]
pub struct BtPortPlugin(Options);

impl BtPortPlugin {
    /// A port of a game of that name.
    pub fn new(game: impl Into<String>) -> BtPortPlugin {
        BtPortPlugin(Options::new(game))
    }

    /// A port with these settings.
    pub fn with(options: Options) -> BtPortPlugin {
        BtPortPlugin(options)
    }
}

/// The port of the app.
#[derive(Resource)]
pub struct BtPort {
    port: SyncCell<Option<Port>>,
    token_file: PathBuf,
    speed: f64,
    /// The type of each agent, by its id.
    agents: BTreeMap<u64, usize>,
    /// The [version](Kind::version) of each type when its agents were listed.
    listed: Vec<u64>,
    texts: Arc<Texts>,
    /// True if the texts are others now.
    is_stale: bool,
    /// Trees that a client added.
    added: Vec<Handle<TreeFile>>,
}

impl BtPort {
    /// The file by which clients find the port and its token.
    pub fn token_file(&self) -> &Path {
        &self.token_file
    }

    /// The address with its token, for this user only; none while clients are served.
    pub fn url(&mut self) -> Option<String> {
        self.port.get().as_ref().map(Port::url)
    }
}

impl Plugin for BtPortPlugin {
    fn build(&self, app: &mut App) {
        match Port::open(self.0.clone()) {
            Ok(port) => {
                let token_file = port.token_file().to_owned();
                tracing::info!(target: "bt", "a port is open; its token is in {}", token_file.display());
                app.init_resource::<Kinds>();
                app.insert_resource(BtPort {
                    port: SyncCell::new(Some(port)),
                    token_file,
                    speed: 1.0,
                    agents: BTreeMap::new(),
                    listed: Vec::new(),
                    texts: Arc::default(),
                    is_stale: true,
                    added: Vec::new(),
                });
                app.add_systems(PreUpdate, note_changes)
                    .add_systems(Last, serve);
            }
            Err(error) => tracing::error!(target: "bt", "the port cannot be opened: {error}"),
        }
    }
}

/// The ways to agents of each type.
#[derive(Resource, Default)]
struct Kinds(Vec<Arc<dyn Kind>>);

/// The way to agents of one type.
trait Kind: Send + Sync {
    /// Another number when other entities have trees.
    fn version(&self, world: &World) -> u64;
    fn entities(&self, world: &World) -> Vec<Entity>;
    /// The name of an agent without a name.
    fn name(&self) -> &'static str;
    fn look(&self, world: &mut World, entity: Entity, see: &mut dyn FnMut(&dyn View)) -> bool;
    fn change(
        &self,
        world: &mut World,
        entity: Entity,
        change: &mut dyn FnMut(&mut dyn Subject),
    ) -> bool;
    /// The names of the trees that its agents may run.
    fn tree_names(&self, world: &World) -> BTreeSet<String>;
    /// Finds what is wrong with those of some trees that are for its agents, of which `named` say nothing of an agent.
    fn check(&self, files: &[TreeFile], named: &BTreeSet<String>) -> Vec<Problem>;
}

/// Agents of a type.
struct Of<A>(std::marker::PhantomData<fn(A)>);

/// Lets clients see agents of a type.
pub(crate) fn add<A: EcsAgent>(app: &mut App) {
    let mut kinds = app.world_mut().get_resource_or_init::<Kinds>();
    kinds.0.push(Arc::new(Of::<A>(std::marker::PhantomData)));
}

impl<A: EcsAgent> Kind for Of<A> {
    fn version(&self, world: &World) -> u64 {
        world.resource::<Wakes<A>>().version()
    }

    fn entities(&self, world: &World) -> Vec<Entity> {
        world.resource::<Wakes<A>>().entities().collect()
    }

    fn name(&self) -> &'static str {
        short_name::<A>()
    }

    fn look(&self, world: &mut World, entity: Entity, see: &mut dyn FnMut(&dyn View)) -> bool {
        let Some(mut brain) = world.get_mut::<Brain<A>>(entity) else {
            return false;
        };
        let runner = brain.bypass_change_detection().runner();
        runner.map(|runner| see(runner)).is_some()
    }

    fn change(
        &self,
        world: &mut World,
        entity: Entity,
        change: &mut dyn FnMut(&mut dyn Subject),
    ) -> bool {
        let now = world.resource::<BtClock>().now();
        let changed = reach::<A, _>(world, entity, |reached| {
            let Reached {
                agent,
                brain,
                wakes,
                world,
            } = reached;
            let (mut agent, brain) = (agent?, brain?);
            let runner = brain.runner_mut()?;
            change(&mut Borrowed::new(&mut *agent, runner, world, now));
            wakes.schedule(brain);
            Some(())
        });
        changed.flatten().is_some()
    }

    fn tree_names(&self, world: &World) -> BTreeSet<String> {
        world.resource::<AgentTrees<A>>().names()
    }

    fn check(&self, files: &[TreeFile], named: &BTreeSet<String>) -> Vec<Problem> {
        let by_name = files.iter().map(|file| (file.name(), file));
        let by_name: BTreeMap<&str, &TreeFile> = by_name.collect();
        let is_said = |file: &&TreeFile| is_for::<A>(file.tree()) == Some(true);
        let said = files.iter().filter(is_said).map(TreeFile::name);
        let mut next: Vec<&str> = said.chain(named.iter().map(String::as_str)).collect();
        let mut own = BTreeMap::new();
        while let Some(name) = next.pop() {
            if let Some(file) = by_name.get(name)
                && is_for::<A>(file.tree()) != Some(false)
                && own.insert(name, *file).is_none()
            {
                next.extend(file.tree().runs());
            }
        }
        build::<A>(own.values().copied()).err().unwrap_or_default()
    }
}

/// The world, lent to the port for a frame.
struct WorldGame<'w> {
    world: &'w mut World,
    port: BtPort,
    kinds: Vec<Arc<dyn Kind>>,
}

impl WorldGame<'_> {
    /// The entity of an agent, and the way to it.
    fn find(&self, id: u64) -> Option<(Entity, Arc<dyn Kind>)> {
        let kind = *self.port.agents.get(&id)?;
        Some((Entity::try_from_bits(id)?, self.kinds[kind].clone()))
    }
}

impl Game for WorldGame<'_> {
    fn now(&self) -> Duration {
        self.world.resource::<BtClock>().now()
    }

    fn count(&self) -> usize {
        self.port.agents.len()
    }

    fn ids(&self, after: Option<u64>, most: usize) -> Vec<u64> {
        let Some(from) = after.map_or(Some(0), |after| after.checked_add(1)) else {
            return Vec::new();
        };
        let later = self.port.agents.range(from..).map(|(id, _)| *id);
        later.take(most).collect()
    }

    fn name(&self, id: u64) -> String {
        let Some((entity, kind)) = self.find(id) else {
            return id.to_string();
        };
        let name = self.world.get::<Name>(entity);
        let name = name.map_or(kind.name(), |name| name.as_str());
        format!("{name} {entity}")
    }

    fn look(&mut self, id: u64, see: &mut dyn FnMut(&dyn View)) -> bool {
        let found = self.find(id);
        found.is_some_and(|(entity, kind)| kind.look(self.world, entity, see))
    }

    fn change(&mut self, id: u64, change: &mut dyn FnMut(&mut dyn Subject)) -> bool {
        let found = self.find(id);
        found.is_some_and(|(entity, kind)| kind.change(self.world, entity, change))
    }

    fn texts(&self) -> Arc<Texts> {
        self.port.texts.clone()
    }

    fn build(&self) -> Build {
        let kinds = self.kinds.iter();
        let kinds: Vec<_> = kinds
            .map(|kind| (kind.clone(), kind.tree_names(self.world)))
            .collect();
        Box::new(move |texts| {
            let (mut files, mut problems) = (Vec::new(), Vec::new());
            for (name, text) in texts {
                match TreeFile::new(name, text) {
                    Ok(file) => files.push(file),
                    Err(error) => problems.extend_from_slice(error.problems()),
                }
            }
            if problems.is_empty() {
                let found = kinds.iter().map(|(kind, named)| kind.check(&files, named));
                problems = found.flatten().collect();
            }
            match problems.is_empty() {
                true => Ok(Box::new(files)),
                false => Err(problems),
            }
        })
    }

    fn replace(&mut self, texts: Arc<Texts>, built: Built) -> usize {
        let Ok(new) = built.downcast::<Vec<TreeFile>>() else {
            return 0;
        };
        let mut changed = BTreeSet::new();
        let mut files = self.world.resource_mut::<Assets<TreeFile>>();
        let known: BTreeMap<String, _> = files
            .iter()
            .map(|(id, file)| (file.name().to_owned(), id))
            .collect();
        for file in *new {
            let is_same = self
                .port
                .texts
                .get(file.name())
                .is_some_and(|text| text == file.text());
            if is_same {
                continue;
            }
            changed.insert(file.name().to_owned());
            match known.get(file.name()) {
                // It is among the assets, so its id is one of them.
                Some(id) => _ = files.insert(*id, file),
                None => self.port.added.push(files.add(file)),
            }
        }
        let known: BTreeMap<String, _> = files
            .iter()
            .map(|(id, file)| (file.name().to_owned(), id))
            .collect();
        for name in &changed {
            let Some(file) = known.get(name).and_then(|id| files.get(*id)) else {
                continue;
            };
            let runs: Vec<_> = file
                .tree()
                .runs()
                .filter_map(|name| known.get(name))
                .copied()
                .collect();
            let runs = runs
                .into_iter()
                .filter_map(|id| files.get_strong_handle(id))
                .collect();
            if let Some(mut file) = known.get(name).and_then(|id| files.get_mut(*id)) {
                file.set_runs(runs);
            }
        }
        self.port.texts = texts;
        let kinds = self.kinds.iter();
        let moving = kinds.filter(|kind| !kind.tree_names(self.world).is_disjoint(&changed));
        moving.map(|kind| kind.entities(self.world).len()).sum()
    }
}

/// Notes that the texts of trees are others.
fn note_changes(
    mut events: MessageReader<'_, '_, AssetEvent<TreeFile>>,
    mut port: ResMut<'_, BtPort>,
) {
    if events.read().count() > 0 {
        port.bypass_change_detection().is_stale = true;
    }
}

/// Serves the clients of a frame.
fn serve(world: &mut World) {
    let Some(mut shared) = world.remove_resource::<BtPort>() else {
        return;
    };
    let kinds = world.resource::<Kinds>().0.clone();
    let Some(mut port) = shared.port.get().take() else {
        return world.insert_resource(shared);
    };
    // The trees are looked at when somebody may ask for them.
    let versions: Vec<u64> = kinds.iter().map(|kind| kind.version(world)).collect();
    if shared.listed != versions {
        shared.agents.clear();
        for (number, kind) in kinds.iter().enumerate() {
            let entities = kind.entities(world).into_iter();
            shared
                .agents
                .extend(entities.map(|entity| (entity.to_bits(), number)));
        }
        shared.listed = versions;
    }
    if std::mem::take(&mut shared.is_stale) {
        let files = world.resource::<Assets<TreeFile>>().iter();
        let texts = files.map(|(_, file)| (file.name().to_owned(), file.text().to_owned()));
        shared.texts = Arc::new(texts.collect());
    }
    let mut game = WorldGame {
        world,
        port: shared,
        kinds,
    };
    let exits = game.world.get_resource::<Messages<bevy_app::AppExit>>();
    if exits.is_some_and(|exits| !exits.is_empty()) {
        port.close(&mut game);
    } else {
        port.poll(&mut game);
        if port.speed() != game.port.speed {
            game.port.speed = port.speed();
            game.world.resource_mut::<BtClock>().set_speed(port.speed());
        }
        *game.port.port.get() = Some(port);
    }
    let WorldGame { world, port, .. } = game;
    world.insert_resource(port);
}
