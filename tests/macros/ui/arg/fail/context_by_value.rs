use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, cx: Context) {
        let _ = cx;
    }
}

fn main() {}
