#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(
        name = "growl loudly",
        alias = ["growl", "grrr!"],
        display = "咆哮",
        category = "noise",
        since = "1.2",
        meta(role = "server", cost = -1.5, tags = ["a", "b"], type = 'x'),
    )]
    fn snarl(&self) {}

    #[bt_core::condition(meta(quiet))]
    fn quiet(&self) -> bool {
        true
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("grrr!").unwrap().item.name, "growl loudly");
    assert!(agent.action("quiet").is_ok());
}
