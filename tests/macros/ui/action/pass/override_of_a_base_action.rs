use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(override)]
    fn nop(&self) -> bool {
        false
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("nop").unwrap().agent.name(), "monster");
}
