use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, #[arg(min = 1)] words: String, #[arg(max = 80)] more: &str) {
        let _ = (words, more);
    }
}

fn main() {}
