#![deny(warnings)]
use bt_core::prelude::*;

struct Land;

macro_rules! agent {
    ($name:ident, $base:ty, $hp:ident: $ty:ty, $world:ty, $least:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Agent, Default)]
        #[agent(world = $world)]
        struct $name {
            #[agent(base)]
            base: $base,
            #[property(min = $least)]
            $hp: $ty,
        }

        #[agent]
        impl $name {
            #[doc = concat!("Reads ", stringify!($hp), ".")]
            #[action]
            fn check(&self, at_least: $ty, #[world] land: &$world, cx: &mut Context) -> bool {
                let _ = (land, cx.now(), &self.base);
                self.$hp >= at_least
            }

            #[condition]
            fn alive(&self) -> bool {
                self.$hp > $least
            }

            #[event]
            fn hurt($hp: $ty);
        }
    };
}

#[derive(Agent, Default)]
struct Actor;

agent!(Monster, Actor, hp: i32, Land, 0, "A monster.");

fn main() {
    let mut monster = Monster::default();
    let args = serde_json::json!([0]);
    let mut session = Session::new(0);
    let registry = Registry::global().unwrap();
    let done = registry.invoke(&mut monster, &mut Land, &mut session.context(), "check", &args);
    assert_eq!(done.unwrap(), Outcome::Done(true));
    assert!(!monster.alive());
    assert_eq!(Monster::hurt(7).name(), "hurt");
}
