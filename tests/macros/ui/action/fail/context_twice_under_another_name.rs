use bt_core::prelude::*;

type Cx<'a> = Context<'a>;

#[derive(Agent)]
struct Guard;

#[agent]
impl Guard {
    #[action]
    fn look(&self, cx: &mut Context, again: &Cx) -> bool {
        cx.has("x") && again.has("y")
    }
}

fn main() {}
