use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = u32)]
struct Monster;

// In another block: the parameters are those of the contract.
impl Monster {
    fn left(&mut self, _cx: &mut Context, _exit: Exit) -> Option<bool> {
        None
    }

    fn again(&mut self, _cx: &mut Context, kept: Vec<u8>) -> Option<bool> {
        Some(kept.is_empty())
    }
}

type Cx<'a> = Context<'a>;

#[agent]
impl Monster {
    #[action(exit = "left", resume = "again")]
    fn a(&mut self) -> Option<bool> {
        None
    }

    #[action(exit = "stopped", resume = "resumed")]
    fn b(&mut self, cx: &mut Cx) -> Option<bool> {
        cx.keep("x");
        None
    }

    #[action(exit = "stopped")]
    fn c(&mut self) -> Status {
        Status::Running
    }

    fn stopped(&mut self, #[world] world: &mut u32, _: &mut Cx<'_>, _exit: Exit) {
        *world += 1;
    }

    fn resumed(&mut self, _cx: &mut Cx, kept: String, #[world] _w: &u32) -> Result<bool, String> {
        Err(kept)
    }
}

fn main() {
    Registry::global().unwrap();
}
