use bt_core::prelude::*;

struct Land;

#[derive(Agent)]
#[agent(world = Land)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "done")]
    fn dig(&self) -> Option<bool> {
        None
    }

    fn done(&mut self, #[world] a: &Land, #[world] b: &Land, _cx: &mut Context, _exit: Exit) {
        let _ = (a, b);
    }
}

fn main() {}
