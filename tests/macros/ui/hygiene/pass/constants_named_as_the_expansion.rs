#![deny(warnings)]
#![allow(non_upper_case_globals, dead_code)]
use bt_core::prelude::*;

const a0: u8 = 0;
const a1: u8 = 1;
const agent: u8 = 0;
const args: u8 = 0;
const cx: u8 = 0;
const event: u8 = 0;
const exit: u8 = 0;
const giver: u8 = 0;
const kept: u8 = 0;
const name: u8 = 0;
const value: u8 = 0;
const with: u8 = 0;
static world: u8 = 0;

#[derive(Agent)]
struct Body {
    #[property]
    weight: u8,
}

#[derive(Agent)]
#[agent(world = u8)]
struct Monster {
    #[agent(base)]
    body: Body,
    #[property]
    hp: u8,
}

#[agent]
impl Monster {
    #[action(exit = "left", resume = "back")]
    fn walk(&self, #[world] land: &mut u8, one: u8, two: &str, #[arg(out)] three: &mut u8) -> Option<bool> {
        let _ = (land, one, two, three);
        None
    }

    fn left(&mut self, c: &mut Context, e: Exit, #[world] land: &mut u8, one: u8) {
        let _ = (c, e, land, one);
    }

    fn back(&mut self, c: &mut Context, k: u8) -> Option<bool> {
        let _ = (c, k);
        None
    }

    #[property]
    fn speed(&self, #[world] land: &u8, c: &Context) -> u8 {
        let _ = c;
        *land
    }

    #[property(set)]
    fn set_speed(&mut self, speed: u8) {
        self.hp = speed;
    }

    #[decorator]
    fn twice(&mut self, times: u8, ended: Option<bool>) -> Next {
        let _ = (times, ended);
        Next::Run
    }

    #[fallback]
    fn other(&mut self, c: &mut Context, called: &str, given: &[serde_json::Value]) -> Option<bool> {
        let _ = (c, called, given);
        None
    }

    #[event]
    fn bitten(by: u64, how: &str);
}

fn main() {
    assert!(Registry::global().is_ok());
    assert_eq!(Monster::bitten(7, "hard").get("by"), Some(&7.into()));
    let _ = Monster { body: Body { weight: 1 }, hp: 1 };
}
