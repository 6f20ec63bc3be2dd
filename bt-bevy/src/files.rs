//! Tree files as assets.

use std::path::Path;
use std::sync::Arc;

use bevy_app::{App, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetLoadError, AssetLoadFailedEvent, AssetLoader, AssetPath, AssetServer,
    Assets, Handle, LoadContext,
};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::{Reflect, TypePath};
use bt_core::tree::Code;
use bt_core::tree::asset::Problem;
use bt_core::{AssetError, TreeAsset};

use crate::trees::TreeProblems;

/// A tree file as its text says it: JSON, or a script where its name ends with `.bt`. What it means is known when the
/// trees of an agent are built.
///
/// Its name is its path below the assets, without the folder `trees` in front of it. Trees that it runs are loaded with
/// it, by their names.
#[derive(Asset, TypePath, Debug)]
pub struct TreeFile {
    pub(crate) text: Arc<str>,
    pub(crate) tree: TreeAsset,
    /// The trees that it runs.
    #[dependency]
    runs: Vec<Handle<TreeFile>>,
}

impl TreeFile {
    /// A tree file from its text, for trees that are no files. Trees that it runs are not loaded with it: they are among
    /// the assets already.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with its line and column.
    pub fn new(name: &str, text: &str) -> Result<TreeFile, AssetError> {
        Ok(TreeFile {
            text: text.into(),
            tree: TreeAsset::from_slice(name, text.as_bytes())?,
            runs: Vec::new(),
        })
    }

    /// The tree's name: other trees run it by that, and problems say it.
    pub fn name(&self) -> &str {
        self.tree.name()
    }

    /// The tree.
    pub fn tree(&self) -> &TreeAsset {
        &self.tree
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    #[cfg(feature = "port")]
    pub(crate) fn set_runs(&mut self, runs: Vec<Handle<TreeFile>>) {
        self.runs = runs;
    }

    /// The files of the trees that it runs.
    pub(crate) fn runs(&self) -> &[Handle<TreeFile>] {
        &self.runs
    }
}

/// The tree that an agent runs. To run another one, insert it again.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component)]
#[component(immutable, on_insert = expects)]
pub struct BehaviorTree(pub Handle<TreeFile>);

fn expects(mut world: DeferredWorld<'_>, cx: HookContext) {
    expect_tree(&mut world, cx.entity);
}

/// Notes that an entity expects a tree, if it names one.
pub(crate) fn expect_tree(world: &mut DeferredWorld<'_>, entity: Entity) {
    if world.get::<BehaviorTree>(entity).is_none() {
        return;
    }
    match world.get_resource_mut::<Expecting>() {
        // Of an entity that is spawned, both the tree and the brain say so.
        Some(expecting) if expecting.0.last() == Some(&entity) => {}
        Some(mut expecting) => expecting.0.push(entity),
        None => tracing::error!(
            target: "bt",
            "{entity}: its `BehaviorTree` runs nothing: there is no `BtPlugin`; write `app.add_plugins(BtPlugin::default())`"
        ),
    }
}

/// The entities that got a tree to run, or a brain for it, since the last round.
#[derive(Resource, Default)]
pub(crate) struct Expecting(pub(crate) Vec<Entity>);

/// Adds what is the same for all agents.
pub(crate) fn plugin(app: &mut App) {
    assert!(
        app.world().contains_resource::<AssetServer>(),
        "`BtPlugin` loads trees as assets, and there is no `AssetServer`: add `AssetPlugin`, which `DefaultPlugins` have, \
         before it, or build bt-bevy without its feature `asset`"
    );
    app.init_asset::<TreeFile>()
        .init_asset_loader::<TreeLoader>()
        .init_resource::<Expecting>()
        .add_message::<TreeProblems>()
        .register_type::<BehaviorTree>()
        .add_systems(PreUpdate, report_failures.before(crate::trees::Rebuild));
}

/// The loader of [`TreeFile`].
#[derive(Default, TypePath, Debug)]
pub struct TreeLoader;

const ENDINGS: &[&str] = &["bt", "bt.json", "json"];

/// The folder whose name is no part of the trees' names.
const FOLDER: &str = "trees";

/// A tree's name is its path below the folder `trees`, with `/`.
fn name_of(path: &Path) -> String {
    let inside = path.strip_prefix(FOLDER).unwrap_or(path);
    let parts = inside.components();
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// The path of another tree, beside the one that runs it.
fn path_of(name: &str, beside: &AssetPath<'_>) -> AssetPath<'static> {
    let path = match beside.path().starts_with(FOLDER) {
        true => Path::new(FOLDER).join(name),
        false => name.into(),
    };
    AssetPath::from_path_buf(path).with_source(beside.source().clone_owned())
}

impl AssetLoader for TreeLoader {
    type Asset = TreeFile;
    type Settings = ();
    type Error = TreeLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        cx: &mut LoadContext<'_>,
    ) -> Result<TreeFile, TreeLoadError> {
        let path = cx.path().clone_owned();
        let name = name_of(path.path());
        if !ENDINGS
            .iter()
            .any(|ending| name.ends_with(&format!(".{ending}")))
        {
            return Err(TreeLoadError::Ending);
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let tree = TreeAsset::from_slice(&name, &bytes)?;
        let runs = tree.runs().map(|name| cx.load(path_of(name, &path)));
        let runs = runs.collect();
        let text = String::from_utf8_lossy(&bytes).into();
        Ok(TreeFile { text, tree, runs })
    }

    fn extensions(&self) -> &[&str] {
        ENDINGS
    }
}

/// A file that is no tree.
#[derive(Debug, thiserror::Error)]
pub enum TreeLoadError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Its text is no tree.
    #[error("{0}")]
    Tree(#[from] AssetError),
    /// Its name is none of a tree.
    #[error("it is no tree file: the name of one ends with `.bt`, `.bt.json` or `.json`")]
    Ending,
}

/// Reports files that cannot be read; trees before them run on.
fn report_failures(
    mut failures: MessageReader<'_, '_, AssetLoadFailedEvent<TreeFile>>,
    files: Res<'_, Assets<TreeFile>>,
    mut problems: MessageWriter<'_, TreeProblems>,
) {
    for failure in failures.read() {
        let name = name_of(failure.path.path());
        let found = match &failure.error {
            AssetLoadError::AssetLoaderError(error) => error.error().downcast_ref(),
            _ => None,
        };
        let found = match found {
            Some(TreeLoadError::Tree(error)) => error.problems().to_vec(),
            Some(error) => vec![Problem::new(Code::UnknownTree, &name, error.to_string())],
            None => vec![Problem::new(
                Code::UnknownTree,
                &name,
                failure.error.to_string(),
            )],
        };
        let users = files.iter().filter(|(_, file)| {
            let mut runs = file.runs().iter();
            runs.any(|handle| handle.id() == failure.id)
        });
        let users: Vec<_> = users
            .map(|(_, file)| format!("`{}`", file.name()))
            .collect();
        let help = match users.is_empty() {
            true => String::new(),
            false => format!("{} runs it", users.join(", ")),
        };
        let found = found.into_iter();
        let found = found.map(|problem| match problem.help() {
            None => problem.with_help(help.clone()),
            Some(_) => problem,
        });
        problems.write(TreeProblems::reported(None, found.collect()));
    }
}
