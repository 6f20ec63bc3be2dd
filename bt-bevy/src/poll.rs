//! A round: those who are due are polled, one after the other or in parts side by side.

use std::time::Duration;

use bevy_ecs::entity::EntityIndexSet;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{StaticSystemParam, SystemParam};
use bevy_ecs::world::CommandQueue;
use bevy_tasks::{ComputeTaskPool, TaskPool};
use bt_core::pool::{AgentId, Effects, Reloads, WakeQueue};
use bt_core::{Runner, Status};

use crate::plugin::Settings;
use crate::{Brain, BtClock, EcsAgent, TreeEnded, Wakes};

/// The effects of a part of a round.
#[derive(Default)]
struct After {
    /// On each other.
    effects: Effects,
    ended: Vec<TreeEnded>,
    commands: CommandQueue,
}

impl After {
    /// The round is over.
    fn apply(mut self, commands: &mut Commands<'_, '_>) {
        self.effects.apply();
        commands.append(&mut self.commands);
        let ended = self.ended;
        if !ended.is_empty() {
            commands.queue(move |world: &mut World| _ = world.write_message_batch(ended));
        }
    }
}

/// Polls one agent in its turn.
fn turn<A: EcsAgent>(
    entity: Entity,
    agent: &mut Mut<'_, A>,
    runner: &mut Runner<A>,
    world: &mut A::World<'_, '_>,
    now: Duration,
    ended: &mut Vec<TreeEnded>,
) {
    A::begin_turn(world, entity);
    let poll = runner.poll_in(agent.bypass_change_detection(), world, now);
    if poll.touched {
        agent.set_changed();
    }
    if poll.status != Status::Running {
        let success = poll.status == Status::Success;
        ended.push(TreeEnded { entity, success });
    }
}

/// Polls those who are due, one after the other.
pub(crate) fn poll<A: EcsAgent>(
    mut agents: Query<'_, '_, (&mut A, &mut Brain<A>)>,
    mut wakes: ResMut<'_, Wakes<A>>,
    clock: Res<'_, BtClock>,
    params: StaticSystemParam<'_, '_, A::Params>,
    mut commands: Commands<'_, '_>,
) {
    let now = clock.now();
    let wakes = wakes.bypass_change_detection();
    let due = wakes.begin_round(now);
    if due.is_empty() {
        return wakes.end_round(due);
    }
    let mut world = A::lend(params.into_inner());
    let mut after = After::default();
    let ended = &mut after.ended;
    after.effects.collect(|| {
        for id in &due {
            let entity = wakes.entity(*id);
            let Ok((mut agent, mut brain)) = agents.get_mut(entity) else {
                continue;
            };
            let Some(runner) = brain.bypass_change_detection().runner_mut() else {
                continue;
            };
            wakes.queue.begin_turn(*id);
            wakes.reloads.tell(runner);
            turn(entity, &mut agent, runner, &mut world, now, ended);
            wakes.queue.schedule(*id, runner);
        }
    });
    after.commands = A::take_effects(&mut world);
    after.apply(&mut commands);
    wakes.end_round(due);
}

/// An agent that is due.
struct Due<'q, A: EcsAgent> {
    id: AgentId,
    entity: Entity,
    agent: Mut<'q, A>,
    brain: &'q mut Brain<A>,
}

/// Polls those who are due in parts, each with a copy of the parameters, on the threads of the compute pool.
pub(crate) fn poll_in_parts<A: EcsAgent>(
    mut agents: Query<'_, '_, (&mut A, &mut Brain<A>)>,
    mut wakes: ResMut<'_, Wakes<A>>,
    clock: Res<'_, BtClock>,
    settings: Res<'_, Settings>,
    params: StaticSystemParam<'_, '_, A::Params>,
    mut commands: Commands<'_, '_>,
) where
    for<'w, 's> <A::Params as SystemParam>::Item<'w, 's>: Clone + Send,
{
    let now = clock.now();
    let wakes = wakes.bypass_change_detection();
    let due = wakes.begin_round(now);
    if due.is_empty() {
        return wakes.end_round(due);
    }
    // Different ids have different entities.
    let entities = due.iter().map(|id| wakes.entity(*id));
    let set: EntityIndexSet = entities.collect();
    let found = agents.iter_many_unique_mut(&set);
    let turns = due.iter().zip(&set).zip(found);
    let turns = turns.filter_map(|((id, entity), found)| {
        let (agent, brain) = found.ok()?;
        Some(Due {
            id: *id,
            entity: *entity,
            agent,
            brain: brain.into_inner(),
        })
    });
    let mut turns: Vec<Due<'_, A>> = turns.collect();
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    let parts = settings.parts.unwrap_or(pool.thread_num() * 4).max(1);
    let size = turns.len().div_ceil(parts).max(1);
    let params = params.into_inner();
    let (queue, reloads) = (&wakes.queue, &wakes.reloads);
    let all = pool.scope(|scope| {
        for part in turns.chunks_mut(size) {
            let params = params.clone();
            scope.spawn(async move { poll_part(part, params, (queue, reloads), now) });
        }
    });
    for Due { id, brain, .. } in &mut turns {
        if let Some(runner) = brain.runner_mut() {
            wakes.queue.schedule(*id, runner);
        }
    }
    all.into_iter().for_each(|after| after.apply(&mut commands));
    wakes.end_round(due);
}

fn poll_part<A: EcsAgent>(
    part: &mut [Due<'_, A>],
    params: <A::Params as SystemParam>::Item<'_, '_>,
    (queue, reloads): (&WakeQueue, &Reloads<A>),
    now: Duration,
) -> After {
    let mut world = A::lend(params);
    let mut after = After::default();
    let ended = &mut after.ended;
    after.effects.collect(|| {
        for due in part {
            let Some(runner) = due.brain.runner_mut() else {
                continue;
            };
            queue.begin_turn(due.id);
            reloads.tell(runner);
            turn(due.entity, &mut due.agent, runner, &mut world, now, ended);
        }
    });
    after.commands = A::take_effects(&mut world);
    after
}

/// Wakes agents whose active nodes changed, as many as one round looks at.
pub(crate) fn wake_for_reload<A: EcsAgent>(
    mut brains: Query<'_, '_, &mut Brain<A>>,
    mut wakes: ResMut<'_, Wakes<A>>,
) {
    let wakes = wakes.bypass_change_detection();
    if !wakes.reloads.is_looking() {
        return;
    }
    let mut reloads = std::mem::take(&mut wakes.reloads);
    let Wakes {
        queue, entities, ..
    } = wakes;
    queue.reload(&mut reloads, |id, look| {
        if let Ok(mut brain) = brains.get_mut(entities[id.index() as usize])
            && let Some(runner) = brain.bypass_change_detection().runner_mut()
        {
            look(runner);
        }
    });
    wakes.reloads = reloads;
}
