use bt_core::prelude::*;

#[derive(Agent)]
struct Walker<T>(T);

#[agent(part = 8)]
impl<T> Walker<T> {
    #[action]
    fn growl(&self) {}
}

fn main() {}
