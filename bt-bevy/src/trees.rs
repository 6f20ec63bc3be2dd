//! The trees of one type of agents: built from their files, given to those who wait for them, and changed while they run.

use std::collections::{BTreeMap, HashMap, HashSet};

use bevy_app::{App, PreUpdate};
use bevy_asset::{AssetEvent, AssetId, AssetServer, Assets, Handle};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bt_core::reload::Changes;
use bt_core::tree::Code;
use bt_core::tree::asset::{Problem, locate};
use bt_core::{Registry, Runner, TreeAsset, TreeSet, Trees};

use crate::ecs::short_name;
use crate::files::Expecting;
use crate::plugin::{Settings, Step};
use crate::{BehaviorTree, Brain, BtSeed, EcsAgent, SavedBrain, TreeFile, Wakes};

/// Tree files have problems: the trees before them run on. The log has a line for each, with file, line and column.
#[derive(Message, Debug, Clone)]
pub struct TreeProblems {
    agent: Option<&'static str>,
    problems: Vec<Problem>,
}

impl TreeProblems {
    /// Problems that are reported in the log.
    pub(crate) fn reported(agent: Option<&'static str>, problems: Vec<Problem>) -> TreeProblems {
        for problem in &problems {
            tracing::error!(target: "bt", "{problem}");
        }
        TreeProblems { agent, problems }
    }

    /// The type of the agents whose trees do not build; none of a file that is no tree.
    pub fn agent(&self) -> Option<&'static str> {
        self.agent
    }

    /// The problems.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A line for each.
impl std::fmt::Display for TreeProblems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, problem) in self.problems.iter().enumerate() {
            let line = if number > 0 { "\n" } else { "" };
            write!(f, "{line}{problem}")?;
        }
        Ok(())
    }
}

/// The trees of one type of agents.
#[derive(Resource)]
pub(crate) struct AgentTrees<A: EcsAgent> {
    trees: Option<Trees<A>>,
    /// The files that entities of this type name. They stay, so that no tree goes away that somebody runs.
    named: HashMap<AssetId<TreeFile>, Handle<TreeFile>>,
    /// Those that wait for a tree.
    waiting: Vec<Entity>,
    /// True if those are to be looked at.
    looks: bool,
    /// True if files changed that the trees are built from.
    is_stale: bool,
    /// The problems that were reported last.
    reported: Vec<Problem>,
}

impl<A: EcsAgent> Default for AgentTrees<A> {
    fn default() -> AgentTrees<A> {
        AgentTrees {
            trees: None,
            named: HashMap::new(),
            waiting: Vec::new(),
            looks: false,
            is_stale: false,
            reported: Vec::new(),
        }
    }
}

pub(crate) fn plugin<A: EcsAgent>(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<AgentTrees<A>>();
    app.add_systems(PreUpdate, rebuild::<A>.in_set(Rebuild));
    let begin = (expect::<A>, begin::<A>).chain();
    app.add_systems(schedule, begin.in_set(Step::Begin));
}

/// Builds changed trees.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rebuild;

/// Returns true if a tree is for agents of a type, as its file says; none if it does not say.
pub(crate) fn is_for<A: EcsAgent>(tree: &TreeAsset) -> Option<bool> {
    let name = tree.agent()?;
    let registry = Registry::global().ok();
    let info = registry.and_then(|registry| registry.agent_of::<A>());
    Some(info.is_some_and(|info| {
        let mut lineage = info.lineage();
        lineage.any(|agent| agent.name() == name || agent.full_name() == name)
    }))
}

impl<A: EcsAgent> AgentTrees<A> {
    /// The files of this type: those that say so, and those that say nothing and that an entity of it runs, at first
    /// hand or not.
    fn own<'f>(&self, files: &'f Assets<TreeFile>) -> Vec<(AssetId<TreeFile>, &'f TreeFile)> {
        let mut ids: HashSet<AssetId<TreeFile>> = HashSet::new();
        let mut next: Vec<AssetId<TreeFile>> = self.named.keys().copied().collect();
        let said = files
            .iter()
            .filter(|(_, file)| is_for::<A>(&file.tree) == Some(true));
        next.extend(said.map(|(id, _)| id));
        while let Some(id) = next.pop() {
            let file = files.get(id);
            let file = file.filter(|file| is_for::<A>(&file.tree) != Some(false));
            if let Some(file) = file
                && ids.insert(id)
            {
                next.extend(file.runs().iter().map(Handle::id));
            }
        }
        let mut own: Vec<_> = ids
            .into_iter()
            .filter_map(|id| Some((id, files.get(id)?)))
            .collect();
        own.sort_by(|(_, one), (_, other)| one.name().cmp(other.name()));
        own
    }

    /// The names of the trees that are built.
    #[cfg(feature = "port")]
    pub(crate) fn names(&self) -> std::collections::BTreeSet<String> {
        let trees = self.trees.iter().flat_map(Trees::names);
        trees.map(str::to_owned).collect()
    }

    fn report(&mut self, found: Vec<Problem>, problems: &mut MessageWriter<'_, TreeProblems>) {
        if !found.is_empty() && self.reported != found {
            let agent = short_name::<A>();
            problems.write(TreeProblems::reported(Some(agent), found.clone()));
        }
        self.reported = found;
    }
}

/// Builds trees from files, each problem with its place in its file.
pub(crate) fn build<'f, A: EcsAgent>(
    files: impl Iterator<Item = &'f TreeFile> + Clone,
) -> Result<Trees<A>, Vec<Problem>> {
    let info = Registry::global().map(|registry| registry.agent_of::<A>());
    let name = info.ok().flatten().map(|info| info.full_name());
    let mut set = TreeSet::<A>::new();
    for file in files.clone() {
        let tree = file.tree.clone();
        set.add(match (tree.agent(), name) {
            (None, Some(name)) => tree.with_agent(name),
            _ => tree,
        });
    }
    set.build().map_err(|error| {
        let mut by_file: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for problem in error.problems() {
            let file = by_file.entry(problem.file().to_owned()).or_default();
            file.push(problem.clone());
        }
        for (name, problems) in &mut by_file {
            if let Some(file) = files.clone().find(|file| file.name() == name) {
                locate(problems, &file.text);
            }
        }
        by_file.into_values().flatten().collect()
    })
}

/// Builds the trees again when one of their files changed, and has agents follow.
fn rebuild<A: EcsAgent>(
    mut events: MessageReader<'_, '_, AssetEvent<TreeFile>>,
    files: Res<'_, Assets<TreeFile>>,
    server: Res<'_, AssetServer>,
    settings: Res<'_, Settings>,
    mut trees: ResMut<'_, AgentTrees<A>>,
    mut wakes: ResMut<'_, Wakes<A>>,
    mut problems: MessageWriter<'_, TreeProblems>,
) {
    let trees = trees.bypass_change_detection();
    for event in events.read() {
        match event {
            AssetEvent::Added { .. }
            | AssetEvent::Modified { .. }
            | AssetEvent::LoadedWithDependencies { .. } => trees.is_stale = true,
            // What is built stays.
            AssetEvent::Removed { .. } | AssetEvent::Unused { .. } => {}
        }
    }
    if !trees.is_stale {
        return;
    }
    let own = trees.own(&files);
    let loads = |id: &AssetId<TreeFile>| server.recursive_dependency_load_state(*id).is_loading();
    if own.iter().any(|(id, _)| loads(id)) {
        return;
    }
    trees.is_stale = false;
    // They are kept, whoever named them.
    for (id, _) in &own {
        if let Some(handle) = server.get_id_handle(*id) {
            trees.named.insert(*id, handle);
        }
    }
    match build::<A>(own.iter().map(|(_, file)| *file)) {
        Err(found) => trees.report(found, &mut problems),
        Ok(new) => {
            trees.report(Vec::new(), &mut problems);
            trees.looks = true;
            if let Some(old) = trees.trees.replace(new.clone()) {
                let changes = Changes::between(&old, &new);
                let wakes = wakes.bypass_change_detection();
                wakes.reloads.add(&changes, settings.reload_budget);
            }
        }
    }
}

/// Takes note of the entities of this type that expect a tree.
fn expect<A: EcsAgent>(
    mut expecting: ResMut<'_, Expecting>,
    mut trees: ResMut<'_, AgentTrees<A>>,
    agents: Query<'_, '_, &BehaviorTree, With<Brain<A>>>,
) {
    if expecting.0.is_empty() {
        return;
    }
    let trees = trees.bypass_change_detection();
    expecting.bypass_change_detection().0.retain(|entity| {
        let Ok(tree) = agents.get(*entity) else {
            return true;
        };
        let is_new = trees.named.insert(tree.0.id(), tree.0.clone()).is_none();
        trees.is_stale |= is_new;
        trees.waiting.push(*entity);
        trees.looks = true;
        false
    });
}

/// Reports entities that have a tree and no agent.
pub(crate) fn report_unexpected(
    mut expecting: ResMut<'_, Expecting>,
    there: Query<'_, '_, (), With<BehaviorTree>>,
    mut problems: MessageWriter<'_, TreeProblems>,
) {
    if expecting.0.is_empty() {
        return;
    }
    for entity in expecting.bypass_change_detection().0.drain(..) {
        if there.contains(entity) {
            let why = format!("entity {entity} has a `BehaviorTree` and no agent that runs it");
            let problem = Problem::new(Code::UnknownAgent, "", why)
                .with_help("spawn it with a component whose type was given to `add_agent`");
            problems.write(TreeProblems::reported(None, vec![problem]));
        }
    }
}

/// The parts of an entity that waits for its tree.
type Beginner<'a, A> = (
    &'a BehaviorTree,
    &'a mut Brain<A>,
    Option<&'a BtSeed>,
    Option<&'a SavedBrain>,
);

/// Gives runners to those whose tree has come, and other trees to those who have one.
fn begin<A: EcsAgent>(
    mut trees: ResMut<'_, AgentTrees<A>>,
    files: Res<'_, Assets<TreeFile>>,
    mut agents: Query<'_, '_, Beginner<'_, A>>,
    mut wakes: ResMut<'_, Wakes<A>>,
    mut commands: Commands<'_, '_>,
    mut problems: MessageWriter<'_, TreeProblems>,
) {
    let all = trees.bypass_change_detection();
    if !all.looks || all.waiting.is_empty() {
        return;
    }
    let AgentTrees {
        trees: Some(trees),
        waiting,
        looks,
        ..
    } = all
    else {
        return;
    };
    let wakes = wakes.bypass_change_detection();
    let mut found = Vec::new();
    let mut moves = false;
    waiting.retain(|entity| {
        let Ok((tree, mut brain, seed, saved)) = agents.get_mut(*entity) else {
            return false;
        };
        let brain = brain.bypass_change_detection();
        let Some(file) = files.get(&tree.0) else {
            return true;
        };
        let name = file.name();
        if is_for::<A>(&file.tree) == Some(false) {
            found.push(other_agent::<A>(*entity, file));
            return false;
        }
        if !trees.names().any(|known| known == name) {
            // It is reported with what is wrong with it.
            return true;
        }
        match brain.runner_mut() {
            None => {
                let runner = runner_of(*entity, trees, name, (seed, saved), &mut found);
                if saved.is_some() {
                    commands.entity(*entity).try_remove::<SavedBrain>();
                }
                if let Some(runner) = runner {
                    brain.begin(runner);
                    if let Some(runner) = brain.runner_mut() {
                        let id = wakes.join(*entity, runner);
                        brain.set_id(id);
                    }
                }
            }
            Some(runner) if runner.tree() != name => {
                if runner.load(name).is_err() {
                    // It runs trees in which there was none of that name.
                    if wakes.reloads.tell(runner)
                        && let Some(id) = brain.id()
                    {
                        wakes.queue.wake(id);
                        moves = true;
                        return true;
                    }
                    let why = format!("entity {entity}: its trees were built in code, and none of them is `{name}`");
                    found.push(Problem::new(Code::UnknownTree, name, why));
                }
                wakes.schedule(brain);
            }
            Some(_) => {}
        }
        false
    });
    *looks = moves;
    if !found.is_empty() {
        problems.write(TreeProblems::reported(Some(short_name::<A>()), found));
    }
}

/// The runner of an entity: what it was, if it was saved, else one that starts.
fn runner_of<A: EcsAgent>(
    entity: Entity,
    trees: &Trees<A>,
    name: &str,
    (seed, saved): (Option<&BtSeed>, Option<&SavedBrain>),
    found: &mut Vec<Problem>,
) -> Option<Runner<A>> {
    if let Some(saved) = saved {
        match saved.restore(trees) {
            Ok(runner) => return Some(runner),
            Err(error) => {
                let why = format!(
                    "entity {entity}: it starts anew, because its `SavedBrain` cannot be restored: {error}"
                );
                found.push(Problem::new(Code::WrongForm, name, why));
            }
        }
    }
    let mut runner = Runner::new(trees, name).ok()?;
    if let Some(seed) = seed {
        runner.set_seed(seed.0);
    }
    runner.start();
    Some(runner)
}

fn other_agent<A: EcsAgent>(entity: Entity, file: &TreeFile) -> Problem {
    let (agent, of) = (short_name::<A>(), file.tree.agent().unwrap_or_default());
    let why = format!(
        "the tree is for agent `{of}`, and entity {entity}, which names it, is a `{agent}`"
    );
    Problem::new(Code::OtherAgent, file.name(), why).with_help(format!(
        "name `{agent}` in the file's `agent_name`, or give the entity another `BehaviorTree`"
    ))
}
