//! The agent of imported trees: write what its methods do.

use bt_core::prelude::*;
use serde_json::Value;

/// The agent of the imported trees.
#[derive(Debug, Default, Agent)]
#[agent(name = "importer_robot")]
pub struct ImporterRobot {}

#[agent]
#[allow(unused_variables)]
impl ImporterRobot {
    /// `Both` of the imported trees.
    #[composite(name = "Both")]
    pub fn both(&mut self, asked: Asked) -> NextChild {
        todo!()
    }

    /// `Find` of the imported trees.
    #[action(name = "Find")]
    pub fn find(
        &mut self, cx: &mut Context,
        #[arg(default = "a \"b\"")] what: String,
        #[arg(name = "type")] type_: Value,
        #[arg(out)] found: &mut Value,
        count: &mut i64,
        #[arg(default = 2.0)] speed: f64,
    ) -> Status {
        todo!()
    }

    /// `IsNear` of the imported trees.
    #[condition(name = "IsNear")]
    pub fn is_near(&self, goal: Value) -> bool {
        todo!()
    }

    /// `Keep` of the imported trees.
    #[decorator(name = "Keep")]
    pub fn keep(&mut self, every: Value, asked: Asked) -> Next {
        todo!()
    }

    /// `TurnOn` of the imported trees.
    #[action(name = "TurnOn")]
    pub fn turn_on(&mut self, cx: &mut Context) -> Status {
        todo!()
    }
}
