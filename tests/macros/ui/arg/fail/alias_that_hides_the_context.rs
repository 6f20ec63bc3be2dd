use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

type Cx<'a, 'b> = &'a mut Context<'b>;

#[agent]
impl Monster {
    #[action]
    fn say(&self, cx: Cx) {
        let _ = cx;
    }
}

fn main() {}
