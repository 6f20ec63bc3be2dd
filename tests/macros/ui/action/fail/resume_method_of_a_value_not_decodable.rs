use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

struct Throat;

#[agent]
impl Monster {
    #[action(resume = "again")]
    fn growl(&self) -> Option<bool> {
        None
    }

    fn again(&mut self, _cx: &mut Context, kept: Throat) -> Option<bool> {
        let Throat = kept;
        None
    }
}

fn main() {}
