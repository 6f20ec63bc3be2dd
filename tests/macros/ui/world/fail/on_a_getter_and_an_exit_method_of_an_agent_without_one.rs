use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Land;

#[agent]
impl Monster {
    #[action(exit = "left")]
    fn dig(&self) -> Option<bool> {
        None
    }

    fn left(&mut self, cx: &mut Context, exit: Exit, #[world] land: &mut Land) {
        let _ = (cx, exit, land);
    }

    #[property]
    fn depth(&self, #[world] land: &Land) -> u8 {
        let _ = land;
        1
    }
}

fn main() {}
