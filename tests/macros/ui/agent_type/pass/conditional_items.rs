#![deny(warnings)]
use bt_core::prelude::*;

#[cfg(any())]
#[derive(Agent)]
struct Monster(NoSuchType);

#[cfg(all())]
#[derive(Agent)]
struct Monster {
    #[cfg(any())]
    #[property]
    gone: NoSuchType,
    #[cfg(all())]
    #[property]
    hp: i32,
}

#[agent]
impl Monster {
    #[cfg(any())]
    #[action]
    fn growl(&self, at: NoSuchType) {}

    #[cfg(all())]
    #[action]
    fn growl(&self) {}

    #[action]
    fn go(&self, #[cfg(any())] x: NoSuchType, y: u8, #[cfg(all())] z: u8) -> bool {
        y > z
    }

    #[cfg(any())]
    #[event]
    fn hit(by: NoSuchType);

    #[event]
    fn hurt(#[cfg(any())] by: NoSuchType, #[cfg(all())] hp: i32);

    #[cfg(any())]
    #[property]
    const GONE: NoSuchType = NoSuchType;

    #[cfg(any())]
    #[property]
    fn speed(&self) -> NoSuchType {}

    #[cfg(any())]
    #[decorator]
    fn twice(&mut self, ended: Option<NoSuchType>) -> Next {}
}

#[agent]
#[cfg(any())]
impl Monster {
    #[action]
    fn away(&self, to: NoSuchType) {}
}

fn main() {
    let monster = Monster { hp: 7 };
    let _ = monster.hp;
    monster.growl();
    assert_eq!(Monster::hurt(7).params().count(), 1);
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("go").unwrap().args.len(), 2);
    assert_eq!(agent.event("hurt").unwrap().params.len(), 1);
    assert!(agent.property("gone").is_err() && agent.property("hp").is_ok());
    assert!(agent.action("away").is_err());
}
