#![deny(warnings)]
use bt_core::prelude::*;
use serde_json::Value;

#[derive(Agent)]
#[agent(world = World)]
struct Monster {
    #[property]
    agent: u8,
    #[property]
    value: u8,
}

struct World;

#[agent]
impl Monster {
    #[action(exit = "exit", resume = "resume")]
    fn action(
        &mut self,
        #[world] a0: &mut World,
        agent: u8,
        world: &str,
        cx: &mut u8,
        #[arg(out)] value: &mut u8,
        args: &mut Context,
        name: Value,
        kept: &[u8],
        event: Option<u8>,
    ) -> Option<bool> {
        let _ = (a0, agent, world, cx, value, args, name, kept, event);
        None
    }

    fn exit(&mut self, exit: &mut Context, #[world] agent: &mut World, cx: Exit) {
        let _ = (exit, agent, cx);
    }

    fn resume(&mut self, #[world] kept: &World, world: &mut Context, cx: u8) -> Option<bool> {
        let _ = (kept, world, cx);
        None
    }

    #[condition]
    fn condition(world: u8, a0: u8, a1: u8, agent: u8) -> bool {
        [world, a0, a1, agent].is_empty()
    }

    #[decorator]
    fn decorator(&mut self, world: u8, a0: u8, ended: Option<bool>) -> Next {
        let _ = (world, a0, ended);
        Next::Run
    }

    #[fallback]
    fn fallback(&mut self, world: &mut Context, agent: &str, cx: &[Value]) -> Option<bool> {
        let _ = (world, agent, cx);
        None
    }

    #[property]
    fn world(&self, #[world] cx: &World, agent: &Context) -> u8 {
        let _ = (cx, agent);
        self.agent + self.value
    }

    #[property(set)]
    fn set_world(&mut self, a0: u8, #[world] value: &World) {
        let _ = (a0, value);
    }

    #[event]
    fn event(event: u8, made: u8, name: &str, value: Value, params: u8, __bt: u8);
}

fn main() {
    let event = Monster::event(1, 2, "x", 7.into(), 3, 4);
    assert_eq!(event.get("event"), Some(&1.into()));
    assert!(Registry::global().is_ok());
    let _ = Monster { agent: 1, value: 2 };
}
