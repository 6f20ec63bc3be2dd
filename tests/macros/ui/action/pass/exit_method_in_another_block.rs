#![deny(warnings)]

use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action(exit = "hush")]
    fn growl(&self) -> Option<bool> {
        None
    }

    #[action(exit = "calm_down")]
    fn howl(&self) -> Option<bool> {
        None
    }
}

impl Monster {
    fn hush(&mut self, _: &mut Context, _: Exit) {}

    fn calm_down(&self, _: &mut Context, _: Exit) -> Option<bool> {
        Some(true)
    }
}

fn main() {}
