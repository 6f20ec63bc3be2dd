//! Components as keys of the blackboard: a change wakes the guards on them.

use bevy_ecs::prelude::*;
use serde_json::Value;

use crate::{Brain, EcsAgent, Wakes};

/// A component, and the brain that has it as a key.
type Written<C, A> = (Ref<'static, C>, &'static mut Brain<A>);

/// A system that writes a component to a key of its agent when it has changed, or the agent has begun.
pub(crate) fn write_key<A: EcsAgent, C: Component, V: Into<Value>>(
    key: &'static str,
    read: impl Fn(&C) -> V + Send + Sync + 'static,
) -> impl FnMut(Query<'_, '_, Written<C, A>>, ResMut<'_, Wakes<A>>) {
    move |mut all, mut wakes| {
        let wakes = wakes.bypass_change_detection();
        let write = |wakes: &mut Wakes<A>, component: &C, mut brain: Mut<'_, Brain<A>>| {
            let brain = brain.bypass_change_detection();
            if let Some(runner) = brain.runner_mut() {
                runner.blackboard().set(key, read(component));
                wakes.schedule(brain);
            }
        };
        for (component, brain) in &mut all {
            if component.is_changed() {
                write(wakes, &component, brain);
            }
        }
        for at in 0..wakes.begun.len() {
            if let Ok((component, brain)) = all.get_mut(wakes.begun[at]) {
                write(wakes, &component, brain);
            }
        }
    }
}
