//! Inputs done to agents, and refused: whoever sent one learns why.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::pool::AgentId;
use bt_core::{Agent, Runner};
use serde_json::{Value, json};

use super::{Env, Live};
use crate::config::is_name;
use crate::key::Key;
use crate::member::Tag;
use crate::store::{Append, Message, Stream};
use crate::wire::input::{Control, Input, What};
use crate::wire::{read, write};

impl<A: Agent> Live<A> {
    pub(super) fn apply<'w, 's>(
        &mut self,
        env: &mut Env<'_, A>,
        message: &Message,
        world: &mut A::World<'w, 's>,
    ) {
        match read::<Input>(&message.body) {
            Err(why) => {
                let why = format!("it is not an input of a fleet: {why}");
                refuse(env, message, None, None, &why);
            }
            Ok(Input::One { from, key, what }) => {
                self.do_one(env, message, from.as_deref(), &key, what, world);
            }
            Ok(Input::Effects { from, first, all }) => {
                for (number, (key, what)) in (first..).zip(all) {
                    let before = self.senders.entry(from).or_default();
                    if number <= *before {
                        env.metrics.repeated_effects += 1;
                        continue;
                    }
                    *before = number;
                    self.do_one(env, message, None, &key, what, world);
                }
            }
        }
    }

    fn do_one<'w, 's>(
        &mut self,
        env: &mut Env<'_, A>,
        message: &Message,
        from: Option<&str>,
        key: &Key,
        what: What,
        world: &mut A::World<'w, 's>,
    ) {
        let done = match env.config.shard(key) == env.shard {
            true => self.do_to(env, key, what, world),
            false => Err(format!("`{key}` is not of shard {}", env.shard)),
        };
        match done {
            Ok(()) => env.metrics.inputs += 1,
            Err(why) => refuse(env, message, from, Some(key), &why),
        }
    }

    fn do_to<'w, 's>(
        &mut self,
        env: &mut Env<'_, A>,
        key: &Key,
        what: What,
        world: &mut A::World<'w, 's>,
    ) -> Result<(), String> {
        if let What::Spawn { tree, args } = what {
            return self.spawn(env, key, &tree, &args);
        }
        let id = self.keys.id(key).filter(|id| self.pool.contains(*id));
        let id = match id {
            Some(id) => id,
            None if self.stranded.contains_key(key) => {
                return Err(format!("agent `{key}` cannot be restored by its member"));
            }
            None => return Err(format!("there is no agent `{key}`: spawn it first")),
        };
        match what {
            What::Spawn { .. } => Ok(()),
            What::Despawn => {
                self.pool.despawn_in(id, world);
                Ok(())
            }
            What::Fire { event, params } => self.fire(env, id, key, &event, &params),
            What::Finish { action, success } => {
                let runner = self.runner(id)?;
                match runner.finish_pending(&action, success) {
                    0 => Err(format!(
                        "agent `{key}` does not wait for an action `{action}`"
                    )),
                    _ => Ok(()),
                }
            }
            What::Write { name, value } => {
                let written = self.runner(id)?.blackboard().try_set(&name, value);
                written.map_err(|error| error.to_string())
            }
            What::Control(control) => self.control(id, control, world),
        }
    }

    fn runner(&mut self, id: AgentId) -> Result<&mut Runner<A>, String> {
        let found = self.pool.get_mut(id).map(|(_, runner)| runner);
        found.ok_or_else(|| "it has gone".to_owned())
    }

    fn spawn(
        &mut self,
        env: &mut Env<'_, A>,
        key: &Key,
        tree: &str,
        args: &Value,
    ) -> Result<(), String> {
        if let Some(fault) = key.fault() {
            return Err(fault);
        }
        match self.keys.id(key) {
            Some(id) if self.pool.contains(id) => {
                return Err(format!("there is an agent `{key}` already"));
            }
            // It despawned itself, and was not saved since.
            Some(id) => self.forget(id),
            None if self.stranded.contains_key(key) => {
                return Err(format!(
                    "there is an agent `{key}`, which cannot be restored here"
                ));
            }
            None => {}
        }
        let runner = Runner::new(env.trees, tree).map_err(|error| error.to_string())?;
        let spawn = &mut env.hooks.spawn;
        let made = catch_unwind(AssertUnwindSafe(|| spawn(key, args)));
        let made = made.map_err(|_| "the function that makes agents panicked".to_owned());
        let mut agent = made.flatten()?;
        let mut runner = runner.seed(key.hash());
        if let Some(prepare) = &mut env.hooks.prepare {
            prepare(key, &mut agent, &mut runner);
        }
        runner.start();
        let id = self.pool.spawn(agent, runner);
        self.keys.insert(key.clone(), id);
        Ok(())
    }

    fn fire(
        &mut self,
        env: &mut Env<'_, A>,
        id: AgentId,
        key: &Key,
        event: &str,
        params: &Value,
    ) -> Result<(), String> {
        let agent = env.registry.agent_of::<A>();
        let agent = agent.ok_or("the agents' type is not registered: derive `Agent`")?;
        let event = agent.make_event(event, params);
        let event = event.map_err(|error| error.to_string())?;
        if let Some(heard) = &mut env.hooks.heard
            && let Some((agent, _)) = self.pool.get_mut(id)
        {
            let called = catch_unwind(AssertUnwindSafe(|| heard(key, agent, &event)));
            called.map_err(|_| "the function that hears events panicked".to_owned())?;
        }
        self.pool.fire(id, event);
        Ok(())
    }

    fn control<'w, 's>(
        &mut self,
        id: AgentId,
        control: Control,
        world: &mut A::World<'w, 's>,
    ) -> Result<(), String> {
        let now = self.pool.now();
        match control {
            Control::Pause => _ = self.pool.pause(id),
            Control::Resume => _ = self.pool.resume(id),
            Control::Start => self.runner(id)?.start(),
            Control::Stop => {
                if let Some((agent, runner)) = self.pool.get_mut(id) {
                    runner.stop_in(agent, world, now);
                }
            }
            Control::Reset => self.runner(id)?.reset(),
            Control::Load(tree) => {
                let loaded = self.runner(id)?.load(&tree);
                loaded.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

/// Counts an input that was refused, and says why to whoever sent it.
fn refuse<A: Agent>(
    env: &mut Env<'_, A>,
    message: &Message,
    from: Option<&str>,
    key: Option<&Key>,
    why: &str,
) {
    env.metrics.refused_inputs += 1;
    tracing::debug!(target: "bt_fleet", "shard {}: input {}: {why}", env.shard, message.seq);
    let Some(from) = from.filter(|from| is_name(from)) else {
        return;
    };
    let refusal = json!({"id": message.id, "key": key.map(Key::to_string), "why": why});
    let append = Append {
        stream: Stream::Out,
        subject: format!("refused.{from}"),
        id: Some(format!("refused-{}-{}", env.shard, message.seq)),
        expect: None,
        body: write(&refusal),
    };
    env.calls.append(Tag::None, append);
}
