//! A guard opens the door for friends: an agent, a tree file and a run.
//!
//! Run it with `cargo run -p door-guard`. The tree is `trees/door.json`; the output is in `output.txt`.

use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};
use std::time::Duration;

/// Guards a door.
#[derive(Agent)]
struct Guard {
    friends: Vec<String>,
}

#[agent]
impl Guard {
    /// Somebody knocks at the door.
    #[event]
    fn knock(visitor: &str);

    /// Is this visitor a friend?
    #[condition]
    fn is_friend(&self, visitor: &str) -> bool {
        self.friends.iter().any(|friend| friend == visitor)
    }

    /// Open the door.
    #[action]
    fn open(&mut self) {
        println!("       The guard opens the door.");
    }

    /// Close the door.
    #[action]
    fn close(&mut self) {
        println!("       The guard closes the door.");
    }

    /// Shout at whoever is outside.
    #[action]
    fn shout(&mut self, #[arg(default = "Who is there?")] text: String) {
        println!("       The guard shouts: {text}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut trees = TreeSet::<Guard>::new();
    let file = include_str!("../trees/door.json");
    trees.add(TreeAsset::from_json("door.json", file)?);
    let trees = trees.build()?; // reports every problem in every tree

    let friends = vec!["Ann".to_owned()];
    let mut guard = Guard { friends };
    let mut runner = Runner::new(&trees, "door.json")?;
    runner.start();
    for second in 0..10 {
        let visitor = match second {
            1 => Some("Bob"),
            4 => Some("Ann"),
            _ => None,
        };
        if let Some(visitor) = visitor {
            println!("{second} s:   {visitor} knocks.");
            runner.fire(Guard::knock(visitor));
        }
        runner.poll(&mut guard, Duration::from_secs(second));
    }

    println!("\nWhy does the guard stand still?\n{}", runner.explain());
    Ok(())
}
