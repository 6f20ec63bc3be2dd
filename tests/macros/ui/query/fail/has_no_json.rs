use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

#[agent]
impl Monster {
    #[query]
    fn whom(&self) -> std::time::Instant {
        std::time::Instant::now()
    }
    #[query]
    fn whom_perhaps(&self) -> Result<std::time::Instant, String> {
        Err(String::new())
    }
}

fn main() {}
