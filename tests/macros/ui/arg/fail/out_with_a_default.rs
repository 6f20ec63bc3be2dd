use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn find(&self, #[arg(out, default = 7)] found: &mut u64, #[arg(choices = [1])] more: &mut u64) {
        *found = *more;
    }
}

fn main() {}
