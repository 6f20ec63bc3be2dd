use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[decorator(colour = "red")]
    fn once(&mut self, ended: Option<bool>) -> Next {
        ended.map_or(Next::Run, |_| Next::Succeed)
    }
}

fn main() {}
