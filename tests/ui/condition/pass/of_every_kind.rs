use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

type Yes = bool;

#[agent]
impl Monster {
    #[condition]
    fn a(&self) -> bool {
        true
    }
    #[condition]
    fn b() -> Yes {
        true
    }
    #[condition(name = "c?")]
    fn c(&self, #[world] world: &Vec<u8>, at: &str, cx: &Context, more: Option<u8>) -> bool {
        world.is_empty() && at.is_empty() && cx.now().is_zero() && more.is_none()
    }
}

fn main() {
    Registry::global().unwrap();
}
