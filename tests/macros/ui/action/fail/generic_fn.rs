use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl<T: Clone>(&self, at: T) {
        let _ = at;
    }

    #[action]
    fn roar<const N: usize>(&self) {}
}

fn main() {}
