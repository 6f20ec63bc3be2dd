use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

#[agent]
impl Monster {
    #[query]
    fn a(&self, cx: &mut Context) -> u64 {
        cx.set("a", 1);
        1
    }
    #[query]
    fn b(&self, #[world] world: &mut Vec<u8>) -> usize {
        world.len()
    }
    #[query]
    fn c(&self, count: &mut u64) -> u64 {
        *count
    }
    #[query]
    fn d(&self, #[arg(out)] count: &mut u64) -> u64 {
        *count
    }
}

fn main() {}
