use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, #[arg(choices = ["hello", "bye"], default = "hi")] words: String) {
        let _ = words;
    }
}

fn main() {}
