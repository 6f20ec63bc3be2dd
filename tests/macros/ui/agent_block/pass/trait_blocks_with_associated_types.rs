#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

trait Fights {
    type Weapon;
    type Target;
    const RANGE: f64;
    fn strike(&mut self, weapon: Self::Weapon, target: &Self::Target) -> bool;
    fn flee(&mut self) -> bool {
        true
    }
    fn range() -> f64 {
        Self::RANGE
    }
}

trait Weapon {
    type Ammo;
}

#[agent]
impl Weapon for Monster {
    type Ammo = u8;
}

#[agent]
impl Fights for Monster {
    type Weapon = Option<<Self as Weapon>::Ammo>;
    type Target = String;

    #[property]
    const RANGE: f64 = 2.0;

    #[action]
    fn strike(&mut self, weapon: Self::Weapon, target: &Self::Target) -> bool {
        weapon.is_some() && !target.is_empty()
    }
}

trait Named<T> {
    fn named(&self, by: T) -> bool;
}

#[agent]
impl Named<u64> for Monster {
    #[condition]
    fn named(&self, by: u64) -> bool {
        by > 7
    }
}

fn main() {
    Monster.flee();
    let _ = Monster::range();
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("strike").unwrap().args[1].ty.type_name, "string");
    assert!(agent.property("RANGE").unwrap().is_static);
    assert!(agent.action("named").is_ok());
}
