use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn go(&self, to: Pointt) {
        let _ = to;
    }
}

fn main() {}
