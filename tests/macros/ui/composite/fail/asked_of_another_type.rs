use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[composite]
    fn first(&mut self, asked: Option<bool>) -> NextChild {
        let _ = asked;
        NextChild::Run(0)
    }
}

fn main() {}
