use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, cx: &mut Context, again: &Context) {
        let _ = (cx, again);
    }
}

fn main() {}
