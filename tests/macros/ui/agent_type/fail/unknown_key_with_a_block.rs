use bt_core::prelude::*;

#[derive(Agent)]
#[agent(dispaly = "Cook")]
struct Cook {
    #[property(mni = 0)]
    heat: u8,
}

#[agent]
impl Cook {
    #[action]
    fn stir(&mut self) {
        self.heat += 1;
    }
}

fn main() {}
