use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

type Text = &'static str;

#[agent]
impl Monster {
    #[action]
    fn say(&self, words: Text) {
        let _ = words;
    }
}

fn main() {}
