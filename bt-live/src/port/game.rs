//! The game's side of a port: what the host lends it at a frame boundary.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bt_core::debug::{Breakpoints, Forced, ForcedNode, Step, Stop};
use bt_core::pool::{AgentId, Pool};
use bt_core::reload::{Changes, Reload};
use bt_core::trace::{Held, Picture, Tracer};
use bt_core::tree::asset::Problem;
use bt_core::{ActiveLeaf, Agent, Event, Explanation, Outcome, Registry, Runner, Session};
use serde_json::Value;

use super::sources::{Sources, Texts};
use crate::protocol::Error;

/// An agent, to look at.
pub trait View {
    /// The registered name of its type.
    fn agent_type(&self) -> &str;
    /// Its current tree.
    fn tree(&self) -> &str;
    /// Returns true if the tree runs, or is about to.
    fn is_running(&self) -> bool;
    /// Returns true if it is paused.
    fn is_paused(&self) -> bool;
    /// The picture of what there is: active nodes, and the blackboard with what `shown` makes of each value,
    /// none to leave it out.
    fn picture_with(&self, shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>) -> Picture;
    /// The leaves that wait.
    fn leaves(&self) -> Vec<ActiveLeaf>;
    /// The reasons why it waits, at a time of the game's clock.
    fn explain(&self, now: Duration) -> Explanation;
    /// The diagnostics, the newest last.
    fn diagnostics(&self) -> Vec<String>;
    /// The stop of the agent, if it is stopped.
    fn stopped(&self) -> Option<Stop>;
    /// The nodes whose result is forced.
    fn forced(&self) -> Vec<ForcedNode>;
    /// Returns true if its tree failed in the last poll, or for good.
    fn has_failed(&self) -> bool {
        false
    }
    /// The number of the last diagnostics.
    fn problems(&self) -> usize {
        self.diagnostics().len()
    }
    /// The number of reloads that are over.
    fn reloads(&self) -> u32 {
        0
    }
    /// The report of what the last reload did.
    fn last_reload(&self) -> Option<&Reload> {
        None
    }
    /// Returns true if events wait for it.
    fn has_queued_events(&self) -> bool {
        false
    }
}

impl<A: Agent> View for Runner<A> {
    fn agent_type(&self) -> &str {
        let info = self.trees().registry().agent_of::<A>();
        info.map_or("agent", |info| info.full_name())
    }

    fn tree(&self) -> &str {
        self.tree()
    }

    fn is_running(&self) -> bool {
        self.is_running()
    }

    fn is_paused(&self) -> bool {
        self.is_paused()
    }

    fn picture_with(&self, shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>) -> Picture {
        self.picture_with(shown)
    }

    fn leaves(&self) -> Vec<ActiveLeaf> {
        self.active_leaves()
    }

    fn explain(&self, now: Duration) -> Explanation {
        self.explain_at(now)
    }

    fn diagnostics(&self) -> Vec<String> {
        self.diagnostics().iter().map(ToString::to_string).collect()
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped().cloned()
    }

    fn forced(&self) -> Vec<ForcedNode> {
        self.forced()
    }

    fn has_failed(&self) -> bool {
        self.has_failed()
    }

    fn problems(&self) -> usize {
        self.diagnostics().len()
    }

    fn reloads(&self) -> u32 {
        self.reloads()
    }

    fn last_reload(&self) -> Option<&Reload> {
        self.last_reload()
    }

    fn has_queued_events(&self) -> bool {
        self.has_queued_events()
    }
}

/// An agent with its world, to change. [`Borrowed`] is one of any type.
pub trait Subject {
    /// The agent, to look at.
    fn view(&self) -> &dyn View;
    /// The names of its properties.
    fn property_names(&self) -> Vec<String>;
    /// A property; none where there is none of that name, or it has no JSON form.
    fn property(&mut self, name: &str) -> Option<Value>;
    /// Writes a key.
    ///
    /// # Errors
    /// If the value is not of the declared type.
    fn set_key(&mut self, key: &str, value: Value) -> Result<(), Error>;
    /// Writes a property.
    ///
    /// # Errors
    /// If there is none of that name, or it cannot be set, or not to that.
    fn set_property(&mut self, property: &str, value: &Value) -> Result<(), Error>;
    /// Calls an action, outside of the trees.
    ///
    /// # Errors
    /// If there is none of that name, or the arguments are not its.
    fn call(&mut self, action: &str, args: &Value) -> Result<Outcome, Error>;
    /// Fires an event.
    ///
    /// # Errors
    /// If the agent registers the event with other parameters.
    fn fire(&mut self, event: &str, params: &BTreeMap<String, Value>) -> Result<(), Error>;
    /// Finishes a waiting leaf; whether there is one.
    fn finish(&mut self, tree: &str, idx: u32, success: bool) -> bool;
    /// Starts the tree.
    fn start(&mut self);
    /// Stops the tree.
    fn stop(&mut self);
    /// Aborts everything, clears the blackboard and starts the tree again.
    fn reset(&mut self);
    /// Runs another tree.
    ///
    /// # Errors
    /// If there is no such tree.
    fn load(&mut self, tree: &str) -> Result<(), Error>;
    /// Pauses the agent.
    fn pause(&mut self);
    /// Resumes the agent.
    fn resume(&mut self);
    /// Sets who gets its records, and gives who got them.
    fn set_tracer(&mut self, tracer: Option<Box<dyn Tracer>>) -> Option<Box<dyn Tracer>>;
    /// Sets where it stops.
    fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>);
    /// Stops it at the next place where it can.
    fn stop_next(&mut self);
    /// Takes back a stop that was requested, and a step that is not done.
    fn end_steps(&mut self);
    /// Lets it go on from a stop.
    ///
    /// # Errors
    /// If it is not at that stop, or there is no such node.
    fn step(&mut self, number: u64, step: Step) -> Result<(), Error>;
    /// Forces the result of a node, or does so no more.
    ///
    /// # Errors
    /// If there is no such node.
    fn force(&mut self, tree: &str, idx: u32, forced: Option<Forced>) -> Result<(), Error>;
}

/// Everything that a host lends a port at a frame boundary: its agents and trees.
///
/// [`PoolGame`] is one for a [`Pool`], [`AgentsGame`] for agents that the host keeps itself. A host whose agents
/// are of several types implements it, by [`Borrowed`] of each.
pub trait Game {
    /// The time on the game's clock.
    fn now(&self) -> Duration;
    /// The number of agents.
    fn count(&self) -> usize;
    /// The ids of agents in their order: those after one, at most so many.
    fn ids(&self, after: Option<u64>, most: usize) -> Vec<u64>;
    /// The name of an agent for people.
    fn name(&self, id: u64) -> String {
        id.to_string()
    }
    /// Lends an agent, to look at; whether it is there.
    fn look(&mut self, id: u64, see: &mut dyn FnMut(&dyn View)) -> bool;
    /// Lends an agent, to change; whether it is there.
    fn change(&mut self, id: u64, change: &mut dyn FnMut(&mut dyn Subject)) -> bool;
    /// The registry that knows the agents: that of the program, unless they are described at run time.
    fn registry(&self) -> Option<&'static Registry> {
        Registry::global().ok()
    }
    /// The texts of the trees, by name; none where the host does not give them.
    fn texts(&self) -> Arc<Texts>;
    /// A function that builds trees to replace those that there are: see [`Build`].
    fn build(&self) -> Build;
    /// Replaces the trees by those that were [built](Game::build) of these texts; how many agents move to others.
    fn replace(&mut self, texts: Arc<Texts>, built: Built) -> usize;
}

/// Builds trees from all texts, or finds everything that is wrong with them. A thread of the port calls it, so that the
/// game's has no part in it, however many they are.
pub type Build = Box<dyn FnOnce(&Texts) -> Result<Built, Vec<Problem>> + Send>;

/// The result of a game's build of texts: [`Game::replace`] knows its type.
pub type Built = Box<dyn Any + Send>;

/// An agent with its runner and its world, for as long as a port looks at it.
#[derive(Debug)]
pub struct Borrowed<'g, 'w, 's, A: Agent> {
    agent: &'g mut A,
    runner: &'g mut Runner<A>,
    world: &'g mut A::World<'w, 's>,
    now: Duration,
}

impl<'g, 'w, 's, A: Agent> Borrowed<'g, 'w, 's, A> {
    /// Of an agent, its runner, its world, and the time on the game's clock.
    pub fn new(
        agent: &'g mut A,
        runner: &'g mut Runner<A>,
        world: &'g mut A::World<'w, 's>,
        now: Duration,
    ) -> Borrowed<'g, 'w, 's, A> {
        Borrowed {
            agent,
            runner,
            world,
            now,
        }
    }

    /// The session that a getter or setter gets its context from; it belongs to no action.
    fn session(&self) -> Session {
        let mut session = Session::new(0);
        session.set_now(self.now);
        session
    }
}

impl<A: Agent> Subject for Borrowed<'_, '_, '_, A> {
    fn view(&self) -> &dyn View {
        self.runner
    }

    fn property_names(&self) -> Vec<String> {
        let names = set_of(self.runner).map(|set| set.properties().names());
        let names = names.into_iter().flatten();
        names.map(|name| name.to_owned()).collect()
    }

    fn property(&mut self, name: &str) -> Option<Value> {
        let mut session = self.session();
        let cx = &mut session.context();
        let all = set_of(self.runner)?.properties();
        all.find(name).ok()?.get(self.agent, self.world, cx).ok()
    }

    fn set_key(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let written = self.runner.blackboard().try_set(key, value);
        written.map_err(Error::refused)
    }

    fn set_property(&mut self, property: &str, value: &Value) -> Result<(), Error> {
        let registry = self.runner.trees().registry();
        let mut session = self.session();
        let cx = &mut session.context();
        let set = registry.set(self.agent, self.world, cx, property, value);
        set.map_err(Error::refused)
    }

    fn call(&mut self, action: &str, args: &Value) -> Result<Outcome, Error> {
        let called = self
            .runner
            .invoke_in(self.agent, self.world, self.now, action, args);
        called.map_err(Error::refused)
    }

    fn fire(&mut self, event: &str, params: &BTreeMap<String, Value>) -> Result<(), Error> {
        let info = self.runner.trees().registry().agent_of::<A>();
        let fired = match info {
            Some(info) if info.event(event).is_ok() => {
                let params = params.iter();
                let params = params.map(|(name, value)| (name.clone(), value.clone()));
                let made = info.make_event(event, &Value::Object(params.collect()));
                made.map_err(Error::refused)?
            }
            // Trees may wait for events that nobody registers.
            _ => params
                .iter()
                .fold(Event::new(event), |event, (name, value)| {
                    event.with(name.as_str(), value)
                }),
        };
        self.runner.fire(fired);
        Ok(())
    }

    fn finish(&mut self, tree: &str, idx: u32, success: bool) -> bool {
        let leaves = self.runner.active_leaves();
        let leaf = leaves
            .iter()
            .find(|leaf| leaf.tree == tree && leaf.idx == idx);
        if let Some(leaf) = leaf {
            self.runner.finish(leaf.id, success);
        }
        leaf.is_some()
    }

    fn start(&mut self) {
        self.runner.start();
    }

    fn stop(&mut self) {
        self.runner.stop_in(self.agent, self.world, self.now);
    }

    fn reset(&mut self) {
        self.runner.reset();
    }

    fn load(&mut self, tree: &str) -> Result<(), Error> {
        self.runner.load(tree).map_err(Error::unknown)
    }

    fn pause(&mut self) {
        self.runner.pause_at(self.now);
    }

    fn resume(&mut self) {
        self.runner.resume();
    }

    fn set_tracer(&mut self, tracer: Option<Box<dyn Tracer>>) -> Option<Box<dyn Tracer>> {
        self.runner.set_tracer(tracer)
    }

    fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>) {
        self.runner.set_breakpoints(all);
    }

    fn stop_next(&mut self) {
        self.runner.stop_next();
    }

    fn end_steps(&mut self) {
        self.runner.end_steps();
    }

    fn step(&mut self, number: u64, step: Step) -> Result<(), Error> {
        self.runner.step(number, step).map_err(Error::refused)
    }

    fn force(&mut self, tree: &str, idx: u32, forced: Option<Forced>) -> Result<(), Error> {
        let done = self.runner.force(tree, idx, forced);
        done.map_err(Error::unknown)
    }
}

/// The number of agents that are checked in each round after a reload.
const RELOAD_BUDGET: usize = 10_000;

/// A pool and its world, lent to a port. An agent's id is that of [`AgentId::to_bits`].
#[derive(Debug)]
pub struct PoolGame<'g, 'w, 's, A: Agent> {
    pool: &'g mut Pool<A>,
    world: &'g mut A::World<'w, 's>,
    sources: Option<&'g mut Sources<A>>,
}

impl<'g, 'w, 's, A: Agent> PoolGame<'g, 'w, 's, A> {
    /// Of a pool and the world that its agents act on.
    pub fn new(pool: &'g mut Pool<A>, world: &'g mut A::World<'w, 's>) -> PoolGame<'g, 'w, 's, A> {
        PoolGame {
            pool,
            world,
            sources: None,
        }
    }

    /// With the trees' texts, so that clients see and replace them.
    #[must_use]
    pub fn sources(mut self, sources: &'g mut Sources<A>) -> PoolGame<'g, 'w, 's, A> {
        self.sources = Some(sources);
        self
    }
}

impl<A: Agent> Game for PoolGame<'_, '_, '_, A> {
    fn now(&self) -> Duration {
        self.pool.now()
    }

    fn count(&self) -> usize {
        self.pool.len()
    }

    fn ids(&self, after: Option<u64>, most: usize) -> Vec<u64> {
        let later = self.pool.ids_after(after.map(AgentId::from_bits));
        later.map(AgentId::to_bits).take(most).collect()
    }

    fn name(&self, id: u64) -> String {
        AgentId::from_bits(id).to_string()
    }

    fn look(&mut self, id: u64, see: &mut dyn FnMut(&dyn View)) -> bool {
        let found = self.pool.get(AgentId::from_bits(id));
        found.map(|(_, runner)| see(runner)).is_some()
    }

    fn change(&mut self, id: u64, change: &mut dyn FnMut(&mut dyn Subject)) -> bool {
        let now = self.pool.now();
        let Some((agent, runner)) = self.pool.get_mut(AgentId::from_bits(id)) else {
            return false;
        };
        change(&mut Borrowed::new(agent, runner, self.world, now));
        true
    }

    fn registry(&self) -> Option<&'static Registry> {
        let mut runners = self.pool.iter().map(|(_, _, runner)| runner);
        registry_of(runners.next())
    }

    fn texts(&self) -> Arc<Texts> {
        texts_of(self.sources.as_deref())
    }

    fn build(&self) -> Build {
        build_of(self.sources.as_deref())
    }

    fn replace(&mut self, texts: Arc<Texts>, built: Built) -> usize {
        let changes = changes_of(self.sources.as_deref_mut(), texts, built);
        let Some(changes) = changes else { return 0 };
        self.pool.reload(&changes, RELOAD_BUDGET);
        self.pool.len()
    }
}

/// Agents that the host keeps itself, lent to a port: each with its runner, by a number of the host's.
#[derive(Debug)]
pub struct AgentsGame<'g, 'w, 's, A: Agent> {
    agents: BTreeMap<u64, (&'g mut A, &'g mut Runner<A>)>,
    world: &'g mut A::World<'w, 's>,
    now: Duration,
    sources: Option<&'g mut Sources<A>>,
}

impl<'g, 'w, 's, A: Agent> AgentsGame<'g, 'w, 's, A> {
    /// Of agents, the world that they act on, and the time on the game's clock.
    pub fn new(
        agents: impl IntoIterator<Item = (u64, &'g mut A, &'g mut Runner<A>)>,
        world: &'g mut A::World<'w, 's>,
        now: Duration,
    ) -> AgentsGame<'g, 'w, 's, A> {
        let agents = agents.into_iter();
        AgentsGame {
            agents: agents
                .map(|(id, agent, runner)| (id, (agent, runner)))
                .collect(),
            world,
            now,
            sources: None,
        }
    }

    /// With the trees' texts, so that clients see and replace them.
    #[must_use]
    pub fn sources(mut self, sources: &'g mut Sources<A>) -> AgentsGame<'g, 'w, 's, A> {
        self.sources = Some(sources);
        self
    }
}

impl<A: Agent> Game for AgentsGame<'_, '_, '_, A> {
    fn now(&self) -> Duration {
        self.now
    }

    fn count(&self) -> usize {
        self.agents.len()
    }

    fn ids(&self, after: Option<u64>, most: usize) -> Vec<u64> {
        let later = match after {
            Some(after) => self.agents.range(after.saturating_add(1)..),
            None => self.agents.range(..),
        };
        later.map(|(id, _)| *id).take(most).collect()
    }

    fn look(&mut self, id: u64, see: &mut dyn FnMut(&dyn View)) -> bool {
        let found = self.agents.get(&id);
        found.map(|(_, runner)| see(&**runner)).is_some()
    }

    fn change(&mut self, id: u64, change: &mut dyn FnMut(&mut dyn Subject)) -> bool {
        let Some((agent, runner)) = self.agents.get_mut(&id) else {
            return false;
        };
        change(&mut Borrowed::new(
            &mut **agent,
            &mut **runner,
            self.world,
            self.now,
        ));
        true
    }

    fn registry(&self) -> Option<&'static Registry> {
        registry_of(self.agents.values().next().map(|(_, runner)| &**runner))
    }

    fn texts(&self) -> Arc<Texts> {
        texts_of(self.sources.as_deref())
    }

    fn build(&self) -> Build {
        build_of(self.sources.as_deref())
    }

    fn replace(&mut self, texts: Arc<Texts>, built: Built) -> usize {
        let changes = changes_of(self.sources.as_deref_mut(), texts, built);
        let Some(changes) = changes else { return 0 };
        for (_, runner) in self.agents.values_mut() {
            runner.reload(&changes);
        }
        self.agents.len()
    }
}

fn texts_of<A: Agent>(sources: Option<&Sources<A>>) -> Arc<Texts> {
    sources
        .map(|sources| sources.texts().clone())
        .unwrap_or_default()
}

/// The registry of the agents, by one of them.
fn registry_of<A: Agent>(runner: Option<&Runner<A>>) -> Option<&'static Registry> {
    match runner {
        Some(runner) => Some(runner.trees().registry()),
        None => Registry::global().ok(),
    }
}

fn build_of<A: Agent>(sources: Option<&Sources<A>>) -> Build {
    match sources {
        Some(sources) => sources.build(),
        None => Box::new(|_| Ok(Box::new(()))),
    }
}

/// The changes for agents; none if nothing changes.
fn changes_of<A: Agent>(
    sources: Option<&mut Sources<A>>,
    texts: Arc<Texts>,
    built: Built,
) -> Option<Changes<A>> {
    let changes = sources?.take(texts, built)?;
    (!changes.is_empty()).then_some(changes)
}

/// The properties and actions of the agents that run these trees.
fn set_of<A: Agent>(runner: &Runner<A>) -> Option<&'static bt_core::ActionSet<A>> {
    runner.trees().registry().actions::<A>().ok()
}
