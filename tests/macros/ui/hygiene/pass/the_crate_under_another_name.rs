#![deny(warnings)]

mod engine {
    pub mod behaviour {
        pub use ::bt_core as trees;
    }
}

use engine::behaviour::trees::{Agent, agent, register_agent};

#[derive(Agent)]
#[agent(crate = "crate::engine::behaviour::trees")]
struct Monster;

#[agent(crate = "crate::engine::behaviour::trees")]
impl Monster {
    #[action]
    fn growl(&self, #[arg(default = 7)] x: u8) -> bool {
        x > 7
    }

    #[event]
    fn heard(by: u64);
}

#[derive(Agent)]
#[agent(crate = "engine::behaviour::trees")]
struct Walker<T>(T);

#[agent(part = 1, crate = "engine::behaviour::trees")]
impl<T> Walker<T> {}

register_agent!(Walker<u8>, crate = "engine::behaviour::trees");

fn main() {
    let _ = (Monster.growl(7), Monster::heard(7), Walker(7u8).0);
}
