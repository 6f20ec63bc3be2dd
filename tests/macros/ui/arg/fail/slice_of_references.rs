use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, words: &[&str]) {
        let _ = words;
    }
}

fn main() {}
