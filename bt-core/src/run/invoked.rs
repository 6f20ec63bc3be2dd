//! An action that the host calls, outside of the agent's trees.

use std::time::Duration;

use serde_json::Value;

use super::runner::Runner;
use crate::call::{Control, Outcome};
use crate::error::CallError;
use crate::{Agent, Worldless};

impl<A: Agent> Runner<A> {
    /// Calls an action of the agent by name, as consoles and debuggers do: outside of its trees, with its
    /// blackboard and its random stream, at a time of the host's clock. Arguments are JSON, an array by position or
    /// an object by name.
    ///
    /// The events that the action fires are queued, and what it requests of its trees is done. An action that
    /// would wait is not waited for: nothing finishes it, and its exit method is not called.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::wait_event;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use serde_json::json;
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Cuckoo;
    ///
    /// #[agent]
    /// impl Cuckoo {
    ///     #[action]
    ///     fn call(cx: &mut Context, times: u32) { cx.set("called", times); }
    /// }
    ///
    /// let mut trees = TreeSet::<Cuckoo>::new();
    /// trees.add(TreeAsset::build("sit.json", "cuckoo", wait_event("noon")));
    /// let mut runner = Runner::new(&trees.build()?, "sit.json")?;
    /// runner.invoke(&mut Cuckoo, Duration::ZERO, "call", &json!([12]))?;
    /// assert_eq!(runner.blackboard().get("called"), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Registry::invoke`](crate::registry::Registry::invoke).
    pub fn invoke(
        &mut self,
        agent: &mut A,
        now: Duration,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError>
    where
        A: Worldless,
    {
        self.invoke_in(agent, &mut (), now, action, args)
    }

    /// [`invoke`](Runner::invoke) for an agent that acts on a world.
    ///
    /// # Errors
    /// As of [`Registry::invoke`](crate::registry::Registry::invoke).
    pub fn invoke_in<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        now: Duration,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let registry = self.trees.registry();
        self.core.session.set_now(now);
        let cx = &mut self.core.session.context();
        let outcome = registry.invoke(agent, world, cx, action, args);
        // What would have finished it later, and what it holds.
        drop(self.core.session.take_requests());
        for event in self.core.session.take_fired() {
            self.fire(event);
        }
        for control in self.core.session.take_control() {
            match control {
                Control::Stop => self.stop_in(agent, world, now),
                Control::Reset => self.reset(),
                Control::Load(tree) => {
                    let loaded = self.load(&tree);
                    loaded.map_err(|error| CallError::refused(error.to_string()))?;
                }
            }
        }
        self.trace_explanation();
        outcome
    }
}
