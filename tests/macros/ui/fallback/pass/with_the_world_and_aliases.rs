#![deny(warnings)]
use bt_core::prelude::*;
use serde_json::Value as Json;

#[derive(Agent)]
#[agent(world = u32)]
struct Monster;

#[derive(Agent)]
struct Npc;

type Answer = Option<bool>;

#[agent]
impl Monster {
    #[fallback]
    fn any(&mut self, #[world] w: &mut u32, cx: &mut Context, name: &str, args: &[Json]) -> Answer {
        *w += 1;
        cx.set(name, args.len());
        None
    }
}

trait Scripted {
    fn script(&mut self, cx: &mut Context<'_>, name: &str, args: &[Json]) -> Answer;
}

#[agent]
impl Scripted for Npc {
    #[fallback]
    fn script(&mut self, _: &mut Context<'_>, _: &str, _: &[Json]) -> Answer {
        Some(true)
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.entry().fallback.is_some());
}
