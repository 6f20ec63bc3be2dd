//! A knight and an archer fight together: a base agent, an enum and a world.
//!
//! Run it with `cargo run -p squad`. The trees are in `trees/`; the output is in `output.txt`.

mod agents;

use agents::{Archer, Battle, Knight};
use bt_core::{Agent, AssetError, Runner, TreeAsset, TreeSet, Trees};
use std::time::Duration;

/// The trees of one type of agent. Both types call `march.json`, which is a tree of their base.
fn trees<A: Agent>(name: &str, file: &str) -> Result<Trees<A>, AssetError> {
    let mut set = TreeSet::new();
    set.add(TreeAsset::from_json(name, file)?);
    set.add(TreeAsset::from_json(
        "march.json",
        include_str!("../trees/march.json"),
    )?);
    set.build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let knights = trees::<Knight>("knight.json", include_str!("../trees/knight.json"))?;
    let archers = trees::<Archer>("archer.json", include_str!("../trees/archer.json"))?;

    let mut battle = Battle { enemy: 10 };
    let mut kay = Knight::new("Kay");
    let mut robin = Archer::new("Robin");
    let mut kay_runs = Runner::new(&knights, "knight.json")?;
    let mut robin_runs = Runner::new(&archers, "archer.json")?;
    kay_runs.start();
    robin_runs.start();

    for second in 0..60 {
        let now = Duration::from_secs(second);
        kay_runs.poll_in(&mut kay, &mut battle, now);
        robin_runs.poll_in(&mut robin, &mut battle, now);
        if !kay_runs.is_running() && !robin_runs.is_running() {
            println!("{second} s: The battle is won.");
            break;
        }
    }
    Ok(())
}
