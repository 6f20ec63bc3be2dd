#![deny(warnings)]
use bt_core::prelude::*;

mod old {
    #![allow(deprecated)]

    #[deprecated]
    #[derive(Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Gait(u8);

    #[deprecated]
    pub const SPEED: u8 = 3;

    #[deprecated]
    pub trait Walks {
        fn walk(&self);
    }
}

#[derive(Agent)]
struct Monster;

#[agent]
#[allow(deprecated)]
impl Monster {
    #[action]
    fn run(&self, by_value: old::Gait, by_ref: &old::Gait, in_out: &mut old::Gait, #[arg(default = old::SPEED)] speed: u8) {
        let _ = (by_value, by_ref, in_out, speed);
    }

    #[property]
    fn gait(&self) -> old::Gait {
        old::Gait::default()
    }

    #[property(set)]
    fn set_gait(&mut self, gait: old::Gait) {
        let _ = gait;
    }

    #[property]
    const SPEED: u8 = old::SPEED;

    #[event]
    fn changed(gait: old::Gait, before: &old::Gait);
}

#[allow(deprecated)]
#[agent]
impl old::Walks for Monster {
    #[action]
    fn walk(&self) {}
}

fn main() {
    let _ = Monster;
}
