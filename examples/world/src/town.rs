//! The town: bakers, and citizens who order bread from the baker of their street, wherever that one runs.

use bt_core::prelude::*;
use bt_core::{TreeAsset, TreeSet};
use bt_fleet::{Fleet, FleetContext, FleetError, Key};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// Somebody in the town. It is saved with its tree, so it survives the machine that it is on.
#[derive(Agent, Serialize, Deserialize, Debug, Clone, Default)]
pub(crate) struct Citizen {
    /// The number of its key.
    number: u64,
    /// Orders that came and were not delivered; only a baker has some.
    orders: Vec<u64>,
    pub(crate) baked: u64,
    pub(crate) eaten: u64,
}

pub(crate) const BAKERS: u64 = 8;

#[agent]
impl Citizen {
    /// Somebody orders bread.
    #[event]
    fn ordered(by: u64);

    /// The bread is there.
    #[event]
    fn bread();

    /// Work for a while.
    #[action]
    fn work(&mut self, cx: &mut Context) -> Option<bool> {
        let seconds = cx.random().int(2..=8).unsigned_abs();
        cx.finish_after(Duration::from_secs(seconds), true);
        None
    }

    /// Order bread from the baker of the street.
    #[action]
    fn order(&mut self, cx: &mut Context) -> bool {
        let baker = self.number % BAKERS;
        cx.outbox().fire(baker, Citizen::ordered(self.number))
    }

    /// Eat the bread.
    #[action]
    fn eat(&mut self) {
        self.eaten += 1;
    }

    /// Bake for everybody who ordered.
    #[action]
    fn deliver(&mut self, cx: &mut Context) -> bool {
        self.baked += self.orders.len() as u64;
        let outbox = cx.outbox();
        self.orders
            .drain(..)
            .all(|by| outbox.fire(by, Citizen::bread()))
    }
}

/// The trees of the town.
pub(crate) fn trees() -> Result<TreeSet<Citizen>, Box<dyn std::error::Error>> {
    let mut trees = TreeSet::new();
    for (name, text) in [
        ("baker.json", include_str!("../trees/baker.json")),
        ("eater.json", include_str!("../trees/eater.json")),
    ] {
        trees.add(TreeAsset::from_json(name, text)?);
    }
    Ok(trees)
}

/// Makes a citizen.
pub(crate) fn born(key: &Key, _: &Value) -> Result<Citizen, String> {
    match key {
        Key::Number(number) => Ok(Citizen {
            number: *number,
            ..Citizen::default()
        }),
        Key::Text(text) => Err(format!(
            "expected a number as the key of a citizen, found `{text}`"
        )),
    }
}

/// Notes an order, whatever the baker does at the moment.
pub(crate) fn heard(_: &Key, citizen: &mut Citizen, event: &Event) {
    if event.name() == "ordered"
        && let Ok(by) = event.get_as("by")
    {
        citizen.orders.push(by);
    }
}

/// Settles the town: bakers have the first numbers.
pub(crate) fn settle(fleet: &Fleet<Citizen>, citizens: u64) -> Result<(), FleetError> {
    let spawns = (0..citizens).map(|number| {
        let tree = if number < BAKERS {
            "baker.json"
        } else {
            "eater.json"
        };
        fleet
            .spawn(number, tree, json!(null))
            .id(format!("birth-{number}"))
            .send()
    });
    let spawns: Vec<_> = spawns.collect();
    for spawn in spawns {
        spawn.wait(Duration::from_secs(30))?;
    }
    Ok(())
}
