use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) -> u32 {
        7
    }

    #[action]
    fn roar(&self) -> Result<String, String> {
        Ok(String::new())
    }
}

fn main() {}
