//! The agents: about 30 nodes each, of which most wait for an event, others for a time, and a few greet somebody.

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{
    NodeSpec, action, condition, negative, select, sequence, wait_event,
};
use bt_core::{TreeAsset, TreeSet, Trees};
use bt_fleet::{FleetContext, Key};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Agent, Serialize, Deserialize, Clone, Default, Debug)]
pub(crate) struct Walker {
    pub(crate) hits: u64,
    /// The numbers of all hits in their order, as one number.
    pub(crate) order: u64,
    pub(crate) seen: u64,
    pub(crate) steps: u64,
    pub(crate) greetings: u64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) hp: i32,
}

#[agent]
impl Walker {
    #[event]
    pub(crate) fn hit(number: u64);

    #[event]
    pub(crate) fn greeted(by: u64);

    #[action]
    fn count(&mut self) {
        self.seen += 1;
    }

    #[action]
    fn walk(&mut self) {
        self.steps += 1;
        self.x += 1.25;
        self.y -= 0.5;
    }

    #[action]
    fn greet(&mut self, cx: &mut Context) -> bool {
        let (own, friend) = (cx.get_as::<u64>("own"), cx.get_as::<u64>("friend"));
        let (Ok(own), Ok(friend)) = (own, friend) else {
            return false;
        };
        self.steps += 1;
        let line = json!([own, self.steps]);
        cx.outbox().fire(friend, Walker::greeted(own)) && cx.outbox().log("deeds", line)
    }

    #[condition]
    fn calm(&self) -> bool {
        self.hp >= 0
    }

    #[condition]
    fn angry(&self) -> bool {
        self.hp < 0
    }

    #[action]
    fn idle(&mut self) {}
}

pub(crate) fn trees() -> Trees<Walker> {
    let idle = || action("idle");
    let body = |work: NodeSpec| {
        sequence([
            select([
                condition("angry"),
                sequence([idle(), condition("calm"), idle()]),
            ]),
            negative(select([condition("angry"), negative(idle())])),
            sequence([idle(), condition("calm"), idle()]),
            select([condition("angry"), sequence([condition("calm"), work])]),
            sequence([idle(), condition("calm"), idle(), idle()]),
            idle(),
        ])
    };
    let wait = |seconds: u32| action("wait_for_seconds").arg(seconds);
    let stay = body(sequence([wait_event("hit"), action("count")]));
    let roam = body(sequence([wait(10), action("walk")]));
    let greet = body(sequence([wait(5), action("greet")]));
    let mut set = TreeSet::<Walker>::new();
    for (name, tree) in [
        ("stay.json", stay),
        ("roam.json", roam),
        ("greet.json", greet),
    ] {
        set.add(TreeAsset::build(name, "walker", tree));
    }
    set.build().expect("the trees are right")
}

pub(crate) fn spawn(_: &Key, _: &Value) -> Result<Walker, String> {
    Ok(Walker {
        hp: 10,
        ..Walker::default()
    })
}

/// One number more in an order.
pub(crate) fn ordered(order: u64, number: u64) -> u64 {
    (order ^ number)
        .wrapping_mul(0x0000_0100_0000_01b3)
        .rotate_left(17)
}

pub(crate) fn heard(_: &Key, walker: &mut Walker, event: &Event) {
    if event.name() == "hit" {
        walker.hits += 1;
        walker.order = ordered(walker.order, event.get_as("number").unwrap_or(0));
    } else {
        walker.greetings += 1;
    }
}
