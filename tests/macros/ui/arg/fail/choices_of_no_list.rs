use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, #[arg(choices = "hello")] a: String, #[arg(choices = [])] b: String) {
        let _ = (a, b);
    }
}

fn main() {}
