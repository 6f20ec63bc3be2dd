use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[composite]
    fn first(&mut self, asked: Asked) -> Next {
        let _ = asked;
        Next::Run
    }
}

fn main() {}
