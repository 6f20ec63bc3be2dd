use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[fallback]
    fn anything(&mut self, name: &str) -> Option<bool> {
        let _ = name;
        None
    }
}

fn main() {}
