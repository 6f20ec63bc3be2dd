//! Agents that are paused.

use bevy_ecs::lifecycle::{Insert, Remove};
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;

use crate::{Brains, BtClock, EcsAgent};

/// Pauses the entity's trees as long as it is there: what waits for a time waits as much longer, and what arrives is
/// kept.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component)]
pub struct BtPaused;

pub(crate) fn pause<A: EcsAgent>(
    on: On<Insert<BtPaused>>,
    mut brains: Brains<A>,
    clock: Res<BtClock>,
) {
    let now = clock.now();
    brains.with(on.event().entity, |runner| runner.pause_at(now));
}

pub(crate) fn resume<A: EcsAgent>(on: On<Remove<BtPaused>>, mut brains: Brains<A>) {
    brains.with(on.event().entity, |runner| runner.resume());
}

/// Pauses those whose tree was loaded meanwhile.
pub(crate) fn pause_begun<A: EcsAgent>(
    paused: Query<(), With<BtPaused>>,
    mut brains: Brains<A>,
    clock: Res<BtClock>,
) {
    let now = clock.now();
    for entity in brains.begun() {
        if paused.contains(entity) {
            brains.with(entity, |runner| runner.pause_at(now));
        }
    }
}
