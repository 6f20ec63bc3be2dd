use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[composite]
    fn first(&mut self, limit: usize) -> NextChild {
        NextChild::Run(limit)
    }
}

fn main() {}
