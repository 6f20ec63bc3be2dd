use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[composite(colour = "red")]
    fn first(&mut self, asked: Asked) -> NextChild {
        let _ = asked;
        NextChild::Run(0)
    }
}

fn main() {}
