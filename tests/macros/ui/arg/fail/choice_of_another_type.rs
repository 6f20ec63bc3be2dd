use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, #[arg(choices = [1, 2])] words: String) {
        let _ = words;
    }
}

fn main() {}
