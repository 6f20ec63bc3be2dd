//! An app with guards, whose frames a test counts.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bt_bevy::Wakes;
use bt_bevy::prelude::*;
use bt_core::Runner;
use tempfile::TempDir;

use crate::agents::{Guard, Log, Position};

/// The time of a frame.
pub(crate) const FRAME: Duration = Duration::from_millis(100);

pub(crate) struct Play {
    pub(crate) app: App,
    folder: TempDir,
}

/// The parts of an app that trees need, with files in a folder.
pub(crate) fn parts(folder: &Path, watches: bool) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin {
            file_path: folder.to_string_lossy().into_owned(),
            watch_for_changes_override: Some(watches),
            ..AssetPlugin::default()
        },
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.init_resource::<Log>();
    app
}

impl Play {
    /// With guards, whose trees run in `Update`.
    pub(crate) fn new() -> Play {
        Play::with(|app| {
            _ = app
                .add_plugins(BtPlugin::in_schedule(Update))
                .add_agent::<Guard>()
        })
    }

    pub(crate) fn with(build: impl FnOnce(&mut App)) -> Play {
        Play::watching(false, build)
    }

    pub(crate) fn watching(watches: bool, build: impl FnOnce(&mut App)) -> Play {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("trees")).unwrap();
        let mut app = parts(folder.path(), watches);
        build(&mut app);
        Play { app, folder }
    }

    pub(crate) fn path(&self, file: &str) -> std::path::PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).unwrap();
    }

    /// Writes a file, and has Bevy read it again, as its watcher does.
    pub(crate) fn rewrite(&mut self, file: &str, text: &str) {
        self.write(file, text);
        let server = self.app.world().resource::<AssetServer>();
        server.reload(file.to_owned());
    }

    pub(crate) fn load(&self, file: &str) -> BehaviorTree {
        BehaviorTree(
            self.app
                .world()
                .resource::<AssetServer>()
                .load(file.to_owned()),
        )
    }

    /// Spawns a guard with a script, which is loaded when this returns.
    pub(crate) fn guard(&mut self, script: &str) -> Entity {
        self.write("trees/door.bt", script);
        let tree = self.load("trees/door.bt");
        let guard = self.spawn(tree);
        self.until("the tree is loaded", |play| play.has_tree(guard));
        guard
    }

    pub(crate) fn spawn(&mut self, tree: BehaviorTree) -> Entity {
        let guard = (Guard::default(), tree, Position::default());
        self.app.world_mut().spawn(guard).id()
    }

    pub(crate) fn has_tree(&mut self, entity: Entity) -> bool {
        self.with_runner(entity, |_| ()).is_some()
    }

    pub(crate) fn with_runner<R>(
        &mut self,
        entity: Entity,
        look: impl FnOnce(&Runner<Guard>) -> R,
    ) -> Option<R> {
        let mut brain = self.app.world_mut().get_mut::<Brain<Guard>>(entity)?;
        brain.runner().map(look)
    }

    pub(crate) fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.app.update());
    }

    /// Runs frames until something holds.
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&mut Play) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(
                start.elapsed() < Duration::from_secs(15),
                "it takes too long: {what}"
            );
            self.app.update();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The log since the last call.
    pub(crate) fn log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.app.world_mut().resource_mut::<Log>().0)
    }

    pub(crate) fn polled(&self) -> usize {
        self.app.world().resource::<Wakes<Guard>>().polled()
    }

    pub(crate) fn messages<M: Message>(&mut self) -> Vec<M> {
        self.app
            .world_mut()
            .resource_mut::<Messages<M>>()
            .drain()
            .collect()
    }

    /// The problems that come next.
    pub(crate) fn problems(&mut self) -> String {
        self.until("problems", |play| {
            !play
                .app
                .world()
                .resource::<Messages<TreeProblems>>()
                .is_empty()
        });
        let all: Vec<_> = self
            .messages::<TreeProblems>()
            .iter()
            .map(ToString::to_string)
            .collect();
        all.join("\n")
    }
}
