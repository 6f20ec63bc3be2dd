//! The plugin, and what an app says about its agents.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::SystemParam;
use serde_json::Value;

use crate::ecs::short_name;
use crate::reach::Reach;
use crate::{BtClock, EcsAgent, Fire, TreeEnded, Wakes};
use crate::{clock, events, exits, keys, paused, poll};

/// Trees run: in [`FixedUpdate`], unless another schedule is named.
///
/// Add it after Bevy's `AssetPlugin`, which `DefaultPlugins` have, and before the agents.
#[derive(Debug, Clone)]
pub struct BtPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    reload_budget: usize,
    parts: Option<usize>,
    seed: u64,
}

impl Default for BtPlugin {
    fn default() -> BtPlugin {
        BtPlugin::in_schedule(FixedUpdate)
    }
}

impl BtPlugin {
    /// Trees run in that schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> BtPlugin {
        BtPlugin {
            schedule: schedule.intern(),
            reload_budget: 10_000,
            parts: None,
            seed: 0,
        }
    }

    /// Sets how many agents are looked at in each round after their trees changed; 10,000 by default. Only those of which
    /// an active node changed cannot wait until they are due.
    #[must_use]
    pub fn reload_budget(mut self, agents: usize) -> BtPlugin {
        self.reload_budget = agents.max(1);
        self
    }

    /// Sets in how many parts the agents are polled that [`add_agent_parallel`](AddAgent::add_agent_parallel) added; four
    /// for each thread by default. The result is the same for any number.
    #[must_use]
    pub fn parts(mut self, parts: usize) -> BtPlugin {
        self.parts = Some(parts.max(1));
        self
    }

    /// Sets the seed from which each agent without a [`BtSeed`](crate::BtSeed) gets one of its own; 0 by default.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> BtPlugin {
        self.seed = seed;
        self
    }
}

/// The settings of the plugin.
#[derive(Resource, Debug, Clone)]
pub(crate) struct Settings {
    schedule: Interned<dyn ScheduleLabel>,
    #[cfg_attr(not(feature = "asset"), expect(dead_code))]
    pub(crate) reload_budget: usize,
    pub(crate) parts: Option<usize>,
    seed: u64,
}

/// The systems of trees, in their schedule.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BtSystems {
    /// All of them: a `run_if` on it lets trees stand still while it says no, their time included.
    All,
    /// Time passes, and what changed wakes agents.
    Wake,
    /// Those who are due are polled.
    Poll,
}

/// The steps of [`BtSystems::Wake`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Those whose tree has come begin.
    Begin,
    /// Changes wake agents.
    Notice,
}

impl Plugin for BtPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Settings {
            schedule: self.schedule,
            reload_budget: self.reload_budget,
            parts: self.parts,
            seed: self.seed,
        });
        app.init_resource::<BtClock>()
            .add_message::<TreeEnded>()
            .register_type::<crate::BtPaused>()
            .register_type::<crate::BtSeed>()
            .register_type::<crate::SavedBrain>();
        let parts = (BtSystems::Wake, BtSystems::Poll).chain();
        app.configure_sets(self.schedule, parts.in_set(BtSystems::All));
        app.add_systems(
            self.schedule,
            clock::tick.in_set(BtSystems::All).before(BtSystems::Wake),
        );
        let steps = (Step::Begin, Step::Notice).chain();
        app.configure_sets(self.schedule, steps.in_set(BtSystems::Wake));
        #[cfg(feature = "asset")]
        {
            crate::files::plugin(app);
            let report = crate::trees::report_unexpected.after(Step::Begin);
            app.add_systems(self.schedule, report.before(Step::Notice));
        }
    }
}

/// The agents of an app.
pub trait AddAgent {
    /// Lets entities with this component run trees. Call it before the first of them is spawned.
    ///
    /// # Panics
    /// If there is no [`BtPlugin`], if the type was added before, and if its world's parameters contradict the agent
    /// itself, which the poll borrows: Bevy's B0001 names both.
    fn add_agent<A: EcsAgent>(&mut self) -> &mut Self;

    /// The same for agents whose world can be copied to each thread, because it only reads, such as `Query<&Transform>`:
    /// `#[derive(SystemParam, Clone)]`. They change themselves, and anything else by
    /// [`Ecs::queue`](crate::Ecs::queue).
    ///
    /// # Panics
    /// As [`add_agent`](AddAgent::add_agent).
    fn add_agent_parallel<A: EcsAgent>(&mut self) -> &mut Self
    where
        for<'w, 's> <A::Params as SystemParam>::Item<'w, 's>: Clone + Send;

    /// Writes a component of an agent's entity to a key of its blackboard, when its tree begins and whenever the component
    /// changes: guards on the key wake by that alone.
    fn add_key<A: EcsAgent, C: Component, V: Into<Value> + 'static>(
        &mut self,
        key: &'static str,
        read: impl Fn(&C) -> V + Send + Sync + 'static,
    ) -> &mut Self;

    /// Fires an event at an agent's tree whenever an event of the game is triggered for its entity.
    fn fire_on<A: EcsAgent, E: EntityEvent>(
        &mut self,
        event: impl Fn(&E) -> bt_core::Event + Send + Sync + 'static,
    ) -> &mut Self;
}

/// The settings, for agents of a type that is added now.
fn settings<A: EcsAgent>(app: &App) -> Settings {
    let settings = app.world().get_resource::<Settings>();
    settings.cloned().unwrap_or_else(|| {
        let agent = short_name::<A>();
        panic!("`{agent}` cannot run trees: there is no `BtPlugin`; write `app.add_plugins(BtPlugin::default())` before `add_agent::<{agent}>()`")
    })
}

/// Adds what is the same however agents are polled.
fn add<A: EcsAgent>(app: &mut App) -> Settings {
    let settings = settings::<A>(app);
    let agent = short_name::<A>();
    assert!(
        !app.world().contains_resource::<Wakes<A>>(),
        "`{agent}` was added before: `add_agent::<{agent}>()` stands once in an app"
    );
    let mut wakes = Wakes::<A>::default();
    wakes.queue.set_seed(settings.seed);
    app.insert_resource(wakes);
    exits::plugin::<A>(app);
    app.register_required_components::<A, crate::Brain<A>>();
    let reach = Reach::<A>::first(app.world_mut());
    app.insert_resource(reach);
    app.add_observer(events::deliver::<A>)
        .add_observer(paused::pause::<A>)
        .add_observer(paused::resume::<A>);
    let wake = (poll::wake_for_reload::<A>, paused::pause_begun::<A>).chain();
    app.add_systems(settings.schedule, wake.in_set(Step::Notice));
    crate::saved::plugin::<A>(app);
    #[cfg(feature = "asset")]
    crate::trees::plugin::<A>(app, settings.schedule);
    #[cfg(feature = "port")]
    crate::port::add::<A>(app);
    settings
}

impl AddAgent for App {
    fn add_agent<A: EcsAgent>(&mut self) -> &mut App {
        let settings = add::<A>(self);
        self.add_systems(settings.schedule, poll::poll::<A>.in_set(BtSystems::Poll))
    }

    fn add_agent_parallel<A: EcsAgent>(&mut self) -> &mut App
    where
        for<'w, 's> <A::Params as SystemParam>::Item<'w, 's>: Clone + Send,
    {
        let settings = add::<A>(self);
        let poll = poll::poll_in_parts::<A>.in_set(BtSystems::Poll);
        self.add_systems(settings.schedule, poll)
    }

    fn add_key<A: EcsAgent, C: Component, V: Into<Value> + 'static>(
        &mut self,
        key: &'static str,
        read: impl Fn(&C) -> V + Send + Sync + 'static,
    ) -> &mut App {
        let settings = settings::<A>(self);
        let write = keys::write_key::<A, C, V>(key, read);
        self.add_systems(settings.schedule, write.in_set(Step::Notice))
    }

    fn fire_on<A: EcsAgent, E: EntityEvent>(
        &mut self,
        event: impl Fn(&E) -> bt_core::Event + Send + Sync + 'static,
    ) -> &mut App {
        self.add_observer(move |on: On<E>, mut commands: Commands<'_, '_>| {
            let fire = Fire::new(on.event().event_target(), event(on.event()));
            commands.queue(move |world: &mut World| fire.send(world));
        })
    }
}
