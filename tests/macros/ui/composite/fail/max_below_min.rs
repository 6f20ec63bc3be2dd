use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[composite(min = 3, max = 2)]
    fn first(&mut self, asked: Asked) -> NextChild {
        let _ = asked;
        NextChild::Run(0)
    }
}

fn main() {}
