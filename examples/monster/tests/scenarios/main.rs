//! The scenarios beside the trees: played on the agents themselves, on agents that the catalogue describes, and on
//! trees with planted faults.

mod faults;
mod planted;

use std::fs;
use std::path::{Path, PathBuf};

use bt_core::scenario::{Player, Scenario};
use bt_core::{Agent, TreeAsset, TreeSet};
use bt_meta::catalogue::Catalogue;
use bt_meta::scenarios::{self, Report};
use monster::{AccountAgent, Blueprint, MonsterAgent, PlayerAgent, Point, World};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("trees")
}

fn catalogue() -> Catalogue {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("editor/agents.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn played(folder: &Path, covers: bool) -> Report {
    scenarios::run(catalogue(), folder, covers).unwrap()
}

/// Plays the scenarios of some trees on an agent of their type.
fn play_typed<A>(trees: &[&str], agent: impl Fn(u64) -> A)
where
    A: for<'w, 's> Agent<World<'w, 's> = World>,
{
    let mut set = TreeSet::<A>::new();
    for name in trees {
        let text = fs::read_to_string(folder().join(name)).unwrap();
        set.add(TreeAsset::from_json(name, &text).unwrap());
    }
    let mut player = Player::new(&set).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.ends_with(".scenario.toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let scenario = Scenario::from_toml(name, &text).unwrap();
        if !trees.contains(&scenario.tree()) {
            continue;
        }
        let mut world = World::new();
        let entity = world.spawn(Blueprint::monster("wolf", Point::new(5.0, 5.0)));
        let mut agent = agent(entity);
        let verdict = player.play_in(&scenario, &mut agent, &mut world, |_, _, _| Vec::new());
        let verdict = verdict.unwrap();
        assert!(verdict.passed(), "{verdict}");
        count += 1;
    }
    assert!(count > 5, "{count} scenarios");
}

#[test]
fn scenarios_pass_on_the_agents_themselves() {
    let home = Point::new(5.0, 5.0);
    play_typed(&["patrol.json", "hunt.json", "flee.json"], |entity| {
        MonsterAgent::new(entity, home)
    });
    play_typed(&["auto_play.json"], PlayerAgent::new);
    play_typed(&["account.json"], |entity| {
        AccountAgent::new(entity, "Ann", "secret")
    });
}

#[test]
fn scenarios_pass_on_described_agents_and_show_nine_of_ten_outcomes() {
    let report = played(&folder(), true);
    let failed = report.played.iter().filter(|played| !played.passed());
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let coverage = report.coverage.unwrap();
    for (name, tree) in &coverage.trees {
        assert!(
            tree.seen * 10 >= tree.all * 9,
            "{name}:\n{}",
            coverage.text()
        );
    }
}

#[test]
fn scenarios_come_out_the_same_each_time() {
    assert_eq!(played(&folder(), true), played(&folder(), true));
}
