use bt_core::prelude::*;

#[derive(Agent)]
struct Guard;

#[agent]
impl Guard {
    #[action]
    fn look(&self, cx: &mut Context, again: &Context) -> bool {
        cx.has("x") && again.has("y")
    }
}

fn main() {}
