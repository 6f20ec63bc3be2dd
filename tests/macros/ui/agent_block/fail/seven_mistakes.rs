use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(nmae = "growl")]
    fn growl(&self) {}

    #[action]
    async fn chase(&mut self) {}

    #[condition]
    fn sees(&mut self) -> bool {
        true
    }

    #[action]
    fn bite(&self, _: u8) {}

    #[property]
    fn hp(&self) {}

    #[event]
    fn hit(&self, by: u64);

    #[action]
    fn eat(&self, #[arg(min = 3, max = 1)] pieces: u8) {
        let _ = pieces;
    }
}

fn main() {}
